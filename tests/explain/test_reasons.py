"""Certain reasons: signs and orders against the corners of the band and, where rates are kept, against linear programs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import TypeVar

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.core.band import bands_around
from atreport.core.rule_table import RuleTable
from atreport.pages.reasons import RankedReasons, Reasons, certain_reasons, moved_as_sums
from tests.attainable import Case, PossibleRules, random_case
from tests.influence_reference import World
from tests.thoroughness import examples

Of = TypeVar("Of")

NEAR = 1e-9
"""How sure HiGHS is of an optimum."""


def directions(found: Reasons) -> dict[str, str]:
    """What was found of each attribute."""
    return {
        **{each.attribute: "raised" for rank in found.raised for each in rank.reasons},
        **{each.attribute: "lowered" for rank in found.lowered for each in rank.reasons},
        **{each.attribute: "nothing" for each in found.nothing},
        **{each.attribute: "unclear" for each in found.unclear},
    }


def by_name(table: RuleTable, amounts: Sequence[Of]) -> dict[str, Of]:
    """What is said of each attribute in turn, by its name."""
    return dict(zip((each.name for each in table.cells.process.attributes), amounts, strict=True))


def corner_worlds(table: RuleTable) -> list[World]:
    """A true rule for each corner of the band."""
    band = bands_around(table.mapping, table.scale, table.fidelity)[1]  # type: ignore[arg-type]
    rows = [tuple(map(int, row)) for row in table.cells.codes]
    people = dict(zip(rows, table.cells.population.tolist(), strict=True))
    ends = [
        sorted({Fraction(int(low), band.denominator), Fraction(int(high), band.denominator)})
        for low, high in zip(band.lower, band.upper, strict=True)
    ]
    return [World(people, dict(zip(rows, corner, strict=True))) for corner in product(*ends)]


def check_ranks(
    ranks: Sequence[RankedReasons], unclear: Sequence[str], weights: Sequence[dict[str, Fraction]]
) -> None:
    """Against what each attribute moved, in the direction of the ranks, under many possible true rules."""

    def always_more(one: str, other: str) -> bool:
        return all(of[one] > of[other] for of in weights)

    members = [[each.attribute for each in rank.reasons] for rank in ranks]
    for earlier, later in ((a, b) for a in range(len(members)) for b in range(a + 1, len(members))):
        assert all(always_more(one, other) for one in members[earlier] for other in members[later])
    for rank, own in zip(ranks, members, strict=True):
        # a rank of several is one that no cut can part: whichever go first, some order is another one somewhere
        for cut in range(1, 2 ** len(own) - 1):
            first = [each for place, each in enumerate(own) if cut >> place & 1]
            rest = [each for each in own if each not in first]
            assert not all(always_more(one, other) for one in first for other in rest)
        may = {each.attribute for each in rank.may_weigh_more}
        assert may == {each for each in unclear if not all(always_more(one, each) for one in own)}


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_certain_holds_at_every_corner_and_nothing_else_does(seed: int) -> None:
    """Linear figures are extreme at corners: a sign or an order is certain just when it is the same at all of them."""
    rng = np.random.default_rng(seed)
    table = random_case(rng).table
    while len(table.cells) > 8:
        table = random_case(rng).table
    cell = int(rng.integers(len(table.cells)))
    person = tuple(map(int, table.cells.codes[cell]))
    moved = [by_name(table, world.shapley([person])) for world in corner_worlds(table)]
    found = certain_reasons(table, cell)
    for attribute, direction in directions(found).items():
        amounts = [of[attribute] for of in moved]
        expected = (
            "raised"
            if min(amounts) > 0
            else "lowered"
            if max(amounts) < 0
            else "nothing"
            if min(amounts) == max(amounts) == 0
            else "unclear"
        )
        assert direction == expected
    unclear = [each.attribute for each in found.unclear]
    check_ranks(found.raised, unclear, moved)
    check_ranks(found.lowered, unclear, [{name: -amount for name, amount in of.items()} for of in moved])


def form_of(case: Case, coefficients: Sequence[Fraction]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A sum over favourable probabilities as a linear form of HiGHS."""
    form = np.zeros(case.table.mapping.shape)
    form[:, -1] = [float(each) for each in coefficients]
    return form.ravel()


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 2**32))
def test_kept_rates_make_more_certain_and_no_more_than_there_is(seed: int) -> None:
    """With rates kept, signs and orders are those of linear programs over all possible rules."""
    rng = np.random.default_rng(seed)
    case = random_case(rng, rates=True)
    table = case.table
    cell = int(rng.integers(len(table.cells)))
    rules, found = PossibleRules(table), certain_reasons(table, cell)
    sums = by_name(
        table,
        [
            [Fraction(int(c), figure.denominator) for c in figure.coefficients]
            for figure in moved_as_sums(table, cell)
        ],
    )
    for attribute, direction in directions(found).items():
        low, high = rules.ends(form_of(case, sums[attribute]))
        assert (direction != "raised") or low > -NEAR
        assert (direction != "lowered") or high < NEAR
        assert (direction != "unclear") or (low < NEAR and high > -NEAR)
    for ranks, sign in ((found.raised, 1), (found.lowered, -1)):
        for earlier, later in ((a, b) for a in range(len(ranks)) for b in range(a + 1, len(ranks))):
            for one, other in product(ranks[earlier].reasons, ranks[later].reasons):
                pairs = zip(sums[one.attribute], sums[other.attribute], strict=True)
                assert rules.ends(form_of(case, [sign * (a - b) for a, b in pairs]))[0] > -NEAR
        for rank in ranks:
            if len(rank.reasons) == 2:
                first, second = (sums[each.attribute] for each in rank.reasons)
                pairs = zip(first, second, strict=True)
                low, high = rules.ends(form_of(case, [a - b for a, b in pairs]))
                assert low < NEAR
                assert high > -NEAR


@settings(max_examples=examples(500), deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([2, 3]))
def test_what_is_certain_holds_for_the_truth(seed: int, rates: bool, outcomes: int) -> None:
    """The true rule behind an announcement never contradicts a direction or an order; with two outcomes and with three."""
    rng = np.random.default_rng(seed)
    case = random_case(rng, outcomes=outcomes, rates=rates)
    cell = int(rng.integers(len(case.table.cells)))
    truth = [row[-1] for row in case.truth]
    true = by_name(
        case.table,
        [
            sum((int(c) * p for c, p in zip(figure.coefficients, truth, strict=True)), Fraction(0))
            / figure.denominator
            for figure in moved_as_sums(case.table, cell)
        ],
    )
    found = certain_reasons(case.table, cell)
    for ranks, sign in ((found.raised, 1), (found.lowered, -1)):
        weights = [[sign * true[each.attribute] for each in rank.reasons] for rank in ranks]
        assert all(weight > 0 for rank in weights for weight in rank)
        for earlier, later in pairwise(weights):
            assert min(earlier) > max(later)
        for rank, own in zip(ranks, weights, strict=True):
            may = {each.attribute for each in rank.may_weigh_more}
            others = [each.attribute for each in found.unclear if each.attribute not in may]
            assert all(sign * true[other] < weight for other in others for weight in own)
    assert all(true[each.attribute] == 0 for each in found.nothing)
    for each in (*found.unclear, *found.nothing):
        assert each.range.low <= true[each.attribute] <= each.range.high


def test_an_order_can_be_certain_where_intervals_overlap() -> None:
    """The difference of two figures is one figure: comparing two intervals would rank fewer reasons."""
    more = 0
    for seed in range(60):
        table = random_case(np.random.default_rng(seed)).table
        for cell in range(len(table.cells)):
            found = certain_reasons(table, cell)
            for ranks in (found.raised, found.lowered):
                for one, other in pairwise(ranks):
                    more += any(
                        a.range.low <= b.range.high and b.range.low <= a.range.high
                        for a, b in product(one.reasons, other.reasons)
                    )
    assert more > 0
