"""Error rates for readers."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords, RateWords
from atreport.spec.models.measures import AnyMeasure, ErrorRates
from atreport.spec.models.process import Process

WORDS = MeasureWords(
    name="Error rates",
    definition="how often decisions turned out right or wrong, compared between two groups; for each rate, 0 means equal.",
    terms={
        "Error rates": "How often decisions turned out right or wrong, given what really happened. The favourable outcome "
        "was right for some people and wrong for others, as the report says.",
        "Equal opportunity": "Of the people for whom the favourable outcome was right, the same share of each group got it.",
        "Equalised odds": "Equal shares of each group got the favourable outcome, both among the people for whom it was "
        "right and among those for whom it was wrong.",
        "False positive rates": "The share of a group who got the favourable outcome, among the people for whom it was "
        "wrong.",
        "False negative rates": "The share of a group who did not get the favourable outcome, among the people for whom it "
        "was right.",
        "Predictive parity": "Of the people who got the favourable outcome, it was right for the same share of each group.",
    },
    unit=POINTS,
    rates={
        "equal_opportunity": RateWords(
            "Equal opportunity",
            "the difference between two groups’ rates of “{favourable}” among people for whom it was right. "
            "0 means equal.",
        ),
        "equalised_odds": RateWords(
            "Equalised odds",
            "the larger of two differences between two groups’ rates of “{favourable}”: among people for whom it was right, "
            "and among people for whom it was wrong. 0 means equal.",
        ),
        "false_positive": RateWords(
            "False positive rates",
            "the difference between two groups’ rates of “{favourable}” among people for whom it was wrong. 0 means equal.",
        ),
        "false_negative": RateWords(
            "False negative rates",
            "the difference between two groups’ shares of people who did not get “{favourable}”, though it was right for "
            "them. 0 means equal.",
        ),
        "predictive_parity": RateWords(
            "Predictive parity",
            "among people who got “{favourable}”, the difference between two groups’ shares of those for whom it was right. "
            "0 means equal.",
        ),
    },
)

KINDS = {
    "true_positive": "got “{favourable}”, of those for whom it was right",
    "false_positive": "got “{favourable}”, of those for whom it was wrong",
    "false_negative": "did not get “{favourable}”, of those for whom it was right",
    "predictive": "it was right for them, of those who got “{favourable}”",
}
"""What an error rate is the share of."""


def what_was_right(process: Process, measures: Iterable[AnyMeasure]) -> tuple[str, ...]:
    """For whom the favourable outcome was right and for whom wrong: a sentence for each label."""
    found = []
    for asked in measures:
        if isinstance(asked, ErrorRates):
            label = process.attribute(asked.label)
            right, wrong = (
                " or ".join(f"“{value}”" for value in values)
                for values in (asked.positive_values(process), asked.negative_values(process))
            )
            found.append(
                f"“{process.outcome.favourable}” counts as right for people whose “{label.title}” is {right}, and as wrong "
                f"where it is {wrong}. “{label.title}” tells what really happened; it explains nothing in this report."
            )
    return tuple(dict.fromkeys(found))
