"""Propose a first policy: a fidelity, rates to keep, and a mechanism, each with a reason and its price. Confidential.

What decides most fairness verdicts at a bearable price is looked for among a few choices. The figures behind it depend on
the true rule: they go to the terminal of whoever holds the data, and the spec says only what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.confidential.attacks.inversion import cells_read_back
from atreport.confidential.data.table import DecisionTable, read_table
from atreport.confidential.mechanism.draft import draft_announcement
from atreport.confidential.mechanism.protect import protect_groups
from atreport.confidential.tradeoff.deciding import Choice, choices, propose
from atreport.errors import Refused
from atreport.population.protection import unprotectable_groups
from atreport.spec.models.policy import Fidelity, Mechanism
from atreport.spec.models.spec import Spec

MOST_CELLS = 2_000
"""Larger tables are not tried at every fidelity: it would take minutes."""

MOST_FOR_CALIBRATED = 0.1
"""So much more confidence, at most, is taken for a mechanism that cannot be read back."""

MOST_LEFT_OUT = 0.2
"""Groups that cannot be protected are left out where they are no more than this part of all people."""


@dataclass(frozen=True, kw_only=True)
class ProposedPolicy:
    """A policy to start from. Its lines are for the spec, its price for the terminal alone."""

    delta: Decimal = Decimal("0.9")
    rates: Decimal | None = None
    mechanism: Mechanism = "optimal"
    why_mechanism: str = (
        "the least confidence; or calibrated: cannot be read back by those who know the method"
    )
    suppress: bool = False
    price: tuple[str, ...] = ()  # depends on the true rule

    def lines(self) -> Iterator[str]:
        """The section of the spec."""
        rates = "" if self.rates is None else f", rates: {self.rates}"
        yield "policy:"
        yield f"  # announced probabilities are at most {1 - self.delta} from the true ones"
        if self.rates is not None:
            kept = "as they are" if self.rates == 1 else f"to within {1 - self.rates}"
            yield f"  # the rates of groups are kept {kept}, so that more can be said about fairness"
        yield "  # 'atreport tradeoff report.yaml' shows what others would cost, and which verdicts they decide"
        yield f"  fidelity: {{delta: {self.delta}{rates}}}  # CHECK"
        yield f"  mechanism: {self.mechanism}  # {self.why_mechanism}"
        if self.suppress:
            yield "  unprotectable: suppress         # CHECK: leaves out groups whose sensitive value is known already"
        else:
            yield "  # unprotectable: suppress       # leave out groups whose sensitive value is known already"
        yield "  # privacy: {beta: 0.7}          # the most confident anybody may become; above it the build is refused"


FIRST_POLICY = ProposedPolicy()


def propose_policy(spec: Spec) -> ProposedPolicy:
    """Try a few policies on the data of a spec, and choose one. The spec has no ceilings, so none of them is refused."""
    exact = read_table(spec)
    suppress = _can_be_left_out(exact)
    if suppress:
        policy = spec.policy.model_copy(update={"unprotectable": "suppress"})
        spec = spec.model_copy(update={"policy": policy})
    try:
        table, _ = protect_groups(spec, exact)
    except Refused:
        table, suppress = exact, False
    if len(table.cells) > MOST_CELLS or table.probability.shape[1] > 2:
        many = "more than two outcomes" if table.probability.shape[1] > 2 else f"{len(table.cells):,} cells"
        return ProposedPolicy(
            suppress=suppress,
            price=(f"with {many}, other fidelities were not tried: see 'atreport tradeoff'",),
        )
    found = choices(table, spec.fairness, population="shares")
    chosen = propose(found)
    if chosen is None:
        return ProposedPolicy(suppress=suppress)
    mechanism, why, beta = _mechanism(spec, table, chosen)
    return ProposedPolicy(
        delta=chosen.delta,
        rates=chosen.rates,
        mechanism=mechanism,
        why_mechanism=why,
        suppress=suppress,
        price=_price(chosen, found, mechanism, beta),
    )


def _can_be_left_out(table: DecisionTable) -> bool:
    """Whether there are groups in which everybody has the same sensitive value, and leaving them out leaves most people."""
    hopeless = unprotectable_groups(table.cells, None)
    people = np.bincount(table.cells.group, weights=table.cells.population)
    return bool(hopeless.any()) and float(people[hopeless].sum()) <= MOST_LEFT_OUT * float(people.sum())


def _mechanism(spec: Spec, table: DecisionTable, chosen: Choice) -> tuple[Mechanism, str, float]:
    """A mechanism, why, and the confidence with it: optimal, unless it can be read back and calibrated costs little more."""
    if chosen.rates is not None:
        return "optimal", "keeps rates; calibrated cannot be read back, but keeps none", chosen.beta
    fidelity = Fidelity(delta=chosen.delta, alpha=None, bounds=None, rates=None)
    spec = spec.model_copy(update={"policy": spec.policy.model_copy(update={"fidelity": fidelity})})
    announcement = draft_announcement(spec, table).announcement
    if not cells_read_back(spec, table, announcement, "optimal")[1].any():
        return "optimal", FIRST_POLICY.why_mechanism, chosen.beta
    policy = spec.policy.model_copy(update={"mechanism": "calibrated"})
    calibrated = draft_announcement(spec.model_copy(update={"policy": policy}), table).announcement
    beta = float(calibrated.beta)
    if beta > chosen.beta + MOST_FOR_CALIBRATED:
        return "optimal", FIRST_POLICY.why_mechanism, chosen.beta
    return (
        "calibrated",
        "cannot be read back by those who know the method; or optimal: the least confidence",
        beta,
    )


def _price(chosen: Choice, found: tuple[Choice, ...], mechanism: Mechanism, beta: float) -> tuple[str, ...]:
    """What the choice decides and costs, in words. Verdicts were counted with the optimal mechanism."""
    least = min(choice.beta for choice in found)
    rates = "" if chosen.rates is None else f" and rates {chosen.rates}"
    by = ", calibrated" if mechanism == "calibrated" else ""
    told = f"delta {chosen.delta}{rates}{by}: nobody becomes more confident than {beta:.3f}"
    if beta > least + 5e-4:
        told += f" ({least:.3f} is the least of all that were tried)"
    if chosen.comparisons:
        with_optimal = " with the optimal mechanism" if by else ""
        told += (
            f"; fairness verdicts that can be told{with_optimal}: {chosen.decided} of {chosen.comparisons}"
        )
    return (told,)
