"""What fidelity would settle a verdict that cannot be told from the report. Confidential: the answer depends on the truth.

It is the smallest fidelity at which announcing the truth itself would settle the verdict. A report announces something
near the truth, so it may settle the verdict a little earlier or a little later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from atreport.confidential.true_rule import measure_truth
from atreport.population.band import Closeness
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import Measure

FIDELITIES = tuple(
    Decimal(steps).scaleb(-decimals)
    for decimals, first, last in ((2, 1, 99), (3, 991, 999), (4, 9991, 9999), (0, 1, 1))
    for steps in range(first, last + 1)
)
"""The fidelities that are tried, ascending: hundredths, then ever finer towards 1."""

MOST_WORK = 10**7
"""Cells times undecided verdicts of a measure, up to which the fidelity is looked for."""


def settling_fidelities(
    truth: RuleTable, asked: Measure, undecided: Sequence[int], *, relative: bool
) -> dict[int, Decimal | None]:
    """For some of a measure's verdicts (by position) the smallest fidelity that settles them; None: none does.

    Nothing is looked for where that would take long (see `MOST_WORK`).
    `truth` is the true rule as if it had been announced. The fidelity is an alpha where `relative`, else a delta.
    Intervals only shrink as fidelity grows, so a verdict once settled stays settled.
    """

    def settled(step: int) -> list[bool]:
        fidelity = FIDELITIES[step]
        closeness = Closeness(alpha=fidelity) if relative else Closeness(delta=fidelity)
        found = measure_truth(replace(truth, fidelity=closeness), asked)
        return [measured.verdict != "cannot_tell" for measured in found]

    worthwhile = 0 < len(undecided) * len(truth.cells) <= MOST_WORK
    return _first_steps(settled, undecided) if worthwhile else {}


def _first_steps(settled: Callable[[int], list[bool]], wanted: Sequence[int]) -> dict[int, Decimal | None]:
    """Bisection for many at once; every step is tried at most once."""
    found: dict[int, Decimal | None] = {}

    def search(of: Sequence[int], low: int, high: int) -> None:
        if not of:
            return
        if low == high:
            found.update(dict.fromkeys(of, FIDELITIES[low]))
            return
        middle = (low + high) // 2
        at_middle = settled(middle)
        search([w for w in of if at_middle[w]], low, middle)
        search([w for w in of if not at_middle[w]], middle + 1, high)

    at_end = settled(len(FIDELITIES) - 1)
    found.update(dict.fromkeys(w for w in wanted if not at_end[w]))
    search([w for w in wanted if at_end[w]], 0, len(FIDELITIES) - 1)
    return found
