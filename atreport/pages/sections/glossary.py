"""Turn a report into its glossary: the terms that it uses, and no others."""

from __future__ import annotations

from dataclasses import dataclass

from atreport.pages.explanations import explanation_terms
from atreport.pages.measures import measures_used
from atreport.publication.estimation_words import by_source
from atreport.report.model import Report


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    meaning: str


def glossary(report: Report) -> tuple[Term, ...]:
    """The terms this report uses, in alphabetical order."""
    terms = {
        "Announced rule": "The rule as printed here: for each cell the probability of each outcome, changed "
        "on purpose.",
        "Cell": "All people who have the same value of every attribute.",
        "Confidence (β)": "The probability that an observer gives to a person's sensitive value after "
        "reading this report and learning the person's outcome. The report's β is the highest over all "
        "groups.",
        "Disclosure note": "A statement on what was changed, withheld or left uncovered.",
        "Fidelity": "How close every announced probability is to the true one.",
        "Group": "All people who have the same public attributes, and whom an observer therefore cannot "
        "tell apart.",
        "Interval": "The range in which the true figure lies for certain, given the fidelity.",
        "Prior": "The confidence an observer has before any report, from the population alone.",
        "Public attribute": "Something others may know of a person.",
        "Sensitive attribute": "Something that must not be inferred about a person.",
        "True rule": by_source(
            report,
            given="The rule by which the decisions are made. It is not published.",
            described="The rule that was found by looking at cases, before it was changed to protect people. It is not "
            "published.",
        ),
        "Uncertainty (γ)": "The same as confidence on another scale: γ = −log β. The larger, the better "
        "protected.",
    }
    terms |= explanation_terms(report)
    for words in measures_used(report.fairness):
        terms |= words.terms
    if any(a.role == "private" for a in report.process.attributes):
        terms["Private attribute"] = by_source(
            report,
            given="Something the rule looks at which others do not know and this report does not protect.",
            described="Something this report describes people by which others do not know and it does not protect.",
        )
    if report.policy.population == "shares":
        terms["Share"] = "The part of all people who are in a cell."
    return tuple(Term(name, terms[name]) for name in sorted(terms, key=str.casefold))
