"""The people of a report as it publishes them: cells, groups, and what was done with counts of few people."""

from decimal import Decimal
from typing import Any, Literal

from pydantic import ConfigDict, Field

from atreport.report.figures import (
    Bound,
    Factor,
    Interval,
    Number,
    Ratio,
    ReportModel,
    Share,
    Size,
    Unit,
    Whole,
)
from atreport.spec.values import OwnWords


class KnownSum(ReportModel):
    """A number of people that is published exactly though it counts suppressed cells."""

    of: dict[str, OwnWords] = Field(
        description="Attribute → the value that these people have; empty: everybody."
    )
    people: Whole = Field(ge=0)


class PublishedSmallCells(ReportModel):
    """What was done with counts of few people.

    Counts of fewer people than `under`: published as they are (warn), all counts in steps of `under` (round), or so many
    cells without a count (suppress), each of which can have values at least `protection` apart.
    """

    policy: Literal["warn", "round", "suppress", "refuse"]
    under: Whole = Field(ge=2)
    protection: Whole | None = Field(None, ge=2)
    suppressed: Whole | None = Field(None, ge=0, description="So many cells are published without a count.")
    hidden_in: Literal["blocks"] | None = Field(
        None,
        description="blocks: sizes are left out by blocks fixed in advance, so that the promise also holds for readers who "
        "run the program; not stated: it holds for readers who subtract.",
    )
    known_sums: tuple[KnownSum, ...] | None = Field(
        None,
        description="The numbers of people that are published exactly though they count suppressed cells.",
    )

    @property
    def is_exact(self) -> bool:
        """Whether the population is published as it is."""
        return self.policy in ("warn", "refuse")


class Guarded(ReportModel):
    """What follows for the size of a cell that is rounded or not published: a function of what is published."""

    counted_as: Size | None = Field(
        None,
        description="Where no size is published: the number or share that the figures are calculated with.",
    )
    people: Interval[Whole] | None = Field(
        None,
        description="The fewest and the most people that the published numbers allow; taken together they can tell a "
        "little more.",
    )


class PublishedCell(ReportModel):
    """One cell: one key for each attribute, the size of the cell as published, and what is announced."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, OwnWords]

    share: Share | None = Field(None, description="Its share of all people.")
    population: Whole | None = Field(None, ge=1, description="The people in it.")
    guarded: Guarded | None = None
    announced: dict[OwnWords, Unit] = Field(
        min_length=2, description="Outcome → its announced probability; together they make 1."
    )
    bounds: Interval[Bound] | None = Field(
        None,
        description="Where the policy has them: the bounds of announced and true favourable probability.",
    )

    @property
    def values(self) -> dict[str, str]:
        """Attribute → the value that the people of the cell have."""
        return self.__pydantic_extra__

    @property
    def is_suppressed(self) -> bool:
        """Whether its size is not published though others' are."""
        return self.guarded is not None and self.guarded.counted_as is not None

    @property
    def size(self) -> Decimal | int | None:
        """The people or the share that figures are calculated with; None where the population is withheld."""
        if self.guarded is not None and self.guarded.counted_as is not None:
            return self.guarded.counted_as
        return self.population if self.population is not None else self.share

    def as_json(self) -> dict[str, Any]:
        """The cell as JSON has it: its values first."""
        return {**self.values, **super().as_json()}


class GroupPrivacy(ReportModel):
    """One group of people who are alike in the public attributes: what could be learned before and after."""

    may_be_null = frozenset({"odds"})

    qid: dict[str, OwnWords]
    beta: Unit = Field(description="No confidence in a sensitive value exceeds this; rounded up.")
    prior: Unit = Field(description="The confidence before any report; rounded up.")
    lift: Factor | None = Field(
        None,
        description="No sensitive value becomes more than so many times as likely as the population makes it; rounded up.",
    )
    odds: Factor | None = Field(
        None,
        description="For those who know the group, the odds of no statement about a person of it change by more than this "
        "factor; rounded up. null: without limit.",
    )
    cells: Whole = Field(ge=1)


class Rise(ReportModel):
    """The group in which the confidence in a value rises most, in points."""

    qid: dict[str, OwnWords]
    before: Unit = Field(description="The confidence in the value before any report; rounded up.")
    after: Unit = Field(description="The highest confidence in it after any outcome; rounded up.")


class ValuePrivacy(ReportModel):
    """One value of a sensitive attribute: how confident anybody can be that a person has it."""

    value: OwnWords
    before: Unit = Field(description="The highest confidence in any group before any report; rounded up.")
    after: Unit = Field(description="The highest confidence in any group after any outcome; rounded up.")
    lift: Factor = Field(
        description="It becomes at most so many times as likely as before, in any group; rounded up."
    )
    rise: Rise


class AttributePrivacy(ReportModel):
    """One sensitive attribute by itself."""

    name: str
    beta: Unit = Field(description="No confidence in one of its values exceeds this; rounded up.")
    lift: Factor = Field(description="No value becomes more than so many times as likely; rounded up.")
    values: tuple[ValuePrivacy, ...] = Field(min_length=1, description="Those that somebody has.")


class MergedValue(ReportModel):
    """A coarser value that stands for finer ones."""

    attribute: str
    value: OwnWords


class LeftOut(ReportModel):
    """People who are in the data and in no cell: of a group that was left out, or of incomplete records.

    Nothing is announced about them, so every interval allows for any decisions about them.
    """

    of: dict[str, OwnWords] = Field(
        description="Public attribute → the value that they have; one that is not named may have any."
    )
    people: Whole | None = Field(
        None,
        ge=1,
        description="How many they are: exactly where numbers of people are, at most so many where those are rounded.",
    )
    share: Ratio | None = Field(
        None, description="How many they are for each person in a cell; rounded up. Can be above 1."
    )


class Unprotectable(ReportModel):
    """Groups that no perturbation can protect: how many, their share of all people, what was done."""

    policy: Literal["refuse", "suppress", "merge"] | None
    groups: Whole = Field(ge=0)
    share: Unit
    merged: tuple[MergedValue, ...]
    left_out: tuple[LeftOut, ...] | None = Field(
        None, min_length=1, description="Whom no cell counts: of these groups, and of incomplete records."
    )


class ValueRange(ReportModel):
    """The numbers that a value stands for: at least `from` and less than `below`; null is no end."""

    attribute: str
    value: OwnWords
    low: Number | None = Field(alias="from")
    high: Number | None = Field(alias="below")
