"""A block of the section on how the rule decides, and the sentences that several blocks have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from atreport.kit.language import say
from atreport.kit.numbers import percent, points
from atreport.kit.tables import Table
from atreport.pages.explanations.wording import record_text
from atreport.publication.small_numbers import large_record_of
from atreport.report.explanation import Influence, Kind, RuleSet, Scheme
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class Block:
    """One or a few methods: what they are, what they show, and what to mind."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[str, ...] = ()  # ids of its charts, filled in by the registry
    fine: str = ""


def rules_of(report: Report, *schemes: Scheme) -> list[RuleSet]:
    """The report's rules of some schemes, in the order of the schemes."""
    return [each for scheme in schemes for each in report.rules if each.scheme == scheme]


def influences_of(report: Report, *kinds: Kind) -> list[Influence]:
    """The report's influences of some kinds, in the order of the report."""
    return [each for each in report.influence if each.kind in kinds]


def words_of(figures: Sequence[Influence], words: Mapping[Kind, str]) -> str:
    """What each kind of figure is, for the kinds that there are; the words are messages."""
    kinds = {figure.kind for figure in figures}
    return " ".join(say(text) for kind, text in words.items() if kind in kinds)


def closeness_text(report: Report, rule_set: RuleSet, name: str) -> str:
    """How faithful a simpler rule is, in words that follow its name."""
    faithful = rule_set.faithfulness
    assert faithful is not None, "every simpler rule says how faithful it is"
    if faithful.worst_error == 0:
        return say("{name}: everybody gets the announced probability.", name=name)
    average, worst = points(faithful.average_error), points(faithful.worst_error)
    if not large_record_of(report, faithful.worst):
        return say(
            "{name}: the probabilities differ from the announced ones by at most {average} on average over all people, and "
            "by at most {worst} for anybody.",
            name=name,
            average=average,
            worst=worst,
        )
    return say(
        "{name}: the probabilities differ from the announced ones by at most {average} on average over all people, and by "
        "at most {worst} for anybody. The difference is largest for {record}.",
        name=name,
        average=average,
        worst=worst,
        record=record_text(report.process, faithful.worst),
    )


def reach_text(figures: Sequence[Influence]) -> str:
    """What was done about combinations that nobody has; nothing to say where all occur."""
    reached = [figure.reach for figure in figures if figure.reach is not None]
    if not reached or min(reached) == 1:
        return ""
    return say(
        "Drawing a value anew can lead to a combination of values that nobody has. Then the person stays as they are. For "
        "these figures, between {low} and {high} of the draws could be made; report.json has the share for each figure.",
        low=percent(min(reached)),
        high=percent(max(reached)),
    )
