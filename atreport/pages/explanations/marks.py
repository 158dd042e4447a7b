"""What the charts of several blocks have in common: a mark for a figure or a rule, and how far values extend in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

from atreport.analysis.explanations.explanation import members
from atreport.kit.numbers import counted, percent, points
from atreport.kit.panels import MAX_MARKS, Dots, Mark, Plot
from atreport.pages.explanations.wording import attributes_text, condition_text
from atreport.report.explanation import Influence
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.spec.models.process import Process


def figure_mark(process: Process, figure: Influence, kind: str = "") -> Mark:
    """An influence with the interval around it."""
    return Mark(
        attributes_text(process, figure.attributes) + (f", {kind}" if kind else ""),
        float(figure.value),
        float(figure.result.low),
        float(figure.result.high),
    )


def percent_extent(values: Iterable[float]) -> str:
    """From the least to the largest, in percent with the digits they have."""
    numbers = [Decimal(repr(value)) for value in values]
    return f"{percent(min(numbers))} to {percent(max(numbers))}"


def points_extent(values: Iterable[float]) -> str:
    """The same in percentage points."""
    numbers = [Decimal(repr(value)) for value in values]
    return f"{points(min(numbers))} to {points(max(numbers))}".replace("-", "minus ")


def plot_rules(report: Report, id: str, title: str, rules: Sequence[tuple[Condition, Decimal]]) -> Plot:
    """Each rule's rate, and the announced probabilities of the cells it stands for."""
    marks = tuple(_rule_mark(report, *rule) for rule in rules[:MAX_MARKS])
    panel = Dots(
        marks=marks,
        axis=f"Probability of “{report.process.outcome.favourable}”",
        band="announced, of the cells it stands for",
        dot="by the simpler rule",
    )
    alt = (
        f"{counted(len(marks), 'rule')}, a row each: a dot for its probability, a bar from the lowest to the highest "
        f"announced probability of the cells it stands for. Dots run from {percent_extent([m.value for m in marks])}."
    )
    return Plot(id=id, title=title, alt=alt, panels=(panel,))


def _rule_mark(report: Report, condition: Condition, probability: Decimal) -> Mark:
    rule = report.described_rule
    inside = rule.announced[members(rule.cells, condition)]
    label = condition_text(report.process, condition)
    return Mark(label, float(probability), int(inside.min()) / rule.scale, int(inside.max()) / rule.scale)
