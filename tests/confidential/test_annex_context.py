"""The confidential annex as its reader meets it."""

from __future__ import annotations

import re
from pathlib import Path

from atreport.confidential.annex_context import CLASSIFICATION
from atreport.public.render import render_annex_html
from atreport.public.tables import MAX_ROWS
from tests.documents import large_report, make_report
from tests.example import example_spec


def test_true_figures_stand_beside_announced_ones() -> None:
    """Cells, groups and measures: what is true, what was announced, and which term binds."""
    annex = make_report(example_spec()).annex
    cells = [[cell.text for cell in row] for row in annex.cells.rows]
    assert cells[2] == ["Gender: F · Annual income: >200k", "3", "1.0", "0.9", "−0.1"]
    groups = [[cell.text for cell in row] for row in annex.groups.rows]
    assert groups[0] == ["Gender: F", "20", "0.6", "1.0", "0.675", "0.1", "0.08"]
    assert annex.terms.rows[0][-1].text == "both outcomes together (βp)"
    assert annex.measures is not None
    assert [cell.text for cell in annex.measures.rows[0]][2:5] == ["0.225", "0.165", "0.0 to 0.345"]
    assert annex.measures.rows[1][1].text == "F and M, Annual income: <100k"


def test_stronger_observers_are_named() -> None:
    """The band-aware, the worst consistent and the inverting observer each have a figure."""
    annex = make_report(example_spec()).annex
    first = [cell.text for cell in annex.adversaries.rows[0]]
    assert first == ["Gender: F", "0.675", "0.683544304", "1.0", "Yes: can be read back", "2 of 3"]
    assert "In 2 of 2 groups only one announced rule is optimal" in annex.inverting


def test_annex_is_marked_and_can_be_signed() -> None:
    """The page says that it is not for publication, in its title too, and ends with a place to sign."""
    page = render_annex_html(make_report(example_spec()).annex)
    assert f"<title>{CLASSIFICATION}" in page
    assert page.count(CLASSIFICATION) >= 3
    assert "Data protection officer" in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)


def test_large_annexes_stay_short(tmp_path: Path) -> None:
    """Long tables show the rows that matter most and name the file with the rest."""
    annex = large_report(tmp_path, 200).annex
    assert max(len(t.rows) for t in (annex.groups, annex.terms, annex.adversaries, annex.cells)) <= MAX_ROWS
    assert "annex.json" in annex.cells.left_out
