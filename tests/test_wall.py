"""The wall: nothing public depends on the true mapping except through the announcement."""

import json
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

from atreport import build
from atreport.api.build import BuildResult
from tests.example import write_example

ROOT = Path(__file__).parents[1]

# At δ = 0.5 and one decimal, these two true rules end in one and the same announced rule.
COARSE = (("decimals: 4", "decimals: 1"), ("delta: 0.9", "delta: 0.5"), ("  privacy: {beta: 0.7}\n", ""))
ONE_TRUTH = ()
OTHER_TRUTH = (('">200k", population: 4, approved: 1', '">200k", population: 4, approved: 0.9731'),)


def public_files(folder: Path) -> dict[str, bytes]:
    """Every public file of a build."""
    return {path.name: path.read_bytes() for path in (folder / "public").iterdir()}


def test_public_never_imports_confidential() -> None:
    """The import contracts of pyproject.toml hold, indirect imports included."""
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def two_truths(tmp_path_factory: pytest.TempPathFactory) -> tuple[BuildResult, BuildResult]:
    """Reports on two different true mappings with the same announcement; pairs with PDF are in test_pairs_of_truths.py."""
    place, formats = tmp_path_factory.mktemp("two_truths"), ["html", "json"]
    return (
        build(write_example(place / "1", *COARSE, *ONE_TRUTH), place / "out1", formats),
        build(write_example(place / "2", *COARSE, *OTHER_TRUTH), place / "out2", formats),
    )


def test_same_release_gives_the_same_bytes(two_truths: tuple[BuildResult, BuildResult]) -> None:
    """Two different true mappings with the same announcement give byte-identical public files."""
    one, two = two_truths
    assert one.report.rule_table.announced.tolist() == two.report.rule_table.announced.tolist()
    annexes = [json.loads((r.folder / "confidential" / "annex.json").read_text()) for r in (one, two)]
    assert annexes[0]["cells"] != annexes[1]["cells"]
    assert public_files(one.folder) == public_files(two.folder)


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


def parts_of(path: Path) -> Iterator[tuple[str, str]]:
    """The texts in a file: its bytes, the parts of a spreadsheet, and of a PDF every letter that is drawn and every attachment."""
    content = path.read_bytes()
    yield path.name, content.decode("utf-8", errors="replace")
    if path.suffix in (".xlsx", ".ods"):
        with ZipFile(path) as packed:
            for name in packed.namelist():
                yield f"{path.name}/{name}", packed.read(name).decode("utf-8", errors="replace")
    if path.suffix == ".pdf":
        reader = PdfReader(path)
        yield f"{path.name} shown", "\n".join(page.extract_text() for page in reader.pages)
        with pikepdf.open(path) as pdf:  # what is read aloud, bookmarks, metadata
            entries = (
                each for item in pdf.objects if isinstance(item, pikepdf.Dictionary) for each in item.values()
            )
            texts = [str(each) for each in entries if isinstance(each, pikepdf.String)]
            yield f"{path.name} spoken", "\n".join(texts)
            yield f"{path.name} metadata", pdf.Root.Metadata.read_bytes().decode("utf-8", errors="replace")
        for name, (attached, *_) in reader.attachments.items():
            yield f"{path.name}/{name}", attached.decode("utf-8", errors="replace")


def telling_report(place: Path, delta: str, languages: str) -> Path:
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
    return build(spec, place / "out", ["html", "pdf", "json", "ods", "xlsx"]).folder


@pytest.fixture(scope="module")
def telling_digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Such a report, from which nobody should read the digits."""
    return telling_report(tmp_path_factory.mktemp("telling_digits"), "0.9", "languages: [en, de]")


def test_no_true_figure_in_any_public_file(telling_digits: Path) -> None:
    """A true probability appears in no public file as it would be printed, nor does a path or a user's name."""
    annex = (telling_digits / "confidential" / "annex.json").read_text()
    assert "0.51739" in annex
    parts = [part for path in (telling_digits / "public").iterdir() for part in parts_of(path)]
    assert list(leaks(parts)) == []
    for part, text in parts:
        for secret in (str(telling_digits.parents[1]), ROOT.as_posix()):
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
    public = telling_report(tmp_path, "1", languages) / "public"
    found = {part for path in public.iterdir() for part, _ in leaks(parts_of(path))}
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


def test_charts_carry_no_more_digits_than_are_printed(two_truths: tuple[BuildResult, BuildResult]) -> None:
    """Shifting the truth without changing the announcement does not move a single coordinate."""
    charts = [
        re.findall(r"<svg.*?</svg>", (r.folder / "public" / "report.html").read_text(), re.S)
        for r in two_truths
    ]
    assert charts[0]
    assert charts[0] == charts[1]


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


def test_calibrated_report_tells_the_intervals_and_nothing_more(tmp_path: Path) -> None:
    """Another true rule in the same intervals gives byte-identical public files."""
    mechanism = ("  decimals: 4", "  mechanism: calibrated\n  decimals: 4")
    elsewhere = (
        ("population: 12, approved: 0}", "population: 12, approved: 0.1999}"),
        ("population: 7, approved: 0.5}", "population: 7, approved: 0.4123}"),
        ("population: 4, approved: 1}", "population: 4, approved: 0.8}"),
    )
    formats = ["html", "json"]
    one = build(write_example(tmp_path / "1", mechanism), tmp_path / "out1", formats)
    two = build(write_example(tmp_path / "2", mechanism, *elsewhere), tmp_path / "out2", formats)
    assert public_files(one.folder) == public_files(two.folder)
    report = json.loads(public_files(one.folder)["report.json"])
    assert report["policy"]["mechanism"] == "calibrated"
    assert "fixed in advance" in next(note["text"] for note in report["notes"] if note["id"] == "perturbed")
    assert "calibrated" in public_files(one.folder)["report.html"].decode()


@pytest.mark.parametrize(
    ("spec", "elsewhere"),
    [
        (
            "credit_card",  # every way of explaining a rule, and the texts for letters
            (
                ("population: 12, approved: 0}", "population: 12, approved: 0.1731}"),
                ("population: 7, approved: 0.5}", "population: 7, approved: 0.4123}"),
                ("population: 4, approved: 1}", "population: 4, approved: 0.8517}"),
            ),
        ),
        pytest.param(
            "ll144_hiring_protected",  # a form of its own, with small counts suppressed
            (
                ("population: 400, selected: 0.45}", "population: 400, selected: 0.4711}"),
                ("population: 800, selected: 0.52}", "population: 800, selected: 0.5555}"),
                ("population: 3, selected: 1}", "population: 3, selected: 0.9731}"),
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_explanations_and_forms_tell_no_more_than_the_release(
    tmp_path: Path, spec: str, elsewhere: tuple[tuple[str, str], ...]
) -> None:
    """Two true rules with one announcement: the same pages, figures, influences, forms and verifier, to the last byte."""
    text = (ROOT / "specs" / f"{spec}.yaml").read_text(encoding="utf-8")
    one = two = text.replace("\npolicy:\n", "\npolicy:\n  mechanism: calibrated\n", 1)
    for old, new in elsewhere:
        assert old in two
        two = two.replace(old, new)
    folders = []
    for name, content in (("1", one), ("2", two)):
        path = tmp_path / name / f"{spec}.yaml"
        path.parent.mkdir()
        path.write_text(content, encoding="utf-8")
        folders.append(
            build(path, tmp_path / name / "out", formats=["html", "json"], with_verifier=True).folder
        )
    annexes = [json.loads((folder / "confidential" / "annex.json").read_text()) for folder in folders]
    assert annexes[0]["cells"] != annexes[1]["cells"]
    assert public_files(folders[0]) == public_files(folders[1])


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


def test_same_release_of_three_outcomes_gives_the_same_bytes(tmp_path: Path) -> None:
    """The linear programs' way keeps the wall too: several outcomes, several sensitive attributes."""
    results = []
    for name, refer in (("one", "deny: 0.8, refer: 0.2}"), ("two", "deny: 0.7931, refer: 0.2069}")):
        path = tmp_path / name / "loans.yaml"
        path.parent.mkdir()
        path.write_text(THREE_OUTCOMES.replace("deny: 0.8, refer: 0.2}", refer, 1))
        results.append(build(path, tmp_path / name / "out", formats=["json", "html"]))
    one, two = results
    assert one.report.rule_table.mapping.tolist() == two.report.rule_table.mapping.tolist()
    annexes = [(r.folder / "confidential" / "annex.json").read_bytes() for r in results]
    assert annexes[0] != annexes[1]
    assert public_files(one.folder) == public_files(two.folder)
