"""Turn a published report and one record into reasons that may be told to a person: only what is certain is certain.

A letter that names reasons makes two claims about each: which way it moved the result, and which of them weighed more. Both
are printed only where they hold for every true rule that the published figures allow; the others are named as such. See
:mod:`atreport.analysis.explanations.reasons` for what is calculated.

Guarantee: a function of the report and the record, in exact arithmetic. Amounts are of the announced rule, to the nearest
printed step (halves up, as in the look-up of the report); intervals are rounded outward and hold the true amount.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from atreport.analysis.explanations import reasons as certain
from atreport.analysis.explanations.coalitions import MAX_EXACT
from atreport.kit.rounding import nearest, rounded_down, rounded_up
from atreport.pages.personal import average_of, explained_cell
from atreport.report.figures import Certified
from atreport.report.model import Report
from atreport.rule_table import RuleTable


@dataclass(frozen=True, kw_only=True)
class Reason:
    """What one attribute's value moved: the announced amount (above 0: towards the favourable outcome) and its interval."""

    attribute: str
    label: str
    value: str
    amount: Certified


@dataclass(frozen=True, kw_only=True)
class RankedReasons:
    """Reasons that weigh certainly more than those of every later rank, in the same direction.

    One reason: its place is certain. Several: they cannot all be ranked among each other, and stand in the order of the
    spec. `may_weigh_more` are reasons of unclear direction that could weigh more than one of these, the same way.
    """

    reasons: tuple[Reason, ...]
    may_weigh_more: tuple[Reason, ...]

    @property
    def is_certain(self) -> bool:
        """Whether its one reason has this place for certain, whatever the reasons of unclear direction do."""
        return len(self.reasons) == 1 and not self.may_weigh_more


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """All attributes of one record, each in exactly one place."""

    outcome: str  # the favourable one
    announced: Decimal
    average: Decimal
    adds_up: bool  # whether the amounts share out the difference between the two
    lowered: tuple[RankedReasons, ...]
    raised: tuple[RankedReasons, ...]
    nothing: tuple[Reason, ...]
    unclear: tuple[Reason, ...]

    @property
    def all(self) -> Iterator[Reason]:
        """Every reason: those against the favourable outcome first, then those for it, nothing and unclear."""
        for rank in (*self.lowered, *self.raised):
            yield from rank.reasons
        yield from (*self.nothing, *self.unclear)


def reasons_for(report: Report, record: Mapping[str, str]) -> Reasons | None:
    """The reasons of one record. None where nobody has it, or where the population is withheld, rounded or suppressed."""
    table = report.described_rule
    attributes, cell = table.cells.process.attributes, explained_cell(table, record)
    if cell is None:
        return None
    analysed = certain.certain_reasons(table, cell)

    def printed(moved: Iterable[certain.Moved]) -> tuple[Reason, ...]:
        return tuple(_printed(table, each, record) for each in moved)

    def ranks(found: Iterable[certain.Rank]) -> tuple[RankedReasons, ...]:
        return tuple(
            RankedReasons(reasons=printed(rank.moved), may_weigh_more=printed(rank.may_weigh_more))
            for rank in found
        )

    return Reasons(
        outcome=report.process.outcome.favourable,
        announced=table.printed(int(table.announced[cell])),
        average=nearest(average_of(table), table.decimals),
        adds_up=len(attributes) <= MAX_EXACT,
        lowered=ranks(analysed.lowered),
        raised=ranks(analysed.raised),
        nothing=printed(analysed.nothing),
        unclear=printed(analysed.unclear),
    )


def _printed(table: RuleTable, moved: certain.Moved, record: Mapping[str, str]) -> Reason:
    attribute = table.cells.process.attributes[moved.attribute]
    return Reason(
        attribute=attribute.name,
        label=attribute.title,
        value=record[attribute.name],
        amount=Certified(
            value=rounded_down(moved.range.value + Fraction(1, 2 * table.scale), table.decimals),
            interval=(
                rounded_down(moved.range.low, table.decimals),
                rounded_up(moved.range.high, table.decimals),
            ),
        ),
    )
