"""Small words between others, in the language that is spoken: quotation marks, lists, first letters."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.kit.language import say, say_in


def quote(text: str) -> str:
    """A text in quotation marks: “Gender”."""
    return say("“{text}”", text=text)


def list_and(items: Iterable[str]) -> str:
    """Some things, all of which are meant: a, b and c. Empty where there is none."""
    *others, last = list(items) or [""]
    return say("{others} and {last}", others=", ".join(others), last=last) if others else last


def list_or(items: Iterable[str]) -> str:
    """Some things, any of which is meant: a, b or c. Empty where there is none."""
    *others, last = list(items) or [""]
    return say("{others} or {last}", others=", ".join(others), last=last) if others else last


def capitalised(text: str) -> str:
    """A text as the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def without_because(reason: str) -> str:
    """A reason without the word “because” that may begin it, so that the sentence around it can have its own."""
    because = say_in("begins a reason", "because")
    return reason.removeprefix("because ").removeprefix(f"{because} ")
