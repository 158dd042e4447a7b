"""Turn a dictionary into a document that is checked like the text of a spec; its problems name keys, not lines."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from atreport.errors import InvalidInput, Location, SpecProblem
from atreport.spec.yaml import MAX_DEPTH, Document, KeyPath, Plain

Words = Callable[[KeyPath], str]
"""What a place of the document is called: the keys that lead there, or the argument it came from."""


def keys_in_words(path: KeyPath) -> str:
    """The place of a value as one would write it: ``fairness[0].measure``."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return words.removeprefix(".") or "the spec"


@dataclass(frozen=True, kw_only=True)
class MappingDocument(Document):
    """A spec that was given as a dictionary: no line of it was ever written."""

    words: Words = keys_in_words

    def problem(
        self,
        path: KeyPath,
        message: str,
        hint: str | None = None,
        *,
        at_key: bool = False,  # noqa: ARG002 a dictionary has one place for a key and its value
    ) -> SpecProblem:
        """A problem at a value; falls back to the nearest enclosing one that exists."""
        while path and path not in self.value_places:
            path = path[:-1]
        return SpecProblem(location=Location(self.words(path)), message=message, hint=hint)

    @property
    def title(self) -> str:
        """A dictionary has no name."""
        return self.words(())

    def point_to_check(self, does: str) -> str:  # noqa: ARG002 the signature is that of a file
        """There is no file that the command line could check."""
        return ""


def document_of(given: Mapping[str, Any], path: Path, words: Words = keys_in_words) -> MappingDocument:
    """A dictionary as a document. Its data files and its ledger are looked for beside `path`, which need not exist.

    None stands for a key that was left out. Raises :class:`InvalidInput` where a value is none that a spec can hold.
    """
    places: dict[KeyPath, tuple[int, int]] = {}
    problems: list[SpecProblem] = []

    def refuse(place: KeyPath, message: str, hint: str | None = None) -> None:
        problems.append(SpecProblem(location=Location(words(place)), message=message, hint=hint))

    def value(given: Any, place: KeyPath) -> Any:
        places[place] = (1, 1)
        given = given.item() if hasattr(given, "dtype") and hasattr(given, "item") else given
        if len(place) > MAX_DEPTH:
            return refuse(place, f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(given, Mapping):
            return _mapping(given, place)
        if isinstance(given, Sequence) and not isinstance(given, str | bytes):
            return [value(entry, (*place, index)) for index, entry in enumerate(given)]
        if isinstance(given, dt.datetime):
            if given.time() == dt.time():
                return given.date()
            return refuse(
                place, "a time of day is not published", "give a day, such as datetime.date(2026, 1, 15)"
            )
        if given is None:
            return Plain("null")
        if isinstance(given, str | bool | int | float | Decimal | dt.date):
            return given
        if isinstance(given, Path):
            return str(given)
        return refuse(
            place,
            f"no spec can hold a value of type {type(given).__name__}",
            "give a text, a number or a list",
        )

    def _mapping(given: Mapping[Any, Any], place: KeyPath) -> dict[str, Any]:
        kept = {}
        for key, entry in given.items():
            if not isinstance(key, str | int):
                refuse(place, f"no key can be of type {type(key).__name__}", "write keys as texts")
            elif entry is not None:
                kept[str(key)] = value(entry, (*place, str(key)))
        return kept

    root = value(given, ())
    if problems:
        raise InvalidInput(problems)
    return MappingDocument(
        path=path, lines=(), root=root, key_places=places, value_places=places, words=words
    )
