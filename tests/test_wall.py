"""The wall: nothing public depends on the true mapping except through the announcement."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pikepdf
import pytest
from pypdf import PdfReader

from atreport.export.files import public_files
from atreport.private.audited import compose
from atreport.private.prepare import prepare_spec
from atreport.spec.load import load_spec
from tests.example import changed, write_example

ROOT = Path(__file__).parents[1]


def test_public_never_imports_confidential() -> None:
    """The import contracts of pyproject.toml hold, indirect imports included."""
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


TRUE = Decimal("0.51739"), Decimal("0.93571")
"""True probabilities with digits that nothing else has."""

CALIBRATED = "  mechanism: calibrated\n  decimals: 4"
"""Announced values that cannot be run backwards: at the edge of a band, a true one would be printed as an end."""


def spellings(number: Decimal) -> Iterator[str]:
    """A true probability as it would be printed: with all its digits or rounded, as a share, in percent or of a thousand."""
    for places in (3, 4, 5):
        for way in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING):
            rounded = number.quantize(Decimal(1).scaleb(-places), way)
            yield from (f"{rounded.scaleb(2 * times):f}" for times in (0, 1))
    yield f"{number.scaleb(3):f}"


A_LEAK = re.compile(
    rf"(?<![\d.])(?:{'|'.join(re.escape(each).replace(re.escape('.'), '[.,]') for each in {s for n in TRUE for s in spellings(n)})})(?!\d)"
)
"""Digits as they are printed, in any language."""


def leaks(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Where in public files the digits of a true figure stand: in what programs read and in what people see."""
    for part, content in parts:
        # an entity or a tag may stand among the digits of a page, and a sign that is not seen
        seen = unescape(re.sub(r"<[^>]*>", "", content))
        for text in {content, seen}:
            yield from ((part, place) for place in A_LEAK.findall(text))


def parts_of(file: str, content: bytes) -> Iterator[tuple[str, str]]:
    """The texts in a file: its bytes, the parts of a spreadsheet, and of a PDF every letter that is drawn and every attachment."""
    yield file, content.decode("utf-8", errors="replace")
    if file.endswith((".xlsx", ".ods")):
        with ZipFile(io.BytesIO(content)) as packed:
            for name in packed.namelist():
                yield f"{file}/{name}", packed.read(name).decode("utf-8", errors="replace")
    if file.endswith(".pdf"):
        reader = PdfReader(io.BytesIO(content))
        yield f"{file} shown", "\n".join(page.extract_text() for page in reader.pages)
        with pikepdf.open(io.BytesIO(content)) as pdf:  # what is read aloud, bookmarks, metadata
            entries = (
                each for item in pdf.objects if isinstance(item, pikepdf.Dictionary) for each in item.values()
            )
            texts = [str(each) for each in entries if isinstance(each, pikepdf.String)]
            yield f"{file} spoken", "\n".join(texts)
            yield f"{file} metadata", pdf.Root.Metadata.read_bytes().decode("utf-8", errors="replace")
        for name, (attached, *_) in reader.attachments.items():
            yield f"{file}/{name}", attached.decode("utf-8", errors="replace")


def telling_files(place: Path, delta: str, languages: str) -> dict[str, bytes]:
    """Every public file, in some languages, of a report on true probabilities with digits of their own."""
    spec = write_example(
        place,
        ("approved: 0.5}", f"approved: {TRUE[0]}}}"),
        ("approved: 1}", f"approved: {TRUE[1]}}}"),
        ("  decimals: 4", CALIBRATED if delta != "1" else "  decimals: 4"),
        ("delta: 0.9", f"delta: {delta}"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("version: 1.0.0", f"version: 1.0.0\n  {languages}"),
    )
    prepared = prepare_spec(load_spec(spec))
    assert float(TRUE[0]) in prepared.table.favourable
    return public_files(compose(prepared).report, ["html", "pdf", "json", "ods", "xlsx"])


def test_no_true_figure_in_any_public_file(tmp_path: Path) -> None:
    """A true probability appears in no public file as it would be printed, nor does a path or a user's name."""
    files = telling_files(tmp_path, "0.9", "languages: [en, de]")
    parts = [part for name, content in files.items() for part in parts_of(name, content)]
    assert len(parts) > 40
    assert list(leaks(parts)) == []
    for part, text in parts:
        for secret in (str(tmp_path), ROOT.as_posix()):
            assert secret not in text, part


@pytest.mark.parametrize(
    ("languages", "further"),
    [
        ("language: de", []),
        pytest.param(
            "languages: [en, de]", ["report.de.html", "report.de.pdf shown"], marks=pytest.mark.slow
        ),
    ],
)
def test_the_search_for_true_figures_finds_them_wherever_they_would_leak(
    tmp_path: Path, languages: str, further: list[str]
) -> None:
    """At δ = 1 the truth is what is announced: page, charts, tables, attachments and every letter of the PDF give it away."""
    files = telling_files(tmp_path, "1", languages)
    found = {part for name, content in files.items() for part, _ in leaks(parts_of(name, content))}
    for part in (
        "report.json", "cells.csv", "report.html", "report.pdf shown", "report.pdf/report.json", *further,
    ):  # fmt: skip
        assert part in found, part
    for kind in (".ods/content.xml", ".xlsx/xl/worksheets/sheet"):
        assert any(kind in part for part in found), kind
    chart = "<svg><text>{}</text></svg>"
    for shown in (
        "0.5174",
        "51.74%",
        "51,74&nbsp;%",
        "51<tspan>.74</tspan> %",
        "93,57 %",
        "0,9357",
        "51.7 of 100",
    ):
        assert list(leaks([("chart.svg", chart.format(shown))])), shown
    assert not list(leaks([("chart.svg", chart.format("151.74 51.743 0.51"))]))


@pytest.mark.slow
def test_public_functions_take_no_decision_table() -> None:
    """A door given a DecisionTable or a whole spec, or a page given anything but a Report, is a type error."""
    program = """
from atreport.private.data.table import DecisionTable
from atreport.export.files import public_files
from atreport.compose import compose_report
from atreport.compose.notes import disclosure_notes
from atreport.spec.spec import Spec
from atreport.core.certify import Announcement
def wrong(table: DecisionTable, spec: Spec, announcement: Announcement) -> None:
    compose_report(table, spec.public)
    compose_report(announcement, spec)
    disclosure_notes(announcement)
    public_files(announcement, ["json"])
    public_files(table, ["json"])
"""
    # A cache of its own, or rather none: other options would spoil that of `make types`.
    options = ["--config-file", os.devnull, "--cache-dir", os.devnull, "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.count("[arg-type]") == 5, done.stdout + done.stderr


THREE_OUTCOMES = """\
atreport: 1
report: {title: Loans, publisher: Example, version: 1, date: 2026-01-15}
process:
  name: Loans
  outcome: {name: decision, values: [deny, refer, approve], favourable: approve}
  attributes:
    - {name: gender, role: public, values: [F, M]}
    - {name: income, role: sensitive, values: [low, high]}
    - {name: health, role: sensitive, values: [good, poor]}
source:
  table:
    - {gender: F, income: low, health: good, population: 30, deny: 0.8, refer: 0.2}
    - {gender: F, income: low, health: poor, population: 20, deny: 0.9, refer: 0.1}
    - {gender: F, income: high, health: good, population: 25, deny: 0.3, refer: 0.3}
    - {gender: M, income: low, health: good, population: 33, deny: 0.7, refer: 0.2}
    - {gender: M, income: high, health: poor, population: 14, deny: 0, refer: 0.1}
policy: {fidelity: {delta: 0.3}, decimals: 1}
fairness:
  - {measure: statistical_parity, groups: gender}
"""


SPECS = ROOT / "specs"
CALIBRATED_SPECS = ("\npolicy:\n", "\npolicy:\n  mechanism: calibrated\n")
PAIRS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # at δ = 0.5 and one decimal, both end in one and the same announced rule
    "coarse": (
        changed(("decimals: 4", "decimals: 1"), ("delta: 0.9", "delta: 0.5"), ("  privacy: {beta: 0.7}\n", "")),
        [('">200k", population: 4, approved: 1', '">200k", population: 4, approved: 0.9731')],
    ),
    # the linear programs' way: several outcomes, several sensitive attributes
    "three outcomes": (THREE_OUTCOMES, [("deny: 0.8, refer: 0.2}", "deny: 0.7931, refer: 0.2069}")]),
    # the same intervals; every way of explaining a rule, and the texts for letters
    "credit_card": (
        (SPECS / "credit_card.yaml").read_text(encoding="utf-8").replace(*CALIBRATED_SPECS, 1),
        [
            ("population: 12, approved: 0}", "population: 12, approved: 0.1731}"),
            ("population: 7, approved: 0.5}", "population: 7, approved: 0.4123}"),
            ("population: 4, approved: 1}", "population: 4, approved: 0.8517}"),
        ],
    ),
    # a form of its own, with small counts suppressed
    "ll144_hiring_protected": (
        (SPECS / "ll144_hiring_protected.yaml").read_text(encoding="utf-8").replace(*CALIBRATED_SPECS, 1),
        [
            ("population: 400, selected: 0.45}", "population: 400, selected: 0.4711}"),
            ("population: 800, selected: 0.52}", "population: 800, selected: 0.5555}"),
            ("population: 3, selected: 1}", "population: 3, selected: 0.9731}"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name.startswith("ll144") else ()) for name in PAIRS],
)
def test_two_truths_with_one_announcement_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    """Two true rules with one announcement: the same pages, figures, charts, influences, forms and verifier, to the last byte.

    Random pairs, with all that a build says, are in `test_pairs_of_truths.py`.
    """
    text, elsewhere = PAIRS[name]
    truths, files = [], []
    for content in (text, changed(*elsewhere, text=text)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(content, encoding="utf-8")
        prepared = prepare_spec(load_spec(path))
        truths.append(prepared.table.probability.tolist())
        files.append(public_files(compose(prepared).report, ["html", "json"], with_verifier=True))
    assert truths[0] != truths[1]
    assert files[0] == files[1]
