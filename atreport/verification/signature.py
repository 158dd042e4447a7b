"""Sign a published folder, and check a signature: ed25519 over SHA256SUMS, which names every file by its checksum.

The signature is detached (``SHA256SUMS.sig``), so signing changes no file. Needs the extra ``signature``.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any

from atreport.errors import MissingLibrary, NotAReport, UsageError
from atreport.publish import PUBLIC

CHECKSUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"

_INSTALL = "Signatures need the Python package cryptography, which is not installed.\n  pip install 'atreport[signature]'"
_MAKE_KEY = (
    "Make a key pair once, and keep the private key off shared machines:\n"
    "    openssl genpkey -algorithm ed25519 -out private.pem && chmod 600 private.pem\n"
    "    openssl pkey -in private.pem -pubout -out public.pem"
)


def sign(folder: Path, key_file: Path) -> Path:
    """Sign a public folder (or the folder above it) with an ed25519 private key in PEM form."""
    folder = folder / PUBLIC if (folder / PUBLIC).is_dir() else folder
    sums = folder / CHECKSUMS
    if not sums.is_file():
        raise NotAReport(f"{folder}: there is no {CHECKSUMS} to sign.\n  Give the public folder of a build.")
    key = _load(key_file, private=True)
    signature = folder / SIGNATURE
    signature.write_bytes(base64.b64encode(key.sign(sums.read_bytes())) + b"\n")
    return signature


def is_signed_by(key_file: Path, sums: bytes, signature: bytes) -> bool:
    """Whether a signature of SHA256SUMS was made with the private key that belongs to this public key."""
    from cryptography.exceptions import InvalidSignature

    key = _load(key_file, private=False)
    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), sums)
    except (InvalidSignature, binascii.Error):
        return False
    return True


def _load(path: Path, *, private: bool) -> Any:
    """An ed25519 key from a PEM file."""
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
    except ImportError:
        raise MissingLibrary(_INSTALL) from None
    kind = "private" if private else "public"
    try:
        content = path.read_bytes()
        key = load_pem_private_key(content, password=None) if private else load_pem_public_key(content)
    except OSError as error:
        raise UsageError(f"{path}: the {kind} key cannot be read: {error.strerror}.\n  {_MAKE_KEY}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise UsageError(f"{path}: this is no unencrypted {kind} key in PEM form.\n  {_MAKE_KEY}") from None
    if not isinstance(key, Ed25519PrivateKey | Ed25519PublicKey):
        raise UsageError(f"{path}: this is no ed25519 key.\n  {_MAKE_KEY}")
    return key
