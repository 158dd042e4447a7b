"""Turn a report into its charts. Every number drawn is one that the report also prints.

Few rows are shown one by one; of many, the distribution and the extremes.
"""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.panels import Chart
from atreport.pages.charts.confidence import plot_confidence, plot_values
from atreport.pages.charts.fairness import plot_fairness
from atreport.pages.charts.rule import plot_rule
from atreport.pages.explanations import plot_explanation
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class Charts:
    """The charts of a report."""

    rule: Chart
    values: Chart | None  # sensitive values, before and after
    confidence: Chart
    fairness: tuple[Chart, ...]  # one for each unit of measure
    explanation: tuple[Chart, ...]  # of rules, influence and dependence

    @property
    def all(self) -> tuple[Chart, ...]:
        """Every chart, in the order of the document."""
        values = (self.values,) if self.values else ()
        return (self.rule, *self.explanation, *self.fairness, *values, self.confidence)


def draw(report: Report) -> Charts:
    """Every chart of a report."""
    # Here and not above: it imports matplotlib, a third of a second, and most that is done with a report draws nothing.
    from atreport.kit.drawing import draw_plot, house_style

    with house_style():
        return Charts(
            rule=draw_plot(plot_rule(report)),
            values=draw_plot(values) if (values := plot_values(report)) else None,
            confidence=draw_plot(plot_confidence(report)),
            fairness=tuple(draw_plot(plot) for plot in plot_fairness(report)),
            explanation=tuple(draw_plot(plot) for plot in plot_explanation(report)),
        )
