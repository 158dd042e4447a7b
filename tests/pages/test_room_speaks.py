"""Tables, charts and explanations speak: nothing in them is English by itself, and everything is in the report's signs."""

import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from atreport.pages.charts import plot_confidence, plot_fairness, plot_rule, plot_values
from atreport.pages.explanations import explanation_blocks, plot_explanation
from atreport.pages.measures import what_was_right
from atreport.pages.panels import Arrows, Curves, Distribution, Dots, HeatMap, Panel, Plot
from atreport.pages.sections.fairness import (
    directed,
    error_table,
    measure_definitions,
    measure_table,
    rate_table,
    verdict_summary,
)
from atreport.pages.sections.privacy import group_table, spread_table, value_table
from atreport.pages.wording import EVERYBODY, verdict_cell
from atreport.report.model import Report
from atreport.text.language import use_locale
from atreport.text.tables import Table
from tests.assessing import report_case
from tests.documents import large_report

PLACE = re.compile(r"(\{[^}]*\})")


class Foreign(NullTranslations):
    """A language whose every letter is ж: what is left in Latin letters was never said."""

    def gettext(self, message: str) -> str:
        """The message, its places untouched."""
        return "".join(
            part if PLACE.fullmatch(part) else re.sub("[A-Za-z]", "ж", part) for part in PLACE.split(message)
        )

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The same for a message that counts."""
        return self.gettext(one if number == 1 else many)

    def pgettext(self, _context: str, message: str) -> str:
        """The same in a context."""
        return self.gettext(message)


@pytest.fixture
def pseudo_language(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Speak the foreign language."""
    monkeypatch.setattr("atreport.text.language.catalogue", lambda _language: Foreign())
    with use_locale("de"):
        yield


def words_of_table(table: Table | None) -> Iterator[str]:
    """Every text of a table."""
    if table is not None:
        yield table.caption
        yield from (column.heading for column in table.columns)
        yield from (cell.text for row in table.rows for cell in row)
        yield table.left_out


def words_of_panel(panel: Panel) -> Iterator[str]:
    """Every text of a panel."""
    match panel:
        case Dots():
            yield from (panel.axis, panel.band, panel.dot, *(mark.label for mark in panel.marks))
        case Arrows():
            yield from (panel.axis, *panel.names, *panel.labels)
        case Distribution():
            yield from (panel.axis, panel.things, *(name for name, _ in panel.series))
        case HeatMap():
            yield from (panel.column_title, *panel.rows, *panel.columns)
        case Curves():
            yield from (panel.axis, *(curve.label for curve in panel.curves))


def words_of_plot(plot: Plot | None) -> Iterator[str]:
    """Every text of a chart."""
    if plot is not None:
        yield from (plot.title, plot.alt)
        for panel in plot.panels:
            yield from words_of_panel(panel)


def said(report: Report) -> Iterator[str]:
    """Every text of the room."""
    for table in (
        measure_table(report),
        rate_table(report),
        error_table(report),
        value_table(report),
        group_table(report),
        spread_table(report),
    ):
        yield from words_of_table(table)
    for plot in (
        plot_rule(report),
        plot_confidence(report),
        plot_values(report),
        *plot_fairness(report),
        *plot_explanation(report),
    ):
        yield from words_of_plot(plot)
    for block in explanation_blocks(report):
        yield from (block.title, *block.paragraphs, block.fine)
        for table in block.tables:
            yield from words_of_table(table)
    yield from (text for definition in measure_definitions(report) for text in definition)
    yield from what_was_right(report.process, report.measures)
    yield verdict_summary(report.fairness)


def own_words(report: Report) -> list[str]:
    """The publisher's words, and those of rooms that have a test of their own; the longest first."""
    process = report.process
    words: set[Any] = {a.title for a in process.attributes} | {
        v for a in process.attributes for v in a.values
    }
    words |= {*process.outcome.values, EVERYBODY, verdict_cell(None).text}
    words |= {entry.title for entry in report.measures} | {directed(report, a) for a in report.fairness}
    words |= {verdict_cell(a.verdict).text for a in report.fairness}
    words |= {figure.quantity.title for figure in report.influence if figure.quantity}
    words |= {name for entry in report.fairness for name in entry.groups or ()}
    return sorted(filter(None, words), key=len, reverse=True)


def check(report: Report) -> None:
    """No Latin letter is left once the publisher's words are taken out."""
    own = re.compile("|".join(re.escape(word) for word in own_words(report)))
    texts = list(said(report))
    assert len(texts) > 50
    unsaid = [text for text in texts if re.search("[A-Za-z]", own.sub("", text))]
    assert not unsaid, unsaid[:5]


@pytest.mark.usefixtures("pseudo_language")
@pytest.mark.parametrize("name", ["credit_card", "housing_benefit", "release_decisions"])
def test_every_word_is_said(name: str) -> None:
    """A table, chart or explanation with a word that no translator can reach would stay English in a French report."""
    check(report_case(name))


@pytest.mark.usefixtures("pseudo_language")
def test_every_word_of_a_long_report_is_said(tmp_path: Path) -> None:
    """Also distributions, extremes, and the sentences on what is left out."""
    check(large_report(tmp_path, 100).report)
