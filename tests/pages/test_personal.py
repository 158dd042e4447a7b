"""One person's view: from the report alone, adding up, and the same as the page and the exact Shapley values say."""

import json
from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.compose import compose_report
from atreport.core.certify import Announcement
from atreport.explain.interventions import Game, shapley_values
from atreport.pages import own_case
from atreport.pages.own_case import explained_cell, moved_by
from atreport.pages.sections.decision import case_lookup
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import report_json
from atreport.text.numbers import nearest
from tests.documents import example_report
from tests.explain.test_influence import exact_release, random_game
from tests.measures.test_fairness import public_spec


def published(announcement: Announcement) -> Report:
    """Its report, as anybody reads it: from the bytes of report.json."""
    report = compose_report(announcement, public_spec(announcement.rule.cells, []))
    return read_report(report_json(report), "report.json")


def amounts(report: Report, record: Mapping[str, str]) -> dict[str, Decimal] | None:
    """What each attribute moved for one person, as a page's look-up has it. None where the look-up says nothing of it."""
    table = report.described_rule
    cell = explained_cell(table, record)
    if cell is None:
        return None
    moved = moved_by(table, np.array([cell]))[:, 0].tolist()
    names = (attribute.name for attribute in table.cells.process.attributes)
    return {name: table.printed(steps) for name, steps in zip(names, moved, strict=True)}


def average_of(report: Report) -> Decimal:
    """Everybody's announced rate, as a page prints it."""
    return nearest(own_case.average_of(report.described_rule), report.policy.decimals)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["shares", "counts"]), st.sampled_from([0.5, 1.0]))
def test_a_view_is_the_exact_shapley_value(seed: int, population: str, fill: float) -> None:
    """From the report alone: each amount is the exact value to the nearest step, and they add up but for rounding."""
    game = random_game(seed, [3, 2, 3], fill)
    announcement = exact_release(game, population)
    cells = announcement.rule.cells
    cell = seed % len(cells)
    report = published(announcement)
    moved = amounts(report, cells.labels(cell, cells.process.attributes))
    assert moved is not None
    alone = np.arange(len(cells)) == cell
    exact = shapley_values(
        Game(
            cells=cells,
            weights=announcement.rule.published_weights[0],
            steps=announcement.rule.announced,
            group=alone,
        )
    )
    for amount, value in zip(moved.values(), exact, strict=True):
        assert abs(float(amount) * 10_000 - float(value)) <= 0.5 + 1e-9
    above = announcement.rule.printed(int(announcement.rule.announced[cell])) - average_of(report)
    assert abs(sum(moved.values(), Decimal(0)) - above) <= Decimal("0.0001") * 2


@pytest.mark.parametrize("population", ["shares", "counts"])
def test_page_and_document_say_the_same(population: str) -> None:
    """The panel's amounts are those that anybody finds from report.json, and those of the announced rule itself."""
    announcement = exact_release(random_game(3, [3, 2, 3]), population)
    report = published(announcement)
    everybody = np.arange(len(announcement.rule.cells))
    found = moved_by(report.rule_table, everybody)
    assert (found == moved_by(announcement.rule, everybody)).all()
    lookup = case_lookup(report)
    assert lookup is not None
    assert json.loads(lookup.json)["moved"] == found.tolist()


def test_the_paper_s_example() -> None:
    """A woman with a high income: her income raised her chance by 65 points, her gender lowered it by 3."""
    report = example_report().report
    assert average_of(report) == Decimal("0.2825")
    assert amounts(report, {"gender": "F", "income": ">200k"}) == {
        "gender": Decimal("-0.0332"),
        "income": Decimal("0.6508"),
    }


def test_nobody_and_nothing_published() -> None:
    """No view of a combination that does not occur, of an unknown value, or where the population is withheld."""
    announcement = exact_release(random_game(1, [3, 3], 0.4))
    report = published(announcement)
    there = {tuple(row) for row in announcement.rule.cells.codes.tolist()}
    a, b = next((a, b) for a in range(3) for b in range(3) if (a, b) not in there)
    assert amounts(report, {"a0": f"v{a}", "a1": f"v{b}"}) is None
    assert amounts(report, {"a0": "nowhere", "a1": "v0"}) is None
    withheld = exact_release(random_game(1, [3, 3]), "withheld")
    assert amounts(published(withheld), {"a0": "v0", "a1": "v0"}) is None
    lookup = case_lookup(published(withheld))
    assert lookup is not None
    assert "moved" not in json.loads(lookup.json)


def test_many_attributes_are_drawn_one_by_one() -> None:
    """With more than twelve attributes, each is drawn anew by itself."""
    game = random_game(2, [2, 2] + [1] * 11)
    moved = amounts(published(exact_release(game)), {f"a{k}": "v0" for k in range(13)})
    assert moved is not None
    assert all(moved[f"a{k}"] == 0 for k in range(2, 13))
