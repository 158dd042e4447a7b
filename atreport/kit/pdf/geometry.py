"""Boxes and matrices on a page, in points."""

from __future__ import annotations

import math
from collections.abc import Sequence

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Matrix = tuple[float, ...]
"""Six numbers, as PDF has them."""

PAGE: Box = (0.0, 0.0, 900.0, 900.0)
"""No sheet of a report is larger: A4, either way up."""


def times(one: Matrix, other: Matrix) -> Matrix:
    """The first, then the second."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def box_of(points: Sequence[tuple[float, float]], matrix: Matrix = (1, 0, 0, 1, 0, 0)) -> Box:
    """The smallest box around some points."""
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x, y in points]
    ys = [b * x + d * y + f for x, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def meet(one: Box, other: Box) -> Box:
    """What two boxes have in common; of no extent where that is nothing."""
    left, bottom = max(one[0], other[0]), max(one[1], other[1])
    return (left, bottom, max(left, min(one[2], other[2])), max(bottom, min(one[3], other[3])))


def widened(box: Box, by: float) -> Box:
    """A box with a margin."""
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def scale_of(matrix: Matrix) -> float:
    """The most by which a matrix makes a length longer, along either axis."""
    a, b, c, d, _, _ = matrix
    return max(math.hypot(a, b), math.hypot(c, d))


def inside(one: Box, other: Box, by: float = 0.0) -> bool:
    """Whether a box lies in another, give or take."""
    return (
        one[0] >= other[0] - by
        and one[1] >= other[1] - by
        and one[2] <= other[2] + by
        and one[3] <= other[3] + by
    )


def overlap(one: Box, other: Box) -> float:
    """The share of the first box that the second covers."""
    shared = meet(one, other)
    area = (one[2] - one[0]) * (one[3] - one[1])
    return 0.0 if area <= 0 else (shared[2] - shared[0]) * (shared[3] - shared[1]) / area
