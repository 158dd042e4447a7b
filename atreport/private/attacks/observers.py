"""What an adversary could conclude, including those the public guarantee does not cover. Confidential.

All of them know the population and a person's public attributes and outcome. They differ in what they take for the
decision rule:

naive            the announced mapping itself; this is the adversary that β bounds, and so needs no figure here
true             the true mapping, as if it had been published: C*
band-aware       even belief over the published band, that is, the middle of the band; where rates are kept, as even as
                 the published rates allow
worst consistent any mapping inside the band that has the published rates, where they are kept, chosen to make them most
                 confident
inverting        knows the mechanism: the true value where the announcement gives it back, and what they expect elsewhere
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from atreport.core.cells import Cells, IntArray, run_starts
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.pages.wording import group_name
from atreport.private.attacks.finding import STRONGER_OBSERVERS, Case, Finding, Part
from atreport.private.attacks.inversion import Inversion, run_backwards
from atreport.private.data.decision_table import FloatArray
from atreport.private.mechanisms import MECHANISMS
from atreport.private.true_rule import exact_figure, figure, most, out_of, rounded
from atreport.text.tables import Space, named, numeric, tabulate

# What one learns about the true rule from the promise that group rates are kept. Confidential.
#
# Where the policy keeps the rate of every outcome in every QID group, a reader knows one equation a group
# more: with people p and the true rule D inside its band [a, b], the total Σ p·D lies within `rate_move` of
# the announced one. Both observers who look into the band use it.

_HALVINGS = 80
"""Enough for the last digit of a float."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Totals:
    """Between what the true total of each outcome can lie in each group; both are (groups, outcomes)."""

    least: FloatArray
    most: FloatArray


def true_bands(rule: RuleTable) -> tuple[FloatArray, FloatArray]:
    """Where the true probability of each cell and outcome can lie, given the announced rule and its fidelity."""
    bands = [rule.truth_of(outcome) for outcome in rule.cells.process.outcome.values]
    low, high = (
        np.column_stack([np.asarray(bound / band.denominator, dtype=np.float64) for bound, band in bounds])
        for bounds in ([(band.lower, band) for band in bands], [(band.upper, band) for band in bands])
    )
    return low, high


def totals_allowed(rule: RuleTable, low: FloatArray, high: FloatArray) -> Totals:
    """The totals that the bands and, where they are kept, the rates allow."""
    cells = rule.cells
    people = cells.population.astype(np.float64)[:, None]
    least, most, announced, everybody = (
        np.add.reduceat(people * each, cells.group_starts, axis=0)
        for each in (low, high, rule.mapping / rule.scale, np.ones_like(low))
    )
    if rule.rate_move is None:
        return Totals(least=least, most=most)
    room = float(rule.rate_move) * everybody
    return Totals(least=np.maximum(least, announced - room), most=np.minimum(most, announced + room))


def even_belief(cells: Cells, low: FloatArray, high: FloatArray, totals: Totals) -> FloatArray:
    """What one expects who believes as evenly in the band as the totals allow (maximum entropy), cell by cell.

    Without a total to keep that is the middle of the band. Otherwise belief in a probability x of a cell with p people is
    proportional to exp(θ·p·x), with the θ of the group, nearest to 0, for which the expected total is an allowed one.
    """
    people = cells.population.astype(np.float64)
    expected = np.empty_like(low)
    for outcome, (a, b) in enumerate(zip(low.T, high.T, strict=True)):
        middle = np.add.reduceat(people * (a + b) / 2, cells.group_starts)
        wanted = np.clip(middle, totals.least[:, outcome], totals.most[:, outcome])
        expected[:, outcome] = _with_total(people, a, b, wanted, cells.group_starts)
    return expected


def _with_total(
    people: FloatArray, a: FloatArray, b: FloatArray, wanted: FloatArray, starts: IntArray
) -> FloatArray:
    """Expected probabilities whose total in each group is the wanted one; by halving, for all groups at once."""
    sizes = np.diff(np.append(starts, len(people)))
    width = people * (b - a)
    scale = np.repeat(np.maximum(np.maximum.reduceat(width, starts), 1e-300), sizes)
    # θ = u / (1 - |u|) runs through all numbers as u runs from -1 to 1
    low, high = np.full(len(starts), -1.0), np.full(len(starts), 1.0)
    expected = (a + b) / 2
    for _ in range(_HALVINGS):
        u = (low + high) / 2
        theta = np.repeat(u / np.maximum(1 - np.abs(u), 1e-16), sizes)
        expected = a + (b - a) * _mean_place(theta * width / scale)
        short = np.add.reduceat(people * expected, starts) < wanted
        low, high = np.where(short, u, low), np.where(short, high, u)
    return np.asarray(np.clip(expected, a, b))


def _mean_place(z: FloatArray) -> FloatArray:
    """The mean of a belief on 0 to 1 that is proportional to exp(z·x): 1/2 at z = 0."""
    small = np.abs(z) < 1e-4
    safe = np.where(small, 1.0, np.clip(z, -700, 700))
    return np.where(small, 0.5 + z / 12, 1 / -np.expm1(-safe) - 1 / safe)


@dataclass(frozen=True, kw_only=True, eq=False)
class Observers(Finding):
    """Confidence of each adversary, by QID group."""

    heading = STRONGER_OBSERVERS

    announcement: Announcement
    inversion: Inversion
    true: FloatArray
    band_aware: FloatArray
    worst_consistent: FloatArray
    inverting: FloatArray
    # the same of some adversaries, by QID group and sensitive attribute
    of_attributes: Mapping[str, FloatArray]

    def shown(self, space: Space) -> Part:
        """The observers the public promise does not cover, group by group."""
        announcement, cells = self.announcement, self.announcement.cells
        tried, found = self.inversion.by_group(cells)
        records = [
            {
                "group": int(start),
                "beta": float(announcement.printed(int(announcement.group_beta[g]))),
                "band_aware": rounded(self.band_aware[g]),
                "worst_consistent": rounded(self.worst_consistent[g]),
                "inverting": rounded(self.inverting[g]),
                "cells_attacked": int(tried[g]),
                "cells_read_back": int(found[g]),
            }
            for g, start in enumerate(cells.group_starts)
        ]
        rows, left_out = most(
            records,
            lambda row: float(row["worst_consistent"]),
            "groups",
            "those with the highest worst case",
            space,
        )
        return Part(
            heading=self.heading,
            text="One who knows the fidelity and believes evenly in every rule within it, one who assumes the worst such "
            "rule, and one who knows the mechanism can be more confident than the promise says."
            + (
                " The first two use the rates that the report keeps as well."
                if announcement.rule.rate_move is not None
                else ""
            ),
            tables=(
                tabulate(
                    "adversaries",
                    "Observers the public promise does not cover",
                    [
                        named("Group", "group", lambda start: group_name(cells, start)),
                        numeric("Promised (β)", "beta", exact_figure),
                        numeric("Believes evenly in the band", "band_aware", figure),
                        numeric("Worst rule in the band", "worst_consistent", figure),
                        numeric("Knows the mechanism", "inverting", figure),
                        numeric(
                            "Cells read back",
                            lambda row: out_of(row["cells_read_back"], row["cells_attacked"]),
                        ),
                    ],
                    rows,
                    left_out,
                ),
            ),
        )


def attack_beyond_promise(case: Case) -> Observers:
    """Every adversary against every group of an announcement."""
    table, announcement, inversion = case.table, case.announcement, case.result_of(run_backwards)
    cells = table.cells
    announced = announcement.mapping / announcement.scale
    low, high = true_bands(announcement.rule)
    totals = totals_allowed(announcement.rule, low, high)
    rates_kept = announcement.rule.rate_move is not None
    middle = even_belief(cells, low, high, totals) if rates_kept else (low + high) / 2
    expected = MECHANISMS[announcement.mechanism].expected(announced, middle)
    band_aware = _most_confident(cells, middle, middle)
    worst = _most_confident(cells, high, low, totals if rates_kept else None)
    return Observers(
        announcement=announcement,
        inversion=inversion,
        true=confidence_in(cells, table.probability),
        band_aware=band_aware.max(axis=1),
        worst_consistent=worst.max(axis=1),
        of_attributes={"band_aware": band_aware, "worst_consistent": worst},
        inverting=confidence_in(cells, np.where(inversion.read_back[:, None], table.probability, expected)),
    )


def confidence_in(cells: Cells, mapping: FloatArray) -> FloatArray:
    """The largest confidence in any sensitive value of each group, if `mapping` (cells, outcomes) is taken for true."""
    return np.asarray(_most_confident(cells, mapping, mapping).max(axis=1))


def _most_confident(
    cells: Cells, own: FloatArray, others: FloatArray, totals: Totals | None = None
) -> FloatArray:
    """By group and attribute the largest confidence, a value's cells having the probabilities `own`, the others `others`.

    Where totals are known, `own` are the most and `others` the least that they can have: a value's cells have no more than
    the total leaves them, and the others no less.
    """
    p = cells.population.astype(np.float64)
    best = np.zeros((len(cells.group_starts), len(cells.protected)))
    for outcome in range(own.shape[1]):
        rest = np.add.reduceat(p * others[:, outcome], cells.group_starts)
        for j, protected in enumerate(cells.protected):
            mine = protected.sums(p * own[:, outcome])
            around = rest[protected.group] - protected.sums(p * others[:, outcome])
            if totals is not None:
                least, most_ = (each[protected.group, outcome] for each in (totals.least, totals.most))
                mine, around = np.minimum(mine, most_ - around), np.maximum(around, least - mine)
            total = mine + around
            share = np.divide(mine, total, out=np.zeros_like(mine), where=total > 0)
            best[:, j] = np.maximum(best[:, j], np.maximum.reduceat(share, run_starts(protected.group)))
    return best
