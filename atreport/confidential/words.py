"""How confidential figures are written, and long lists of them cut. Used by attacks, trade-off and annex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from atreport.kit.numbers import count
from atreport.kit.tables import Space

DIGITS = 9
"""How precisely confidential figures are written."""

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
    """A true figure, to as many digits as the annex states, without trailing zeros."""
    text = f"{number:.{DIGITS}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


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
