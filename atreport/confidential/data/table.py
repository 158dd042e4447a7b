"""Stage 2, **table**: turn a spec and its data into the true decision table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.data_files import (
    csv_heading,
    csv_relation,
    is_csv,
    parquet_relation,
    refuse_endless_lines,
    unreadable,
)
from atreport.confidential.data.engines.options import LOCAL, Engine
from atreport.errors import InvalidInput, Location, Problem
from atreport.population.cells import Cells, IntArray, arrange
from atreport.population.estimation import Estimation
from atreport.spec.models.spec import Spec
from atreport.spec.rows import Placer, TextColumns, check_rows, inline_columns, inline_placer

if TYPE_CHECKING:
    from atreport.confidential.data.engines.local import LocalEngine
    from atreport.confidential.data.estimate.tree import Leaf

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionTable:
    """The true decision mapping on the cells that occur. Never leaves the confidential side."""

    cells: Cells
    probability: FloatArray  # (cells, outcomes): true probability of each outcome
    lower: FloatArray | None = None  # per-cell bounds on what may be announced, where the policy has them
    upper: FloatArray | None = None
    cases: IntArray | None = (
        None  # (cells, outcomes): recorded decisions, where the rule is their frequencies
    )
    estimation: Estimation | None = None  # what the report says about how the rule was estimated
    leaves: tuple[Leaf, ...] = ()  # the decision regions, where the rule is a tree's

    @property
    def favourable(self) -> FloatArray:
        """The true probability of the favourable outcome."""
        return self.probability[:, self.favourable_place]

    @property
    def favourable_place(self) -> int:
        """The column of the favourable outcome."""
        outcome = self.cells.process.outcome
        return outcome.values.index(outcome.favourable)


def read_table(spec: Spec, engine: LocalEngine | None = None, options: Engine = LOCAL) -> DecisionTable:
    """Read the source the spec names. Raises :class:`InvalidInput` naming row and column of every problem.

    Records are counted by the `engine`; when left out, on this machine.
    """
    if spec.source.cases is not None:
        from atreport.confidential.data.engines.local import LocalEngine
        from atreport.confidential.data.estimated_table import estimate_table

        return estimate_table(spec, spec.source.cases, engine or LocalEngine(), options)
    if spec.source.cells is not None:
        path = spec.document.path.parent / spec.source.cells
        columns, place = read_file(path), file_placer(path)
    else:
        columns, place = inline_columns(spec.source), inline_placer(spec.document)
    rows, problems = check_rows(columns, spec.process, spec.policy.fidelity.bounds, place)
    if rows is None:
        raise InvalidInput(problems)
    cells, order = arrange(spec.process, rows.codes, rows.population)
    return DecisionTable(
        cells=cells,
        probability=rows.probability[order],
        lower=None if rows.lower is None else rows.lower[order],
        upper=None if rows.upper is None else rows.upper[order],
    )


def read_file(path: Path) -> TextColumns:
    """All columns of a CSV or Parquet file as texts, "" where nothing is written."""
    import duckdb

    if is_csv(path):
        refuse_endless_lines(path)
        query = f"FROM {csv_relation([path], csv_heading(path))}"
    else:
        query = f"SELECT COLUMNS(*)::VARCHAR FROM {parquet_relation([path])}"
    with duckdb.connect(":memory:") as connection:
        try:
            columns = connection.execute(query).fetchnumpy()
        except duckdb.Error as error:
            raise InvalidInput([unreadable([path], str(error))]) from None
    return {name: _stripped(texts) for name, texts in columns.items()}


def _stripped(texts: Any) -> NDArray[np.object_]:
    """Texts without blanks around them, "" for those that are missing (masked, or None)."""
    written = np.empty(len(texts), dtype=object)
    written[:] = [text.strip() if isinstance(text, str) else "" for text in texts.tolist()]
    return written


def file_placer(path: Path) -> Placer:
    """Places in a data file: line of the row (the heading is line 1); Parquet rows count from 1."""

    def place(row: int, column: str, message: str, hint: str | None) -> Problem:
        line = 1 if row < 0 else row + 2 if is_csv(path) else row + 1
        where = "" if row < 0 or f"'{column}'" in message else f"column '{column}': "
        return Problem(location=Location(str(path), line), message=where + message, hint=hint)

    return place
