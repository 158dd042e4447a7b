"""Attack the draft as an adversary would, before anybody else does. Confidential.

Four attacks: Bayes' rule on the announced mapping, which the promise is about; the equations that all printed figures make
together; observers who reason about how the announced rule was made; and side knowledge that is wrong. Then the same for
the other mechanism, so that the choice between them is made with open eyes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Mechanism, Release
from atreport.confidential.attacks.equation_attack import EquationAttack, attack_by_equations
from atreport.confidential.attacks.inversion import cells_read_back
from atreport.confidential.attacks.observers import Attacks, attack
from atreport.confidential.data.table import DecisionTable, FloatArray
from atreport.confidential.mechanism.draft import Draft, draft_again
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.population.band import Closeness
from atreport.population.cells import IntArray, exact
from atreport.spec.models.spec import PublicSpec, Spec

LARGE = 1_000
"""Cells beyond which a build leaves the slow attacks to ``atreport audit``."""

SMALL_PRICE = 0.02
"""A mechanism that cannot be read back is recommended where it costs at most this much confidence."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Beliefs:
    """Bayes' rule on the announced mapping: every conclusion from a group and an outcome, the most confident first."""

    cell: IntArray  # a cell with the public attributes and the sensitive value that are meant
    outcome: IntArray
    attribute: IntArray  # which sensitive attribute
    confidence: FloatArray
    before: FloatArray  # what the population alone tells
    exceeding: int  # how many are above what the report promises for their group; exact

    def __len__(self) -> int:
        return len(self.cell)


@dataclass(frozen=True, kw_only=True, eq=False)
class MechanismResult:
    """One mechanism at the policy's fidelity, measured with the same attacks."""

    mechanism: Mechanism
    chosen: bool
    beta: float  # as it would be printed
    band_aware: float
    worst_consistent: float
    inverting: float
    attacked_cells: int
    read_back_cells: int
    mean_change: float  # of a probability, weighted by people


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """What each attack on a draft gave."""

    beliefs: Beliefs
    attacks: Attacks
    attacked: NDArray[np.bool_]  # cells for which running the mechanism backwards was tried
    read_back: NDArray[np.bool_]  # cells whose true value that gave
    equations: tuple[EquationAttack, ...]
    mechanisms: tuple[MechanismResult, ...]  # the policy's own, then the other where it is possible
    recommendation: str


def audit_draft(
    spec: Spec, public: PublicSpec, table: DecisionTable, draft: Draft, *, thorough: bool = False
) -> Audit:
    """Every attack on a draft. See :func:`refuse_broken_promise` for what follows from it.

    Attacks with linear programs, and running the mechanism backwards, take seconds. On large tables they are made where a
    thorough audit is asked for. None of them can break the promise: all figures follow from the announced rule, on which
    Bayes' rule is always tried.
    """
    release = draft.release
    closely = thorough or len(table.cells) <= LARGE
    attacked, read_back = _backwards(spec, table, release, release.mechanism, closely=closely)
    attacks = attack(table, release, read_back)
    mechanisms = (
        _measured(table, release, attacks, attacked, read_back, chosen=True),
        *_other_mechanism(spec, table, release, closely=closely),
    )
    return Audit(
        beliefs=beliefs_of(release),
        attacks=attacks,
        attacked=attacked,
        read_back=read_back,
        equations=attack_by_equations(public, table, release, closely=closely),
        mechanisms=mechanisms,
        recommendation=_recommendation(mechanisms, float(attacks.true.max())),
    )


def _backwards(
    spec: Spec, table: DecisionTable, release: Release, mechanism: Mechanism, *, closely: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The cells for which the mechanism was run backwards, and those whose true value that gave."""
    if closely:
        return cells_read_back(spec, table, release, mechanism)
    nowhere = np.zeros(len(table.cells), dtype=bool)
    return nowhere, nowhere


def refuse_broken_promise(path: object, audit: Audit, release: Release) -> None:
    """Raise :class:`Refused` if any attack that the promise covers beats β. The message reveals no true value."""
    tolerance = 1e-6  # of the linear programs
    beaten = audit.beliefs.exceeding + sum(
        way.of_release.confidence > float(release.beta) + tolerance for way in audit.equations
    )
    if beaten:
        raise Refused(
            f"{path}: refused: an attack on the draft was more confident than the report promises ({beaten} findings).\n"
            "  This should not happen with any spec. Nothing was published; please report it."
        )


def beliefs_of(release: Release) -> Beliefs:
    """Bayes' rule on the announced mapping for every group, outcome and sensitive value."""
    cells = release.cells
    everybody = np.add.reduceat(cells.population, cells.group_starts)
    parts = []
    exceeding = 0
    for attribute, protected in enumerate(cells.protected):
        before = protected.sums(cells.population) / everybody[protected.group]
        for outcome, steps in enumerate(release.mapping.T):
            for weights in release.weights:
                wide = exact(weights, int(weights.sum(dtype=object)) * release.scale**2)
                mine = protected.sums(wide * steps)
                of_group = np.add.reduceat(wide * steps, cells.group_starts)[protected.group]
                exceeding += int(
                    (mine * release.scale > of_group * release.group_beta[protected.group]).sum()
                )
            joint = cells.population * (steps / release.scale)
            mass = np.add.reduceat(joint, cells.group_starts)[protected.group]
            confidence = np.divide(protected.sums(joint), mass, out=np.zeros(len(mass)), where=mass > 0)
            parts.append(
                (
                    protected.order[protected.starts],
                    np.full(len(mass), outcome),
                    np.full(len(mass), attribute),
                    confidence,
                    before,
                )
            )
    cell, outcomes, attributes, confidence, before = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    worst = np.lexsort((outcomes, cell, -confidence.round(12)))
    return Beliefs(
        cell=cell[worst],
        outcome=outcomes[worst],
        attribute=attributes[worst],
        confidence=confidence[worst],
        before=before[worst],
        exceeding=exceeding,
    )


def _other_mechanism(
    spec: Spec, table: DecisionTable, release: Release, *, closely: bool
) -> tuple[MechanismResult, ...]:
    """The mechanism that was not chosen, where the policy allows it."""
    other: Mechanism = "optimal" if release.mechanism == "calibrated" else "calibrated"
    fidelity = release.fidelity
    if other == "calibrated" and (
        not isinstance(fidelity, Closeness)
        or fidelity.delta is None
        or (1 - fidelity.delta) * release.scale < 1
        or release.mapping.shape[1] > 2
    ):
        return ()
    try:
        drafted = draft_again(spec, table, release, other).release
    except PolicyCannotBeMet:
        return ()
    attacked, read_back = _backwards(spec, table, drafted, other, closely=closely)
    attacks = attack(table, drafted, read_back)
    return (_measured(table, drafted, attacks, attacked, read_back, chosen=False),)


def _measured(
    table: DecisionTable,
    release: Release,
    attacks: Attacks,
    attacked: NDArray[np.bool_],
    read_back: NDArray[np.bool_],
    *,
    chosen: bool,
) -> MechanismResult:
    moved = np.abs(release.mapping / release.scale - table.probability).max(axis=1)
    return MechanismResult(
        mechanism=release.mechanism,
        chosen=chosen,
        beta=float(release.beta),
        band_aware=float(attacks.band_aware.max()),
        worst_consistent=float(attacks.worst_consistent.max()),
        inverting=float(attacks.inverting.max()),
        attacked_cells=int(attacked.sum()),
        read_back_cells=int(read_back.sum()),
        mean_change=float((moved * table.cells.population).sum() / table.cells.population.sum()),
    )


def _recommendation(mechanisms: tuple[MechanismResult, ...], true_confidence: float) -> str:
    """Which mechanism to choose, and why."""
    found = {result.mechanism: result for result in mechanisms}
    if "calibrated" not in found:
        return (
            "Only the optimal mechanism is possible here: the calibrated one needs a delta of at least one printed step "
            "and two outcomes."
        )
    optimal, calibrated = found["optimal"], found["calibrated"]
    price = calibrated.beta - optimal.beta
    points = f"{max(price, 0) * 100:.2f}".rstrip("0").rstrip(".")
    if not optimal.attacked_cells and price > SMALL_PRICE:
        return (
            f"Weigh it: calibrated raises β by {points} percentage points. What those who know the method could read back "
            "from the optimal rule was not tried on so large a table; 'atreport audit' tries it."
        )
    if not optimal.attacked_cells:
        return (
            f"Choose calibrated: it raises β by {points} percentage points, and cannot be read back by those who know the "
            "method. What they could read back from the optimal rule was not tried here."
        )
    if not optimal.read_back_cells:
        return "Choose optimal: nothing could be read back from it here, so calibrated would give nothing in return."
    if price <= SMALL_PRICE:
        return (
            f"Choose calibrated: it raises β by {points} percentage points, and takes away what those who know the method "
            f"could read back from the optimal rule ({optimal.read_back_cells} of {optimal.attacked_cells} cells tried)."
        )
    if calibrated.beta > true_confidence:
        return (
            f"Choose optimal, or a higher delta: at this fidelity calibrated would raise β by {points} percentage points, "
            "above even what the true rule gives away. Those who know the method could read back "
            f"{optimal.read_back_cells} of {optimal.attacked_cells} cells tried from the optimal rule."
        )
    return (
        f"Weigh it: calibrated raises β by {points} percentage points, and takes away what those who know the method could "
        f"read back from the optimal rule ({optimal.read_back_cells} of {optimal.attacked_cells} cells tried). Choose "
        "calibrated where readers may know the method, which is public; choose optimal where the ceiling leaves no room."
    )
