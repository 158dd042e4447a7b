"""Questions about a file of records: what init asks on a terminal, and otherwise answers where it is sure or leaves open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One possible answer, and why it may be the right one."""

    answer: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Question:
    """What only the author of a spec can say, what speaks for each answer, and which are taken for sure."""

    about: str  # the option of the command line that answers it: outcome, favourable, public, sensitive
    text: str
    choices: tuple[Choice, ...]  # the likeliest first
    also: tuple[str, ...] = ()  # further answers that are allowed, but not shown
    likely: tuple[str, ...] = ()  # what a terminal offers as the default
    sure: bool = False  # whether the likely answer can be taken without asking
    several: bool = False  # whether more than one answer may be given


Ask = Callable[[Question], tuple[str, ...] | None]
"""Who answers: some of the choices, or None to leave the question open in the spec."""


def only_what_is_sure(question: Question) -> tuple[str, ...] | None:
    """The answers of one who does not want to be asked."""
    return question.likely if question.sure else None
