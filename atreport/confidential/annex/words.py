"""How the annex writes true figures, names groups, and cuts long tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from atreport.confidential.annex.annex import Annex, AnnexGroup
from atreport.confidential.annex.true_measures import TRUE_DECIMALS
from atreport.kit.tables import Cell, extremes
from atreport.pages.wording import VERDICTS, named_values

Item = TypeVar("Item")


def figure(number: float) -> str:
    """A true figure, to as many digits as the annex states, without trailing zeros."""
    text = f"{number:.{TRUE_DECIMALS}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def share(number: float) -> str:
    """A confidence in percent, to two decimals: enough to compare."""
    return f"{number:.2%}"


def group_name(annex: Annex, group: AnnexGroup) -> str:
    """A group by its public attributes."""
    return named_values(annex.spec.process, group.qid)


def most(
    items: Sequence[Item], key: Callable[[Item], float], things: str, ends: str
) -> tuple[list[Item], str]:
    """The items to print, and what is said of those left out."""
    chosen = extremes(
        np.array([round(key(item) * 10**TRUE_DECIMALS) for item in items], dtype=np.int64), both_ends=False
    )
    return [items[i] for i in chosen.rows], chosen.left_out(things, ends, "annex.json")


def group_rows(annex: Annex) -> tuple[list[AnnexGroup], str]:
    """The groups to print."""
    return most(
        annex.groups, lambda group: group.worst_consistent, "groups", "those with the highest worst case"
    )


def verdict_cell(verdict: str | None) -> Cell:
    """A verdict in words."""
    words = {name: Cell(*shown) for name, shown in VERDICTS.items()}
    return Cell("No threshold set") if verdict is None else words[verdict]  # type: ignore[index]
