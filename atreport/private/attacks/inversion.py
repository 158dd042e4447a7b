"""Whether an announcement gives the true rule back to somebody who knows the method. Confidential.

The attack is carried out, not argued: every cell's true probability is moved a little, everything else is left as it is,
and the same mechanism is run again. Where each such move changes the announced rule of the group, the announcement singles
the true value out, and one who knows the method (and the other cells) can read it back.

Guarantee: a cell that is said not to be read back has another true value, at least a tenth of the allowed distortion away,
that gives the very same printed rule. A cell that is said to be read back may still be safe from those who do not know the
other cells: the attack favours the adversary.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Closeness
from atreport.core.cells import Cells, IntArray
from atreport.core.certify import Announcement
from atreport.private.attacks.finding import STRONGER_OBSERVERS, Case, Finding, Part
from atreport.private.data.decision_table import DecisionTable, FloatArray, without_cells
from atreport.private.draft import evaluate_mechanism
from atreport.private.mechanisms import MECHANISMS
from atreport.private.solver.solver import has_closed_form
from atreport.spec.policy import Mechanism
from atreport.spec.spec import Spec
from atreport.text.language import count
from atreport.text.numbers import counted
from atreport.text.tables import Space

MOVES = (0.1, 0.25, 0.5, 1.0, 2.0)
"""How far a true value is moved up and down, in parts of the allowed distortion."""

MOST_GROUPS = 50
"""So many groups, those with the highest confidence, are attacked."""

MOST_CELLS = 24
"""Groups with more cells than this are not attacked: every cell is a round of its own."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Inversion(Finding):
    """For which cells the method was run backwards, and whose true value that gave."""

    heading = STRONGER_OBSERVERS

    attacked: NDArray[np.bool_]
    read_back: NDArray[np.bool_]

    def by_group(self, cells: Cells) -> tuple[IntArray, IntArray]:
        """How many cells of each group were attacked, and how many were read back."""
        attacked, found = (
            np.add.reduceat(which.astype(np.int64), cells.group_starts)
            for which in (self.attacked, self.read_back)
        )
        return attacked, found

    def shown(self, space: Space) -> Part:  # noqa: ARG002
        """What an observer who knows the method can read back, in a sentence. The annex has the numbers by group."""
        return Part(heading=self.heading, text=self._words())

    def _words(self) -> str:
        attacked, found, cells = int(self.attacked.sum()), int(self.read_back.sum()), len(self.attacked)
        if not attacked:
            return (
                "Running the method backwards was not tried: it takes many rounds, and here each is too long."
            )
        tried = counted(attacked, "cell")
        whole = "" if attacked == cells else f", those of the most exposed groups out of {count(cells)}"
        if not found:
            return f"Running the method backwards was tried for {tried}{whole}: no true value could be read back."
        return (
            f"Running the method backwards was tried for {tried}{whole}: for {_of_them(found, attacked)} no other true "
            "value, further away than a tenth of the allowed distortion, gives the same report, so who knows the method and "
            f"the other cells can read {'that true value' if found == 1 else 'those true values'} back."
        )


def _of_them(found: int, tried: int) -> str:
    return "it" if tried == 1 else f"{count(found)} of them"


def caution(spec: Spec, inversion: Inversion) -> str | None:
    """What to tell a publisher whose draft might be read back, and what cannot be; None: that was not tried, or cannot be.

    Nothing is told to one who publishes the true rule itself, rounded or not.

    A function of the spec and of what is announced: how many true values are read back depends on the true rule, and the
    log of a build may be public. The annex has the number.
    """
    attacked = int(inversion.attacked.sum())
    fixed = MECHANISMS[spec.policy.mechanism].steps is not None
    if not attacked or fixed or spec.policy.fidelity.delta == 1:
        return None
    told = (
        "somebody who knows this program can run it backwards, which may give true values back. That was tried for "
        f"{counted(attacked, 'cell')}, and the annex says how many"
    )
    if spec.policy.fidelity.rates is not None:
        return f"{told}. 'mechanism: calibrated' cannot be read back, but keeps no rates"
    if spec.policy.fidelity.delta is None:
        return f"{told}. 'mechanism: calibrated' with a delta cannot be read back"
    return f"{told}. 'mechanism: calibrated' under policy cannot be; 'atreport audit' says what it costs"


def run_backwards(case: Case) -> Inversion:
    """Run the mechanism of an announcement backwards, where a close look is wanted."""
    if not case.closely:
        nowhere = np.zeros(len(case.table.cells), dtype=bool)
        return Inversion(attacked=nowhere, read_back=nowhere)
    attacked, found = cells_read_back(case.spec, case.table, case.announcement, case.announcement.mechanism)
    return Inversion(attacked=attacked, read_back=found)


def cells_read_back(
    spec: Spec, table: DecisionTable, announcement: Announcement, mechanism: Mechanism
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which cells were attacked, and which of those the announcement gives back.

    `announcement` says how exposed each group is and which fidelity holds; `mechanism` is the one to run. Where the optimum
    has no closed form nothing is attacked: running the method backwards means running it many times.
    """
    attacked = _attacked_groups(table, announcement)[table.cells.group]
    found = np.zeros(len(table.cells), dtype=bool)
    if attacked.any():
        some = without_cells(table, ~attacked)
        found[attacked] = _read_back(spec, some, announcement, mechanism)
    return attacked, found


def _attacked_groups(table: DecisionTable, announcement: Announcement) -> NDArray[np.bool_]:
    starts = table.cells.group_starts
    attacked = np.diff(np.append(starts, len(table.cells))) <= MOST_CELLS
    if not has_closed_form(table):
        attacked[:] = False
    # what the report adds, before what it leaves as it was: a group given away by the population has nothing to lose
    rank = np.lexsort((-announcement.group_beta, announcement.group_prior >= announcement.scale))
    attacked[rank[np.cumsum(attacked[rank]) > MOST_GROUPS]] = False
    return attacked


def _read_back(
    spec: Spec, table: DecisionTable, announcement: Announcement, mechanism: Mechanism
) -> NDArray[np.bool_]:
    cells = table.cells
    announced = evaluate_mechanism(spec, table, announcement, mechanism)
    assert announced is not None, "the true rule is behind an announcement"
    place_in_group = np.arange(len(cells)) - cells.group_starts[cells.group]
    found = np.ones(len(cells), dtype=bool)
    for place in range(int(place_in_group.max()) + 1):
        here = place_in_group == place
        for move in (sign * part for part in MOVES for sign in (1, -1)):
            moved, tried = _moved(table, here, move, announcement)
            if not (tried & found).any():
                continue
            again = evaluate_mechanism(spec, moved, announcement, mechanism)
            if again is None:  # no printable figure: this rule cannot be behind the announcement
                continue
            alike = (again.mapping == announced.mapping).all(axis=1)
            same = np.logical_and.reduceat(alike, cells.group_starts)
            found &= ~(tried & same[cells.group])
    return found


def _moved(
    table: DecisionTable, here: NDArray[np.bool_], move: float, announcement: Announcement
) -> tuple[DecisionTable, NDArray[np.bool_]]:
    """The table with the true value of some cells moved as far as there is room, and where it moved far enough."""
    lowest: FloatArray | float = 0.0
    highest: FloatArray | float = 1.0
    if isinstance(announcement.fidelity, Closeness):
        step: FloatArray | float = float(announcement.fidelity.largest_move)
    else:
        assert table.lower is not None
        assert table.upper is not None
        lowest, highest = table.lower, table.upper
        step = (highest - lowest) / 2
    # as many digits as data have, so that the exact arithmetic of the bounds stays quick
    elsewhere = np.clip(table.favourable + move * step, lowest, highest).round(9)
    favourable = np.where(here, elsewhere, table.favourable)
    columns = [1 - favourable] * 2
    columns[table.favourable_place] = favourable
    distance = np.abs(favourable - table.favourable)
    tried = here & (distance > 1e-8) & (distance >= MOVES[0] * step * (1 - 1e-6))
    return replace(table, probability=np.column_stack(columns)), tried
