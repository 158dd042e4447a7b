"""How the rule was estimated, in words; and the words that depend on whether it was."""

from collections.abc import Iterator
from decimal import Decimal

from atreport.compose.message import (
    Message,
    Value,
    a_count,
    a_share,
    a_text,
    attributes_listed,
    format_message,
    format_messages,
    numbered,
    together,
)
from atreport.report.model import Estimation, PublishedCut, Report
from atreport.report.people import ValueRange
from atreport.spec.process import Outcome, Process
from atreport.text.language import count, gettext, message
from atreport.text.numbers import short

_METHODS = {
    "frequency": message(
        "The rule was found in records of decided cases. What this report calls the true probability of an outcome is the "
        "share of a cell’s recorded cases that ended in it."
    ),
    "tree": message(
        "The rule was found in records of decided cases by fitting a decision tree to them. What this report calls the true "
        "probability is the tree’s: cases that the tree does not tell apart have the same."
    ),
    "model": message(
        "The rule is a trained model’s. What this report calls the true probability of an outcome is the model’s answer for "
        "the people of a cell."
    ),
}

DOES_NOT_SHOW = message(
    "It describes how outcomes go with what is known of people. That an attribute stands here does not show that the "
    "decision uses it."
)
DESCRIBES = message(
    "The rule was found by looking at cases, not read from the process. It describes how outcomes go with what is known of "
    "people. That an attribute stands here does not show that the decision uses it."
)
"""What a rule that was estimated says, and what it does not; to be said with `gettext`."""


def is_described(report: Report) -> bool:
    """Whether the rule was found in records, or by asking a model about them.

    Then attributes describe people, and need not be what the decision looks at: a file that records a person's origin does
    not show that anybody used it.
    """
    return report.estimation is not None or report.process.estimated_from is not None


def by_source(report: Report, *, given: str, described: str) -> str:
    """Words that depend on whether the rule was given as it is or found by looking at cases."""
    return described if is_described(report) else given


def estimation_words(estimation: Estimation, process: Process) -> Message:
    """How the rule was estimated, what was left out on the way, and what an estimate does not show."""
    return together(*_sentences(estimation, process), format_message(DOES_NOT_SHOW))


def _sentences(estimation: Estimation, process: Process) -> Iterator[Message]:
    yield format_message(_METHODS[estimation.method])
    if estimation.faithfulness is not None:
        yield format_message(
            "The tree agrees with at least {faithfulness} of the recorded decisions (the more likely outcome of a case "
            "counts as the tree’s). The stated fidelity is to the tree, not to single decisions.",
            faithfulness=a_share(estimation.faithfulness),
        )
    if estimation.excluded is not None:
        yield format_messages(
            "excluded",
            estimation.excluded,
            "{number} record was left out because something was missing in it.",
            "{number} records were left out because something was missing in them.",
        )
    if estimation.excluded_between is not None:
        fewest, most = estimation.excluded_between
        yield format_message(
            "At least {fewest_excluded} and at most {most_excluded} records were left out because something was missing in "
            "them.",
            fewest_excluded=a_count(fewest),
            most_excluded=a_count(most),
        )
    if estimation.outcome is not None:
        yield _cut_words(estimation.outcome, process.outcome)
    if estimation.population == "census":
        yield format_message(
            "The number of people in each cell is from other statistics, not from the records."
        )
    if estimation.edges_from_decisions:
        cut = tuple(process.attribute(name) for name in estimation.edges_from_decisions)
        yield format_message(
            "Where the values of {cut_by_decisions} begin and end was chosen by looking at the decisions. So the ranges "
            "themselves tell something about the rule. The privacy promise does not cover that.",
            cut_by_decisions=attributes_listed(cut),
        )


def _cut_words(cut: PublishedCut, outcome: Outcome) -> Message:
    """How a number became the outcome."""
    title = Value(written=outcome.title, argument=outcome.name)
    if cut.ranges is None:
        rest, above = outcome.values
        return format_message(
            "“{outcome}” was recorded as a number: “{above}” are the cases above the median of all recorded ones, “{rest}” "
            "all others. The median itself is a figure of confidential records and is not published. It depends on all of "
            "them, so no case stands by itself, and no interval for chance is given.",
            outcome=title,
            above=a_text(above),
            rest=a_text(rest),
        )
    ranges = numbered(map(_range_told, cut.ranges))
    return together(format_message("“{outcome}” was recorded as a number.", outcome=title), ranges)


def _range_told(each: ValueRange) -> Message:
    """What one outcome stands for; its figures are arguments as far as there are any."""
    ends = {"low": each.low, "high": each.high}
    told = gettext("“{value}” stands for: {range}.", value=each.value, range=range_words(each))
    return Message(
        told, {"value": each.value, **{name: end for name, end in ends.items() if end is not None}}
    )


def range_words(each: ValueRange) -> str:
    """A range in words; its lower end belongs to it, its upper end does not."""
    low, high = (None if end is None else _number(end) for end in (each.low, each.high))
    if low is None:
        return gettext("any number") if high is None else gettext("below {high}", high=high)
    return (
        gettext("{low} and more", low=low)
        if high is None
        else gettext("{low} to below {high}", low=low, high=high)
    )


def _number(number: Decimal) -> str:
    return count(int(number)) if number == int(number) else short(number)
