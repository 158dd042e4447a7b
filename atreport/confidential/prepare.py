"""The stages of a build behind the wall, from the spec to the draft: what build, audit and tradeoff begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from atreport.confidential.data.engines.opening import working
from atreport.confidential.data.engines.options import Engine
from atreport.confidential.data.table import DecisionTable, read_table
from atreport.confidential.mechanism.draft import Draft, draft_release
from atreport.confidential.mechanism.guard import guard_small_cells
from atreport.confidential.mechanism.protect import protect_groups
from atreport.spec.load import load_spec
from atreport.spec.models.spec import PublicSpec, Spec


def drafted(
    spec_path: str | Path, progress: Callable[[str], None], engine: Engine
) -> tuple[Spec, PublicSpec, DecisionTable, Draft]:
    """The spec, its public text with the values as announced, the table to announce, and the draft."""
    progress("spec")
    spec = load_spec(spec_path)
    with working(engine, progress) as workers:
        progress("table")
        guarded, small_cells = guard_small_cells(spec, read_table(spec, workers, engine))
        table, protection = protect_groups(spec, guarded)
        public_spec = spec.public_with(table.cells.process)
        progress("solver")
        return spec, public_spec, table, draft_release(spec, table, protection, small_cells, workers.solve)
