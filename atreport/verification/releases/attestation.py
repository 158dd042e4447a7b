"""An attestation: a signed in-toto statement that names every public file, and the promises and verdicts of the report.

Other tools read it (it is a DSSE envelope around an in-toto v1 statement), so a register or a supply-chain checker can ask
"which reports promise β ≤ 0.7?" without knowing this program. Needs the extra ``signature``.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from atreport.errors import MissingLibrary, NotAReport
from atreport.kit.language import say
from atreport.publish import ADDED_LATER, add_file
from atreport.report.model import Report
from atreport.report.published import Published, read_published
from atreport.verification.releases.signature import load_key, load_signing, read_checksums

ATTESTATION = "attestation.intoto.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
PREDICATE_TYPE = "urn:atreport:attestation:1"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
_STATEMENT = {"_type", "subject", "predicateType", "predicate"}
_SUBJECT = {"name", "digest"}

_MOST_BYTES, _SIGNATURE_BYTES = 2**20, 64


def attest(folder: Path, key_file: Path) -> Path:
    """Write the attestation of a public folder (or the folder above it), signed with an ed25519 private key."""
    folder, _ = read_checksums(folder)
    published = read_published(folder)
    if published.report is None:
        raise NotAReport(f"{folder}: its report.json is none: {'; '.join(published.wrong[:3])}")
    signer = load_signing("securesystemslib.signer").CryptoSigner(load_key(key_file, private=True))
    envelope = load_signing("securesystemslib.dsse").Envelope(
        _statement(published.files, published.report), PAYLOAD_TYPE, {}
    )
    envelope.sign(signer)
    return add_file(folder, ATTESTATION, _json(envelope.to_dict()))


def attestation_findings(published: Published, key_file: Path) -> Iterator[str]:
    """The attestation was signed by the holder of the key, for exactly these files and figures."""
    payload = _signed_payload(published.files[ATTESTATION], key_file)
    if payload is None:
        yield say(
            "{name}: not made with the private key that belongs to {key}", name=ATTESTATION, key=key_file.name
        )
        return
    yield from statement_findings(published, payload)


def unsigned_payload(content: bytes) -> bytes:
    """What an envelope holds, whoever signed it; nothing where it is none, or holds anything besides."""
    envelope = _parsed(content) if len(content) <= _MOST_BYTES else {}
    signatures = envelope.get("signatures")
    if (
        envelope.keys() != {"payload", "payloadType", "signatures"}
        or envelope["payloadType"] != PAYLOAD_TYPE
        or not isinstance(signatures, list)
        or not signatures
        or not all(isinstance(each, dict) and each.keys() == {"keyid", "sig"} for each in signatures)
    ):
        return b""
    try:
        if any(len(_decoded(each["sig"])) != _SIGNATURE_BYTES for each in signatures):
            return b""
        return _decoded(envelope["payload"])
    except ValueError:
        return b""


def _decoded(text: Any) -> bytes:
    return base64.b64decode(text if isinstance(text, str) else "", validate=True)


def statement_findings(published: Published, payload: bytes) -> Iterator[str]:
    """The statement in an attestation is about exactly these files and figures."""
    stated = _parsed(payload)
    listed = stated["subject"] if isinstance(stated.get("subject"), list) else []
    named = [each for each in listed if isinstance(each, dict)]
    subjects = {
        str(each.get("name")): each["digest"].get("sha256")
        for each in named
        if isinstance(each.get("digest"), dict)
    }
    more = len(subjects) < len(listed) or any(each.keys() != _SUBJECT for each in named)
    for name, digest in _digests(published.files).items():
        if subjects.pop(name, None) != digest:
            yield say("{name}: it is not about this {file}", name=ATTESTATION, file=name)
    if published.path.is_dir():
        yield from (
            say("{name}: it names {file}, which is not here", name=ATTESTATION, file=name)
            for name in subjects
        )
    types = stated.get("_type"), stated.get("predicateType")
    if more or stated.keys() != _STATEMENT or types != (STATEMENT_TYPE, PREDICATE_TYPE):
        yield say("{name}: it is a statement of another kind", name=ATTESTATION)
    elif published.report is not None and stated.get("predicate") != _parsed(
        _json(predicate(published.report))
    ):
        yield say("{name}: what it says of the report is not what the report says", name=ATTESTATION)


def predicate(report: Report) -> dict[str, Any]:
    """What an attestation says of a report: which one it is, what it promises, and how its verdicts came out."""
    written = report.as_json()
    privacy = written["privacy"]
    verdicts = Counter(each.verdict or "no_threshold" for each in report.fairness)
    return {
        "report": {key: written["report"][key] for key in ("title", "publisher", "version", "date")},
        "privacy": {key: privacy[key] for key in ("beta", "lift", "odds") if key in privacy},
        "fidelity": written["policy"]["fidelity"],
        "verdicts": dict(sorted(verdicts.items())),
    }


def _statement(files: Mapping[str, bytes], report: Report) -> bytes:
    descriptor = load_signing("in_toto_attestation.v1.resource_descriptor").ResourceDescriptor
    subjects = [
        descriptor(name=name, digest={"sha256": digest}).pb for name, digest in _digests(files).items()
    ]
    statement = load_signing("in_toto_attestation.v1.statement").Statement(
        subjects, PREDICATE_TYPE, _parsed(_json(predicate(report)))
    )
    statement.validate()
    return _json(load_signing("google.protobuf.json_format").MessageToDict(statement.pb))


def _digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Every file that was there when the statement was made: all but what is added to a finished folder."""
    names = sorted(name for name in files if name not in ADDED_LATER)
    return {name: hashlib.sha256(files[name]).hexdigest() for name in names}


def _signed_payload(content: bytes, key_file: Path) -> bytes | None:
    """What the envelope holds, if the key's holder signed it; whatever name the signature gives the key."""
    key = load_signing("securesystemslib.signer").SSlibKey.from_crypto(load_key(key_file, private=False))
    document = _parsed(content) if len(content) <= _MOST_BYTES else {}
    try:
        envelope = load_signing("securesystemslib.dsse").Envelope.from_dict(document)
    except MissingLibrary:
        raise
    except Exception:  # the library raises whatever a hostile document makes it stumble over
        return None
    unverified = load_signing("securesystemslib.exceptions").UnverifiedSignatureError
    for signature in envelope.signatures.values():
        try:
            key.verify_signature(signature, envelope.pae())
        except unverified:
            continue
        return envelope.payload if envelope.payload_type == PAYLOAD_TYPE else None
    return None


def _parsed(content: bytes) -> dict[str, Any]:
    """A JSON object; an empty one where it is none, or gives a key twice, so that two readers could see different ones."""
    try:
        found = json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=float) + "\n").encode()
