"""Products and sums of whole numbers in arrays, which cannot overflow silently: the one place where any are made.

Every function finds a bound on what it calculates from the numbers themselves. Where that is below `SAFE` it stays with
int64, which is fast; otherwise it goes on in Python integers (an array of objects), which have no end.

Guarantee: exact. What comes out as int64 is below `SAFE` in size, so that up to 31 such numbers can be added and subtracted
with plain + and - before anything leaves 64 bits; products and sums over many cells are made here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
"""Whole numbers, as int64 or as Python integers; where a function says so, floats as well."""

SAFE = 2**58

_LIMB = 20
"""Bits of the pieces in which large whole numbers are multiplied: sums of 2^22 products stay below 2^62."""


def largest_size(numbers: Numbers | int) -> int:
    """The largest size; 0 where there are none."""
    if not isinstance(numbers, np.ndarray):
        return abs(int(numbers))
    return max(abs(int(numbers.max())), abs(int(numbers.min()))) if numbers.size else 0


def widen(numbers: Numbers, most: int) -> Numbers:
    """The same numbers in a type in which others of a size up to `most` fit beside them."""
    if numbers.dtype == object:
        return numbers
    return numbers.astype(np.int64 if most < SAFE else object, copy=False)


def product(*factors: Numbers | int) -> Numbers:
    """The product, number by number."""
    most = 1
    for factor in factors:
        most *= max(1, largest_size(factor))
    found: Any = 1
    for factor in factors:
        found = found * (widen(factor, most) if isinstance(factor, np.ndarray) else int(factor))
    return np.asarray(found)


def sum_of(arrays: Sequence[Numbers]) -> Numbers:
    """The sum of several arrays, number by number."""
    most = sum(map(largest_size, arrays))
    found: Any = 0
    for each in arrays:
        found = found + widen(each, most)
    return np.asarray(found)


def class_sums(numbers: Numbers, index: NDArray[Any], count: int) -> Numbers:
    """The sum over each of so many classes; `index` says of which class a number (or a row of them) is."""
    fitting = _summable(numbers)
    sums = np.zeros((count, *numbers.shape[1:]), dtype=fitting.dtype)
    np.add.at(sums, index, fitting)
    return sums


def run_sums(numbers: Numbers, starts: NDArray[Any]) -> Numbers:
    """The sum over each run of numbers; `starts` says where each begins. Floats are added up as they are."""
    fitting = numbers if numbers.dtype.kind == "f" else _summable(numbers)
    return np.asarray(np.add.reduceat(fitting, starts))


def running_sums(numbers: Numbers) -> Numbers:
    """The sum of each number and all before it."""
    return np.asarray(np.cumsum(_summable(numbers)))


def axis_sums(numbers: Numbers, axis: int) -> Numbers:
    """The sum along an axis."""
    return np.asarray(_summable(numbers).sum(axis=axis))


def total(numbers: Numbers) -> int:
    """The sum of all."""
    return int(_summable(numbers).sum())


def _summable(numbers: Numbers) -> Numbers:
    """In a type in which the sum of any of them fits."""
    if numbers.dtype == object:
        return numbers
    most = largest_size(numbers) * numbers.size
    if most >= SAFE:
        most = int(float(np.abs(numbers.astype(np.float64)).sum()) * 1.001)  # far more than floats are off
    return widen(numbers, most)


def dot(a: Numbers, b: Numbers) -> int:
    """The sum of products, exactly, however large."""
    if a.dtype == object or b.dtype == object:
        return int(np.dot(a.astype(object), b.astype(object)))
    most = max(1, largest_size(a)) * max(1, largest_size(b))
    if most * len(a) < 2**62:
        return int(np.dot(a, b))
    if len(a) > 2**22:
        middle = len(a) // 2
        return dot(a[:middle], b[:middle]) + dot(a[middle:], b[middle:])
    return sum(
        int(np.dot(one, other)) << (_LIMB * (i + j))
        for i, one in enumerate(_limbs(a))
        for j, other in enumerate(_limbs(b))
    )


def _limbs(numbers: Numbers) -> list[Numbers]:
    """The numbers in pieces of some bits each, least first; the last carries the sign."""
    pieces = []
    while largest_size(numbers) >= 2**_LIMB:
        pieces.append(numbers & (2**_LIMB - 1))
        numbers = numbers >> _LIMB
    return [*pieces, numbers]
