"""Whatever bytes a reader is given, there is a verdict, soon and in bounded memory, and never an internal error.

Of both verifiers. Bytes damaged by chance are tried in `tests/fuzz/`.
"""

import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atreport import verify
from atreport.export.files import public_files
from atreport.report.writer import report_json
from atreport.resources import templates_folder
from atreport.verification.recalculation import _verifier
from tests.assessing import report_of
from tests.command_line import atreport
from tests.example import example_spec
from tests.fuzz.run import limited
from tests.verifying import ACCEPT, shipped, written


@pytest.fixture(scope="module")
def report() -> str:
    """The report.json of the example."""
    return report_json(report_of(example_spec())).decode()


def assert_does_not_pass(path: Path) -> None:
    """It is refused, or something is found, within the limits of time and memory."""

    def check() -> None:
        assert not verify(path).passed

    ended = limited(path.name, check)
    assert not ended.failed, ended


def _text(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


HOSTILE: dict[str, Callable[[str], str]] = {
    "decimals": _text('"decimals": 4', '"decimals": 100000000'),
    "share decimals": _text('"share_decimals": ', '"share_decimals": 99999999'),
    "exponent": _text('"delta": 0.9', '"delta": 1e-99999999'),
    "large exponent": _text('"delta": 0.9', '"delta": 1e99999999'),
    "digits": _text('"delta": 0.9', '"delta": 0.' + "9" * 100_000),
    "whole number": _text('"decimals": 4', '"decimals": ' + "9" * 100_000),
    "no number": _text('"delta": 0.9', '"delta": NaN'),
    "infinite": _text('"delta": 0.9', '"delta": Infinity'),
    "depth": lambda _: "[" * 1_000_000,
    "depth of objects": lambda _: '{"format": ' * 100_000,
    "twice": _text('"decimals": 4', '"decimals": 4, "decimals": 4'),
    "no object": lambda _: "[1, 2]",
    "empty": lambda _: "",
}


@pytest.mark.parametrize("edit", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_end_in_a_verdict(edit: Callable[[str], str], report: str, tmp_path: Path) -> None:
    """Digits, exponents and depth are refused before anything is calculated with them; never a traceback."""
    path = tmp_path / "report.json"
    path.write_text(edit(report), encoding="utf-8")
    assert_does_not_pass(path)
    ended = limited("shipped", lambda: _refused(path))
    assert not ended.failed, ended


def _refused(path: Path) -> None:
    assert shipped(path, ACCEPT).returncode in (1, 2)


def _comparisons(document: dict[str, Any], groups: int = 1000) -> None:
    """So many groups, each of one cell, compared pair by pair a hundred times, in a file of 200 or 300 kB."""
    values = [f"v{i}" for i in range(groups)]
    document["process"]["attributes"][0]["values"] = values
    document["cells"] = [{**document["cells"][0], "gender": value} for value in values]
    document["measures"] = [{"measure": "statistical_parity", "groups": "gender"}] * 100


def _long_title(document: dict[str, Any]) -> None:
    document["report"]["title"] = "word " * 200_000


@pytest.mark.parametrize("edit", [_comparisons, _long_title], ids=["comparisons", "title"])
def test_what_takes_too_long_is_given_up(
    edit: Callable[[dict[str, Any]], None], report: str, tmp_path: Path
) -> None:
    """A small file that asks for very much ends in a verdict, and the command says so."""
    document = json.loads(report)
    edit(document)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = atreport("verify", path, "--time", 2)
    assert done.returncode == 1
    assert "DOES NOT HOLD" in done.stdout


@pytest.mark.parametrize("seconds", [1, pytest.param(None, marks=pytest.mark.slow)])
def test_the_shipped_verifier_gives_up_too(seconds: int | None, report: str, tmp_path: Path) -> None:
    """Broken: a file of 300 kB would keep it busy for ever. Its own limit is a dozen seconds of processor time."""
    document = json.loads(report)
    _comparisons(document, groups=2000)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-I", str(templates_folder() / "verify.py"), ACCEPT, str(path)]

    def soon(_size: int) -> None:
        signal.signal(signal.SIGPROF, _verifier().give_up)
        signal.setitimer(signal.ITIMER_PROF, seconds or 0)

    def give_up() -> None:
        if seconds is None:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 1, done.stderr
        else:
            assert _verifier().main([ACCEPT, str(path)], soon) == 1

    ended = limited("comparisons", give_up)
    assert not ended.failed, ended


def _nested() -> bytes:
    """A PDF whose drawings call each other twice each, forty deep."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Length 32>>stream\n/Figure <</MCID 0>> BDC /X Do EMC\nendstream",
    ]
    for number in range(5, 45):
        called = b"<</XObject<</X %d 0 R>>>>" % (number + 1 if number < 44 else 5)
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources "
            + called
            + b"/Length 11>>stream\n/X Do /X Do\nendstream"
        )
    return _file(objects)


def _bomb() -> bytes:
    """A PDF whose content unpacks to a gigabyte."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 10_000_000) for _ in range(100)) + packer.flush()
    return _file(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>",
            b"<</Filter/FlateDecode/Length %d>>stream\n" % len(packed) + packed + b"\nendstream",
        ]
    )


def _file(objects: list[bytes]) -> bytes:
    content, places = b"%PDF-1.7\n", []
    for number, item in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n" % number + item + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        content
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(content))
    )


@pytest.mark.parametrize("make", [_nested, _bomb], ids=["nested", "bomb"])
def test_pdfs_that_were_made_to_take_for_ever(make: Callable[[], bytes], tmp_path: Path) -> None:
    """Read in a process of its own, which is ended in time."""
    path = tmp_path / "report.pdf"
    path.write_bytes(make())
    assert_does_not_pass(path)


def test_a_folder_holds_what_is_listed_and_nothing_else(tmp_path: Path) -> None:
    """A file that is not listed, a link, a folder and a pipe are each named, and nothing behind them is read."""
    folder = written(public_files(report_of(example_spec()), ["json"]), tmp_path / "public")
    assert shipped(folder, ACCEPT).returncode == 0
    (folder / "audit.txt").write_text("audited")
    (folder / "more").mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    done = shipped(folder, ACCEPT)
    assert done.returncode == 1
    for name in ("audit.txt", "more", "link", "pipe"):
        assert f"DOES NOT HOLD  {name}: " in done.stdout
