"""What the charts of several blocks have in common: marks of figures and rules, which of many, and their ends in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from atreport.analysis.explanations.explanation import members
from atreport.kit.language import say, say_many
from atreport.kit.numbers import count, percent, points
from atreport.kit.panels import MAX_MARKS, Dots, Mark, Plot, rows_that_fit
from atreport.pages.explanations.wording import attributes_text, condition_text
from atreport.report.explanation import Influence
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.spec.models.process import Process


def figure_mark(process: Process, figure: Influence, kind: str = "") -> Mark:
    """An influence with the interval around it; `kind` tells it apart from others of the same attributes."""
    attributes = attributes_text(process, figure.attributes)
    return Mark(
        say("{attributes}, {kind}", attributes=attributes, kind=kind) if kind else attributes,
        float(figure.value),
        float(figure.result.low),
        float(figure.result.high),
    )


def furthest(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """All marks where they fit into a chart; otherwise those furthest from 0, the furthest first."""
    room = rows_that_fit([mark.label for mark in marks])
    if len(marks) <= room:
        return tuple(marks)
    return tuple(sorted(marks, key=lambda mark: -abs(mark.value))[:room])


def titled(title: str, shown: Sequence[Mark], each: Sequence[Mark]) -> str:
    """The title of a chart of the furthest marks, which says whether they are all."""
    if len(shown) == len(each):
        return title
    return say(
        "{title} (the {shown} furthest from 0, of {total})",
        title=title,
        shown=count(len(shown)),
        total=count(len(each)),
    )


def in_percent(value: float) -> str:
    """A printed share that is drawn, in percent with the digits it has."""
    return percent(Decimal(repr(value)))


def in_points(value: float) -> str:
    """A printed difference that is drawn, in percentage points; its sign is a word, to be read aloud."""
    amount = Decimal(repr(value))
    return points(amount) if amount >= 0 else say("minus {amount}", amount=points(-amount))


def percent_run(values: Iterable[float]) -> str:
    """From where to where dots run, in percent."""
    ends = list(values)
    return say("Dots run from {low} to {high}.", low=in_percent(min(ends)), high=in_percent(max(ends)))


def points_run(values: Iterable[float]) -> str:
    """The same in percentage points."""
    ends = list(values)
    return say("Dots run from {low} to {high}.", low=in_points(min(ends)), high=in_points(max(ends)))


def plot_rules(report: Report, id: str, title: str, rules: Sequence[tuple[Condition, Decimal]]) -> Plot:
    """Each rule's rate, and the announced probabilities of the cells it stands for."""
    each = [_rule_mark(report, *rule) for rule in rules[:MAX_MARKS]]
    marks = tuple(each[: rows_that_fit([mark.label for mark in each])])
    panel = Dots(
        marks=marks,
        axis=say("Probability of “{favourable}”", favourable=report.process.outcome.favourable),
        band=say("announced, of the cells it stands for"),
        dot=say("by the simpler rule"),
    )
    shows = say_many(
        len(marks),
        "One row for {number} rule: a dot for its probability, a bar from the lowest to the highest announced probability "
        "of the cells it stands for.",
        "A row for each of {number} rules: a dot for its probability, a bar from the lowest to the highest announced "
        "probability of the cells it stands for.",
    )
    if len(marks) < len(rules):
        title = say(
            "{title} (the first {shown} of {total})",
            title=title,
            shown=count(len(marks)),
            total=count(len(rules)),
        )
    alt = f"{shows} {percent_run(mark.value for mark in marks)}"
    return Plot(id=id, title=title, alt=alt, panels=(panel,))


def _rule_mark(report: Report, condition: Condition, probability: Decimal) -> Mark:
    rule = report.described_rule
    inside = rule.announced[members(rule.cells, condition)]
    label = condition_text(report.process, condition)
    return Mark(label, float(probability), int(inside.min()) / rule.scale, int(inside.max()) / rule.scale)
