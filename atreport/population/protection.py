"""Groups that no perturbation can protect, because the population alone gives their sensitive values away.

Which groups these are depends on the population and the policy's ceiling, never on a decision, so the account of what was
done with them is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from atreport.kit.exact import run_sums
from atreport.population.cells import Cells, run_starts


@dataclass(frozen=True, kw_only=True)
class Protection:
    """What was done with groups that cannot be protected."""

    policy: Literal["refuse", "suppress", "merge"] | None = None
    groups: int = 0  # how many there were
    people: int = 0  # how many people are in them
    everybody: int = 0  # how many people there are in all, those left out included
    merged: tuple[tuple[str, str], ...] = ()  # (attribute, coarser value) now standing for finer ones


NOTHING_UNPROTECTABLE = Protection()
"""The account where nothing had to be done."""


def unprotectable_groups(
    cells: Cells, ceiling: Decimal | None, of_values: Sequence[Sequence[Decimal | None]] = ()
) -> NDArray[np.bool_]:
    """Groups in which a sensitive value is known before any report with more confidence than its ceiling allows.

    Without a ceiling: groups in which it is known for certain. `of_values` are ceilings of single values, for each sensitive
    attribute and each (QID group, value) of it. Exact.
    """
    limit = Fraction(ceiling) if ceiling is not None else None
    people = run_sums(cells.population, cells.group_starts)
    found = np.zeros(len(people), dtype=bool)
    for protected in cells.protected:
        largest = np.maximum.reduceat(protected.sums(cells.population), run_starts(protected.group))
        if limit is None:
            found |= largest == people
        else:
            found |= largest.astype(object) * limit.denominator > people.astype(object) * limit.numerator
    for protected, limits in zip(cells.protected, of_values, strict=False):
        known = protected.sums(cells.population).tolist()
        for group, number, of_value in zip(protected.group.tolist(), known, limits, strict=True):
            found[group] |= of_value is not None and number > Fraction(of_value) * int(people[group])
    return found
