"""The annex on fairness: true values, what fidelity would settle a verdict, and what chance may have done."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

from atreport.core.band import Closeness
from atreport.core.certify import certify
from atreport.private.annex import FIDELITIES, AnnexMeasure, chance_of, true_measures
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.private.true_rule import TRUE_DECIMALS, TrueMeasure, TrueRate, TrueRule
from atreport.spec.fairness import Measure
from atreport.text.numbers import nearest
from tests.assessing import assess
from tests.example import example_spec

MEASURE: TypeAdapter[Any] = TypeAdapter(Measure)
ESTIMATED = ("  outcome: {name", "  estimated_from: records\n  outcome: {name")
MORE = (
    "disclosure:",
    "  - {measure: impact_ratio, groups: [gender, income], p: 0.9}\n"
    "  - {measure: group_disparity, groups: gender, threshold: 0.26}\n"
    "  - {measure: odds_ratio, groups: gender, p: 0.4}\n"
    "  - {measure: individual, metric: relative, distance: {gender: 1}, threshold: 1}\ndisclosure:",
)


def annex_of(*edits: tuple[str, str]) -> tuple[AnnexMeasure, ...]:
    """The annex's measures for the example, changed."""
    spec = example_spec(*edits)
    table = read_table(spec)
    announcement = draft_announcement(spec, table).announcement
    return true_measures(spec.public, table, announcement, assess(announcement, spec.public)[0])


@pytest.mark.parametrize("fidelity", ["{delta: 0.9}", "{alpha: 0.9}"])
def test_fidelity_that_settles_a_verdict(fidelity: str) -> None:
    """At the fidelity named, announcing the truth settles the verdict; at the next lower one it does not."""
    edits = [
        MORE,
        ("{delta: 0.9}", fidelity),
        ("  privacy: {beta: 0.7}\n", ""),
        ("threshold: 0.3", "threshold: 0.2"),
    ]
    kind = fidelity[1:6]
    spec = example_spec(*edits)
    table = read_table(spec)
    steps = np.rint(table.probability * 10**6).astype(np.int64)
    checked = 0
    for index, measure in enumerate(annex_of(*edits)):
        if not measure.settled_at:
            continue
        checked += 1
        assert measure.verdict == "cannot_tell"
        place = FIDELITIES.index(Decimal(repr(measure.settled_at[kind])))
        for step, expected in ((place, True), (place - 1, False)):
            truth = certify(
                table.cells,
                [steps / 10**6],
                steps,
                steps,
                decimals=6,
                fidelity=Closeness(**{kind: FIDELITIES[step]}),
                population="counts",
            )
            assert (assess(truth, spec.public)[0][index].verdict != "cannot_tell") == expected
    assert checked


def test_what_nothing_bounds_may_still_be_too_much() -> None:
    """A log ratio with a probability of 0 beside one that is not has no upper end, but a lower one that decides."""
    unbounded = annex_of(MORE)[-1]
    assert (unbounded.true, unbounded.interval) == (None, None)
    assert (unbounded.verdict, unbounded.true_verdict, unbounded.settled_at) == (
        "does_not_meet",
        "does_not_meet",
        None,
    )


def test_settled_verdicts_have_no_such_fidelity() -> None:
    """Only a verdict that cannot be told needs one; measures without a threshold have none."""
    for measure in annex_of(MORE):
        if measure.verdict != "cannot_tell":
            assert measure.settled_at is None
        if measure.verdict in ("meets", "does_not_meet"):
            assert measure.true_verdict == measure.verdict


def test_fidelities_ascend_to_one() -> None:
    """The fidelities that are tried grow, and end with the truth itself."""
    assert list(FIDELITIES) == sorted(set(FIDELITIES))
    assert (FIDELITIES[0], FIDELITIES[-1]) == (Decimal("0.01"), Decimal(1))


def true_measure(
    measure: str, counts: dict[str, tuple[int, int]], limit: str | None, value: Fraction
) -> TrueMeasure:
    """A measure under the true rule, given favourable decisions and people of each group."""
    ratio = measure in ("p_percent_rule", "odds_ratio")
    asked = {"measure": measure, "groups": "gender", "p" if ratio else "threshold": limit and float(limit)}
    first, second, *_ = counts
    return TrueMeasure(
        asked=MEASURE.validate_python(asked),
        groups=(first, second),
        given=None,
        value=nearest(value, TRUE_DECIMALS),
        verdict=None,
        rates={
            group: TrueRate(value=nearest(Fraction(favourable, people), TRUE_DECIMALS), people=people)
            for group, (favourable, people) in counts.items()
        },
    )


def hypergeometric_p(a: int, n: int, b: int, m: int) -> Fraction:
    """Fisher's two-sided p-value from its definition, in fractions."""
    total, ways = a + b, math.comb(n + m, a + b)
    chances = [
        Fraction(math.comb(n, k) * math.comb(m, total - k), ways)
        for k in range(max(0, total - m), min(n, total) + 1)
    ]
    observed = Fraction(math.comb(n, a) * math.comb(m, b), ways)
    return sum((chance for chance in chances if chance <= observed), Fraction(0))


@pytest.mark.parametrize(
    ("a", "n", "b", "m"), [(3, 20, 9, 20), (0, 5, 5, 5), (7, 12, 7, 12), (50, 300, 80, 290)]
)
def test_fisher_from_its_definition(a: int, n: int, b: int, m: int) -> None:
    """The p-value is the sum of all tables no likelier than the one observed."""
    value = abs(Fraction(a, n) - Fraction(b, m))
    chance = chance_of(true_measure("statistical_parity", {"F": (a, n), "M": (b, m)}, "0.1", value), 2)
    assert chance is not None
    assert chance.fisher == pytest.approx(float(hypergeometric_p(a, n, b, m)), rel=1e-9)


@pytest.mark.parametrize(
    ("measure", "counts", "limit", "value", "expected"),
    [
        # four fifths: 9 of 20 are enough, 72 of 200 are not
        ("p_percent_rule", {"F": (7, 20), "M": (10, 20)}, "0.8", "7/10", (0.9, True)),
        ("p_percent_rule", {"F": (70, 200), "M": (100, 200)}, "0.8", "7/10", (0.72, False)),
        # odds of 6/14 against 1 are below a half, of 8/12 not
        ("odds_ratio", {"F": (6, 20), "M": (10, 20)}, "0.5", "6/14", (8 / 12, True)),
        # nobody is invented: a group can be favoured as a whole at most
        ("statistical_parity", {"F": (1, 2), "M": (4, 4)}, "0.1", "1/2", (0.0, True)),
        ("group_disparity", {"A": (9, 10), "C": (1, 10), "B": (2, 10)}, "0.7", "8/10", (0.7, True)),
    ],
)
def test_two_more_persons(
    measure: str, counts: dict[str, tuple[int, int]], limit: str, value: str, expected: tuple[float, bool]
) -> None:
    """Two more of the less favoured group, and whether the verdict would be another."""
    chance = chance_of(true_measure(measure, counts, limit, Fraction(value)), 2)
    assert chance is not None
    assert (chance.two_more, chance.two_more_changes) == expected


def test_chance_only_for_estimates_and_pairs() -> None:
    """A rule that is no estimate leaves nothing to chance; nor does a group compared with itself, nor all pairs."""
    assert all(measure.chance is None for measure in annex_of(MORE))
    for measure in annex_of(MORE, ESTIMATED):
        assert (measure.chance is None) == (measure.measure == "individual" or _with_itself(measure))
    three = true_measure("statistical_parity", {"F": (7, 20), "M": (10, 20)}, None, Fraction(3, 20))
    chance = chance_of(three, 3)
    assert chance is not None
    assert (chance.two_more, chance.two_more_changes) == (None, None)


def _with_itself(measure: AnnexMeasure) -> bool:
    """Whether the group is the most favoured one under the true rule."""
    return measure.measure == "impact_ratio" and len(measure.true_rates) == 1


def test_rule_table_of_the_truth() -> None:
    """The true rule to the nearest step, unchanged; with exact counts it is about people as they are, and prints none."""
    spec = example_spec()
    table = read_table(spec)
    announced = draft_announcement(spec, table).announcement.rule
    printed = TrueRule(table).rule_table(4, like=announced)
    assert (printed.announced == np.rint(table.favourable * 10**4)).all()
    assert (printed.truth.lower == printed.truth.upper).all()
    assert (printed.weights, printed.population) == (announced.weights, "shares")
    exact = TrueRule(table).rule_table(TRUE_DECIMALS, like=announced, exact_counts=True)
    assert exact.scale == 10**TRUE_DECIMALS
    assert [weights.tolist() for weights in exact.weights] == [table.cells.population.tolist()]
    assert not exact.population_is_printed
