"""Turn a release and its assessments into the glossary: the terms that this report uses, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atreport.analysis.assessment import Assessment
from atreport.analysis.explanations.figure import Explanation
from atreport.announcement import Release
from atreport.pages.explanations.wording import explanation_terms
from atreport.spec.models.spec import PublicSpec


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    meaning: str


def glossary(
    release: Release, spec: PublicSpec, assessments: Sequence[Assessment], explanation: Explanation
) -> tuple[Term, ...]:
    """The terms this report uses, in alphabetical order."""
    used = {a.measure for a in assessments}
    terms = {
        "Announced rule": "The rule as printed here: for each cell the probability of each outcome, changed on purpose.",
        "Cell": "All people who have the same value of every attribute.",
        "Confidence (β)": "The probability that an observer gives to a person's sensitive value after reading this "
        "report and learning the person's outcome. The report's β is the highest over all groups.",
        "Disclosure note": "A statement on what was changed, withheld or left uncovered.",
        "Fidelity": "How close every announced probability is to the true one.",
        "Group": "All people who have the same public attributes, and whom an observer therefore cannot tell apart.",
        "Interval": "The range in which the true figure lies for certain, given the fidelity.",
        "Prior": "The confidence an observer has before any report, from the population alone.",
        "Public attribute": "Something others may know of a person.",
        "Sensitive attribute": "Something that must not be inferred about a person.",
        "True rule": "The rule by which the decisions are made. It is not published.",
        "Uncertainty (γ)": "The same as confidence on another scale: γ = −log β. The larger, the better protected.",
    }
    terms |= explanation_terms(explanation)
    if "statistical_parity" in used or "conditional_statistical_parity" in used:
        terms["Statistical parity"] = "How far apart the favourable rates of two groups are; 0 means equal."
    if "conditional_statistical_parity" in used:
        terms["Conditional statistical parity"] = (
            "The same, among people who are alike in the attributes named."
        )
    if "p_percent_rule" in used:
        terms["p% rule"] = (
            "The lower favourable rate as a share of the higher; 100% means equal. A screening rule asks "
            "for at least p, often four fifths (80%)."
        )
    if "impact_ratio" in used:
        terms["Impact ratio"] = (
            "A group's favourable rate as a share of the most favoured group's rate; 100% means equal."
        )
    if "group_disparity" in used:
        terms["Group disparity"] = "The largest difference between the favourable rates of any two groups."
    if "individual" in used:
        terms["Individual fairness"] = (
            "By how much two people are treated more differently than they differ, at most."
        )
    if any(a.role == "private" for a in spec.process.attributes):
        terms["Private attribute"] = (
            "Something the rule looks at which others do not know and this report does not protect."
        )
    if release.population == "shares":
        terms["Share"] = "The part of all people who are in a cell."
    return tuple(Term(name, terms[name]) for name in sorted(terms, key=str.casefold))
