"""Turn one group into its exact trade-off curve: the least confidence β* as a function of the allowed distortion w.

Between two breakpoints β* is a ratio of two linear functions of w, so a curve is a list of such pieces. Breakpoints are
where a bound reaches 0 or 1, where another record becomes the largest, where a record joins those that are levelled, and
where another of the four terms becomes the largest. All are roots of linear equations, but for the last, which may be
roots of quadratic ones.

Guarantee: everything is calculated in fractions. Breakpoints are exact, or (irrational roots) within 10^-18; so is where
two curves cross.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import isqrt

import numpy as np

ZERO, ONE = Fraction(0), Fraction(1)
_FINE = 10**18

_DOUBT = 1e-9
"""Floats decide what they can tell apart by far more than their rounding error; what is closer, relatively, fractions do."""


@dataclass(frozen=True)
class LinearPiece:
    """A linear function of w."""

    at_zero: Fraction
    slope: Fraction

    def __call__(self, w: Fraction) -> Fraction:
        """Its value at w."""
        return self.at_zero + self.slope * w

    def __add__(self, other: LinearPiece) -> LinearPiece:
        return LinearPiece(self.at_zero + other.at_zero, self.slope + other.slope)

    def __sub__(self, other: LinearPiece) -> LinearPiece:
        return LinearPiece(self.at_zero - other.at_zero, self.slope - other.slope)

    def root(self) -> Fraction | None:
        """Where it is 0, if anywhere and not everywhere."""
        return -self.at_zero / self.slope if self.slope else None

    @cached_property
    def rough(self) -> tuple[float, float]:
        """The same in floats."""
        return float(self.at_zero), float(self.slope)

    def is_below(self, other: LinearPiece, w: Fraction) -> bool:
        """Whether it is below another line at w; fractions are asked only where floats leave a doubt."""
        (a, b), (c, d), at = self.rough, other.rough, float(w)
        difference = (a - c) + (b - d) * at
        if abs(difference) > _DOUBT * (1 + abs(a) + abs(b) + abs(c) + abs(d)):
            return difference < 0
        return self(w) < other(w)

    def meets(self, other: LinearPiece, start: Fraction, end: Fraction) -> Fraction | None:
        """Where it meets another line strictly inside an interval, if it does."""
        (a, b), (c, d) = self.rough, other.rough
        if b != d and not float(start) - 1e-6 < (c - a) / (b - d) < float(end) + 1e-6:
            return None
        root = (self - other).root()
        return root if root is not None and start < root < end else None


def constant(value: Fraction) -> LinearPiece:
    """The same everywhere."""
    return LinearPiece(value, ZERO)


@dataclass(frozen=True)
class Piece:
    """β* from one breakpoint to the next: the ratio of two lines, and what it stands for."""

    start: Fraction
    end: Fraction
    above: LinearPiece
    below: LinearPiece
    term: str  # favourable, unfavourable, both or prior
    group: int

    def __call__(self, w: Fraction) -> Fraction:
        """Its value at w."""
        return self.above(w) / self.below(w)


@dataclass(frozen=True)
class BetaCurve:
    """β* from w = 0 (the truth) to w = 1 (anything may be announced): never rises."""

    pieces: tuple[Piece, ...]

    def __call__(self, w: Fraction) -> Fraction:
        """β* at w."""
        return self.piece(w)(w)

    def piece(self, w: Fraction) -> Piece:
        """The piece that holds at w; at a breakpoint, the one after it."""
        place = bisect_right(self.pieces, w, key=lambda piece: piece.start)
        return self.pieces[max(place - 1, 0)]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """Where pieces meet, with both ends."""
        return (self.pieces[0].start, *(piece.end for piece in self.pieces))

    def first_at_most(self, level: Fraction) -> Fraction | None:
        """The least w with β* ≤ level; None where there is none."""
        for piece in self.pieces:
            if piece(piece.start) <= level:
                return piece.start
            if piece(piece.end) <= level:
                line = LinearPiece(
                    piece.above.at_zero - level * piece.below.at_zero,
                    piece.above.slope - level * piece.below.slope,
                )
                root = line.root()
                return piece.end if root is None else min(max(root, piece.start), piece.end)
        return None


@dataclass(frozen=True)
class ValueRecords:
    """One sensitive value of a group: its cells, each with people and the true favourable probability."""

    cells: tuple[tuple[int, Fraction], ...]

    @property
    def people(self) -> int:
        """How many have the value."""
        return sum(people for people, _ in self.cells)

    def least(self, w: Fraction) -> LinearPiece:
        """The least favourable mass that must be announced, as a line that holds from w to the next clip point."""
        kept = [(p, d) for p, d in self.cells if d > w]
        return LinearPiece(sum((p * d for p, d in kept), ZERO), -Fraction(sum(p for p, _ in kept)))

    def most(self, w: Fraction) -> LinearPiece:
        """The greatest favourable mass that may be announced, likewise."""
        free = [(p, d) for p, d in self.cells if 1 - d > w]
        full = sum(p for p, d in self.cells if 1 - d <= w)
        return LinearPiece(sum((p * d for p, d in free), Fraction(full)), Fraction(sum(p for p, _ in free)))


def group_curve(values: Sequence[ValueRecords], group: int = 0) -> BetaCurve:
    """The exact curve of one group.

    β* never rises and is never below the prior, so where it has come down to the prior the rest of the curve is known.
    """
    clips = {end for value in values for _, d in value.cells for end in (d, 1 - d)}
    pieces: list[Piece] = []
    for start, end in pairwise(sorted({ZERO, ONE, *clips})):
        pieces += _between_clips(values, start, end, group)
        if pieces[-1].term == "prior":
            pieces[-1] = _cut(pieces[-1], pieces[-1].start, ONE)
            break
    return BetaCurve(_joined(pieces))


def upper_envelope(curves: Iterable[BetaCurve]) -> BetaCurve:
    """The largest of several curves."""
    envelope, *others = curves
    for other in others:
        pieces: list[Piece] = []
        for start, end in pairwise(sorted({*envelope.breakpoints, *other.breakpoints})):
            pieces += _largest([_cut(c.piece(start), start, end) for c in (envelope, other)])
        envelope = BetaCurve(_joined(pieces))
    return envelope


def _cut(piece: Piece, start: Fraction, end: Fraction) -> Piece:
    return Piece(start, end, piece.above, piece.below, piece.term, piece.group)


def _between_clips(values: Sequence[ValueRecords], start: Fraction, end: Fraction, group: int) -> list[Piece]:
    """The pieces of an interval in which every record's bounds are lines."""
    people = Fraction(sum(value.people for value in values))
    least = [value.least(start) for value in values]
    most = [value.most(start) for value in values]
    others_least = [constant(Fraction(v.people)) - upper for v, upper in zip(values, most, strict=True)]
    others_most = [constant(Fraction(v.people)) - lower for v, lower in zip(values, least, strict=True)]
    prior = constant(Fraction(max(value.people for value in values)))
    pieces: list[Piece] = []
    ends = {start, end, *_crossings(least, start, end), *_crossings(others_least, start, end)}
    for low, high in pairwise(sorted(ends)):
        largest, others_largest = _largest_line(least, low, high), _largest_line(others_least, low, high)
        joins = {
            root
            for lines, level in ((most, largest), (others_most, others_largest))
            for line in lines
            if (root := line.meets(level, low, high)) is not None
        }
        for left, right in pairwise(sorted({low, high, *joins})):
            levelled = _levelled(most, largest, left, right)
            others_levelled = _levelled(others_most, others_largest, left, right)
            terms = [
                Piece(left, right, prior, constant(people), "prior", group),
                Piece(left, right, largest + others_largest, constant(people), "both", group),
                Piece(left, right, largest, levelled, "favourable", group),
                Piece(left, right, others_largest, others_levelled, "unfavourable", group),
            ]
            # an outcome that nobody must have teaches nothing
            middle = (left + right) / 2
            pieces += _largest([term for term in terms if term.above(middle)])
    return pieces


def _crossings(lines: Sequence[LinearPiece], start: Fraction, end: Fraction) -> set[Fraction]:
    """Where another line becomes the largest inside an interval, and perhaps some points where none does."""
    distinct = list(dict.fromkeys(lines))
    at_zero, slope = np.array([line.rough for line in distinct]).T
    one, other = np.triu_indices(len(distinct), 1)
    apart = slope[one] != slope[other]
    one, other = one[apart], other[apart]
    meeting = (at_zero[other] - at_zero[one]) / (slope[one] - slope[other])
    inside = (float(start) - 1e-6 < meeting) & (meeting < float(end) + 1e-6)
    one, other, meeting = one[inside], other[inside], meeting[inside]
    heights = at_zero[None, :] + slope[None, :] * meeting[:, None]
    # only where the two are the largest, as far as floats can tell
    doubt = _DOUBT * (1 + np.abs(at_zero).max() + np.abs(slope).max())
    largest = heights.max(axis=1, initial=-np.inf)
    on_top = at_zero[one] + slope[one] * meeting >= largest - doubt
    found = (
        distinct[i].meets(distinct[j], start, end)
        for i, j in zip(one[on_top].tolist(), other[on_top].tolist(), strict=True)
    )
    return {root for root in found if root is not None}


def _largest_line(lines: Sequence[LinearPiece], start: Fraction, end: Fraction) -> LinearPiece:
    """The largest of several lines that do not cross inside an interval."""
    middle = (start + end) / 2
    largest = lines[0]
    for line in lines[1:]:
        if largest.is_below(line, middle):
            largest = line
    return largest


def _levelled(most: Sequence[LinearPiece], level: LinearPiece, start: Fraction, end: Fraction) -> LinearPiece:
    """The total when every record comes as near to the level as it may; none crosses it inside the interval."""
    middle = (start + end) / 2
    at_zero = slope = ZERO
    levelled = 0
    for line in most:
        if line.is_below(level, middle):
            at_zero, slope = at_zero + line.at_zero, slope + line.slope
        else:
            levelled += 1
    return LinearPiece(at_zero + levelled * level.at_zero, slope + levelled * level.slope)


def _largest(pieces: Sequence[Piece]) -> list[Piece]:
    """The largest of several pieces of one interval, cut where they cross; of equal ones, the first."""
    start, end = pieces[0].start, pieces[0].end
    cuts = {root for one, other in combinations(pieces, 2) for root in _meetings(one, other)}
    found = []
    for left, right in pairwise(sorted({start, end, *(cut for cut in cuts if start < cut < end)})):
        middle = (left + right) / 2
        found.append(_cut(max(pieces, key=lambda piece: piece(middle)), left, right))
    return found


def _meetings(one: Piece, other: Piece) -> list[Fraction]:
    """Where two ratios of lines are equal: the roots of a quadratic equation."""
    a, b, c, d = one.above, one.below, other.above, other.below
    square = a.slope * d.slope - c.slope * b.slope
    linear = a.at_zero * d.slope + a.slope * d.at_zero - c.at_zero * b.slope - c.slope * b.at_zero
    absolute = a.at_zero * d.at_zero - c.at_zero * b.at_zero
    if not square:
        return [-absolute / linear] if linear else []
    discriminant = linear * linear - 4 * square * absolute
    if discriminant < 0:
        return []
    root = _square_root(discriminant, _FINE * (1 + int(1 / abs(square))))
    return [_rounded((sign * root - linear) / (2 * square)) for sign in (1, -1)]


def _square_root(number: Fraction, fineness: int) -> Fraction:
    """Exact where it is a fraction, else within 1/fineness below."""
    inside = number.numerator * number.denominator
    whole = isqrt(inside)
    if whole * whole == inside:
        return Fraction(whole, number.denominator)
    return Fraction(isqrt(inside * fineness**2), fineness * number.denominator)


def _rounded(root: Fraction) -> Fraction:
    """The root itself where it is a short fraction, else to 18 decimals: longer ones would only slow what follows."""
    return root if root.denominator < _FINE else Fraction(round(root * _FINE), _FINE)


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Neighbouring pieces of one formula as one."""
    found: list[Piece] = []
    for piece in pieces:
        if found and _same(found[-1], piece):
            found[-1] = _cut(found[-1], found[-1].start, piece.end)
        else:
            found.append(piece)
    return tuple(found)


def _same(one: Piece, other: Piece) -> bool:
    return (one.above, one.below, one.term, one.group) == (other.above, other.below, other.term, other.group)
