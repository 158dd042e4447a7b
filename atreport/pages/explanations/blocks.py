"""A block of the section on how the rule decides, and the sentences that several blocks have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from atreport.kit.numbers import percent, points
from atreport.kit.tables import Table
from atreport.pages.explanations.wording import record_text
from atreport.publication.small_numbers import large_cell_of
from atreport.report.explanation import Influence, Kind, RuleSet, Scheme
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class Block:
    """One or a few methods: what they are, what they show, and what to mind."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[str, ...] = ()  # ids of its charts
    fine: str = ""


def rules_of(report: Report, *schemes: Scheme) -> list[RuleSet]:
    """The report's rules of some schemes, in the order of the schemes."""
    return [each for scheme in schemes for each in report.rules if each.scheme == scheme]


def influences_of(report: Report, *kinds: Kind) -> list[Influence]:
    """The report's influences of some kinds, in the order of the report."""
    return [each for each in report.influence if each.kind in kinds]


def words_of(figures: Sequence[Influence], words: Mapping[Kind, str]) -> str:
    """What each kind of figure is, for the kinds that there are."""
    kinds = {figure.kind for figure in figures}
    return " ".join(text for kind, text in words.items() if kind in kinds)


def closeness_text(report: Report, rule_set: RuleSet, subject: str) -> str:
    """How faithful a simpler rule is, in words."""
    faithful = rule_set.faithfulness
    assert faithful is not None, "every simpler rule says how faithful it is"
    if faithful.worst_error == 0:
        return f"{subject} gives everybody the announced probability."
    worst = ""
    if large_cell_of(report, faithful.worst):
        worst = f", for {record_text(report.process, faithful.worst)}"
    return (
        f"{subject} is off by at most {points(faithful.average_error)} on average over all people, and by "
        f"{points(faithful.worst_error)} at worst{worst}."
    )


def reach_text(figures: Sequence[Influence]) -> str:
    """What was done about combinations that nobody has; nothing to say where all occur."""
    reached = [figure.reach for figure in figures if figure.reach is not None]
    if not reached or min(reached) == 1:
        return ""
    return (
        "A draw that leads to a combination which nobody has is not made, and the person stays as they are. Here "
        f"{percent(min(reached))} to {percent(max(reached))} of the draws could be made; report.json has the share for "
        "each figure."
    )
