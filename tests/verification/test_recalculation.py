"""A report calculated again from itself: what is taken as stated, what is found, and by which number it is named."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from atreport.population.cells import Cells
from atreport.report.explanation import Influence
from atreport.report.model import Report
from atreport.rule_table import RuleTable
from atreport.verification.recalculation import (
    Recalculation,
    _holds,
    measure_findings,
    people_findings,
    privacy_findings,
)
from tests.assessing import report_case
from tests.verification.test_kept_rates import with_rates

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


def test_with_rates_kept_the_rounding_of_shares_counts_as_often_as_a_group_is_larger_than_a_cell() -> None:
    """One printed step without; with rates, what eight half steps of the smallest share can do, rounded up."""
    plain = Recalculation(report_case(SHARES))
    assert plain.share_rounding == plain.table.printed(1)
    found = Recalculation(with_rates(SHARES, "0.9"))
    table = found.table
    shares = [int(n) for n in table.weights[0]]
    group = [
        sum(n for n, g in zip(shares, table.cells.group, strict=True) if g == own)
        for own in table.cells.group
    ]
    times = max(Fraction(whole, part) for whole, part in zip(group, shares, strict=True))
    off = Fraction(8 * table.scale, 2 * min(shares) - 1) * times
    assert found.share_rounding == table.printed(1 + math.ceil(off))


@pytest.mark.parametrize("name", [COUNTS, SHARES, SUPPRESSED])
def test_an_honest_report_follows_from_itself(name: str) -> None:
    """The whole of it, field by field, with nothing added that was not stated; and nothing is found."""
    report = report_case(name)
    found = Recalculation(report)
    assert found.report == report
    assert found.report.model_fields_set == report.model_fields_set
    assert [*privacy_findings(report), *measure_findings(found), *people_findings(report)] == []


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
    for name in ("random 4", "random 6", "random 8", "random 14", "random 17"):
        report = report_case(name)
        if report.rule_table.cells.between is None:
            continue
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
