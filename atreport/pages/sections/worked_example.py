"""Turn a report into one calculation by hand: how sure an observer can be of one value in one group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.kit.language import say
from atreport.kit.numbers import percent, short
from atreport.kit.rounding import rounded_up
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.wording import group_name
from atreport.publication.small_numbers import large_groups
from atreport.report.model import Report
from atreport.report.people import PublishedCell
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


def worked_example(report: Report) -> WorkedExample | None:
    """The group with the highest confidence, of those with few cells and not too few people; None where there is none."""
    cells = report.rule_table.cells
    starts = cells.group_starts
    sizes = np.diff(np.append(starts, len(cells)))
    few = np.flatnonzero((sizes <= MAX_CELLS) & large_groups(report))
    if not report.rule_table.population_is_printed or not len(few):
        return None
    group = int(few[np.argmax(report.group_beta[few])])
    rows = range(int(starts[group]), int(starts[group] + sizes[group]))
    guess = max(_guesses(report, rows), key=lambda each: each.confidence)
    beside = (*cells.process.of_role("sensitive"), *cells.process.of_role("private"))
    return WorkedExample(
        question=say(
            "{group}, outcome “{outcome}”: how sure can an observer be that “{attribute}” is “{value}”?",
            group=group_name(cells, rows[0]),
            outcome=guess.outcome,
            attribute=guess.attribute.title,
            value=guess.value,
        ),
        table=make_table(
            "example",
            say("People times announced probability"),
            [
                *(Column(a.title, names_row=True) for a in beside),
                Column(
                    say("Share of people") if report.policy.population == "shares" else say("People"),
                    numeric=True,
                ),
                Column(say("Probability of “{outcome}”", outcome=guess.outcome), numeric=True),
                Column(say("Product"), numeric=True),
            ],
            [
                [
                    *cells.labels(i, beside).values(),
                    short(_people(report.cells[i])),
                    short(report.cells[i].announced[guess.outcome]),
                    short(guess.products[i]),
                ]
                for i in rows
            ],
        ),
        answer=_answer(report, group, guess),
    )


def _guesses(report: Report, rows: range) -> Iterator[_Guess]:
    """Every sensitive value of a group after every outcome that can occur in it."""
    cells = report.rule_table.cells
    for outcome in cells.process.outcome.values:
        products = {i: _people(report.cells[i]) * report.cells[i].announced[outcome] for i in rows}
        total = sum(products.values(), Decimal(0))
        for attribute in cells.process.of_role("sensitive") if total else ():
            codes = cells.column(attribute.name)
            for code in dict.fromkeys(int(codes[i]) for i in rows):
                own = sum((products[i] for i in rows if codes[i] == code), Decimal(0))
                value = attribute.values[code]
                yield _Guess(
                    outcome=outcome, attribute=attribute, value=value, products=products, own=own, total=total
                )


def _people(cell: PublishedCell) -> Decimal:
    """The people or the share of a cell, where they are published."""
    assert cell.size is not None, "there is an example only where the population is printed"
    return Decimal(cell.size)


def _answer(report: Report, group: int, guess: _Guess) -> str:
    found = rounded_up(guess.confidence, report.policy.decimals)
    printed = report.privacy.groups[group].beta
    text = say(
        "The products for that value add up to {own}, all products to {total}. The first divided by the second, rounded "
        "up, is {found}.",
        own=short(guess.own),
        total=short(guess.total),
        found=percent(found),
    )
    if found == printed:
        return text
    # Shares are rounded; the printed confidence holds for them and for the exact population.
    also = say(
        "The report prints {printed}, which holds for the exact population too.", printed=percent(printed)
    )
    return f"{text} {also}"
