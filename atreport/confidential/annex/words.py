"""How the annex names groups and verdicts, and which groups it prints."""

from __future__ import annotations

from atreport.confidential.annex.annex import Annex, AnnexGroup
from atreport.confidential.words import most
from atreport.kit.tables import ANNEX, Cell
from atreport.pages.wording import VERDICTS, named_values


def group_name(annex: Annex, group: AnnexGroup) -> str:
    """A group by its public attributes."""
    return named_values(annex.spec.process, group.qid)


def group_rows(annex: Annex) -> tuple[list[AnnexGroup], str]:
    """The groups to print."""
    return most(
        annex.groups,
        lambda group: group.worst_consistent,
        "groups",
        "those with the highest worst case",
        ANNEX,
    )


def verdict_cell(verdict: str | None) -> Cell:
    """A verdict in words."""
    words = {name: Cell(*shown) for name, shown in VERDICTS.items()}
    return Cell("No threshold set") if verdict is None else words[verdict]  # type: ignore[index]
