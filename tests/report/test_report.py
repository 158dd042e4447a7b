"""The Report: report.json is its serialisation and nothing else, and it holds all that a reader needs."""

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

import jsonschema
import numpy as np
import pytest
from pydantic import BaseModel, ValidationError

from atreport.core.band import Closeness
from atreport.core.rule_table import RuleTable
from atreport.forms import FORMS
from atreport.report.fairness import Assessment
from atreport.report.model import Note, Report
from atreport.report.reader import parse_json, read_report, validate
from atreport.report.writer import report_json, report_schema
from tests.assessing import CASES, prepared_case, report_case, report_of
from tests.example import example_spec
from tests.finding import walk

KEYS = (
    "$schema", "format", "generator", "identifier", "report", "process", "estimation", "policy", "privacy", "cells",
    "measures", "sections", "value_rates", "fairness", "not_assessed", "influence", "rules", "unexplained", "disclosure",
    "notes", "form", "commitment",
)  # fmt: skip
"""The keys of report.json in their order: those of 0.1.0 keep theirs, and new ones stand between them."""


def test_the_cases_publish_people_in_every_way() -> None:
    """Shares, counts, nothing; exact, rounded, suppressed: every combination is among the cases."""
    ways = {(r.policy.population, r.policy.small_cells.policy) for r in map(report_case, CASES)}
    assert ways == set(product(("shares", "counts", "withheld"), ("warn", "round", "suppress")))
    reports = [report_case(name) for name in CASES]
    assert any(r.not_assessed for r in reports)
    assert any(r.estimation for r in reports)
    assert any(r.disclosure for r in reports)
    assert {r.form.template for r in reports if r.form} == set(FORMS)
    assert any(r.policy.fidelity.alpha is not None for r in reports)
    assert any(len(r.process.outcome.values) > 2 for r in reports)


@pytest.mark.parametrize("name", CASES)
def test_round_trip_is_exact(name: str) -> None:
    """Read and written again, a report has the same bytes; every number has the digits it was printed with, zeros too."""
    report = report_case(name)
    written = report_json(report)
    read = read_report(written, name)
    assert read == report
    assert report_json(read) == written
    ours, theirs = (
        {place: str(part) for place, part in walk(each) if isinstance(part, Decimal)}
        for each in (report, read)
    )
    assert ours
    assert ours == theirs


@pytest.mark.parametrize("name", CASES)
def test_figures_have_the_decimals_of_the_policy(name: str) -> None:
    """Confidence, announced probabilities, measures and rates: as many decimals as the policy says."""
    report = report_case(name)
    figures = [
        report.privacy.beta,
        report.privacy.gamma,
        report.privacy.contribution,
        *(p for cell in report.cells for p in cell.announced.values()),
        *(n for a in report.fairness for n in (a.value, *(a.interval or ())) if n is not None),
        *(n for a in report.fairness for r in a.rates or () for n in (r.value, *r.interval)),
    ]
    assert {-int(figure.as_tuple().exponent) for figure in figures} == {report.policy.decimals}
    shares = {-int(cell.share.as_tuple().exponent) for cell in report.cells if cell.share is not None}
    assert shares <= {report.policy.share_decimals}


@pytest.mark.parametrize("name", ["credit_card", "ll144_hiring", "housing_records"])
def test_a_report_is_frozen(name: str) -> None:
    """No part of it can be given another value, nor a new one."""
    seen: set[type] = set()
    for part in parts(report_case(name)):
        seen.add(type(part))
        field = next(iter(type(part).model_fields))
        with pytest.raises(ValidationError, match="frozen"):
            setattr(part, field, getattr(part, field))
    assert {Report, Assessment} <= seen


def parts(value: Any) -> Iterator[BaseModel]:
    """A report and all its parts."""
    if isinstance(value, BaseModel):
        yield value
        for key in type(value).model_fields:
            yield from parts(getattr(value, key))
    elif isinstance(value, dict | tuple):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from parts(entry)


@pytest.mark.parametrize("name", CASES)
def test_nothing_but_the_report_is_needed_for_its_rule_table(name: str) -> None:
    """The table of a report that was read is that of the announcement, with people as far as they are published."""
    announced = prepared_case(name).announcement.rule
    report = read_report(report_json(report_case(name)), name)
    assert_same_rule(report.rule_table, announced)
    population, small_cells = report.policy.population, report.policy.small_cells
    if population == "counts":
        assert_same_people(report.rule_table, announced)
    elif population == "shares":
        shares = prepared_case(name).announcement.shares
        assert (report.rule_table.cells.population == shares).all()
        assert (report.rule_table.weights[-1] == announced.weights[-1]).all()
    else:
        assert (report.rule_table.cells.population == 1).all()
    assert report.rule_table.population == population
    assert report.rule_table.small_cells.is_exact == small_cells.is_exact
    if population != "withheld" and announced.small_cells.suppressed is not None:
        assert report.rule_table.small_cells.suppressed is not None
        assert (report.rule_table.small_cells.suppressed == announced.small_cells.suppressed).all()


def assert_same_rule(one: RuleTable, two: RuleTable) -> None:
    """The same cells in the same groups, the same rule, the truth as near."""
    assert one.decimals == two.decimals
    assert (one.cells.codes == two.cells.codes).all()
    assert (one.cells.group == two.cells.group).all()
    assert (one.mapping == two.mapping).all()
    if isinstance(two.fidelity, Closeness):
        assert one.fidelity == two.fidelity
    for outcome in two.cells.process.outcome.values:
        bands = one.truth_of(outcome), two.truth_of(outcome)
        assert bands[0].denominator == bands[1].denominator
        assert (bands[0].lower == bands[1].lower).all()
        assert (bands[0].upper == bands[1].upper).all()


def assert_same_people(one: RuleTable, two: RuleTable) -> None:
    """The same people in every cell, as far as is published, and the same account of small numbers."""
    assert (one.cells.population == two.cells.population).all()
    assert len(one.weights) == len(two.weights)
    assert all((a == b).all() for a, b in zip(one.weights, two.weights, strict=True))
    assert (one.cells.between is None) == (two.cells.between is None)
    if one.cells.between is not None and two.cells.between is not None:
        assert all((a == b).all() for a, b in zip(one.cells.between, two.cells.between, strict=True))
    ours, theirs = one.small_cells, two.small_cells
    assert (ours.policy, ours.under) == (theirs.policy, theirs.under)
    if theirs.suppressed is not None:
        assert ours.protection == theirs.protection
        assert [(k.values, k.people) for k in ours.known] == [
            (dict(k.values), k.people) for k in theirs.known
        ]
        assert all((a.cells == b.cells).all() for a, b in zip(ours.known, theirs.known, strict=True))


def test_bounds_of_cells_are_published_and_read_back() -> None:
    """Where each cell has bounds of its own, the table has them with their own decimals."""
    text = 'gender: F, income: "<100k", population: 12, approved: 0'
    rows = [
        (text, f"{text}, least: 0, most: 0.25"),
        ("population: 5, approved: 0", "population: 5, approved: 0, least: 0, most: 0.5"),
        ("population: 3, approved: 1", "population: 3, approved: 1, least: 0.625, most: 1"),
        ("population: 9, approved: 0", "population: 9, approved: 0, least: 0, most: 0.125"),
        ("population: 7, approved: 0.5", "population: 7, approved: 0.5, least: 0.25, most: 0.75"),
        ("population: 4, approved: 1", "population: 4, approved: 1, least: 0.5, most: 1"),
    ]
    fidelity = ("fidelity: {delta: 0.9}", "fidelity: {bounds: {lower: least, upper: most}}")
    spec = example_spec(*rows, fidelity, ("  privacy: {beta: 0.7}\n", ""))
    report = report_of(spec)
    assert report.policy.fidelity.bounds == "cells"
    jsonschema.validate(json.loads(report_json(report)), report_schema())
    read = read_report(report_json(report), "here")
    assert read == report
    assert read.policy.bound_decimals == report.policy.bound_decimals == 9
    assert [f"{bound:f}" for bound in read.cells[0].bounds or ()] == ["0.000000000", "0.250000000"]
    truth = read.rule_table.truth
    assert (truth.lower / truth.denominator).tolist() == [0, 0, 0.625, 0, 0.25, 0.5]
    assert (truth.upper / truth.denominator).tolist() == [0.25, 0.5, 1, 0.125, 0.75, 1]
    assert not isinstance(read.rule_table.fidelity, Closeness)


@pytest.mark.parametrize("name", CASES)
def test_group_figures_are_those_of_the_announcement(name: str) -> None:
    """Confidence before and after, group by group, in whole steps."""
    announcement, report = prepared_case(name).announcement, report_case(name)
    np.testing.assert_array_equal(report.group_beta, announcement.group_beta)
    np.testing.assert_array_equal(report.group_prior, announcement.group_prior)
    assert report.privacy.beta == announcement.beta
    assert report.privacy.gamma == announcement.gamma
    assert report.privacy.contribution == announcement.contribution


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_stated_is_not_written(name: str) -> None:
    """No key is null that could be left out, and keys have one order."""
    document = json.loads(report_json(report_case(name)))
    assert list(document) == [key for key in KEYS if key in document]
    assert None not in document.values()
    assert all("guarded" not in cell or cell["guarded"] for cell in document["cells"])


def test_an_absent_section_of_the_spec_means_its_defaults() -> None:
    """A report that says nothing of explanations asks for none."""
    report = report_case("credit_card_full").model_copy(update={"sections": None})
    assert not report.transparency.model_dump(exclude_unset=True)


def test_a_note_may_say_the_same_to_programs() -> None:
    """`key` and `arguments` are the same in every language; a note of an earlier version has neither, and stays readable."""
    arguments = {"share": Decimal("0.3"), "people": 12, "joined": True, "names": ["F", "M"], "unit": "0.30"}
    stated = {"id": "reading", "title": "T", "text": "x", "key": "reading.many", "arguments": arguments}
    note, wrong = validate(stated, Note)
    assert (wrong, note is not None and note.as_json()) == (
        [],
        {**stated, "arguments": {**arguments, "share": 0.3}},
    )
    assert validate({**stated, "key": "No key"}, Note)[0] is None
    old = {"id": "reading", "title": "T", "text": "x"}
    assert Note.model_validate(old).as_json() == old


@pytest.mark.parametrize("people", [10**15, 10**19, 10**39])
def test_more_people_than_can_be_counted_are_refused_in_words(people: int) -> None:
    """Sums of people stay in 64 bits: a report that states more has a finding, no crash and no figures that wrapped around."""
    document = json.loads(report_json(report_of(example_spec(("population: shares", "population: counts")))))
    for cell in document["cells"]:
        cell["population"] = people
    report, wrong = validate(parse_json(json.dumps(document), "report.json"), Report)
    assert report is not None, wrong
    if people == 10**15:
        assert int(report.rule_table.cells.population.sum()) == 6 * people
    else:
        with pytest.raises(ValueError, match="more people than can be counted exactly"):
            _ = report.rule_table
