"""Stage 1, **spec**: turn a YAML file into a checked, frozen :class:`~atreport.spec.spec.Spec`.

``yaml``        text → plain values that know their line and column
``problems``    problems that any section can have, and their hints
``models``      what each section may say; measures, forms and explanations also say what they need of other sections
``schema``      the same as JSON Schema, for editors
``validation``  pydantic's findings → messages at a line and column
``checks``      what only makes sense across sections
``rows``        rows of text → checked columns (inline tables and data files alike)
``load``        all of it
"""
