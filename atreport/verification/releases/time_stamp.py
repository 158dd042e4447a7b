"""Time stamps (RFC 3161): an authority outside the publisher's house says that these files existed at a time.

What is stamped is SHA256SUMS, which names every file by its checksum. The request holds its hash and nothing else, so the
authority learns nothing of the report. The answer is kept beside it and is checked offline, against a root certificate
that the reader chooses. Needs the extra ``signature``.
"""

from __future__ import annotations

import hashlib
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from atreport.errors import MissingLibrary, NotAReport, UsageError
from atreport.kit.language import say
from atreport.publish import add_file
from atreport.report.published import Published
from atreport.verification.findings import Check, check
from atreport.verification.releases.signature import CHECKSUMS, load_signing, read_checksums

STAMP = "SHA256SUMS.tsr"
_MOST_BYTES = 2**20
_SECONDS = 30


def stamp_request(folder: Path) -> bytes:
    """The request for a time stamp of a public folder (or the folder above it), in DER form."""
    _, sums = read_checksums(folder)
    library = _library()
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
            return bytes(answer.read(_MOST_BYTES))
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
    what = say("an authority you trust stamped these files")
    stamp, sums = published.files.get(STAMP), published.files.get(CHECKSUMS)
    if stamp is None or sums is None:
        return check("time-stamp", what, [say("{name}: missing: this copy has no time stamp", name=STAMP)])
    library, certificates = _library(), _certificates(root)
    decoded = _decode(stamp)
    if decoded is None:
        return check("time-stamp", what, [say("{name}: this is no time stamp", name=STAMP)])
    builder = library.VerifierBuilder()
    for certificate in certificates:
        builder = builder.add_root_certificate(certificate)
    try:
        builder.build().verify_message(decoded, sums)
    except library.VerificationError as error:
        return check(
            "time-stamp",
            what,
            [
                say(
                    "{name}: it does not hold for these files and {root}: {error}",
                    name=STAMP,
                    root=root.name,
                    error=error,
                )
            ],
        )
    except Exception as error:  # the parser is fed whatever a forger wrote
        return check(
            "time-stamp",
            what,
            [say("{name}: it cannot be checked ({error})", name=STAMP, error=type(error).__name__)],
        )
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
        and len(stamp) == 2 + long + length <= _MOST_BYTES
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
    if len(content) > _MOST_BYTES:
        return None
    try:
        found = _library().decode_timestamp_response(content)
        _ = found.tst_info.message_imprint.message, found.tst_info.gen_time
    except MissingLibrary:
        raise
    except Exception:  # the parser is fed whatever a forger wrote
        return None
    return found


def _library() -> Any:
    return load_signing("rfc3161_client")
