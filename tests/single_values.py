"""Single values of a report.json changed by chance, each in a report that is made again of it, consistently in every file."""

import copy
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atreport.compose import with_notes
from atreport.export.files import public_files
from atreport.pages.own_words import KEYS, covering
from atreport.report.model import Report
from atreport.report.reader import read_report
from atreport.report.writer import json_bytes, report_json

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Forged:
    """A report in which one value is another, with notes that follow from it."""

    place: Place
    old: Any
    new: Any
    report: Report
    files: Mapping[str, bytes]  # without pages

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.place))}: {self.old!r} → {self.new!r}"

    @property
    def key(self) -> str:
        """The key of the value, with the dots of its path."""
        return ".".join(step for step in self.place if isinstance(step, str))

    @property
    def measure(self) -> str:
        """The measure that the value is of, if it is of one."""
        if self.place[0] != "fairness" or not isinstance(self.place[1], int):
            return ""
        return str(self.report.fairness[self.place[1]].measure)

    @property
    def is_promised_by_both(self) -> bool:
        """Whether the table of keys promises that both verifiers find it."""
        line = _line(self.place)
        return line is not None and KEYS[line][0] == "both verifiers"

    @property
    def is_checkable(self) -> bool:
        """Whether the table of keys promises that it is found, by a reader who has the report alone."""
        line = _line(self.place)
        return line is None or KEYS[line][0] in ("both verifiers", "atreport verify")


def _line(place: Place) -> str | None:
    """The line of the table that stands for a place: that of its own key, or of the nearest key around it that has one."""
    names = [step for step in place if isinstance(step, str)]
    return next(
        (line for length in range(len(names), 0, -1) if (line := covering(".".join(names[:length])))), None
    )


def forgeries(report: Report, seed: int, *, least: int = 1) -> Iterator[Forged]:
    """Without end: a value drawn by its key, moved by so many printed steps at least, or put in the place of another.

    Every key is drawn as often as any other, however many entries it has. What cannot be made into a report is passed over.
    """
    rng, document = random.Random(seed), json.loads(report_json(report))
    places: dict[tuple[str, ...], list[tuple[Place, Any]]] = {}
    for place, value in _leaves(document, ()):
        if place[0] not in ("notes", "generator"):  # the notes follow from the rest, and are made anew
            places.setdefault(tuple(step for step in place if isinstance(step, str)), []).append(
                (place, value)
            )
    keys = sorted(places)
    texts = sorted({value for each in places.values() for _, value in each if isinstance(value, str)})
    while True:
        place, old = rng.choice(places[key := rng.choice(keys)])
        alike = [value for _, value in places[key]]
        new = _other(old, alike, texts, report.policy.decimals, least, rng)
        if new == old:
            continue
        changed = copy.deepcopy(document)
        around = changed
        for step in place[:-1]:
            around = around[step]
        around[place[-1]] = new
        try:
            forged = with_notes(read_report(json_bytes(changed), "report.json"))
            yield Forged(place, old, new, forged, public_files(forged, ["json"]))
        except Exception:
            continue


def _leaves(node: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _leaves(value, (*place, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _leaves(value, (*place, index))
    else:
        yield place, node


def _other(
    old: Any, alike: Sequence[Any], texts: Sequence[str], decimals: int, least: int, rng: random.Random
) -> Any:
    """Another value of the same kind."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, str):
        return rng.choice([f"{old}x", rng.choice(alike), rng.choice(texts)])
    if isinstance(old, int):
        return rng.choice([old + 1, old - 1, 2 * old, 0, rng.choice(alike)])
    if isinstance(old, float):
        steps = rng.choice([-1, 1]) * rng.choice([least, 10 * least, rng.randrange(least, 10**decimals)])
        return round(abs(old + steps / 10**decimals), decimals)
    return rng.choice([0.5, 1, "x"])
