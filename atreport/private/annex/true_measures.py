"""Turn the true table into its fairness measures, each beside what the report says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from atreport.core.band import Closeness, Range
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.measures import OF_TWO_RATES, measure_one
from atreport.measures.chance import fisher_test
from atreport.measures.comparisons import disparity_range
from atreport.measures.feasible_rules import apart
from atreport.measures.measured import Measured
from atreport.private.data.decision_table import DecisionTable
from atreport.private.true_rule import TRUE_DECIMALS, TrueMeasure, TrueRule, measure_truth
from atreport.report.fairness import Assessment
from atreport.spec.fairness import ErrorRate, ErrorRates, Measure, labels_of
from atreport.spec.spec import PublicSpec

# Whether chance could explain a difference between two groups of recorded cases, from the true counts.
#
# Two customary checks: Fisher's exact test, and whether two more favourable decisions in the less favoured
# group would change the verdict. Both are about small numbers; neither is a legal finding. Confidential,
# since they use true counts.

MORE_PERSONS = 2


@dataclass(frozen=True, kw_only=True)
class Chance:
    """What small numbers may have done to one comparison of two groups."""

    fisher: float  # two-sided p-value: how often chance alone gives counts at least as uneven
    two_more: float | None  # the measure, had two more of the less favoured group been favoured
    two_more_changes: bool | None  # whether that changes the true verdict; None without a threshold


@dataclass(frozen=True)
class Counts:
    """One group of recorded cases."""

    favourable: int
    people: int

    @property
    def rate(self) -> Fraction:
        """The share of favourable decisions."""
        return Fraction(self.favourable, self.people)

    def with_more(self, persons: int) -> Counts:
        """The same group with more of them favoured, as far as there are any."""
        return Counts(min(self.favourable + persons, self.people), self.people)


def chance_of(true: TrueMeasure, outcomes: int) -> Chance | None:
    """Both checks for a measure under the true rule; None where it does not compare two different groups."""
    counts = {
        group: Counts(round(Fraction(rate.value) * rate.people), rate.people)
        for group, rate in true.rates.items()
        if rate.people is not None
    }
    if true.rate is not None:  # the counts of an error rate are those of a part of the group
        return None
    if true.groups is None or true.groups[0] == true.groups[1] or not counts.keys() >= {*true.groups}:
        return None
    first, second = (counts[group] for group in true.groups)
    less_favoured = true.groups[0] if first.rate <= second.rate else true.groups[1]
    with_more = {**counts, less_favoured: counts[less_favoured].with_more(MORE_PERSONS)}
    more = _measured(true, with_more, outcomes)
    changes = None
    if more is not None and true.asked.limit is not None and true.value is not None:
        changes = _holds(true, more) != _holds(true, Fraction(true.value))
    return Chance(
        fisher=fisher_test((first.favourable, first.people), (second.favourable, second.people)),
        two_more=None if more is None else float(more),
        two_more_changes=changes,
    )


def _measured(true: TrueMeasure, counts: dict[str, Counts], outcomes: int) -> Fraction | None:
    """The measure from counts; None where it needs more than the favourable rates."""
    measure = true.asked.measure
    if outcomes > 2 and (true.is_over_outcomes or not true.asked.is_ratio) and measure != "group_disparity":
        return None
    assert true.groups is not None
    first, second = (counts[group].rate for group in true.groups)
    if measure == "group_disparity":
        return disparity_range(_points([c.rate for c in counts.values()])).value
    compared = OF_TWO_RATES[measure]
    value = compared(apart(*_points([first, second]))).value
    if true.is_over_outcomes:
        value = min(value, compared(apart(*_points([1 - first, 1 - second]))).value)
    return value


def _points(rates: Sequence[Fraction]) -> list[Range]:
    return [Range(rate, rate, rate) for rate in rates]


def _holds(true: TrueMeasure, value: Fraction) -> bool:
    assert true.asked.limit is not None
    limit = Fraction(true.asked.limit)
    return value >= limit if true.asked.is_ratio else value <= limit


@dataclass(frozen=True, kw_only=True)
class AnnexMeasure:
    """One fairness measure: its true value beside what the report says."""

    measure: str
    groups: tuple[str, str] | None
    given: Mapping[str, str] | None
    true: float | None
    value: float | None
    interval: tuple[float, float] | None
    verdict: str | None
    true_rates: Mapping[str, float] = field(default_factory=dict)  # favourable, by group
    threshold: float | None = None
    true_verdict: str | None = None
    rate: ErrorRate | None = None  # of error rates: which
    settled_at: Mapping[str, float] | None = (
        None  # fidelity that would settle a verdict; {}: none; None: not sought
    )
    chance: Chance | None = None  # where the rule was estimated from records


def true_measures(
    spec: PublicSpec,
    table: DecisionTable,
    announcement: Announcement,
    assessments: Sequence[Assessment],
    raw_table: tuple[DecisionTable, Sequence[Measure]] | None = None,
) -> tuple[AnnexMeasure, ...]:
    """Each measure with its true value: the same calculation on the true rule, as if that had been announced.

    Where values were joined, the truth is that of the data `raw_table`, with what the spec asks in its own values.
    """
    rule = announcement.rule
    if raw_table is not None and spec.process.has_joined(a.name for a in spec.process.attributes):
        return _beside_the_data(TrueRule(raw_table[0]).as_it_is(TRUE_DECIMALS), raw_table[1], assessments)
    truth = TrueRule(table).rule_table(TRUE_DECIMALS, like=rule, exact_counts=True)
    relative = isinstance(rule.fidelity, Closeness) and rule.fidelity.alpha is not None
    found: list[AnnexMeasure] = []
    for asked in spec.fairness:
        if isinstance(asked, ErrorRates):  # which ones can be compared depends on whom the rule favours
            number = sum(isinstance(each, Measured) for each in measure_one(rule, asked, unknown=False))
            found += _beside_the_data(truth, [asked], assessments[len(found) : len(found) + number])
            continue
        described = truth.without(labels_of(spec.fairness)) if asked.measure == "individual" else truth
        measured = list(measure_truth(described, asked))
        said = assessments[len(found) : len(found) + len(measured)]
        found += _beside(described, asked, measured, said, relative=relative)
    return tuple(found)


def _beside(
    truth: RuleTable,
    asked: Measure,
    measured: Sequence[TrueMeasure],
    announced: Sequence[Assessment],
    *,
    relative: bool,
) -> list[AnnexMeasure]:
    undecided = [index for index, said in enumerate(announced) if said.verdict == "cannot_tell"]
    settled = settling_fidelities(truth, asked, undecided, relative=relative)
    estimated = truth.cells.process.estimated_from is not None
    return [
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=_number(true.value),
            value=_number(said.value),
            interval=None if said.interval is None else (float(said.interval[0]), float(said.interval[1])),
            verdict=said.verdict,
            true_rates={group: float(rate.value) for group, rate in true.rates.items()},
            threshold=_number(said.threshold),
            true_verdict=true.verdict,
            settled_at=_settled_at(settled[index], relative=relative) if index in settled else None,
            chance=chance_of(true, truth.mapping.shape[1]) if estimated else None,
        )
        for index, (true, said) in enumerate(zip(measured, announced, strict=True))
    ]


def _beside_the_data(
    data: RuleTable, asked: Sequence[Measure], announced: Sequence[Assessment]
) -> tuple[AnnexMeasure, ...]:
    """Each comparison of the report beside that of the same groups in the data, which may be others."""
    true: dict[
        tuple[str, ErrorRate | None, tuple[str, str] | None, tuple[tuple[str, str], ...]], TrueMeasure
    ] = {
        (each.measure, found.rate, found.groups, _key(found.given)): found
        for each in asked
        for found in measure_truth(data, each)
    }
    return tuple(
        AnnexMeasure(
            measure=said.measure,
            groups=said.groups,
            given=said.given,
            true=None if found is None else _number(found.value),
            value=_number(said.value),
            interval=None if said.interval is None else (float(said.interval[0]), float(said.interval[1])),
            verdict=said.verdict,
            true_rates={group: float(rate.value) for group, rate in found.rates.items()} if found else {},
            threshold=_number(said.threshold),
            true_verdict=None if found is None else found.verdict,
            rate=said.rate,
        )
        for said in announced
        for found in [true.get((said.measure, said.rate, said.groups, _key(said.given)))]
    )


def _key(given: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    return tuple((given or {}).items())


def _number(figure: Decimal | None) -> float | None:
    return None if figure is None else float(figure)


def _settled_at(fidelity: Decimal | None, *, relative: bool) -> dict[str, float]:
    return {} if fidelity is None else {"alpha" if relative else "delta": float(fidelity)}


# What fidelity would settle a verdict that cannot be told from the report. Confidential: the answer depends
# on the truth.
#
# It is the smallest fidelity at which announcing the truth itself would settle the verdict. A report
# announces something near the truth, so it may settle the verdict a little earlier or a little later.

FIDELITIES = tuple(
    Decimal(steps).scaleb(-decimals)
    for decimals, first, last in ((2, 1, 99), (3, 991, 999), (4, 9991, 9999), (0, 1, 1))
    for steps in range(first, last + 1)
)
"""The fidelities that are tried, ascending: hundredths, then ever finer towards 1."""

MOST_WORK = 10**7
"""Cells times undecided verdicts of a measure, up to which the fidelity is looked for."""


def settling_fidelities(
    truth: RuleTable, asked: Measure, undecided: Sequence[int], *, relative: bool
) -> dict[int, Decimal | None]:
    """For some of a measure's verdicts (by position) the smallest fidelity that settles them; None: none does.

    Nothing is looked for where that would take long (see `MOST_WORK`).
    `truth` is the true rule as if it had been announced. The fidelity is an alpha where `relative`, else a delta.
    Intervals only shrink as fidelity grows, so a verdict once settled stays settled.
    """

    def settled(step: int) -> list[bool]:
        fidelity = FIDELITIES[step]
        closeness = Closeness(alpha=fidelity) if relative else Closeness(delta=fidelity)
        found = measure_truth(replace(truth, fidelity=closeness), asked)
        return [measured.verdict != "cannot_tell" for measured in found]

    worthwhile = 0 < len(undecided) * len(truth.cells) <= MOST_WORK
    return _first_steps(settled, undecided) if worthwhile else {}


def _first_steps(settled: Callable[[int], list[bool]], wanted: Sequence[int]) -> dict[int, Decimal | None]:
    """Bisection for many at once; every step is tried at most once."""
    found: dict[int, Decimal | None] = {}

    def search(of: Sequence[int], low: int, high: int) -> None:
        if not of:
            return
        if low == high:
            found.update(dict.fromkeys(of, FIDELITIES[low]))
            return
        middle = (low + high) // 2
        at_middle = settled(middle)
        search([w for w in of if at_middle[w]], low, middle)
        search([w for w in of if not at_middle[w]], middle + 1, high)

    at_end = settled(len(FIDELITIES) - 1)
    found.update(dict.fromkeys(w for w in wanted if not at_end[w]))
    search([w for w in wanted if at_end[w]], 0, len(FIDELITIES) - 1)
    return found
