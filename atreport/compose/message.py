"""Sentences that know what fills them: a text in the language that is spoken, and its figures and names in no language.

A note of a report is told in one language; what fills it is the same in every one. Both come from one place, so that neither
can say something that the other does not:

    tell("At most {share} of all people.", share=a_share(share))

is a text whose `arguments` are ``{"share": share}``.

Guarantee: `arguments` depend on the values alone, not on the language that is spoken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from atreport.report.model import Argument, Note
from atreport.spec.process import Attribute
from atreport.text.language import count, gettext, list_and, ngettext, quote
from atreport.text.numbers import factor, percent, points, short


@dataclass(frozen=True, kw_only=True)
class Value:
    """What fills a place of a sentence: as it is written for readers, and as programs read it."""

    written: str
    argument: Argument


class Message(str):
    """A text, and what fills it."""

    arguments: Mapping[str, Argument]

    def __new__(cls, text: str, arguments: Mapping[str, Argument] | None = None) -> Message:
        """The text with these arguments; without any where nothing fills it."""
        told = super().__new__(cls, text)
        told.arguments = dict(arguments or {})
        return told


def format_message(message: str, /, **values: Value) -> Message:
    """A message as `gettext` says it, with what fills it."""
    text = gettext(message, **{name: value.written for name, value in values.items()})
    return Message(text, {name: value.argument for name, value in values.items()})


def format_messages(counted: str, number: int, one: str, many: str, /, **values: Value) -> Message:
    """A message as `ngettext` says it; what is counted has a name, under which the number is an argument."""
    text = ngettext(number, one, many, **{name: value.written for name, value in values.items()})
    return Message(text, {counted: number, **{name: value.argument for name, value in values.items()}})


def together(*parts: str) -> Message:
    """Sentences one after the other, those that are empty left out."""
    arguments: dict[str, Argument] = {}
    for part in parts:
        for name, argument in part.arguments.items() if isinstance(part, Message) else ():
            assert arguments.setdefault(name, argument) == argument, f"“{name}” means two things in one note"
    return Message(" ".join(filter(None, parts)), arguments)


def in_paragraphs(*parts: str) -> Message:
    """Paragraphs one below the other, parted by blank lines, those that are empty left out."""
    return Message("\n\n".join(filter(None, parts)), together(*parts).arguments)


def numbered(parts: Iterable[Message]) -> Message:
    """Sentences of one kind, one after the other; what fills the second is an argument such as ``lift.2``."""
    return together(
        *(
            Message(part, {f"{name}.{number}": argument for name, argument in part.arguments.items()})
            for number, part in enumerate(parts, start=1)
        )
    )


def make_note(key: str, title: str, text: Message) -> Note:
    """A standard note: its id is the key up to the first full stop."""
    stated = {"id": key.split(".")[0], "title": title, "text": str(text), "key": key}
    return Note.model_validate(stated | ({"arguments": text.arguments} if text.arguments else {}))


def a_share(number: Decimal) -> Value:
    """A share, written in percent."""
    return Value(written=percent(number), argument=number)


def a_difference(number: Decimal) -> Value:
    """A difference between shares, written in percentage points."""
    return Value(written=points(number), argument=number)


def a_factor(number: Decimal) -> Value:
    """How many times something is."""
    return Value(written=factor(number), argument=number)


def a_number(number: Decimal) -> Value:
    """A number without zeros at its end."""
    return Value(written=short(number), argument=number)


def a_count(number: int) -> Value:
    """A whole number."""
    return Value(written=count(number), argument=number)


def a_text(text: str) -> Value:
    """A text of the publisher, such as a value of an attribute."""
    return Value(written=text, argument=text)


def an_attribute(attribute: Attribute) -> Value:
    """An attribute: by its title for readers, by its name for programs."""
    return Value(written=attribute.title, argument=attribute.name)


def attributes_listed(
    attributes: Sequence[Attribute], listed: Callable[[Iterable[str]], str] = list_and
) -> Value:
    """Some attributes in quotation marks: “Gender” and “Age”."""
    return Value(
        written=listed(quote(each.title) for each in attributes),
        argument=tuple(each.name for each in attributes),
    )
