"""All mechanisms at the policy's fidelity, under the same attacks, so that one is chosen with open eyes. Confidential."""

from collections.abc import Iterator
from dataclasses import dataclass

from atreport.private.attacks.finding import STRONGER_OBSERVERS, Case, Finding, FindingTable
from atreport.private.attacks.inversion import run_backwards
from atreport.private.attacks.observers import attack_beyond_promise
from atreport.private.draft import evaluate_mechanism
from atreport.private.mechanisms import MECHANISMS
from atreport.private.true_rule import mean_change, out_of, share
from atreport.spec.policy import Mechanism
from atreport.text.numbers import counted
from atreport.text.tables import Cell, named, numeric, worded

SMALL_PRICE = 0.02
"""A mechanism that cannot be read back is recommended where it costs at most this much confidence."""


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


class Mechanisms(Finding):
    """The policy's own mechanism, then the other where it is possible, and which of them to choose."""

    heading = STRONGER_OBSERVERS
    listing = FindingTable(
        key="mechanisms",
        id="mechanisms",
        caption="Both mechanisms at this fidelity, measured with the same attacks",
        columns=(
            named("Mechanism", "mechanism"),
            numeric("β", "beta", share),
            numeric("Believes evenly in the band", "band_aware", share),
            numeric("Knows the mechanism", "inverting", share),
            numeric("Cells read back", lambda row: out_of(row["read_back_cells"], row["attacked_cells"])),
            numeric("Mean change", "mean_change", share),
            worded("Chosen", "chosen", lambda yes: Cell("This report", "good") if yes else Cell("No")),
        ),
        exactly=True,
    )


def compare_mechanisms(case: Case) -> Mechanisms:
    """The mechanism of a draft beside the other one."""
    results = (_measured(case, chosen=True), *_other_mechanisms(case))
    true_confidence = float(case.result_of(attack_beyond_promise).true.max())
    return Mechanisms(rows=results, recommendation=_recommendation(results, true_confidence))


def _other_mechanisms(case: Case) -> Iterator[MechanismResult]:
    """Those that were not chosen, where the policy allows them."""
    announcement = case.announcement
    for name, way in MECHANISMS.items():
        outcomes = announcement.mapping.shape[1]
        if name == announcement.mechanism or not way.is_possible(
            announcement.fidelity, announcement.scale, outcomes
        ):
            continue
        drafted = evaluate_mechanism(case.spec, case.table, announcement, name)
        if drafted is not None:
            yield _measured(case.with_announcement(drafted), chosen=False)


def _measured(case: Case, *, chosen: bool) -> MechanismResult:
    table, announcement = case.table, case.announcement
    inversion, observers = case.result_of(run_backwards), case.result_of(attack_beyond_promise)
    return MechanismResult(
        mechanism=announcement.mechanism,
        chosen=chosen,
        beta=float(announcement.beta),
        band_aware=float(observers.band_aware.max()),
        worst_consistent=float(observers.worst_consistent.max()),
        inverting=float(observers.inverting.max()),
        attacked_cells=int(inversion.attacked.sum()),
        read_back_cells=int(inversion.read_back.sum()),
        mean_change=mean_change(table, announcement),
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
    amount = f"{max(price, 0) * 100:.2f}".rstrip("0").rstrip(".")
    points = f"{amount} percentage point{'' if amount == '1' else 's'}"
    if not optimal.attacked_cells and price > SMALL_PRICE:
        return (
            f"Weigh it: calibrated raises β by {points}. What those who know the method could read back "
            "from the optimal rule was not tried on so large a table; 'atreport audit' tries it."
        )
    if not optimal.attacked_cells:
        return (
            f"Choose calibrated: it raises β by {points}, and cannot be read back by those who know the "
            "method. What they could read back from the optimal rule was not tried here."
        )
    read_back = f"{optimal.read_back_cells} of {counted(optimal.attacked_cells, 'cell')} tried"
    if not optimal.read_back_cells:
        return "Choose optimal: nothing could be read back from it here, so calibrated would give nothing in return."
    if price <= SMALL_PRICE:
        return (
            f"Choose calibrated: it raises β by {points}, and takes away what those who know the method "
            f"could read back from the optimal rule ({read_back})."
        )
    if calibrated.beta > true_confidence:
        return (
            f"Choose optimal, or a higher delta: at this fidelity calibrated would raise β by {points}, "
            "above even what the true rule gives away. Those who know the method could read back "
            f"{read_back} from the optimal rule."
        )
    return (
        f"Weigh it: calibrated raises β by {points}, and takes away what those who know the method could "
        f"read back from the optimal rule ({read_back}). Choose "
        "calibrated where readers may know the method, which is public; choose optimal where the ceiling leaves no room."
    )
