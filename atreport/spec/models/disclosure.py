"""The ``disclosure`` section: the publisher's own notes, and how the population is published."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from atreport.spec.models.values import Line, Section, Text


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
    commitment: Literal["salted_hash"] | None = Field(
        None,
        description="salted_hash: publish a salted hash of the confidential data, so that an auditor can later confirm "
        "which data the report was made from. The salt stays in the confidential folder.",
    )
    notes: tuple[TitledText, ...] = ()
    legal: tuple[Line, ...] = ()
    withheld: tuple[Withheld, ...] = ()
