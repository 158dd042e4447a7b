"""The ``disclosure`` section: the publisher's own notes, and how the population is published."""

from __future__ import annotations

from typing import Literal

from atreport.spec.values import Line, Section, Text


class TitledText(Section):
    """A note with a heading of its own."""

    title: Line
    text: Text


class Withheld(Section):
    """Something the publisher leaves out, and why."""

    what: Line
    because: Text


class Disclosure(Section):
    """What the publisher adds to the standard notes, and how the population is published."""

    population: Literal["shares", "counts", "withheld"] = "shares"
    notes: tuple[TitledText, ...] = ()
    legal: tuple[Line, ...] = ()
    withheld: tuple[Withheld, ...] = ()
