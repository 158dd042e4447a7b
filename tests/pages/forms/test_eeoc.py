"""Selection rates under the Uniform Guidelines: screening and significance that hold for the exact figures."""

from __future__ import annotations

from decimal import Decimal

import jsonschema
import numpy as np
import pytest
from scipy.stats import fisher_exact

from atreport.analysis.explanations.explain import explain_rule
from atreport.analysis.fairness import assess
from atreport.confidential.data.table import read_table
from atreport.confidential.mechanism.draft import draft_release
from atreport.confidential.mechanism.guard import guard_small_cells
from atreport.pages.forms.eeoc import ImpactTable, impact_tables
from atreport.pages.forms.form_document import form_context
from atreport.pages.notes import disclosure_notes
from atreport.report.document import report_document
from atreport.report.schema import report_schema
from atreport.spec.load import parse_spec
from atreport.spec.models.forms import EEOCForm
from tests.forms import FORM_SPECS


def tables(*edits: tuple[str, str]) -> tuple[dict[str, ImpactTable], str, dict[str, object]]:
    """The tables of the example spec, changed; everything the document says; and report.json."""
    text = FORM_SPECS["eeoc"].read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    spec = parse_spec(text, FORM_SPECS["eeoc"])
    table, account = guard_small_cells(spec, read_table(spec))
    release = draft_release(spec, table, small_cells=account).release
    assert isinstance(spec.form, EEOCForm)
    assessments, left_out = assess(release, spec.public)
    notes = disclosure_notes(release, spec.public, assessments, left_out)
    document = report_document(release, spec.public, assessments, explain_rule(release, spec.public), notes)
    context = form_context(release, spec.public, assessments, notes)
    return {t.attribute: t for t in impact_tables(release, spec.form)}, str(context), document


EXACT = ("{delta: 0.97}", "{delta: 1}")
FOUR = ("decimals: 3", "decimals: 4")


def test_rates_and_screening_of_exact_figures() -> None:
    """At δ = 1 the figures are those of the data: women 71/216 … of the highest rate, men's."""
    found, text, document = tables(EXACT, FOUR)
    women, men = found["sex"].rows
    assert women.rate
    assert men.rate
    assert women.ratio
    hired_women = Decimal("0.2") * 40 + Decimal("0.25") * 36 + Decimal("0.35") * 20 + Decimal("0.4") * 120
    assert women.rate.value == round(hired_women / 216, 4)
    assert women.people.text == "216"
    assert found["sex"].verdicts[1] == "meets"
    assert found["sex"].unknown.text == "16"
    assert women.unknown is not None
    assert "screens that tell where to look closer" in text
    jsonschema.validate(document, report_schema())


def test_significance_is_fishers_and_certain_at_exact_figures() -> None:
    """P is that of the two-by-two table against the group with the highest rate."""
    found, _, _ = tables(EXACT, FOUR)
    table = found["race"]
    black = table.rows[0]
    best = next(row for row in table.rows if row.is_highest)
    test = table.significance[0]
    assert test is not None
    assert black.rate
    assert best.rate
    counts = [
        [round(row.rate.value * row.people.fewest), row.people.fewest] for row in (black, best) if row.rate
    ]
    p = fisher_exact(np.array([[s, n - s] for s, n in counts])).pvalue
    assert float(test.p) - 1e-4 <= p <= float(test.p)
    assert test.least <= test.p <= test.most or test.least == test.most
    assert table.significance[table.rows.index(best)] is None


def test_significance_is_open_where_the_exact_rates_may_agree() -> None:
    """Where the ranges of two rates overlap, nothing is called significant."""
    found, _, _ = tables(("{delta: 0.97}", "{delta: 0.7}"))
    for test in found["race"].significance:
        if test is not None:
            assert not test.text.startswith("significant")
            assert test.most == 1


def test_numbers_that_are_not_exact_are_not_tested() -> None:
    """With rounded numbers there is no test of significance, and the document says so."""
    found, text, _ = tables(("decimals: 3", "decimals: 3\n  small_cells: round"))
    assert all(test is None for test in found["race"].significance)
    assert "no test of significance is made" in text


@pytest.mark.parametrize("delta", ["0.97", "0.9"])
def test_verdicts_hold_for_the_exact_figures(delta: str) -> None:
    """A verdict, one way or the other, is never wrong about the exact rates."""
    exact, _, _ = tables(EXACT, FOUR)
    announced, _, _ = tables(("{delta: 0.97}", f"{{delta: {delta}}}"))
    for name, table in announced.items():
        for verdict, true in zip(table.verdicts, exact[name].rows, strict=True):
            if verdict == "meets":
                assert true.ratio is not None
                assert true.ratio.value >= Decimal("0.7999")
            if verdict == "does_not_meet":
                assert true.ratio is not None
                assert true.ratio.value < Decimal("0.8001")
