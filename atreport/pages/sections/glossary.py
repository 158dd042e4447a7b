"""Turn a report into its glossary: the terms that it uses, and no others."""

import unicodedata
from collections.abc import Iterator

from atreport.compose.estimation import is_described
from atreport.compose.notes import is_only_rounded, is_unchanged
from atreport.pages.explanations import explanation_terms
from atreport.pages.measures import measures_used
from atreport.report.model import Report
from atreport.text.language import gettext, message

_ALWAYS = {
    message("Fidelity"): message("How close every announced probability is to the true one."),
    message("Interval"): message("The range in which the true figure lies for certain, given the fidelity."),
    message("Disclosure note"): message("A statement on what was changed, withheld or left uncovered."),
    message("Percentage point"): message(
        "The unit of a difference between two percentages: 20% and 25% are 5 percentage points apart."
    ),
    message("Attribute"): message("Something by which this report describes people, such as an age."),
    message("Public attribute"): message(
        "An attribute that others may know of a person. It is also called a quasi-identifier."
    ),
    message("Sensitive attribute"): message(
        "An attribute that nobody should be able to infer about a person."
    ),
    message("Cell"): message("All people who have the same value of every attribute."),
    message("Group"): message(
        "All people who have the same public attributes. An observer cannot tell them apart."
    ),
    message("Population"): message("All people whom this report describes."),
    message("Favourable outcome"): message("The outcome whose probability this report prints: “{outcome}”."),
    message("Observer"): message(
        "Somebody who knows a person’s public attributes and outcome, reads this report and wants to know more."
    ),
    message("Confidence (β)"): message(
        "The probability that an observer gives to a person’s sensitive value after reading this report and learning "
        "the person’s outcome. The report’s β is the highest over all groups."
    ),
    message("Prior (before)"): message(
        "The confidence that an observer has before any report, from the population alone."
    ),
    message("Uncertainty (γ)"): message(
        "The same as confidence on another scale: γ = −log β. The larger, the better protected."
    ),
}
"""The terms of every report."""


def glossary(report: Report) -> dict[str, str]:
    """The terms this report uses and what they mean, in alphabetical order."""
    outcomes = report.process.outcome
    terms = _ALWAYS | dict(_further_terms(report)) | explanation_terms(report)
    for words in measures_used(report.fairness):
        terms |= words.terms_with(len(outcomes.values))
    said = {gettext(name): gettext(meaning, outcome=outcomes.favourable) for name, meaning in terms.items()}
    return {name: said[name] for name in sorted(said, key=_letters)}


def _letters(name: str) -> str:
    """What a name is sorted by: its letters without accents or capitals."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _further_terms(report: Report) -> Iterator[tuple[str, str]]:
    """Those that depend on how the rule was found and changed, and on what is published."""
    unchanged, rounded = is_unchanged(report.policy.fidelity), is_only_rounded(report)
    if unchanged:
        yield (
            message("Announced rule"),
            message(
                "The rule as printed here: for each cell the probability of each outcome. Here it is the true rule."
            ),
        )
    elif rounded:
        yield (
            message("Announced rule"),
            message(
                "The rule as printed here: for each cell the probability of each outcome. Here it is the true rule, rounded."
            ),
        )
    else:
        yield (
            message("Announced rule"),
            message(
                "The rule as printed here: for each cell the probability of each outcome, changed on purpose."
            ),
        )
        yield message("Mechanism"), message("The method by which the announced rule was chosen.")
    yield message("True rule"), _TRUE_RULE[is_described(report), unchanged or rounded]
    if any(a.role == "private" for a in report.process.attributes):
        yield (
            message("Private attribute"),
            message(
                "An attribute that others do not know of a person, and that this report does not protect."
            ),
        )
    if report.policy.population == "shares":
        yield message("Share"), message("The part of all people who are in a cell.")
    if report.privacy.attributes is not None:
        yield (
            message("Lift"),
            message("How many times as likely a value becomes: the confidence divided by the prior."),
        )
    if "odds" in report.privacy.model_fields_set:
        yield (
            message("Odds factor"),
            message(
                "The most by which an outcome can change the odds that something is true of a person, for anybody who "
                "knows the person’s group. Odds compare how likely something is with how likely it is not."
            ),
        )
    if report.fairness:
        yield message("Rate"), message("The share of a group’s people who get an outcome.")
    if any(assessment.verdict is not None for assessment in report.fairness):
        yield (
            message("Threshold"),
            message("The limit that a fairness figure should keep. The publisher chose it."),
        )
        yield (
            message("Verdict"),
            message("Whether the true figure keeps its threshold, where that is certain."),
        )


_TRUE_RULE = {
    (True, True): message("The rule that was found by looking at cases."),
    (True, False): message(
        "The rule that was found by looking at cases, before it was changed to protect people. It is not published."
    ),
    (False, True): message("The rule by which the decisions are made."),
    (False, False): message("The rule by which the decisions are made. It is not published."),
}
"""By whether it was found in cases, and whether it is announced as it is."""
