"""How confidential figures are written, and long lists of them cut. Used by attacks, trade-off and annex."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from atreport.announcement import Announcement, counted_groups
from atreport.kit.numbers import count
from atreport.kit.tables import Space

DIGITS = 9
"""How precisely confidential figures are written for programs."""

READ = 5
"""So many decimals of a true figure are printed for people, one more than most reports have; annex.json has the rest."""

TERM_NAMES = {
    "favourable": "favourable outcome (β1)",
    "unfavourable": "unfavourable outcome (β0)",
    "both": "both outcomes together (βp)",
    "prior": "known before any report (βmin)",
}
"""The four terms of the optimum."""

Item = TypeVar("Item")


def rounded(number: Any) -> float:
    """A confidential figure as JSON has it."""
    return round(float(number), DIGITS)


def figure(number: float) -> str:
    """A true figure for people: to the nearest of READ decimals, without trailing zeros.

    What would look like a whole number and is none, and what would lose all but its last digit, keeps more of them.
    """
    rough = round(number, READ)
    is_lost = rough != round(number, DIGITS) and (rough == int(rough) or abs(number) < 10 ** (2 - READ))
    return exact_figure(number if is_lost else rough)


def exact_figure(number: float) -> str:
    """A figure of the report as it is printed there, without trailing zeros."""
    text = f"{number:.{DIGITS}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def at_most(number: float) -> str:
    """An upper bound, rounded up to READ decimals."""
    return exact_figure(math.ceil(round(number * 10**READ, DIGITS - READ)) / 10**READ)


def at_least(number: float) -> str:
    """A lower bound, rounded down to READ decimals."""
    return exact_figure(math.floor(round(number * 10**READ, DIGITS - READ)) / 10**READ)


def share(number: float) -> str:
    """A confidence in percent, to two decimals: enough to compare."""
    return f"{number:.2%}"


def out_of(found: int, tried: int) -> str:
    """How many of those tried; or that none was."""
    return f"{count(found)} of {count(tried)}" if tried else "not tried"


def most(
    items: Sequence[Item], key: Callable[[Item], float], things: str, ends: str, space: Space
) -> tuple[list[Item], str]:
    """The items to show, and what is said of those left out."""
    chosen = space.choose(items, lambda item: round(key(item) * 10**DIGITS))
    if len(chosen) == len(items):
        return chosen, ""
    return chosen, (
        f"{count(len(chosen))} of {count(len(items))} {things} are shown: {ends}. All of them are in {space.all_in}."
    )


def warn_of_certainty(announcement: Announcement) -> str | None:
    """Loud words where somebody can be certain of a sensitive value; None where nobody can. Confidential."""
    groups = announcement.certain_groups
    if not len(groups):
        return None
    cells = announcement.cells
    words = f"no protection: someone can be certain in {counted_groups(len(groups))}"
    if cells.between is not None:  # how many they are is not known any more, only what is published of it
        return f"{words}: what is published cannot rule out that all people there have one value"
    people = int(cells.population[np.isin(cells.group, groups)].sum())
    return f"{words} ({'1 person' if people == 1 else f'{people:,} people'})"
