"""Forgeries of what stands around a report: its ledger, a proof from it, its signature and its attestation.

Made by somebody who can write every file but has not the publisher's key: chains of hashes are made to match again.
"""

import base64
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Named = Iterator[tuple[str, bytes]]


def other_digits(text: bytes, number: int, rng: random.Random) -> Iterator[bytes]:
    """The text with one digit changed, at so many places."""
    places = [found.start() for found in re.finditer(rb"[0-9]", text)]
    for place in rng.sample(places, min(number, len(places))):
        digit = str((int(text[place : place + 1]) + rng.randint(1, 9)) % 10).encode()
        yield text[:place] + digit + text[place + 1 :]


def relinked(lines: list[bytes]) -> bytes:
    """A ledger of these lines in which each names the hash of the one before it."""
    done: list[bytes] = []
    for line in lines:
        document = json.loads(line)
        before = hashlib.sha256(done[-1]).hexdigest() if done else None
        if document.get("previous") != before:
            line = json.dumps({**document, "previous": before}, ensure_ascii=False).encode()
        done.append(line)
    return b"\n".join(done) + b"\n"


def ledger_forgeries(lines: list[bytes], stranger: bytes) -> Named:
    """Of a ledger of three releases, for whoever holds the report of the second; `stranger` is a line of another ledger."""
    first, second, third = lines
    yield "empty", b""
    yield "the report's line taken out", relinked([first, third])
    yield "cut before the report", first + b"\n"
    yield "the first line taken out", relinked([second, third])
    yield "the first line taken out, not linked again", b"\n".join([second, third]) + b"\n"
    yield "another first line", relinked([stranger, second, third])
    yield "a line before the first", relinked([stranger, first, second, third])
    yield "a line between", relinked([first, stranger, second, third])
    yield "the first line twice", relinked([first, first, second, third])
    yield "another order", relinked([second, first, third])
    yield "another line in its place", relinked([first, stranger, third])
    yield "no lines of ours", b'{"hello": 1}\n'
    yield "no JSON", b"hello\n"
    yield "no text", b"\xff\xfe\n"
    yield "deep", b"[" * 100_000
    yield "a key twice", first.replace(b"{", b'{"previous": null, ', 1) + b"\n"
    for number, line in enumerate(other_digits(first, 25, random.Random(1))):
        if json.loads(line) != json.loads(first):
            yield f"a digit before the report, {number}", relinked([line, second, third])
    for number, line in enumerate(other_digits(second, 25, random.Random(2))):
        if json.loads(line) | {"previous": 0} != json.loads(second) | {"previous": 0}:
            yield f"a digit of the report's line, {number}", relinked([first, line, third])


def proof_forgeries(proof: Mapping[str, Any], line: str) -> Named:
    """Of a proof; `line` is that of another release."""
    other = "0" * 64

    def changed(**entries: Any) -> bytes:
        return json.dumps({**proof, **entries}).encode()

    yield "another line", changed(line=line)
    for step in (-1, 1, 2**40):
        yield f"another place, {step}", changed(place=max(0, proof["place"] + step))
    # Of three lines and of four a tree has paths of one shape, so a root alone does not tell them apart (RFC 6962 signs
    # both together): the size beside a root is no more than said, and what is shown about the report holds for either.
    for step in (-1, 2**40):
        yield f"another size, {step}", changed(head={**proof["head"], "size": proof["head"]["size"] + step})
    yield "another root", changed(head={**proof["head"], "root": other})
    yield "no root", changed(head={**proof["head"], "root": "x"})
    for key in ("inclusion", "consistency"):
        steps = proof[key]
        yield f"{key} left out", changed(**{key: []})
        yield f"{key} in another order", changed(**{key: [other, *steps]})
        yield f"{key} goes on", changed(**{key: [*steps, other]})
        yield f"{key} of another line", changed(**{key: [other] * max(1, len(steps))})
        yield f"{key} of words", changed(**{key: ["audited"]})
    for number, text in enumerate(other_digits(proof["line"].encode(), 15, random.Random(3))):
        yield f"a digit of the line, {number}", changed(line=text.decode())


def signature_forgeries(signature: bytes, by_another: bytes) -> Named:
    """Of the signature of checksums."""
    raw = base64.b64decode(signature)
    for place in range(0, len(raw), 4):
        flipped = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        yield f"a bit of byte {place}", base64.b64encode(flipped)
    yield "by another key", by_another
    yield "empty", b""
    yield "nothing", base64.b64encode(bytes(64))
    yield "all ones", base64.b64encode(b"\xff" * 64)
    yield "half of it", base64.b64encode(raw[:32])
    yield "twice", signature.strip() * 2
    yield "longer", base64.b64encode(raw + b"\0")
    yield "not decoded", raw
    yield "letters that base64 has not", signature[:9] + b"*" + signature[9:]
    yield "words", b"signed by the state"


def attestation_forgeries(
    envelope: Mapping[str, Any], sign_as_another: Callable[[bytes], dict[str, Any]]
) -> Named:
    """Of the signed statement: other payloads under the old signature, or signed by another."""
    payload = base64.b64decode(envelope["payload"])

    def carrying(content: bytes) -> bytes:
        return json.dumps({**envelope, "payload": base64.b64encode(content).decode()}).encode()

    for number, text in enumerate(other_digits(payload, 20, random.Random(4))):
        yield f"a digit, {number}", carrying(text)
    yield "signed by another", json.dumps(sign_as_another(payload)).encode()
    yield "another payload, signed by another", json.dumps(sign_as_another(b"{}")).encode()
    yield "no payload", carrying(b"")
    yield "empty", b"{}"
    yield "too large", json.dumps(envelope).encode() + b" " * 2**21
    yield "signatures null", json.dumps({**envelope, "signatures": None}).encode()
    yield "no signature", json.dumps({**envelope, "signatures": []}).encode()
    yield "signatures of nobody", json.dumps({**envelope, "signatures": [{"keyid": "", "sig": ""}]}).encode()
    yield "another type", json.dumps({**envelope, "payloadType": "text/plain"}).encode()
    yield "null", b"null"
    yield "no JSON", b"signed"
    yield "deep", b"[" * 100_000
