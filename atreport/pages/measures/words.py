"""What readers are told of a fairness measure: one object, filled in by the module of the measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from atreport.pages.measures.unit import Unit
from atreport.pages.wording import named_values
from atreport.spec.models.process import Process

Compared = Callable[[tuple[str, str], Mapping[str, str] | None, Process], str]
"""Names two groups, and what they have in common where the measure compares within strata."""


def two_groups(groups: tuple[str, str], given: Mapping[str, str] | None, process: Process) -> str:
    """Two groups and perhaps what they have in common, such as F and M, Annual income: <100k."""
    return " and ".join(groups) + (f", {named_values(process, given)}" if given else "")


@dataclass(frozen=True)
class RateWords:
    """What readers are told of one of the rates that a measure is about."""

    name: str
    definition: str  # follows the name and a colon; {favourable}: the favourable outcome


@dataclass(frozen=True, kw_only=True)
class MeasureWords:
    """The words of a measure."""

    name: str
    definition: str  # follows the name and a colon; {favourable}: the favourable outcome
    terms: Mapping[str, str]  # of the glossary, with their meaning
    unit: Unit
    unit_asked: Callable[[Any], Unit] | None = None
    """Where the unit depends on the spec's entry, which then gives exactly one assessment: the unit of it."""
    compared: Compared = two_groups
    is_gap: bool = False  # with two outcomes its figure is the difference between the two favourable rates
    names_at: Mapping[Decimal, str] = field(
        default_factory=dict
    )  # what it is called with a certain threshold

    rates: Mapping[str, RateWords] = field(default_factory=dict)  # where it is about several

    def named_at(self, threshold: Decimal | None, rate: str | None = None) -> str:
        """Its usual name, or the one it has with this threshold, or of one of its rates."""
        if rate is not None:
            return self.rates[rate].name
        return self.name if threshold is None else self.names_at.get(threshold, self.name)
