"""Calculate a report again from its own announced rule and population: what follows from them must be what is stated.

With counts published, everything can be calculated. With shares, figures may differ from the stated ones by what the
rounding of shares does, so they are taken as stated, and the verifier that is shipped beside reports checks them; without a
population only what needs none is calculated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from atreport.analysis.explanations import explain_rule
from atreport.analysis.explanations.explanation import Explanation
from atreport.analysis.measures import Measured, NotMeasured, measure_all
from atreport.population.small_cells import rounded_range, suppressed_range
from atreport.publication.explanation import print_influences, print_rule_sets
from atreport.publication.fairness import print_assessments, print_not_assessed, print_value_rates
from atreport.publication.forms import print_form
from atreport.publication.notes import disclosure_notes
from atreport.report.explanation import Influence, RuleSet
from atreport.report.fairness import Assessment
from atreport.report.figures import Part
from atreport.report.model import Report
from atreport.rule_table import RuleTable


@dataclass(frozen=True, eq=False)
class Recalculation:
    """A report as stated, and what follows from its announced rule and its population as published."""

    stated: Report

    @property
    def table(self) -> RuleTable:
        """The announced rule. Raises ValueError where the report's cells do not fit together."""
        return self.stated.rule_table

    @property
    def has_counts(self) -> bool:
        """Whether everything can be calculated from what is published."""
        return self.stated.policy.population == "counts"

    @cached_property
    def _measured(self) -> tuple[list[Measured], list[NotMeasured]]:
        return measure_all(self.table, self.stated.measures)

    @cached_property
    def assessments(self) -> tuple[Assessment, ...]:
        """The fairness measures."""
        return print_assessments(self.table, self._measured[0])

    @cached_property
    def _explanation(self) -> Explanation:
        return explain_rule(self.table, self.stated.transparency)

    @cached_property
    def influence(self) -> tuple[Influence, ...]:
        """Influences; where shares are published, with intervals that may be a step wider for their rounding."""
        found = print_influences(self.table, self._explanation.influence)
        either = zip(self.stated.influence, found, strict=False)
        alike = tuple(self._as_stated(stated, again) for stated, again in either)
        return (*alike, *found[len(alike) :])

    def _as_stated(self, stated: Influence, again: Influence) -> Influence:
        population = self.stated.policy.population
        about = ("kind", "attributes", "quantity", "at")
        if any(getattr(stated, name) != getattr(again, name) for name in about):
            return again
        if population == "withheld":  # what it is about is as asked; its figure cannot be calculated
            return stated
        if population != "shares" or stated.interval is None or again.interval is None:
            return again
        wider = again.interval[0] - stated.interval[0], stated.interval[1] - again.interval[1]
        step = self.table.printed(1)
        if all(0 <= by <= step for by in wider):
            return again.model_copy(update={"interval": stated.interval})
        return again

    @cached_property
    def rules(self) -> tuple[RuleSet, ...]:
        """The rule in other words."""
        return print_rule_sets(self.table, self._explanation.rules)

    @cached_property
    def report(self) -> Report:
        """The whole report, as far as it follows from itself; the rest as stated."""
        stated = self.stated
        found: dict[str, Any] = {
            "not_assessed": print_not_assessed(self._measured[1]) or None,
            "influence": self.influence,
            "rules": self.rules,
            "unexplained": self._explanation.nobody or None,
        }
        if self.has_counts:
            found |= {
                "fairness": self.assessments,
                "value_rates": print_value_rates(self.table) or None,
            }
            if stated.form is not None:
                found["form"] = print_form(self.table, stated.form.template, stated.form.fields)
        parts = {name: part for name, part in found.items() if part is not None}
        kept = {name: getattr(stated, name) for name in stated.model_fields_set - found.keys()}
        report = Report.model_construct(
            stated.model_fields_set - found.keys() | parts.keys(), **kept, **parts
        )
        return report.model_copy(update={"notes": disclosure_notes(report)})


def measure_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other measures: all of them where counts are published, else what needs no population."""
    stated, again = found.stated.fairness, found.assessments
    if len(again) != len(stated):
        yield "fairness: not the comparisons that were asked for"
        return
    for place, (said, made) in enumerate(zip(stated, again, strict=True), 1):
        name = f"fairness {place}, {said.measure}"
        # which group is the most favoured, or which are furthest apart, depends on the number of people
        groups = "groups" if found.has_counts else "groups_asked"
        if getattr(said, groups) != getattr(made, groups):
            yield f"{name}: not the groups that are compared"
        if (found.has_counts or said.groups is None) and said.result != made.result:
            yield f"{name}: not the figure and interval of the announced rule"
        if said.value_at_most != made.value_at_most:
            yield f"{name}: not the limit that the search gives"
        if not found.has_counts:
            continue
        if (_ends(said), said.outcome) != (_ends(made), made.outcome):
            yield f"{name}: not what people of unknown group could make of it"
        if said.sampling != made.sampling:
            yield f"{name}: not the interval for chance"
        if _rates(said) != _rates(made):
            yield f"{name}: not the rates of the groups"


def _ends(said: Assessment) -> tuple[Any, ...] | None:
    return None if said.unknown is None else (said.unknown.interval, said.unknown.attained)


def _rates(said: Assessment) -> list[tuple[Any, ...]]:
    return [(rate.group, rate.value, rate.interval, rate.sampling) for rate in said.rates or ()]


def explanation_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other influences, curves or rules than stated."""
    yield from _part_findings("influence", found.stated.influence, found.influence, "kind")
    yield from _part_findings("rules", found.stated.rules, found.rules, "scheme")


def _part_findings(part: str, stated: Sequence[Part], again: Sequence[Part], kind: str) -> Iterator[str]:
    if len(again) != len(stated):
        yield f"{part}: {len(stated)} entries, where what was asked for gives {len(again)}"
    for place, (said, made) in enumerate(zip(stated, again, strict=False), start=1):
        if said != made:
            difference = _differing(said.as_json(), made.as_json())
            yield f"{part} {place}, {getattr(said, kind)}: {difference}"


def _differing(stated: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    keys = [key for key in {**stated, **found} if stated.get(key) != found.get(key)]
    shown = [f"{key} {stated.get(key)} is stated; recalculated {found.get(key)}" for key in keys[:2]]
    return "; ".join(text if len(text) <= 200 else f"{text[:200]}…" for text in shown)


def people_findings(report: Report) -> Iterator[str]:
    """Where what guarded counts leave open does not follow from what is published."""
    table = report.rule_table
    cells, account = table.cells, table.small_cells
    for known in account.known:
        if known.people != cells.population[known.cells].sum():
            yield "cells: a published sum is not that of its cells"
    if cells.between is None or (account.suppressed is None and report.privacy.unprotectable.merged):
        return
    if account.suppressed is None:
        follows = rounded_range(cells.population, account.under)
    else:
        sums = (known.cells for known in account.known)
        follows = suppressed_range(cells.population, account.suppressed, sums)
    if not all(map(np.array_equal, cells.between, follows)):
        yield "cells: the fewest and the most people do not follow from what is published"
