"""Damage to the files of a report, by chance but the same at every run: what a reader of strangers' files must survive."""

import json
import random
from typing import Any

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**39, 10**45, 1e-300, 1e300, 0.1234567890123456, -0.5, "", "x", "0.5", "\x00", "<b>", "\ud800",
    "‮", "F" * 5000, [], {}, [[]], [None], {"": 1}, {"x": {"x": {"x": []}}}, "nan", 2**63, -(2**63),
)  # fmt: skip
"""Put in the place of whatever stands there."""


def mutated_json(content: bytes, rng: random.Random) -> bytes:
    """A report.json with one to three things in it changed, moved, repeated or left out."""
    document = json.loads(content)
    for _ in range(rng.choice((1, 1, 2, 3))):
        _mutate(document, rng)
    text = json.dumps(document)
    if rng.random() < 0.1:
        place = rng.randrange(len(text))
        text = (
            text[:place]
            + rng.choice(("", "9" * 50, "e99999999", "{", "]", '"', ",", "\x00"))
            + text[place + 1 :]
        )
    return text.encode("utf-8", "surrogatepass")


def _mutate(document: Any, rng: random.Random) -> None:
    places = list(_places(document))
    owner, key = rng.choice(places)
    match rng.randrange(6):
        case 0:
            del owner[key]
        case 1:
            owner[key] = rng.choice(_VALUES)
        case 2:
            other, there = rng.choice(places)
            owner[key] = json.loads(json.dumps(other[there]))
        case 3 if isinstance(owner, list):
            owner.insert(0, json.loads(json.dumps(owner[key])))
        case 4 if isinstance(owner, list):
            rng.shuffle(owner)
        case 5 if isinstance(owner, dict):
            owner[rng.choice(("x", "", "format", "value", key + "s"))] = owner.pop(key)
        case _:
            owner[key] = [owner[key]] * rng.choice((0, 1, 3, 200))


def _places(node: Any) -> Any:
    """Every place in a document: what it is in, and under which key."""
    keys: Any = range(len(node)) if isinstance(node, list) else list(node) if isinstance(node, dict) else ()
    for key in keys:
        yield node, key
        yield from _places(node[key])


def damaged_pdf(content: bytes, rng: random.Random) -> bytes:
    """A PDF with bytes flipped, cut out, repeated or written over, or cut off."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 3, 20))):
        start = rng.randrange(len(data))
        length = rng.choice((1, 1, 8, 200, 5000))
        match rng.randrange(6):
            case 0:
                data[start] = rng.randrange(256)
            case 1:
                del data[start : start + length]
            case 2:
                data[start:start] = data[start : start + length]
            case 3:
                data[start : start + length] = rng.randbytes(len(data[start : start + length]))
            case 4:
                number = rng.choice((b"0", b"-1", b"99999999", b"1 0 R", b"[" * 2000, b"<<" * 2000))
                data[start : start + len(number)] = number
            case _:
                if rng.random() < 0.3:
                    del data[start:]
        data = data or bytearray(b"%PDF-1.7")
    return bytes(data)
