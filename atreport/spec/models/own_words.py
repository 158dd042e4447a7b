"""Find the publisher's own words in a section of a spec or a part of a report, and exchange them for others.

Types say which texts are the publisher's (:class:`~atreport.spec.models.values.Words`): titles, labels, values, notes.
Names by which parts are found, identifiers, addresses and the words of the format itself are none, and stay.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel

from atreport.spec.models.process import Titled
from atreport.spec.models.values import Words

Change = Callable[[str], str]
Model = TypeVar("Model", bound=BaseModel)

BETWEEN_VALUES = " · "
"""What stands between the values in the name of a group of several attributes."""


@dataclass(frozen=True)
class _Spot:
    """Where own words can stand in a value of some type."""

    words: bool = False  # a text of it is the publisher's
    fixed: frozenset[str] = frozenset()  # unless it is one of these words of the format
    keys: _Spot | None = None
    entries: _Spot | None = None


_NOWHERE = _Spot()


def exchange_words(section: Model, change: Change) -> Model:
    """The same section, each text in the publisher's own words exchanged for what `change` makes of it.

    What has a name and no label gets a label where its name, which readers are told, is exchanged.
    """
    fields = type(section).model_fields
    values = {name: getattr(section, name) for name in fields} | (section.__pydantic_extra__ or {})
    spots = _spots(type(section))
    changed = {
        name: new
        for name, value in values.items()
        if (new := _exchanged(value, spots.get(name, _FURTHER), change)) is not value
    }
    if (
        isinstance(section, Titled)
        and section.label is None
        and (title := change(section.name)) != section.name
    ):
        changed["label"] = title
    if not changed:
        return section
    found = section.model_copy(update=changed)
    for name in found.__dict__.keys() - fields.keys():  # what was calculated from the words that are gone
        del found.__dict__[name]
    return found


def words_of(section: BaseModel) -> list[str]:
    """Every text in the publisher's own words that readers are shown, each once, in the order of the section."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found[text] = None
        return text

    exchange_words(section, note)
    return list(found)


def translation(texts: Mapping[str, str]) -> Change:
    """What each text says in another language, by the texts' translations; itself where it has none.

    The name of a group of several attributes is made of its values, each of which is translated.
    """

    def change(text: str) -> str:
        if (found := texts.get(one_line(text))) is not None:
            return found
        if BETWEEN_VALUES in text:
            return BETWEEN_VALUES.join(texts.get(part, part) for part in text.split(BETWEEN_VALUES))
        return text

    return change


def one_line(text: str) -> str:
    """A text as translations know it: white space made single blanks."""
    return " ".join(text.split())


def _exchanged(value: Any, spot: _Spot, change: Change) -> Any:
    """A value with its own words exchanged; the very same object where none was."""
    if isinstance(value, BaseModel):
        return exchange_words(value, change)
    if isinstance(value, str):
        if not spot.words or value in spot.fixed:
            return value
        new = change(value)
        return value if new == value else new
    if isinstance(value, tuple | list):
        inner = spot.entries or _NOWHERE
        entries = [_exchanged(entry, inner, change) for entry in value]
        return value if _same(entries, value) else type(value)(entries)
    if isinstance(value, dict):
        of_keys, of_entries = spot.keys or _NOWHERE, spot.entries or _NOWHERE
        keys = [_exchanged(key, of_keys, change) for key in value]
        entries = [_exchanged(entry, of_entries, change) for entry in value.values()]
        same = _same(keys, value) and _same(entries, value.values())
        return value if same else dict(zip(keys, entries, strict=True))
    return value


def _same(some: Iterable[object], others: Iterable[object]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))


_FURTHER = _Spot(words=True)
"""Keys that a part has beside those of its model: a cell's values."""


@cache
def _spots(model: type[BaseModel]) -> dict[str, _Spot]:
    """Where own words can stand in the fields of a model."""
    return {name: _spot(field.annotation, field.metadata) for name, field in model.model_fields.items()}


def _spot(annotation: Any, metadata: Iterable[object] = ()) -> _Spot:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is str:
        return _Spot(words=any(isinstance(each, Words) for each in metadata))
    if origin is Annotated:
        return _spot(arguments[0], (*arguments[1:], *metadata))
    if origin in (Union, types.UnionType):
        return _either(_spot(each) for each in arguments)
    if origin is Literal:
        return _Spot(fixed=frozenset(each for each in arguments if isinstance(each, str)))
    if origin in (tuple, list):
        return _Spot(entries=_either(_spot(each) for each in arguments if each is not ...))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _Spot(keys=_spot(arguments[0]), entries=_spot(arguments[1]))
    return _NOWHERE


def _either(spots: Iterable[_Spot]) -> _Spot:
    """Where own words can stand in a value that is of one of several types."""
    found = list(spots)
    keys = [spot.keys for spot in found if spot.keys is not None]
    entries = [spot.entries for spot in found if spot.entries is not None]
    return _Spot(
        words=any(spot.words for spot in found),
        fixed=frozenset[str]().union(*(spot.fixed for spot in found)),
        keys=_either(keys) if keys else None,
        entries=_either(entries) if entries else None,
    )
