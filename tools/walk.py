"""Walk through a build as one value does: which functions and files hold it on its way to the public files.

    python -m tools.walk

Two values walk: a threshold, from the spec to the verdict on the page, and an announced probability, from the Announcement
to every file. Prints the number of functions and files of each, and with --way the way itself. What stands behind the wall
does not count, nor does a page that only the publisher sees. A function holds a value when an argument or its result does,
two levels deep. The count is an upper bound: an equal number that is met by chance counts too, which is why the values are
odd ones.
"""

import argparse
import dataclasses
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import atreport
from atreport.resources import templates_folder

PACKAGE = Path(atreport.__file__).parent
THRESHOLD, STEPS = Decimal("0.3137"), 4273
BEHIND_THE_WALL = "private/"
MOST_TRIES = 40
"""So often a function is looked at that has not held the value yet."""


def spec() -> dict[str, Any]:
    """A small spec in which both values stand, and nothing else has their digits."""
    rows = [
        ("F", "low", 120, "0.4273"),
        ("F", "high", 80, "0.4273"),
        ("M", "low", 90, "0.4273"),
        ("M", "high", 110, "0.9"),
    ]
    people = {"title": "Walk", "publisher": "Walk", "contact": "walk@example.org"}
    return {
        "atreport": 1,
        "report": {**people, "version": "1.0.0", "date": "2026-01-15"},
        "process": {
            "name": "Walk",
            "outcome": {"name": "decision", "values": ["denied", "approved"], "favourable": "approved"},
            "attributes": [
                {"name": "gender", "role": "public", "values": ["F", "M"]},
                {"name": "income", "role": "sensitive", "values": ["low", "high"]},
            ],
        },
        "source": {
            "table": [
                {"gender": gender, "income": income, "population": number, "approved": Decimal(approved)}
                for gender, income, number, approved in rows
            ]
        },
        "policy": {"mechanism": "optimal", "fidelity": {"delta": Decimal("0.9999")}, "decimals": 4},
        "fairness": [{"measure": "statistical_parity", "groups": "gender", "threshold": THRESHOLD}],
    }


def is_threshold(value: object) -> bool:
    """Whether it is the threshold, as a number or in a text."""
    if isinstance(value, str):
        return len(value) < 4000 and any(text in value for text in ("0.3137", "31.37", "31.4"))
    return isinstance(value, Decimal) and value == THRESHOLD


def is_probability(value: object) -> bool:
    """Whether it is the announced probability, up to a step, in steps or as a number or in a text."""
    if isinstance(value, str):
        return len(value) < 3000 and any(text in value for text in ("0.427", "42.7"))
    if isinstance(value, np.ndarray) and value.size < 500 and value.dtype.kind in "fi":
        near, apart = (STEPS, 1.0) if value.dtype.kind == "i" else (STEPS / 10000, 1.01e-4)
        return bool((np.abs(value - near) <= apart).any())
    if isinstance(value, int | np.integer):
        return abs(int(value) - STEPS) <= 1
    return isinstance(value, float | Decimal) and abs(float(value) - STEPS / 10000) <= 1.01e-4


VALUES: dict[str, Callable[[object], bool]] = {"threshold": is_threshold, "probability": is_probability}


def holds(value: object, what: Callable[[object], bool], depth: int = 0) -> bool:
    """Whether a value is the one that is looked for, or has it inside, two levels deep."""
    try:
        if what(value):
            return True
        inside: Any = ()
        if dataclasses.is_dataclass(value):
            inside = [getattr(value, field.name, None) for field in dataclasses.fields(value)]
        elif hasattr(value, "model_fields_set"):
            inside = [*vars(value).values()]
        elif isinstance(value, dict) and len(value) < 60:
            inside = [*value.values()]
        elif isinstance(value, list | tuple) and len(value) < 60:
            inside = value
        return depth < 2 and any(holds(each, what, depth + 1) for each in inside)
    except Exception:  # an object that cannot be looked at holds nothing
        return False


def walk() -> dict[str, list[tuple[str, str]]]:
    """Of each value every function that holds it in a build, with its file, in the order in which they first do."""
    tried: Counter[tuple[str, tuple[str, str]]] = Counter()
    held: dict[str, dict[tuple[str, str], None]] = {what: {} for what in VALUES}
    roots = (f"{PACKAGE}{os.sep}", f"{templates_folder()}{os.sep}")

    @cache
    def place(code: CodeType) -> tuple[str, str] | None:
        """The file and name of a function in front of the wall."""
        root = next((each for each in roots if code.co_filename.startswith(each)), None)
        if root is None:
            return None
        file = ("" if root == roots[0] else "templates/") + code.co_filename[len(root) :]
        return None if file.startswith(BEHIND_THE_WALL) else (file, code.co_qualname)

    def look(frame: FrameType, event: str, result: object) -> None:
        if event not in {"call", "return"} or (key := place(frame.f_code)) is None:
            return
        seen = frame.f_locals.values() if event == "call" else [result]
        for what, is_it in VALUES.items():
            if key not in held[what] and tried[what, key] <= MOST_TRIES:
                tried[what, key] += 1
                if any(holds(value, is_it) for value in seen):
                    held[what][key] = None

    os.environ["ATREPORT_ONE_PROCESS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        sys.setprofile(look)
        try:
            atreport.build(spec(), folder, ["html", "json"])
        finally:
            sys.setprofile(None)
    return {what: list(way) for what, way in held.items()}


if __name__ == "__main__":
    options = argparse.ArgumentParser(
        description="Count the files that hold two values on their way to the public files."
    )
    options.add_argument("--way", action="store_true", help="list the functions")
    asked = options.parse_args()
    for what, way in walk().items():
        for file, name in way if asked.way else ():
            print(f"  {file}: {name}")
        print(f"{what}: {len(way)} functions in {len({file for file, _ in way})} files")
