"""The registries of measures: whoever adds one is told what is missing, and readers get whole sentences."""

import re
from pathlib import Path

import pytest

from atreport import measures as calculated
from atreport.pages import measures as worded
from atreport.pages.measures import (
    LOGARITHM,
    MEASURES,
    PERCENT,
    POINTS,
    UNITS,
    MeasureWords,
    comparison,
    measure_name,
    units,
)
from atreport.pages.sections.fairness import measure_definitions, measure_table
from atreport.pages.sections.glossary import glossary
from atreport.resources import templates_folder
from atreport.spec import fairness as asked
from atreport.spec.load import parse_spec
from tests.assessing import report_of
from tests.documents import example_report, make_report
from tests.example import example_spec

CHECKED_BY = {
    "statistical_parity": "parity",
    "conditional_statistical_parity": "parity",
    "p_percent_rule": "ratio",
    "impact_ratio": "impact",
    "odds_ratio": "odds_ratio",
    "group_disparity": "largest",
    "error_rates": "error_rates",
    "individual": None,  # a search over all pairs of cells: left to the program, and said so
}
"""The function of templates/verify.py that calculates each measure."""

VERIFIER = (templates_folder() / "verify.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", asked.MEASURES)
def test_measure_is_calculated_by_readers_too(name: str) -> None:
    """Every measure has its function in verify.py, or is said to be left out there."""
    function = CHECKED_BY[name]
    if function:
        assert re.search(rf"^def {function}\(", VERIFIER, re.M)
    else:
        assert f'entry["measure"] == "{name}"' in VERIFIER.partition("def out_of_scope")[2]


def test_every_measure_is_listed() -> None:
    """What one room knows, all rooms know; words that are there but not in the list would never be printed."""
    written = [each for each in vars(worded).values() if isinstance(each, MeasureWords)]
    assert written
    assert all(words in MEASURES.values() for words in written)
    assert list(MEASURES) == list(calculated.MEASURES) == list(asked.MEASURES) == list(CHECKED_BY)


@pytest.mark.parametrize("words", MEASURES.values(), ids=list(MEASURES))
def test_words_are_sentences(words: MeasureWords) -> None:
    """A name, a definition that goes on after it, and a glossary that has the name."""
    assert words.name
    assert re.match(r"[a-z].*\.$", words.definition)
    terms = {**words.terms_with(2), **words.terms_with(3)}
    assert words.name in terms
    assert all(re.match(r"[A-Z].*\.$", meaning) for meaning in (*terms.values(), words.term))
    assert words.unit.id not in {unit.id for unit in UNITS if unit != words.unit}, (
        "the id of its chart is its own"
    )


def test_ratios_are_in_percent() -> None:
    """What should reach its threshold is written as a share, what should not exceed it as a difference."""
    ratios = {name for name, model in asked.MEASURES.items() if model.is_ratio}
    assert {name for name, words in MEASURES.items() if words.unit.is_share} == ratios
    assert {words.unit.value for words in MEASURES.values() if words.unit.is_share} == {PERCENT.value}


def test_units_follow_what_was_asked_for() -> None:
    """Each individual measure has the unit of its own metric, wherever it stands among the others."""
    relative = (
        "- {measure: p_percent_rule, groups: gender, p: 0.8}",
        "- {measure: individual, metric: relative, distance: {income: 0.5}}\n"
        "  - {measure: p_percent_rule, groups: gender, p: 0.8}",
    )
    report = make_report(example_spec(relative)).report
    found = [(a.measure, unit) for a, unit in zip(report.fairness, units(report), strict=True)]
    assert [unit for name, unit in found if name == "individual"] == [LOGARITHM, POINTS]
    assert [unit for name, unit in found if name == "p_percent_rule"] == [PERCENT]
    assert {unit for name, unit in found if "parity" in name} == {POINTS}


def test_measures_are_named_and_defined() -> None:
    """The page defines the measures it has and no others, and calls them by the name that readers know."""
    report = example_report().report
    assert [measure_name(a) for a in report.fairness][-2:] == [
        "Four-fifths screening rule",
        "Individual fairness",
    ]
    assert comparison(report.fairness[1], report.process) == "F and M, among Annual income: <100k"
    assert comparison(report.fairness[-1], report.process) == "All pairs of people"
    definitions = dict(measure_definitions(report))
    assert list(definitions) == [
        "Statistical parity",
        "Conditional statistical parity",
        "p% rule",
        "Individual fairness",
    ]
    assert "the rates of “approved” in two groups" in definitions["Statistical parity"]
    terms = glossary(report).keys()
    assert set(definitions) <= terms
    assert "Impact ratio" not in terms
    table = measure_table(report)
    assert table is not None
    assert [row[1].text.rpartition("fidelity")[2].strip() for row in table.rows] == [
        "(at most 30 points)",
        "No threshold set",
        "No threshold set",
        "No threshold set",
        "(at least 80%)",
        "No threshold set",
    ]


@pytest.mark.parametrize("measure", ["statistical_parity", "conditional_statistical_parity"])
def test_parity_of_three_outcomes_is_not_called_the_gap_of_one(measure: str) -> None:
    """The figure is made of all outcomes; readers were told that it is how far apart the favourable rates are."""
    path = Path(__file__).parents[2] / "docs" / "gallery" / "specs" / "dosing.yaml"
    text = path.read_text(encoding="utf-8")
    given = ", given: weight" if measure.startswith("conditional") else ""
    text = text.replace("{measure: statistical_parity, ", f"{{measure: {measure}{given}, ")
    report = report_of(parse_spec(text, path))
    ((name, definition),) = measure_definitions(report)
    assert "in the rates of all outcomes" in definition
    meanings = glossary(report)
    assert "divided by the number of outcomes" in meanings[name]
