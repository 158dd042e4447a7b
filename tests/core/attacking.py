"""An attacker who runs the program: every table that fits, and what would be published of it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from atreport.core import suppression
from atreport.core.cells import IntArray
from atreport.core.suppression import CannotSuppress, Publication, suppress

Output = tuple[object, ...]


def output(people: IntArray, tables: Sequence[IntArray], under: int, protection: int) -> Output | None:
    """All that a reader sees: which counts are hidden, the others, the sums, and what is said to follow. None: refused."""
    try:
        found = suppress(people, tables, under, protection)
    except CannotSuppress:
        return None
    return (
        tuple(np.where(found.hidden, 0, people).tolist()),
        tuple((tuple(np.flatnonzero(group).tolist()), int(people[group].sum())) for group in found.sums),
        *(tuple(part.tolist()) for part in (found.stand_in, found.fewest, found.most)),
    )


@pytest.fixture
def asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked about published figures is answered once: it is a function of them, and tables share them."""
    for name in ("unprotected", "_stand_in"):
        monkeypatch.setattr(suppression, name, _remembered(getattr(suppression, name)))


def _remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    answers: dict[Output, Any] = {}

    def answer(published: Publication, *further: int) -> Any:
        layout = published.layout
        key: Output = (
            layout.blocks,
            *(mask.tobytes() for mask in layout.sums),
            published.blocks,
            published.shown.tobytes(),
        )
        key = (*key, published.total, *(number for _, number in published.sums), *further)
        if key not in answers:
            answers[key] = function(published, *further)
        return answers[key]

    return answer


def tables_of(cells: int, people: int) -> Iterator[IntArray]:
    """Every table of so many cells and people, nobody's cell empty."""
    for cuts in combinations(range(1, people), cells - 1):
        yield np.diff([0, *cuts, people])


def margins(*shape: int) -> list[IntArray]:
    """The tables of a form: one for each attribute of a product of attributes."""
    codes = np.array(list(np.ndindex(*shape)))
    return [codes[:, axis] for axis in range(len(shape))]
