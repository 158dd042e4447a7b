"""Which cells and groups of a report are too small to be singled out, as an example or among extremes.

Everything is published as the policy says, whatever its size; but a person who is alone in a group should not find themself
worked through step by step.

Guarantee: a function of the Report. Wherever numbers or shares of people are published, what is called large enough has at
least as many people as the policy's limit on small cells, in every population that agrees with what is published.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from atreport.core.cells import IntArray
from atreport.core.exact import run_sums
from atreport.core.suppression import Mask
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report

SMALLEST_SHARES = 40
"""So many cells are asked how many people there are at least."""

MOST_PEOPLE = 20_000
"""The search for the fewest people ends here; then there are more."""


def fewest_people(report: Report) -> IntArray | None:
    """The fewest people that each cell has; None where that is not published."""
    policy, cells = report.policy, report.rule_table.cells
    if policy.population == "withheld" or (policy.population == "shares" and not policy.small_cells.is_exact):
        return None
    if policy.population == "counts":
        return cells.population if cells.between is None else cells.between[0]
    whole = 10 ** (policy.share_decimals or 0)
    everybody = _fewest_in_all(sorted(cells.population.tolist()), whole)
    least = [max(1, -(-(share - 1) * everybody // whole)) for share in cells.population.tolist()]
    return np.array(least, dtype=np.int64)


def _fewest_in_all(shares: list[int], whole: int) -> int:
    """The fewest people of whom all shares can be, each to the nearest step or the next: nobody is divided."""
    asked = shares[:SMALLEST_SHARES]
    number = max(1, whole // (asked[0] + 1))  # somebody is in the smallest cell
    while number <= MOST_PEOPLE:
        rests = (share * number % whole for share in asked)
        if all(min(rest, whole - rest) <= number for rest in rests):
            break
        number += 1
    return number


def large_cells(report: Report) -> Mask:
    """The cells that may be singled out: all where no size is published."""
    fewest = fewest_people(report)
    if fewest is None:
        return np.ones(len(report.cells), dtype=bool)
    return np.asarray(fewest >= report.policy.small_cells.under)


def large_groups(report: Report) -> Mask:
    """The groups that may be singled out: all where no size is published."""
    fewest, starts = fewest_people(report), report.rule_table.cells.group_starts
    if fewest is None:
        return np.ones(len(starts), dtype=bool)
    return np.asarray(run_sums(fewest, starts) >= report.policy.small_cells.under)


def large_group_of(report: Report, qid: Mapping[str, str]) -> bool:
    """Whether the group with these public attributes may be singled out."""
    return bool(large_groups(report)[[group.qid for group in report.privacy.groups].index(dict(qid))])


def large_record_of(report: Report, record: Mapping[str, str]) -> bool:
    """Whether people with these values may be singled out: one cell or, without what really happened, several."""
    fewest, wanted = fewest_people(report), record.items()
    if fewest is None:
        return True
    people = sum(
        number
        for cell, number in zip(report.cells, fewest.tolist(), strict=True)
        if wanted <= cell.values.items()
    )
    return bool(people >= report.policy.small_cells.under)


class GroupSizes:
    """The fewest people in groups that fairness measures compare."""

    def __init__(self, report: Report) -> None:
        self._report, self._fewest = report, fewest_people(report)
        self._found: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[tuple[str, ...]]] = {}

    def is_large(self, assessment: Assessment, rate: GroupRate) -> bool:
        """Whether a group has enough people to be singled out; also where nothing is published that tells it."""
        under, given = self._report.policy.small_cells.under, assessment.given or {}
        if rate.people is not None:
            return rate.people >= under
        if self._fewest is None or assessment.by is None:
            return True
        counted = self._counted(self._fewest, assessment.by, tuple(given))
        return counted[rate.group, *given.values()] >= under

    def _counted(
        self, fewest: IntArray, by: tuple[str, ...], given: tuple[str, ...]
    ) -> Counter[tuple[str, ...]]:
        """People by the name of their group, and the values in which a comparison takes them to be alike."""
        if (by, given) not in self._found:
            people = self._found[by, given] = Counter()
            for cell, number in zip(self._report.cells, fewest.tolist(), strict=True):
                group = " · ".join(cell.values[name] for name in by)
                people[group, *(cell.values[name] for name in given)] += number
        return self._found[by, given]
