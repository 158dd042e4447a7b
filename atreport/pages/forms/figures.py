"""The figures that several forms print beside the publisher's words, as tables and for programs.

Every figure is one of the Report. Its interval is certain: the exact figure lies in it, whatever chance does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from atreport.kit.language import message, say
from atreport.kit.tables import Table
from atreport.pages.disparities import directed
from atreport.pages.forms.form_context import FormSection, RemarkedTable
from atreport.pages.measures import measure_name
from atreport.pages.measures.error_rates import KINDS
from atreport.pages.sections.decision import tabulate_rules
from atreport.pages.sections.fairness import error_table, measure_table, rate_table
from atreport.pages.wording import named_values
from atreport.report.figures import plain
from atreport.report.model import Report

CERTAIN = message(
    "Each interval is certain: the exact figure of the data lies in it, because every announced probability is as close to "
    "the exact one as the report states. It is not a confidence interval, and says nothing about chance in the data."
)
"""What an interval beside a figure means, for readers who expect a confidence interval."""

ANNOUNCED = message(
    "Each figure is what the announced rule gives. Beside it stands the range in which the exact figure lies for certain."
)
"""What the figures are."""

ASSESSES = message("The measures help to assess fairness; none of them proves or disproves it.")
"""What no measure does."""


@dataclass(frozen=True, kw_only=True)
class GroupFigure:
    """One figure of one group, or of two that are compared, and the interval in which the exact one lies for certain."""

    metric: str  # a name for programs
    title: str  # and for people
    group: str
    value: Decimal
    low: Decimal
    high: Decimal

    def as_json(self) -> dict[str, Any]:
        """The figure under names that say what the interval is."""
        return {
            "metric": self.metric,
            "title": self.title,
            "group": self.group,
            "announced": plain(self.value),
            "certain_interval": [plain(self.low), plain(self.high)],
        }


def figures_section(report: Report, title: str, *, text: tuple[str, ...] = ()) -> FormSection:
    """The announced rule, the measures, and the rates they are made of."""
    return FormSection(
        id="figures",
        title=title,
        text=(
            *text,
            f"{say(ANNOUNCED)} {say(ASSESSES)}",
        ),
        tables=tuple(
            RemarkedTable(table=each) for each in (tabulate_rules(report), *comparison_tables(report))
        ),
    )


def comparison_tables(report: Report) -> tuple[Table, ...]:
    """The measures and the rates they are made of, as far as there are any."""
    tables = (measure_table(report), rate_table(report), error_table(report))
    return tuple(each for each in tables if each is not None)


def group_figures(report: Report) -> tuple[GroupFigure, ...]:
    """Every rate of a group that is compared, once, and every measure that has a value."""
    return tuple(dict.fromkeys((*_rates(report), *_measures(report))))


def _rates(report: Report) -> Iterator[GroupFigure]:
    favourable = report.process.outcome.favourable
    for assessment in report.fairness:
        by = " · ".join(report.process.attribute(name).title for name in assessment.by or ())
        given = named_values(report.process, assessment.given or {})
        for rate in assessment.rates or ():
            named = say("{attribute}: {value}", attribute=by, value=rate.group) if by else rate.group
            yield GroupFigure(
                metric=f"{rate.kind}_rate" if rate.kind else "favourable_rate",
                title=say(KINDS[rate.kind], favourable=favourable)
                if rate.kind
                else say("Rate of “{favourable}”", favourable=favourable),
                group=say("{group}, among {given}", group=named, given=given) if assessment.given else named,
                value=rate.value,
                low=rate.low,
                high=rate.high,
            )


def _measures(report: Report) -> Iterator[GroupFigure]:
    for assessment in report.fairness:
        if (
            assessment.value is not None
            and assessment.interval is not None
            and not assessment.is_of_one_group
        ):
            yield GroupFigure(
                metric=f"{assessment.rate}_difference" if assessment.rate else assessment.measure,
                title=measure_name(assessment),
                group=directed(report, assessment),
                value=assessment.value,
                low=assessment.interval[0],
                high=assessment.interval[1],
            )
