"""Turn a report into its section on method: how the figures were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from atreport.kit.language import message, say, say_many
from atreport.kit.numbers import percent, short
from atreport.publication.notes import (
    distance_sentence,
    is_only_rounded,
    is_unchanged,
    rates_kept,
    rounded_sentence,
)
from atreport.publication.words.scope import promised_words
from atreport.report.model import Report
from atreport.report.rule import PublishedFidelity
from atreport.spec.models.policy import Aim


@dataclass(frozen=True, kw_only=True)
class MethodText:
    """How the figures were made, in words."""

    exact: bool  # the true rule is announced as it is
    rounded: str  # where it is announced as it is but for rounding, that it is; else empty
    mechanism: str  # optimal or calibrated
    aims: tuple[str, ...]  # what mechanism optimal makes least, in its order
    achieved: (
        str  # and what therefore no rule this close has less of; empty where something else was aimed at
    )
    even: bool  # mechanism calibrated cuts 0 to 1 into equal intervals
    distance: str  # how far announced probabilities are from the true ones, as a sentence
    formula: str
    rates: str  # how close rates of groups are; empty where nothing is promised
    in_no_cell: tuple[
        str, ...
    ]  # how intervals allow for those whom no cell shows, or none by their own value
    objective: str
    limits: tuple[str, ...]  # that the publisher set on what can be inferred, as formulas
    rounding: str  # to how many decimals
    population: str  # shares, counts or withheld
    beta: str
    gamma: str
    estimated: bool  # from records or a model, and not given


def method_text(report: Report) -> MethodText:
    """How the figures were made."""
    policy = report.policy
    aims = policy.minimise or ("beta",)
    return MethodText(
        exact=is_unchanged(policy.fidelity),
        rounded=rounded_sentence(report) if is_only_rounded(report) else "",
        mechanism=policy.mechanism,
        aims=tuple(say(_AIMS[aim]) for aim in aims),
        achieved=_achieved(report, aims[0]) if policy.objective == "privacy" else "",
        even=policy.grid != "wide",
        rates=rates_kept(report),
        in_no_cell=tuple(_in_no_cell(report)),
        distance=distance_sentence(policy.fidelity),
        formula=fidelity_formula(policy.fidelity),
        objective=policy.objective,
        limits=tuple(_limits(report)),
        rounding=say_many(
            policy.decimals,
            "Announced probabilities are rounded to {number} decimal within their range.",
            "Announced probabilities are rounded to {number} decimals within their range.",
        ),
        population=policy.population,
        beta=percent(report.privacy.beta),
        gamma=short(report.privacy.gamma),
        estimated=report.estimation is not None,
    )


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
        yield say(
            "People who are in no cell and may be in a group count at both ends: at the lower as if none of them had got "
            "the outcome, at the upper as if all had."
        )
    if report.process.has_joined(attribute.name for attribute in report.process.attributes):
        yield say(
            "Where a value stands for several others, both ends allow for every way to divide its people among the groups."
        )


def _achieved(report: Report, aim: Aim) -> str:
    return say((_NO_RULE_WITHIN_LIMITS_GIVES if promised_words(report) else _NO_RULE_GIVES)[aim])


def _limits(report: Report) -> Iterator[str]:
    """The ceilings that the publisher set, as formulas: on everybody's confidence, and on that in single values."""
    asked = report.policy.privacy
    if asked is not None and asked.beta is not None:
        yield f"β ≤ {short(asked.beta)}"
    if asked is not None and asked.gamma is not None:
        yield f"γ ≥ {short(asked.gamma)}"
    if asked is not None and asked.lift is not None:
        yield say("lift ≤ {limit}", limit=short(asked.lift))
    if asked is not None and asked.odds is not None:
        yield say("odds factor ≤ {limit}", limit=short(asked.odds))
    for attribute in report.process.attributes:
        for value, most in (attribute.ceilings or {}).items():
            yield say(
                "confidence in “{value}” of “{attribute}” ≤ {limit}",
                value=value,
                attribute=attribute.title,
                limit=short(most),
            )


def fidelity_formula(fidelity: PublishedFidelity) -> str:
    """The definition of fidelity with its figure, as a formula."""
    if fidelity.bounds is not None:
        return say("lower ≤ announced ≤ upper and lower ≤ true ≤ upper, with bounds for each cell")
    if fidelity.delta is not None:
        return say(
            "|announced − true| ≤ 1 − δ = {most}, with δ = {delta}",
            most=short(1 - fidelity.delta),
            delta=short(fidelity.delta),
        )
    assert fidelity.alpha is not None
    return say("α ≤ announced / true ≤ 1/α, with α = {alpha}, for each outcome", alpha=short(fidelity.alpha))
