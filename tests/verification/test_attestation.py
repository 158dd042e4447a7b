"""The attestation: a statement that other tools read, about these files and figures, signed by the publisher."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from atreport import verify
from atreport.export.files import checksums, public_files
from atreport.verification.signature import ATTESTATION, PAYLOAD_TYPE
from tests.assessing import report_of
from tests.command_line import atreport
from tests.example import example_spec
from tests.verifying import files_in, written


def _key_pair(folder: Path, name: str) -> tuple[Path, Path]:
    private = Ed25519PrivateKey.generate()
    paths = folder / f"{name}.pem", folder / f"{name}.pub.pem"
    paths[0].write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    paths[0].chmod(0o600)
    paths[1].write_bytes(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return paths


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path]:
    """A signed public folder, and the key to check it with."""
    private, public = _key_pair(tmp_path, "publisher")
    folder = written(public_files(report_of(example_spec()), ["json"]), tmp_path / "public")
    done = atreport("sign", folder, "--key", private)
    assert done.returncode == 0, done.stderr
    return folder, public


def _statement(folder: Path) -> dict[str, Any]:
    envelope = json.loads((folder / ATTESTATION).read_bytes())
    assert envelope["payloadType"] == PAYLOAD_TYPE
    found: dict[str, Any] = json.loads(base64.b64decode(envelope["payload"]))
    return found


def test_the_statement_is_in_toto_and_says_what_the_report_promises(signed: tuple[Path, Path]) -> None:
    """Every file by its checksum, and β, fidelity and verdicts as the predicate."""
    folder, key = signed
    statement = _statement(folder)
    report = json.loads((folder / "report.json").read_bytes())
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert {each["name"]: each["digest"]["sha256"] for each in statement["subject"]} == listed
    assert statement["predicate"]["privacy"]["beta"] == report["privacy"]["beta"]
    assert statement["predicate"]["fidelity"] == report["policy"]["fidelity"]
    assert sum(statement["predicate"]["verdicts"].values()) == len(report["fairness"])
    assert verify(folder, key).holds


def _resigned(folder: Path, private: Path, change: Any) -> None:
    """The statement changed and signed again by another key."""
    from securesystemslib.dsse import Envelope
    from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]

    from atreport.verification.signature import load_key

    statement = _statement(folder)
    change(statement)
    envelope = Envelope(json.dumps(statement).encode(), PAYLOAD_TYPE, {})
    envelope.sign(CryptoSigner(load_key(private, private=True)))
    (folder / ATTESTATION).write_text(json.dumps(envelope.to_dict()), encoding="utf-8")


def test_the_publishers_own_statement_must_fit(signed: tuple[Path, Path], tmp_path: Path) -> None:
    """Even rightly signed: a statement about other files, or with other figures, is a finding."""
    folder, key = signed
    private = tmp_path / "publisher.pem"
    changes = {
        "not about this": lambda s: s["subject"].pop(),
        "which is not here": lambda s: s["subject"].append({"name": "more.csv", "digest": {"sha256": "00"}}),
        "another kind": lambda s: s.update(predicateType="urn:other"),
        "not what the report says": lambda s: s["predicate"]["privacy"].update(beta=0.5),
    }
    honest = (folder / ATTESTATION).read_bytes()
    for words, change in changes.items():
        (folder / ATTESTATION).write_bytes(honest)
        _resigned(folder, private, change)
        assert any(words in finding for finding in verify(folder, key).findings), words


def test_a_report_changed_after_signing_is_found(signed: tuple[Path, Path]) -> None:
    """Checksums made to match do not help."""
    folder, key = signed
    report = folder / "report.json"
    report.write_bytes(report.read_bytes().replace(b"1.0.0", b"1.0.1"))
    files = {f.name: f.read_bytes() for f in folder.iterdir() if f.suffix in (".json", ".csv")}
    files.pop(ATTESTATION)
    (folder / "SHA256SUMS").write_bytes(checksums(files))
    wrong = {each.id for each in verify(folder, key).checks if not each.holds}
    assert {"signature", "attestation"} <= wrong


def test_what_was_added_is_about_these_files_whoever_made_it(signed: tuple[Path, Path]) -> None:
    """Broken: an attestation, a signature or a time stamp of any content could stand in a folder that holds, with no key given."""
    folder, _ = signed
    honest = files_in(folder)
    assert verify(folder).holds
    assert "added" in [check.id for check in verify(folder).checks]
    statement = _statement(folder)
    others: list[dict[str, Any]] = [
        {**statement, "predicate": {**statement["predicate"], "verdicts": {"meets": 99}}},
        {**statement, "subject": []},
        {**statement, "subject": statement["subject"][1:]},
        {},
    ]
    payloads = [base64.b64encode(json.dumps(each).encode()).decode() for each in others]
    forged = [(ATTESTATION, json.dumps({"payload": each}).encode()) for each in payloads]
    envelope = json.loads(honest[ATTESTATION])
    praise = base64.b64encode(b"Audited by the state").decode()
    subjects = statement["subject"]
    for key, more in (
        ("subject", [{"name": subjects[0]["name"], "digest": {"sha256": "0" * 64}}, *subjects]),
        ("subject", [*subjects, {"name": "audit.pdf"}]),
        ("subject", [{**each, "by": "the state"} for each in subjects]),
        ("subject", 5),
        ("audited", "by the state"),
        ("_type", "urn:audited"),
    ):
        payload = base64.b64encode(json.dumps({**statement, key: more}).encode()).decode()
        forged.append((ATTESTATION, json.dumps({**envelope, "payload": payload}).encode()))
    envelopes: tuple[dict[str, Any], ...] = (
        {"audited": "by the state"},
        {"signatures": []},
        {"signatures": [{"keyid": "the state", "sig": praise}]},
        {"signatures": [{**envelope["signatures"][0], "by": "the state"}]},
        {"payloadType": "text/plain"},
    )
    forged += [(ATTESTATION, json.dumps({**envelope, **changed}).encode()) for changed in envelopes]
    twice = json.dumps({"payload": praise})[:-1] + ", " + json.dumps(envelope)[1:]
    forged.append((ATTESTATION, twice.encode()))
    sums = hashlib.sha256(honest["SHA256SUMS"]).digest()
    contents = (b"", b"Audited", b"{}", b"0" * 64, b"\x30\x80" + sums, sums)
    forged += [
        (name, content) for name in (ATTESTATION, "SHA256SUMS.sig", "SHA256SUMS.tsr") for content in contents
    ]
    for name, content in forged:
        (folder / name).write_bytes(content)
        (check,) = [each for each in verify(folder).checks if not each.holds]
        assert check.id == "added", content
        assert name in check.findings[0], content
        if name in honest:
            (folder / name).write_bytes(honest[name])
        else:
            (folder / name).unlink()
