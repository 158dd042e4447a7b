"""A whole build: the files of the contract, their contents, and the same bytes every time."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from atreport import build
from atreport.errors import InvalidInput, MissingLibrary, Refused
from atreport.export.files import public_files
from atreport.forms import FORMS
from atreport.forms.written import WrittenForm
from atreport.pages import pdf
from atreport.report.writer import report_schema
from atreport.spec.load import load_spec, parse_spec
from tests.assessing import report_case, report_of
from tests.conftest import BuiltOnce
from tests.example import EXAMPLE, write_example

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
PUBLIC = {
    "report.html", "report.pdf", "report.json", "cells.csv", "measures.csv", "cells.csv-metadata.json",
    "measures.csv-metadata.json", "dcat.jsonld", "SHA256SUMS",
}  # fmt: skip
CONFIDENTIAL = {"annex.html", "annex.pdf", "annex.json"}


def document_of(folder: Path) -> dict[str, Any]:
    """The report.json of a build."""
    return dict(json.loads((folder / "public" / "report.json").read_text(encoding="utf-8")))


# Those that other quick tests look at as a whole too; the rest are printed as PDF in the slow suite.
PRINTED_ANYWAY = ("credit_card", "ll144_hiring")
EVERY_SPEC = [
    pytest.param(spec, id=spec.stem, marks=() if spec.stem in PRINTED_ANYWAY else pytest.mark.slow)
    for spec in SPECS
]


def record_of(spec: Path) -> set[str]:
    """The files that only reports of one form have."""
    form = FORMS.get(load_spec(spec).report.template)
    document = form.written.document if form is not None and issubclass(form, WrittenForm) else None
    return set() if document is None else {*document.files}


@pytest.mark.parametrize("spec", EVERY_SPEC)
def test_every_spec_builds_a_whole_report(spec: Path, built_once: BuiltOnce) -> None:
    """Each example leaves exactly the files of the contract; its JSON satisfies the shipped schema."""
    folder = built_once(spec.stem)
    assert {p.name for p in (folder / "public").iterdir()} == PUBLIC | record_of(spec)
    assert {p.name for p in (folder / "confidential").iterdir()} == CONFIDENTIAL
    jsonschema.Draft202012Validator(report_schema()).validate(document_of(folder))
    assert (folder / "public" / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_every_spec_makes_all_data_files() -> None:
    """The data files of each example are those of the contract."""
    for spec in SPECS:
        files = public_files(report_case(spec.stem), ["json"])
        assert files.keys() == PUBLIC - {"report.html", "report.pdf"} | record_of(spec), spec.stem


def test_report_json_of_the_example(built_once: BuiltOnce) -> None:
    """The contract's own figures."""
    report = document_of(built_once("example"))
    assert report["format"] == "atreport/1"
    assert report["policy"]["fidelity"] == {"delta": 0.9}
    assert report["policy"]["decimals"] == 4
    assert report["privacy"]["beta"] == 0.675
    assert report["privacy"]["gamma"] == 0.393
    assert report["privacy"]["groups"][0] == {
        "qid": {"gender": "F"}, "beta": 0.675, "prior": 0.6, "lift": 4.5, "odds": 45.0, "cells": 3
    }  # fmt: skip
    assert report["policy"]["minimise"] == ["beta", "lift", "odds"]
    first = {"gender": "F", "income": "<100k", "share": 0.3, "announced": {"denied": 0.9, "approved": 0.1}}
    assert report["cells"][0] == first
    parity = report["fairness"][0]
    assert (parity["measure"], parity["groups"], parity["given"]) == ("statistical_parity", ["F", "M"], None)
    assert (parity["value"], parity["interval"], parity["a_priori"]) == (0.165, [0.0, 0.345], 0.2)
    assert (parity["threshold"], parity["verdict"]) == (0.3, "cannot_tell")
    assert report["fairness"][1]["given"] == {"income": "<100k"}


def test_checksums_are_right(built_once: BuiltOnce) -> None:
    """SHA256SUMS covers every other public file, in the form sha256sum reads."""
    folder = built_once("example") / "public"
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(listed) == PUBLIC - {"SHA256SUMS"}
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


BUILD_ONCE = "import sys; from atreport import build; build(sys.argv[1], sys.argv[2])"


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file of a report, public and confidential."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_two_builds_give_identical_bytes(tmp_path: Path, built_once: BuiltOnce) -> None:
    """In different processes, with other hash seeds, time zones, locales and folders."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "42",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "POSIX",
        "PYTHONUTF8": "1",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-c", BUILD_ONCE, str(write_example(tmp_path)), str(tmp_path / "out")]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    first, second = files_below(built_once("example")), files_below(tmp_path / "out" / "example")
    assert len(first) == len(PUBLIC | CONFIDENTIAL)
    assert first.keys() == second.keys()
    for name in first:
        assert first[name] == second[name], name


def test_row_order_does_not_change_a_byte() -> None:
    """The order of the rows in the spec is not to be seen in any file of the report."""
    head, table = EXAMPLE.split("  table:\n")
    rows, tail = table.split("policy:\n")
    turned = f"{head}  table:\n{''.join(reversed(rows.splitlines(keepends=True)))}policy:\n{tail}"
    one, two = (public_files(report_of(parse_spec(text)), ["html", "json"]) for text in (EXAMPLE, turned))
    assert one == two


def test_refusal_keeps_the_previous_build(tmp_path: Path) -> None:
    """A build that would break the policy writes nothing and leaves the earlier report alone."""
    out = tmp_path / "out"
    first = build(write_example(tmp_path), out, formats=["json"])
    before = (first.folder / "public" / "report.json").read_bytes()
    with pytest.raises(Refused):
        build(write_example(tmp_path, ("beta: 0.7", "beta: 0.6")), out, formats=["json"])
    assert (first.folder / "public" / "report.json").read_bytes() == before
    with pytest.raises(InvalidInput):
        build(write_example(tmp_path, ("delta: 0.9", "delta: 9")), out)
    assert {p.name for p in out.iterdir()} == {"example"}


def test_missing_pango_leaves_html_and_json(tmp_path: Path, monkeypatch) -> None:
    """Without the PDF library the rest is built and the gap is said; who insists on the PDF gets an error."""
    without = tmp_path / "without"  # found before the real one, here and in the process that prints the annex
    without.mkdir()
    (without / "weasyprint.py").write_text("raise OSError('cannot load library libpango')\n")
    monkeypatch.syspath_prepend(without)
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    pdf._weasyprint.cache_clear()
    spec = write_example(tmp_path)
    result = build(spec, tmp_path / "out")
    assert result.missing == pdf._INSTALL
    assert {p.name for p in (result.folder / "public").iterdir()} == PUBLIC - {"report.pdf"}
    assert {p.name for p in (result.folder / "confidential").iterdir()} == CONFIDENTIAL - {"annex.pdf"}
    with pytest.raises(MissingLibrary):
        build(spec, tmp_path / "other", formats=["pdf"])
    assert not (tmp_path / "other").exists()


def test_annex_json_holds_what_the_contract_says(built_once: BuiltOnce) -> None:
    """C*, the four terms and which binds, distortion, stronger adversaries; and it is marked confidential."""
    annex = json.loads((built_once("example") / "confidential" / "annex.json").read_text())
    assert "not for publication" in annex["classification"]
    women = annex["groups"][0]
    assert women["true_confidence"] == 1.0
    assert women["binding"] == ["both"]
    assert round(women["band_aware"], 4) == 0.6835
    assert women["largest_distortion"] == 0.1
    assert women["unique"] is True
    assert {"favourable", "unfavourable", "both", "prior"} == set(women["terms"])
