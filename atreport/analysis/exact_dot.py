"""The sum of products of whole numbers, exactly, however large, and fast where they are not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.population.cells import IntArray

_LIMB = 20
"""Bits of the pieces in which large whole numbers are multiplied: sums of 2^22 products stay below 2^62."""


def exact_dot(a: NDArray[Any], b: NDArray[Any]) -> int:
    """The sum of products of whole numbers, exactly, however large."""
    if a.dtype == object or b.dtype == object:
        return int(np.dot(a.astype(object), b.astype(object)))
    largest = max(1, int(abs(a).max(initial=0))) * max(1, int(abs(b).max(initial=0)))
    if largest * len(a) < 2**62:
        return int(np.dot(a, b))
    if len(a) > 2**22:
        middle = len(a) // 2
        return exact_dot(a[:middle], b[:middle]) + exact_dot(a[middle:], b[middle:])
    return sum(
        int(np.dot(one, other)) << (_LIMB * (i + j))
        for i, one in enumerate(_limbs(a))
        for j, other in enumerate(_limbs(b))
    )


def _limbs(numbers: IntArray) -> list[IntArray]:
    """The numbers in pieces of some bits each, least first; the last carries the sign."""
    pieces = []
    while int(abs(numbers).max()) >= 2**_LIMB:
        pieces.append(numbers & (2**_LIMB - 1))
        numbers = numbers >> _LIMB
    return [*pieces, numbers]
