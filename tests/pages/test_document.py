"""The report as a reader meets it: what it answers, how it stays short, and what it never contains."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from atreport.pages.documents import ReportContext
from atreport.spec.load import parse_spec
from atreport.text.tables import MAX_ROWS
from tests.documents import MadeReport, example_report, large_report, make_report
from tests.example import example_spec
from tests.measures.test_unknowns import UNKNOWN_INCOME


@pytest.fixture(scope="module")
def report() -> MadeReport:
    """The paper's example."""
    return example_report()


@pytest.fixture(scope="module")
def page(report: MadeReport) -> str:
    """Its HTML."""
    return report.document.html()


def text_of(html: str) -> str:
    """What a reader sees, blanks as single spaces."""
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def leaves(value: Any) -> list[Any]:
    """Everything inside an object, a list or a mapping that is not itself one of them."""
    if isinstance(value, Mapping):
        return leaves((*value, *value.values()))
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    if not isinstance(value, str) and hasattr(value, "__dict__"):
        return leaves((*vars(value).values(),))
    return [value]


def test_templates_see_text_only(report: MadeReport) -> None:
    """No number reaches a template, so none can be printed with digits that were not certified."""
    assert {type(leaf) for leaf in leaves(report.context)} <= {str, bool, type(None)}


def test_summary_answers_three_questions(report: MadeReport) -> None:
    """Is it fair, how sure are we, what could someone learn about me: each with its figure."""
    fair, sure, me = report.context.headlines
    assert (fair.question, fair.figure) == ("Is it fair?", "20 against 36.5")
    assert "The true gap is between 0 and 34.5 points." in fair.answer[0]
    assert (sure.question, sure.figure) == ("How sure are we?", "±10 points")
    assert (me.question, me.figure) == ("What could someone learn about me?", "67.5%")
    assert "already be up to 60%" in " ".join(me.answer)


def test_report_speaks_of_assessing(page: str) -> None:
    """It assesses fairness, calls four fifths a screening rule, says plainly that the rule was changed."""
    text = text_of(page)
    assert "changed on purpose" in text
    assert "screening rule" in text
    assert "assess" in text
    assert not re.search(r"\bis fair\b(?! *[?,])|\bproves? (that|the)\b|guarantees? fairness", text)


def test_verdicts_are_words(page: str) -> None:
    """A verdict never is a colour or a sign alone."""
    assert "Cannot be told at this fidelity" in text_of(page)
    edits = (("threshold: 0.3", "threshold: 0.9"), ("given: income", "given: income, threshold: 0.1"))
    others = text_of(make_report(example_spec(*edits)).document.html())
    assert "Meets" in others
    assert "Does not meet" in others


def test_every_cell_and_note_is_in_the_page(report: MadeReport, page: str) -> None:
    """The rule, the groups and the notes are readable without any script; each note has an address."""
    text = text_of(page)
    for row in (*report.context.rules.rows, *report.context.groups.rows):
        for cell in row:
            assert cell.text.replace("<", "&lt;").replace(">", "&gt;") in text
    for note, *_ in report.context.notes:
        assert f'id="note-{note}"' in page
    assert "would be 15% sure of it without the report can be at most 67.5% sure with it" in text


def test_groups_known_beforehand_are_not_hidden() -> None:
    """Where everybody has the same value the headline says 100%, why, and how the other groups fare."""
    only_one = (
        '    - {gender: F, income: "100k-200k", population: 5, approved: 0}\n'
        '    - {gender: F, income: ">200k", population: 3, approved: 1}\n'
    )
    spec = example_spec((only_one, ""), ("  privacy: {beta: 0.7}\n", ""))
    report = make_report(spec)
    me = report.context.headlines[2]
    assert me.figure == "100%"
    assert (
        "No protection in 1 group: there someone can be certain of a sensitive value. Everybody in it has the same value."
        in me.answer[0]
    )
    assert "In the other group someone can be at most 63.78% sure." in me.answer[0]
    assert me.answer[0] in text_of(report.document.html())


def test_an_unchanged_rule_is_called_that() -> None:
    """Where nothing is changed, not even rounded, no page says that the rule was changed."""
    report = make_report(example_spec(("delta: 0.9", "alpha: 1"), ("  privacy: {beta: 0.7}\n", "")))
    text = text_of(report.document.html())
    assert report.context.headlines[1].figure == "exact"
    assert "The publisher decided to publish the true rule as it is." in text
    assert "changed on purpose" not in text[: text.rindex(". Disclosure notes")]


def test_a_rule_that_was_only_rounded_is_called_that() -> None:
    """No sentence says that it was changed on purpose, nor that it is not published, and none that nothing was done."""
    third = ("approved: 0.5", "approved: 0.3333333333")
    report = make_report(example_spec(("delta: 0.9", "delta: 1"), ("  privacy: {beta: 0.7}\n", ""), third))
    page = text_of(report.document.html())
    assert page.count("The rule in this report is the true one, rounded to 4 decimals.") >= 4
    assert "Every announced probability differs from the true one by at most 0.005 percentage points." in page
    assert "as it is, but for rounding" in page
    for false in (
        "on purpose",
        "to protect people, the rule was changed",
        "not published.",
        "run it backwards",
    ):
        assert false not in page
    assert "is the true one, unchanged" not in page


@pytest.mark.parametrize("privacy", ["  privacy: {beta: 0.7}\n", ""])
def test_limits_on_single_values_stand_beside_those_on_all(privacy: str) -> None:
    """The section on method names every ceiling without which there would be no report, with one on β and without."""
    values = 'values: ["<100k", "100k-200k", ">200k"]'
    own = (values, f'{values}, ceilings: {{">200k": 0.69}}')
    report = make_report(example_spec(own, ("  privacy: {beta: 0.7}\n", privacy)))
    page = text_of(report.document.html())
    limits = "confidence in “&gt;200k” of “Annual income” ≤ 0.69."
    beside = f"these limits on what can be inferred: β ≤ 0.7, {limits}"
    assert (beside if privacy else f"this limit on what can be inferred: {limits}") in page


def test_nothing_to_compare_is_said() -> None:
    """A spec without fairness measures gives a report that says so."""
    without = ("- {measure:", "# {measure:")
    report = make_report(example_spec(("fairness:\n", "fairness: []\n"), without, without, without, without))
    assert report.context.headlines[0].figure == "not assessed"
    assert report.context.measures is None
    assert "does not assess fairness" in text_of(report.document.html())


def test_text_of_the_spec_is_never_markup() -> None:
    """Tags, quotes and scripts in a spec come out as what was typed."""
    evil = '"</title><script>alert(1)</script> & \\"x\\""'
    report = make_report(example_spec(("title: Credit card applications", f"title: {evil}")))
    page = report.document.html()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;x&#34;" in page


def test_page_fetches_nothing(page: str) -> None:
    """No address of anything outside the file, and a policy that would stop it."""
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    assert not re.search(r"url\((?!data:|#)", page)
    assert "default-src 'none'" in page


def test_page_is_small(page: str) -> None:
    """The paper's example, fonts included, stays under 400 KB."""
    assert len(page.encode()) < 400_000
    assert page.count("@font-face") == 3


def test_example_by_hand_is_right(report: MadeReport) -> None:
    """The worked example multiplies out to the printed β."""
    example = report.context.example
    assert example is not None
    products = [float(row[-1].text) for row in example.table.rows]
    shares = [float(row[-3].text) * float(row[-2].text) for row in example.table.rows]
    assert products == pytest.approx(shares)
    assert max(products) / sum(products) == pytest.approx(0.675)
    assert "67.5%" in example.answer


@pytest.mark.parametrize("population", ["counts", "withheld"])
def test_population_is_shown_as_the_spec_says(population: str) -> None:
    """Counts appear only where they are published."""
    report = make_report(example_spec(("population: shares", f"population: {population}")))
    headings = [c.heading for c in report.context.rules.columns]
    rates = report.context.rates
    assert rates is not None
    assert ("People" in headings) == (population == "counts")
    assert ("People" in [c.heading for c in rates.columns]) == (population == "counts")
    assert "Share of people" not in headings
    assert (report.context.example is None) == (population == "withheld")


def test_shares_have_the_digits_of_other_percentages() -> None:
    """A share of one in 4,444 has nine decimals in the data; on a page it is rounded, and the heading says so."""
    exact, uneven = (
        make_report(example_spec(("population: 3, approved: 1", f"population: {people}, approved: 1")))
        for people in (3, 4407)
    )
    for made, heading, last in (
        (exact, "Share of people", "7.50%"),
        (uneven, "Share of people, rounded", "99.17%"),
    ):
        rules = made.context.rules
        assert rules.columns[-1].heading == heading
        assert rules.rows[2][-1].text == last
        assert {len(row[-1].text.partition(".")[2]) for row in rules.rows} == {3}


def test_a_share_too_small_to_print_is_not_nothing() -> None:
    """Somebody is in the cell, so 0.00% would be false."""
    rare = make_report(example_spec(("population: 3, approved: 1", "population: 900000, approved: 1")))
    shown = [row[-1].text for row in rare.context.rules.rows]
    assert "under 0.01%" in shown
    assert not any(text == "0.00%" for text in shown)


@pytest.mark.parametrize("rates", ["", ", rates: 0.99"])
def test_how_intervals_are_found_is_said_as_it_is(rates: str) -> None:
    """Where rates are kept, a group's rate does not reach the ends of all its cells' ranges."""
    made = make_report(example_spec(("delta: 0.9", f"delta: 0.9{rates}"), ("  privacy: {beta: 0.7}\n", "")))
    page = text_of(made.document.html())
    assert ("at the lower end of its range" in page) == (not rates)
    assert ("the kept rates together allow" in page) == bool(rates)


@pytest.mark.parametrize("fidelity", ["alpha: 0.95", "delta: 0.8"])
def test_fidelity_is_put_in_words(fidelity: str) -> None:
    """Both kinds of fidelity have a headline, a formula and a sentence."""
    report = make_report(example_spec(("delta: 0.9", fidelity), ("  privacy: {beta: 0.7}\n", "")))
    figure = report.context.headlines[1].figure
    assert figure == {"alpha: 0.95": "0.95 to 1/0.95", "delta: 0.8": "±20 points"}[fidelity]
    assert fidelity.split()[1] in report.context.method.formula


def rows_of(context: ReportContext) -> dict[str, int]:
    """How many rows each table has."""
    tables = (
        context.rules,
        context.groups,
        context.measures,
        context.rates,
        context.value_rates,
        context.spread,
    )
    return {table.id: len(table.rows) for table in tables if table is not None}


@pytest.mark.parametrize("groups", [2, 23])
def test_a_tall_chart_stands_below_its_tables_on_paper(groups: int, tmp_path: Path) -> None:
    """Tables run over pages and charts do not: above them, a tall one would leave half of a page empty."""
    made = large_report(tmp_path, groups)
    is_tall = groups > 12
    charts = made.context.charts
    assert (charts.rule.is_tall, charts.confidence.is_tall) == (is_tall, is_tall)
    page, printed = made.document.html(), made.document.printed_page()
    for chart, table in (("chart-rules", "rules"), ("chart-confidence", "groups")):
        for text, below in ((page, False), (printed, is_tall)):
            assert text.count(f'id="{chart}"') == 1
            assert (text.index(f'id="{chart}"') > text.index(f'id="table-{table}"')) == below


def test_large_reports_stay_short(tmp_path: Path) -> None:
    """Ten times the groups, no more rows; what is left out is said, and where it is."""
    few, many = (large_report(tmp_path / str(n), n) for n in (100, 1000))
    small, large = few.context, many.context
    assert rows_of(small) == rows_of(large)
    assert max(rows_of(large).values()) <= MAX_ROWS
    assert large.rules.left_out.startswith("30 of 3,000 cells are shown")
    assert "cells.csv" in large.rules.left_out
    assert "report.json" in large.groups.left_out
    assert large.measures is not None
    assert "measures.csv" in large.measures.left_out
    assert large.groups.rows[0][2].text.startswith(large.method.beta[:-1])
    assert len(many.document.html()) < 400_000


def test_the_table_of_measures_shows_what_the_unknown_could_change() -> None:
    """A column of its own."""
    measures = make_report(example_spec(*UNKNOWN_INCOME)).context.measures
    assert measures is not None
    assert "Announced, whoever the unknown are" in [column.heading for column in measures.columns]


def test_more_than_two_outcomes_and_protected_attributes() -> None:
    """Every outcome is in the rule's table and the panel, and the newer measures have their own words."""
    report = make_report(parse_spec(THREE_OUTCOMES))
    context = report.context
    assert [c.heading for c in context.rules.columns[2:-1]] == [
        "“yes” announced",
        "True probability lies in",
        "“no” announced",
        "“later” announced",
    ]
    assert context.lookup is not None
    assert context.lookup.outcomes == ("yes", "no", "later")
    text = text_of(report.document.html())
    assert "one of these outcomes: “yes”, which this report calls favourable , or “no” or “later”" in text
    assert "Impact ratio" in text
    assert "the most favoured" in text
    assert "the furthest apart" in text
    assert "With chance in the records (95%)" in text


THREE_OUTCOMES = """\
atreport: 1
report: {title: Triage, publisher: Agency, version: 1.0.0, date: 2026-03-01}
process:
  name: Triage
  estimated_from: records
  outcome: {name: decision, values: [no, later, yes], favourable: yes}
  attributes:
    - {name: sex, role: public, values: [F, M]}
    - {name: income, role: sensitive, values: [low, high]}
source:
  table:
    - {sex: F, income: low, population: 120, no: 0.7, later: 0.2, yes: 0.1}
    - {sex: F, income: high, population: 50, no: 0.2, later: 0.2, yes: 0.6}
    - {sex: M, income: low, population: 90, no: 0.6, later: 0.2, yes: 0.2}
    - {sex: M, income: high, population: 70, no: 0.1, later: 0.2, yes: 0.7}
policy: {fidelity: {delta: 0.9}, decimals: 3}
fairness:
  - {measure: impact_ratio, groups: sex}
  - {measure: group_disparity, groups: [sex, income], threshold: 0.2}
disclosure: {population: counts}
"""
