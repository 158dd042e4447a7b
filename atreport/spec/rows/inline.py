"""The table that is written out in a spec, as columns of texts and as places of its problems."""

from __future__ import annotations

import numpy as np

from atreport.errors import Problem
from atreport.spec.models.source import Source
from atreport.spec.rows.columns import Placer, TextColumns
from atreport.spec.yaml import Document, KeyPath


def inline_columns(source: Source) -> TextColumns:
    """An inline table as columns of texts, "" where a row leaves a column out."""
    rows = source.table or ()
    names = dict.fromkeys(key for row in rows for key in row)
    return {name: np.array([row.get(name, "") for row in rows], dtype=object) for name in names}


def inline_placer(document: Document) -> Placer:
    """Places of an inline table: the value in its row, the row itself, or (for the heading) the first such key."""

    def place(row: int, column: str, message: str, hint: str | None) -> Problem:
        table: KeyPath = ("source", "table")
        if row >= 0:
            return document.problem((*table, row, column), message, hint)
        for index, written in enumerate(document.root["source"]["table"]):
            if column in written:
                return document.problem((*table, index, column), message, hint, at_key=True)
        return document.problem(table, message, hint, at_key=True)

    return place
