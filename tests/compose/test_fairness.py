"""Exact ranges become printed figures: values to the nearest step, ends outward, verdicts from the printed ends alone."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from atreport.compose.fairness import print_assessments, print_not_assessed, print_value_rates
from atreport.core.band import Range
from atreport.core.rule_table import RuleTable
from atreport.measures import measure_all
from atreport.measures.measured import Measured, MeasuredRate, NotMeasured, UnknownExtremes
from atreport.report.fairness import Assessment
from atreport.report.figures import (
    printed_chance,
    printed_interval,
    printed_value,
    verdict_on,
)
from atreport.spec.fairness import Measure
from tests.assessing import CASES, prepared_case, report_case, report_of
from tests.example import example_spec

MEASURE: TypeAdapter[Any] = TypeAdapter(Measure)
THIRD, HALF = Fraction(1, 3), Fraction(1, 2)

fractions = st.fractions(min_value=0, max_value=1, max_denominator=10**6)
ranges = st.lists(fractions, min_size=3, max_size=3).map(sorted).map(lambda f: Range(f[1], f[0], f[2]))


def rule_table(*edits: tuple[str, str]) -> RuleTable:
    """The announced rule of the example."""
    return report_of(example_spec(*edits)).rule_table


def measured(**parts: Any) -> Measured:
    """A difference of two groups, with some parts of its own."""
    asked = MEASURE.validate_python({"measure": "statistical_parity", "groups": "gender", "threshold": 0.3})
    usual = {"groups": ("F", "M"), "given": None, "ranges": (Range(THIRD, THIRD, HALF),), "a_priori": None}
    return Measured(**{"asked": asked, **usual, **parts})


def printed(found: Measured, *edits: tuple[str, str]) -> Assessment:
    """It, on the rule of the example."""
    (assessment,) = print_assessments(rule_table(*edits), [found])
    return assessment


@given(st.lists(ranges, min_size=1, max_size=3), st.integers(1, 9))
def test_printed_intervals_hold_every_range(found: list[Range], decimals: int) -> None:
    """Ends are at most a step outside the outermost range, and have as many decimals as are printed."""
    low, high = printed_interval(found, decimals)
    value = printed_value(found, decimals)
    step = Fraction(1, 10**decimals)
    assert Fraction(low) <= min(each.low for each in found) < Fraction(low) + step
    assert Fraction(high) - step < max(each.high for each in found) <= Fraction(high)
    assert low <= value <= high
    assert abs(Fraction(value) - found[0].value) <= step / 2
    assert {-int(number.as_tuple().exponent) for number in (low, value, high)} == {decimals}
    assert printed_chance(found[0], decimals, "method").interval == printed_interval(found[:1], decimals)


limits = st.integers(0, 1000).map(lambda steps: Decimal(steps).scaleb(-3))


@given(limits, limits, limits)
def test_verdicts_are_drawn_where_the_whole_interval_is_on_one_side(
    a: Decimal, b: Decimal, limit: Decimal
) -> None:
    """Whatever the true value in the interval is, a verdict agrees with it; and where all agree, there is one."""
    low, high = sorted((a, b))
    not_above, at_least = {low <= limit, high <= limit}, {low >= limit, high >= limit}
    words = {True: "meets", False: "does_not_meet"}
    expected = [
        words[next(iter(side))] if len(side) == 1 else "cannot_tell" for side in (not_above, at_least)
    ]
    assert [verdict_on((low, high), limit, is_ratio=is_ratio) for is_ratio in (False, True)] == expected


def test_without_a_threshold_there_is_no_verdict_and_without_a_bound_none_can_be_told() -> None:
    """For both kinds of measure."""
    one = (Decimal(0), Decimal(1))
    for is_ratio in (False, True):
        assert verdict_on(one, None, is_ratio=is_ratio) is None
        assert verdict_on(None, None, is_ratio=is_ratio) is None
        assert verdict_on(None, Decimal("0.5"), is_ratio=is_ratio) == "cannot_tell"


def test_a_verdict_is_about_the_printed_end() -> None:
    """An exact end below the threshold, printed above it, leaves the matter open: readers see the printed one."""
    inside = Fraction(3, 10) - Fraction(1, 10**6)
    assert printed(measured(ranges=(Range(inside, inside, inside),))).verdict == "meets"
    beyond = Fraction(3, 10) + Fraction(1, 10**6)
    open_ = printed(measured(ranges=(Range(inside, inside, beyond),)))
    assert open_.interval == (Decimal("0.2999"), Decimal("0.3001"))
    assert open_.verdict == "cannot_tell"
    assert (
        printed(measured(ranges=(Range(HALF, beyond, HALF),))).verdict == "cannot_tell"
    )  # 0.3000 is not above it
    assert printed(measured(ranges=(Range(HALF, THIRD, HALF),))).verdict == "does_not_meet"


def test_the_value_is_of_the_first_population_and_the_interval_of_all() -> None:
    """The population that is published gives the value, so that a reader can recalculate it."""
    first, second = Range(THIRD, THIRD, HALF), Range(Fraction(2, 3), Fraction(1, 7), Fraction(2, 3))
    found = printed(measured(ranges=(first, second)))
    assert found.value == Decimal("0.3333")
    assert found.interval == (Decimal("0.1428"), Decimal("0.6667"))


def test_what_nothing_bounds_is_null() -> None:
    """And the verdict open."""
    found = printed(measured(ranges=None))
    assert (found.value, found.interval, found.result, found.verdict) == (None, None, None, "cannot_tell")


COUNTS = ("population: shares", "population: counts")
SUPPRESS = ("decimals: 4", "decimals: 4\n  small_cells: {policy: suppress, under: 5}")


@pytest.mark.parametrize(
    ("edits", "stated"),
    [([], False), ([COUNTS], True), ([("population: shares", "population: withheld")], False), ([COUNTS, SUPPRESS], False)],
    ids=["shares", "counts", "withheld", "suppressed"],
)  # fmt: skip
def test_people_are_stated_only_where_counts_are_published_exactly(
    edits: list[tuple[str, str]], stated: bool
) -> None:
    """Of the groups and of those whose group is unknown."""
    rates = tuple(MeasuredRate(group=g, people=20, ranges=(Range(THIRD, THIRD, HALF),)) for g in ("F", "M"))
    unknown = UnknownExtremes(people=7, low=THIRD, high=HALF, is_exact=True)
    found = printed(measured(rates=rates, unknown=unknown), *edits, ("  privacy: {beta: 0.7}\n", ""))
    assert found.rates is not None
    assert found.unknown is not None
    assert [rate.people for rate in found.rates] == ([20, 20] if stated else [None, None])
    assert found.unknown.people == (7 if stated else None)
    assert ("people" in found.rates[0].model_fields_set) == stated
    assert found.unknown.interval == (Decimal("0.3333"), Decimal("0.5000"))


def test_ratios_have_logarithms_while_no_rate_may_be_zero() -> None:
    """-log of both ends, swapped and outward; null where the ratio may be 0."""
    asked = MEASURE.validate_python({"measure": "p_percent_rule", "groups": "gender"})
    found = printed(measured(asked=asked, ranges=(Range(HALF, THIRD, Fraction(1)),))).log_ratio
    assert found is not None
    assert (found.value, found.interval) == (Decimal("0.6931"), (Decimal("0.0000"), Decimal("1.0987")))
    touching = printed(measured(asked=asked, ranges=(Range(HALF, Fraction(0), Fraction(1)),))).log_ratio
    assert touching is not None
    assert (touching.value, touching.interval) == (None, None)


def test_comparisons_with_nobody_are_named() -> None:
    """With their measure and stratum."""
    asked = MEASURE.validate_python({"measure": "statistical_parity", "groups": "gender"})
    (found,) = print_not_assessed([NotMeasured(asked=asked, groups=("F", "M"), given={"income": "low"})])
    assert found.as_json() == {
        "measure": "statistical_parity",
        "groups": ["F", "M"],
        "given": {"income": "low"},
    }


@pytest.mark.parametrize("name", CASES)
def test_a_reader_gets_the_same_figures_where_people_are_published(name: str) -> None:
    """From the report's own rule table: every measure where counts are published, those without people everywhere."""
    report = report_case(name)
    found, not_found = measure_all(report.rule_table, report.measures)
    again = print_assessments(report.rule_table, found)
    assert print_not_assessed(not_found) == (report.not_assessed or ())
    if report.policy.population == "counts":
        assert again == report.fairness
        assert print_value_rates(report.rule_table) == (report.value_rates or ())
        return
    of_nobody = [(a, b) for a, b in zip(again, report.fairness, strict=True) if a.measure == "individual"]
    assert all(a == b for a, b in of_nobody)
    if report.policy.population == "shares":  # the value is that of the shares as printed
        assert [a.value for a in again] == [a.value for a in report.fairness]


@pytest.mark.parametrize("name", CASES)
def test_every_figure_is_that_of_the_announcement(name: str) -> None:
    """What is printed about fairness is what the measures give on the announced rule, in the order of the spec."""
    rule = prepared_case(name).announcement.rule
    found, _ = measure_all(rule, prepared_case(name).public.fairness)
    assert print_assessments(rule, found) == report_case(name).fairness
    assert [each.asked.measure for each in found] == [a.measure for a in report_case(name).fairness]


def test_one_sided_figures_are_rounded_to_the_safe_side() -> None:
    """The most that a search leaves open is rounded up, the least that a figure can be down: else either were false."""
    assert printed(measured(value_at_most=THIRD)).value_at_most == Decimal("0.3334")
    assert printed(measured(ranges=None, at_least=2 * THIRD)).at_least == Decimal("0.6666")
    assert printed(measured(value_at_most=HALF)).value_at_most == Decimal("0.5000")
    assert printed(measured(ranges=None, at_least=HALF)).at_least == Decimal("0.5000")
    just_above = measured(ranges=None, at_least=Fraction(3, 10) + Fraction(1, 10**6))
    assert printed(just_above).verdict == "cannot_tell"  # 0.3000 as printed, which is the limit
    assert printed(measured(ranges=None, at_least=Fraction(3001, 10**4))).verdict == "does_not_meet"
