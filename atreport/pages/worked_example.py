"""Turn a release into one calculation by hand: how the highest confidence of the report comes about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.analysis.assessment import rounded_up
from atreport.announcement import Release
from atreport.kit.numbers import percent, short
from atreport.kit.tables import Column, Table, table
from atreport.pages.wording import group_name
from atreport.spec.models.process import Attribute

MAX_CELLS = 12
"""The longest calculation that is shown."""


@dataclass(frozen=True, kw_only=True)
class WorkedExample:
    """A question, the numbers to multiply and add, and the answer."""

    question: str
    table: Table
    answer: str


@dataclass(frozen=True, kw_only=True)
class _Guess:
    """One value an observer may guess after one outcome, and what is weighed for it."""

    outcome: str
    attribute: Attribute
    value: str
    products: dict[int, Decimal]  # people times probability, by cell
    own: Decimal
    total: Decimal

    @property
    def confidence(self) -> Fraction:
        return Fraction(self.own) / Fraction(self.total)


def worked_example(release: Release) -> WorkedExample | None:
    """The group with the highest confidence, among those with few cells; None where people are not published."""
    cells = release.cells
    starts = cells.group_starts
    sizes = np.diff(np.append(starts, len(cells)))
    few = np.flatnonzero(sizes <= MAX_CELLS)
    if not release.population_is_printed or not len(few):
        return None
    group = int(few[np.argmax(release.group_beta[few])])
    rows = range(int(starts[group]), int(starts[group] + sizes[group]))
    guess = max(_guesses(release, rows), key=lambda each: each.confidence)
    beside = (*cells.process.of_role("sensitive"), *cells.process.of_role("private"))
    steps = release.announced_of(guess.outcome)
    return WorkedExample(
        question=f"{group_name(cells, rows[0])}, outcome “{guess.outcome}”: how sure can an observer be that "
        f"“{guess.attribute.title}” is “{guess.value}”?",
        table=table(
            "example",
            "People times announced probability",
            [
                *(Column(a.title, names_row=True) for a in beside),
                Column("Share of people" if release.population == "shares" else "People", numeric=True),
                Column(f"Probability of “{guess.outcome}”", numeric=True),
                Column("Product", numeric=True),
            ],
            [
                [
                    *cells.labels(i, beside).values(),
                    short(_people(release, i)),
                    short(release.printed(int(steps[i]))),
                    short(guess.products[i]),
                ]
                for i in rows
            ],
        ),
        answer=_answer(release, group, guess),
    )


def _guesses(release: Release, rows: range) -> Iterator[_Guess]:
    """Every sensitive value of a group after every outcome that can occur in it."""
    cells = release.cells
    for outcome in cells.process.outcome.values:
        steps = release.announced_of(outcome)
        products = {i: _people(release, i) * release.printed(int(steps[i])) for i in rows}
        total = sum(products.values(), Decimal(0))
        for attribute in cells.process.of_role("sensitive") if total else ():
            codes = cells.column(attribute.name)
            for code in dict.fromkeys(int(codes[i]) for i in rows):
                own = sum((products[i] for i in rows if codes[i] == code), Decimal(0))
                value = attribute.values[code]
                yield _Guess(
                    outcome=outcome, attribute=attribute, value=value, products=products, own=own, total=total
                )


def _people(release: Release, cell: int) -> Decimal:
    if release.population == "shares":
        return Decimal(int(release.shares[cell])).scaleb(-release.share_decimals)
    return Decimal(int(release.cells.population[cell]))


def _answer(release: Release, group: int, guess: _Guess) -> str:
    found = rounded_up(guess.confidence, release.decimals)
    printed = release.printed(int(release.group_beta[group]))
    text = (
        f"The products for that value add up to {short(guess.own)}, all products to {short(guess.total)}. The first "
        f"divided by the second, rounded up, is {percent(found)}."
    )
    if found == printed:
        return text
    # Shares are rounded; the printed confidence holds for them and for the exact population.
    return f"{text} The report prints {percent(printed)}, which holds for the exact population too."
