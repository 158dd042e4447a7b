"""Turn a spec and its data into the true decision table.

The readers of files and of records are imported when a spec has such a source: DuckDB, which they share, takes as long to
import as checking a spec with an inline table does.
"""

from atreport.core.cells import arrange
from atreport.errors import InvalidInput
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.record_source import Counting
from atreport.private.data.run_options import LOCAL, RunOptions
from atreport.spec.rows import (
    Placer,
    TextColumns,
    check_rows,
    inline_columns,
    inline_placer,
)
from atreport.spec.spec import Spec


def read_table(spec: Spec, engine: Counting | None = None, options: RunOptions = LOCAL) -> DecisionTable:
    """Read the source the spec names. Raises :class:`InvalidInput` naming row and column of every problem.

    Records are counted by the `engine`; when left out, on this machine.
    """
    if spec.source.cases is not None:
        from atreport.private.data.estimated_table import estimate_table  # DuckDB, for files alone

        return estimate_table(spec, spec.source.cases, engine, options)
    columns, place = _cells_of(spec)
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


def _cells_of(spec: Spec) -> tuple[TextColumns, Placer]:
    """The columns of a file or of the spec itself, and how to name a place in them."""
    if spec.source.cells is None:
        return inline_columns(spec.source), inline_placer(spec.document)
    from atreport.private.data.estimated_table import file_placer, read_file

    path = spec.document.path.parent / spec.source.cells
    return read_file(path), file_placer(path)
