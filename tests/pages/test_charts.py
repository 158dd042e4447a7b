"""Charts: what they show, that they say it in words, and that they give away no more than the tables."""

import re
from pathlib import Path

import pytest

from atreport.pages.charts import Charts, plot_confidence, plot_fairness, plot_rule
from atreport.pages.drawing import COLOURS
from atreport.pages.panels import Arrows, Distribution, Dots, HeatMap
from atreport.resources import templates_folder
from atreport.spec.style import contrast
from atreport.text.numbers import full_percent
from tests.documents import MadeReport, example_report, large_report, make_report
from tests.example import example_spec
from tests.finding import all_found


@pytest.fixture(scope="module")
def report() -> MadeReport:
    """The paper's example."""
    return example_report()


@pytest.fixture(scope="module")
def charts(report: MadeReport) -> Charts:
    """Its charts."""
    return report.context.charts


def test_same_figures_give_the_same_bytes(report: MadeReport, charts: Charts) -> None:
    """Drawing twice gives identical charts, with no date or software named in them."""
    again = Charts(report.report)
    assert [chart.svg for chart in again.all] == [chart.svg for chart in charts.all]
    assert not any(re.search(r"<metadata|<style|matplotlib\.org", chart.svg) for chart in again.all)


def test_ids_are_unique_across_charts(charts: Charts) -> None:
    """All charts can stand in one page, and every reference finds its target."""
    page = "".join(chart.svg for chart in charts.all)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(all_found(r'(?:href="#|url\(#)([^")]+)', page)) <= set(ids)


def test_every_chart_says_what_it_shows(charts: Charts) -> None:
    """Alt text is the title of the image, and holds figures that the tables print."""
    for chart in charts.all:
        assert chart.svg.startswith("<svg")
        assert 'role="img"' in chart.svg
        assert len(chart.alt) > 60
    assert "45% to 63.78%, for Gender: M" in charts.confidence.alt
    assert "2% to 90%" in charts.rule.alt


def test_only_printed_figures_are_drawn(report: MadeReport) -> None:
    """Every value handed to a chart is a whole number of printed steps."""
    drawn: list[float] = []
    for plot in (
        plot_rule(report.report),
        plot_confidence(report.report),
        *plot_fairness(report.report),
    ):
        for panel in plot.panels:
            if isinstance(panel, Dots):
                drawn += [value for mark in panel.marks for value in (mark.value, mark.low, mark.high)]
            elif isinstance(panel, Arrows):
                drawn += [*panel.before, *panel.after]
    assert len(drawn) > 30
    assert all(abs(value * 10_000 - round(value * 10_000)) < 1e-6 for value in drawn)


def test_many_groups_are_a_distribution_and_the_extremes(tmp_path: Path) -> None:
    """No forest of rows: histograms, and the few groups with the highest confidence, unless their table shows these first."""
    some = large_report(tmp_path / "some", 40).report
    distribution, highest = plot_confidence(some).panels
    assert isinstance(distribution, Distribution)
    assert isinstance(highest, Arrows)
    assert [sum(counts) for _, counts in distribution.series] == [40, 40]
    assert len(highest.labels) == 8
    assert max(highest.after) == float(some.privacy.beta)
    report = large_report(tmp_path / "many", 100)
    (alone,) = plot_confidence(report.report).panels
    assert isinstance(alone, Distribution)
    assert [sum(counts) for _, counts in alone.series] == [100, 100]
    assert report.context.groups.rows[0][2].text == full_percent(report.report.privacy.beta)
    assert "Below" not in plot_confidence(report.report).alt
    whole, extremes = plot_fairness(report.report)[0].panels
    assert isinstance(whole, Distribution)
    assert isinstance(extremes, Dots)
    assert sum(whole.series[0][1]) == 101
    assert isinstance(plot_rule(report.report).panels[0], Distribution)


def test_some_groups_are_a_heat_map(tmp_path: Path) -> None:
    """Between a row for each cell and a distribution, a field for each cell with its figure in it."""
    report = large_report(tmp_path, 12)
    (panel,) = plot_rule(report.report).panels
    assert isinstance(panel, HeatMap)
    assert (len(panel.rows), len(panel.columns)) == (12, 3)
    field = panel.fields[0][0]
    assert field is not None
    assert field[0] == report.report.rule_table.announced[0] / report.report.rule_table.scale
    assert f">{field[1]}<" in report.context.charts.rule.svg


def test_labels_are_text_and_never_markup() -> None:
    """A dollar sign is no formula and an angle bracket no tag."""
    report = make_report(example_spec(("label: Gender", 'label: "Cost $x^2$ <b>"')))
    assert "Cost $x^2$ &lt;b&gt;" in report.context.charts.confidence.svg


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_stand_out(scheme: str) -> None:
    """Every mark has at least 3:1 contrast against the page, in the light and in the dark."""
    light_css, _, dark_css = (
        (templates_folder() / "colours.css").read_text(encoding="utf-8").partition("@media")
    )
    css = {"light": light_css, "dark": dark_css}[scheme]
    colours = dict(re.findall(r"--(chart-\w+|paper): (#[0-9a-f]{6})", css))
    for name in ("chart-ink", "chart-muted", "chart-accent", "chart-limit"):
        assert contrast(colours["paper"], colours[name]) >= 3, (scheme, name)


def test_colours_are_set_in_one_place() -> None:
    """No other template and no page has a colour of its own, so that a new one is one edit."""
    sheets = [path for path in templates_folder().rglob("*") if path.suffix in (".css", ".j2", ".js")]
    with_colours = [path.name for path in sheets if re.search(r"#[0-9a-fA-F]{6}\b", path.read_text("utf-8"))]
    assert with_colours == ["colours.css"]


def test_charts_have_the_colours_of_the_page() -> None:
    """The style sheet that every page has is the one place where the colours of charts are set."""
    assert list(COLOURS) == ["ink", "muted", "accent", "limit", "grid", "paper"]
    assert "#ffffff" not in COLOURS.values()  # the heat map writes with it
