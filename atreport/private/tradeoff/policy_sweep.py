"""What the report would say under other policies: β, lift and odds, and every fairness verdict. Confidential.

Along fidelity, for every mechanism; and at the policy's own fidelity, along how closely the rates of groups are kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from time import perf_counter

from atreport.compose.fairness import verdict_of
from atreport.core.band import Closeness
from atreport.core.certify import Announcement
from atreport.core.rule_table import CellBounds, RuleTable
from atreport.measures import measure_each
from atreport.measures.measured import Measured
from atreport.private.data.decision_table import DecisionTable
from atreport.private.draft import evaluate
from atreport.private.mechanisms import MECHANISMS
from atreport.private.true_rule import mean_change
from atreport.processes import answer_all, usable_cores
from atreport.report.fairness import Assessment
from atreport.report.figures import Verdict
from atreport.spec.policy import Mechanism
from atreport.spec.spec import PublicSpec, Spec

FIDELITIES = tuple(map(Decimal, ("1", "0.99", "0.98", "0.95", "0.9", "0.85", "0.8", "0.7", "0.5")))
"""The fidelities that are tried."""

RATES = (None, *map(Decimal, ("0.95", "0.98", "0.99", "1")))
"""How closely the rate of every group is kept: not at all, within so many points, exactly."""

LONG = 0.5
"""Half a second of work is worth the start of further processes."""

MOST_CELLS = 2_000
"""Larger tables get no outlook: every fidelity is a whole draft."""


@dataclass(frozen=True, kw_only=True)
class PolicyResult:
    """The report at one fidelity."""

    fidelity: Closeness
    rates: Decimal | None  # how closely rates are kept, as it would be published; None: not at all
    beta: float  # as it would be printed, with the optimal mechanism
    lift: float
    odds: float | None  # None: unbounded
    others: Mapping[Mechanism, float | None]  # with each other mechanism; None where it is not possible
    mean_change: float  # of a probability under the optimal mechanism, weighted by people
    # one for each comparison of the report; None: no threshold, or not to be made
    verdicts: tuple[Verdict | None, ...]

    @property
    def number(self) -> Decimal:
        """The delta or alpha itself."""
        number = self.fidelity.delta if self.fidelity.delta is not None else self.fidelity.alpha
        assert number is not None
        return number

    def count(self, verdict: Verdict) -> int:
        """How many comparisons have this verdict."""
        return sum(found == verdict for found in self.verdicts)

    @property
    def compared(self) -> int:
        """How many comparisons have a verdict at all."""
        return sum(found is not None for found in self.verdicts)

    @property
    def decided(self) -> int:
        """How many of them are not left open."""
        return self.compared - self.count("cannot_tell")


@dataclass(frozen=True)
class PolicyPoint:
    """A policy to try: a fidelity, and how closely rates are kept (None: not at all)."""

    fidelity: Closeness
    rates: Decimal | None


def along_fidelity(spec: Spec, *, relative: bool, more: Sequence[Decimal] = ()) -> tuple[PolicyPoint, ...]:
    """Each of the fidelities (alphas where `relative`, else deltas), the highest first.

    Rates are kept as the policy says; those that it leaves to the ceilings (best) are not.
    """
    rates = spec.policy.fidelity.rates
    return tuple(
        PolicyPoint(
            Closeness(alpha=number) if relative else Closeness(delta=number),
            None if rates == "best" else rates,
        )
        for number in sorted({*FIDELITIES, *more}, reverse=True)
    )


def along_rates(fidelity: Closeness | CellBounds) -> tuple[PolicyPoint, ...]:
    """One fidelity, with rates kept more and more closely; none for bounds of each cell's own."""
    return tuple(PolicyPoint(fidelity, rates) for rates in RATES) if isinstance(fidelity, Closeness) else ()


def policy_sweep(
    spec: Spec,
    public: PublicSpec,
    table: DecisionTable,
    rule: RuleTable | None,
    trials: Sequence[PolicyPoint],
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> dict[PolicyPoint, PolicyResult]:
    """The report of each trial at which something can be printed; none of a table that is too large.

    `rule` is the one that is announced: another may leave comparisons that it allows without anybody, or allow more.
    Without it every comparison counts that a trial allows, and drafts are quick ones.
    Each is made once, however often it is asked for. If the first ones show that the rest will take long, further
    processes make them; the outlooks are the same. `told` is called with how many are done, of how many.
    """
    if len(table.cells) > MOST_CELLS:
        return {}
    made = None
    if rule is not None:
        made = [isinstance(each, Measured) for each in measure_each(rule, public.fairness, unknown=False)]
    distinct = list(dict.fromkeys(trials))
    found: dict[PolicyPoint, PolicyResult | None] = {}
    begun = perf_counter()
    for trial in distinct:
        found[trial] = outlook_of((spec, public, table, made, trial))
        told(len(found), len(distinct))
        took = perf_counter() - begun
        if took > LONG and took / len(found) * (len(distinct) - len(found)) > LONG and usable_cores() > 1:
            break
    here, rest = len(found), distinct[len(found) :]
    if rest:
        questions = [(spec, public, table, made, trial) for trial in rest]
        answers = answer_all(outlook_of, questions, lambda done: told(here + done, len(distinct)))
        found |= dict(zip(rest, answers, strict=True))
    return {trial: outlook for trial, outlook in found.items() if outlook is not None}


def outlook_of(
    question: tuple[Spec, PublicSpec, DecisionTable, Sequence[bool] | None, PolicyPoint],
    _told: Callable[[str], None] = lambda _words: None,
) -> PolicyResult | None:
    """The outlook of one trial; further processes do it too. `made` says which comparisons the report makes; None: any."""
    spec, public, table, made, trial = question
    quick = made is None
    announcement = evaluate(spec, table, trial.fidelity, quick=quick, mechanism="optimal", rates=trial.rates)
    if announcement is None:
        return None
    asked = measure_each(announcement.rule, public.fairness, unknown=False)
    return PolicyResult(
        fidelity=trial.fidelity,
        rates=trial.rates,
        beta=float(announcement.beta),
        lift=float(announcement.lift),
        odds=None if announcement.odds is None else float(announcement.odds),
        others=_with_others(spec, table, announcement),
        mean_change=mean_change(table, announcement),
        verdicts=tuple(
            verdict_of(each, announcement.decimals) if isinstance(each, Measured) else None
            for each, is_made in zip(asked, [True] * len(asked) if made is None else made, strict=True)
            if is_made
        ),
    )


def _with_others(
    spec: Spec, table: DecisionTable, announcement: Announcement
) -> dict[Mechanism, float | None]:
    """β of every mechanism but the optimal one, at the fidelity of an announcement."""
    closeness, outcomes = announcement.fidelity, announcement.mapping.shape[1]
    assert isinstance(closeness, Closeness)
    found: dict[Mechanism, float | None] = {}
    for name, way in MECHANISMS.items():
        if name == "optimal":
            continue
        possible = way.is_possible(closeness, announcement.scale, outcomes)
        drafted = evaluate(spec, table, closeness, mechanism=name, rates=None) if possible else None
        found[name] = None if drafted is None else float(drafted.beta)
    return found


@dataclass(frozen=True, kw_only=True)
class VerdictRange:
    """One comparison with a threshold: its verdict from one fidelity to another."""

    assessment: Assessment
    ranges: tuple[tuple[Decimal, Decimal, Verdict], ...]  # highest fidelity, lowest fidelity, verdict


def verdict_ranges(
    assessments: Sequence[Assessment], found: Sequence[PolicyResult]
) -> tuple[VerdictRange, ...]:
    """The verdicts of every comparison along the curve, neighbouring equal ones as one."""
    result = []
    for place, assessment in enumerate(assessments):
        ranges: list[tuple[Decimal, Decimal, Verdict]] = []
        for outlook in found:
            verdict = outlook.verdicts[place]
            if verdict is None:
                continue
            if ranges and ranges[-1][2] == verdict:
                ranges[-1] = (ranges[-1][0], outlook.number, verdict)
            else:
                ranges.append((outlook.number, outlook.number, verdict))
        if ranges:
            result.append(VerdictRange(assessment=assessment, ranges=tuple(ranges)))
    return tuple(result)


# Which fidelity and which rates decide the fairness verdicts, and what that costs in privacy. Confidential.
#
# At the usual fidelities most verdicts cannot be told, because the rates of groups are only known to within
# twice what a single probability may be off. Keeping rates decides many of them, at a price in β that depends
# on the data. What is found is a function of the true rule, and stays behind the wall; what a publisher then
# writes into the spec is theirs to choose.

DELTAS = tuple(map(Decimal, ("0.8", "0.9", "0.95", "0.98")))
"""The fidelities that are tried."""

RATES_TRIED = (None, *map(Decimal, ("0.98", "0.99", "1")))
"""The rates that are tried: none, and how close."""

MOST_PRICE = 0.05
"""So much more confidence than the least of all is not proposed for the sake of verdicts."""


def choices(
    spec: Spec, public: PublicSpec, table: DecisionTable, deltas: Sequence[Decimal] = DELTAS
) -> tuple[PolicyResult, ...]:
    """What every fidelity with every rates decides and costs; those at which nothing can be printed are left out."""
    trials = [PolicyPoint(Closeness(delta=delta), rates) for delta in deltas for rates in RATES_TRIED]
    return tuple(policy_sweep(spec, public, table, None, trials).values())


def propose(found: Sequence[PolicyResult], most_price: float = MOST_PRICE) -> PolicyResult | None:
    """The choice that decides most, among those whose price is bearable; of equals the least confidence, to a hundredth.

    A point of confidence is not worth ten of fidelity: of choices that are equal to a hundredth, the one that announces
    the rule most closely. None where nothing can be printed at all.
    """
    if not found:
        return None
    least = min(choice.beta for choice in found)
    bearable = [choice for choice in found if choice.beta <= least + most_price]
    return min(bearable, key=lambda c: (-c.decided, round(c.beta, 2), -c.number, c.rates or Decimal(0)))
