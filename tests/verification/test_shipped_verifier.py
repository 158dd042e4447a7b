"""The verifier that is shipped beside reports ends in a verdict whatever it is given, and leaves no file of a folder out."""

import json
import os
import resource
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from atreport import build
from atreport.resources import templates_folder
from tests.example import write_example

VERIFIER = templates_folder() / "verify.py"
LIMIT = 20
"""Seconds of processor time within which there must be a verdict, however busy the machine is."""


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public folder of the example, data only."""
    folder = tmp_path_factory.mktemp("shipped")
    return build(write_example(folder), folder / "out", ["json"]).folder / "public"


def spent_by_children() -> float:
    """The processor time of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shipped(path: Path) -> subprocess.CompletedProcess[str]:
    """The verifier, run as a reader would who accepts what it leaves to `atreport verify`."""
    began = spent_by_children()
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), "--accept", "figures", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert spent_by_children() - began < LIMIT
    assert "Traceback" not in done.stderr
    return done


def _text(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


def _many_comparisons(text: str) -> str:
    """Two thousand cells, each its own group, compared pair by pair a hundred times: a file of 300 kB."""
    document: dict[str, Any] = json.loads(text)
    values = [f"v{i}" for i in range(2000)]
    document["process"]["attributes"][0]["values"] = values
    cell = document["cells"][0]
    document["cells"] = [{**cell, "gender": value} for value in values]
    document["measures"] = [{"measure": "statistical_parity", "groups": "gender"}] * 100
    return json.dumps(document)


HOSTILE = {
    "decimals": _text('"decimals": 4', '"decimals": 100000000'),
    "share decimals": _text('"share_decimals": ', '"share_decimals": 99999999'),
    "exponent": _text('"delta": 0.9', '"delta": 1e-99999999'),
    "large exponent": _text('"delta": 0.9', '"delta": 1e99999999'),
    "digits": _text('"delta": 0.9', '"delta": 0.' + "9" * 100_000),
    "whole number": _text('"decimals": 4', '"decimals": ' + "9" * 100_000),
    "no number": _text('"delta": 0.9', '"delta": NaN'),
    "infinite": _text('"delta": 0.9', '"delta": Infinity'),
    "depth": lambda _: "[" * 1_000_000,
    "twice": _text('"decimals": 4', '"decimals": 4, "decimals": 4'),
    "no object": lambda _: "[1, 2]",
    "empty": lambda _: "",
    "comparisons": _many_comparisons,
}


@pytest.mark.parametrize("edit", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_files_end_in_a_verdict(edit: Callable[[str], str], public: Path, tmp_path: Path) -> None:
    """A number, a depth or a count that would take for ever is named or given up, never accepted, never a traceback."""
    path = tmp_path / "report.json"
    path.write_text(edit((public / "report.json").read_text(encoding="utf-8")), encoding="utf-8")
    assert shipped(path).returncode in (1, 2)


@pytest.mark.parametrize("place", ["share", "announced"])
def test_a_text_in_the_place_of_a_number_is_named(place: str, public: Path, tmp_path: Path) -> None:
    """And is not repeated a hundred million times by the product that it stands in."""
    document = json.loads((public / "report.json").read_bytes())
    cell = document["cells"][0]
    cell[place] = "x" * 25 if place == "share" else dict.fromkeys(cell[place], "x" * 25)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = shipped(path)
    assert done.returncode == 1
    assert "x is no number" in done.stdout


def _rates(change: Callable[[list[Any]], Any]) -> Callable[[Any], None]:
    """The rates of two groups that have the same rate."""
    return lambda document: change(document["fairness"][1]["rates"])


STATED: dict[str, Callable[[Any], None]] = {
    "a rate less": _rates(lambda rates: rates.pop()),
    "a rate twice": _rates(lambda rates: rates.append(rates[0])),
    "a rate of the same group": _rates(lambda rates: rates[1].update(group=rates[0]["group"])),
    "an attribute twice": lambda d: d["process"]["attributes"].append(d["process"]["attributes"][0]),
    "a value twice": lambda d: d["process"]["attributes"][0]["values"].append("M"),
    "an outcome twice": lambda d: d["process"]["outcome"]["values"].append("denied"),
    "more digits of shares": lambda d: d["policy"].update(share_decimals=14),
}


@pytest.mark.parametrize("what", STATED)
def test_what_is_stated_twice_or_not_at_all_is_found(what: str, public: Path, tmp_path: Path) -> None:
    """Broken: a page could tell a group's rate under another name, leave one out, or name a value twice."""
    document = json.loads((public / "report.json").read_bytes())
    STATED[what](document)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = shipped(path)
    assert (done.returncode, "DOES NOT HOLD" in done.stdout) == (1, True)
    assert "do not fit together" not in done.stdout


def test_what_was_added_is_about_these_files(public: Path, tmp_path: Path) -> None:
    """Broken: an attestation, a signature or a time stamp of any content could stand in a folder that holds."""
    folder = tmp_path / "public"
    folder.mkdir()
    for file in public.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    digests = {file.name: sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}
    sums = digests.pop("SHA256SUMS")
    subjects = [{"name": name, "digest": {"sha256": digest}} for name, digest in digests.items()]
    statement = {"_type": "", "subject": subjects, "predicateType": "", "predicate": {}}

    def attestation(stated: object, **further: str) -> bytes:
        payload = b64encode(json.dumps(stated).encode()).decode()
        return json.dumps({"payload": payload, "payloadType": "", "signatures": [], **further}).encode()

    added: dict[str, tuple[bytes, list[bytes]]] = {
        "SHA256SUMS.sig": (b64encode(bytes(64)), [b"", b"signed", b64encode(bytes(63))]),
        "SHA256SUMS.tsr": (b"\x30" + bytes.fromhex(sums), [b"", b"\x30stamped", bytes.fromhex(sums)]),
        "attestation.intoto.json": (
            attestation(statement),
            [
                b"Audited",
                b"{}",
                attestation({}),
                attestation({**statement, "subject": subjects[1:]}),
                attestation({**statement, "subject": [subjects[0], *subjects]}),
                attestation({**statement, "audited": True}),
                attestation(statement, audited="by the state"),
            ],
        ),
    }
    for name, (honest, forged) in added.items():
        (folder / name).write_bytes(honest)
        assert shipped(folder).returncode == 0, name
        for content in forged:
            (folder / name).write_bytes(content)
            done = shipped(folder)
            assert (done.returncode, "DOES NOT HOLD" in done.stdout) == (1, True), content
        (folder / name).unlink()


def test_a_folder_holds_what_is_listed_and_nothing_else(public: Path, tmp_path: Path) -> None:
    """A file that is not listed, a link, a folder and a pipe are each named, and nothing behind them is read."""
    folder = tmp_path / "public"
    folder.mkdir()
    for file in public.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    assert shipped(folder).returncode == 0
    (folder / "audit.txt").write_text("audited")
    (folder / "more").mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    done = shipped(folder)
    assert done.returncode == 1
    for name in ("audit.txt", "more", "link", "pipe"):
        assert f"DOES NOT HOLD  {name}: " in done.stdout
