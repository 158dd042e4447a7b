"""A report calculated again from itself: what is taken as stated, what is found, and by which number it is named."""

from dataclasses import replace
from decimal import Decimal
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import Cells, arrange
from atreport.core.rule_table import RuleTable
from atreport.explain import explain_rule
from atreport.report.explanation import Influence
from atreport.report.model import Report
from atreport.spec.transparency import Transparency
from atreport.verification.recalculation import (
    Recalculation,
    _holds,
    measure_findings,
    people_findings,
    privacy_findings,
)
from tests.assessing import report_case
from tests.example import process_with

COUNTS, SHARES, WITHHELD, SUPPRESSED, ROUNDED = "random 2", "random 13", "random 20", "random 22", "random 25"
D = Decimal


def by_version(report: Report, version: str) -> Recalculation:
    """A report that says it was made by a version of this program."""
    return Recalculation(report.model_copy(update={"generator": {"atreport": version}}))


def test_an_interval_holds_another_up_to_its_ends() -> None:
    """No interval at all holds any; one that is stated does not hold where there is none."""
    wide, narrow = (D("0.1"), D("0.4")), (D("0.2"), D("0.3"))
    assert _holds(wide, narrow)
    assert _holds(wide, wide)
    assert not _holds(narrow, wide)
    assert not _holds((D("0.2"), D("0.5")), wide)
    assert not _holds((D("0.0"), D("0.3")), wide)
    assert _holds(None, None)
    assert _holds(None, narrow)
    assert not _holds(wide, None)


def test_figures_are_stated_exactly_or_by_an_earlier_version_in_wider_intervals() -> None:
    """The figure itself must be the same in any case, and none may be left out."""
    wide, narrow = (D("0.1"), D("0.4")), (D("0.2"), D("0.3"))
    report = report_case(COUNTS)
    now, before = by_version(report, "0.2.0"), by_version(report, "0.1.0")
    one, wider, other = ("a", narrow, "x"), ("a", wide, "y"), ("b", wide, "x")
    assert now.states([one], [one])
    assert not now.states([wider], [one])
    assert before.states([wider], [one])
    assert before.states([one, wider], [one, one])
    assert not before.states([one], [wider])
    assert not before.states([other], [one])
    assert not before.states([other, wider], [one, one])
    assert not before.states([wider, wider], [one])


def influence(report: Report) -> Influence:
    """One that has an interval with room on both sides."""
    return next(
        each for each in report.influence if each.interval and 0 < each.interval[0] < each.interval[1] < 1
    )


def test_an_interval_may_be_as_much_wider_as_the_rounding_of_shares() -> None:
    """One printed step on either side where shares are published, never narrower, and not at all with counts."""
    for name, may_be_wider in ((SHARES, True), (COUNTS, False)):
        report = report_case(name)
        found, again = Recalculation(report), influence(report)
        assert again.interval is not None
        step, (low, high) = found.table.printed(1), again.interval
        for by, allowed in (((0, 0), True), ((1, 0), True), ((0, 1), True), ((2, 0), False), ((0, 2), False)):
            stated = again.model_copy(update={"interval": (low - by[0] * step, high + by[1] * step)})
            taken = found._as_stated(stated, again)
            assert (taken == stated) == (allowed and (may_be_wider or by == (0, 0)))
        narrower = again.model_copy(update={"interval": (low + step, high)})
        assert found._as_stated(narrower, again) == again


def test_what_cannot_be_calculated_is_taken_as_stated_and_nothing_else() -> None:
    """A figure of a withheld population, if it is about what was asked for; elsewhere an interval must be there."""
    for name in (WITHHELD, COUNTS, SHARES):
        report = report_case(name)
        found, again = Recalculation(report), influence(report)
        stated = again.model_copy(update={"value": D("0.5"), "interval": None})
        assert (found._as_stated(stated, again) == stated) == (name == WITHHELD)
        other = stated.model_copy(update={"quantity": "another"})
        assert found._as_stated(other, again) == again
    earlier = by_version(report_case(COUNTS), "0.1.0")
    again = influence(report_case(COUNTS))
    wider = again.model_copy(update={"interval": (D(0), D(1))})
    assert earlier._as_stated(wider, again).interval == (D(0), D(1))


def table_of_shares(shares: list[int], favourable: list[int], rates: str | None) -> RuleTable:
    """A rule on the cells of one group, of which shares are published in whole steps."""
    codes = np.array([(0, value, 0) for value in range(len(shares))], dtype=np.int32)
    people, yes = np.array(shares, dtype=np.int64), np.array(favourable)
    return RuleTable(
        cells=arrange(process_with(1, len(shares)), codes, people)[0],
        mapping=np.column_stack([1000 - yes, yes]),
        decimals=3,
        fidelity=Closeness(delta=D("0.5")),
        weights=(people,),
        population="shares",
        rates=None if rates is None else D(rates),
    )


def ends_of_influence(table: RuleTable) -> list[Decimal]:
    """Both ends of every interval of influences and curves."""
    asked = Transparency.model_validate(
        {"influence": {"shapley": True}, "dependence": {"curves": ["pdp", "ice"]}}
    )
    found = explain_rule(table, asked).influence
    return [end for each in found if each.interval for end in each.interval]


@pytest.mark.parametrize("rates", [None, pytest.param("0.9", marks=pytest.mark.slow), "0.99999"])
@pytest.mark.parametrize(
    "shares", [[30000, 20000, 50000], [300, 500, 99200], [4, 6, 99990], [2, 49999, 49999]]
)
def test_an_interval_is_given_the_room_that_the_rounding_of_shares_takes(
    shares: list[int], rates: str | None
) -> None:
    """Ends that follow from people who have these shares, each rounded to a step, are as near as what is allowed for.

    People are drawn anew, at half a step from what is printed or anywhere nearer, and every interval calculated with them.
    """
    rng, most = np.random.default_rng(31), D(0)
    for favourable in ([300, 600, 0], [0, 1000, 0], [900, 300, 1000], rng.integers(0, 1001, 3).tolist()):
        table = table_of_shares(shares, favourable, rates)
        found = Recalculation.__new__(Recalculation)
        found.__dict__["stated"] = SimpleNamespace(rule_table=table)
        printed = ends_of_influence(table)
        assert printed
        for off in (*product((-499, 499), repeat=3), *rng.integers(-499, 500, (8, 3)).tolist()):
            people = [1000 * share + more for share, more in zip(shares, off, strict=True)]
            ends = ends_of_influence(table_of_shares(people, favourable, rates))
            most = max(most, *(abs(one - other) for one, other in zip(printed, ends, strict=True)))
            assert most <= found.share_rounding
    if (rates, shares) == ("0.99999", [4, 6, 99990]):
        assert most > D("0.05"), "fifty steps: one is not enough where rates are kept"


@pytest.mark.parametrize("name", [COUNTS, SHARES, SUPPRESSED])
def test_an_honest_report_follows_from_itself(name: str) -> None:
    """The whole of it, field by field, with nothing added that was not stated; and nothing is found."""
    report = report_case(name)
    found = Recalculation(report)
    assert found.report == report
    assert found.report.model_fields_set == report.model_fields_set
    assert [*privacy_findings(report), *measure_findings(found), *people_findings(report)] == []


def test_other_attributes_of_a_comparison_are_found() -> None:
    """Broken: that groups are made by other attributes than stated would be left to the shipped verifier alone."""
    report = report_case(COUNTS)
    place = next(place for place, each in enumerate(report.fairness) if each.by)
    for by in (None, ("nobody",)):
        forged = list(report.fairness)
        forged[place] = forged[place].model_copy(update={"by": by})
        found = Recalculation(report.model_copy(update={"fairness": tuple(forged)}))
        assert any("attributes that make the groups" in each for each in measure_findings(found)), by


def test_other_privacy_figures_are_found() -> None:
    """Odds always, lift where counts are published; version 0.1 stated neither."""
    for name in (COUNTS, SHARES):
        report = report_case(name)

        def stating(report: Report = report, **other: object) -> list[str]:
            first, *rest = report.privacy.groups
            groups = (first.model_copy(update=other), *rest)
            privacy = report.privacy.model_copy(update={"groups": groups})
            return list(privacy_findings(report.model_copy(update={"privacy": privacy})))

        assert stating(odds=D("1.0001")) == ["privacy: not the odds factors of the announced rule"]
        lift = ["privacy: not the lift of the announced rule"] if name == COUNTS else []
        assert stating(lift=D("9.9999")) == lift
        none = report.privacy.model_copy(update={"attributes": None, "groups": ()})
        assert list(privacy_findings(report.model_copy(update={"privacy": none}))) == []


def test_another_measure_is_found_and_named_by_its_place() -> None:
    """Counted from 1, as on the page; a figure, and the rates that stand beside it."""
    report = report_case(COUNTS)
    for place, said in enumerate(report.fairness, 1):
        changes: list[tuple[dict[str, Any], str]] = [
            ({"value_at_most": D("0.123")}, "not the limit that the search gives")
        ]
        if said.rates:
            rates = (said.rates[0].model_copy(update={"value": D("0.123456")}), *said.rates[1:])
            changes.append(({"rates": rates}, "not the rates of the groups"))
        if said.value is not None:
            changes.append(({"value": D("0.123")}, "not the figure and interval of the announced rule"))
        for change, finding in changes:
            other = [*report.fairness]
            other[place - 1] = said.model_copy(update=change)
            forged = report.model_copy(update={"fairness": tuple(other)})
            again = Recalculation(forged)
            again.__dict__["assessments"] = report.fairness  # what an honest calculation finds
            assert list(measure_findings(again)) == [f"fairness {place}, {said.measure}: {finding}"]


def test_counts_that_do_not_follow_are_found() -> None:
    """The fewest and the most people of guarded cells are those of the published numbers, whichever guard it is."""
    for name in ("random 8", "random 17", SUPPRESSED, ROUNDED):
        report = report_case(name)
        assert report.rule_table.cells.between is not None
        assert list(people_findings(report)) == []
        table = report.rule_table

        def other(table: RuleTable = table) -> RuleTable:
            assert table.cells.between is not None
            fewest, most = table.cells.between
            cells: Cells = replace(table.cells, between=(fewest, most + 1))
            return replace(table, cells=cells)

        forged = report.model_copy()
        forged.__dict__["rule_table"] = other()
        assert len(list(people_findings(forged))) == 1


@pytest.mark.parametrize(("name", "number"), [(SUPPRESSED, 1), (ROUNDED, 1)])
def test_groups_that_were_joined_do_not_hide_what_suppressed_counts_leave_open(
    name: str, number: int
) -> None:
    """Only of cells that were joined themselves, which were rounded before, is it let be; and that is named as not checked."""
    report = report_case(name)
    table = report.rule_table
    assert table.cells.between is not None
    fewest, most = table.cells.between
    unprotectable = report.privacy.unprotectable.model_copy(update={"merged": ("group",)})
    privacy = report.privacy.model_copy(update={"unprotectable": unprotectable})
    forged = report.model_copy(update={"privacy": privacy})
    cells: Cells = replace(table.cells, between=(fewest, most + 1))
    forged.__dict__["rule_table"] = replace(table, cells=cells)
    assert len(list(people_findings(forged))) == number
