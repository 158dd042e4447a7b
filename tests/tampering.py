"""Single changes to a published report, made systematically: what a checker must detect."""

import io
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pikepdf

from atreport.report.writer import json_bytes
from tests.catalogues import SUMS, restated


@dataclass(frozen=True)
class Change:
    """One file of a report, changed in one place."""

    what: str
    name: str
    content: bytes | None  # None: the file is gone

    def applied(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """The report with the change, its checksums made to match: by somebody who can write them too."""
        changed = {name: content for name, content in files.items() if name not in (self.name, SUMS)}
        if self.content is not None:
            changed[self.name] = self.content
        return restated(changed)


def changes(files: Mapping[str, bytes], seed: int = 0) -> list[Change]:
    """Every kind of single change, the places chosen by chance but the same at every run."""
    rng = random.Random(seed)
    return [
        *digits(files, "report.json", 120, rng),
        *figures(files, rng),
        *digits(files, "cells.csv", 30, rng),
        *digits(files, "measures.csv", 30, rng),
        *swapped_rows(files, "cells.csv"),
        *swapped_rows(files, "measures.csv"),
        *digits(files, "report.html", 90, rng),
        *attachments(files),
        *digits(files, "cells.csv-metadata.json", 10, rng),
        *digits(files, "measures.csv-metadata.json", 10, rng),
    ]


def _other_digit(digit: str, rng: random.Random) -> str:
    return rng.choice([other for other in "0123456789" if other != digit])


_NOT_READ = re.compile(r"<style>.*?</style>|<script>.*?</script>", re.DOTALL)
"""Of a page: programs, and fonts, which are letters of base64."""


def digits(files: Mapping[str, bytes], name: str, number: int, rng: random.Random) -> Iterator[Change]:
    """One digit of a file that is text: of a page, in its words, its charts and its data."""
    text = files[name].decode()
    skip = [match.span() for match in _NOT_READ.finditer(text)]
    places = [m.start() for m in re.finditer(r"\d", text) if not any(a <= m.start() < b for a, b in skip)]
    for place in rng.sample(places, min(number, len(places))):
        new = text[:place] + _other_digit(text[place], rng) + text[place + 1 :]
        yield Change(f"{name}: a digit at {place}", name, new.encode())


def swapped_rows(files: Mapping[str, bytes], name: str) -> Iterator[Change]:
    """Two neighbouring rows of a table that differ."""
    heading, *rows = files[name].decode().splitlines(keepends=True)
    for place in range(len(rows) - 1):
        if rows[place] != rows[place + 1]:
            swapped = [*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]]
            yield Change(
                f"{name}: rows {place} and {place + 1} swapped", name, "".join([heading, *swapped]).encode()
            )


def figures(files: Mapping[str, bytes], rng: random.Random) -> Iterator[Change]:
    """Figures of report.json moved by one printed step or more: confidence, intervals, rates, verdicts, cells, texts."""
    document = json.loads(files["report.json"])
    decimals = document["policy"]["decimals"]

    def step(number: float, steps: int) -> float:
        return float(round(number + steps / 10**decimals, decimals))

    def edited(what: str, edit: Callable[[Any], None]) -> Change:

        copy = json.loads(files["report.json"])
        edit(copy)
        return Change(f"report.json: {what}", "report.json", json_bytes(copy))

    def set_to(section: str, place: int, key: str, value: object) -> Callable[[Any], None]:
        return lambda d: d[section][place].update({key: value})

    for steps in (-3, -1, 1, 2):
        beta = step(document["privacy"]["beta"], steps)
        yield edited(f"beta by {steps}", partial(_set_beta, beta=beta))
        for g in range(len(document["privacy"]["groups"])):
            for name in ("beta", "prior"):

                def move(d: Any, g: int = g, name: str = name, s: int = steps) -> None:
                    group = d["privacy"]["groups"][g]
                    group[name] = step(group[name], s)

                yield edited(f"{name} of group {g} by {steps}", move)
    for place, entry in enumerate(document["fairness"]):
        if entry["interval"]:
            for end, steps in ((0, -1), (0, 1), (1, -1), (1, 1)):

                def widen(d: Any, place: int = place, end: int = end, s: int = steps) -> None:
                    interval = d["fairness"][place]["interval"]
                    interval[end] = abs(step(interval[end], s))

                if end == 1 or entry["interval"][0] > 0 or steps > 0:
                    yield edited(f"end {end} of interval {place} by {steps}", widen)
        verdict = "meets" if entry["verdict"] != "meets" else "does_not_meet"
        yield edited(f"verdict {place}", set_to("fairness", place, "verdict", verdict))
    yield edited("entry of fairness left out", lambda d: d["fairness"].pop())
    yield edited("cell left out", lambda d: d["cells"].pop())
    for place in range(len(document["cells"]) - 1):

        def swap(d: Any, place: int = place) -> None:
            cells = d["cells"]
            cells[place]["announced"], cells[place + 1]["announced"] = (
                cells[place + 1]["announced"],
                cells[place]["announced"],
            )

        if document["cells"][place]["announced"] != document["cells"][place + 1]["announced"]:
            yield edited(f"rules of cells {place} and {place + 1} swapped", swap)
    for place, note in enumerate(document["notes"]):
        text = note["text"].replace(" at most ", " at least ", 1).replace(" not ", " ", 1)
        if text != note["text"]:
            yield edited(f"note {place}", set_to("notes", place, "text", text))


def _set_beta(document: Any, beta: float) -> None:
    document["privacy"]["beta"] = beta


def attachments(files: Mapping[str, bytes]) -> Iterator[Change]:
    """Attachments dropped or changed; whole files gone."""
    for name in ("report.json", "cells.csv", "measures.csv", "cells.csv-metadata.json"):
        with pikepdf.open(io.BytesIO(files["report.pdf"])) as pdf:
            del pdf.attachments[name]
            yield Change(f"report.pdf: {name} no longer attached", "report.pdf", _saved(pdf))
        with pikepdf.open(io.BytesIO(files["report.pdf"])) as pdf:
            content = files[name].replace(b"0.1", b"0.2", 1)
            pdf.attachments[name] = content
            if content != files[name]:
                yield Change(f"report.pdf: another {name} attached", "report.pdf", _saved(pdf))


def _saved(pdf: pikepdf.Pdf) -> bytes:
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()
