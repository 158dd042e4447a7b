"""Questions that ``atreport init`` left in a spec for its author: until they are answered, nothing is made of it.

A question is a text that begins with two question marks and a blank, in the place of its answer:
``favourable: "?? Fail or Pass"``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from atreport.errors import Problem
from atreport.spec.yaml import Document, KeyPath

MARK = "?? "
"""How an open question begins."""


def questions_first(document: Document, problems: Sequence[Problem]) -> list[Problem]:
    """A problem at each question that is still open, and the other problems with the spec.

    Where a question stands, and in what it is part of, nothing else is wrong that could be told before it is answered.
    """
    asked = list(_questions(document.root, ()))
    parts = {path[:length] for path, _ in asked for length in range(1, len(path) + 1)}
    places = {
        each[path] for each in (document.value_places, document.key_places) for path in parts if path in each
    }
    return [
        *(
            document.problem(
                path,
                f"a question is still open: {question}",
                "write your answer here, in the place of the question",
            )
            for path, question in asked
        ),
        *(p for p in problems if (p.location.line, p.location.column) not in places),
    ]


def _questions(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _questions(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _questions(inner, (*path, index))
    elif isinstance(value, str) and value.startswith(MARK):
        yield path, " ".join(value.removeprefix(MARK).split())
