"""Turn a release into one calculation by hand: how the highest confidence of the report comes about."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.public.numbers import percent, short
from atreport.public.tables import Column, Table, table
from atreport.public.wording import group_name, quoted
from atreport.release import Release

MAX_CELLS = 12
"""The longest calculation that is shown."""


@dataclass(frozen=True, kw_only=True)
class WorkedExample:
    """A question, the numbers to multiply and add, and the answer."""

    question: str
    table: Table
    answer: str


def worked_example(release: Release) -> WorkedExample | None:
    """The group with the highest confidence, among those with few cells; None where people are not published."""
    cells = release.cells
    starts = cells.group_starts
    sizes = np.diff(np.append(starts, len(cells)))
    short_enough = np.flatnonzero(sizes <= MAX_CELLS)
    if release.population == "withheld" or not len(short_enough):
        return None
    group = int(short_enough[np.argmax(release.group_beta[short_enough])])
    rows = range(int(starts[group]), int(starts[group] + sizes[group]))
    shares = release.population == "shares"
    people = {
        i: Decimal(int(release.shares[i])).scaleb(-release.share_decimals) if shares else Decimal(int(cells.population[i]))
        for i in rows
    }
    process = cells.process
    best: tuple[Fraction, str, int, dict[int, Decimal]] | None = None
    for outcome in (process.outcome.favourable, process.unfavourable):
        steps = release.announced if outcome == process.outcome.favourable else release.scale - release.announced
        chance = {i: release.printed(int(steps[i])) for i in rows}
        total = sum((people[i] * chance[i] for i in rows), Decimal(0))
        for value in dict.fromkeys(int(cells.value[i]) for i in rows):
            own = sum((people[i] * chance[i] for i in rows if cells.value[i] == value), Decimal(0))
            if total and (best is None or Fraction(own) / Fraction(total) > best[0]):
                best = (Fraction(own) / Fraction(total), outcome, value, chance)
    assert best is not None, "some outcome has a positive probability"
    _, outcome, value, chance = best
    beside = (*process.of_role("sensitive"), *process.of_role("private"))
    named = cells.labels(int(np.flatnonzero(cells.value == value)[0]), process.of_role("sensitive"))
    sensitive = quoted(process.of_role("sensitive"))
    own, total = (
        sum((people[i] * chance[i] for i in rows if everything or cells.value[i] == value), Decimal(0))
        for everything in (False, True)
    )
    return WorkedExample(
        question=f"{group_name(cells, rows[0])}, outcome “{outcome}”: how sure can an observer be that {sensitive} is "
        f"“{', '.join(named.values())}”?",
        table=table(
            "example",
            "People times announced probability",
            [
                *(Column(a.title, names_row=True) for a in beside),
                Column("Share of people" if shares else "People", numeric=True),
                Column(f"Probability of “{outcome}”", numeric=True),
                Column("Product", numeric=True),
            ],
            [
                [*cells.labels(i, beside).values(), short(people[i]), short(chance[i]), short(people[i] * chance[i])]
                for i in rows
            ],
        ),
        answer=f"The products for that value add up to {short(own)}, all products to {short(total)}. The first divided "
        f"by the second, rounded up, is {percent(release.printed(int(release.group_beta[group])))}.",
    )
