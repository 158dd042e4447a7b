"""Each part of the verification by itself: which checks are made, what they are called, and where limits lie."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from atreport import build, verification, verify
from atreport.errors import NotAReport
from atreport.export.files import public_files
from atreport.report.reader import read_published
from atreport.untrusted import ResourceLimitExceeded
from atreport.verification import ledger as releases
from atreport.verification import recalculation, watched
from atreport.verification import signature as time_stamp
from atreport.verification.files import attachment_findings, checksum_findings, folder_findings
from atreport.verification.ledger import ledger_findings, prove, read_ledger_file
from atreport.verification.rebuild import Rebuild
from atreport.verification.signature import _digests, is_signed_by, sign
from tests.assessing import report_case
from tests.example import write_example
from tests.verification.test_attestation import _key_pair
from tests.verifying import written

RULES, WITHHELD = "random 15", "random 16"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report without pages that was recorded in a ledger."""
    folder = tmp_path_factory.mktemp("parts")
    build(write_example(folder), folder / "out", ["json"], record=True)
    return folder


@pytest.fixture
def public(recorded: Path) -> Path:
    """Its public folder."""
    return recorded / "out" / "example" / "public"


def test_checks_are_those_of_the_files_that_are_there(recorded: Path, public: Path) -> None:
    """Nothing is said of a page that is not there; a ledger is checked where one is given."""
    ledger = recorded / "example.releases.jsonl"
    found = verify(public, ledger=ledger)
    assert found.holds
    named = [each.id for each in found.checks]
    assert named == [
        "schema",
        "checksums",
        "ledger",
        "figures",
        "privacy",
        "measures",
        "statements",
        "explanation",
        "tables",
        "catalogue",
    ]
    assert "ledger" not in [each.id for each in verify(public).checks]


def test_a_report_is_found_in_its_ledger_and_in_a_proof_of_it(
    recorded: Path, public: Path, tmp_path: Path
) -> None:
    """And in no other: an empty one, one of another report, a file that is neither."""
    report = read_published(public).report
    assert report is not None
    ledger = recorded / "example.releases.jsonl"
    assert list(ledger_findings(report, ledger)) == []
    proof = tmp_path / "proof.json"
    proof.write_text(json.dumps(prove(read_ledger_file(ledger), report).as_json()), encoding="utf-8")
    assert list(ledger_findings(report, proof)) == []
    title = report.report.model_copy(update={"version": "9.9"})
    other = report.model_copy(update={"report": title})
    assert list(ledger_findings(other, ledger)) == [
        "example.releases.jsonl: this report is not recorded there"
    ]
    assert list(ledger_findings(other, proof)) == ["proof.json: its line records another report"]
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert list(ledger_findings(report, tmp_path / "empty.jsonl")) == [
        "empty.jsonl: this report is not recorded there"
    ]
    document = json.loads(proof.read_text(encoding="utf-8"))
    line = json.loads(document["line"])
    del line["privacy"]
    proof.write_text(json.dumps(document | {"line": json.dumps(line)}), encoding="utf-8")
    assert "proof.json: its line records another report" in list(ledger_findings(report, proof))


def test_a_file_far_too_large_for_a_ledger_is_not_read(public: Path, tmp_path: Path) -> None:
    """A quarter of a gigabyte is read, and a byte more is not."""
    report, large = read_published(public).report, tmp_path / "large.jsonl"
    assert report is not None
    with large.open("wb") as file:
        file.truncate(256 * 1024 * 1024 + 1)
    with pytest.raises(NotAReport, match="too large"):
        list(ledger_findings(report, large))


def test_the_first_ten_groups_are_named_and_the_rest_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven are ten and one more."""
    monkeypatch.setattr(releases, "told_in_words", lambda each, _: f"group {each}")
    monkeypatch.setattr(releases, "not_comparable", lambda *_: 0)
    book: Any = SimpleNamespace(releases=())
    for number, last in ((10, "group 9"), (11, "… and 1 more group"), (12, "… and 2 more groups")):
        monkeypatch.setattr(releases, "attack_union", lambda *_, number=number: list(range(number)))
        words, too_much = releases._union_warnings(book, SimpleNamespace(), None)  # type: ignore[arg-type]
        assert words[-1] == last
        assert too_much
        assert len(words) == min(number, 11)


@pytest.mark.parametrize(("name", "rules"), [(RULES, True), (WITHHELD, True), (WITHHELD, False)])
def test_explanations_are_checked_where_people_are_published(name: str, rules: bool, tmp_path: Path) -> None:
    """Where the population is withheld, figures are named as not checked, whatever explanations there are."""
    report = report_case(name)
    report = report if rules else report.model_copy(update={"rules": (), "influence": ()})
    assert bool(report.rules) == rules
    found = verify(written(public_files(report, ["json"]), tmp_path / "public"))
    assert ("explanation" in [each.id for each in found.checks]) == (name == RULES)
    assert [each.part for each in found.not_checked] == ["figures"] * (name == WITHHELD)


def test_texts_in_the_data_of_a_page_are_compared() -> None:
    """Of a report that was read from its page; beside report.json that is compared byte for byte."""
    again: Any = SimpleNamespace(data={}, report="as it should be")
    for source, number in (("report.html", 1), ("report.json", 0)):
        published: Any = SimpleNamespace(attachments=None, files={}, source=source, report="otherwise")
        assert len(list(verification._data_findings(published, again))) == number
        same: Any = SimpleNamespace(attachments=None, files={}, source=source, report=again.report)
        assert list(verification._data_findings(same, again)) == []


def test_files_beside_their_checksums(public: Path) -> None:
    """All as published; a signature that is added later needs none; a file that is not listed is named."""
    published = read_published(public)
    assert list(checksum_findings(published)) == []
    later = replace(published, files={**published.files, "SHA256SUMS.sig": b"", "SHA256SUMS.tsr": b""})
    assert list(checksum_findings(later)) == []
    more = replace(published, files={**published.files, "more.txt": b""})
    assert list(checksum_findings(more)) == ["more.txt: not listed in SHA256SUMS"]


def test_a_verifier_that_is_not_ours_is_found_where_the_version_is_known(public: Path) -> None:
    """And no report at all is no reason to stumble."""
    published = read_published(public)
    forged = replace(published, files={**published.files, "verify.py": b"print('fine')"})
    assert list(folder_findings(forged)) == ["verify.py: not the verifier of this version; do not run it"]
    assert list(folder_findings(replace(forged, report=None))) == []


def test_a_statement_names_all_files_but_those_added_later() -> None:
    """Or a signature would change what it signs."""
    files = {"report.json": b"{}", "SHA256SUMS.sig": b"later"}
    assert _digests(files) == {"report.json": hashlib.sha256(b"{}").hexdigest()}


def test_versions_that_are_none_are_found() -> None:
    """What a report names as its makers are versions, and nothing else can be written there."""
    report = report_case(WITHHELD)
    assert list(Rebuild(report).generator_findings()) == []
    words = {**report.generator, "matplotlib": "audited by the state"}
    found = list(Rebuild(report.model_copy(update={"generator": words})).generator_findings())
    assert found == ["generator: “audited by the state” is no version of matplotlib"]


def test_a_signature_is_its_letters_and_nothing_else(tmp_path: Path) -> None:
    """Letters that base64 does not have are no signature, even where the rest is one."""
    private, public = _key_pair(tmp_path, "publisher")
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "SHA256SUMS").write_bytes(b"sums")
    signature = sign(folder, private).read_bytes()
    assert is_signed_by(public, b"sums", signature)
    assert not is_signed_by(public, b"other", signature)
    assert not is_signed_by(public, b"sums", signature[:8] + b"*" + signature[8:])


def test_what_is_attached_to_a_pdf_besides_the_data_is_named() -> None:
    """By no more than sixty letters: a stranger wrote it."""
    data = dict.fromkeys(("report.json", "cells.csv", "measures.csv"), b"{}")
    published: Any = SimpleNamespace(
        content=b"{}", attachments={**data, "x" * 99: b"", "report.html": b""}, files={}
    )
    found = list(attachment_findings(published))
    why = "is attached to it, which is no file of a report"
    assert found == [f"report.pdf: report.html {why}", f"report.pdf: {'x' * 60} {why}"]


@pytest.mark.parametrize(
    ("population", "is_exact", "smallest", "every"),
    [
        ("counts", True, None, True),
        ("counts", False, None, True),
        ("shares", True, "0.0401", True),
        ("shares", True, "0.0400", False),
        ("shares", True, "0.0001", False),
        ("shares", False, "0.0401", False),
        ("withheld", True, None, False),
        ("withheld", False, None, False),
    ],
)
def test_every_figure_is_said_to_be_recalculated_only_where_people_are_known(
    population: str, is_exact: bool, smallest: str | None, every: bool
) -> None:
    """Where they are withheld, or shares are of guarded counts or of few digits, only what needs no number of people is."""
    small_cells = SimpleNamespace(is_exact=is_exact)
    policy = SimpleNamespace(population=population, small_cells=small_cells, share_decimals=4)
    cells = [SimpleNamespace(share=smallest and Decimal(share)) for share in [smallest or 0, *["0.08"] * 11]]
    report: Any = SimpleNamespace(policy=policy, cells=cells)
    found = verification._figures(report, recalculation.SecondReading(findings=["one"]))
    what = "every figure" if every else "what needs no number of people"
    assert found.what == f"{what} was recalculated from 12 published cells, in exact arithmetic"
    assert found.findings == ("one",)


def test_time_and_memory_follow_the_size_of_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 s and one for 25 kB, 800 MB and one for 10 kB; a huge file counts as 100 MB; the public folder is found."""
    asked: list[dict[str, int]] = []

    def bounded(*_: object, **limits: int) -> bytes:
        asked.append(limits)
        raise ResourceLimitExceeded

    monkeypatch.setattr(watched, "run_bounded", bounded)
    (tmp_path / "public").mkdir()
    for name, size in (("a", 25_000_000), ("b", 200_000_000)):
        with (tmp_path / "public" / name).open("wb") as file:
            file.truncate(size)
    assert watched._size(tmp_path / "public" / "a") == 25_000_000
    assert watched._size(tmp_path / "public" / "b") == 100_000_000
    assert watched._size(tmp_path) == watched._size(tmp_path / "public") == 125_000_000
    assert watched._size(tmp_path / "none") == 0
    watched.verify_watched(tmp_path / "public" / "a")
    watched.verify_watched(tmp_path / "public" / "a", seconds=7)
    assert asked == [{"seconds": 1016, "megabytes": 3300}, {"seconds": 7, "megabytes": 3300}]


def test_so_much_is_read_of_an_answer_to_a_time_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte: an authority cannot fill the memory."""
    asked: list[int] = []

    @contextmanager
    def answer(*_: object, **__: object) -> Iterator[Any]:
        yield SimpleNamespace(read=read)

    def read(most: int) -> bytes:
        asked.append(most)
        return b"answer"

    monkeypatch.setattr("urllib.request.urlopen", answer)
    assert time_stamp.send_request(b"request", "https://example.org") == b"answer"
    assert asked == [1_048_576]


def test_a_large_report_is_read_again_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """From half a megabyte on, in a process of its own."""
    beside: list[int] = []

    @contextmanager
    def run(_: object, content: bytes) -> Iterator[Any]:
        beside.append(len(content))
        yield lambda: recalculation.SecondReading([])

    monkeypatch.setattr(recalculation, "in_subprocess", run)
    for size in (499_999, 500_000):
        published: Any = SimpleNamespace(content=b" " * size)
        with recalculation.second_reading(published) as fetch:
            fetch()
    assert beside == [500_000]
