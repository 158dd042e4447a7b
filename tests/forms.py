"""Specs of regulators' forms that several tests start from."""

from pathlib import Path
from typing import Any

import yaml

from atreport.cli.init import form_examples
from atreport.report.model import Report
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec

FORM_SPECS = form_examples()
"""The example of each form, from which a spec can be started."""

HAND_WORKED = """\
atreport: 1
report: {title: Audit, publisher: Example, version: 1, date: 2026-02-02, template: ll144}
process:
  name: Screening
  estimated_from: records
  outcome: {name: screening, values: ["no", "yes"], favourable: "yes"}
  attributes:
    - {name: sex, role: public, values: [F, M, unknown], unknown: unknown}
    - {name: race, role: sensitive, values: [A, B, C, unknown], unknown: unknown}
source:
  table:
    - {sex: F, race: A, population: 60, "yes": 0.5}
    - {sex: F, race: B, population: 40, "yes": 0.25}
    - {sex: F, race: C, population: 3, "yes": 1}
    - {sex: M, race: A, population: 80, "yes": 0.6}
    - {sex: M, race: B, population: 50, "yes": 0.4}
    - {sex: unknown, race: A, population: 10, "yes": 0.5}
    - {sex: F, race: unknown, population: 7, "yes": 0}
policy: {fidelity: {delta: 1}, decimals: 4}
disclosure: {population: counts}
form:
  sex: sex
  race_ethnicity: race
  tool: Tool
  rate: selection
  audit_date: 2026-01-01
  distribution_date: 2025-01-01
  auditor: Auditor
  data: historical
  data_source: Applications of 2025
  under_two_percent: {because: three people say little}
"""
"""250 applicants, worked by hand in tests/pages/forms/test_ll144.py."""


def form_of(template: str) -> dict[str, Any]:
    """The form section of an example spec."""
    section: dict[str, Any] = yaml.safe_load(FORM_SPECS[template].read_text(encoding="utf-8"))["form"]
    return section


def with_fields(report: Report, **changed: object) -> Report:
    """The report with some fields of its form changed."""
    assert report.form is not None
    fields = report.form.fields.model_copy(update=changed)
    return report.model_copy(update={"form": report.form.model_copy(update={"fields": fields})})


def edited_spec(text: str | Path, *edits: tuple[str, str]) -> Spec:
    """A spec, or the one in a file, with some texts replaced, each of which must be there."""
    path = text if isinstance(text, Path) else None
    text = text if isinstance(text, str) else text.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    return parse_spec(text) if path is None else parse_spec(text, path)
