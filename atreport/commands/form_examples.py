"""The example spec of every regulator's form, as a spec to start from.

The examples are those of ``specs/``, which are shipped with the program: what people start from is what tests build.
"""

from __future__ import annotations

import re
from pathlib import Path

from atreport.errors import UsageError
from atreport.kit.resources import examples_folder
from atreport.spec.models.forms import FORMS
from atreport.spec.problems import did_you_mean
from atreport.spec.schema import SCHEMA_FILE_NAME, schema_text

_TEMPLATE = re.compile(r"^  template: *(\w+)", re.MULTILINE)
_DATA_FILE = re.compile(r"^  (?:cells|records): *([^\s{#]+)", re.MULTILINE)
_MODELINE = f"# yaml-language-server: $schema={SCHEMA_FILE_NAME}\n"


def form_examples() -> dict[str, Path]:
    """The example of each form: the first spec, by name, whose template it is."""
    found: dict[str, Path] = {}
    for path in sorted(examples_folder().glob("*.yaml")):
        template = _TEMPLATE.search(path.read_text(encoding="utf-8"))
        if template is not None and template[1] in FORMS:
            found.setdefault(template[1], path)
    return found


def example_files(template: str) -> dict[str, bytes]:
    """The files to start a form from: its example as report.yaml, the data it names, and the schema for editors."""
    examples = form_examples()
    if template not in examples:
        hint = did_you_mean(template, examples, listing="the forms")
        raise UsageError(f"there is no form '{template}'; {hint}")
    path = examples[template]
    text = path.read_text(encoding="utf-8")
    data = {name: (path.parent / name).read_bytes() for name in _DATA_FILE.findall(text)}
    return {"report.yaml": (_MODELINE + text).encode(), SCHEMA_FILE_NAME: schema_text().encode(), **data}
