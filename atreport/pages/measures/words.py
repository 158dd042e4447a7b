"""What readers are told of a fairness measure: one object, filled in by the module of the measure.

Names, definitions and terms are messages in English, which :func:`atreport.kit.language.say` says in the report's language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from atreport.kit.language import say
from atreport.pages.measures.unit import Unit
from atreport.pages.wording import named_values
from atreport.spec.models.measures.error_rates import ErrorRate
from atreport.spec.models.process import Process

Compared = Callable[[tuple[str, str], Mapping[str, str] | None, Process], str]
"""Names two groups, and what they have in common where the measure compares within strata."""


def two_groups(groups: tuple[str, str], given: Mapping[str, str] | None, process: Process) -> str:
    """Two groups and perhaps what they have in common, such as F and M, among Annual income: <100k."""
    one, other = groups
    if not given:
        return say("{one} and {other}", one=one, other=other)
    return say("{one} and {other}, among {people}", one=one, other=other, people=named_values(process, given))


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
    of_many_outcomes: tuple[str, str] | None = None
    """Where its figure is another for more than two outcomes: the definition then, and what the glossary says of it."""
    unit: Unit
    unit_asked: Callable[[Any], Unit] | None = None
    """Where the unit depends on the spec's entry, which then gives exactly one assessment: the unit of it."""
    compared: Compared = two_groups
    is_gap: bool = False  # with two outcomes its figure is the difference between the two favourable rates
    names_at: Mapping[Decimal, str] = field(
        default_factory=dict
    )  # what it is called with a certain threshold

    rates: Mapping[ErrorRate, RateWords] = field(default_factory=dict)  # where it is about several

    def defined(self, outcomes: int) -> str:
        """Its definition in a report with so many outcomes."""
        return self.definition if outcomes == 2 or self.of_many_outcomes is None else self.of_many_outcomes[0]

    def terms_with(self, outcomes: int) -> Mapping[str, str]:
        """Its terms of the glossary in a report with so many outcomes."""
        if outcomes == 2 or self.of_many_outcomes is None:
            return self.terms
        return {**self.terms, self.name: self.of_many_outcomes[1]}

    def named_at(self, threshold: Decimal | None, rate: ErrorRate | None = None) -> str:
        """Its usual name, or the one it has with this threshold, or of one of its rates; in the language that is spoken."""
        if rate is not None:
            return say(self.rates[rate].name)
        return say(self.name if threshold is None else self.names_at.get(threshold, self.name))
