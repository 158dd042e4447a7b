"""The confidential annex as its reader meets it."""

import re
from pathlib import Path

from atreport.pages.layout import Layout
from atreport.private.annex.context import CLASSIFICATION, AnnexContext
from atreport.private.annex.files import TEMPLATE
from atreport.private.attacks.finding import Part
from atreport.text.tables import MAX_ROWS
from tests.documents import example_report, large_report


def _attacks(annex: AnnexContext) -> dict[str, Part]:
    """What the annex says of attacks, by its headings."""
    return {part.heading: part for part in annex.attacks}


def test_true_figures_stand_beside_announced_ones() -> None:
    """Cells, groups and measures: what is true, what was announced, and which term binds."""
    annex = example_report().annex
    cells = [[cell.text for cell in row] for row in annex.cells.rows]
    assert cells[2] == ["Gender: F · Annual income: >200k", "3", "1.0", "0.9", "−0.1"]
    groups = [[cell.text for cell in row] for row in annex.groups.rows]
    assert groups[0] == ["Gender: F", "20", "0.6", "1.0", "0.675", "0.1", "0.08"]
    assert annex.terms.rows[0][-1].text == "both outcomes together (βp)"
    assert [cell.text for cell in annex.measures.rows[0]][2:5] == ["0.225", "0.165", "0.0 to 0.345"]
    assert annex.measures.rows[1][1].text == "F and M, among Annual income: <100k"


def test_stronger_observers_are_named() -> None:
    """The band-aware, the worst consistent and the inverting observer each have a figure."""
    part = _attacks(example_report().annex)["Stronger observers"]
    first = [cell.text for cell in part.tables[0].rows[0]]
    assert first == ["Gender: F", "0.675", "0.68354", "1.0", "0.90909", "2 of 3"]
    assert "tried for 6 cells: for 5 of them" in part.text


def test_both_mechanisms_stand_side_by_side() -> None:
    """Calibrated costs 1.74 points of β here and gives nothing back; it is recommended."""
    part = _attacks(example_report().annex)["Stronger observers"]
    rows = [[cell.text for cell in row] for row in part.tables[1].rows]
    assert rows[0] == ["optimal", "67.50%", "68.35%", "90.91%", "5 of 6", "9.00%", "This report"]
    assert rows[1] == ["calibrated", "69.24%", "69.23%", "69.23%", "0 of 6", "8.25%", "No"]
    assert part.recommendation.startswith("Choose calibrated: it raises β by 1.74 percentage points")


def test_attacks_and_other_policies_are_shown() -> None:
    """The attack by equations succeeds on true figures only; curve, suggestions, verdicts and small cells are there."""
    annex = example_report().annex
    attacks = _attacks(annex)
    published = [cell.text for cell in attacks["Calculating from printed figures"].tables[0].rows[0]]
    assert published[1:] == ["100.00%", "6 of 6", "67.50%", "6 of 6"]
    assert attacks["Taking the announced rule for the truth"].tables[0].rows[0][3].text == "67.50%"
    assert annex.curve is not None
    assert annex.evening_out is not None
    assert annex.suggestions is not None
    assert len(annex.suggestions.rows) == 3
    assert annex.verdicts is not None
    assert "1 to 0.95: meets" in annex.verdicts.rows[0][2].text
    assert len(annex.small_cells.rows) == 5


def test_annex_is_marked_and_can_be_signed() -> None:
    """The page says that it is not for publication, in its title too, and ends with a place to sign."""
    page = Layout(TEMPLATE, example_report().annex).for_screen()
    assert f"<title>{CLASSIFICATION}" in page
    assert page.count(CLASSIFICATION) >= 3
    assert "Data protection officer" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)


def test_large_annexes_stay_short(tmp_path: Path) -> None:
    """Long tables show the rows that matter most and name the file with the rest."""
    annex = large_report(tmp_path, 200).annex
    attacks = [table for part in annex.attacks for table in part.tables]
    assert "adversaries" in {table.id for table in attacks}
    assert max(len(t.rows) for t in (annex.groups, annex.terms, *attacks, annex.cells)) <= MAX_ROWS
    assert "annex.json" in annex.cells.left_out
