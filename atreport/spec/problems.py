"""Problems that any section of a spec can have, each at its line and column, in words a spec author uses."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from atreport.errors import Problem
from atreport.spec.yaml import Document, KeyPath


def did_you_mean(word: str, choices: Iterable[str], *, listing: str = "allowed here") -> str | None:
    """A hint naming the closest choice, or all of them where there are few."""
    known = [str(choice) for choice in choices]
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6) or [
        choice for choice in known if choice.casefold() == word.casefold()
    ]
    if close:
        return f"did you mean '{close[0]}'?"
    return f"{listing}: {', '.join(known)}" if 0 < len(known) <= 20 else None


def missing_key(document: Document, path: KeyPath, key: str) -> Problem:
    """A problem at the key of the mapping that lacks `key` (or at the list entry, or the top of the file)."""
    at_key = path in document.key_places
    where = f" in '{path[-1]}'" if at_key else ""
    return document.problem(path, f"'{key}' is missing{where}", f"add '{key}: …'", at_key=at_key)


def listed_twice(document: Document, path: KeyPath, entries: Sequence[str]) -> Iterable[Problem]:
    """A problem at every entry of the list at `path` that stands there before."""
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry in seen:
            yield document.problem((*path, index), f"'{entry}' is listed twice", "remove one")
        seen.add(entry)


def value_at(root: Any, path: KeyPath) -> Any:
    """The value at `path` of a parsed document."""
    for step in path:
        root = root[step]
    return root
