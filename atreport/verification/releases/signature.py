"""Sign a published folder, and check a signature: ed25519 over SHA256SUMS, which names every file by its checksum.

The signature is detached (``SHA256SUMS.sig``), so signing changes no file. Needs the extra ``signature``.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any

from atreport.errors import NotAReport, UsageError
from atreport.kit.optional_library import load_library
from atreport.publish import PUBLIC, add_file

CHECKSUMS = "SHA256SUMS"
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
