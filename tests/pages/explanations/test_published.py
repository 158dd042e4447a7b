"""What a report publishes of an explanation: all of it visible, in report.json, and recalculated by a stranger."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from atreport.explain import explain_rule
from atreport.pages.explanations import explanation_blocks
from atreport.report.explanation import Kind, Scheme
from atreport.report.writer import report_json, report_schema
from atreport.spec.load import load_spec, parse_spec
from atreport.spec.transparency import Transparency
from atreport.text.numbers import nearest
from tests.assessing import report_case
from tests.documents import MadeReport, example_report, make_report
from tests.example import EXAMPLE
from tests.finding import all_found
from tests.influence_reference import Person, World
from tests.pages.test_document import text_of

CREDIT_CARD = Path(__file__).parents[3] / "specs" / "credit_card.yaml"
SPECS = ("credit_card", "housing_benefit")
KINDS = set(get_args(Kind))
SCHEMES = set(get_args(Scheme)) - {"exact"}  # which is left out where it is no shorter than the table


@pytest.fixture(scope="module", params=SPECS)
def published(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The report.json of each spec that shows everything."""
    return dict(json.loads(report_json(report_case(request.param))))


def test_everything_is_published(published: dict[str, Any]) -> None:
    """Every scheme is in report.json, which keeps its schema."""
    jsonschema.Draft202012Validator(report_schema()).validate(published)
    assert {entry["kind"] for entry in published["influence"]} == KINDS
    assert {entry["scheme"] for entry in published["rules"]} >= SCHEMES


def world_of(published: dict[str, Any]) -> World:
    """What a stranger reads from the cells: shares and probabilities as printed."""
    attributes = published["process"]["attributes"]
    favourable = published["process"]["outcome"]["favourable"]
    people: dict[Person, int] = {}
    favoured: dict[Person, Fraction] = {}
    for cell in published["cells"]:
        person = tuple(a["values"].index(cell[a["name"]]) for a in attributes)
        people[person] = int(Decimal(repr(cell["share"])).scaleb(12))
        favoured[person] = Fraction(repr(cell["announced"][favourable]))
    return World(people=people, favoured=favoured)


def groups(
    published: dict[str, Any], world: World, quantity: dict[str, Any]
) -> Iterator[tuple[int, list[Person]]]:
    """The groups of a quantity, with their sign."""
    attributes = published["process"]["attributes"]
    for sign, condition in ((1, quantity["group"]), (-1, quantity["minus"])):
        if condition is not None:
            yield (
                sign,
                [
                    person
                    for person in world.people
                    if all(
                        a["values"][code] in condition.get(a["name"], a["values"])
                        for a, code in zip(attributes, person, strict=True)
                    )
                ],
            )


def recalculated(published: dict[str, Any], world: World, entry: dict[str, Any]) -> Fraction | None:
    """A figure from its definition, with the shares as printed; None for those that are no fraction."""
    names = [a["name"] for a in published["process"]["attributes"]]
    columns = [names.index(name) for name in entry["attributes"]]
    values = [a["values"] for a in published["process"]["attributes"]]
    at = {names.index(name): values[names.index(name)].index(v) for name, v in (entry["at"] or {}).items()}
    match entry["kind"]:
        case "qii":
            return sum(
                (
                    sign * world.qii(group, columns)
                    for sign, group in groups(published, world, entry["quantity"])
                ),
                Fraction(0),
            )
        case "permutation":
            return world.permutation(columns[0])
        case "pdp":
            return world.partial_dependence(columns[0], at[columns[0]])
        case "ale":
            curve = world.accumulated_effects(columns[0])
            assert curve is not None
            return curve[at[columns[0]]]
        case "ice":
            return world.favoured[tuple(at[k] for k in range(len(names)))]
    return None


def test_a_stranger_recalculates_every_figure(published: dict[str, Any]) -> None:
    """From the cells as printed, by the definition, to the last printed digit."""
    world = world_of(published)
    decimals = published["policy"]["decimals"]
    quick = [e for e in published["influence"] if e["kind"] != "qii" or len(world.people) < 20]
    quick += [e for e in published["influence"] if e["kind"] == "qii" and len(world.people) >= 20][:1]
    checked = 0
    for entry in quick:
        value = recalculated(published, world, entry)
        if value is not None:
            assert float(nearest(value, decimals)) == entry["value"], entry
            low, high = entry["interval"]
            assert low <= entry["value"] <= high
            checked += 1
    assert checked >= 20


def test_shapley_values_add_up_as_published(published: dict[str, Any]) -> None:
    """The printed values of a gap make the gap, but for rounding."""
    world = world_of(published)
    titles = {e["quantity"]["title"]: e["quantity"] for e in published["influence"] if e["kind"] == "shapley"}
    assert len(titles) == 2
    step = 10 ** -published["policy"]["decimals"]
    everybody = world.rate(list(world.people))
    for title, quantity in titles.items():
        values = [
            e["value"]
            for e in published["influence"]
            if e["kind"] == "shapley" and e["quantity"]["title"] == title
        ]
        signed = list(groups(published, world, quantity))
        whole = sum((sign * (world.rate(group) - everybody) for sign, group in signed), Fraction(0))
        assert sum(values) == pytest.approx(float(whole), abs=step * len(values))


@pytest.fixture(scope="module")
def report() -> MadeReport:
    """The example that shows everything."""
    return make_report(load_spec(CREDIT_CARD))


def test_everything_is_visible(report: MadeReport) -> None:
    """Each scheme is a heading with a chart and a table; sections are numbered without a gap, in order."""
    page = report.document.html()
    text = text_of(page)
    blocks = [block.id for block in report.context.explanation]
    assert blocks == [
        "rules-in-words",
        "tree",
        "regions",
        "models",
        "anchors",
        "importance",
        "influence",
        "local-weights",
        "dependence",
    ]
    charts = {chart.id for chart in report.context.charts.explanation}
    for block in report.context.explanation:
        assert f'<h3 id="{block.id}">' in page
        assert set(block.charts) <= charts
        assert block.tables
        assert block.charts or block.id == "rules-in-words"
    assert charts == {id for block in report.context.explanation for id in block.charts}
    numbers = [int(n) for n in all_found(r"<h2>(\d+)\. ", page)]
    assert numbers == list(range(1, 10))
    assert "3. What moves the decision" in text
    assert "More in section “4. Fairness”" in text


def test_without_anything_there_is_no_section() -> None:
    """Everything switched off: no heading, no number for it, no word in the glossary."""
    off = "transparency: {rules: {exact: false}, influence: {permutation: false}}\n"
    report = make_report(parse_spec(EXAMPLE + off))
    page = report.document.html()
    assert report.context.explanation == ()
    assert "What moves the decision" not in page
    assert "3. Fairness" in text_of(page)
    assert [name for name in report.context.glossary if "Drawn" in name] == []


def test_what_nobody_has_is_said() -> None:
    """An anchor, local weights and a group that nobody is in are named as that, and the rest is explained."""
    missing = '    - {gender: F, income: ">200k", population: 3, approved: 1}\n'
    text = (
        EXAMPLE.replace(missing, "").replace("  privacy: {beta: 0.7}\n", "")
        + """\
transparency:
  rules: {anchors: [{record: {gender: F, income: ">200k"}}]}
  influence:
    local_weights: [{gender: F, income: ">200k"}]
    quantities: [{title: Rich women, group: {gender: F, income: ">200k"}}, {title: Women, group: {gender: F}}]
"""
    )
    report = make_report(parse_spec(text))
    words = text_of(report.document.html())
    assert "there is nothing to explain: F · &gt;200k; Rich women; F · &gt;200k" in words
    titles = [f.quantity.title for f in report.report.influence if f.quantity is not None]
    assert set(titles) == {"Women"}
    assert "a combination which nobody has is not made" in words


def test_withheld_population_shows_no_share() -> None:
    """Influences are published as rates are; shares, coverage and reach are not."""
    spec = load_spec(CREDIT_CARD)
    hidden = spec.model_copy(
        update={"disclosure": spec.disclosure.model_copy(update={"population": "withheld"})}
    )
    hidden._document = spec.document
    report = make_report(hidden).report
    assert all(f.reach is None for f in report.influence)
    rules = [rule for rule_set in report.rules for rule in rule_set.rules or ()]
    assert rules
    assert all(rule.share is None for rule in rules)
    headings = {
        column.heading
        for block in explanation_blocks(report)
        for table in block.tables
        for column in table.columns
    }
    assert not headings & {"Share of people", "Holds for"}


def test_short_without_being_asked() -> None:
    """The default explanation is two blocks, one chart and two tables."""
    report = example_report()
    assert [block.id for block in report.context.explanation] == ["rules-in-words", "importance"]
    assert len(report.context.charts.explanation) == 1


def test_a_large_table_is_explained_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for figures that were not asked for; whoever asks gets them."""
    monkeypatch.setattr("atreport.explain.permutation.MAX_UNASKED", 5)
    rule = example_report().announcement.rule
    assert explain_rule(rule, Transparency()).influence == ()
    asked = Transparency.model_validate({"influence": {"permutation": True}})
    assert len(explain_rule(rule, asked).influence) == 2


EVERYTHING = """transparency:
  ordered: [convictions]
  rules: {tree: 1, linear: true, logistic: true, regions: 2, anchors: [{record: {district: North, convictions: none}}]}
  influence: {firm: true, quantities: [{title: All}], shapley: true, sets: [[district, convictions]], local_weights: [{district: North, convictions: none}]}
  dependence: {}
disclosure:
"""


@pytest.mark.parametrize("population", ["counts", "shares"])
def test_error_rates_and_every_explanation_go_together(population: str) -> None:
    """A report with error rates and a simpler rule ended in an internal error: records there lack what really happened."""
    text = (CREDIT_CARD.parent / "release_decisions.yaml").read_text(encoding="utf-8")
    text = re.sub(r"transparency:\n.*?disclosure:\n", EVERYTHING, text, flags=re.S)
    made = make_report(parse_spec(text.replace("population: counts", f"population: {population}")))
    assert {rules.scheme for rules in made.report.rules} >= SCHEMES
    assert "The difference is largest for" in text_of(made.document.html())
