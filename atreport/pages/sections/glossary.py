"""Turn a report into its glossary: the terms that it uses, and no others."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from atreport.compose.estimation import is_described
from atreport.compose.notes import is_only_rounded, is_unchanged
from atreport.pages.explanations import explanation_terms
from atreport.pages.measures import measures_used
from atreport.report.model import Report
from atreport.text.language import gettext


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    meaning: str


def glossary(report: Report) -> tuple[Term, ...]:
    """The terms this report uses, in alphabetical order."""
    terms = {
        term.name: term
        for part in (_rule_terms, _people_terms, _privacy_terms, _fairness_terms)
        for term in part(report)
    }
    for name, meaning in explanation_terms(report).items():
        terms[gettext(name)] = Term(gettext(name), gettext(meaning))
    for words in measures_used(report.fairness):
        for name, meaning in words.terms_with(len(report.process.outcome.values)).items():
            terms[gettext(name)] = Term(gettext(name), gettext(meaning))
    return tuple(terms[name] for name in sorted(terms, key=_letters))


def _letters(name: str) -> str:
    """What a name is sorted by: its letters without accents or capitals."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def _rule_terms(report: Report) -> Iterator[Term]:
    """What is announced, what is true, and how far they are apart."""
    if is_unchanged(report.policy.fidelity):
        yield Term(
            gettext("Announced rule"),
            gettext(
                "The rule as printed here: for each cell the probability of each outcome. Here it is the true rule."
            ),
        )
    elif is_only_rounded(report):
        yield Term(
            gettext("Announced rule"),
            gettext(
                "The rule as printed here: for each cell the probability of each outcome. Here it is the true rule, rounded."
            ),
        )
    else:
        yield Term(
            gettext("Announced rule"),
            gettext(
                "The rule as printed here: for each cell the probability of each outcome, changed on purpose."
            ),
        )
        yield Term(gettext("Mechanism"), gettext("The method by which the announced rule was chosen."))
    yield Term(gettext("True rule"), _true_rule(report))
    yield Term(gettext("Fidelity"), gettext("How close every announced probability is to the true one."))
    yield Term(
        gettext("Interval"),
        gettext("The range in which the true figure lies for certain, given the fidelity."),
    )
    yield Term(
        gettext("Disclosure note"), gettext("A statement on what was changed, withheld or left uncovered.")
    )
    yield Term(
        gettext("Percentage point"),
        gettext(
            "The unit of a difference between two percentages: 20% and 25% are 5 percentage points apart."
        ),
    )


def _true_rule(report: Report) -> str:
    unchanged = is_unchanged(report.policy.fidelity) or is_only_rounded(report)
    if is_described(report):
        if unchanged:
            return gettext("The rule that was found by looking at cases.")
        return gettext(
            "The rule that was found by looking at cases, before it was changed to protect people. It is not published."
        )
    if unchanged:
        return gettext("The rule by which the decisions are made.")
    return gettext("The rule by which the decisions are made. It is not published.")


def _people_terms(report: Report) -> Iterator[Term]:
    """How people are described and counted."""
    yield Term(
        gettext("Attribute"), gettext("Something by which this report describes people, such as an age.")
    )
    yield Term(
        gettext("Public attribute"),
        gettext("An attribute that others may know of a person. It is also called a quasi-identifier."),
    )
    yield Term(
        gettext("Sensitive attribute"),
        gettext("An attribute that nobody should be able to infer about a person."),
    )
    if any(a.role == "private" for a in report.process.attributes):
        yield Term(
            gettext("Private attribute"),
            gettext(
                "An attribute that others do not know of a person, and that this report does not protect."
            ),
        )
    yield Term(gettext("Cell"), gettext("All people who have the same value of every attribute."))
    yield Term(
        gettext("Group"),
        gettext("All people who have the same public attributes. An observer cannot tell them apart."),
    )
    yield Term(gettext("Population"), gettext("All people whom this report describes."))
    if report.policy.population == "shares":
        yield Term(gettext("Share"), gettext("The part of all people who are in a cell."))
    yield Term(
        gettext("Favourable outcome"),
        gettext(
            "The outcome whose probability this report prints: “{outcome}”.",
            outcome=report.process.outcome.favourable,
        ),
    )


def _privacy_terms(report: Report) -> Iterator[Term]:
    """What somebody can infer."""
    yield Term(
        gettext("Observer"),
        gettext(
            "Somebody who knows a person’s public attributes and outcome, reads this report and wants to know more."
        ),
    )
    yield Term(
        gettext("Confidence (β)"),
        gettext(
            "The probability that an observer gives to a person’s sensitive value after reading this report and learning "
            "the person’s outcome. The report’s β is the highest over all groups."
        ),
    )
    yield Term(
        gettext("Prior (before)"),
        gettext("The confidence that an observer has before any report, from the population alone."),
    )
    yield Term(
        gettext("Uncertainty (γ)"),
        gettext("The same as confidence on another scale: γ = −log β. The larger, the better protected."),
    )
    if report.privacy.attributes is not None:
        yield Term(
            gettext("Lift"),
            gettext("How many times as likely a value becomes: the confidence divided by the prior."),
        )
    if "odds" in report.privacy.model_fields_set:
        yield Term(
            gettext("Odds factor"),
            gettext(
                "The most by which an outcome can change the odds that something is true of a person, for anybody who "
                "knows the person’s group. Odds compare how likely something is with how likely it is not."
            ),
        )


def _fairness_terms(report: Report) -> Iterator[Term]:
    """How fairness is measured."""
    if not report.fairness:
        return
    yield Term(gettext("Rate"), gettext("The share of a group’s people who get an outcome."))
    if any(assessment.verdict is not None for assessment in report.fairness):
        yield Term(
            gettext("Threshold"),
            gettext("The limit that a fairness figure should keep. The publisher chose it."),
        )
        yield Term(
            gettext("Verdict"), gettext("Whether the true figure keeps its threshold, where that is certain.")
        )
