"""Turn a report into its section on method: how the figures were made."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from atreport.compose.notes import (
    distance_sentence,
    is_only_rounded,
    is_unchanged,
    rates_kept,
    rounded_sentence,
)
from atreport.compose.promise import promised_words
from atreport.compose.small_numbers import large_groups
from atreport.pages.wording import group_name
from atreport.report.model import Report
from atreport.report.rule import PublishedFidelity
from atreport.spec.policy import Aim
from atreport.spec.process import Attribute
from atreport.text.language import gettext, message, ngettext
from atreport.text.numbers import percent, rounded_up, short
from atreport.text.tables import Column, Table, make_table


class MethodText:
    """How the figures were made, in words."""

    def __init__(self, report: Report) -> None:
        policy = report.policy
        aims = policy.minimise or ("beta",)
        self.exact = is_unchanged(policy.fidelity)  # the true rule is announced as it is
        # where it is announced as it is but for rounding, that it is; else empty
        self.rounded = str(rounded_sentence(report)) if is_only_rounded(report) else ""
        self.mechanism = policy.mechanism
        self.objective = policy.objective
        # what mechanism optimal makes least, in its order
        self.aims = [gettext(_AIMS[aim]) for aim in aims]
        # and what therefore no rule this close has less of; empty where something else was aimed at
        no_rule = _NO_RULE_WITHIN_LIMITS_GIVES if promised_words(report) else _NO_RULE_GIVES
        self.achieved = gettext(no_rule[aims[0]]) if policy.objective == "privacy" else ""
        self.even = policy.grid != "wide"  # mechanism calibrated cuts 0 to 1 into equal intervals
        # how far announced probabilities are from the true ones, as a sentence
        self.distance = str(distance_sentence(policy.fidelity))
        self.formula = fidelity_formula(policy.fidelity)
        self.rates = str(rates_kept(report))  # how close rates of groups are; empty where nothing is promised
        self.in_no_cell = list(_in_no_cell(report))
        # that the publisher set on what can be inferred, as formulas
        self.limits = list(_limits(report))
        self.rounding = ngettext(
            policy.decimals,
            "Announced probabilities are rounded to {number} decimal within their range.",
            "Announced probabilities are rounded to {number} decimals within their range.",
        )
        self.population = policy.population
        self.beta = percent(report.privacy.beta)
        self.gamma = short(report.privacy.gamma)
        self.estimated = report.estimation is not None  # from records or a model, and not given


_AIMS: dict[Aim, str] = {
    "beta": message("the highest confidence that an observer can reach (β)"),
    "lift": message("the most by which a value can become more likely (lift)"),
    "odds": message("the most by which odds can change for anybody who knows the group (the odds factor)"),
}
"""What can be made least; each follows a colon."""

_NO_RULE_GIVES: dict[Aim, str] = {
    "beta": message(
        "What it achieves: no rule this close to the true one gives an observer who takes it for the truth a lower "
        "highest confidence, but for rounding."
    ),
    "lift": message(
        "What it achieves: no rule this close to the true one gives an observer who takes it for the truth a smaller "
        "lift, but for rounding."
    ),
    "odds": message(
        "What it achieves: no rule this close to the true one gives a smaller odds factor, but for rounding."
    ),
}
"""What no rule as close as the announced one gives, where it is what is made least first."""

_NO_RULE_WITHIN_LIMITS_GIVES: dict[Aim, str] = {
    "beta": message(
        "What it achieves: no rule this close to the true one that keeps what the publisher promised gives an observer "
        "who takes it for the truth a lower highest confidence, but for rounding."
    ),
    "lift": message(
        "What it achieves: no rule this close to the true one that keeps what the publisher promised gives an observer "
        "who takes it for the truth a smaller lift, but for rounding."
    ),
    "odds": message(
        "What it achieves: no rule this close to the true one that keeps what the publisher promised gives a smaller "
        "odds factor, but for rounding."
    ),
}
"""The same where the publisher set limits."""


def _in_no_cell(report: Report) -> Iterator[str]:
    """How intervals allow for people whom no cell shows, and for those who are shown by a value that stands for several."""
    if report.privacy.unprotectable.left_out:
        yield gettext(
            "People who are in no cell and may be in a group count at both ends: at the lower as if none of them had got "
            "the outcome, at the upper as if all had."
        )
    if report.process.has_joined(attribute.name for attribute in report.process.attributes):
        yield gettext(
            "Where a value stands for several others, both ends allow for every way to divide its people among the groups."
        )


_LIMITS = {
    "beta": "β ≤ {limit}",
    "gamma": "γ ≥ {limit}",
    "lift": message("lift ≤ {limit}"),
    "odds": message("odds factor ≤ {limit}"),
}
"""What each ceiling is as a formula."""


def _limits(report: Report) -> Iterator[str]:
    """The ceilings that the publisher set, as formulas: on everybody's confidence, and on that in single values."""
    for key, formula in _LIMITS.items():
        if (limit := getattr(report.policy.privacy, key, None)) is not None:
            yield gettext(formula, limit=short(limit))
    for attribute in report.process.attributes:
        for value, most in (attribute.ceilings or {}).items():
            yield gettext(
                "confidence in “{value}” of “{attribute}” ≤ {limit}",
                value=value,
                attribute=attribute.title,
                limit=short(most),
            )


def fidelity_formula(fidelity: PublishedFidelity) -> str:
    """The definition of fidelity with its figure, as a formula."""
    if fidelity.bounds is not None:
        return gettext("lower ≤ announced ≤ upper and lower ≤ true ≤ upper, with bounds for each cell")
    if fidelity.delta is not None:
        return gettext(
            "|announced − true| ≤ 1 − δ = {most}, with δ = {delta}",
            most=short(1 - fidelity.delta),
            delta=short(fidelity.delta),
        )
    assert fidelity.alpha is not None
    return gettext(
        "α ≤ announced / true ≤ 1/α, with α = {alpha}, for each outcome", alpha=short(fidelity.alpha)
    )


# Turn a report into one calculation by hand: how sure an observer can be of one value in one group.

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
        question=gettext(
            "{group}, outcome “{outcome}”: how sure can an observer be that “{attribute}” is “{value}”?",
            group=group_name(cells, rows[0]),
            outcome=guess.outcome,
            attribute=guess.attribute.title,
            value=guess.value,
        ),
        table=make_table(
            "example",
            gettext("People times announced probability"),
            [
                *(Column(a.title, names_row=True) for a in beside),
                Column(
                    gettext("Share of people") if report.policy.population == "shares" else gettext("People"),
                    numeric=True,
                ),
                Column(gettext("Probability of “{outcome}”", outcome=guess.outcome), numeric=True),
                Column(gettext("Product"), numeric=True),
            ],
            [
                [
                    *cells.labels(i, beside).values(),
                    short(Decimal(report.cells[i].size or 0)),
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
    cells, here = report.rule_table.cells, report.cells
    for outcome in cells.process.outcome.values:
        products = {i: Decimal(here[i].size or 0) * here[i].announced[outcome] for i in rows}
        total = sum(products.values(), Decimal(0))
        for attribute in cells.process.of_role("sensitive") if total else ():
            codes = cells.column(attribute.name)
            for code in dict.fromkeys(int(codes[i]) for i in rows):
                own = sum((products[i] for i in rows if codes[i] == code), Decimal(0))
                value = attribute.values[code]
                yield _Guess(
                    outcome=outcome, attribute=attribute, value=value, products=products, own=own, total=total
                )


def _answer(report: Report, group: int, guess: _Guess) -> str:
    found, printed = rounded_up(guess.confidence, report.policy.decimals), report.privacy.groups[group].beta
    text = gettext(
        "The products for that value add up to {own}, all products to {total}. The first divided by the second, rounded "
        "up, is {found}.",
        own=short(guess.own),
        total=short(guess.total),
        found=percent(found),
    )
    # Shares are rounded; the printed confidence holds for them and for the exact population.
    also = gettext(
        "The report prints {printed}, which holds for the exact population too.", printed=percent(printed)
    )
    return text if found == printed else f"{text} {also}"
