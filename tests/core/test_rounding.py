"""Rounding to printed steps, and moves of single ones: within bounds, whole, and as private as they say."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest

from atreport.core.certify import (
    Ceilings,
    Figures,
    StepBounds,
    Sums,
    _made_whole,
    _printed_shares,
    above_ceilings,
    local_search,
    rounded_in_turn,
    rounded_mappings,
)
from atreport.private.data.decision_table import DecisionTable
from tests.many_outcomes import table_of


def with_outcomes(seed: int) -> DecisionTable:
    """Groups of several cells, two to four outcomes and two sensitive attributes."""
    return table_of(np.random.default_rng(seed), 2 + seed % 3, 2, groups=2)


@pytest.mark.parametrize("seed", range(6))
def test_roundings_are_whole_and_within_their_bounds(seed: int) -> None:
    """Every one of them: outcomes of a cell make one, and no step is below the lowest or above the highest."""
    table, scale = with_outcomes(seed), 100
    exactly = table.probability * scale
    lowest = np.maximum(np.floor(exactly - 7), 0).astype(np.int64)
    highest = np.minimum(np.ceil(exactly + 7), scale).astype(np.int64)
    found = list(
        rounded_mappings([table.probability], lowest, highest, scale, exactly.shape[1] - 1, table.cells)
    )
    assert len(found) == 4
    for steps in found:
        assert (steps.sum(axis=1) == scale).all()
        assert (lowest <= steps).all()
        assert (steps <= highest).all()
    assert (np.abs(found[1] - exactly) < 1 + 1e-9 + exactly.shape[1] / 2).all()
    favourable = exactly[:, -1]
    for steps, rounded in zip(found[1:], (np.rint, np.floor, np.ceil), strict=True):
        np.testing.assert_array_equal(steps[:, -1], rounded(favourable))


@pytest.mark.parametrize("seed", range(6))
def test_rounding_in_turn_keeps_the_rate_of_each_group(seed: int) -> None:
    """Each cell goes down or up, and the rate of an outcome is off by no more than two steps of its largest cell."""
    table, scale = with_outcomes(seed), 100
    cells, exactly = table.cells, table.probability * scale
    wide = np.zeros(exactly.shape, dtype=np.int64)
    steps = rounded_in_turn(table.probability, cells, wide, wide + scale, scale)
    assert steps is not None
    assert (steps.sum(axis=1) == scale).all()
    assert (np.abs(steps - exactly) < 1 + 1e-6).all()
    for group in range(len(cells.group_starts)):
        here = cells.group == group
        off = np.abs((cells.population[here][:, None] * (steps - exactly)[here]).sum(axis=0))
        assert (off <= 2 * cells.population[here].max()).all()


def test_a_row_is_made_whole_where_it_costs_least_and_the_favourable_last() -> None:
    """Single steps up or down, from the outcomes that are furthest off; the favourable one only if no other can."""
    exactly = np.array([[30.4, 30.2, 39.4], [30.6, 30.7, 38.7], [30.4, 30.3, 39.3]])
    lowest, highest = np.full((3, 3), 0), np.full((3, 3), 100)
    highest[2] = [30, 30, 100]
    steps = np.array([[30, 30, 39], [31, 31, 39], [30, 30, 39]])
    found = _made_whole(steps, exactly, lowest, highest, 100, 2)
    assert found.tolist() == [[31, 30, 39], [30, 31, 39], [30, 30, 40]]
    first = _made_whole(np.array([[30, 30, 39]]), exactly[:1], lowest[:1], highest[:1], 100, 0)
    assert first.tolist() == [[30, 30, 40]]
    two = _made_whole(
        np.array([[3, 90]]),
        np.array([[5.0, 95.0]]),
        np.zeros((1, 2), dtype=np.int64),
        np.full((1, 2), 100),
        100,
        1,
    )
    assert two.tolist() == [[10, 90]]


@pytest.mark.parametrize("seed", range(6))
def test_figures_after_a_move_are_those_of_the_moved_rule(seed: int) -> None:
    """For every cell and pair of outcomes: what is foreseen is what is found once the step is moved."""
    table = with_outcomes(seed)
    rng = np.random.default_rng(seed)
    steps = (
        rng.multinomial(
            17, np.ones(table.probability.shape[1]) / table.probability.shape[1], len(table.cells)
        )
        + 1
    )
    box = StepBounds(lowest=steps * 0, highest=steps * 0 + 100, decimals=2, rates=None)
    sums = Sums.of(table.cells, steps, box)
    for up, down in permutations(range(steps.shape[1]), 2):
        foreseen = sums.after_move(up, down, ("beta", "lift", "odds"))
        for cell, group in enumerate(table.cells.group.tolist()):
            after = steps.copy()
            after[cell, up] += 1
            after[cell, down] -= 1
            found = Sums.of(table.cells, after, box).figures(("beta", "lift", "odds"))
            for aim, figures in found.items():
                assert foreseen[aim][cell] == pytest.approx(figures[group])


@pytest.mark.parametrize("aim", ["beta", "lift", "odds"])
def test_moves_lower_a_figure_and_stay_in_the_box(aim: str) -> None:
    """Towards an ideal of less: never above what it was, rows stay whole; at the ideal nothing moves."""
    lower = 0
    for seed in range(6):
        table = with_outcomes(seed)
        groups, outcomes = len(table.cells.group_starts), table.probability.shape[1]
        steps = np.random.default_rng(seed).multinomial(100, np.ones(outcomes) / outcomes, len(table.cells))
        box = StepBounds(
            lowest=np.maximum(steps - 3, 0), highest=np.minimum(steps + 3, 100), decimals=2, rates=None
        )
        before = Sums.of(table.cells, steps, box).figures((aim,))[aim]  # type: ignore[arg-type, index]
        found = local_search(table.cells, steps, box, (aim,), {aim: np.zeros(groups)})  # type: ignore[arg-type, dict-item]
        after = Sums.of(table.cells, found, box).figures((aim,))[aim]  # type: ignore[arg-type, index]
        assert (after <= before).all()
        assert (found.sum(axis=1) == 100).all()
        assert (box.lowest <= found).all()
        assert (found <= box.highest).all()
        lower += int((after < before - 1e-9).sum())
        same = local_search(table.cells, steps, box, (aim,), {aim: before})  # type: ignore[arg-type, dict-item]
        np.testing.assert_array_equal(same, steps)
    assert lower > 4


def test_shares_have_their_digits_and_are_never_nothing() -> None:
    """Two digits more than figures for the smallest; at most 18 digits with a printed probability; at least a step."""
    shares, decimals = _printed_shares(np.array([1, 2, 7]), 3)
    assert (shares.tolist(), decimals) == ([100_000, 200_000, 700_000], 6)
    shares, decimals = _printed_shares(np.array([3, 3, 3]), 4)
    assert (shares.tolist(), decimals) == ([333_333] * 3, 6)
    shares, decimals = _printed_shares(np.array([1, 10**15]), 9)
    assert decimals == 9
    assert shares.tolist() == [1, 10**9]


def test_a_ceiling_on_a_value_counts_where_that_value_is() -> None:
    """Above it only: not at it, not for another value, and in the group that it is in."""
    table = with_outcomes(1)
    protected = table.cells.protected[0]
    name = protected.attribute
    first = table.cells.process.attribute(name).values[0]
    codes = table.cells.column(name)[protected.order[protected.starts]]
    zeros = np.zeros(len(table.cells.group_starts), dtype=np.int64)
    asked = Ceilings(values={(name, first): Decimal("0.6")})
    figures = Figures(beta=zeros, lift=zeros, odds=zeros, after=())
    for figure, exceeded in ((60, False), (61, True)):
        figures = replace(figures, after=((protected, np.where(codes == 0, figure, 99)),))
        ((said, groups),) = above_ceilings(table.cells, figures, asked, 2)
        has = [0 in codes[protected.group == g] for g in range(len(zeros))]
        assert said == f"{name}: {first}"
        assert groups.tolist() == [exceeded and each for each in has]
    other = Ceilings(values={(name, "nowhere"): Decimal("0.6")})
    assert not list(above_ceilings(table.cells, figures, other, 2))
    assert [bool(each) for each in (Ceilings(), Ceilings(odds=Decimal(3)), asked)] == [False, True, True]
    above = dict(
        above_ceilings(table.cells, replace(figures, beta=zeros + 71), Ceilings(beta=Decimal("0.709")), 2)
    )
    assert above["beta"].all()
