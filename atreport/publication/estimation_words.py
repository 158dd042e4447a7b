"""How the rule was estimated, in words; and the words that depend on whether it was."""

from __future__ import annotations

from decimal import Decimal

from atreport.kit.numbers import count, counted, percent, short
from atreport.report.model import Estimation, PublishedCut, Report
from atreport.report.people import ValueRange
from atreport.spec.models.process import Outcome, Process

_METHODS = {
    "frequency": (
        "The rule was found in records of decided cases: what this report calls the true probability of an outcome is "
        "the share of a cell’s recorded cases that ended in it."
    ),
    "tree": (
        "The rule was found in records of decided cases by fitting a decision tree to them. What this report calls the "
        "true probability is the tree’s: cases that the tree does not tell apart have the same."
    ),
    "model": (
        "The rule is a trained model’s. What this report calls the true probability of an outcome is the model’s answer "
        "for the people of a cell."
    ),
}


DOES_NOT_SHOW = (
    "It describes how outcomes go with what is known of people; that an attribute stands here does not show that the "
    "decision uses it."
)
DESCRIBES = f"The rule was found by looking at cases, not read from the process. {DOES_NOT_SHOW}"
"""What a rule that was estimated says, and what it does not."""


def is_described(report: Report) -> bool:
    """Whether the rule was found in records, or by asking a model about them.

    Then attributes describe people, and need not be what the decision looks at: a file that records a person's origin does
    not show that anybody used it.
    """
    return report.estimation is not None or report.process.estimated_from is not None


def by_source(report: Report, *, given: str, described: str) -> str:
    """Words that depend on whether the rule was given as it is or found by looking at cases."""
    return described if is_described(report) else given


def estimation_words(estimation: Estimation, process: Process) -> str:
    """How the rule was estimated, and what was left out on the way."""
    sentences = [_METHODS[estimation.method]]
    if estimation.faithfulness is not None:
        sentences.append(
            f"The tree agrees with at least {percent(estimation.faithfulness)} of the recorded decisions (the more likely "
            "outcome of a case counts as the tree’s). The stated fidelity is to the tree, not to single decisions."
        )
    if estimation.excluded is not None:
        left_out = counted(estimation.excluded, "record")
        was = "was" if estimation.excluded == 1 else "were"
        sentences.append(
            f"{left_out} {was} left out because something was missing in {_them(estimation.excluded)}."
        )
    if estimation.excluded_between is not None:
        fewest, most = estimation.excluded_between
        sentences.append(
            f"Between {count(fewest)} and {counted(most, 'record')} were left out because something was missing in them."
        )
    if estimation.outcome is not None:
        sentences.append(_cut_words(estimation.outcome, process.outcome))
    if estimation.population == "census":
        sentences.append("The number of people in each cell is from other statistics, not from the records.")
    if estimation.edges_from_decisions:
        *others, last = (f"“{process.attribute(n).title}”" for n in estimation.edges_from_decisions)
        titles = f"{', '.join(others)} and {last}" if others else last
        sentences.append(
            f"Where the values of {titles} begin and end was chosen by looking at the decisions. So the ranges themselves "
            "tell something about the rule, which the privacy promise does not cover."
        )
    return " ".join(sentences)


def _cut_words(cut: PublishedCut, outcome: Outcome) -> str:
    """How a number became the outcome."""
    if cut.ranges is None:
        rest, above = outcome.values
        return (
            f"“{outcome.title}” was recorded as a number: “{above}” are the cases above the median of all recorded ones, "
            f"“{rest}” all others. The median itself is a figure of confidential records and is not published. It depends "
            "on all of them, so no case stands by itself, and no interval for chance is given."
        )
    ranges = "; ".join(f"“{each.value}” stands for {range_words(each)}" for each in cut.ranges)
    return f"“{outcome.title}” was recorded as a number: {ranges}."


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def range_words(each: ValueRange) -> str:
    """A range in words; its lower end belongs to it, its upper end does not."""
    if each.low is None:
        return "any" if each.high is None else f"below {_number(each.high)}"
    if each.high is None:
        return f"{_number(each.low)} and more"
    return f"{_number(each.low)} to below {_number(each.high)}"


def _number(number: Decimal) -> str:
    return count(int(number)) if number == int(number) else short(number)
