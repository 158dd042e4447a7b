"""Check a certificate of optimality from first principles. Shares no code with the solver, and imports nothing of it.

A confidence b is possible for a group exactly if, for some total s of favourable decisions, numbers q (one for each
record, people × announced probability) exist with  people·lower ≤ q ≤ people·upper,  q ≤ b·s,
people - q ≤ b·(total - s)  and  Σ q = s. For a given s that is a matter of adding up limits, and the s for which it holds
form an interval whose ends are where limits meet. So the check tries the ends: the claimed value must be possible, and a
slightly smaller one must not be.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Record = tuple[int, Fraction, Fraction]
"""People, lower and upper bound."""


def is_optimal(value: Fraction, records: Sequence[Record], step: Fraction = Fraction(1, 10**12)) -> bool:
    """Whether `value` is possible and `value - step` is not; in fractions."""
    return _possible(value, records) and not _possible(value - step, records)


def _possible(b: Fraction, records: Sequence[Record]) -> bool:
    """Whether some total s admits the confidence b.

    Each record's limits are piecewise linear in s. Between neighbouring corners everything is linear, so if any s works,
    one works that is a corner, or a root of (sum of upper limits - s) or (s - sum of lower limits) between corners.
    """
    total = Fraction(sum(people for people, _, _ in records))
    if b <= 0:
        return False
    corners = {Fraction(0), total}
    for people, lower, upper in records:
        for bound in (lower, upper):
            corners.add(people * bound / b)  # where the cap b·s meets people·bound
            corners.add(total - people * (1 - bound) / b)  # where the floor meets it
        # where floor and cap both bind: people - b(total - s) = b·s for all s, or never
        corners.add(people - b * total)
    inside = sorted(s for s in corners if 0 <= s <= total)
    if any(_fits(b, s, total, records) for s in inside):
        return True
    for left, right in pairwise(inside):
        for gap in (_upper_gap, _lower_gap):
            at_left, at_right = gap(b, left, total, records), gap(b, right, total, records)
            if at_left != at_right:
                root = left + (right - left) * at_left / (at_left - at_right)
                if left < root < right and _fits(b, root, total, records):
                    return True
    return False


def _limits(b: Fraction, s: Fraction, total: Fraction, record: Record) -> tuple[Fraction, Fraction]:
    people, lower, upper = record
    return max(people * lower, people - b * (total - s)), min(people * upper, b * s)


def _fits(b: Fraction, s: Fraction, total: Fraction, records: Sequence[Record]) -> bool:
    limits = [_limits(b, s, total, record) for record in records]
    return all(least <= most for least, most in limits) and sum(least for least, _ in limits) <= s <= sum(
        most for _, most in limits
    )


def _upper_gap(b: Fraction, s: Fraction, total: Fraction, records: Sequence[Record]) -> Fraction:
    return sum((_limits(b, s, total, record)[1] for record in records), Fraction(0)) - s


def _lower_gap(b: Fraction, s: Fraction, total: Fraction, records: Sequence[Record]) -> Fraction:
    return s - sum((_limits(b, s, total, record)[0] for record in records), Fraction(0))
