"""One promise of a draft, tried. Confidential."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tried:
    """One promise: what it says, the most that was reached, and how often it was broken."""

    promise: str
    promised: float | None  # the largest; None: without limit
    reached: float | None
    checked: int
    broken: int
    asked: bool = (
        False  # a ceiling that the policy asks for, which the report does not promise unless it is kept
    )
