"""The JSON Schema of report.json, and whether a document keeps it: the few keywords that this schema uses.

A whole validator would bring several compiled packages along for what a page of code does; a test holds this one against
it. A keyword that is not known here is an error, so that a schema can never ask for more than is checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float | Decimal) and not isinstance(value, bool),
}
_REMARKS = {"$schema", "title", "description", "definitions"}


@cache
def report_schema() -> dict[str, Any]:
    """The JSON Schema that every report.json satisfies."""
    text = files("atreport.report").joinpath("report.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


class _Root:
    """The whole schema: where its references lead, and the plain values that were found to keep a part of it.

    A large report has the same few thousand numbers and texts over and over; each is looked at once for each part.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema
        self.kept: set[tuple[int, type, Any]] = set()
        self._targets: dict[str, Mapping[str, Any]] = {}

    def target(self, reference: str) -> Mapping[str, Any]:
        """The part that a reference such as ``#/definitions/share`` names."""
        if reference not in self._targets:
            found = self.schema
            for step in reference.removeprefix("#/").split("/"):
                found = found[step]
            self._targets[reference] = found
        return self._targets[reference]


def schema_findings(document: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """Everything in a document that its schema does not allow, each with its place."""
    return _findings(document, schema, _Root(schema), "the document")


def _findings(value: Any, schema: Mapping[str, Any], root: _Root, where: str) -> Iterator[str]:
    plain = not isinstance(value, Mapping | list)
    known = (id(schema), type(value), value) if plain else None
    if known in root.kept:
        return
    found = False
    for keyword, asked in schema.items():
        if keyword not in _REMARKS:
            for finding in _KEYWORDS[keyword](value, asked, schema, root, where):
                found = True
                yield finding
    if known is not None and not found:
        root.kept.add(known)


def _type(value: Any, asked: Any, *rest: Any) -> Iterator[str]:
    if not any(_TYPES[name](value) for name in ([asked] if isinstance(asked, str) else asked)):
        yield f"{rest[-1]}: expected {asked if isinstance(asked, str) else ' or '.join(asked)}"


def _reference(value: Any, asked: str, *rest: Any) -> Iterator[str]:
    root, where = rest[-2:]
    yield from _findings(value, root.target(asked), root, where)


def _enum(value: Any, asked: list[Any], *rest: Any) -> Iterator[str]:
    if not any(value == allowed and type(value) is type(allowed) for allowed in asked):
        yield f"{rest[-1]}: {value!r} is none of {', '.join(map(repr, asked))}"


def _const(value: Any, asked: Any, *rest: Any) -> Iterator[str]:
    yield from _enum(value, [asked], *rest)


def _one_of(value: Any, asked: list[Any], *rest: Any) -> Iterator[str]:
    root, where = rest[-2:]
    if sum(not list(_findings(value, each, root, where)) for each in asked) != 1:
        yield f"{where}: none of the forms it may have"


def _any_of(value: Any, asked: list[Any], *rest: Any) -> Iterator[str]:
    root, where = rest[-2:]
    if all(list(_findings(value, each, root, where)) for each in asked):
        yield f"{where}: none of the forms it may have"


def _required(value: Any, asked: list[str], *rest: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from (f"{rest[-1]}: '{key}' is missing" for key in asked if key not in value)


def _properties(value: Any, asked: Mapping[str, Any], *rest: Any) -> Iterator[str]:
    root, where = rest[-2:]
    for key in asked.keys() & value.keys() if isinstance(value, Mapping) else ():
        yield from _findings(value[key], asked[key], root, f"{where}, {key}")


def _additional(value: Any, asked: Any, schema: Mapping[str, Any], root: Any, where: str) -> Iterator[str]:
    for key in value.keys() - schema.get("properties", {}).keys() if isinstance(value, Mapping) else ():
        if asked is False:
            yield f"{where}: '{key}' does not belong here"
        elif asked is not True:
            yield from _findings(value[key], asked, root, f"{where}, {key}")


def _items(value: Any, asked: Mapping[str, Any], *rest: Any) -> Iterator[str]:
    root, where = rest[-2:]
    for place, entry in enumerate(value if isinstance(value, list) else (), start=1):
        yield from _findings(entry, asked, root, f"{where} {place}")


def _limit(
    kind: type | tuple[type, ...], breaks: Callable[[Any, Any], bool], words: str
) -> Callable[..., Iterator[str]]:
    def findings(value: Any, asked: Any, *rest: Any) -> Iterator[str]:
        if isinstance(value, kind) and not isinstance(value, bool) and breaks(value, asked):
            yield f"{rest[-1]}: {words} {asked}"

    return findings


_NUMBERS = (int, float, Decimal)
_KEYWORDS: dict[str, Callable[..., Iterator[str]]] = {
    "type": _type,
    "$ref": _reference,
    "enum": _enum,
    "const": _const,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "minimum": _limit(_NUMBERS, lambda value, limit: value < limit, "less than"),
    "maximum": _limit(_NUMBERS, lambda value, limit: value > limit, "more than"),
    "exclusiveMinimum": _limit(_NUMBERS, lambda value, limit: value <= limit, "not more than"),
    "minItems": _limit(list, lambda value, limit: len(value) < limit, "fewer entries than"),
    "maxItems": _limit(list, lambda value, limit: len(value) > limit, "more entries than"),
    "minProperties": _limit(dict, lambda value, limit: len(value) < limit, "fewer entries than"),
    "minLength": _limit(str, lambda value, limit: len(value) < limit, "shorter than"),
    "pattern": _limit(str, lambda value, pattern: not re.search(pattern, value), "not of the form"),
}
