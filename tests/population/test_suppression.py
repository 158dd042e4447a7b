"""Suppressed counts cannot be had by subtraction: linear programs attack the published tables."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from atreport.population.cells import IntArray
from atreport.population.small_cells import Mask
from atreport.population.suppression import CannotSuppress, Suppression, suppress

UNDER = 10


def random_table(rng: np.random.Generator) -> tuple[IntArray, list[Mask]]:
    """Cells of two or three attributes, with the sums a form prints: of each attribute and of their crossing."""
    shape = (int(rng.integers(2, 4)), int(rng.integers(2, 7)), int(rng.integers(1, 3)))
    codes = np.array(list(np.ndindex(*shape)))
    codes = codes[np.sort(rng.permutation(len(codes))[: max(2, int(len(codes) * rng.uniform(0.6, 1)))])]
    people = np.maximum(1, rng.lognormal(rng.uniform(1.5, 5), 1.2, len(codes)).astype(np.int64))
    groups = [np.ones(len(codes), dtype=bool)]
    groups += [codes[:, 0] == a for a in range(shape[0])]
    groups += [codes[:, 1] == b for b in range(shape[1])]
    groups += [(codes[:, 0] == a) & (codes[:, 1] == b) for a in range(shape[0]) for b in range(shape[1])]
    return people, groups


def attack(
    people: IntArray, groups: list[Mask], found: Suppression, target: NDArray[np.float64]
) -> tuple[float, float]:
    """The least and the most that a suppressed number can be, given everything published and that no cell is empty."""
    places = np.flatnonzero(found.hidden)
    shown = [group for group, published in zip(groups, found.published, strict=True) if published]
    sums = np.array([group[places] for group in shown], dtype=float)
    totals = np.array([people[group & found.hidden].sum() for group in shown], dtype=float)
    ends = []
    for sign in (1, -1):
        result = linprog(sign * target[places], A_eq=sums, b_eq=totals, bounds=(1, None))
        assert result.fun is not None
        ends.append(sign * float(result.fun))
    known = float(people[~found.hidden & (target > 0)].sum())
    return ends[0] + known, ends[1] + known


def check(people: IntArray, groups: list[Mask], protection: int) -> bool:
    """Attack every small number of a table; False where the table was refused."""
    try:
        found = suppress(people, groups, UNDER, protection)
    except CannotSuppress:
        assert int(people.sum()) < UNDER + protection + len(people)
        return False
    small: list[Mask] = [np.arange(len(people)) == cell for cell in np.flatnonzero(people < UNDER)]
    small += [group for group in groups if 0 < people[group].sum() < UNDER]
    for group, published in zip(groups, found.published, strict=True):
        assert not (published and 0 < people[group].sum() < UNDER)
    for mask in small:
        least, most = attack(people, groups, found, mask.astype(float))
        assert most - least >= protection - 1e-6
    # what is said to follow from the published numbers holds for every table that agrees with them
    for cell in np.flatnonzero(found.hidden):
        least, most = attack(people, groups, found, (np.arange(len(people)) == cell).astype(float))
        assert found.fewest[cell] <= least + 1e-6
        assert most - 1e-6 <= found.most[cell]
    # the population that stands in agrees with everything published
    assert (found.stand_in[~found.hidden] == people[~found.hidden]).all()
    assert (found.stand_in >= 1).all()
    for group, published in zip(groups, found.published, strict=True):
        if published:
            assert found.stand_in[group].sum() == people[group].sum()
    return True


@pytest.mark.parametrize("protection", [10, 25])
def test_no_small_number_is_had_by_subtraction(protection: int) -> None:
    """On random tables with sums over every attribute, no attack gets closer than the protection interval."""
    rng = np.random.default_rng(protection)
    assert sum(check(*random_table(rng), protection) for _ in range(12)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("protection", [5, 10, 25])
def test_no_small_number_is_had_by_subtraction_from_many_tables(protection: int) -> None:
    """The same on 450 tables in all."""
    rng = np.random.default_rng(1000 + protection)
    assert sum(check(*random_table(rng), protection) for _ in range(150)) >= 120


def test_with_the_total_alone_no_linear_program_is_needed() -> None:
    """Many cells, and nothing but their sum beside them: others are hidden until nobody can subtract."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        people = np.maximum(1, rng.lognormal(3, 1.2, int(rng.integers(2, 30))).astype(np.int64))
        assert check(people, [np.ones(len(people), dtype=bool)], 10) or int(people.sum()) < 60


def test_sums_are_kept_where_cells_can_be_hidden_instead() -> None:
    """Of a table of two by four with one small cell, a rectangle is hidden and both margins stay."""
    people = np.array([314, 229, 100, 3, 106, 157, 122, 419])
    codes = np.array([(a, b) for a in range(2) for b in range(4)])
    groups = [
        np.ones(8, dtype=bool),
        *(codes[:, 0] == a for a in range(2)),
        *(codes[:, 1] == b for b in range(4)),
    ]
    found = suppress(people, groups, UNDER, 10)
    assert all(found.published)
    assert int(found.hidden.sum()) == 4


def test_a_large_table_publishes_no_sum_but_the_total() -> None:
    """Where the search would be long, fewer sums are published rather than fewer people protected."""
    rng = np.random.default_rng(3)
    people = np.maximum(1, rng.lognormal(2, 1, 5000).astype(np.int64))
    half = np.arange(5000) < 2500
    found = suppress(people, [np.ones(5000, dtype=bool), half, ~half], UNDER, 10)
    assert found.published == (True, False, False)
    assert found.stand_in.sum() == people.sum()
    assert found.hidden[people < UNDER].all()


def test_nobody_can_be_hidden_in_a_tiny_population() -> None:
    """A handful of people in all: no choice protects them."""
    with pytest.raises(CannotSuppress):
        suppress(np.array([3, 4, 5]), [np.ones(3, dtype=bool)], UNDER, 10)
