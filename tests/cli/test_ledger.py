"""The release ledger: written only when asked, append-only, and consulted by every build."""

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from atreport import build, verify
from atreport.errors import InvalidInput, Refused
from atreport.report.reader import parse_json, validate
from atreport.verification.ledger import RecordedRelease, read_ledger_file
from tests.command_line import atreport
from tests.example import changed, write_example

FINER = ("{delta: 0.9}", "{delta: 0.99}")
NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
NEXT = ("version: 1.0.0", "version: 1.1.0")


def ledger(spec: Path) -> Path:
    """The ledger beside a spec."""
    return spec.with_name(f"{spec.stem}.releases.jsonl")


def built(spec: Path, *, record: bool = False) -> tuple[str, ...]:
    """The warnings of a build."""
    return build(spec, spec.parent / "out", ["json"], record=record).warnings


def test_a_draft_leaves_no_trace(tmp_path: Path) -> None:
    """A plain build records nothing; the same release is recorded once."""
    spec = write_example(tmp_path)
    built(spec)
    assert not ledger(spec).exists()
    assert build(spec, tmp_path / "out", ["json"], record=True).recorded == ledger(spec)
    assert build(spec, tmp_path / "out", ["json"], record=True).recorded is None
    assert len(ledger(spec).read_text(encoding="utf-8").splitlines()) == 1


def test_the_ledger_holds_only_what_the_report_published(tmp_path: Path) -> None:
    """Every entry of a line is an entry of report.json."""
    spec = write_example(tmp_path)
    folder = build(spec, tmp_path / "out", ["json"], record=True).folder
    report = json.loads((folder / "public" / "report.json").read_text(encoding="utf-8"))
    line = json.loads(ledger(spec).read_text(encoding="utf-8"))
    assert line.pop("previous") is None
    assert line.pop("report").items() <= report["report"].items()
    assert all(report[key] == value for key, value in line.items())


def test_republishing_is_harmless_and_a_finer_version_is_not(tmp_path: Path) -> None:
    """The same figures again: no warning. A coarser report after a finer one: what was told cannot be taken back."""
    spec = write_example(tmp_path, FINER, NO_CEILING)
    built(spec, record=True)
    assert built(spec) == ()
    spec.write_text(changed(NEXT, NO_CEILING), encoding="utf-8")
    warnings = built(spec)
    assert warnings
    assert "promises" in warnings[0]
    assert all("0.5" not in warning for warning in warnings)  # no true probability


def test_the_policy_may_refuse(tmp_path: Path) -> None:
    """With `releases: refuse` nothing is published, exit code 3, and the earlier build stays."""
    spec = write_example(tmp_path, FINER, NO_CEILING)
    built(spec, record=True)
    before = (tmp_path / "out" / "example" / "public" / "report.json").read_bytes()
    spec.write_text(
        changed(NEXT, NO_CEILING, ("decimals: 4", "decimals: 4\n  releases: refuse")), encoding="utf-8"
    )
    with pytest.raises(Refused, match="Nothing was published") as error:
        built(spec, record=True)
    assert error.value.exit_code == 3
    assert (tmp_path / "out" / "example" / "public" / "report.json").read_bytes() == before
    assert len(ledger(spec).read_text(encoding="utf-8").splitlines()) == 1


def test_a_withheld_population_is_no_false_alarm(tmp_path: Path) -> None:
    """A report that does not say how many people a cell has is measured with those whom the publisher counts."""
    spec = write_example(tmp_path, ("population: shares", "population: withheld"))
    built(spec, record=True)
    assert built(spec) == ()


def test_lines_of_the_first_version_are_read_and_written_alike() -> None:
    """The typed model keeps every byte of a ledger of version 0.1.0."""
    lines = (
        (Path(__file__).parents[1] / "data" / "v0.1.0" / "credit_card.releases.jsonl")
        .read_bytes()
        .splitlines()
    )
    for line in lines:
        release, wrong = validate(parse_json(line, "the ledger"), RecordedRelease)
        assert release is not None, wrong
        assert json.dumps(release.as_json(), ensure_ascii=False, separators=(",", ":")).encode() == line


def three_releases(tmp_path: Path) -> tuple[Path, list[Path]]:
    """A spec with three recorded releases, and the folder of each."""
    shutil.copytree(_recorded_once(), tmp_path, dirs_exist_ok=True)
    return tmp_path / "example.yaml", [tmp_path / f"out{number}" / "example" for number in range(3)]


@cache
def _recorded_once() -> Path:
    """Where they are, for all tests of a process to copy."""
    place = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, place)
    spec = write_example(place)
    for number in range(3):
        spec.write_text(changed(("version: 1.0.0", f"version: 1.{number}.0")), encoding="utf-8")
        build(spec, place / f"out{number}", ["json"], record=True)
    return place


@pytest.mark.parametrize("harm", ["changed", "taken out", "no JSON"])
def test_a_ledger_that_was_altered_is_refused(tmp_path: Path, harm: str) -> None:
    """Each line holds the checksum of the one before, so that history cannot be rewritten unseen."""
    spec, _ = three_releases(tmp_path)
    lines = ledger(spec).read_text(encoding="utf-8").splitlines(keepends=True)
    lines[1:2] = {"changed": [lines[1].replace("0.3", "0.4", 1)], "taken out": [], "no JSON": ["hello\n"]}[
        harm
    ]
    ledger(spec).write_text("".join(lines), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"releases\.jsonl:\d") as error:
        built(spec)
    assert "git" in str(error.value)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(
    "previous", ["null", '"' + "0" * 64 + '"', "0", None], ids=["null", "zeros", "a number", "none"]
)
def test_a_line_that_names_no_line_before_it_is_refused(
    tmp_path: Path, place: int, previous: str | None
) -> None:
    """Of any line, the last too, which no other holds the checksum of; the first alone has none before it."""
    spec, _ = three_releases(tmp_path)
    lines = ledger(spec).read_text(encoding="utf-8").splitlines()
    head, comma, own = lines[place].rpartition(',"previous":')
    assert comma
    lines[place] = head + (f"{comma}{previous}}}" if previous else "}")
    ledger(spec).write_text("".join(f"{line}\n" for line in lines[: place + 1]), encoding="utf-8")
    if (place, previous) == (0, "null"):
        assert own == "null}"
        assert len(read_ledger_file(ledger(spec)).lines) == 1
    else:
        with pytest.raises(InvalidInput, match=rf"releases\.jsonl:{place + 1}"):
            read_ledger_file(ledger(spec))


def test_every_report_carries_the_head_before_its_line(tmp_path: Path) -> None:
    """How many releases came before it, and their root; built again later, it carries the same."""
    spec, folders = three_releases(tmp_path)
    before = [(folder / "public" / "report.json").read_bytes() for folder in folders]
    assert [json.loads(content)["ledger"]["size"] for content in before] == [0, 1, 2]
    assert len({json.loads(content)["ledger"]["root"] for content in before}) == 3
    spec.write_text(changed(("version: 1.0.0", "version: 1.1.0")), encoding="utf-8")
    build(spec, tmp_path / "out1", ["json"])
    assert (folders[1] / "public" / "report.json").read_bytes() == before[1]


@pytest.mark.parametrize(
    ("harm", "words"), [("missing", "missing"), ("cut", "cut off"), ("forked", "does not begin")]
)
def test_a_ledger_that_lost_releases_is_an_error_that_names_the_report(
    tmp_path: Path, harm: str, words: str
) -> None:
    """The report in the output folder remembers what the ledger held, so its end cannot be cut off unseen."""
    spec, folders = three_releases(tmp_path)
    lines = ledger(spec).read_bytes().splitlines(keepends=True)
    if harm == "missing":
        ledger(spec).unlink()
    elif harm == "cut":
        ledger(spec).write_bytes(lines[0])
    else:
        spec.write_text(changed(("version: 1.0.0", "version: 9.0.0")), encoding="utf-8")
        ledger(spec).unlink()
        for number in (7, 8):
            spec.write_text(changed(("version: 1.0.0", f"version: {number}.0.0")), encoding="utf-8")
            build(spec, tmp_path / "elsewhere", ["json"], record=True)
    with pytest.raises(InvalidInput, match=r"Credit card applications 1\.2\.0") as error:
        build(spec, tmp_path / "out2", ["json"])
    assert words in str(error.value)
    assert "restore the file from git" in str(error.value)
    if harm != "missing":
        assert any(words in finding for finding in verify(folders[2], ledger=ledger(spec)).findings)


def test_a_reader_checks_a_report_against_the_ledger(tmp_path: Path) -> None:
    """Recorded reports hold; one that was not recorded, or whose line was taken out at the end, does not."""
    spec, folders = three_releases(tmp_path)
    for folder in folders:
        assert verify(folder, ledger=ledger(spec)).holds
    lines = ledger(spec).read_bytes().splitlines(keepends=True)
    ledger(spec).write_bytes(b"".join(lines[:2]))
    assert any("not recorded" in finding for finding in verify(folders[2], ledger=ledger(spec)).findings)
    ledger(spec).write_bytes(lines[0].replace(b"0.675", b"0.575") + lines[1] + lines[2])
    assert not verify(folders[1], ledger=ledger(spec)).holds
    old = Path(__file__).parents[1] / "data" / "v0.1.0" / "credit_card.json"
    if old.exists():
        assert any("does not say" in finding for finding in verify(old, ledger=ledger(spec)).findings)


def test_a_proof_does_without_the_ledger(tmp_path: Path) -> None:
    """Printed by the publisher, checked by a reader who holds the report and the proof; no forged one is accepted."""
    spec, folders = three_releases(tmp_path)
    proofs = []
    for folder in folders:
        done = atreport("ledger", spec, "--prove", folder)
        assert done.returncode == 0, done.stderr
        proof = tmp_path / "proof.json"
        proof.write_text(done.stdout, encoding="utf-8")
        assert verify(folder, ledger=proof).holds
        assert atreport("verify", folder, "--ledger", proof).returncode == 0
        proofs.append(json.loads(done.stdout))
    head = json.loads(atreport("ledger", spec, "--json").stdout)
    assert all(proof["head"] == {"size": head["size"], "root": head["root"]} for proof in proofs)
    zero = "00" * 32
    forged = [
        proofs[0],  # of another release
        {**proofs[1], "place": 2},
        {**proofs[1], "inclusion": []},
        {**proofs[1], "consistency": [*proofs[1]["consistency"], zero]},
        {**proofs[1], "head": {"size": 3, "root": zero}},
        {**proofs[1], "head": {"size": 2, "root": head["root"]}},
        {**proofs[1], "line": proofs[1]["line"].replace("0.675", "0.575")},
        {**proofs[1], "line": "hello"},
        {**proofs[1], "inclusion": ["xyz"]},
    ]
    for each in forged:
        proof = tmp_path / "forged.json"
        proof.write_text(json.dumps(each), encoding="utf-8")
        assert not verify(folders[1], ledger=proof).holds, each


def test_the_ledger_command_explains_misuse(tmp_path: Path) -> None:
    """No ledger, a report that is not recorded, a file that is neither ledger nor proof."""
    spec = write_example(tmp_path)
    assert "there is no ledger yet" in atreport("ledger", spec).stderr
    folder = build(spec, tmp_path / "out", ["json"], record=True).folder
    shown = atreport("ledger", spec)
    assert "Credit card applications 1.0.0" in shown.stdout
    assert "head  1:" in shown.stdout
    spec.write_text(changed(NEXT), encoding="utf-8")
    draft = build(spec, tmp_path / "draft", ["json"]).folder
    done = atreport("ledger", spec, "--prove", draft)
    assert (done.returncode, "not recorded there" in done.stderr) == (2, True)
    assert atreport("verify", folder, "--ledger", tmp_path / "nowhere").returncode == 2
    assert atreport("verify", folder, "--ledger", spec).returncode == 1
    done = atreport("verify", folder, "--salt", spec)
    assert (done.returncode, "--with-data" in done.stderr) == (2, True)
