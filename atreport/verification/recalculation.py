"""Calculate a report again from its own announced rule and population: what follows from them must be what is stated.

With counts published, everything can be calculated. With shares, figures may differ from the stated ones by what the
rounding of shares does, so they are taken as stated, and the verifier that is shipped beside reports checks them; without a
population only what needs none is calculated.
"""

import importlib.util
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.compose import with_notes
from atreport.compose.fairness import print_assessments, print_not_assessed, print_value_rates
from atreport.compose.forms import print_form
from atreport.compose.generator import identify, is_of_version_0_1
from atreport.compose.rule import print_attribute
from atreport.core.band import Range
from atreport.core.cells import ExactArray
from atreport.core.exact import class_sums
from atreport.core.inference import factor_printed, odds_factor, populations_of, posterior_bounds
from atreport.core.rule_table import RuleTable
from atreport.core.suppression import rounded_range, suppressed_range
from atreport.explain import explain_rule
from atreport.explain.explanation import Explanation, members_of
from atreport.measures import OF_TWO_RATES, measure_all
from atreport.measures.comparisons import (
    difference_range,
    disparity_range,
    impact_range,
    largest,
    smaller_of_both,
)
from atreport.measures.feasible_rules import Truths, apart
from atreport.measures.measured import Measured, NotMeasured
from atreport.measures.membership import who_may_join
from atreport.measures.rates import Mask, values_of_groups
from atreport.processes import in_subprocess
from atreport.report.explanation import Influence, RuleSet
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.figures import IntervalEstimate, ReportModel
from atreport.report.model import Report
from atreport.report.people import GroupPrivacy
from atreport.report.reader import Published, parse_json
from atreport.resources import VERIFIER, templates_folder
from atreport.spec.fairness import ErrorRates, GroupMeasure
from atreport.text.language import count, gettext, lazy_gettext, message, ngettext, resolve
from atreport.text.numbers import rounded_up
from atreport.verification.findings import at

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
            return gettext(_WITHHELD)
        if policy.population == "shares" and not policy.small_cells.is_exact:
            return gettext(_GUARDED_SHARES)
        if are_shares_coarse(self.stated):
            return gettext(_COARSE_SHARES)
        if policy.small_cells.policy == "round" and self.has_counts and self.table.cells.joined.any():
            return gettext(_JOINED)
        if self.is_of_earlier_version:
            return gettext(_EARLIER)
        loose = policy.population == "shares" and self._kept_share_off > MOST_ROOM
        return gettext(_LOOSE_INFLUENCES) if loose and self.stated.influence else None

    @property
    def is_of_earlier_version(self) -> bool:
        """Whether the report is of version 0.1."""
        return is_of_version_0_1(self.stated.generator)

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
        found = self._explanation.influence
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
        people = [int(table.weights[0][members_of(table.cells, each)].sum()) for each in groups]
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
        found = self._explanation.rules
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
        yield gettext("privacy: not the odds factors of the announced rule")
    if is_for_any_population(report):
        yield from population_free_privacy_findings(report)
    if report.policy.population != "counts":
        return
    found = posterior_bounds(cells, table.mapping, populations_of(cells, table.weights), decimals)
    if [table.printed(int(lift)) for lift in found.lift] != [group.lift for group in stated.groups]:
        yield gettext("privacy: not the lift of the announced rule")
    for attribute, said in zip(found.attributes, stated.attributes, strict=True):
        if (made := print_attribute(table, attribute)) != said:
            yield at(f"privacy, {said.name}", _differing(said, made))


def measure_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other measures: all of them where counts are published, else what needs no population."""
    stated, again = found.stated.fairness, found.assessments
    if len(again) != len(stated):
        yield gettext("fairness: not the comparisons that were asked for")
        return
    for place, (said, made) in enumerate(zip(stated, again, strict=True), 1):
        name = f"fairness {place}, {said.measure}"
        # which group is the most favoured, or which are furthest apart, depends on the number of people
        groups = "groups" if found.has_counts else "groups_asked"
        if (getattr(said, groups), said.rate) != (getattr(made, groups), made.rate):
            yield gettext("{name}: not the groups that are compared", name=name)
        if said.by != made.by and not (said.by is None and found.is_of_earlier_version):
            yield gettext("{name}: not the attributes that make the groups", name=name)
        if (found.has_counts or said.groups is None) and not found.states(_figures(said), _figures(made)):
            yield gettext("{name}: not the figure and interval of the announced rule", name=name)
        if said.value_at_most != made.value_at_most:
            yield gettext("{name}: not the limit that the search gives", name=name)
        if not found.has_counts:
            bounds = [None if each.log_ratio is None else each.log_ratio.a_priori for each in (said, made)]
            if bounds[0] != bounds[1]:
                yield gettext("{name}: not the figure and interval of the announced rule", name=name)
            if not _follow(said):
                yield gettext("{name}: not the groups that are compared", name=name)
            # which group is the most favoured may depend on the rounding of shares, and then so do the rates that are given
            like = said.groups == made.groups and not (
                is_for_any_population(found.stated) or found.is_of_earlier_version
            )
            if like and not _alike(said, made, found.share_rounding):
                yield gettext("{name}: not what the shares give, as far as they are rounded", name=name)
            continue
        ends = [each.unknown and (each.unknown.interval, each.unknown.attained) for each in (said, made)]
        if ends[0] != ends[1] or said.outcome != made.outcome:
            yield gettext("{name}: not what people of unknown group could make of it", name=name)
        if said.sampling != made.sampling and not found.is_of_earlier_version:
            yield gettext("{name}: not the interval for chance", name=name)
        if not found.states(_rates(said), _rates(made)):
            yield gettext("{name}: not the rates of the groups", name=name)


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
    if isinstance(said, ReportModel):
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


def _figures(said: Assessment) -> list[Figures]:
    by_outcome = [((each.outcome, each.value), each.interval, None) for each in said.by_outcome or ()]
    return [((said.value, said.at_least), said.interval, None), *by_outcome]


def _rates(said: Assessment) -> list[Figures]:
    return [((rate.group, rate.kind, rate.value), rate.interval, rate.sampling) for rate in said.rates or ()]


def any_population_findings(found: Recalculation) -> Iterator[str]:
    """Where figures are stated that no population gives, of a report that does not say how many people there are."""
    stated, (measured, _) = found.stated.fairness, found.measured
    if is_for_any_population(found.stated) and len(stated) == len(measured):
        yield from AnyPopulation(found.table).measure_findings(stated, measured)


def explanation_findings(found: Recalculation) -> Iterator[str]:
    """Where this program finds other influences, curves or rules than stated."""
    parts: Sequence[tuple[str, Sequence[ReportModel], Sequence[ReportModel], str]] = (
        ("influence", found.stated.influence, found.influence, "kind"),
        ("rules", found.stated.rules, found.rules, "scheme"),
    )
    for part, stated, again, kind in parts:
        if len(again) != len(stated):
            yield ngettext(
                len(stated),
                "{part}: {number} entry, where what was asked for gives {given}",
                "{part}: {number} entries, where what was asked for gives {given}",
                part=part,
                given=count(len(again)),
            )
        for place, (said, made) in enumerate(zip(stated, again, strict=False), start=1):
            if said != made:
                yield at(f"{part} {place}, {getattr(said, kind)}", _differing(said, made))


def _differing(said: ReportModel, made: ReportModel) -> str:
    stated, found = said.as_json(), made.as_json()
    keys = [key for key in {**stated, **found} if stated.get(key) != found.get(key)]
    shown = [
        gettext(
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
        yield gettext("privacy: the people who are left out are not as many as the report says elsewhere")
    for known in account.known:
        if known.people != cells.population[known.cells].sum():
            yield gettext("cells: a published sum is not that of its cells")
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
        yield gettext("cells: the fewest and the most people do not follow from what is published")


def _are_all_counted(report: Report) -> bool:
    """Whether as many are left out as the share of groups and the number of records say; version 0.1 did not tell."""
    account, estimation, cells = report.privacy.unprotectable, report.estimation, report.arranged
    groups = account.groups if account.policy == "suppress" else 0
    records = (0, 0)
    if estimation is not None and estimation.population == "records":
        records = estimation.excluded_between or (estimation.excluded or 0, estimation.excluded or 0)
    if is_of_version_0_1(report.generator):
        return True
    if report.policy.population != "counts" or cells.between is not None:
        return bool(cells.left_out) == bool(groups or records[1])
    left_out = sum(each.people[0] for each in cells.left_out) - records[1]
    if not groups:
        return left_out == 0
    everybody = left_out + int(cells.population.sum(dtype=object))
    return left_out > 0 and rounded_up(Fraction(left_out, everybody), report.policy.decimals) == account.share


# Read a report.json a second time, by the verifier that is shipped beside reports: one file that shares no
# code with us.
#
# Of a large report this is done in a process of its own, while this one makes the pages again. That file
# speaks English. Its sentences remember their words and what fills them, so they are said here in the
# language of the report.

_LARGE = 500_000
"""Bytes of report.json from which on another process is worth its start."""


@cache
def _verifier() -> ModuleType:
    found = importlib.util.spec_from_file_location("atreport_shipped_verifier", templates_folder() / VERIFIER)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class SecondReading:
    """What the second reading of a report.json found, to be said with `resolve`."""

    findings: list[str]  # what does not follow from the published rule and population
    loose: int = 0  # intervals that may be wider by more than a hundredth for the rounding of shares


@contextmanager
def second_reading(published: Published) -> Iterator[Callable[[], SecondReading]]:
    """Begin to read a report a second time, and give a way to fetch what was found."""
    if len(published.content) < _LARGE:
        yield lambda: read_again(published.content)
        return
    with in_subprocess(read_again, published.content) as fetch:
        yield fetch


def read_again(content: bytes) -> SecondReading:
    """What the shipped verifier finds; what the other process runs."""
    try:
        report = _verifier().Report(parse_json(content, "report.json"))
        report.check()
    except Exception as error:  # parts that do not fit together, in as many ways as there are figures
        reason = lazy_gettext(
            "report.json: the figures cannot be recalculated: {error}", error=type(error).__name__
        )
        return SecondReading([reason])
    return SecondReading([*map(_remembered, report.findings)], len(report.loose))


def _remembered(told: Any) -> str:
    """A sentence of the verifier as one of ours; what fills it are texts, or such sentences."""
    if not isinstance(told, _verifier().Told):
        return str(told)
    return lazy_gettext(told.words, **{name: _remembered(value) for name, value in told.values.items()})


def table_findings(content: bytes, files: Mapping[str, bytes]) -> Iterator[str]:
    """Where cells.csv or measures.csv does not have the rows of report.json."""
    for finding in _verifier().check_tables(files, parse_json(content, "report.json")):
        yield resolve(_remembered(finding))


def checksum_statements(files: Mapping[str, bytes]) -> Iterator[str]:
    """Where dcat.jsonld or the page states another checksum than a file has."""
    try:
        for finding in _verifier().check_catalogue(files):
            yield resolve(_remembered(finding))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # no JSON, or of another shape
        yield gettext("dcat.jsonld or report.html: what catalogues are told cannot be read")


# What must hold of a report's figures however many people are in its cells: all that can be checked where
# that is not said.
#
# Every cell has somebody in it, so a rate is an average of the probabilities announced in its cells, and both
# ends of its interval are such averages of the ends of their bands. Comparisons follow from the rates that
# are printed. Nothing here says that a figure is right: it finds figures that no population gives.


@dataclass(frozen=True)
class AnyPopulation:
    """The announced rule, on any number of people that there may be in its cells."""

    table: RuleTable

    def measure_findings(self, stated: Sequence[Assessment], measured: Sequence[Measured]) -> Iterator[str]:
        """Where a rate is one that no population gives, or a comparison does not follow from its rates."""
        for place, (said, found) in enumerate(zip(stated, measured, strict=True), start=1):
            name = f"fairness {place}, {said.measure}"
            asked, rates = found.asked, said.rates or ()
            if not isinstance(asked, GroupMeasure):
                continue
            if [(rate.group, rate.kind) for rate in rates] != self._of_rates(said, found, asked):
                yield gettext("{name}: not the rates of the groups", name=name)
                continue
            parts = [self._people(asked, said, rate) for rate in rates]
            for rate, (sure, joined) in zip(rates, parts, strict=True):
                if rate.kind != "predictive" and not self._is_possible(rate, sure, joined=joined):
                    yield at(
                        f"{name}, {rate.group}", gettext("a rate that no number of people in the cells gives")
                    )
            share_nobody = not any(joined for _, joined in parts) and not _overlap(parts)
            of_all = [one for one, other in zip(stated, measured, strict=True) if other.asked is asked]
            follows = self._follows(said, asked, of_all, share_nobody=share_nobody)
            if not follows or not _is_logarithm(said, self.table.decimals):
                yield gettext("{name}: not the figure and interval of the rates that it compares", name=name)

    @property
    def is_of_one_population(self) -> bool:
        """Whether intervals are of the same people as figures; beside shares they hold for the exact people too."""
        return self.table.small_cells.is_exact and self.table.population != "shares"

    def _of_rates(
        self, said: Assessment, found: Measured, asked: GroupMeasure
    ) -> list[tuple[str, str | None]]:
        """Of whom rates must be stated; the most favoured group is the one that is said to be."""
        if said.measure == "impact_ratio" and said.groups is not None:
            groups = values_of_groups(self.table.cells, asked.groups)
            return [(name, None) for name in groups if name in said.groups]
        return [(rate.group, rate.kind) for rate in found.rates]

    def _people(self, asked: GroupMeasure, said: Assessment, rate: GroupRate) -> tuple[Mask, bool]:
        """The cells of a rate, and whether people who are published otherwise, or left out, may belong to it."""
        cells = self.table.cells
        conditions = [values_of_groups(cells, asked.groups)[rate.group]]
        conditions.append({name: (value,) for name, value in (said.given or {}).items()})
        if isinstance(asked, ErrorRates):
            positive = rate.kind in ("true_positive", "false_negative")
            side = asked.positive_values if positive else asked.negative_values
            conditions.append({asked.label: side(cells.process)})
        sure, perhaps, left_out = who_may_join(cells, conditions)
        return sure, bool(perhaps.any() or left_out)

    def _is_possible(self, rate: GroupRate, sure: Mask, *, joined: bool) -> bool:
        """Whether some numbers of people in these cells give a rate and its interval, as they are rounded."""
        said: IntervalEstimate = rate
        if rate.kind == "false_negative":
            mirrored = (1 - rate.high, 1 - rate.low)
            said = IntervalEstimate.model_construct(value=1 - rate.value, interval=mirrored)
        if not sure.any():
            return joined
        table, truths = self.table, Truths(self.table)
        favourable = [table.cells.process.outcome.favourable]
        announced = table.announced[sure].astype(object) * (truths.denominator // table.scale)
        lower, upper = (end[sure].astype(object) for end in truths.band(favourable))

        def is_mean(steps: Fraction, of_cells: ExactArray, below: Fraction, above: Fraction) -> bool:
            least, most = (
                Fraction(int(end) * table.scale, truths.denominator)
                for end in (of_cells.min(), of_cells.max())
            )
            return least - below <= steps <= most + above

        value, low, high = (Fraction(number) * table.scale for number in (said.value, said.low, said.high))
        half, step, free = Fraction(1, 2), Fraction(1), Fraction(table.scale)
        outward = free if joined else step  # whoever joins the group moves its rate further
        inward = free if table.rates is not None else Fraction(0)  # a kept rate may be narrower than any band
        apart_from = free if joined or not self.is_of_one_population else half + step
        return (
            low <= value <= high
            and is_mean(value, announced, half, half)
            and is_mean(low, lower, outward, inward)
            and is_mean(high, upper, inward, outward)
            and is_mean(value - low, announced - lower, inward + half, apart_from)
            and is_mean(high - value, upper - announced, inward + half, apart_from)
        )

    def _follows(
        self, said: Assessment, asked: GroupMeasure, of_all: Sequence[Assessment], *, share_nobody: bool
    ) -> bool:
        """Whether a comparison is what its printed rates give, as far as they are rounded."""
        result, table = said.result, self.table
        if result is None or len(table.cells.process.outcome.values) > 2:
            return True  # of several outcomes not all rates are printed
        known: dict[str, list[GroupRate]] = {}
        for rate in said.rates or ():
            known.setdefault(rate.group, []).append(rate)
        if said.measure == "impact_ratio":
            of = {rate.group: rate for each in of_all for rate in each.rates or ()}
            known = {name: [of[name]] for name in values_of_groups(table.cells, asked.groups) if name in of}
        step = Fraction(1, table.scale)
        figure, widest, narrowest = (
            _compared(said, {name: [_range(rate, step, kind) for rate in of] for name, of in known.items()})
            for kind in ("figure", "widest", "narrowest")
        )
        if figure is None or widest is None:
            return True
        value, low, high = (Fraction(number) for number in (result.value, result.low, result.high))
        holds = figure.low - step <= value <= figure.high + step
        holds = holds and widest.low - step <= low and high <= widest.high + step
        together = table.rates is not None and said.measure in ("group_disparity", "impact_ratio")
        of_several = table.population == "shares"  # each interval is as wide as one of them makes it
        if narrowest is None or together or of_several or not share_nobody:
            return holds
        return holds and low <= narrowest.low + step and narrowest.high - step <= high


def _is_logarithm(said: Assessment, decimals: int) -> bool:
    """Whether the ratio as a logarithm is that of the ratio as it is printed, as far as that is rounded."""
    log, ratio = said.log_ratio, said.result
    if log is None or ratio is None:
        return log is None or log.value is None
    if log.value is None or log.interval is None:
        return log.value == log.interval and ratio.low == 0
    step = Decimal(1).scaleb(-decimals)
    figures = (
        (log.value, ratio.value - step / 2, ratio.value + step / 2, step / 2),
        (log.interval[0], ratio.high - step, ratio.high, step),
        (log.interval[1], ratio.low, ratio.low + step, step),
    )
    return all(
        printed >= -most.ln() - off and (least <= 0 or printed <= max(Decimal(0), -least.ln()) + off)
        for printed, least, most, off in figures
        if most > 0
    )


def _overlap(parts: Sequence[tuple[Mask, bool]]) -> bool:
    """Whether somebody is in two groups that are compared, so that their rates move together."""
    alike = {sure.tobytes(): sure for sure, _ in parts}  # equalised odds compare each group twice
    return bool(np.sum([*alike.values()], axis=0).max(initial=0) > 1)


def _range(rate: GroupRate, step: Fraction, kind: str) -> Range:
    """A printed rate as exact ends: those between which the figure was rounded, or the widest or narrowest interval."""
    value, low, high = (Fraction(number) for number in (rate.value, rate.low, rate.high))
    if kind == "figure":
        return Range(value, max(Fraction(0), value - step / 2), min(Fraction(1), value + step / 2))
    return Range(value, low, high) if kind == "widest" else Range(value, low + step, high - step)


def _compared(said: Assessment, rates: Mapping[str, Sequence[Range]]) -> Range | None:
    """What a measure gives of rates of groups that share nobody; None where it is not of rates alone."""
    of_groups = [*rates.values()]
    if said.groups is None or any(each.low > each.high for of in of_groups for each in of):
        return None
    if said.measure == "impact_ratio":
        own, *others = (rates[said.groups[0]], *(of for name, of in rates.items() if name != said.groups[0]))
        return impact_range([apart(own[0], other[0]) for other in others])
    if said.measure == "group_disparity":
        return disparity_range([of[0] for of in of_groups])
    if len(of_groups) != 2:
        return None
    pairs = [apart(a, b) for a, b in zip(*of_groups, strict=True)]
    if said.measure == "error_rates":
        return largest([difference_range(pair) for pair in pairs])
    if said.by_outcome:
        return smaller_of_both(pairs[0])
    return OF_TWO_RATES[said.measure](pairs[0])


def population_free_privacy_findings(report: Report) -> Iterator[str]:
    """Where a confidence or a lift is one that no population gives, beside an odds factor that depends on none.

    What somebody was sure of moves by no more than the odds, and on average over outcomes it does not move at all.
    """
    table = report.rule_table
    cells, step = table.cells, Fraction(1, table.scale)
    starts = cells.group_starts.tolist()
    for group, start, end in zip(report.privacy.groups, starts, [*starts[1:], len(cells)], strict=True):
        possible = all(
            _some_population(group, steps / table.scale, protected.index[start:end])
            for protected in cells.protected
            for steps in table.mapping[start:end].T
        )
        figures = Fraction(group.prior), Fraction(group.beta), group.lift, group.odds
        if not (possible and _moves_so_far(*figures, step)):
            named = ", ".join(group.qid.values())
            yield at(
                f"privacy, {named}" if named else "privacy",
                gettext("a confidence that no number of people in the cells gives"),
            )
    of_groups = {tuple(group.qid.items()): group for group in report.privacy.groups}
    for attribute in report.privacy.attributes or ():
        for value in attribute.values:
            its = of_groups.get(tuple(value.rise.qid.items()))
            if its is None or value.rise.before > its.prior or value.rise.after > its.beta:
                yield at(
                    f"privacy, {attribute.name}, {value.value}",
                    gettext("not the group in which it rises most"),
                )
            figures = Fraction(value.before), Fraction(value.after), value.lift, report.privacy.odds
            rise = Fraction(value.rise.before), Fraction(value.rise.after), value.lift, report.privacy.odds
            if not (_moves_so_far(*figures, step) and _moves_so_far(*rise, step)):
                yield at(
                    f"privacy, {attribute.name}, {value.value}",
                    gettext("a confidence that no number of people in the cells gives"),
                )
    rises = [Fraction(group.beta) - Fraction(group.prior) for group in report.privacy.groups]
    added, of_one = Fraction(report.privacy.contribution), AnyPopulation(table).is_of_one_population
    if not max(rises) <= added or (of_one and added > max(rises) + step):
        yield at("privacy", gettext("not the most that the report adds"))


def _some_population(group: GroupPrivacy, announced: NDArray[np.float64], values: NDArray[np.int64]) -> bool:
    """Whether shares of a group's values can make one, none above the prior, nor above beta after an outcome or its lack.

    Where m of the people get the outcome, a value's share p has p × (its probability) <= beta × m, and the same for those
    who do not get it. The sum of what shares can be is concave in m, and largest where two of these limits meet.
    """
    each = np.unique(values)
    least = np.array([announced[values == value].min() for value in each])
    most = np.array([announced[values == value].max() for value in each])
    prior, beta = float(group.prior), float(group.beta)
    meet = (
        [prior * least / beta, 1 - prior * (1 - most) / beta, least / np.maximum(least + 1 - most, 1e-12)]
        if beta
        else []
    )
    points = np.clip(np.concatenate([[0.0, 1.0], *meet]), 0, 1)[:, None]
    with np.errstate(all="ignore"):
        with_it = np.where(least > 0, beta * points / least, prior)
        without_it = np.where(most < 1, beta * (1 - points) / (1 - most), prior)
    shares = np.minimum(np.minimum(with_it, without_it), prior)
    return bool(shares.sum(axis=1).max() >= 1 - 1e-9)


def _moves_so_far(
    before: Fraction, after: Fraction, lift: Decimal | None, odds: Decimal | None, step: Fraction
) -> bool:
    """Whether a confidence moves no further than the odds factor allows, as they are rounded up."""
    if after < before or (lift is not None and odds is not None and lift > Fraction(odds) + step):
        return False
    if lift is not None and before * (Fraction(lift) + step) < after - step:
        return False  # the value that somebody is surest of became at least so much likelier
    if odds is None:
        return True
    factor = Fraction(odds)
    return after - step <= factor * before / (1 - before + factor * before)
