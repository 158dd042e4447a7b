"""An observer who knows the records of some other people of a person's group. Confidential.

Whom they know, they can leave out: the person is one of the rest. The worst is tried for every sensitive value and outcome:
those known have other values, and are those most likely to have had the outcome. Guarantee: the odds of a value still
move by at most the odds factor R of the group, since R holds for every belief beforehand; that is checked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from atreport.core.cells import Cells
from atreport.core.rule_table import RuleTable
from atreport.private.attacks.exclusion import Exclusion, rule_out
from atreport.private.attacks.finding import STRONGER_OBSERVERS, Case, Finding, FindingTable
from atreport.private.data.decision_table import FloatArray
from atreport.private.true_rule import share
from atreport.text.language import count
from atreport.text.tables import named, numeric

KNOWN = (1, 2, 5, 10)
"""So many other people of the group are known."""

_ROUNDING = 1e-9
"""Relative error that floats may make here."""


@dataclass(frozen=True, kw_only=True)
class Knowing:
    """What knowing so many others gives, where it does not settle the value by itself."""

    known: int
    before: float  # how sure they are before any report, where they are surest after it
    after: float
    # in how many groups knowing so many others leaves one value only, whatever is published
    settled_groups: int
    groups: int  # of so many


class KnownRecords(Finding):
    """Observers who know other people's records: a row for each number; none where a close look was not wanted."""

    heading = STRONGER_OBSERVERS
    text = (
        "Nor does the promise cover one who knows other people of the group and can leave them out. Where "
        "those leave one value only, no report is needed; such groups are counted apart."
    )
    listing = FindingTable(
        key="known_records",
        id="known-records",
        caption="An observer who knows the records of others in the group",
        columns=(
            named("Others known", "known"),
            numeric("Sure before any report", "before", share),
            numeric("Sure after it, at most", "after", share),
            numeric(
                "Groups settled without a report",
                lambda row: f"{count(row['settled_groups'])} of {count(row['groups'])}",
            ),
        ),
        without="groups",
    )


def leave_out_known(case: Case) -> KnownRecords:
    """Let an observer of a draft know others of a group, where a close look is wanted."""
    rule, exclusion = case.announcement.rule, case.result_of(rule_out)
    found = [_knowing(rule, exclusion, known) for known in KNOWN] if case.closely else []
    return KnownRecords(rows=tuple(each for each, _ in found), exceeding=sum(beyond for _, beyond in found))


def _knowing(rule: RuleTable, exclusion: Exclusion, known: int) -> tuple[Knowing, int]:
    before, after, settled, beyond = 0.0, 0.0, 0, 0
    for group, beliefs in enumerate(_beliefs(rule.cells, rule.mapping / rule.scale, known)):
        priors, posteriors = (np.concatenate(each) for each in zip(*beliefs, strict=True))
        open_ = priors < 1 - _ROUNDING
        settled += int(not open_.all())
        factor = exclusion.odds_factor(group)
        if factor is not None:
            odds = priors[open_] / (1 - priors[open_]) * float(factor)
            beyond += int((posteriors[open_] > odds / (1 + odds) + _ROUNDING).sum())
        if open_.any() and posteriors[open_].max() > after:
            place = int(np.argmax(np.where(open_, posteriors, -1.0)))
            before, after = float(priors[place]), float(posteriors[place])
    groups = len(rule.cells.group_starts)
    row = Knowing(known=known, before=before, after=after, settled_groups=settled, groups=groups)
    return row, beyond


def _beliefs(
    cells: Cells, announced: FloatArray, known: int
) -> Iterator[list[tuple[FloatArray, FloatArray]]]:
    """For every group: belief in each value before and after, for each attribute and outcome that occurs."""
    for start, end in pairwise([*cells.group_starts.tolist(), len(cells)]):
        here = slice(start, end)
        people = cells.population[here].astype(np.float64)
        found = []
        for protected in cells.protected:
            index = protected.index[here]
            own = index[None, :] == np.unique(index)[:, None]
            found += [_left_out(people, own, x, known) for x in announced[here].T if x.any()]
        yield found


def _left_out(people: FloatArray, own: Any, x: FloatArray, known: int) -> tuple[FloatArray, FloatArray]:
    """Belief in each value before and after an outcome, those of other values who most likely had it being left out."""
    order = np.argsort(-x, kind="stable")
    others = np.where(own, 0.0, people)[:, order]
    gone = np.clip(known - (np.cumsum(others, axis=1) - others), 0.0, others)
    mine = np.where(own, people, 0.0)
    inside, outside = (mine * x).sum(axis=1), ((others - gone) * x[order]).sum(axis=1)
    prior = mine.sum(axis=1) / (mine.sum(axis=1) + (others - gone).sum(axis=1))
    whole = inside + outside
    return prior, np.divide(inside, whole, out=np.zeros_like(whole), where=whole > 0)
