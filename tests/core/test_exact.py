"""Whole numbers in arrays: exact whatever their size, and nothing in the house goes round it."""

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atreport.core import exact
from tests.test_house import PACKAGE

Pairs = list[tuple[int, int]]
SIZES = st.one_of(st.integers(-100, 100), st.integers(-(2**61), 2**61), st.integers(2**57, 2**58))
PAIRS = st.lists(st.tuples(SIZES, SIZES), min_size=1, max_size=30)


def columns(pairs: Pairs, wide: bool) -> list[np.ndarray[Any, Any]]:
    """Two columns of numbers, in 64 bits or as Python integers."""
    return [np.array(column, dtype=object if wide else np.int64) for column in zip(*pairs, strict=True)]


@given(PAIRS, st.booleans())
def test_products_and_sums_are_those_of_python(pairs: Pairs, wide: bool) -> None:
    """Numbers of any size and sign: if one of them wrapped around at 64 bits, an interval or a verdict would be wrong."""
    a, b = columns(pairs, wide)
    products = [x * y for x, y in pairs]
    first = [x for x, _ in pairs]
    half = len(pairs) // 2
    assert exact.product(a, b).tolist() == products
    assert exact.product(a, b, 10**9).tolist() == [10**9 * each for each in products]
    assert exact.dot(a, b) == sum(products)
    assert exact.total(a) == sum(first)
    assert exact.sum_of([a, b, a]).tolist() == [2 * x + y for x, y in pairs]
    assert exact.running_sums(a).tolist() == [sum(first[: k + 1]) for k in range(len(first))]
    assert exact.run_sums(a, np.array([0, half] if half else [0])).tolist() == (
        [sum(first[:half]), sum(first[half:])] if half else [sum(first)]
    )
    assert exact.class_sums(a, np.arange(len(a)) % 2, 2).tolist() == [sum(first[::2]), sum(first[1::2])]
    assert exact.axis_sums(np.stack([a, b]), 0).tolist() == [x + y for x, y in pairs]
    assert exact.largest_size(a) == max(map(abs, first))


@given(PAIRS)
def test_what_stays_in_64_bits_leaves_room(pairs: Pairs) -> None:
    """The rest of the house adds and subtracts with plain + and -: numbers that were handed out leave room for 31 of them."""
    a, b = columns(pairs, wide=False)
    found = (exact.product(a, b), exact.running_sums(a), exact.class_sums(a, np.zeros(len(a), int), 1))
    assert all(each.dtype == object or exact.largest_size(each) < 2**58 for each in found)


def test_python_integers_are_used_only_where_they_are_needed() -> None:
    """A million people and six decimals stay in 64 bits: otherwise every table would be as slow as the largest."""
    people, steps = np.full(1000, 10**6), np.full(1000, 10**6)
    assert exact.product(people, steps).dtype == np.int64
    assert exact.class_sums(exact.product(people, steps), np.zeros(1000, int), 1).dtype == np.int64
    assert exact.product(people, steps, 10**6).dtype == object
    assert exact.widen(people, 2**58 - 1).dtype == np.int64
    assert exact.widen(people, 2**58).dtype == object


SUMMING = {
    "at",
    "reduceat",
    "accumulate",
    "cumsum",
    "bincount",
    "dot",
    "tensordot",
    "einsum",
    "iinfo",
    "vdot",
}
"""Functions of numpy that sum or multiply up numbers of any size, and one that gives a number to add to."""

ELSEWHERE = {
    "core/exact.py": "here they are made exact",
    "core/inference.py": "UNBOUNDED, which is only compared",
    "measures/chance.py": "logarithms",
    "explain/permutation.py": "how many ways are tried, at most 2^16 for each class",
    "explain/interventions.py": "tensordot, in numbers of which `_Grid` has a bound on every sum",
    "explain/ice.py": "how many cells",
    "explain/linear.py": "floats, and amounts of a model whose features are 0 and 1",
    "explain/logistic.py": "floats",
    "core/certify.py": "floats, which only look for what is certified afterwards, or have a stated error",
    "core/cells.py": "numbers of the runs of rows, and divisors",
    "core/suppression.py": "how many cells",
    "compose/promise.py": "how many cells",
}
"""Modules that use them all the same, and why nothing can overflow there."""

EXACT_ROOMS = (
    "core",
    "measures",
    "explain",
    "compose",
    "verification",
    "pages",
    "report",
    "export",
    "text",
)
"""Where figures are made: all of them in whole numbers. Behind the wall, the solver works in floats, and `data` counts
records, of which there are fewer than 10^15."""


def summing(tree: ast.Module) -> set[int]:
    """The lines on which numpy is asked to sum or multiply up."""
    return {
        node.lineno
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in SUMMING
            and ast.unparse(node.func).startswith("np.")
            and not ast.unparse(node.func).startswith(("np.maximum.", "np.minimum.", "np.logical_"))
        )
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
    }


def figure_modules() -> list[Path]:
    """All of the rooms in which figures are made."""
    return [path for room in EXACT_ROOMS for path in (PACKAGE / room).rglob("*.py")]


def test_sums_of_whole_numbers_are_made_in_one_place() -> None:
    """A sum made with numpy alone wraps around at 64 bits without a word: figures would be wrong, and still certain."""
    found = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in figure_modules()
        if (lines := summing(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert {name: lines for name, lines in found.items() if name not in ELSEWHERE} == {}
    assert set(ELSEWHERE) <= set(found), "a reason for what is not there any more"


@pytest.mark.parametrize("line", ["np.add.at(a, b, c)", "np.cumsum(a)", "np.bincount(a, weights=b)", "a @ b"])
def test_a_sum_that_goes_round_it_is_found(line: str) -> None:
    """The test above would pass for ever if it saw nothing."""
    assert summing(ast.parse(line)) == {1}
    assert not summing(ast.parse("np.maximum.reduceat(a, b)"))
