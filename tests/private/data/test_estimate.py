"""Estimating the rule: exact intervals, a tree that is what its definition says, edges that part what they should."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.private.annex import exact_intervals
from atreport.private.data.binning import _even_cuts, _tree_cuts, shortest_between
from atreport.private.data.tree import fit_tree, folds_of
from atreport.spec.source import Tree
from tests.example import process_with


@given(st.integers(1, 400), st.data())
@settings(max_examples=150, deadline=None)
def test_exact_interval_from_its_definition(cases: int, data: st.DataObject) -> None:
    """At each end the chance of a count as extreme is 2.5%: the definition of Clopper and Pearson."""
    from scipy.stats import binom, binomtest

    favourable = data.draw(st.integers(0, cases))
    ((low, high),) = exact_intervals(np.array([favourable]), np.array([cases]))
    reference = binomtest(favourable, cases).proportion_ci(0.95, method="exact")
    assert low <= reference.low
    assert high >= reference.high
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=1e-8)
    if favourable:
        assert binom.sf(favourable - 1, cases, low) <= 0.025
    if favourable < cases:
        assert binom.cdf(favourable, cases, high) <= 0.025


counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=12, max_size=12).filter(
    lambda rows: sum(map(sum, rows)) > 0
)


@given(counts)
@settings(max_examples=80, deadline=None)
def test_folds_part_the_records(rows: list[tuple[int, int]]) -> None:
    """Every record is in exactly one fold, and the deal is the same every time."""
    cases = np.array(rows, dtype=np.int64)
    folds = folds_of(cases)
    np.testing.assert_array_equal(sum(folds), cases)
    assert all((fold >= 0).all() for fold in folds)
    np.testing.assert_array_equal(folds_of(cases), folds)


@given(counts, st.booleans())
@settings(max_examples=20, deadline=None)
def test_tree_is_what_its_leaves_say(rows: list[tuple[int, int]], ordered: bool) -> None:
    """Each cell has the frequencies of its leaf; faithfulness is the share of records of the more likely outcome."""
    process = process_with(2, 3, 2)
    codes = np.array([(g, s, o) for g in range(2) for s in range(3) for o in range(2)], dtype=np.int32)
    cases = np.array(rows, dtype=np.int64)
    present = cases.sum(axis=1) > 0
    tree = fit_tree(
        process, Tree(), codes[present], cases[present], codes, ordered=("secret",) if ordered else ()
    )
    found: dict[int, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for cell, code in enumerate(codes):
        labels = {a.name: a.values[c] for a, c in zip(process.attributes, code, strict=True)}
        inside = [
            i
            for i, leaf in enumerate(tree.leaves)
            if all(labels[n] in values for n, values in leaf.values.items())
        ]
        assert len(inside) == 1  # the regions part the cells
        found[inside[0]] = found.get(inside[0], np.zeros(2, np.int64)) + cases[cell]
        assert tree.probability[cell, 1] == tree.leaves[inside[0]].favourable
    faithful = 0
    for i, leaf in enumerate(tree.leaves):
        assert leaf.cases == found[i].sum()
        assert leaf.favourable == found[i][1] / leaf.cases
        faithful += int(found[i].max())
    assert tree.faithfulness is not None
    assert tree.faithfulness <= Decimal(faithful) / Decimal(tree.cases) < tree.faithfulness + Decimal("0.01")


def test_tree_finds_a_planted_rule() -> None:
    """Two questions decide; cross-validation finds a tree that asks them, and no leaf is smaller than asked for."""
    process = process_with(4, 6, 3)
    codes = np.array([(g, s, o) for g in range(4) for s in range(6) for o in range(3)], dtype=np.int32)
    rng = np.random.default_rng(1)
    people = rng.integers(20, 60, len(codes))
    chance = np.where((codes[:, 1] >= 3) & (codes[:, 0] == 2), 0.9, 0.1)
    yes = rng.binomial(people, chance)
    cases = np.column_stack([people - yes, yes]).astype(np.int64)
    tree = fit_tree(process, Tree(min_cases=30), codes, cases, codes, ordered=("secret",))
    assert np.abs(tree.probability[:, 1] - chance).max() < 0.12
    assert min(leaf.cases for leaf in tree.leaves) >= 30
    assert tree.depth <= 4
    assert tree.faithfulness is not None
    assert tree.faithfulness >= Decimal("0.85")
    shallow = fit_tree(process, Tree(depth=1, attributes=("group",)), codes, cases, codes, ordered=())
    assert shallow.depth == 1
    assert all(set(leaf.values) == {"group"} for leaf in shallow.leaves)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@settings(max_examples=300, deadline=None)
def test_shortest_decimal_parts_the_same_numbers(below: float, step: float) -> None:
    """An edge lies above the lower number and not above the higher one."""
    first = below + step
    if first > below:
        edge = shortest_between(below, first)
        assert below < edge <= Decimal(repr(first))
        assert below < float(edge) <= first


def test_shortest_decimal_is_short() -> None:
    """Round numbers where there are some."""
    pairs = ((1, 2), (1.2, 1.7), (98, 213), (0.31, 0.33), (-2, -1), (-1, 0), (0, 1), (98, 113), (0.984, 1.2))
    found = [str(shortest_between(*pair)) for pair in pairs]
    assert found == ["2", "1.7", "200", "0.33", "-1", "0", "1", "100", "1"]


@given(st.lists(st.integers(1, 50), min_size=2, max_size=40), st.integers(2, 6))
@settings(max_examples=100, deadline=None)
def test_even_cuts_are_nearest_to_equal_shares(cases: list[int], bins: int) -> None:
    """Each cut is the one nearest to its share; ties in the numbers can leave fewer."""
    cuts = _even_cuts(np.array(cases, dtype=np.float64), bins)
    assert cuts == sorted(set(cuts))
    assert all(1 <= cut < len(cases) for cut in cuts)
    below, total = np.cumsum(cases), sum(cases)
    for i in range(1, bins):
        best = min(abs(below[c - 1] - total * i / bins) for c in range(1, len(cases)))
        assert any(abs(below[c - 1] - total * i / bins) == pytest.approx(best) for c in cuts)


def test_tree_cuts_are_where_decisions_change() -> None:
    """With a step in the rule, the first cut is at the step."""
    place = np.arange(100)
    outcomes = np.array(["yes" if i >= 37 else "no" for i in range(100)], dtype=object)
    assert _tree_cuts(place, outcomes, np.ones(100, dtype=np.int64), 2) == [37]
