"""Reports made in memory, for tests of the document: of the example, and of a large population."""

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from atreport.compose import compose_report
from atreport.core.certify import Announcement
from atreport.pages.documents import LaidOut, ReportContext, lay_out
from atreport.private.annex import make_annex
from atreport.private.annex.context import AnnexContext, make_annex_context
from atreport.private.attacks import audit_draft
from atreport.private.prepare import Prepared, prepare_spec
from atreport.report.model import Report
from atreport.report.writer import report_json
from atreport.spec.load import load_spec
from atreport.spec.spec import Spec
from tests.example import example_spec

ATTACHMENTS = {
    "report.json": b'{"format": "atreport/1"}\n',
    "cells.csv": b"a,b\n1,2\n",
    "measures.csv": b"m\n",
}


@dataclass(frozen=True)
class MadeReport:
    """A report, and everything it was made from."""

    prepared: Prepared
    report: Report

    @property
    def announcement(self) -> Announcement:
        """What came through the first door."""
        return self.prepared.announcement

    @cached_property
    def document(self) -> LaidOut:
        """The report, or the form in its place, laid out; made when asked for, since charts take long."""
        return lay_out(self.report)

    @property
    def context(self) -> ReportContext:
        """The report as text and charts."""
        assert isinstance(self.document.context, ReportContext), "no form takes its place"
        return self.document.context

    @cached_property
    def data(self) -> bytes:
        """The content of report.json."""
        return report_json(self.report)

    @cached_property
    def annex(self) -> AnnexContext:
        """The confidential annex; made only when asked for, since it takes long for many groups."""
        of = self.prepared
        audit = audit_draft(of.spec, of.public, of.table, of.draft)
        return make_annex_context(
            make_annex(of.spec, of.public, of.table, of.draft, audit, self.report.fairness)
        )


def make_report(spec: Spec) -> MadeReport:
    """The stages up to the Report, as a build runs them."""
    prepared = prepare_spec(spec)
    return MadeReport(
        prepared=prepared,
        report=compose_report(prepared.announcement, prepared.public),
    )


@cache
def example_report() -> MadeReport:
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


def large_report(folder: Path, groups: int) -> MadeReport:
    """A report on so many QID groups."""
    return make_report(load_spec(large_spec(folder, groups)))
