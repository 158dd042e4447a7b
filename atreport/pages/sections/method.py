"""Turn a report into its section on method: how the figures were made, and one calculation by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.kit.numbers import counted, percent, short
from atreport.kit.rounding import rounded_up
from atreport.kit.tables import Column, Table, make_table
from atreport.pages.wording import group_name
from atreport.publication.notes import distance_allowed, is_unchanged, rates_kept
from atreport.publication.small_numbers import large_groups
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.report.rule import PublishedFidelity
from atreport.spec.models.policy import Aim
from atreport.spec.models.process import Attribute

MAX_CELLS = 12
"""The longest calculation that is shown."""


@dataclass(frozen=True, kw_only=True)
class MethodText:
    """How the figures were made, in words."""

    exact: bool  # the true rule is announced as it is
    mechanism: str  # optimal or calibrated
    aims: str  # what mechanism optimal makes least, in its order
    least: str  # and what therefore no rule this close has less of
    even: bool  # mechanism calibrated cuts 0 to 1 into equal intervals
    distance: str
    formula: str
    rates: str  # how close rates of groups are; empty where nothing is promised
    objective: str
    ceiling: str | None
    decimals: str
    population: str  # shares, counts or withheld
    beta: str
    gamma: str
    estimated: bool  # from records or a model, and not given


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


def method_text(report: Report) -> MethodText:
    """How the figures were made."""
    policy, ceiling = report.policy, None
    if policy.privacy is not None:
        signs = {"beta": "β ≤", "gamma": "γ ≥", "lift": "lift ≤", "odds": "odds factor ≤"}
        asked = ((sign, getattr(policy.privacy, name)) for name, sign in signs.items())
        ceiling = ", ".join(f"{sign} {short(number)}" for sign, number in asked if number is not None)
    return MethodText(
        exact=is_unchanged(policy.fidelity),
        mechanism=policy.mechanism,
        aims=_aims(policy.minimise or ("beta",)),
        least=_LEAST[(policy.minimise or ("beta",))[0]],
        even=policy.grid != "wide",
        rates=rates_kept(report),
        distance=distance_allowed(policy.fidelity).removeprefix("it "),
        formula=fidelity_formula(policy.fidelity),
        objective=policy.objective,
        ceiling=ceiling,
        decimals=counted(policy.decimals, "decimal"),
        population=policy.population,
        beta=percent(report.privacy.beta),
        gamma=short(report.privacy.gamma),
        estimated=report.estimation is not None,
    )


_LEAST: dict[Aim, str] = {
    "beta": "a lower highest confidence to an observer who takes it for the truth",
    "lift": "a smaller lift to an observer who takes it for the truth",
    "odds": "a smaller odds factor",
}
"""What no rule as close as the announced one gives, where it is what is made least first."""

_AIMS: dict[Aim, str] = {
    "beta": "the highest confidence that an observer can reach (β)",
    "lift": "the most by which a value can become more likely (lift)",
    "odds": "the most by which anybody’s odds can change (the odds factor)",
}


def _aims(aims: Sequence[Aim]) -> str:
    """What is made least, one after the other."""
    first, *rest = [_AIMS[aim] for aim in aims]
    return first + "".join(f"; then, with that kept as printed, {aim}" for aim in rest)


def fidelity_formula(fidelity: PublishedFidelity) -> str:
    """The definition of fidelity with its figure, as a formula."""
    if fidelity.bounds is not None:
        return "lower ≤ announced ≤ upper and lower ≤ true ≤ upper, with bounds for each cell"
    if fidelity.delta is not None:
        return f"|announced − true| ≤ 1 − δ = {short(1 - fidelity.delta)}, with δ = {short(fidelity.delta)}"
    assert fidelity.alpha is not None
    return f"α ≤ announced / true ≤ 1/α, with α = {short(fidelity.alpha)}, for each outcome"


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
        question=f"{group_name(cells, rows[0])}, outcome “{guess.outcome}”: how sure can an observer be that "
        f"“{guess.attribute.title}” is “{guess.value}”?",
        table=make_table(
            "example",
            "People times announced probability",
            [
                *(Column(a.title, names_row=True) for a in beside),
                Column("Share of people" if report.policy.population == "shares" else "People", numeric=True),
                Column(f"Probability of “{guess.outcome}”", numeric=True),
                Column("Product", numeric=True),
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
    text = (
        f"The products for that value add up to {short(guess.own)}, all products to {short(guess.total)}. "
        f"The first divided by the second, rounded up, is {percent(found)}."
    )
    if found == printed:
        return text
    # Shares are rounded; the printed confidence holds for them and for the exact population.
    return f"{text} The report prints {percent(printed)}, which holds for the exact population too."
