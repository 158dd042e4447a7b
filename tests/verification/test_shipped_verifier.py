"""The verifier that is shipped beside reports: what is stated twice, not at all, or added to the files of a folder."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from atreport.export.files import public_files
from tests.assessing import report_of
from tests.example import example_spec
from tests.verifying import ACCEPT, shipped, written


@pytest.fixture(scope="module")
def public() -> Mapping[str, bytes]:
    """The public files of the example, data only."""
    return public_files(report_of(example_spec()), ["json"])


@pytest.mark.parametrize("place", ["share", "announced"])
def test_a_text_in_the_place_of_a_number_is_named(
    place: str, public: Mapping[str, bytes], tmp_path: Path
) -> None:
    """And is not repeated a hundred million times by the product that it stands in."""
    document = json.loads(public["report.json"])
    cell = document["cells"][0]
    cell[place] = "x" * 25 if place == "share" else dict.fromkeys(cell[place], "x" * 25)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = shipped(path, ACCEPT)
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
def test_what_is_stated_twice_or_not_at_all_is_found(
    what: str, public: Mapping[str, bytes], tmp_path: Path
) -> None:
    """Broken: a page could tell a group's rate under another name, leave one out, or name a value twice."""
    document = json.loads(public["report.json"])
    STATED[what](document)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = shipped(path, ACCEPT)
    assert (done.returncode, "DOES NOT HOLD" in done.stdout) == (1, True)
    assert "do not fit together" not in done.stdout


def test_what_was_added_is_about_these_files(public: Mapping[str, bytes], tmp_path: Path) -> None:
    """Broken: an attestation, a signature or a time stamp of any content could stand in a folder that holds."""
    folder = written(public, tmp_path / "public")
    digests = {name: sha256(content).hexdigest() for name, content in sorted(public.items())}
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
        assert shipped(folder, ACCEPT).returncode == 0, name
        for content in forged:
            (folder / name).write_bytes(content)
            done = shipped(folder, ACCEPT)
            assert (done.returncode, "DOES NOT HOLD" in done.stdout) == (1, True), content
        (folder / name).unlink()
