"""The arguments of ``make_report``, and which of them a place of the spec came from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from atreport.errors import Location, Problem
from atreport.spec.mapping import Words, keys_in_words
from atreport.spec.yaml import KeyPath

Number = float | Decimal
Names = str | Sequence[str]
Labels = Sequence[str | bool | float]
Role = Literal["public", "sensitive", "private"]
ROLES: tuple[Role, ...] = ("public", "sensitive", "private")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """What ``make_report`` was asked for, beside the frame. Holds no row of it."""

    outcome: str
    favourable: str | bool | float
    public: Names
    sensitive: Names
    private: Names
    count: str | None
    probability: str | Mapping[str, str] | None
    bounds: tuple[str, str] | None
    values: Mapping[str, Labels]
    bins: Mapping[str, str | Sequence[Number]]
    missing: str | Mapping[str, Any]
    estimate: str | Mapping[str, Any]
    attributes: Mapping[str, Mapping[str, Any]]
    delta: Number | None
    alpha: Number | None
    rates: Number | str | None
    beta: Number | None
    gamma: Number | None
    lift: Number | None
    odds: Number | None
    minimise: Sequence[str] | None
    mechanism: str | None
    small_cells: str | Mapping[str, Any] | None
    unprotectable: str | None
    decimals: int | None
    population: str | None
    fairness: Sequence[Mapping[str, Any]]
    title: str | None
    publisher: str | None
    version: str | None
    date: dt.date | str | None
    more: Mapping[str, Any]

    def misshapen(self) -> list[Problem]:
        """Arguments of a kind that nothing can be made of. The rest is only read where there are none."""
        kinds: dict[str, tuple[type | tuple[type, ...], str]] = {
            **dict.fromkeys(("outcome", "count"), (str, "the name of a column")),
            **dict.fromkeys(ROLES, ((str, Sequence), "a list of columns")),
            **dict.fromkeys(
                ("values", "bins", "attributes"), (Mapping, "a dictionary with the columns as keys")
            ),
            "probability": ((str, Mapping), "the name of a column, or a dictionary from outcomes to columns"),
            "missing": ((str, Mapping), "'error', 'exclude' or a dictionary"),
            "bounds": ((tuple, list), "two columns: of the lower bounds and of the upper ones"),
            "fairness": ((Sequence, Mapping), "a list of measures"),
            "more": (Mapping, "a dictionary with the sections of a spec as keys"),
        }
        return [
            Problem(
                location=Location(name), message=f"expected {expected}", hint=f"not a {type(given).__name__}"
            )
            for name, (kind, expected) in kinds.items()
            if (given := getattr(self, name)) is not None and not isinstance(given, kind)
        ]

    def named(self, role: Role) -> tuple[str, ...]:
        """The columns with a role; one alone may be given without a list."""
        given: Names = getattr(self, role)
        return (given,) if isinstance(given, str) else tuple(map(str, given))

    @cached_property
    def roles(self) -> dict[str, Role]:
        """The role of every attribute, in the order of the report; the first where a column was given two."""
        found: dict[str, Role] = {}
        for role in ROLES:
            for name in self.named(role):
                found.setdefault(name, role)
        return found

    @property
    def words(self) -> Words:
        """Names the argument that a place of the spec came from."""
        return self._argument_at

    def _argument_at(self, path: KeyPath) -> str:
        match path:
            case ():
                return "make_report"
            case ("process", "outcome", "values", *_):
                return f"values['{self.outcome}']" if self.outcome in self.values else "outcome"
            case ("process", "outcome", "bins", *_) | ("source", "records", "bins", *_):
                return keys_in_words(("bins", *path[3:]))
            case ("process", "outcome", "favourable"):
                return "favourable"
            case ("process", "outcome", *_):
                return "outcome"
            case ("process", "attributes", int(index), *rest):
                return self._attribute_at(list(self.roles)[index], rest)
            case ("source", *_, "missing" | "estimate" | "bounds") | ("policy", "fidelity", "bounds"):
                return str(path[-1])
            case ("source", "records", "missing" | "estimate", *_):
                return keys_in_words(path[2:])
            case ("report", "title" | "publisher" | "version" | "date") | ("disclosure", "population"):
                return str(path[-1])
            case ("policy", "fidelity"):
                return "delta"
            case ("policy", "fidelity" | "privacy", *rest):
                return keys_in_words(tuple(rest)) if rest else "beta"
            case ("policy", "minimise" | "mechanism" | "small_cells" | "unprotectable" | "decimals", *_):
                return keys_in_words(path[1:])
            case ("fairness", *_):
                return keys_in_words(path)
        return keys_in_words(("more", *path))

    def _attribute_at(self, name: str, rest: Sequence[str | int]) -> str:
        """An attribute: what was said of it by name, or the list of its role."""
        if rest and rest[0] == "values" and name in self.values:
            return f"values['{name}']"
        if rest and rest[0] in self.attributes.get(name, ()):
            return f"attributes['{name}']" + "".join(f"[{step!r}]" for step in rest)
        return f"{self.roles[name]} (column '{name}')"
