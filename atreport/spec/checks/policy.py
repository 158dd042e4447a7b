"""Check the ``policy`` section: which of its promises cannot be had together, and what a mechanism needs."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.errors import Problem
from atreport.spec.models.policy import Policy
from atreport.spec.models.process import Process
from atreport.spec.yaml import Document, KeyPath


def check_policy(document: Document, policy: Policy, process: Process | None) -> Iterable[Problem]:
    """What the policy asks makes sense in itself, and beside the process (None where that is broken itself)."""
    yield from _check_objective(document, policy, process)
    yield from _check_rates(document, policy)
    yield from _check_small_cells(document, policy)
    if policy.mechanism == "calibrated":
        yield from _check_calibrated(document, policy, process)
    elif policy.grid is not None:
        yield document.problem(
            ("policy", "grid"),
            f"mechanism '{policy.mechanism}' has no grid",
            "remove 'grid', or write 'mechanism: calibrated'",
            at_key=True,
        )


def _check_objective(document: Document, policy: Policy, process: Process | None) -> Iterable[Problem]:
    if policy.objective == "fidelity":
        ceilings = process is None or any(attribute.ceilings for attribute in process.attributes)
        if policy.privacy is None and not ceilings:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' needs a privacy ceiling to keep",
                "add 'privacy: {beta: …}' to policy (or lift, or odds), or 'ceilings' to a sensitive attribute",
            )
        if policy.fidelity.bounds is not None:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' looks for the best delta or alpha, and bounds has neither",
                "write 'fidelity: {delta: …}' (the least fidelity you accept), or 'objective: privacy'",
            )


def _check_rates(document: Document, policy: Policy) -> Iterable[Problem]:
    """How close rates are kept can be looked for, or the fidelity of single probabilities, but not both at once."""
    place: KeyPath = ("policy", "fidelity", "rates")
    if policy.fidelity.rates == "best" and policy.objective == "fidelity":
        yield document.problem(
            place,
            "'best' looks for the closest rates at one fidelity, and objective 'fidelity' looks for the fidelity",
            "write a number such as 0.99, or 'objective: privacy'",
        )
    if policy.fidelity.rates is not None and policy.mechanism == "calibrated":
        yield document.problem(
            place,
            "mechanism 'calibrated' announces the middle of a fixed interval in every cell, so it cannot keep the rates "
            "of groups",
            "remove 'rates', or write 'mechanism: optimal'",
            at_key=True,
        )


def _check_small_cells(document: Document, policy: Policy) -> Iterable[Problem]:
    if policy.small_cells.policy == "suppress" and policy.unprotectable in ("suppress", "merge"):
        yield document.problem(
            ("policy", "small_cells"),
            f"'suppress' and 'unprotectable: {policy.unprotectable}' cannot be had together: leaving groups out would "
            "undo the suppression",
            "write 'small_cells: round', or 'unprotectable: refuse'",
        )


def _check_calibrated(document: Document, policy: Policy, process: Process | None) -> Iterable[Problem]:
    """A grid that is fixed in advance needs one distance for all, and has no fidelity to look for."""
    place: KeyPath = ("policy", "mechanism")
    delta = policy.fidelity.delta
    if delta is None:
        written = "alpha" if policy.fidelity.alpha is not None else "bounds"
        yield document.problem(
            place,
            f"mechanism 'calibrated' cuts 0 to 1 into equal parts, so it needs delta, not {written}",
            "write 'fidelity: {delta: …}', or 'mechanism: optimal'",
        )
    elif (1 - delta).scaleb(policy.decimals) < 1:
        yield document.problem(
            place,
            f"mechanism 'calibrated' needs 1 - delta to be at least one printed step, 1e-{policy.decimals}",
            "write a lower delta or more 'decimals', or 'mechanism: optimal'",
        )
    if policy.objective == "fidelity":
        yield document.problem(
            ("policy", "objective"),
            "mechanism 'calibrated' has its grid fixed in advance, and a delta chosen by the data would not be",
            "write 'objective: privacy', or 'mechanism: optimal'",
        )
    if process is not None and len(process.outcome.values) > 2:
        yield document.problem(
            place,
            f"mechanism 'calibrated' works for two outcomes, and here are {len(process.outcome.values)}",
            "write 'mechanism: optimal'",
        )
