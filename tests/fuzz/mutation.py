"""Change a document or a text in ways that are meant to break its reader. The same seed gives the same change."""

import copy
import random
from typing import Any

SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 1e308, -0.0, 1e-300, 10**16, 10**30, -(10**15), 0.1 + 0.2, 0.99999999999999999,
    "", " ", ".", "..", "...", "0", "1", "-1", "1e-99999999", "1e99999999", "0x10", "010", "1_000", ".inf", ".nan", "nan",
    "NaN", "null", "~", "yes", "no", "on", "=1+1", "+1", "-", "@x", "\u202eabc", "a\u2028b", "\ufeffx", "\x00", "\x1b[31m",
    "\ud83d\ude00", "e\u0301", "ﷺ" * 20, "x" * 5000, "a/b", "../../etc/passwd", "/etc/passwd", "C:\\x", "{{x}}",
    "{% raw %}", "<script>alert(1)</script>", "]]>", "<!--", "&amp;", "'", '"', "`", "$(x)", "; drop table x",
    "data[1].csv", "*.csv", "**", "~", "md:x", "s3://x/y.csv", "con.csv", "file:///etc/passwd", "2026-02-30", "9999-12-31",
    "0001-01-01", "population", "share", "announced", "guarded", "bounds", "decision", "approved", "everybody", "unknown",
)  # fmt: skip

TOKENS = (
    "{", "}", "[", "]", ":", ",", "- ", "# ", "&a ", "*a", "!!python/object:os.system ", "!x ", "|", ">", "%", "\t", "\n", "\r",
    "---\n", "...\n", "? ", "<<: ", "'", '"', "\\", "\x00", "\u2028", "\u202e", "1e-99999999", "9" * 300, "é", "\ud7ff",
)  # fmt: skip

Path = list[Any]


def places(document: Any, here: Path | None = None) -> list[Path]:
    """The path of every value in a document."""
    here = here or []
    found = [here]
    entries = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for key, entry in entries:
        found += places(entry, [*here, key])
    return found


def mutated(document: Any, rng: random.Random, changes: int = 0) -> Any:
    """The document with some values taken away, doubled, exchanged or replaced by hostile ones."""
    document = copy.deepcopy(document)
    for _ in range(changes or rng.choice([1, 1, 1, 2, 3, 6])):
        path = rng.choice([place for place in places(document) if place] or [[]])
        if not path:
            return rng.choice(SCALARS)
        holder = document
        for key in path[:-1]:
            holder = holder[key]
        _change(document, holder, path[-1], rng)
    return document


def _change(document: Any, holder: Any, key: Any, rng: random.Random) -> None:
    kind = rng.randrange(9)
    value = holder[key]
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(value))
    elif kind == 1:
        holder[str(rng.choice(SCALARS))] = copy.deepcopy(value)
    elif kind == 2:
        holder[key] = rng.choice([[], {}, [value], {"x": value}, [[value]], [value] * 30])
    elif kind == 3:
        other = rng.choice(places(document))
        found = document
        for step in other:
            found = found[step]
        holder[key] = copy.deepcopy(found)
    elif kind == 4 and isinstance(value, int | float) and not isinstance(value, bool):
        holder[key] = rng.choice(
            [-value, value + 1, value * 10, value / 3, value * 1e9, value + 1e-9, int(value)]
        )
    elif kind == 4 and isinstance(value, str) and value:
        place = rng.randrange(len(value) + 1)
        holder[key] = value[:place] + str(rng.choice(SCALARS)) + value[place:]
    elif kind == 5 and isinstance(value, list):
        rng.shuffle(value)
    elif kind == 6:
        deep: Any = value
        for _ in range(rng.choice([3, 40, 200])):
            deep = [deep]
        holder[key] = deep if rng.random() < 0.1 else rng.choice(SCALARS)
    else:
        holder[key] = rng.choice(SCALARS)


def mutated_text(text: str, rng: random.Random) -> str:
    """The text with pieces inserted, taken away, repeated or exchanged."""
    for _ in range(rng.choice([1, 1, 2, 4, 10])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 3, 20, 200]))
        piece = rng.choice([*TOKENS, str(rng.choice(SCALARS)), text[start:end] * 2, ""])
        text = text[:start] + piece + text[end:]
    return text


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """The bytes with some flipped, cut out, repeated or made up."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([0, 1, 4, 50]))
        data[start:end] = rng.choice(
            [b"", rng.randbytes(4), b"\xff" * 8, b"\x00", bytes(data[start:end]) * 2]
        )
    return bytes(data)


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
