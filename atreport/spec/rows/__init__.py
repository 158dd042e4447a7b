"""Rows of text → checked columns. Behind the wall: the rows of a source hold the true probabilities.

``columns``  one column at a time: codes of values, numbers of people, probabilities
``cells``    a table with one row for each cell
``census``   the people of a census
``inline``   the table that is written out in the spec
"""

from __future__ import annotations

from atreport.spec.rows.cells import CellRows, check_rows
from atreport.spec.rows.census import check_population
from atreport.spec.rows.columns import MAX_SHOWN, Placer, TextColumns
from atreport.spec.rows.inline import inline_columns, inline_placer

__all__ = [
    "MAX_SHOWN",
    "CellRows",
    "Placer",
    "TextColumns",
    "check_population",
    "check_rows",
    "inline_columns",
    "inline_placer",
]
