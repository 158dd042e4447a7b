"""Error rates for readers."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.kit.language import message, say
from atreport.kit.language.words import list_or, quote
from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords, RateWords
from atreport.spec.models.measures import AnyMeasure, ErrorRates
from atreport.spec.models.measures.error_rates import RateKind
from atreport.spec.models.process import Process

WORDS = MeasureWords(
    name=message("Error rates"),
    definition=message(
        "how often decisions turned out right or wrong, compared between two groups. For each rate, 0 means equal."
    ),
    terms={
        message("Error rates"): message(
            "How often decisions turned out right or wrong, given what really happened. The favourable outcome was right "
            "for some people and wrong for others, as the report says."
        ),
        message("Equal opportunity"): message(
            "Of the people for whom the favourable outcome was right, the same share of each group got it."
        ),
        message("Equalised odds"): message(
            "Equal shares of each group got the favourable outcome, both among the people for whom it was right and among "
            "those for whom it was wrong."
        ),
        message("False positive rates"): message(
            "The share of a group who got the favourable outcome, among the people for whom it was wrong."
        ),
        message("False negative rates"): message(
            "The share of a group who did not get the favourable outcome, among the people for whom it was right."
        ),
        message("Predictive parity"): message(
            "Of the people who got the favourable outcome, it was right for the same share of each group."
        ),
    },
    unit=POINTS,
    rates={
        "equal_opportunity": RateWords(
            message("Equal opportunity"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, among people for whom it was right. 0 means equal."
            ),
        ),
        "equalised_odds": RateWords(
            message("Equalised odds"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, once among people for whom it was right and once "
                "among people for whom it was wrong; the larger of the two differences counts. 0 means equal."
            ),
        ),
        "false_positive": RateWords(
            message("False positive rates"),
            message(
                "how far apart two groups’ rates of “{favourable}” are, among people for whom it was wrong. 0 means equal."
            ),
        ),
        "false_negative": RateWords(
            message("False negative rates"),
            message(
                "how far apart two groups’ shares of people who did not get “{favourable}” are, among people for whom it "
                "was right. 0 means equal."
            ),
        ),
        "predictive_parity": RateWords(
            message("Predictive parity"),
            message(
                "how far apart two groups’ shares of people for whom “{favourable}” was right are, among those who got it. "
                "0 means equal."
            ),
        ),
    },
)

KINDS: dict[RateKind, str] = {
    "true_positive": message("got “{favourable}”, of those for whom it was right"),
    "false_positive": message("got “{favourable}”, of those for whom it was wrong"),
    "false_negative": message("did not get “{favourable}”, of those for whom it was right"),
    "predictive": message("it was right for them, of those who got “{favourable}”"),
}
"""What an error rate is the share of, to be said with the favourable outcome."""


def what_was_right(process: Process, measures: Iterable[AnyMeasure]) -> tuple[str, ...]:
    """For whom the favourable outcome was right and for whom wrong: a sentence for each label."""
    found = []
    for asked in measures:
        if isinstance(asked, ErrorRates):
            label = process.attribute(asked.label)
            right, wrong = (
                list_or(quote(value) for value in values)
                for values in (asked.positive_values(process), asked.negative_values(process))
            )
            found.append(
                say(
                    "“{favourable}” counts as right for people whose “{label}” is {right}, and as wrong for people whose "
                    "“{label}” is {wrong}. “{label}” tells what really happened. This report does not use it to explain "
                    "decisions.",
                    favourable=process.outcome.favourable,
                    label=label.title,
                    right=right,
                    wrong=wrong,
                )
            )
    return tuple(dict.fromkeys(found))
