"""Who is worse off: every order and every gap that a report states holds for the true rule behind it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from atreport.measures import measure_all
from atreport.pages.sections.fairness import Disparity, all_disparities, directed, find_disparity, who
from atreport.private.true_rule import TrueRule
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report
from atreport.spec.fairness import RateKind
from tests.assessing import CASES, prepared_case, report_case, report_of
from tests.example import example_spec

PAIRS = ("statistical_parity", "conditional_statistical_parity", "p_percent_rule", "odds_ratio")


@pytest.mark.parametrize("name", CASES)
def test_orders_and_gaps_hold_for_the_true_rule(name: str) -> None:
    """Certain is certain, an interval holds the true gap, and neither is said of a group and itself."""
    report, prepared = report_case(name), prepared_case(name)
    truth = TrueRule(prepared.table).rule_table(9, like=prepared.announcement.rule, exact_counts=True)
    measured, _ = measure_all(truth, prepared.public.fairness, unknown=False)
    compared = []
    for assessment, true in zip(report.fairness, measured, strict=True):
        found = find_disparity(report, assessment)
        if found is None:
            of_one = assessment.groups is None or assessment.groups[0] == assessment.groups[1]
            assert of_one or assessment.rate == "equalised_odds"
            continue
        if assessment.measure not in PAIRS:
            continue
        rates = {
            rate.group: Decimal(rate.ranges[0].value.numerator) / rate.ranges[0].value.denominator
            for rate in true.rates
        }
        gap = rates[found.higher.group] - rates[found.lower.group]
        compared.append(assessment)
        slack = Decimal("1e-8")  # the true rule is rounded to nine decimals
        assert found.low - slack <= abs(gap) <= found.high + slack
        if found.order == "certain":
            assert gap > 0
        if found.order == "never_better":
            assert gap >= -slack
        if found.order == "equal":
            assert abs(gap) <= slack
    assert len(compared) == sum(
        each.measure in PAIRS and not each.is_of_one_group for each in report.fairness
    )


@pytest.mark.parametrize("name", CASES)
def test_the_largest_announced_gap_is_first(name: str) -> None:
    """No comparison that is found has a larger one, and no two groups are listed twice."""
    report = report_case(name)
    found = all_disparities(report)
    gaps = [each.gap for each in found]
    assert gaps == sorted(gaps, reverse=True)
    keys = [(a.by, frozenset(a.groups or ()), str(a.given)) for a in (each.assessment for each in found)]
    assert len(set(keys)) == len(keys)
    assert all(each.lower.value <= each.higher.value for each in found)


def pair(
    lower: tuple[str, str, str], higher: tuple[str, str, str], **more: object
) -> tuple[Report, Assessment]:
    """A report with one comparison of two rates, each given as value and interval."""
    report = report_of(example_spec())
    rates = tuple(
        GroupRate(group=name, value=Decimal(value), interval=(Decimal(low), Decimal(high)))
        for name, (value, low, high) in zip("FM", (lower, higher), strict=True)
    )
    first = next(a for a in report.fairness if a.measure == "p_percent_rule")
    assessment = first.model_copy(update={"rates": rates, **more})
    return report.model_copy(update={"fairness": (assessment,)}), assessment


@pytest.mark.parametrize(
    ("lower", "higher", "order", "words"),
    [
        (("0.10", "0.05", "0.15"), ("0.30", "0.25", "0.35"), "certain", "Gender: F below M"),
        (("0.10", "0.05", "0.25"), ("0.30", "0.25", "0.35"), "never_better", "Gender: F below M"),
        (("0.10", "0.00", "0.30"), ("0.30", "0.10", "0.40"), "open", "Gender: F below M (not certain)"),
        (("0.30", "0.20", "0.40"), ("0.30", "0.20", "0.40"), "open", "Gender: F and M alike"),
        (("0.30", "0.30", "0.30"), ("0.30", "0.30", "0.30"), "equal", "Gender: F and M alike"),
    ],
)
def test_how_sure_an_order_is(
    lower: tuple[str, str, str], higher: tuple[str, str, str], order: str, words: str
) -> None:
    """Certain, at best equal, open, tied, equal: read from the printed ends, and said in every row."""
    report, assessment = pair(lower, higher)
    found = find_disparity(report, assessment)
    assert found is not None
    assert found.order == order
    assert directed(report, assessment) == words
    swapped = find_disparity(*pair(higher, lower))
    assert swapped is not None
    assert (swapped.order, swapped.gap, swapped.low, swapped.high) == (
        order,
        found.gap,
        found.low,
        found.high,
    )


def test_overlapping_groups_whose_difference_is_certain() -> None:
    """With one population the order is certain; where shares are printed, two populations count and none is claimed."""
    report = report_of(
        example_spec(
            (
                "{measure: statistical_parity, groups: gender, threshold: 0.3}",
                "{measure: statistical_parity, groups: {Rich: {income: ['>200k']}, All: {gender: [F, M]}}}",
            )
        )
    )
    assessment = report.fairness[0]
    assert assessment.by is None
    overlapping = assessment.model_copy(
        update={
            "interval": (Decimal("0.0500"), Decimal("0.9000")),
            "rates": tuple(
                rate.model_copy(update={"interval": (Decimal(0), Decimal(1))})
                for rate in assessment.rates or ()
            ),
        }
    )
    found = find_disparity(report, overlapping)
    assert found is not None
    assert (found.order, who(found)) == ("announced", "All, as announced")
    counts = report.model_copy(update={"policy": report.policy.model_copy(update={"population": "counts"})})
    certain = find_disparity(counts, overlapping)
    assert certain is not None
    assert (certain.order, who(certain)) == ("certain", "All, for certain")
    assert directed(counts, overlapping) == "All below Rich"


def test_a_gap_is_not_what_a_measure_of_all_outcomes_says() -> None:
    """With three outcomes statistical parity is no difference of two rates, so the gap follows from the rates alone."""
    two, assessment = pair(
        ("0.10", "0.05", "0.15"),
        ("0.30", "0.25", "0.35"),
        measure="statistical_parity",
        value=Decimal("0.18"),
        interval=(Decimal("0.12"), Decimal("0.19")),
    )
    found = find_disparity(two, assessment)
    assert found is not None
    assert (found.gap, found.low, found.high) == (Decimal("0.18"), Decimal("0.12"), Decimal("0.19"))
    outcome = two.process.outcome.model_copy(update={"values": ("denied", "later", "approved")})
    three = two.model_copy(update={"process": two.process.model_copy(update={"outcome": outcome})})
    wide = find_disparity(three, assessment)
    assert wide is not None
    assert (wide.gap, wide.low, wide.high) == (Decimal("0.20"), Decimal("0.10"), Decimal("0.30"))


def test_every_answer_has_words() -> None:
    """Whichever order a comparison has."""
    found = find_disparity(*pair(("0.10", "0.05", "0.15"), ("0.30", "0.25", "0.35")))
    assert isinstance(found, Disparity)
    orders = ("certain", "never_better", "announced", "open", "equal")
    said = [who(replace(found, order=order)) for order in orders]  # type: ignore[arg-type]
    assert said == ["F, for certain", "F, or neither", "F, as announced", "cannot be told", "neither"]


WOMEN, MEN = (
    GroupRate(group=group, value=Decimal(value), interval=(Decimal(0), Decimal(1)))
    for group, value in (("women", "0.2"), ("men", "0.4"))
)


@pytest.mark.parametrize(
    ("kind", "worse"),
    [
        (None, "women"),  # they get it less often
        ("true_positive", "women"),  # though it was right
        ("false_negative", "men"),  # they more often do not get it, though it was right
        ("false_positive", None),
        ("predictive", None),
    ],
)
def test_the_worse_off_group_is_named(kind: RateKind | None, worse: str | None) -> None:
    """Of two groups, which one is worse off: were they swapped, a report would accuse the wrong side."""
    lower, higher = (rate.model_copy(update={"kind": kind}) for rate in (WOMEN, MEN))
    zero = Decimal(0)
    found = Disparity(
        assessment=report_of(example_spec()).fairness[0],
        lower=lower,
        higher=higher,
        gap=zero,
        low=zero,
        high=zero,
        order="certain",
    )
    assert (found.worse and found.worse.group) == worse
    assert who(found) == (f"{worse}, for certain" if worse else "this rate does not say")


def test_the_group_with_the_lower_rate_is_the_lower_one() -> None:
    """In the example women are approved less often than men, as announced."""
    found = all_disparities(report_of(example_spec()))[0]
    assert (found.lower.group, found.higher.group) == ("F", "M")
    assert found.worse is not None
    assert found.worse.group == "F"
    assert found.lower.value < found.higher.value
