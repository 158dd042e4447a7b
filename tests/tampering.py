"""Single changes to a published report, made systematically: what a checker must detect."""

import io
import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

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
        *figures(files),
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


def figures(files: Mapping[str, bytes]) -> Iterator[Change]:
    """Figures of report.json moved by one printed step or more: confidence, intervals, verdicts, cells, texts."""
    document = json.loads(files["report.json"])
    decimals, groups, cells = document["policy"]["decimals"], document["privacy"]["groups"], document["cells"]

    def step(number: float, steps: int) -> float:
        return float(round(number + steps / 10**decimals, decimals))

    def put(value: object, *path: str | int) -> Change:
        changed = json.loads(files["report.json"])
        part = changed
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        return Change(f"report.json: {path} is {value}", "report.json", json_bytes(changed))

    for steps in (-3, -1, 1, 2):
        yield put(step(document["privacy"]["beta"], steps), "privacy", "beta")
        for g, group in enumerate(groups):
            for name in ("beta", "prior"):
                yield put(step(group[name], steps), "privacy", "groups", g, name)
    for place, entry in enumerate(document["fairness"]):
        if entry["interval"]:
            for end, steps in ((0, -1), (0, 1), (1, -1), (1, 1)):
                if end == 1 or entry["interval"][0] > 0 or steps > 0:
                    moved = abs(step(entry["interval"][end], steps))
                    yield put(moved, "fairness", place, "interval", end)
        verdict = "meets" if entry["verdict"] != "meets" else "does_not_meet"
        yield put(verdict, "fairness", place, "verdict")
    yield put(document["fairness"][:-1], "fairness")
    yield put(cells[:-1], "cells")
    for place, (one, other) in enumerate(pairwise(cells)):
        if one["announced"] != other["announced"]:
            swapped = [{**one, "announced": other["announced"]}, {**other, "announced": one["announced"]}]
            yield put([*cells[:place], *swapped, *cells[place + 2 :]], "cells")
    for place, note in enumerate(document["notes"]):
        text = note["text"].replace(" at most ", " at least ", 1).replace(" not ", " ", 1)
        if text != note["text"]:
            yield put(text, "notes", place, "text")


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
