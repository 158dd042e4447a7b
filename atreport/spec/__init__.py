"""Stage 1, **spec**: turn a YAML file into a checked, frozen :class:`~atreport.spec.spec.Spec`.

yaml.py reads text into values that know their line and column (mapping.py does so for a dictionary), spec.py and a
file a section say what each may hold, validation.py turns pydantic's findings into messages and the models into JSON
Schema, checks.py and check_records.py ask what only makes sense across sections, rows.py reads rows of decisions, and
load.py is all of it.
"""
