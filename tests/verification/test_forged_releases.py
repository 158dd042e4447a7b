"""No forged ledger, proof, signature or attestation is accepted."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]

from atreport import build
from atreport.errors import AtreportError
from atreport.report.model import Report
from atreport.report.reader import read_published
from atreport.verification.files import signature_findings
from atreport.verification.ledger import ledger_findings, prove, read_ledger_file
from atreport.verification.signature import (
    ATTESTATION,
    PAYLOAD_TYPE,
    SIGNATURE,
    attestation_findings,
    load_key,
    sign,
)
from tests.command_line import atreport
from tests.example import changed, write_example
from tests.release_forgeries import (
    attestation_forgeries,
    ledger_forgeries,
    proof_forgeries,
    signature_forgeries,
)
from tests.verification.test_attestation import _key_pair


@dataclass(frozen=True)
class Release:
    """The second of three recorded releases, signed; and what a forger has besides."""

    public: Path
    key: Path
    private: Path
    another: Path  # the forger's own key
    lines: list[bytes]
    stranger: bytes  # a line of another ledger
    proof: dict[str, Any]

    @property
    def report(self) -> Report:
        """As it was published."""
        found = read_published(self.public).report
        assert found is not None
        return found


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Three releases of the example."""
    place = tmp_path_factory.mktemp("releases")
    folders = []
    for version in ("1.0.0", "1.1.0", "1.2.0", "7.0.0"):
        folder = place / ("elsewhere" if version == "7.0.0" else "here")
        folder.mkdir(exist_ok=True)
        spec = write_example(folder)
        spec.write_text(changed(("version: 1.0.0", f"version: {version}")), encoding="utf-8")
        folders.append(build(spec, folder / version, ["json"], record=True).folder / "public")
    private, public = _key_pair(place, "publisher")
    another, _ = _key_pair(place, "forger")
    assert atreport("sign", folders[1], "--key", private).returncode == 0
    book = read_ledger_file(place / "here" / "example.releases.jsonl")
    report = read_published(folders[1]).report
    assert report is not None
    (stranger,) = read_ledger_file(place / "elsewhere" / "example.releases.jsonl").lines
    return Release(
        public=folders[1],
        key=public,
        private=private,
        another=another,
        lines=list(book.lines),
        stranger=stranger,
        proof=prove(book, report).as_json(),
    )


def found_in(report: Report, path: Path, content: bytes) -> bool:
    """Whether a ledger or proof with this content is found not to fit, or not to be one."""
    path.write_bytes(content)
    try:
        return bool(list(ledger_findings(report, path)))
    except AtreportError:
        return True


def test_no_forged_ledger_is_accepted(release: Release, tmp_path: Path) -> None:
    """And the honest one is; its end may go on."""
    forged = dict(ledger_forgeries(release.lines, release.stranger))
    assert len(forged) >= 50
    honest = b"\n".join(release.lines) + b"\n"
    path = tmp_path / "ledger.jsonl"
    assert not found_in(release.report, path, honest)
    for what, content in forged.items():
        assert found_in(release.report, path, content), what


def test_no_forged_proof_is_accepted(release: Release, tmp_path: Path) -> None:
    """And the honest one is."""
    forged = dict(proof_forgeries(release.proof, release.lines[0].decode()))
    assert len(forged) >= 30
    path = tmp_path / "proof.json"
    assert not found_in(release.report, path, json.dumps(release.proof).encode())
    for what, content in forged.items():
        assert found_in(release.report, path, content), what


def test_no_forged_signature_is_accepted(release: Release, tmp_path: Path) -> None:
    """And the honest one is."""
    published = read_published(release.public)
    assert list(signature_findings(published, release.key)) == []
    (tmp_path / "SHA256SUMS").write_bytes(published.files["SHA256SUMS"])
    by_another = sign(tmp_path, release.another).read_bytes()
    forged = dict(signature_forgeries(published.files[SIGNATURE], by_another))
    assert len(forged) >= 25
    for what, content in forged.items():
        files = {**published.files, SIGNATURE: content}
        assert list(signature_findings(_with(published, files), release.key)), what
    sums = published.files["SHA256SUMS"].replace(b"a", b"b")
    assert list(signature_findings(_with(published, {**published.files, "SHA256SUMS": sums}), release.key))
    without = {name: content for name, content in published.files.items() if name != SIGNATURE}
    assert list(signature_findings(_with(published, without), release.key))


def test_no_forged_attestation_is_accepted(release: Release) -> None:
    """And the honest one is."""
    published = read_published(release.public)
    assert list(attestation_findings(published, release.key)) == []

    def sign_as_another(payload: bytes) -> dict[str, Any]:
        envelope = Envelope(payload, PAYLOAD_TYPE, {})
        envelope.sign(CryptoSigner(load_key(release.another, private=True)))
        found: dict[str, Any] = envelope.to_dict()
        return found

    forged = dict(attestation_forgeries(json.loads(published.files[ATTESTATION]), sign_as_another))
    assert len(forged) >= 25
    for what, content in forged.items():
        files = {**published.files, ATTESTATION: content}
        assert list(attestation_findings(_with(published, files), release.key)), what


def _with(published: Any, files: dict[str, bytes]) -> Any:
    """The report as published, with other files."""
    return replace(published, files=files)
