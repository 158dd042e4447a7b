"""The letter to a data subject: for every record, nothing that report.json does not imply; errors that help."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from atreport import build
from atreport.errors import NotAReport, UsageError
from atreport.pages.documents import lay_out, letter_html, letter_pdf
from atreport.pages.letter import letter_context
from atreport.pages.own_case import own_case, parse_record
from atreport.population.band import outward
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import cells_csv, json_bytes
from atreport.spec.load import load_spec, parse_spec
from tests.command_line import atreport
from tests.documents import MadeReport, make_report
from tests.example import EXAMPLE, write_example
from tests.forms import FORM_SPECS
from tests.pages.test_document import text_of
from tests.pdf.test_tags import elements


@pytest.fixture(scope="module")
def made() -> MadeReport:
    """The report of specs/credit_card.yaml."""
    return make_report(load_spec(FORM_SPECS["gdpr15"]))


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


def implied_numbers(document: Mapping[str, Any]) -> set[str]:
    """Every figure that follows from report.json, in percent as a letter prints it, found without the letter's code."""
    move = 1 - Fraction(repr(document["policy"]["fidelity"]["delta"]))
    numbers: set[Fraction] = set()
    favourable = document["process"]["outcome"]["favourable"]
    announced = [Fraction(repr(p)) for cell in document["cells"] for p in cell["announced"].values()]
    numbers |= {end for p in announced for end in (p, max(Fraction(0), p - move), min(Fraction(1), p + move))}
    rule = [Fraction(repr(cell["announced"][favourable])) for cell in document["cells"]]
    numbers |= {abs(p - q) for p in rule for q in rule}
    numbers |= moved(document)
    exact = {f"{float(100 * n):.2f}" for n in numbers}
    for group in document["privacy"]["groups"]:
        exact |= {f"{Decimal(repr(group[key])).scaleb(2).normalize():f}" for key in ("beta", "prior")}
        exact.add(f"{Decimal(repr(group['lift'])).normalize():f}")
        if group["odds"] is not None:  # who was 50% sure is sure with R / (1 + R) afterwards
            odds = Fraction(repr(group["odds"]))
            exact |= {"50", f"{Decimal(-(-odds * 10**4 // (1 + odds))).scaleb(-2).normalize():f}"}
    return exact


def moved(document: Mapping[str, Any]) -> set[Fraction]:
    """Everybody's average, and what gender and income moved for each record: Shapley values of two attributes by hand."""
    favourable = document["process"]["outcome"]["favourable"]
    share = {(c["gender"], c["income"]): Fraction(repr(c["share"])) for c in document["cells"]}
    rule = {(c["gender"], c["income"]): Fraction(repr(c["announced"][favourable])) for c in document["cells"]}
    everybody = sum(share.values(), Fraction(0))
    genders, incomes = {g for g, _ in share}, {i for _, i in share}
    by_gender = {g: sum((share[g, i] for i in incomes), Fraction(0)) / everybody for g in genders}
    by_income = {i: sum((share[g, i] for g in genders), Fraction(0)) / everybody for i in incomes}
    average = sum((share[cell] * rule[cell] for cell in share), Fraction(0)) / everybody
    amounts = {average}
    for gender, income in rule:
        own = rule[gender, income]
        other_gender = sum((by_gender[g] * rule[g, income] for g in genders), Fraction(0))
        other_income = sum((by_income[i] * rule[gender, i] for i in incomes), Fraction(0))
        amounts |= {
            abs(own - other_gender + other_income - average) / 2,
            abs(own - other_income + other_gender - average) / 2,
        }
    return {Fraction(round(amount * 10**4), 10**4) for amount in amounts}


def test_every_letter_says_only_what_the_report_implies(report: Report, document: dict[str, Any]) -> None:
    """Each figure follows from report.json; each other number stands in the record, the texts or the references."""
    implied = implied_numbers(document)
    own_words = json.dumps([document["report"], document["form"], document["process"]["name"]])
    for record in records(report):
        page = text_of(letter_html(letter_context(report, record)))
        text = page.replace("Article 15 of", "of").replace("1 of 2", "").replace("15 January 2026", "")
        for value in record.values():
            text = text.replace(value.replace("<", "&lt;").replace(">", "&gt;"), "")
        for attribute in document["process"]["attributes"]:
            for value in attribute["values"]:
                text = text.replace(value.replace("<", "&lt;").replace(">", "&gt;"), "")
        for found in re.findall(r"\d+(?:\.\d+)*", re.sub(r"\b[1-7]\. ", "", text)):
            assert found in implied or found in own_words, (record, found)


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
    (folder / "report.html").write_text(made.document.html(made.data), encoding="utf-8")
    (folder / "cells.csv").write_bytes(cells_csv(made.report))
    for place in (folder, tmp_path):
        (place / "report.json").write_bytes(made.data)
    results = []
    for name, source in (("a", folder), ("b", tmp_path / "report.json")):
        done = atreport("letter", source, "--record", "gender=M,income=>200k", "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        results.append([Path(line).read_bytes() for line in done.stdout.splitlines()])
        assert [Path(line).name for line in done.stdout.splitlines()] == ["letter.html", "letter.pdf"]
        assert all(Path(line).stat().st_mode & 0o077 == 0 for line in done.stdout.splitlines())
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
        assert tags.count("/H2") == 7
        assert tags.index("/H1") < tags.index("/H2")
        assert tags.count("/Table") == 3
        assert all("/Scope" in e.A for e, _ in elements(pdf) if str(e.S) == "/TH")
        assert str(pdf.Root.Lang) == "en"


def test_wrong_records_are_answered_with_what_fits(report: Report) -> None:
    """Every problem at once, and how to write it."""
    with pytest.raises(UsageError) as error:
        parse_record(report, "gender=X,incom=<100k,gender=F,what")
    for words in (
        "'X' is not a value of 'gender'",
        "did you mean 'income'",
        "given twice",
        "'what' is not of the form",
    ):
        assert words in str(error.value)
    with pytest.raises(UsageError, match="'income' is missing"):
        parse_record(report, "gender=F")


def test_a_combination_that_does_not_occur_is_said_so(report: Report, document: dict[str, Any]) -> None:
    """Nothing is announced for people who are not there, nor made up for neighbours."""
    fewer = read_report(json_bytes({**document, "cells": document["cells"][1:]}), "report.json")
    with pytest.raises(UsageError, match="nobody in it has this combination"):
        own_case(fewer, records(report)[0])
    page = text_of(letter_html(letter_context(fewer, records(fewer)[0])))
    assert "Nobody in the report has your other data together with" in page


def test_a_report_without_the_texts_is_refused(
    report: Report, document: dict[str, Any], tmp_path: Path
) -> None:
    """The message says what the spec needs."""
    plain = json_bytes({key: value for key, value in document.items() if key != "form"})
    with pytest.raises(NotAReport, match="template: gdpr15"):
        letter_context(read_report(plain, "report.json"), records(report)[0])
    (tmp_path / "report.json").write_bytes(plain)
    done = atreport(
        "letter", tmp_path / "report.json", "--record", "gender=F,income=<100k", "-o", tmp_path / "x"
    )
    assert done.returncode == 2
    assert "no texts for a letter" in done.stderr
    assert not (tmp_path / "x").exists()


def test_withheld_texts_are_printed_in_letters_and_reports() -> None:
    """With the reason, in both."""
    text = FORM_SPECS["gdpr15"].read_text(encoding="utf-8")
    kept = "recipients: Nobody outside the bank"
    assert kept in text
    text = text.replace(kept, "recipients: {withheld: because a court so ordered}")
    report = make_report(parse_spec(text, FORM_SPECS["gdpr15"])).report
    for page in (letter_html(letter_context(report, records(report)[0])), lay_out(report).html()):
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
    assert "becomes more than 1.9 times as likely by the decision" in limited
    assert "at most 90% sure afterwards, whatever they believed before" in limited
    assert "becomes any more likely" in others(lift=Decimal("1.0000"), odds=Decimal("1.0000"))
    assert "rule something about you out for certain" in others(lift=Decimal("4.0000"), odds=None)
    assert "times as likely" not in others(lift=None)
    assert others(beta=Decimal("1.0000")).startswith("There is no protection for people like you.")


AWKWARD = (
    ('"100k-200k"', '"100k, or more"'),
    ('"100k-200k"', '"100k, or more"'),
    ('"100k-200k"', '"100k, or more"'),
    ('"<100k"', '"a=1,gender=F"'),
    ('"<100k"', '"a=1,gender=F"'),
    ('"<100k"', '"a=1,gender=F"'),
)


def test_names_with_signs_of_the_record_itself(tmp_path: Path) -> None:
    """Commas and equal signs in labels: the report says where one value ends and the next begins."""
    made = build(write_example(tmp_path, *AWKWARD), tmp_path / "out", formats=["html", "json"])
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
