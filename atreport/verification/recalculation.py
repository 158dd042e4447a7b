"""Calculate a report again from its own announced rule and population: what follows from them must be what is stated.

With counts published, everything can be calculated. With shares, figures may differ from the stated ones by what the
rounding of shares does, so they are taken as stated, and the verifier that is shipped beside reports checks them; without a
population only what needs none is calculated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from atreport.analysis.explanations import explain_rule
from atreport.analysis.explanations.explanation import Explanation, members
from atreport.analysis.measures import Measured, NotMeasured, measure_all
from atreport.inference import factor_printed, infer, odds_factor, populations_of
from atreport.kit.exact import class_sums
from atreport.kit.language import message, say, say_many
from atreport.kit.numbers import count
from atreport.kit.rounding import rounded_up
from atreport.population.small_cells import rounded_range, suppressed_range
from atreport.publication.explanation import print_influences, print_rule_sets
from atreport.publication.fairness import print_assessments, print_not_assessed, print_value_rates
from atreport.publication.forms import print_form
from atreport.publication.identifier import identify
from atreport.publication.languages import with_notes
from atreport.publication.rule import print_attribute
from atreport.report.explanation import Influence, RuleSet
from atreport.report.fairness import Assessment
from atreport.report.figures import Part
from atreport.report.model import Report
from atreport.rule_table import RuleTable
from atreport.verification import any_population

_WITHHELD = message(
    "How many people are in each cell is withheld. What follows from that was not calculated: confidence, lift, rates, "
    "measures, influences, shares of people and the tables of forms. Looked for was what no population could give."
)
_GUARDED_SHARES = message(
    "The shares are those of guarded counts. What follows from the number of people was not calculated: confidence, lift, "
    "rates, measures and the tables of forms. Looked for was what no population could give."
)
_COARSE_SHARES = message(
    "The smallest shares have too few digits. What follows from the number of people was not calculated: confidence, lift, "
    "rates, measures, and how wide the intervals of influences are. Looked for was what no population could give."
)
_LOOSE_INFLUENCES = message(
    "How wide the intervals of influences are was not calculated: where rates are kept, the shares have too few digits."
)
_JOINED = message(
    "Counts were rounded before groups were joined. How many people the joined cells can have was not calculated."
)
_EARLIER = message(
    "A report of version 0.1 has wider intervals and other ones for chance. How wide they are was not calculated, nor what "
    "it does not state of lift, odds and single values."
)

MOST_ROOM = Fraction(1, 100)
"""What the rounding of shares may move a figure by, for it to be called calculated.

A hundredth is what limits and verdicts are drawn in; a figure of a smallest share of up to 400 units has more room, and
one of up to 4 units any room, since no figure moves by more than one.
"""

Figures = tuple[Any, tuple[Decimal, Decimal] | None, Any]
"""A figure and what it is of; its certified interval; what else is stated beside it."""


def _holds(wide: tuple[Decimal, Decimal] | None, narrow: tuple[Decimal, Decimal] | None) -> bool:
    """Whether an interval holds another."""
    if wide is None or narrow is None:
        return wide is None
    return wide[0] <= narrow[0] and narrow[1] <= wide[1]


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

    @property
    def leaves_out(self) -> str | None:
        """Why not every figure can be calculated; None where all can be."""
        policy = self.stated.policy
        if policy.population == "withheld":
            return say(_WITHHELD)
        if policy.population == "shares" and not policy.small_cells.is_exact:
            return say(_GUARDED_SHARES)
        if are_shares_coarse(self.stated):
            return say(_COARSE_SHARES)
        if policy.small_cells.policy == "round" and self.has_counts and self.table.cells.joined.any():
            return say(_JOINED)
        if self.is_of_earlier_version:
            return say(_EARLIER)
        loose = policy.population == "shares" and self._kept_share_off > MOST_ROOM
        return say(_LOOSE_INFLUENCES) if loose and self.stated.influence else None

    @property
    def is_for_any_population(self) -> bool:
        """Whether nothing can be calculated that depends on the number of people."""
        return is_for_any_population(self.stated)

    @property
    def is_of_earlier_version(self) -> bool:
        """Whether the report is of version 0.1.

        That gave wider intervals for some figures, which hold all the same, and intervals of another kind for chance.
        """
        return self.stated.generator.get("atreport", "").startswith("0.1.")

    def states(self, said: Sequence[Figures], made: Sequence[Figures]) -> bool:
        """Whether figures are stated as this program finds them; by an earlier version, perhaps in wider intervals."""
        if not self.is_of_earlier_version:
            return said == made
        return len(said) == len(made) and all(
            one[0] == other[0] and _holds(one[1], other[1]) for one, other in zip(said, made, strict=True)
        )

    @cached_property
    def measured(self) -> tuple[list[Measured], list[NotMeasured]]:
        """What was asked for, on the population as published, and what could not be compared."""
        return measure_all(self.table, self.stated.measures)

    @cached_property
    def assessments(self) -> tuple[Assessment, ...]:
        """The fairness measures."""
        return print_assessments(self.table, self.measured[0])

    @cached_property
    def _explanation(self) -> Explanation:
        return explain_rule(self.stated.described_rule, self.stated.transparency)

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
        if stated.interval is None or again.interval is None:
            return again
        if self.is_of_earlier_version and _holds(stated.interval, again.interval):
            return again.model_copy(update={"interval": stated.interval})
        if population != "shares":
            return again
        # they hold for the exact people too, whose shares are printed rounded
        like: dict[str, Any] = {
            name: getattr(stated, name)
            for name in ("a_priori", "reach")
            if getattr(stated, name) is not None
            and _alike(getattr(stated, name), getattr(again, name), self._draw_rounding(stated))
        }
        if _is_around(stated.interval, again.interval, self.share_rounding):
            like["interval"] = stated.interval
        return again.model_copy(update=like)

    def _draw_rounding(self, stated: Influence) -> Decimal:
        """The most by which the rounding of shares moves how far draws reach, and the most that they can change.

        A person of a group is drawn, and another of whom a value is taken. Each of n shares is off by one unit at most, so
        either draw is another with a probability of n in the units of the group or less; each counts four times at most.
        """
        if stated.kind not in ("qii", "shapley", "permutation"):
            return Decimal(0)
        table, quantity = self.table, stated.quantity
        groups = (
            [{}]
            if quantity is None
            else [each for each in (quantity.group, quantity.minus) if each is not None]
        )
        people = [int(table.weights[0][members(table.cells, each)].sum()) for each in groups]
        if min(people) <= len(table.cells):
            return self.share_rounding
        off = sum(
            Fraction(8 * len(table.cells) * table.scale, number - len(table.cells)) for number in people
        )
        return min(self.share_rounding, table.printed(math.ceil(off)))

    @cached_property
    def share_rounding(self) -> Decimal:
        """The most by which the rounding of shares moves a figure: one printed step, or more where they are coarse.

        Shares have at most 18 digits less the decimals, so in large populations the smallest may have few. Where rates are
        kept it is more too: what the rest of a QID group leaves for one of its cells is off by as many times as much as the
        group is larger than the cell.
        """
        off = math.ceil(self._kept_share_off * self.table.scale)
        return self.table.printed(max(1, off) if self.table.rates is None else 1 + off)

    @cached_property
    def _kept_share_off(self) -> Fraction:
        people, group = self.table.weights[0], self.table.cells.group
        off = _share_off(int(people.min()))
        if self.table.rates is None:
            return off
        times = class_sums(people, group, int(group[-1]) + 1)[group] / people
        return off * Fraction(float(times.max()))

    @cached_property
    def rules(self) -> tuple[RuleSet, ...]:
        """The rule in other words; as stated where it depends on numbers of people that are withheld."""
        found = print_rule_sets(self.table, self._explanation.rules)
        schemes = [each.scheme for each in found]
        if (
            self.stated.policy.population == "withheld"
            and [each.scheme for each in self.stated.rules] == schemes
        ):
            return self.stated.rules
        return found

    @cached_property
    def report(self) -> Report:
        """The whole report, as far as it follows from itself; the rest as stated."""
        stated = self.stated
        found: dict[str, Any] = {
            "not_assessed": print_not_assessed(self.measured[1]) or None,
            "influence": self.influence,
            "rules": self.rules,
            "unexplained": self._explanation.nobody or None,
        }
        if stated.identifier is not None:
            found["identifier"] = identify(stated.report)
        if self.has_counts:
            found |= {
                "fairness": self.assessments,
                "value_rates": print_value_rates(self.stated.described_rule) or None,
            }
            if stated.form is not None:
                recorded = any(table.recorded for table in stated.form.tables or ())
                form = print_form(self.table, stated.form.template, stated.form.fields, recorded=recorded)
                found["form"] = form
        parts = {name: part for name, part in found.items() if part is not None}
        kept = {name: getattr(stated, name) for name in stated.model_fields_set - found.keys()}
        report = Report.model_construct(
            stated.model_fields_set - found.keys() | parts.keys(), **kept, **parts
        )
        return with_notes(report)


def _share_off(smallest: int) -> Fraction:
    """The most by which a figure moves when shares are rounded, the smallest to so many units of its last digit."""
    return Fraction(8, 2 * smallest - 1)


def are_shares_coarse(report: Report) -> bool:
    """Whether shares have so few digits that no figure can be calculated from them."""
    if report.policy.population != "shares":
        return False
    shares = (cell.share or Decimal(1) for cell in report.cells)
    return _share_off(max(1, int(min(shares).scaleb(report.policy.share_decimals or 0)))) > MOST_ROOM


def is_for_any_population(report: Report) -> bool:
    """Whether nothing can be calculated that depends on the number of people."""
    guarded = report.policy.population == "shares" and not report.policy.small_cells.is_exact
    return report.policy.population == "withheld" or guarded or are_shares_coarse(report)


def privacy_findings(report: Report) -> Iterator[str]:
    """Where other figures follow for what can be inferred: all of them where counts are published, else the odds alone."""
    table, stated = report.rule_table, report.privacy
    if stated.attributes is None:  # version 0.1 stated none; the shipped verifier asks whether others did
        return
    cells, decimals = table.cells, table.decimals
    odds = [factor_printed(int(step), decimals) for step in odds_factor(cells, table.mapping, decimals)]
    if odds != [group.odds for group in stated.groups]:
        yield say("privacy: not the odds factors of the announced rule")
    if Recalculation(report).is_for_any_population:
        yield from any_population.privacy_findings(report)
    if report.policy.population != "counts":
        return
    found = infer(cells, table.mapping, populations_of(cells, table.weights), decimals)
    if [table.printed(int(lift)) for lift in found.lift] != [group.lift for group in stated.groups]:
        yield say("privacy: not the lift of the announced rule")
    for attribute, said in zip(found.attributes, stated.attributes, strict=True):
        if (made := print_attribute(table, attribute)) != said:
            difference = _differing(said.as_json(), made.as_json())
            yield say("{where}: {what}", where=f"privacy, {said.name}", what=difference)


def measure_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other measures: all of them where counts are published, else what needs no population."""
    stated, again = found.stated.fairness, found.assessments
    if len(again) != len(stated):
        yield say("fairness: not the comparisons that were asked for")
        return
    for place, (said, made) in enumerate(zip(stated, again, strict=True), 1):
        name = f"fairness {place}, {said.measure}"
        # which group is the most favoured, or which are furthest apart, depends on the number of people
        groups = "groups" if found.has_counts else "groups_asked"
        if (getattr(said, groups), said.rate) != (getattr(made, groups), made.rate):
            yield say("{name}: not the groups that are compared", name=name)
        if said.by != made.by and not (said.by is None and found.is_of_earlier_version):
            yield say("{name}: not the attributes that make the groups", name=name)
        if (found.has_counts or said.groups is None) and not found.states(_figures(said), _figures(made)):
            yield say("{name}: not the figure and interval of the announced rule", name=name)
        if said.value_at_most != made.value_at_most:
            yield say("{name}: not the limit that the search gives", name=name)
        if not found.has_counts:
            bounds = [None if each.log_ratio is None else each.log_ratio.a_priori for each in (said, made)]
            if bounds[0] != bounds[1]:
                yield say("{name}: not the figure and interval of the announced rule", name=name)
            if not _follow(said):
                yield say("{name}: not the groups that are compared", name=name)
            # which group is the most favoured may depend on the rounding of shares, and then so do the rates that are given
            like = said.groups == made.groups and not (
                found.is_for_any_population or found.is_of_earlier_version
            )
            if like and not _alike(said, made, found.share_rounding):
                yield say("{name}: not what the shares give, as far as they are rounded", name=name)
            continue
        if (_ends(said), said.outcome) != (_ends(made), made.outcome):
            yield say("{name}: not what people of unknown group could make of it", name=name)
        if said.sampling != made.sampling and not found.is_of_earlier_version:
            yield say("{name}: not the interval for chance", name=name)
        if not found.states(_rates(said), _rates(made)):
            yield say("{name}: not the rates of the groups", name=name)


def _follow(said: Assessment) -> bool:
    """Whether the groups, or the outcome, that a figure is of are those that its printed rates or figures say."""
    of = {rate.group: rate.value for rate in said.rates or ()}
    if said.measure in ("group_disparity", "impact_ratio") and said.groups is not None:
        first, second = (of.get(group) for group in said.groups)
        ends = (
            (max(of.values()), min(of.values()))
            if said.measure == "group_disparity"
            else (first, max(of.values()))
        )
        if (first, second) != ends:
            return False
    figures = [(each.outcome, each.value) for each in said.by_outcome or ()]
    return said.outcome is None or (said.outcome, said.value) in figures


_OTHERWISE = frozenset({"verdict", "groups", "outcome"})
"""What is checked in other ways."""


def _alike(said: Any, made: Any, off: Decimal) -> bool:
    """Whether a part is stated as it was found, but for what the rounding of shares does to figures and intervals."""
    if isinstance(said, Part):
        return said.model_fields_set == made.model_fields_set and all(
            _is_around(getattr(said, name), getattr(made, name), off)
            if name == "interval"
            else name in _OTHERWISE or _alike(getattr(said, name), getattr(made, name), off)
            for name in said.model_fields_set
        )
    if isinstance(said, tuple):
        return len(said) == len(made or ()) and all(
            _alike(one, other, off) for one, other in zip(said, made, strict=True)
        )
    if isinstance(said, Decimal) and isinstance(made, Decimal):
        return abs(said - made) <= off
    return bool(said == made)


def _is_around(
    said: tuple[Decimal, Decimal] | None, made: tuple[Decimal, Decimal] | None, off: Decimal
) -> bool:
    """Whether an interval holds another and goes beyond it by so much at most."""
    if said is None or made is None:
        return said == made
    return all(0 <= by <= off for by in (made[0] - said[0], said[1] - made[1]))


def _ends(said: Assessment) -> tuple[Any, ...] | None:
    return None if said.unknown is None else (said.unknown.interval, said.unknown.attained)


def _figures(said: Assessment) -> list[Figures]:
    figures: list[Figures] = [((said.value, said.at_least), said.interval, None)]
    figures += [((each.outcome, each.value), each.interval, None) for each in said.by_outcome or ()]
    return figures


def _rates(said: Assessment) -> list[Figures]:
    return [((rate.group, rate.kind, rate.value), rate.interval, rate.sampling) for rate in said.rates or ()]


def any_population_findings(found: Recalculation) -> Iterator[str]:
    """Where figures are stated that no population gives, of a report that does not say how many people there are."""
    stated, (measured, _) = found.stated.fairness, found.measured
    if found.is_for_any_population and len(stated) == len(measured):
        yield from any_population.AnyPopulation(found.table).measure_findings(stated, measured)


def explanation_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other influences, curves or rules than stated."""
    yield from _part_findings("influence", found.stated.influence, found.influence, "kind")
    yield from _part_findings("rules", found.stated.rules, found.rules, "scheme")


def _part_findings(part: str, stated: Sequence[Part], again: Sequence[Part], kind: str) -> Iterator[str]:
    if len(again) != len(stated):
        yield say_many(
            len(stated),
            "{part}: {number} entry, where what was asked for gives {given}",
            "{part}: {number} entries, where what was asked for gives {given}",
            part=part,
            given=count(len(again)),
        )
    for place, (said, made) in enumerate(zip(stated, again, strict=False), start=1):
        if said != made:
            difference = _differing(said.as_json(), made.as_json())
            yield say("{where}: {what}", where=f"{part} {place}, {getattr(said, kind)}", what=difference)


def _differing(stated: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    keys = [key for key in {**stated, **found} if stated.get(key) != found.get(key)]
    shown = [
        say(
            "{stated} is stated; recalculated {again}",
            stated=f"{key} {stated.get(key)}",
            again=found.get(key),
        )
        for key in keys[:2]
    ]
    return "; ".join(text if len(text) <= 200 else f"{text[:200]}…" for text in shown)


def people_findings(report: Report) -> Iterator[str]:
    """Where what guarded counts leave open does not follow from what is published."""
    table = report.rule_table
    cells, account = table.cells, table.small_cells
    if not _are_all_counted(report):
        yield say("privacy: the people who are left out are not as many as the report says elsewhere")
    for known in account.known:
        if known.people != cells.population[known.cells].sum():
            yield say("cells: a published sum is not that of its cells")
    if cells.between is None:
        return
    if account.suppressed is None:
        follows = rounded_range(cells.population, account.under)
    else:
        sums = (known.cells for known in account.known)
        follows = suppressed_range(cells.population, account.suppressed, sums)
    # rounded counts that were joined were rounded before: what they leave open is not followed, and is named
    followed = ~cells.joined if account.suppressed is None else np.ones(len(cells), dtype=bool)
    if not all(
        np.array_equal(stated[followed], found[followed])
        for stated, found in zip(cells.between, follows, strict=True)
    ):
        yield say("cells: the fewest and the most people do not follow from what is published")


def _are_all_counted(report: Report) -> bool:
    """Whether as many are left out as the share of groups and the number of records say; version 0.1 did not tell."""
    account, estimation, cells = report.privacy.unprotectable, report.estimation, report.arranged
    groups = account.groups if account.policy == "suppress" else 0
    records = (0, 0)
    if estimation is not None and estimation.population == "records":
        records = estimation.excluded_between or (estimation.excluded or 0, estimation.excluded or 0)
    if report.generator.get("atreport", "").startswith("0.1."):
        return True
    if report.policy.population != "counts" or cells.between is not None:
        return bool(cells.left_out) == bool(groups or records[1])
    left_out = sum(each.people[0] for each in cells.left_out) - records[1]
    if not groups:
        return left_out == 0
    everybody = left_out + int(cells.population.sum(dtype=object))
    return left_out > 0 and rounded_up(Fraction(left_out, everybody), report.policy.decimals) == account.share
