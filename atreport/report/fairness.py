"""What a report says about fairness: measures with certified intervals and verdicts, and what could not be compared."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from atreport.report.figures import (
    Amount,
    Enclosed,
    Flag,
    Interval,
    IntervalEstimate,
    PositiveNumber,
    ReportModel,
    Sampling,
    Unit,
    Verdict,
    Whole,
)
from atreport.spec.fairness import MEASURES, ErrorRate, GroupMeasure, Measure, RateKind
from atreport.spec.values import OwnWords


def _known(name: str) -> str:
    if name not in MEASURES:
        raise ValueError(f"'{name}' is no measure that this program knows")
    return name


MeasureName = Annotated[str, AfterValidator(_known), WithJsonSchema({"enum": list(MEASURES)})]


class GroupRate(IntervalEstimate):
    """The favourable rate of one group as announced, or one of its error rates, and where the true rate can lie."""

    leading: ClassVar[tuple[str, ...]] = ("group",)

    group: OwnWords
    kind: RateKind | None = Field(
        None,
        description="Of an error rate, which: true_positive and false_negative are shares of people for whom the favourable "
        "outcome was right, false_positive of those for whom it was wrong; predictive is the share of those for whom it "
        "was right among all who got it. Absent: the favourable rate.",
    )
    value: Unit
    interval: Interval[Unit]
    people: Whole | None = Field(
        None, ge=0, description="How many are in it, where numbers are published exactly."
    )
    sampling: Sampling | None = None


class OutcomeResult(IntervalEstimate):
    """A measure of one outcome, where it is taken over several."""

    leading: ClassVar[tuple[str, ...]] = ("outcome",)

    outcome: OwnWords
    value: Unit
    interval: Interval[Unit]


class UnknownRange(ReportModel):
    """What the announced value could be, whichever groups the people of unknown group belong to.

    Each of them belongs to one, so it need not hold the value, which is that of those whose group is known.
    """

    interval: Interval[Amount]
    attained: Flag = Field(description="Both ends are, by some distribution; otherwise no value is outside.")
    people: Whole | None = Field(
        None, ge=0, description="How many are of unknown group, where numbers are published."
    )

    @property
    def low(self) -> Decimal:
        """The least that the measure could be."""
        return self.interval[0]

    @property
    def high(self) -> Decimal:
        """The most that the measure could be."""
        return self.interval[1]


class LogRatio(Enclosed):
    """The p% rule as |log(rate / rate)|; null where a rate may be 0."""

    value: Amount | None
    interval: Interval[Amount] | None
    a_priori: Amount | None


class Assessment(Enclosed):
    """One measure of some groups (or of all pairs of people), with what may be concluded from it.

    `groups` are the two that are compared. Of the impact ratio: a group and the most favoured one as announced, which
    may be the group itself. Of the group disparity: those with the highest and the lowest rate as announced.
    """

    measure: MeasureName
    title: OwnWords | None = Field(description="The publisher's own name for it.")
    groups: tuple[OwnWords, OwnWords] | None
    given: dict[str, OwnWords] | None
    value: Amount | None = Field(description="As announced; null: nothing bounds it.")
    interval: Interval[Amount] | None
    a_priori: Amount | None = Field(
        description="The most it can move at this fidelity, known before any figure; null: no such bound."
    )
    threshold: PositiveNumber | None
    verdict: Verdict | None
    at_least: Amount | None = Field(
        None,
        description="Where nothing bounds the true figure from above: the least that it can be, rounded down.",
    )
    value_at_most: Amount | None = Field(
        None,
        description="Where a search over very many cells ended early: value is the largest found, and at most this.",
    )
    rates: tuple[GroupRate, ...] | None = Field(
        None,
        description="Favourable rates of the groups, or the error rates compared; of the disparity, of all groups.",
    )
    by: tuple[str, ...] | None = Field(
        None,
        description="The attributes whose values make the groups; not stated where the publisher named the groups.",
    )
    log_ratio: LogRatio | None = None
    outcome: OwnWords | None = Field(
        None, description="Of a measure over all outcomes, the one that gives the value."
    )
    by_outcome: tuple[OutcomeResult, ...] | None = None
    unknown: UnknownRange | None = None
    sampling: Sampling | None = None
    rate: ErrorRate | None = Field(None, description="Of error rates, the one that is compared.")

    @property
    def result(self) -> IntervalEstimate | None:
        """The figure with its interval; None where nothing bounds it."""
        if self.value is None or self.interval is None:
            return None
        return IntervalEstimate.model_construct(value=self.value, interval=self.interval)

    @property
    def is_of_one_group(self) -> bool:
        """Whether the group is the most favoured one, which is compared with nobody else."""
        return self.groups is not None and self.groups[0] == self.groups[1]

    @property
    def is_ratio(self) -> bool:
        """Whether it should reach its threshold; otherwise it should not exceed it."""
        return MEASURES[self.measure].is_ratio

    @property
    def groups_asked(self) -> tuple[str, ...]:
        """Its groups, without those that follow from figures: the most favoured one, or those furthest apart."""
        return (self.groups or ())[: MEASURES[self.measure].groups_asked]


def entries_of(measures: Sequence[Measure], fairness: Sequence[Assessment]) -> list[Measure | None]:
    """Of each comparison the entry of the spec that asks for it: both stand in one order, and no entry asks twice for one.

    None where that cannot be told: version 0.1 did not state which attributes make the groups.
    """
    at, made, found = 0, set[object](), list[Measure | None]()
    for assessment in fairness:
        comparison = (assessment.groups, *(assessment.given or {}).items(), assessment.rate)
        later = range(at + (comparison in made), len(measures))
        place = next((place for place in later if _is_asked(assessment, measures[place])), None)
        if place is not None:
            if place > at:
                at = place
                made.clear()
            made.add(comparison)
        found.append(None if place is None else measures[place])
    return found


def _is_asked(assessment: Assessment, entry: Measure) -> bool:
    """Whether a comparison is one that an entry of the spec asks for."""
    same = (entry.measure, entry.title, entry.limit) == (
        assessment.measure,
        assessment.title,
        assessment.threshold,
    )
    if not same or not isinstance(entry, GroupMeasure):
        return same
    given = tuple(getattr(entry, "given", None) or ())
    if tuple(assessment.given or ()) != given:
        return False
    if isinstance(entry.groups, dict):
        return {*(assessment.groups or ())} <= entry.groups.keys()
    return assessment.by == entry.group_attributes


NotAssessedReason = Literal["joined", "left_out"]


class NotAssessed(ReportModel):
    """A comparison that could not be made: because nobody is in one of its groups, unless another reason is stated."""

    measure: MeasureName
    groups: tuple[OwnWords, OwnWords] | None
    given: dict[str, OwnWords] | None
    reason: NotAssessedReason | None = Field(
        None, description="joined: people are published only under a value that stands for several."
    )
    rate: ErrorRate | None = Field(None, description="Of error rates, the one that could not be compared.")


class ValueRate(IntervalEstimate):
    """The favourable rate of everybody who has one value of one attribute."""

    leading: ClassVar[tuple[str, ...]] = ("attribute", "of")

    attribute: str
    of: OwnWords = Field(description="The value of the attribute.")
    value: Unit
    interval: Interval[Unit]
