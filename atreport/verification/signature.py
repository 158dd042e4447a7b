"""Sign a published folder, and check a signature: ed25519 over SHA256SUMS, which names every file by its checksum.

The signature is detached (``SHA256SUMS.sig``), so signing changes no file. Needs the extra ``signature``.
"""

import base64
import binascii
import hashlib
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from atreport.errors import MissingLibrary, NotAReport, UsageError
from atreport.export.files import CHECKSUMS
from atreport.report.model import Report
from atreport.report.reader import Published, each_once, read_published
from atreport.resources import load_library
from atreport.text.language import gettext
from atreport.verification.findings import Check, check
from atreport.write_folder import ADDED_LATER, PUBLIC, add_file

SIGNATURE = "SHA256SUMS.sig"

_MAKE_KEY = (
    "Make a key pair once, and keep the private key off shared machines:\n"
    "    openssl genpkey -algorithm ed25519 -out private.pem && chmod 600 private.pem\n"
    "    openssl pkey -in private.pem -pubout -out public.pem"
)


def sign(folder: Path, key_file: Path) -> Path:
    """Sign a public folder (or the folder above it) with an ed25519 private key in PEM form."""
    folder, sums = read_checksums(folder)
    key = load_key(key_file, private=True)
    return add_file(folder, SIGNATURE, base64.b64encode(key.sign(sums)) + b"\n")


def read_checksums(folder: Path) -> tuple[Path, bytes]:
    """The public folder, given it or the one above it, and its list of checksums."""
    folder = folder / PUBLIC if (folder / PUBLIC).is_dir() else folder
    sums = folder / CHECKSUMS
    if not sums.is_file() or sums.is_symlink():
        raise NotAReport(f"{folder}: there is no {CHECKSUMS} to sign.\n  Give the public folder of a build.")
    return folder, sums.read_bytes()


def is_signed_by(key_file: Path, sums: bytes, signature: bytes) -> bool:
    """Whether a signature of SHA256SUMS was made with the private key that belongs to this public key."""
    key = load_key(key_file, private=False)
    wrong = load_signing("cryptography.exceptions").InvalidSignature
    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), sums)
    except (wrong, binascii.Error):
        return False
    return True


def is_signature(content: bytes) -> bool:
    """Whether something has the form of a signature, whoever made it and for whatever."""
    try:
        return len(base64.b64decode(content.strip(), validate=True)) == 64
    except binascii.Error:
        return False


def load_signing(module: str) -> Any:
    """A module of the libraries behind signatures, attestations and time stamps."""
    return load_library(module, "signature", "signatures and time stamps")


def load_key(path: Path, *, private: bool) -> Any:
    """An ed25519 key from a PEM file."""
    formats = load_signing("cryptography.hazmat.primitives.serialization")
    ed25519 = load_signing("cryptography.hazmat.primitives.asymmetric.ed25519")
    unsupported = load_signing("cryptography.exceptions").UnsupportedAlgorithm
    kind = "private" if private else "public"
    try:
        content = path.read_bytes()
        key = (
            formats.load_pem_private_key(content, password=None)
            if private
            else formats.load_pem_public_key(content)
        )
    except OSError as error:
        raise UsageError(f"{path}: the {kind} key cannot be read: {error.strerror}.\n  {_MAKE_KEY}") from None
    except (ValueError, TypeError, unsupported):
        raise UsageError(f"{path}: this is no unencrypted {kind} key in PEM form.\n  {_MAKE_KEY}") from None
    if not isinstance(key, ed25519.Ed25519PrivateKey | ed25519.Ed25519PublicKey):
        raise UsageError(f"{path}: this is no ed25519 key.\n  {_MAKE_KEY}")
    if private and path.stat().st_mode & 0o077:
        raise UsageError(
            f"{path}: others on this machine can read this private key, so anybody might sign in your name.\n"
            f"  chmod 600 {path}, and if it was shared, make a new pair."
        )
    return key


# Time stamps (RFC 3161): an authority outside the publisher's house says that these files existed at a time.
#
# What is stamped is SHA256SUMS, which names every file by its checksum. The request holds its hash and
# nothing else, so the authority learns nothing of the report. The answer is kept beside it and is checked
# offline, against a root certificate that the reader chooses. Needs the extra ``signature``.

STAMP = "SHA256SUMS.tsr"
_LARGEST_STAMP = 2**20
_SECONDS = 30


def stamp_request(folder: Path) -> bytes:
    """The request for a time stamp of a public folder (or the folder above it), in DER form."""
    _, sums = read_checksums(folder)
    library = load_signing("rfc3161_client")
    builder = library.TimestampRequestBuilder().data(sums)
    request = (
        builder.hash_algorithm(library.HashAlgorithm.SHA256).nonce(nonce=True).cert_request(cert_request=True)
    )
    return bytes(request.build().as_bytes())


def send_request(request: bytes, server: str) -> bytes:
    """What a time-stamp authority answers."""
    if not server.startswith(("https://", "http://")):
        raise UsageError(f"{server}: give the address of the authority as https://…")
    headers = {"Content-Type": "application/timestamp-query"}
    try:
        call = urllib.request.Request(server, data=request, headers=headers)  # http(s) only: see above
        with urllib.request.urlopen(call, timeout=_SECONDS) as answer:
            return bytes(answer.read(_LARGEST_STAMP))
    except (OSError, ValueError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", error)
        raise UsageError(
            f"{server}: no time stamp was given: {reason}.\n"
            "  Without a network: atreport stamp FOLDER --request FILE, send the file, then --answer FILE."
        ) from None


def attach_stamp(folder: Path, answer: bytes) -> Path:
    """Keep the answer of an authority beside the files, if it is one and is about them."""
    folder, sums = read_checksums(folder)
    stamp = _decode(answer)
    if stamp is None or stamp.tst_info.message_imprint.message != hashlib.sha256(sums).digest():
        raise NotAReport(
            f"{folder}: this is no time stamp of its {CHECKSUMS}.\n"
            "  The authority refused, or the report was built again since the request was made: ask again."
        )
    return add_file(folder, STAMP, answer)


def stamp_check(published: Published, root: Path) -> Check:
    """Whether an authority that the reader trusts stamped these files, and when."""
    what = gettext("an authority you trust stamped these files")
    stamp, sums = published.files.get(STAMP), published.files.get(CHECKSUMS)
    if stamp is None or sums is None:
        finding = gettext("{name}: missing: this copy has no time stamp", name=STAMP)
        return check("time-stamp", what, [finding])
    library, certificates = load_signing("rfc3161_client"), _certificates(root)
    decoded = _decode(stamp)
    if decoded is None:
        return check("time-stamp", what, [gettext("{name}: this is no time stamp", name=STAMP)])
    builder = library.VerifierBuilder()
    for certificate in certificates:
        builder = builder.add_root_certificate(certificate)
    try:
        builder.build().verify_message(decoded, sums)
    except library.VerificationError as error:
        about = {"name": STAMP, "root": root.name, "error": error}
        finding = gettext("{name}: it does not hold for these files and {root}: {error}", **about)
        return check("time-stamp", what, [finding])
    except Exception as error:  # the parser is fed whatever a forger wrote
        finding = gettext("{name}: it cannot be checked ({error})", name=STAMP, error=type(error).__name__)
        return check("time-stamp", what, [finding])
    when = decoded.tst_info.gen_time
    return check("time-stamp", f"{what}: {when:%Y-%m-%d %H:%M:%S} UTC", [])


def is_about(stamp: bytes, sums: bytes) -> bool:
    """Whether an answer of an authority has the form of one and holds the hash of these checksums; needs no library.

    It is a sequence in DER form, whose first bytes say how long it is. Who stamped it, the root certificate tells.
    """
    long = stamp[1] & 0x7F if len(stamp) > 1 and stamp[1] & 0x80 else 0
    length = int.from_bytes(stamp[2 : 2 + long], "big") if long else int.from_bytes(stamp[1:2], "big")
    return (
        stamp[:1] == b"\x30"
        and len(stamp) == 2 + long + length <= _LARGEST_STAMP
        and hashlib.sha256(sums).digest() in stamp
    )


def _certificates(path: Path) -> list[Any]:
    try:
        found = load_signing("cryptography.x509").load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: the root certificate cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UsageError(f"{path}: this is no certificate in PEM form.") from None
    return list(dict.fromkeys(found))


def _decode(content: bytes) -> Any:
    """A time-stamp response, or None."""
    if len(content) > _LARGEST_STAMP:
        return None
    try:
        found = load_signing("rfc3161_client").decode_timestamp_response(content)
        _ = found.tst_info.message_imprint.message, found.tst_info.gen_time
    except MissingLibrary:
        raise
    except Exception:  # the parser is fed whatever a forger wrote
        return None
    return found


# An attestation: a signed in-toto statement that names every public file, and the promises and verdicts of
# the report.
#
# Other tools read it (it is a DSSE envelope around an in-toto v1 statement), so a register or a supply-chain
# checker can ask "which reports promise β ≤ 0.7?" without knowing this program. Needs the extra
# ``signature``.

ATTESTATION = "attestation.intoto.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
PREDICATE_TYPE = "urn:atreport:attestation:1"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
_STATEMENT = {"_type", "subject", "predicateType", "predicate"}
_SUBJECT = {"name", "digest"}

_LARGEST_ATTESTATION, _SIGNATURE_BYTES = 2**20, 64


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
        yield gettext(
            "{name}: not made with the private key that belongs to {key}", name=ATTESTATION, key=key_file.name
        )
        return
    yield from attested_findings(published, payload)


def unsigned_payload(content: bytes) -> bytes:
    """What an envelope holds, whoever signed it; nothing where it is none, or holds anything besides."""
    envelope = _parsed(content) if len(content) <= _LARGEST_ATTESTATION else {}
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


def attested_findings(published: Published, payload: bytes) -> Iterator[str]:
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
            yield gettext("{name}: it is not about this {file}", name=ATTESTATION, file=name)
    if published.path.is_dir():
        yield from (
            gettext("{name}: it names {file}, which is not here", name=ATTESTATION, file=name)
            for name in subjects
        )
    types = stated.get("_type"), stated.get("predicateType")
    if more or stated.keys() != _STATEMENT or types != (STATEMENT_TYPE, PREDICATE_TYPE):
        yield gettext("{name}: it is a statement of another kind", name=ATTESTATION)
    elif published.report is not None and stated.get("predicate") != _parsed(
        _json(predicate(published.report))
    ):
        yield gettext("{name}: what it says of the report is not what the report says", name=ATTESTATION)


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
    document = _parsed(content) if len(content) <= _LARGEST_ATTESTATION else {}
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
        found = json.loads(content, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=float) + "\n").encode()
