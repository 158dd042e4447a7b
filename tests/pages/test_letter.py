"""The letter to a data subject: for every record, nothing that report.json does not imply; errors that help."""

import datetime as dt
import io
import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from atreport import build
from atreport.core.band import outward
from atreport.errors import NotAReport, UsageError
from atreport.forms.fields import WithheldField
from atreport.pages.documents import lay_out, letter_html, letter_pdf
from atreport.pages.letter import letter_context
from atreport.pages.letter_details import LetterDetails, enclosed_data
from atreport.pages.own_case import own_case, parse_record
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import cells_csv, json_bytes
from atreport.spec.load import parse_spec
from tests.command_line import atreport
from tests.documents import MadeReport, make_report
from tests.example import EXAMPLE, write_example
from tests.finding import all_found
from tests.forms import FORM_SPECS, edited_spec, with_fields
from tests.influence_reference import World
from tests.pages.test_document import text_of
from tests.pdf.test_tags import elements


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The report of the example, without kept rates: then every interval can be worked out cell by cell."""
    return make_report(edited_spec(FORM_SPECS["gdpr15"], (", rates: 0.99}", "}")))


@pytest.fixture(scope="module")
def report(made: MadeReport) -> Report:
    """The same as anybody reads it."""
    return read_report(made.data, "report.json")


@pytest.fixture(scope="module")
def document(made: MadeReport) -> dict[str, Any]:
    """Its report.json."""
    content: dict[str, Any] = json.loads(made.data)
    return content


def records(report: Report) -> list[dict[str, str]]:
    """Every record of a report."""
    return [dict(cell.values) for cell in report.cells]


def implied_numbers(document: Mapping[str, Any], record: Mapping[str, str]) -> set[str]:
    """Every figure that follows from report.json, as a letter prints it, found without the letter's code."""
    favourable = document["process"]["outcome"]["favourable"]
    move = 1 - Fraction(repr(document["policy"]["fidelity"]["delta"]))
    names = [attribute["name"] for attribute in document["process"]["attributes"]]
    rule = {
        tuple(cell[name] for name in names): Fraction(repr(cell["announced"][favourable]))
        for cell in document["cells"]
    }
    band = {cell: (max(Fraction(0), p - move), min(Fraction(1), p + move)) for cell, p in rule.items()}
    own = tuple(record[name] for name in names)
    numbers = {end for p in rule.values() for q in (p, 1 - p) for end in _ends(q, move)}
    for cell, p in rule.items():  # how far others are from this one, and where the exact difference lies
        numbers |= {p - rule[own], band[cell][0] - band[own][1], band[cell][1] - band[own][0]}
    people = {
        tuple(cell[name] for name in names): int(Fraction(repr(cell["share"])) * 10**9)
        for cell in document["cells"]
    }
    numbers.add(World(people, rule).rate(list(people)))
    forms = shapley_forms(people, own)
    numbers |= {sum((c * rule[y] for y, c in form.items()), Fraction(0)) for form in forms}
    for form in forms:
        for low, high in ((0, 1), (1, 0)):
            ends = (c * band[y][high if c > 0 else low] for y, c in form.items())
            numbers.add(sum(ends, Fraction(0)))
    steps = {round_ for n in numbers for round_ in (math.floor(n * 1000), math.ceil(n * 1000))}
    exact = {f"{abs(step) / 10:.1f}" for step in steps} | {"1", "2", "3"}  # the last are places of reasons
    for group in document["privacy"]["groups"]:
        exact |= {f"{Decimal(repr(group[key])).scaleb(2).normalize():f}" for key in ("beta", "prior")}
        exact.add(f"{Decimal(repr(group['lift'])).normalize():f}")
        if group["odds"] is not None:  # who was 50% sure is sure with R / (1 + R) afterwards
            odds = Fraction(repr(group["odds"]))
            exact |= {"50", f"{Decimal(-(-odds * 10**3 // (1 + odds))).scaleb(-1).normalize():f}"}
    return exact


def _ends(p: Fraction, move: Fraction) -> tuple[Fraction, ...]:
    return p, max(Fraction(0), p - move), min(Fraction(1), p + move)


def shapley_forms(people: Mapping[Any, int], own: Any) -> list[dict[Any, Fraction]]:
    """What each attribute moved for a person as a sum over cells: Shapley values are linear, so of one cell at a time."""
    of_cells = {
        cell: World(people, {y: Fraction(y == cell) for y in people}).shapley([own]) for cell in people
    }
    return [{cell: values[k] for cell, values in of_cells.items()} for k in range(len(own))]


def test_every_letter_says_only_what_the_report_implies(report: Report, document: dict[str, Any]) -> None:
    """Each figure follows from report.json; each other number stands in the record, the texts or the references."""
    own_words = json.dumps(
        [document["report"], document["form"], document["disclosure"], document["process"]["name"]]
    )
    for record in records(report)[::5]:
        implied = implied_numbers(document, record)
        page = text_of(letter_html(letter_context(report, record)))
        text = page.replace("Article 15 of", "of").replace("1 of 2", "").replace("2 February 2026", "")
        text = text.replace("C-203/22", "").replace("ECLI:EU:C:2025:117", "").replace("27 February 2025", "")
        text = text.replace("Article 15(4)", "").replace("Article 15 asks", "")
        for value in record.values():
            text = text.replace(value.replace("<", "&lt;").replace(">", "&gt;"), "")
        for attribute in document["process"]["attributes"]:
            for value in attribute["values"]:
                text = text.replace(value.replace("<", "&lt;").replace(">", "&gt;"), "")
        for number in all_found(r"\d+(?:\.\d+)*", re.sub(r"\b[1-9]\. ", "", text)):
            assert number in implied or number in own_words, (record, number)


def test_every_letter_shows_the_announced_rule_and_its_neighbours(
    report: Report, document: dict[str, Any]
) -> None:
    """The record, its announced probabilities, and every other value of each attribute."""
    for record in records(report):
        case = own_case(report, record)
        cell = next(c for c in document["cells"] if all(c[k] == v for k, v in record.items()))
        assert {o: float(i.value) for o, i in case.announced.items()} == cell["announced"]
        assert {(c.attribute, c.value) for c in case.changed} == {
            (a["name"], v)
            for a in document["process"]["attributes"]
            for v in a["values"]
            if v != record[a["name"]]
        }
        page = text_of(letter_html(letter_context(report, record)))
        for text in document["form"]["fields"].values():
            assert " ".join(text.split()) in page


def test_letters_depend_on_nothing_but_report_json(made: MadeReport, tmp_path: Path) -> None:
    """report.json alone, in another folder, gives the same bytes as the whole folder, and private ones."""
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "report.html").write_text(made.document.html({"report.json": made.data}), encoding="utf-8")
    (folder / "cells.csv").write_bytes(cells_csv(made.report))
    for place in (folder, tmp_path):
        (place / "report.json").write_bytes(made.data)
    results = []
    for name, source in (("a", folder), ("b", tmp_path / "report.json")):
        record = "Employment=permanent,income=over 40k,arrears=no"
        done = atreport("letter", source, "--record", record, "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        paths = [Path(line) for line in done.stdout.splitlines()]
        assert [path.name for path in paths] == ["letter.html", "letter.pdf", "data.json"]
        assert all(path.stat().st_mode & 0o077 == 0 for path in paths)
        results.append([path.read_bytes() for path in paths])
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("fidelity", "columns"),
    [("{delta: 0.9}", ""), ("{alpha: 0.8}", ""), ("{bounds: {}}", ", lower: LOW, upper: HIGH")],
)
def test_intervals_are_those_of_the_report(fidelity: str, columns: str) -> None:
    """A letter's intervals, made from report.json, equal those of the announced rule, for every kind of fidelity."""
    text = EXAMPLE.replace("{delta: 0.9}", fidelity).replace("  privacy: {beta: 0.7}\n", "")
    if columns:
        for p, low, high in (("0}", "0", "0.2"), ("0.5}", "0.3", "0.6"), ("1}", "0.9", "1")):
            bounds = columns.replace("LOW", low).replace("HIGH", high)
            text = text.replace(f"approved: {p}", f"approved: {p[:-1]}{bounds}}}")
    made = make_report(parse_spec(text))
    rule, report = made.announcement.rule, read_report(made.data, "report.json")
    for outcome in ("approved", "denied"):
        least, most = outward(rule.truth_of(outcome), rule.scale)
        for index, record in enumerate(records(report)):
            found = own_case(report, record).announced[outcome]
            assert found.low == rule.printed(int(least[index]))
            assert found.high == rule.printed(int(most[index]))


def test_pdf_of_a_letter_is_tagged(report: Report) -> None:
    """One title, headings in order, tables with headers, and a language; as in the report."""
    data = letter_pdf(letter_context(report, records(report)[0]))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        tags = [str(element.S) for element, _ in elements(pdf)]
        assert tags.count("/H1") == 1
        assert tags.count("/H2") == 9
        assert tags.index("/H1") < tags.index("/H2")
        assert tags.count("/Table") == 3
        assert all("/Scope" in e.A for e, _ in elements(pdf) if str(e.S) == "/TH")
        assert str(pdf.Root.Lang) == "en"


def test_wrong_records_are_answered_with_what_fits(report: Report) -> None:
    """Every problem at once, and how to write it."""
    with pytest.raises(UsageError) as error:
        parse_record(report, "employment=X,incom=under 20k,Employment=none,what")
    said = (
        "'X' is not a value of 'employment'",
        "did you mean 'income'",
        "given twice",
        "'what' is not of the form",
    )
    assert [words for words in said if words not in str(error.value)] == []
    with pytest.raises(UsageError, match="'income' is missing"):
        parse_record(report, "employment=none")


def test_a_combination_that_does_not_occur_is_said_so(report: Report, document: dict[str, Any]) -> None:
    """Nothing is announced for people who are not there, nor made up for neighbours."""
    fewer = read_report(json_bytes({**document, "cells": document["cells"][1:]}), "report.json")
    with pytest.raises(UsageError, match="nobody in it has this combination"):
        own_case(fewer, records(report)[0])
    page = text_of(letter_html(letter_context(fewer, records(fewer)[0])))
    assert "Nobody in the report has your other data together with" in page


def test_a_report_without_the_texts_is_refused(report: Report, document: dict[str, Any]) -> None:
    """The message says what the spec needs."""
    plain = json_bytes({key: value for key, value in document.items() if key != "form"})
    with pytest.raises(NotAReport, match="template: gdpr15"):
        letter_context(read_report(plain, "report.json"), records(report)[0])


def test_withheld_texts_are_printed_in_letters_and_reports(report: Report) -> None:
    """With the reason, in both."""
    changed = with_fields(report, storage_period=WithheldField(withheld="because a court so ordered"))
    for page in (letter_html(letter_context(changed, RECORD)), lay_out(changed).html()):
        assert "Withheld, because a court so ordered" in page


def test_a_letter_says_what_holds_whatever_others_knew(report: Report) -> None:
    """The group's own lift and odds: limited, nothing at all, without limit, or not stated by an earlier version."""
    record = dict(report.cells[0].values)

    def others(**changed: Any) -> str:
        group, *rest = report.privacy.groups
        groups = (group.model_copy(update=changed), *rest)
        privacy = report.privacy.model_copy(update={"groups": groups})
        sections = letter_context(report.model_copy(update={"privacy": privacy}), record).sections
        return " ".join(next(section for section in sections if section.id == "others").text)

    limited = others(lift=Decimal("1.9000"), odds=Decimal("9.0000"))
    assert "more than 1.9 times as likely as it is among people like you" in limited
    assert "50% sure of something about you, is at most 90% sure of it" in limited
    assert "whatever else they believed" in limited
    assert "any more likely" in others(lift=Decimal("1.0000"), odds=Decimal("1.0000"))
    assert "rule out something about you for certain" in others(lift=Decimal("4.0000"), odds=None)
    assert "times as likely" not in others(lift=None)
    assert others(beta=Decimal("1.0000")).startswith("There is no protection for people like you.")


RECORD = {"employment": "none", "income": "under 20k", "arrears": "yes"}


def test_a_letter_says_what_was_decided_and_that_a_program_did(report: Report) -> None:
    """The decision where it is given, that there is automated decision-making, and the copy of the data."""
    details = LetterDetails(
        outcome="declined", reference="A-17", date=dt.date(2026, 3, 4), salutation="Dear Ms Example,"
    )
    page = text_of(letter_html(letter_context(report, RECORD, details)))
    for words in (
        "4 March 2026 · Reference: A-17",
        "Dear Ms Example,",
        "“declined”",
        "is made by a program alone",
        "enclosed in the file data.json",
        "Example Credit Register GmbH",
        "beyond the data below and the decision.",
    ):
        assert words in page
    without = text_of(letter_html(letter_context(report, RECORD)))
    assert "is not part of the published report" in without
    assert "Reference" not in without


def test_the_enclosure_holds_the_data_and_the_decision(report: Report) -> None:
    """By name and label, in the order of the spec, and nothing that was not given."""
    held = json.loads(enclosed_data(report, RECORD, LetterDetails(outcome="declined", reference="A-17")))
    assert {entry["name"]: entry["value"] for entry in held["data"]} == RECORD
    assert held["data"][1]["label"] == "Yearly income"
    assert held["decision"] == {"name": "decision", "value": "declined"}
    assert held["reference"] == "A-17"
    bare = json.loads(enclosed_data(report, RECORD, LetterDetails()))
    assert {"decision", "reference"}.isdisjoint(bare)


def test_what_is_withheld_is_listed_with_who_decides() -> None:
    """The exact rule, withheld texts and the publisher's own list; or that nothing is."""
    text = FORM_SPECS["gdpr15"].read_text(encoding="utf-8")

    def section(*edits: tuple[str, str]) -> str:
        found = make_report(edited_spec(FORM_SPECS["gdpr15"], *edits)).report
        return str(next(s for s in letter_context(found, RECORD).sections if s.id == "withheld"))

    withheld = section(
        ("  transfers: Your data is not", "  transfers: {withheld: secret}  # Your data is not")
    )
    for words in ("The exact rule", "because secret", "trade secret of the supplier", "ECLI:EU:C:2025:117"):
        assert words in withheld
    listed = text[text.index("  withheld:\n") : text.index("form:\n")]
    nothing = section(("{delta: 0.96, rates: 0.99}", "{delta: 1}"), (listed, ""))
    assert "Nothing that Article 15 asks for is withheld" in nothing
    assert "ECLI" not in nothing


def test_officer_and_old_reports(report: Report) -> None:
    """A data protection officer may be missing, and a report of version 0.1 has neither of the new texts."""
    missing = ("data_protection_officer", "automated_decision_making", "copy_of_data")
    old = with_fields(report, **dict.fromkeys(missing))
    page = text_of(letter_html(letter_context(old, RECORD)))
    assert "Data protection officer" not in page
    assert "A copy of your data" not in page
    assert "None" not in page


def test_differences_hold_for_every_possible_rule(report: Report) -> None:
    """With kept rates, too: the interval of a difference is no wider than the bands, and holds the announced one."""
    kept = make_report(edited_spec(FORM_SPECS["gdpr15"])).report
    for found in (report, kept):
        case = own_case(found, RECORD)
        own = case.announced[found.process.outcome.favourable]
        for each in case.changed:
            assert each.announced is not None
            assert each.difference is not None
            assert each.difference.low <= each.announced.value - own.value <= each.difference.high
            assert each.difference.low >= each.announced.low - own.high
            assert each.difference.high <= each.announced.high - own.low


def test_attributes_go_by_name_or_label(report: Report) -> None:
    """Either, with spaces around; both of one attribute are one too many."""
    assert parse_record(report, "Employment=none, Yearly income = under 20k,arrears=yes") == RECORD
    with pytest.raises(UsageError, match="'employment' is given twice"):
        parse_record(report, "Employment=none,employment=none,income=under 20k,arrears=yes")


def test_without_people_no_reason_is_named() -> None:
    """Where the population is withheld, the letter says why it does not say what weighed most."""
    edits = (("population: shares", "population: withheld"), (", rates: 0.99}", "}"))
    found = make_report(edited_spec(FORM_SPECS["gdpr15"], *edits)).report
    page = text_of(letter_html(letter_context(found, RECORD)))
    assert "Which of your data weighed most cannot be told" in page
    assert "How your data moved" not in page


AWKWARD = (*[('"100k-200k"', '"100k, or more"')] * 3, *[('"<100k"', '"a=1,gender=F"')] * 3)


def test_names_with_signs_of_the_record_itself(tmp_path: Path) -> None:
    """Commas and equal signs in labels: the report says where one value ends and the next begins."""
    made = build(write_example(tmp_path, *AWKWARD), tmp_path / "out", formats=["json"])
    assert atreport("verify", made.folder / "public").returncode == 0
    report = made.report
    assert parse_record(report, "gender=M, income=100k, or more") == {
        "gender": "M",
        "income": "100k, or more",
    }
    assert parse_record(report, "income=a=1,gender=F,gender=M") == {"income": "a=1,gender=F", "gender": "M"}
    assert parse_record(report, "income=>200k,gender=F") == {"gender": "F", "income": ">200k"}
    with pytest.raises(UsageError, match="'gender' is missing"):
        parse_record(report, "income=100k, or more")
