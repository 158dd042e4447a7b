"""Stage 1, **spec**: turn a YAML file into a checked, frozen :class:`~atreport.spec.models.spec.Spec`.

``yaml_tree``  text → plain values that know their line and column
``models``     what each section may say
``schema``     the same as JSON Schema, for editors
``form_checks`` what a regulator's form must have
``problems``   pydantic's findings → messages at a line and column
``rows``       rows of text → checked columns (inline tables and data files alike)
``load``       all of it, and the checks across sections
"""
