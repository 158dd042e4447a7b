"""Nobody who is nearly alone in a group is singled out: sizes are lower bounds, and examples and extremes keep to the limit."""

import random
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import numpy as np
import pytest

from atreport.compose.promise import rise_words
from atreport.compose.small_numbers import (
    GroupSizes,
    _fewest_in_all,
    fewest_people,
    large_cells,
    large_group_of,
    large_groups,
    large_record_of,
)
from atreport.pages.sections.decision import tabulate_rules
from atreport.pages.sections.method import worked_example
from atreport.pages.sections.privacy import group_table
from atreport.pages.sections.summary import headlines
from atreport.spec.load import load_spec
from tests.assessing import CASES, prepared_case, report_case, report_of
from tests.documents import large_spec
from tests.example import example_spec

ALONE = ("population: 3, approved: 1", "population: 1, approved: 1")


@pytest.mark.parametrize("name", CASES)
def test_no_cell_has_fewer_people_than_is_taken(name: str) -> None:
    """Whether counts, guarded counts or shares are published."""
    fewest, exact = fewest_people(report_case(name)), prepared_case(name).raw_table.cells
    if fewest is not None and len(exact) == len(fewest):
        assert (fewest <= exact.population).all()


def test_shares_tell_how_many_there_are_at_least() -> None:
    """Random tables: the number found never exceeds the true one, and for few people it is often the true one."""
    rng, right = random.Random(7), 0
    for _ in range(300):
        counts = [rng.randint(1, 40) for _ in range(rng.randint(2, 12))]
        total, decimals = sum(counts), rng.choice([4, 6, 8])
        shares = [
            int((Decimal(n) / total).scaleb(decimals).to_integral_value(ROUND_HALF_EVEN)) for n in counts
        ]
        found = _fewest_in_all(sorted(shares), 10**decimals)
        assert found <= total
        right += found == total
    assert right > 100


def test_the_worked_example_is_of_a_group_that_is_large_enough() -> None:
    """A group of one person is not worked through to 100%; with no larger one there is no example."""
    one = '    - {gender: X, income: ">200k", population: 1, approved: 1}\npolicy:\n'
    edits = [("values: [F, M]", "values: [F, M, X]"), ("policy:\n", one), ("  privacy: {beta: 0.7}\n", "")]
    for population in ("shares", "counts"):
        report = report_of(example_spec(*edits, ("population: shares", f"population: {population}")))
        assert large_groups(report).tolist() == [True, True, False]
        example = worked_example(report)
        assert example is not None
        assert "X" not in example.question
        assert "a small group" in " ".join(headlines(report)[2].answer)
        assert "Gender: X" not in " ".join(headlines(report)[2].answer)
    few = [(f"population: {n},", "population: 2,") for n in (12, 5, 3, 9, 7, 4)]
    assert worked_example(report_of(example_spec(*few, ("  privacy: {beta: 0.7}\n", "")))) is None


def test_extremes_are_of_cells_and_groups_that_are_large_enough(tmp_path: Path) -> None:
    """Where not all rows fit, no small cell or group is among those shown, and that is said."""
    path = large_spec(tmp_path, 80)
    path.write_text(path.read_text() + "disclosure: {population: counts}\n", encoding="utf-8")
    report = report_of(load_spec(path))
    assert not large_cells(report).all()
    rules, groups = tabulate_rules(report), group_table(report)
    assert all(int(row[-1].text.replace(",", "")) >= 10 for row in rules.rows)
    assert "among cells of at least 10 people" in rules.left_out
    shown = {row[0].text for row in groups.rows}
    large = large_groups(report)
    assert shown <= {
        g.qid["place"] for g, is_large in zip(report.privacy.groups, large, strict=True) if is_large
    }


def test_groups_of_a_comparison_are_counted(tmp_path: Path) -> None:
    """By their attributes and strata, from counts and from shares alike."""
    for population in ("counts", "shares"):
        report = report_of(example_spec(("population: shares", f"population: {population}")))
        sizes = GroupSizes(report)
        large = [
            all(sizes.is_large(a, rate) for rate in a.rates or ())
            for a in report.fairness
            if a.groups is not None
        ]
        assert large == [True, False, False, False, True]
    withheld = report_of(example_spec(("population: shares", "population: withheld")))
    sizes = GroupSizes(withheld)
    assert all(sizes.is_large(a, rate) for a in withheld.fairness for rate in a.rates or ())
    assert np.all(large_cells(withheld))


LIMIT = 10
"""Of the spec without a policy on small cells: fewer people than this are few."""


@pytest.mark.parametrize("people", [LIMIT - 1, LIMIT])
def test_the_limit_itself_is_large_enough(people: int) -> None:
    """At the very limit a cell, a group and a record may be singled out, and with one person fewer none of them."""
    one = f'    - {{gender: X, income: ">200k", population: {people}, approved: 1}}\npolicy:\n'
    edits = [("values: [F, M]", "values: [F, M, X]"), ("policy:\n", one), ("  privacy: {beta: 0.7}\n", "")]
    report = report_of(example_spec(*edits, ("population: shares", "population: counts")))
    is_large = people == LIMIT
    assert large_cells(report).tolist() == [True, False, False, False, False, False, is_large]
    assert large_groups(report).tolist() == [True, True, is_large]
    assert large_group_of(report, {"gender": "X"}) is is_large
    assert large_record_of(report, {"gender": "X", "income": ">200k"}) is is_large
    sizes = GroupSizes(report)
    of_x = [(a, rate) for a in report.fairness for rate in a.rates or () if rate.group == "X" and not a.given]
    assert of_x
    assert all(sizes.is_large(a, rate) is is_large for a, rate in of_x)
    counted = [(a, rate.model_copy(update={"people": None})) for a, rate in of_x]
    assert all(sizes.is_large(a, rate) is is_large for a, rate in counted)


@pytest.mark.parametrize("people", [LIMIT - 1, LIMIT])
def test_what_a_report_adds_most_about_is_not_told_of_a_small_group(people: int) -> None:
    """The group in which the report tells most is named only where it has enough people."""
    rows = "".join(
        f'    - {{gender: X, income: "{income}", population: {number}, approved: {approved}}}\n'
        for income, number, approved in (("<100k", people - 1, 0), (">200k", 1, 1))
    )
    edits = [("values: [F, M]", "values: [F, M, X]"), ("policy:\n", f"{rows}policy:\n")]
    some = [
        ("  privacy: {beta: 0.7}\n", ""),
        ("{delta: 0.9}", "{delta: 1}"),
        ("population: shares", "population: counts"),
    ]
    told = rise_words(report_of(example_spec(*edits, *some)))
    assert told.startswith("This report adds most about “>200k” of “Annual income”, in ")
    assert ("in a small group" in told, "Gender: X" in told) == (people < LIMIT, people == LIMIT)
