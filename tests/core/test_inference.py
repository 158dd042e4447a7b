"""What can be inferred from a rule: every figure against fractions, brute force over populations, and random priors."""

import random
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from atreport.core.cells import Cells, IntArray, arrange
from atreport.core.inference import (
    UNBOUNDED,
    Inference,
    factor_printed,
    odds_factor,
    populations_of,
    posterior_bounds,
    value_lift,
)
from atreport.spec.process import Attribute, Outcome, Process
from tests.thoroughness import examples

DECIMALS = 3


def random_cells(rng: np.random.Generator, *, large: bool = False, guarded: bool = False) -> Cells:
    """People in up to two groups, with one or two sensitive attributes and perhaps a private one."""
    sensitive = ("s0", "s1")[: int(rng.integers(1, 3))]
    attributes = [
        Attribute(name="area", role="public", values=("a", "b")),
        *(Attribute(name=name, role="sensitive", values=("u", "v", "w")) for name in sensitive),
        Attribute(name="other", role="private", values=("x", "y")),
    ]
    process = Process(
        name="Test",
        outcome=Outcome(name="decision", values=("no", "yes", "later"), favourable="yes"),
        attributes=tuple(attributes),
    )
    rows = {tuple(rng.integers(0, len(a.values)) for a in attributes) for _ in range(int(rng.integers(2, 9)))}
    codes = np.array(sorted(rows), dtype=np.int32)
    people = rng.integers(1, 10**12 if large else 30, len(codes))
    between = (
        np.maximum(1, people - rng.integers(0, 6, len(codes))),
        people + rng.integers(0, 6, len(codes)),
    )
    return arrange(process, codes, people, between if guarded else None)[0]


def random_rule(rng: np.random.Generator, cells: Cells, outcomes: int = 3) -> IntArray:
    """Probabilities in steps that make one, often 0 or alike."""
    cuts = rng.choice([0, 0, 1, 250, 500, 900, 10**DECIMALS], (len(cells), outcomes - 1))
    ends = np.sort(np.column_stack([np.zeros(len(cells), np.int64), cuts, np.full(len(cells), 10**DECIMALS)]))
    return np.diff(ends).astype(np.int64)


def figures_in_fractions(
    cells: Cells, rule: IntArray, people: list[int]
) -> dict[tuple[int, str, int], tuple[Fraction, Fraction, Fraction]]:
    """Confidence before and after, and lift, of each group, attribute and value, by Bayes' rule."""
    found = {}
    for attribute in cells.process.of_role("sensitive"):
        codes = cells.column(attribute.name).tolist()
        for group, value in sorted(set(zip(cells.group.tolist(), codes, strict=True))):
            members = np.flatnonzero(cells.group == group).tolist()
            own = [k for k in members if codes[k] == value]
            before = Fraction(sum(people[k] for k in own), sum(people[k] for k in members))
            after = Fraction(0)
            for outcome in range(rule.shape[1]):
                total = sum(people[k] * int(rule[k, outcome]) for k in members)
                if total:
                    after = max(after, Fraction(sum(people[k] * int(rule[k, outcome]) for k in own), total))
            found[group, attribute.name, value] = before, after, after / before
    return found


def stated_figures(cells: Cells, found: Inference) -> dict[tuple[int, str, int], tuple[int, int, int]]:
    """The same figures as stated, in steps."""
    stated = {}
    for each in found.attributes:
        first = each.protected.order[each.protected.starts]
        codes = cells.column(each.protected.attribute)[first]
        for place, (group, value) in enumerate(
            zip(each.protected.group.tolist(), codes.tolist(), strict=True)
        ):
            figures = (int(of[place]) for of in (each.before, each.after, each.lift))
            stated[group, each.protected.attribute, value] = tuple(figures)
    return stated  # type: ignore[return-value]


@settings(max_examples=examples(500), deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_figures_are_fractions_rounded_up(seed: int, large: bool) -> None:
    """Confidence and lift of every value are the exact ones rounded up, also where products pass 64 bits."""
    rng = np.random.default_rng(seed)
    cells = random_cells(rng, large=large)
    rule = random_rule(rng, cells)
    found = posterior_bounds(cells, rule, [cells.population], DECIMALS)
    exact = figures_in_fractions(cells, rule, cells.population.tolist())
    in_steps = {key: tuple(ceil(f * 10**DECIMALS) for f in figures) for key, figures in exact.items()}
    assert stated_figures(cells, found) == in_steps
    for group in range(len(cells.group_starts)):
        of_group = [figures for key, figures in in_steps.items() if key[0] == group]
        stated = (int(found.prior[group]), int(found.beta[group]), int(found.lift[group]))
        assert stated == tuple(max(figures[i] for figures in of_group) for i in range(3))
        adds_nothing = all(lift == 1 for key, (_, _, lift) in exact.items() if key[0] == group)
        assert (stated[2] == 10**DECIMALS) is adds_nothing


@settings(max_examples=examples(250), deadline=None)
@given(st.integers(0, 2**32))
def test_figures_hold_for_every_population_left_open(seed: int) -> None:
    """Where counts are guarded no population between the published ends gives more, in any value, than is stated."""
    rng = np.random.default_rng(seed)
    cells = random_cells(rng, guarded=True)
    rule = random_rule(rng, cells)
    stated = stated_figures(
        cells, posterior_bounds(cells, rule, populations_of(cells, [cells.population]), DECIMALS)
    )
    assert cells.between is not None
    fewest, most = cells.between
    for corner in range(40):
        inside = rng.integers(fewest, most + 1)
        people = np.where(rng.random(len(cells)) < 0.5, fewest, most) if corner % 2 else inside
        for key, figures in figures_in_fractions(cells, rule, people.tolist()).items():
            assert all(
                figure * 10**DECIMALS <= most_stated
                for figure, most_stated in zip(figures, stated[key], strict=True)
            )


def test_lift_of_open_counts_is_reached() -> None:
    """Of values that are single cells the stated lift is that of some population that is left open, not a looser one."""
    process = Process(
        name="Test",
        outcome=Outcome(name="decision", values=("no", "yes"), favourable="yes"),
        attributes=(Attribute(name="s", role="sensitive", values=("u", "v", "w")),),
    )
    codes = np.array([[0], [1], [2]], dtype=np.int32)
    people = np.array([10, 10, 10])
    cells, _ = arrange(process, codes, people, (people - 9, people + 9))
    rule = np.array([[100, 900], [500, 500], [900, 100]])
    lift = value_lift(cells, cells.protected[0], rule, (people - 9, people + 9), DECIMALS)
    most = max(
        figures_in_fractions(cells, rule, [a, b, c])[0, "s", 0][2]
        for a in (1, 19) for b in range(1, 20) for c in (1, 19)
    )  # fmt: skip
    assert lift[0] == ceil(most * 10**DECIMALS)


@settings(max_examples=examples(500), deadline=None)
@given(st.integers(0, 2**32))
def test_no_prior_beats_the_printed_odds_factor(seed: int) -> None:
    """Whatever one believed before, the odds of any statement about the cells change by at most the printed factor."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    cells = random_cells(rng)
    rule = random_rule(rng, cells)
    odds = odds_factor(cells, rule, DECIMALS)
    assume((odds != UNBOUNDED).any())
    for group, start in enumerate(cells.group_starts.tolist()):
        members = [k for k in range(start, len(cells)) if cells.group[k] == group]
        for _ in range(20):
            prior = {k: Fraction(chance.choice([1, 1, 5, 1000])) for k in members}
            statement = {k for k in members if chance.random() < 0.5}
            rest = set(members) - statement
            for outcome in range(rule.shape[1]):
                inside = sum(prior[k] * int(rule[k, outcome]) for k in statement)
                outside = sum(prior[k] * int(rule[k, outcome]) for k in rest)
                before = sum(prior[k] for k in statement), sum(prior[k] for k in rest)
                if not all(before) or not inside + outside:
                    continue
                if odds[group] == UNBOUNDED:
                    continue
                assert inside > 0  # finite: nothing is ruled out,
                assert outside > 0  # nothing is certain
                factor = Fraction(inside, outside) / Fraction(before[0], before[1])
                assert max(factor, 1 / factor) * 10**DECIMALS <= int(odds[group])


@pytest.mark.parametrize(
    ("rule", "odds"),
    [
        ([[100, 900], [900, 100]], Decimal(9)),
        ([[0, 1000], [0, 1000]], Decimal(1)),  # an outcome that never occurs changes nothing
        ([[0, 1000], [1, 999]], None),
        ([[300, 700], [100, 900], [200, 800]], Decimal(3)),
        ([[333, 667], [1, 999]], Decimal(333)),
        ([[700, 300], [699, 301]], Decimal("1.004")),  # 301/300, rounded up
    ],
)
def test_odds_factor(rule: list[list[int]], odds: Decimal | None) -> None:
    """The larger of the quotients of both outcomes, rounded up; without limit where an outcome rules a cell out."""
    process = Process(
        name="Test",
        outcome=Outcome(name="decision", values=("no", "yes"), favourable="yes"),
        attributes=(Attribute(name="s", role="sensitive", values=("u", "v", "w")),),
    )
    codes = np.arange(len(rule), dtype=np.int32)[:, None]
    cells, _ = arrange(process, codes, np.ones(len(rule), dtype=np.int64))
    found = odds_factor(cells, np.array(rule), DECIMALS)
    assert [factor_printed(int(step), DECIMALS) for step in found] == [odds]


def test_long_figures_are_rounded_up_to_fifteen_digits() -> None:
    """A lift or a factor with more digits than a double holds is rounded up to 15: every reader of JSON sees the same."""
    process = Process(
        name="Test",
        outcome=Outcome(name="decision", values=("no", "yes"), favourable="yes"),
        attributes=(Attribute(name="s", role="sensitive", values=("u", "v")),),
    )
    cells, _ = arrange(process, np.array([[0], [1]], dtype=np.int32), np.array([3, 10**9]))
    rule = np.array([[10**9 - 3, 3], [3, 10**9 - 3]])
    found = posterior_bounds(cells, rule, [cells.population], 9)
    printed = [factor_printed(int(found.lift[0]), 9), factor_printed(int(found.odds[0]), 9)]
    assert printed[1] == Decimal("333333332.333334")
    exact = figures_in_fractions(cells, rule, [3, 10**9])[0, "s", 0][2]
    for number, least in zip(printed, (exact, Fraction(10**9 - 3, 3)), strict=True):
        assert number is not None
        assert Decimal(repr(float(number))) == number
        assert least <= Fraction(number) <= least * (1 + Fraction(1, 10**14))
