"""Whatever bytes a reader is given, there is a verdict, soon and in bounded memory, and never an internal error."""

import json
import random
import resource
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atreport import build, verify
from atreport.errors import AtreportError
from tests.command_line import atreport
from tests.conftest import BuiltOnce
from tests.damage import damaged_pdf, mutated_json
from tests.example import write_example
from tests.thoroughness import THOROUGH

SECONDS, BYTES = 20, 1_000_000_000
FRESH = 150_000_000
"""Bytes: what a process has that has loaded the verifier and done nothing yet (120 MB measured)."""
MUTATED, DAMAGED = 2000, 500


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The report.json of the example."""
    folder = tmp_path_factory.mktemp("hostile")
    spec = write_example(folder)
    return (build(spec, folder / "out", ["json"]).folder / "public" / "report.json").read_bytes()


def verdict(path: Path) -> bool:
    """Whether a file passes; within the limits.

    Of memory, what other tests have left in this process is not counted, and a process that it starts counts at first for
    as much as this one holds.
    """
    began, held, (own_before, started_before) = time.process_time(), memory_now(), most_memory()
    try:
        passed = verify(path).passed
    except AtreportError:
        passed = False
    assert time.process_time() - began < SECONDS
    own, started = most_memory()
    assert own == own_before or own - held < BYTES - FRESH
    assert started <= max(started_before, own) or started < BYTES
    return passed


def most_memory() -> tuple[int, int]:
    """The most bytes that this process, and one that it started, ever had."""
    own, started = (
        resource.getrusage(who).ru_maxrss * 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own, started


def memory_now() -> int:
    """The bytes that this process has; none where the system does not say, which counts what others left too."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _text(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


NUMBERS = {
    "decimals": _text('"decimals": 4', '"decimals": 100000000'),
    "share decimals": _text('"share_decimals": ', '"share_decimals": 99999999'),
    "exponent": _text('"delta": 0.9', '"delta": 1e-99999999'),
    "large exponent": _text('"delta": 0.9', '"delta": 1e99999999'),
    "digits": _text('"delta": 0.9', '"delta": 0.' + "9" * 100_000),
    "whole number": _text('"decimals": 4', '"decimals": ' + "9" * 100_000),
    "depth": lambda _: "[" * 1_000_000,
    "depth of objects": lambda _: '{"format": ' * 100_000,
    "no number": _text('"delta": 0.9', '"delta": NaN'),
}


@pytest.mark.parametrize("edit", NUMBERS.values(), ids=list(NUMBERS))
def test_numbers_are_bounded(edit: Callable[[str], str], report: bytes, tmp_path: Path) -> None:
    """Digits, exponents and depth are refused before anything is calculated with them."""
    path = tmp_path / "report.json"
    path.write_text(edit(report.decode()), encoding="utf-8")
    assert not verdict(path)


def _comparisons(document: dict[str, Any]) -> None:
    """A thousand groups, compared pair by pair a hundred times, in a file of 200 kB."""
    values = [f"v{i}" for i in range(1000)]
    document["process"]["attributes"][0]["values"] = values
    document["cells"] = [{**document["cells"][0], "gender": value} for value in values]
    document["measures"] = [{"measure": "statistical_parity", "groups": "gender"}] * 100


def _long_title(document: dict[str, Any]) -> None:
    document["report"]["title"] = "word " * 200_000


@pytest.mark.parametrize("edit", [_comparisons, _long_title], ids=["comparisons", "title"])
def test_what_takes_too_long_is_given_up(
    edit: Callable[[dict[str, Any]], None], report: bytes, tmp_path: Path
) -> None:
    """A small file that asks for very much ends in a verdict, and the command says so."""
    document = json.loads(report)
    edit(document)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = atreport("verify", path, "--time", 2)
    assert done.returncode == 1
    assert "DOES NOT HOLD" in done.stdout


def _nested() -> bytes:
    """A PDF whose drawings call each other twice each, forty deep, and a stream that unpacks to two gigabytes."""
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
    """A PDF whose content unpacks to two gigabytes."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b" " * 10_000_000) for _ in range(200)) + packer.flush()
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
    assert not verdict(path)


def test_mutated_reports_end_in_a_verdict(report: bytes, tmp_path: Path) -> None:
    """Something in report.json changed, moved, repeated or left out: found or refused, never an internal error."""
    _try_mutated(report, tmp_path, range(MUTATED if THOROUGH else 60))


def _try_mutated(report: bytes, folder: Path, seeds: range) -> None:
    path = folder / "report.json"
    for seed in seeds:
        path.write_bytes(mutated_json(report, random.Random(seed)))
        verdict(path)


def test_some_damaged_pdfs_end_in_a_verdict(built_once: BuiltOnce, tmp_path: Path) -> None:
    """A quick slice."""
    _try_damaged(built_once("example"), tmp_path, range(3))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_damaged_pdfs_end_in_a_verdict(part: int, built_once: BuiltOnce, tmp_path: Path) -> None:
    """Five hundred of them, bytes flipped, cut out, repeated or written over; none passes unless it is unchanged."""
    _try_damaged(built_once("example"), tmp_path, range(part, DAMAGED, 5))


def _try_damaged(folder: Path, tmp_path: Path, seeds: range) -> None:
    content = (folder / "public" / "report.pdf").read_bytes()
    path = tmp_path / "report.pdf"
    for seed in seeds:
        damaged = damaged_pdf(content, random.Random(seed))
        path.write_bytes(damaged)
        assert verdict(path) == (damaged == content), seed
