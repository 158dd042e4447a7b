"""What `verify` tells of a report in French, German or Dutch holds no English: no finding, whoever found it, and no limit."""

import json
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from atreport import verify
from atreport.cli.verify import show_verification
from atreport.export.files import public_files
from atreport.export.spreadsheets import pack
from atreport.report.model import LedgerHead, Report
from atreport.report.pdf import read_pdf
from atreport.report.writer import json_bytes, report_json
from atreport.spec.house_style import logo_problem, png_problem
from atreport.text.language import LANGUAGES, resolve, use_locale
from atreport.verification.ledger import read_ledger_file
from atreport.verification.rebuild import compare_page, sheet_dangers
from atreport.verification.recalculation import SecondReading, read_again
from tests.assessing import report_of
from tests.catalogues import restated
from tests.english import english_words, own_words
from tests.example import example_spec
from tests.forgeries import DANGEROUS_PDFS
from tests.styled import LOGO
from tests.tampering import figures
from tests.verification.test_page import PAGE
from tests.verification.test_promises import forged_promises

FURTHER = [code for code in LANGUAGES if code != "en"]
COUNTS = ("population: shares", "population: counts")
WITHHELD = ("population: shares", "population: withheld")


@cache
def example(code: str = "en", *edits: tuple[str, str]) -> Report:
    """The example in a language."""
    return report_of(example_spec(("date: 2026-01-15\n", f"date: 2026-01-15\n  language: {code}\n"), *edits))


def read(document: Any) -> SecondReading:
    """What the shipped verifier finds, as it comes from another process."""
    found = pickle.loads(pickle.dumps(read_again(json_bytes(document))))
    assert isinstance(found, SecondReading)
    return found


def test_english_is_noticed() -> None:
    """Otherwise the tests below would hold for any sentence."""
    assert english_words("report.json : not the groups that are compared", "fr")[:2] == ["the", "groups"]
    assert english_words("cells.csv: verändert, “the” seit SHA256SUMS geschrieben wurde", "de") == []
    assert english_words("rates: invisible text", "nl")


@pytest.mark.parametrize(
    ("edits", "every"),
    [
        ((), 4),
        ((COUNTS,), 4),
        pytest.param((), 1, marks=pytest.mark.slow),
        pytest.param((COUNTS,), 1, marks=pytest.mark.slow),
        pytest.param((WITHHELD,), 1, marks=pytest.mark.slow),
    ],
)
def test_findings_on_figures_are_told_in_every_language(
    edits: tuple[tuple[str, str], ...], every: int
) -> None:
    """They come from verify.py, which speaks English."""
    files = {"report.json": report_json(example("en", *edits))}
    own, told = own_words(example("en", *edits)), set()
    forged = [json.loads(change.content or b"") for change in figures(files)]
    forged += [promise for _, promise in forged_promises(json.loads(files["report.json"]))]
    for document in forged[::every]:
        reading = read(document)
        told |= {*reading.findings}
        for code in FURTHER:
            with use_locale(code):
                said = [resolve(each) for each in reading.findings]
            assert [each for each in said if english_words(each, code, own)] == []
    assert len(told) > 15


def test_braces_in_a_report_are_no_places() -> None:
    """A hostile report puts into its names what would be a place, one without end, or half of one."""
    hostile = "{where}{0.__class__}{what!r:>999999999}{"
    document = json.loads(report_json(example("fr", COUNTS)).replace(b'"F"', json.dumps(hostile).encode()))
    document["fairness"][0] |= {"value": 0.5}
    for each in document["fairness"][0]["rates"]:
        each["value"] = 0.5
    for group in document["privacy"]["groups"]:
        group["lift"] = 9.0
    found = [each for each in read(document).findings if hostile in each]
    assert len(found) > 1
    with use_locale("fr"):
        assert [each for each in map(resolve, found) if hostile not in each or "recalculated" in each] == []


OTHER: dict[str, tuple[str | None, str | None]] = {"pydyf": ("0.1", "3"), "pango": ("1", None)}


@pytest.mark.parametrize("code", FURTHER)
def test_what_is_not_compared_is_told_in_the_language(code: str) -> None:
    """Which libraries differ, and how to have them; what is more than a drawing; what a spreadsheet may not hold."""
    with use_locale(code):
        compared = compare_page(PAGE.replace("<g>", "<g><script></script>").encode(), PAGE, OTHER)
        told = [
            *compared.findings,
            *(missed.what for missed in compared.not_checked),
            *sheet_dangers("report.ods", b""),
            *sheet_dangers("report.ods", pack({"a": b""})),
        ]
    assert len(told) == 5
    assert [each for each in told if english_words(each, code, ["pip", "install"])] == []


STYLE_FILES: list[tuple[Callable[[bytes], str | None], bytes]] = [
    *((logo_problem, LOGO.replace(b"<circle", edit + b"<circle", 1)) for edit in (b"<script/>", b"word", b"<g x='url(y)'/>", b"<g onload='x'/>")),
    (logo_problem, LOGO + b" " * 200_000), (logo_problem, b""), (png_problem, b""), (png_problem, b" " * 3_000_000),
]  # fmt: skip


def test_what_is_wrong_with_a_style_file_is_told_in_every_language() -> None:
    """It is found in another process, or by what also advises publishers."""
    for problem, content in STYLE_FILES:
        found = problem(content)
        assert found is not None
        for code in FURTHER:
            with use_locale(code):
                assert english_words(resolve(found), code) == []


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_dangerous_in_a_pdf_is_told_in_every_language(every: int) -> None:
    """It is found before anybody knows the language: the report may be attached to the PDF."""
    honest, told = public_files(example("en"), ["pdf"])["report.pdf"], set()
    for forge in [*DANGEROUS_PDFS.values()][::every]:
        try:
            told |= {*read_pdf(forge(honest)).dangers}
        except Exception as error:
            told.add(error.args[0])
    assert len(told) > 1
    for code in FURTHER:
        with use_locale(code):
            assert [each for each in told if english_words(resolve(each), code)] == []


@pytest.mark.parametrize("code", FURTHER)
def test_what_a_ledger_lost_is_told_in_the_language(tmp_path: Path, code: str) -> None:
    """Cut off, empty, or another one."""
    lines = tmp_path / "releases.jsonl"
    heads = [LedgerHead(size=size, root="0" * 64) for size in (1, 2)]
    with use_locale(code):
        found = [read_ledger_file(lines).lost(head) or "" for head in heads]
    assert [english_words(each, code) for each in found] == [[], []]
    assert all(found)


@pytest.mark.parametrize(
    "code", [code if code == "fr" else pytest.param(code, marks=pytest.mark.slow) for code in FURTHER]
)
def test_nothing_that_verify_tells_is_english(
    tmp_path: Path, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file of a folder forged at once: names of checks, findings, limits, what was not checked, the conclusion."""
    report = example(code)
    files = public_files(report, ["html", "pdf", "json", "ods", "xlsx"])
    document = json.loads(files["report.json"])
    document["privacy"] |= {"beta": 0.5, "contribution": 0.4}
    document["privacy"]["groups"][0] |= {"lift": 9.0, "odds": 8.0, "cells": 7}
    document["fairness"][0] |= {"value": 0.3333, "verdict": "meets"}
    files["report.json"] = json_bytes(document)
    files["report.html"] = files["report.html"].replace(b"</main>", b"<b>x</b></main>", 1)
    files["report.pdf"] = DANGEROUS_PDFS["a form"](files["report.pdf"])
    files["report.ods"] = files["report.xlsx"]
    files["report.xlsx"] = files["report.xlsx"].replace(b"Excel", b"Axcel", 1)
    files["cells.csv"] = files["cells.csv"].replace(b"0.9000", b"0.9001", 1)
    files = restated(files)
    files["dcat.jsonld"] = files["dcat.jsonld"].replace(b'"@value": "', b'"@value": "0', 3)
    files["SHA256SUMS"] += b"no checksum\n"
    for name, content in {**files, "extra.txt": b""}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "xx1").mkdir()
    (tmp_path / "xx2").symlink_to(tmp_path / "report.json")
    found = verify(tmp_path)
    told = [*found.findings, *found.limits, *(check.what for check in found.checks)]
    told += [missed.what for missed in found.not_checked]
    show_verification(found)
    told += capsys.readouterr().out.splitlines()[1:]  # without the path
    assert {check.id for check in found.checks if check.findings} > {"checksums", "figures", "attachments"}
    assert len([each for each in found.findings if each.startswith(("xx1", "xx2"))]) == 2
    own = own_words(report)
    assert [(each, words) for each in told if (words := english_words(each, code, own))] == []
    assert len(found.findings) > 20
