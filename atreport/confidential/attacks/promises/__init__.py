"""Every promise of a draft, tried one by one: confidence, lift, odds, ceilings and rates. Confidential.

Readers who take the announced rule for the truth draw every conclusion there is: from every outcome, in every group, about
every sensitive value, weighing people by every population that is published; and readers with beliefs of their own, drawn
at random, about statements drawn at random. What they reach is compared with what is promised in whole numbers; floats only
decide where to look. None of the code that certifies the promises is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from atreport.announcement import Announcement
from atreport.confidential.attacks.finding import Case, Part
from atreport.confidential.attacks.promises.conclusions import conclusions_of
from atreport.confidential.attacks.promises.odds import try_any_belief, try_odds
from atreport.confidential.attacks.promises.tried import Tried
from atreport.confidential.attacks.promises.values import try_ceilings, try_values
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.words import rounded
from atreport.kit.numbers import count
from atreport.kit.tables import Column, Space, tabulate

_FLOATS = 1e-12
"""What sums of floats may be off by: the true rates are floats."""


@dataclass(frozen=True, kw_only=True)
class Promises:
    """Every promise, tried."""

    tried: tuple[Tried, ...]

    @property
    def exceeding(self) -> int:
        """How many conclusions go beyond a promise."""
        return sum(each.broken for each in self.tried if not each.asked)

    @property
    def above_ceilings(self) -> int:
        """How many go beyond a ceiling of the policy."""
        return sum(each.broken for each in self.tried if each.asked)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "promise": each.promise,
                "promised": None if each.promised is None else rounded(each.promised),
                "reached": None if each.reached is None else rounded(each.reached),
                "checked": each.checked,
                "broken": each.broken,
            }
            for each in self.tried
        ]

    def as_json(self, most: int | None) -> dict[str, Any]:  # noqa: ARG002
        """A row for each promise."""
        return {"promises": self._records()}

    def shown(self, space: Space) -> Part:  # noqa: ARG002
        """The same as a table."""
        return Part(
            heading="Promises, tried one by one",
            text="Every conclusion that a reader of the draft can draw was compared with what is promised about it.",
            tables=(
                tabulate(
                    "promises",
                    "What is promised, and the most that any conclusion reached",
                    [
                        (Column("Promise", names_row=True), lambda row: row["promise"]),
                        (Column("Promised at most", numeric=True), lambda row: _shown(row["promised"])),
                        (Column("Reached", numeric=True), lambda row: _shown(row["reached"])),
                        (Column("Conclusions tried", numeric=True), lambda row: count(row["checked"])),
                        (Column("Beyond the promise", numeric=True), lambda row: count(row["broken"])),
                    ],
                    self._records(),
                ),
            ),
        )


def _shown(number: float | None) -> str:
    return "unbounded" if number is None else f"{number:,.4f}"


def try_promises(case: Case) -> Promises:
    """Try every promise of a draft, and every ceiling of its policy."""
    announcement = case.announcement
    conclusions = list(conclusions_of(announcement))
    return Promises(
        tried=(
            *try_values(announcement, conclusions),
            try_odds(announcement),
            try_any_belief(announcement),
            *try_ceilings(case.spec, announcement, conclusions),
            *_of_rates(case.table, announcement),
        )
    )


def _of_rates(table: DecisionTable, announcement: Announcement) -> Iterator[Tried]:
    """The rate of every outcome in every group, against the true one."""
    move = announcement.rule.rate_move
    if move is None:
        return
    starts, worst, broken, checked = announcement.cells.group_starts, 0.0, 0, 0
    for weights in announcement.weights:
        people = weights.astype(np.float64)[:, None]
        changed = people * (announcement.mapping / announcement.scale - table.probability)
        moved = np.abs(np.add.reduceat(changed, starts, axis=0) / np.add.reduceat(people, starts, axis=0))
        worst, checked = max(worst, float(moved.max())), checked + moved.size
        broken += int((moved > float(move) + _FLOATS).sum())
    yield Tried(
        promise="Change of the rate of an outcome in a group",
        promised=float(move),
        reached=worst,
        checked=checked,
        broken=broken,
    )
