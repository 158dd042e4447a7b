"""Reports made in memory, for tests of the document: of the example, of a large population, of awkward texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from atreport.analysis.assessment import Assessment
from atreport.analysis.explanations.explain import explain_rule
from atreport.analysis.explanations.figure import Explanation
from atreport.analysis.fairness import assess
from atreport.announcement import Release
from atreport.confidential.annex.annex import make_annex
from atreport.confidential.annex.context import AnnexContext, make_annex_context
from atreport.confidential.attacks.audit import audit_draft
from atreport.confidential.data.table import DecisionTable, read_table
from atreport.confidential.mechanism.draft import Draft, draft_release
from atreport.pages.charts import draw
from atreport.pages.context import ReportContext, make_context
from atreport.pages.notes import disclosure_notes
from atreport.report.document import json_bytes, report_document
from atreport.spec.load import load_spec
from atreport.spec.models.spec import PublicSpec, Spec
from tests.example import example_spec

ATTACHMENTS = {
    "report.json": b'{"format": "atreport/1"}\n',
    "cells.csv": b"a,b\n1,2\n",
    "measures.csv": b"m\n",
}


@dataclass(frozen=True)
class Report:
    """Everything a document is made from."""

    whole_spec: Spec
    spec: PublicSpec
    table: DecisionTable
    draft: Draft
    assessments: Sequence[Assessment]
    explanation: Explanation
    context: ReportContext
    data: bytes  # report.json

    @property
    def release(self) -> Release:
        """What is published."""
        return self.draft.release

    @cached_property
    def annex(self) -> AnnexContext:
        """The confidential annex; made only when asked for, since it takes long for many groups."""
        audit = audit_draft(self.whole_spec, self.spec, self.table, self.draft)
        return make_annex_context(
            make_annex(self.whole_spec, self.spec, self.table, self.draft, audit, self.assessments)
        )


def make_report(spec: Spec) -> Report:
    """The stages up to the context, as a build runs them."""
    table = read_table(spec)
    draft = draft_release(spec, table)
    release, public = draft.release, spec.public
    assessments, left_out = assess(release, public)
    notes = disclosure_notes(release, public, assessments, left_out)
    explanation = explain_rule(release, public)
    figures = draw(release, public, assessments, explanation)
    context = make_context(release, public, assessments, left_out, explanation, notes, figures)
    return Report(
        whole_spec=spec,
        spec=public,
        table=table,
        draft=draft,
        assessments=assessments,
        explanation=explanation,
        context=context,
        data=json_bytes(report_document(release, public, assessments, explanation, notes)),
    )


@cache
def example_report() -> Report:
    """The paper's example as it is, made once for all tests of a process."""
    return make_report(example_spec())


def large_spec(folder: Path, groups: int) -> Path:
    """A spec with so many QID groups of three cells each, and a fairness comparison in every group."""
    rng = np.random.default_rng(groups)
    incomes = ("low", "middle", "high")
    rows = ["place,income,population,approved"]
    for place in range(groups):
        chance = np.clip(rng.normal([0.2, 0.5, 0.8], 0.2), 0, 1).round(3)
        people = rng.integers(1, 400, 3)
        rows += [f"p{place},{incomes[i]},{people[i]},{chance[i]}" for i in range(3)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cells.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    places = ", ".join(f"p{place}" for place in range(groups))
    path = folder / "large.yaml"
    path.write_text(
        f"""\
atreport: 1
report: {{title: Benefits in many places, publisher: Agency, version: 1.0.0, date: 2026-03-01}}
process:
  name: Benefits
  outcome: {{name: decision, values: [denied, approved], favourable: approved}}
  attributes:
    - {{name: place, label: Place, role: public, values: [{places}]}}
    - {{name: income, label: Income, role: sensitive, values: [low, middle, high]}}
source: {{cells: cells.csv}}
policy: {{fidelity: {{delta: 0.9}}, decimals: 4}}
fairness:
  - {{measure: statistical_parity, groups: {{Low: {{income: low}}, High: {{income: high}}}}, threshold: 0.3}}
  - measure: conditional_statistical_parity
    groups: {{Low: {{income: low}}, High: {{income: high}}}}
    given: place
""",
        encoding="utf-8",
    )
    return path


def large_report(folder: Path, groups: int) -> Report:
    """A report on so many QID groups."""
    return make_report(load_spec(large_spec(folder, groups)))
