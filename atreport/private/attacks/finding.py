"""What every attack takes and gives: a case, and a finding that can be shown and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Protocol, TypeVar

from atreport.core.certify import Announcement
from atreport.private.data.decision_table import DecisionTable
from atreport.spec.spec import PublicSpec, Spec
from atreport.text.tables import Space, Table

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A draft to attack: what it announces, and what is behind it."""

    spec: Spec
    public: PublicSpec
    table: DecisionTable
    announcement: Announcement
    closely: bool  # whether attacks that take seconds are wanted
    _results: dict[Any, Any] = field(default_factory=dict, repr=False)

    def result_of(self, attack: Callable[[Case], Result]) -> Result:
        """What an attack gives. It is carried out once, whoever asks: some attacks build on others."""
        if attack not in self._results:
            self._results[attack] = attack(self)
        result: Result = self._results[attack]
        return result

    def with_announcement(self, announcement: Announcement) -> Case:
        """The same truth behind another announcement."""
        return replace(self, announcement=announcement, _results={})


@dataclass(frozen=True, kw_only=True)
class Part:
    """What is said of an attack below a heading: a paragraph, tables, and perhaps what follows from them."""

    heading: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    recommendation: str = ""


class Finding(Protocol):
    """What an attack gave."""

    @property
    def exceeding(self) -> int:
        """How often it was more confident than the report promises; 0 where the promise does not cover the attack."""

    def shown(self, space: Space) -> Part:
        """The finding in words and tables. Neighbouring attacks with the same heading are shown as one."""

    def as_json(self, most: int | None) -> dict[str, Any]:
        """The keys that it adds to annex.json and to ``audit --json``; at most so many entries of an endless list."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One entry of the registry: a name, and the function that carries the attack out."""

    name: str
    carry_out: Callable[[Case], Finding]


def joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Neighbouring parts with the same heading as one."""
    found = []
    for heading, group in groupby(parts, key=lambda part: part.heading):
        same = list(group)
        found.append(
            Part(
                heading=heading,
                text=" ".join(part.text for part in same if part.text),
                tables=tuple(table for part in same for table in part.tables),
                recommendation=" ".join(part.recommendation for part in same if part.recommendation),
            )
        )
    return tuple(found)
