"""Notes on fairness figures: what they are for, what chance adds to them, and which comparisons could not be made."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from atreport.analysis.sampling import LEVEL, counts_are_published
from atreport.kit.language import message, say, say_many
from atreport.kit.language.words import quote
from atreport.kit.numbers import count
from atreport.publication.words.estimation import DESCRIBES
from atreport.publication.words.told import Told, a_number, a_share, tell, tell_many, together
from atreport.report.fairness import Assessment, NotAssessed
from atreport.report.model import Report
from atreport.spec.models.measures import MEASURES
from atreport.spec.models.measures.error_rates import ErrorRate
from atreport.spec.models.process import Process

MOST_NAMED = 10
"""So many comparisons that could not be made are named; the report lists all."""

FOUR_FIFTHS = Decimal("0.8")

_RATES: dict[ErrorRate, str] = {
    "equal_opportunity": message("equal opportunity"),
    "equalised_odds": message("equalised odds"),
    "false_positive": message("false positive rate"),
    "false_negative": message("false negative rate"),
    "predictive_parity": message("predictive parity"),
}


def fairness_words(assessments: Sequence[Assessment]) -> Told:
    """What fairness figures can tell and what not."""
    return together(
        tell(
            "The measures help to assess how the process treats groups of people. None of them proves or disproves that "
            "it is fair, and which of them matters depends on the case."
        ),
        tell(
            "There are too many cells to compare all people with each other one by one. So the figure for individual "
            "fairness is the largest difference that a limited search found. Its interval is certain all the same."
        )
        if any(a.value_at_most is not None for a in assessments)
        else "",
        tell(
            "The four-fifths rule (a ratio of at least {four_fifths}) is a screening rule: it tells where to look "
            "closer. It is not a legal finding.",
            four_fifths=a_number(FOUR_FIFTHS),
        )
        if any(MEASURES[a.measure].screened_by_four_fifths for a in assessments)
        else "",
    )


def chance_words(report: Report) -> Told:
    """What chance adds; and, where no other note says it, what a rule that was found in records does not show."""
    return together(
        tell(
            "The probabilities behind this report are frequencies among recorded cases. Other cases of the same process "
            "would have given somewhat different ones, by chance alone."
        ),
        _chance_interval() if counts_are_published(report.rule_table) else _no_chance_interval(),
        "" if report.estimation else tell(DESCRIBES),
    )


def _no_chance_interval() -> Told:
    return tell(
        "How different depends on the number of cases. That is not published, so no interval for it can be given."
    )


def _chance_interval() -> Told:
    return tell(
        "So a second interval stands beside the certified one. It covers both what was changed and chance in the "
        "records. Of intervals made in this way, at least {level} hold the figure that the process has in the long run, "
        "however the announced rule was chosen. (They are exact binomial intervals by Clopper and Pearson, for the "
        "fewest and the most cases that the certified interval leaves; for comparisons with a correction by Bonferroni "
        "for the number of rates.) The certified interval is about the recorded cases and holds for certain. The second "
        "one is about the process behind them and holds with that confidence.",
        level=a_share(LEVEL),
    )


def not_assessed_words(left_out: Sequence[NotAssessed], process: Process) -> Told:
    """Which comparisons could not be made, by the reason why."""
    nobody = [each for each in left_out if each.reason is None]
    joined = [each for each in left_out if each.reason == "joined"]
    unlisted = [each for each in left_out if each.reason == "left_out"]
    return together(
        _without_people(nobody, _named("nobody_in", nobody, process)),
        _without_members(joined, _named("joined_in", joined, process)),
        _without_those_left_out(unlisted, _named("left_out_of", unlisted, process)),
    )


def _without_people(left_out: Sequence[NotAssessed], named: Told) -> Told:
    if not left_out:
        return Told("")
    because = tell_many(
        "nobody",
        len(left_out),
        "{number} comparison could not be made, because nobody is in at least one of its groups.",
        "{number} comparisons could not be made, because nobody is in at least one of their groups.",
    )
    return together(because, named)


def _without_members(left_out: Sequence[NotAssessed], named: Told) -> Told:
    if not left_out:
        return Told("")
    because = tell_many(
        "joined",
        len(left_out),
        "{number} comparison could not be made, because values were joined: the report does not say who is in its "
        "groups, or it says only what the people of a coarser value get on average.",
        "{number} comparisons could not be made, because values were joined: the report does not say who is in their "
        "groups, or it says only what the people of a coarser value get on average.",
    )
    return together(because, named)


def _without_those_left_out(left_out: Sequence[NotAssessed], named: Told) -> Told:
    if not left_out:
        return Told("")
    because = tell_many(
        "left_out",
        len(left_out),
        "{number} comparison could not be made, because people are left out of this report: nobody in it is known to be in "
        "one of the groups, and somebody who is left out may be.",
        "{number} comparisons could not be made, because people are left out of this report: nobody in it is known to be in "
        "one of the groups, and somebody who is left out may be.",
    )
    return together(because, named)


def _named(name: str, left_out: Sequence[NotAssessed], process: Process) -> Told:
    """The first of some comparisons, by their groups."""
    first = left_out[:MOST_NAMED]
    comparisons = "; ".join(_written(each, process) for each in first)
    if len(left_out) > MOST_NAMED:
        text = say("The first {shown}: {comparisons}.", shown=count(MOST_NAMED), comparisons=comparisons)
        return Told(text, {f"{name}_first": MOST_NAMED, name: tuple(map(_in_no_language, first))})
    text = say_many(
        len(left_out),
        "The comparison: {comparisons}.",
        "The comparisons: {comparisons}.",
        comparisons=comparisons,
    )
    return Told(text, {name: tuple(map(_in_no_language, first))})


def _written(each: NotAssessed, process: Process) -> str:
    """The two groups of a comparison, which rate is compared and among whom."""
    groups = " / ".join(map(quote, each.groups)) if each.groups else say("people with each other, one by one")
    about = [
        *([say(_RATES[each.rate])] if each.rate else []),
        *(
            quote(say("{attribute}: {value}", attribute=process.attribute(name).title, value=value))
            for name, value in (each.given or {}).items()
        ),
    ]
    return f"{groups} ({', '.join(about)})" if about else groups


def _in_no_language(each: NotAssessed) -> str:
    given = (f"{name}={value}" for name, value in (each.given or {}).items())
    return "; ".join(filter(None, (each.measure, each.rate, " / ".join(each.groups or ()), *given)))
