"""Messages that are written down before anybody knows in which language they will be read.

What is wrong with a file is found while it is read, often in another process, and its language stands inside it. So it is
noted in English, as a text that remembers its message and what fills it, and is said when the language is known:

    found = say_later("an element “{name}”", name=name)  # in the process that reads the file
    say_now(found)  # for the reader

Whole numbers are written as the language writes them; other values are texts, and stay as they are.

Guarantee: a value is never taken for a message, whatever a hostile file has put there; a text that remembers nothing is
said as it is; what is remembered travels from one process to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atreport.kit.language import say
from atreport.kit.language.signs import count

Value = str | int
"""What fills a place: a text, one that is remembered itself, or a whole number."""


class Remembered(str):
    """A message in English, and what it is made of."""

    __slots__ = ("message", "values")

    message: str
    values: Mapping[str, Value]

    def __new__(cls, message: str, values: Mapping[str, Value]) -> Remembered:
        """The message in English, its places filled with these values."""
        written = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
        text = super().__new__(cls, message.format_map(written) if values else message)
        text.message, text.values = message, values
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent from one process to another by what it is made of."""
        return Remembered, (self.message, self.values)


def say_later(message: str, /, **values: Value) -> Remembered:
    """A message to be said by `say_now`; until then it reads as English."""
    return Remembered(message, values)


def say_now(text: str) -> str:
    """What was to be said later, in the language that is spoken now; any other text as it is."""
    if not isinstance(text, Remembered):
        return text
    values = {
        name: count(each) if isinstance(each, int) else say_now(each) for name, each in text.values.items()
    }
    return say(text.message, **values)
