"""The only way from a spec to a draft: build, check, audit, tradeoff, demo, diff and the auditor all take it.

Read the table, guard its small cells, deal with groups that cannot be protected, solve and certify: in this order, once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atreport.core.cells import Protection
from atreport.core.certify import Announcement
from atreport.core.suppression import NOTHING_SMALL
from atreport.errors import Refused
from atreport.measures.categories import compared_as_in_the_form
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.run_options import LOCAL, RunOptions
from atreport.private.data.table import read_table
from atreport.private.draft import Draft, draft_announcement
from atreport.private.engines import open_engine
from atreport.private.protect import guard_small_cells, protect_groups
from atreport.spec.load import spec_of
from atreport.spec.spec import PublicSpec, Spec

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


def keep_quiet(_stage: str) -> None:
    """The progress of one who does not want to hear of it."""


def n_of_m(progress: Progress, stage: str) -> Callable[[int, int], None]:
    """Tells of a stage that is made of equal steps: how many are done."""
    return lambda done, of: progress(f"{stage} {done} of {of}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """A spec and the draft of its report, with the tables it was made from. Confidential.

    What was done to small cells and to groups that cannot be protected is told by the announcement.
    """

    spec: Spec
    public: PublicSpec  # the public text, with the values as announced: some may have been joined
    raw_table: DecisionTable  # as read: the true rule, and exact numbers of people
    table: DecisionTable  # to announce: the true rule of the cells, people and values that are published
    draft: Draft
    refusal: str | None = None  # why the policy refuses the report before it is drafted, where asked to go on

    @property
    def announcement(self) -> Announcement:
        """What the report announces."""
        return self.draft.announcement


def prepare(
    given: str | Path | Mapping[str, Any] | Spec,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
    *,
    allow_small_cells: bool = False,
    allow_exposed_groups: bool = False,
) -> Prepared:
    """Load a spec (a file, a dictionary or one in memory) and draft its report. See :func:`prepare_spec`."""
    progress("spec")
    return prepare_spec(
        spec_of(given),
        progress,
        engine,
        allow_small_cells=allow_small_cells,
        allow_exposed_groups=allow_exposed_groups,
    )


def prepare_spec(
    spec: Spec,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
    *,
    allow_small_cells: bool = False,
    allow_exposed_groups: bool = False,
) -> Prepared:
    """Draft the report of a spec. It may still exceed the policy's ceiling: see :func:`refuse_above_ceiling`.

    Args:
        spec: The spec, with its source.
        progress: Called with the name of each stage as it begins.
        engine: Where records are counted and groups solved. Changes no figure.
        allow_small_cells: Where the policy on small cells refuses, go on with the exact table and tell why in
            the result, so that the rest can be shown to one who may see it. Never publish such a draft.
        allow_exposed_groups: Likewise where the policy on groups that cannot be protected refuses.

    Raises:
        Refused: the policy on small cells, or on groups that cannot be protected, says so; or joined values leave a
            measure of the spec without a meaning.
    """
    with open_engine(engine, progress) as workers:
        progress("data")
        exact = read_table(spec, workers, engine)
        guarded, small_cells, refusal = exact, NOTHING_SMALL, None
        try:
            guarded, small_cells = guard_small_cells(spec, exact)
        except Refused as refused:
            if not allow_small_cells:
                raise
            refusal = str(refused)
        try:
            table, protection = protect_groups(spec, guarded, workers.solve)
        except Refused as exposed:
            if not allow_exposed_groups:
                raise
            table, protection = guarded, Protection()
            refusal = "\n".join(filter(None, (refusal, str(exposed))))
        fairness = compared_as_in_the_form(spec.fairness, spec.form, table.cells, small_cells)
        spec = spec.model_copy(update={"fairness": tuple(fairness)})
        public = spec.public_with(table.cells.process)
        progress("mechanism")
        draft = draft_announcement(spec, table, protection, small_cells, workers.solve)
    return Prepared(
        spec=spec,
        public=public,
        raw_table=exact,
        table=table,
        draft=draft,
        refusal=refusal,
    )
