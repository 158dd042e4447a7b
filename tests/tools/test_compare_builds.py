"""The comparator of two builds: it sees what a reader could see, and nothing else."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter

from tools.compare_builds import (
    Difference,
    compare_catalogue,
    compare_csv,
    compare_html,
    compare_json,
    compare_pdf,
    main,
)

PAGE = """<!doctype html><html lang="en"><head><style>p { color: red; }</style></head><body>
<p class="note">The rate is 0.5<br>for all.</p><svg viewBox="0 0 1 1"><path d="M 0 0"/><text>Women</text></svg>
<script type="application/json" id="report-data">{"beta": 0.5}</script><script>check();</script></body></html>"""
REPORT = {"format": "atreport/1", "generator": {"atreport": "0.1.0"}, "beta": 0.5, "cells": [{"share": 1}]}


def folder(place: Path, report: dict[str, Any], page: str = PAGE) -> Path:
    """An output folder with one small report."""
    public = place / "example" / "public"
    public.mkdir(parents=True)
    (public / "report.json").write_text(json.dumps(report))
    (public / "report.html").write_text(page)
    (public / "cells.csv").write_text("group,share\nF,0.5\n")
    (public / "SHA256SUMS").write_text(str(hash(str(report))))
    return place


def pdf(attached: bytes) -> bytes:
    """A PDF of one empty page with an attachment."""
    writer = PdfWriter()
    writer.add_blank_page(width=10, height=10)
    writer.add_attachment("report.json", attached)
    content = BytesIO()
    writer.write(content)
    return content.getvalue()


def test_json_is_compared_value_by_value() -> None:
    """A changed, a missing and a new value are each named by their path, and digits count as printed."""
    found = compare_json(b'{"a": [1, {"b": 0.10}], "c": "x"}', b'{"a": [1, {"b": 0.1, "d": null}]}')
    assert found.changed == ["a[1].b: 0.10 → 0.1", "c: gone"]
    assert found.new_keys == ["a[1].d"]


def test_checksums_that_catalogues_are_told_are_left_out() -> None:
    """They differ wherever any file does; what else is told is compared."""
    one = b'{"dct:title": "a", "dcat:byteSize": {"@value": "1"}, "spdx:checksumValue": {"@value": "0f"}}'
    assert compare_catalogue(one, one.replace(b"0f", b"1f").replace(b'"1"', b'"2"')) == Difference()
    assert compare_catalogue(one, one.replace(b'"a"', b'"b"')).changed == ['dct:title: "a" → "b"']


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("rate is 0.5", "rate is 0.6", "text: 0.5 → 0.6"),
        ('class="note"', 'class="hint"', "attributes: p/class=note → p/class=hint"),
        ("Women", "Men", "chart text: Women → Men"),
        ("M 0 0", "M 0 1", "chart drawing: path/d=M 0 0 → path/d=M 0 1"),
        ("color: red", "color: blue", "style: color: red; → color: blue;"),
        ("check()", "tick()", "script: check(); → tick();"),
        ('"beta": 0.5', '"beta": 0.6', "report-data: beta: 0.5 → 0.6"),
    ],
)
def test_pages_are_compared_by_what_is_in_them(old: str, new: str, where: str) -> None:
    """Whatever of a page changes shows in exactly one place."""
    assert old in PAGE
    (line,) = compare_html(PAGE.encode(), PAGE.replace(old, new).encode()).changed
    assert line.startswith(where)


def test_white_space_of_a_page_is_no_difference() -> None:
    """A reader does not see how a page is broken into lines."""
    assert not compare_html(PAGE.encode(), PAGE.replace("rate is", "rate\n  is").encode())


def test_csv_is_compared_by_rows() -> None:
    """A changed row shows; line ends and quotes do not."""
    assert not compare_csv(b'a,b\r\n"1",2\r\n', b"a,b\n1,2\n")
    assert compare_csv(b"a,b\n1,2\n", b"a,b\n1,3\n").changed == ["1 | 2 → 1 | 3   (after “a | b”)"]


def test_pdf_is_compared_with_its_attachments() -> None:
    """Data attached to a PDF are compared as JSON."""
    assert not compare_pdf(pdf(b'{"a": 1}'), pdf(b'{"a":1}'))
    assert compare_pdf(pdf(b'{"a": 1}'), pdf(b'{"a": 2}')).changed == ["attached report.json: a: 1 → 2"]


def test_only_the_version_of_the_program_may_differ(tmp_path: Path, capsys) -> None:
    """Builds of two versions of the program are equal where nothing but its name in report.json changed."""
    newer = {**REPORT, "generator": {"atreport": "9"}}
    folders = [folder(tmp_path / "old", REPORT), folder(tmp_path / "new", newer)]
    assert main([str(path) for path in folders]) == 0
    assert "2 of 3 files bytes equal; 1 same content" in capsys.readouterr().out


def test_exit_codes(tmp_path: Path, capsys) -> None:
    """1 for a difference, 0 where new keys are all there is and are not minded, 2 without a folder."""
    old = folder(tmp_path / "old", REPORT)
    more = folder(tmp_path / "more", {**REPORT, "unknown": {"people": 3}})
    other = folder(tmp_path / "other", {**REPORT, "beta": 0.6})
    assert main([str(old), str(more)]) == 1
    assert "new keys: unknown" in capsys.readouterr().out
    assert main([str(old), str(more), "--ignore-new-keys"]) == 0
    assert main([str(old), str(other), "--ignore-new-keys"]) == 1
    assert "report.json: beta: 0.5 → 0.6" in capsys.readouterr().out
    assert main([str(old), str(tmp_path / "nowhere")]) == 2
