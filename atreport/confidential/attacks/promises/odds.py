"""The odds factor: readers who waver between two cells, and readers with beliefs of their own. Confidential."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.announcement import Announcement
from atreport.confidential.attacks.promises.tried import Tried
from atreport.inference import UNBOUNDED
from atreport.population.cells import IntArray

BELIEFS = 20
"""So many beliefs and statements are drawn for every group and outcome."""


def try_odds(announcement: Announcement) -> Tried:
    """The odds factor: a reader who wavers between the two cells that differ most."""
    cells, scale, odds = announcement.cells, announcement.scale, announcement.group_odds
    reached, broken = 1.0, 0
    for steps in announcement.mapping.T:
        most = np.maximum.reduceat(steps, cells.group_starts)
        least = np.minimum.reduceat(steps, cells.group_starts)
        possible = (odds == UNBOUNDED) | (most == 0)
        kept = most.astype(object) * scale <= np.where(possible, 1, odds).astype(object) * least
        broken += int((~(possible | kept)).sum())
        ratio = np.divide(most, least, out=np.where(most > 0, np.inf, 1.0), where=least > 0)
        reached = max(reached, float(ratio.max()))
    return Tried(
        promise="Odds of anything, from any outcome",
        promised=None if announcement.odds is None else float(announcement.odds),
        reached=None if np.isinf(reached) else reached,
        checked=len(odds) * announcement.mapping.shape[1],
        broken=broken,
    )


def try_any_belief(announcement: Announcement) -> Tried:
    """The odds factor again: readers with beliefs and statements drawn at random, in whole numbers."""
    cells, random = announcement.cells, np.random.default_rng(1)
    checked, broken, reached = 0, 0, 1.0
    for _ in range(BELIEFS):
        # some sure of a few cells, some spread over all of them
        belief = (10 ** (random.random(len(cells)) * 4)).astype(np.int64)
        statement = random.random(len(cells)) < random.random()
        for steps in announcement.mapping.T:
            tried, wrong, most = odds_beyond(announcement, belief, statement, steps)
            checked, broken, reached = checked + tried, broken + wrong, max(reached, most)
    return Tried(
        promise=f"Odds of statements drawn at random, for {BELIEFS} beliefs",
        promised=None if announcement.odds is None else float(announcement.odds),
        reached=None if np.isinf(reached) else reached,
        checked=checked,
        broken=broken,
    )


def odds_beyond(
    announcement: Announcement, belief: IntArray, statement: NDArray[np.bool_], steps: IntArray
) -> tuple[int, int, float]:
    """In how many groups an outcome moves the odds of a statement, for one belief; in how many too far; how far at most.

    Both ways: the odds after the outcome by those before, and the odds before by those after; exact.
    """
    starts = announcement.cells.group_starts
    yes, no = (np.where(where, belief, 0).astype(object) for where in (statement, ~statement))
    before_yes, before_no = np.add.reduceat(yes, starts), np.add.reduceat(no, starts)
    after_yes, after_no = np.add.reduceat(yes * steps, starts), np.add.reduceat(no * steps, starts)
    possible = (before_yes > 0) & (before_no > 0) & (after_yes + after_no > 0)
    odds, scale = announcement.group_odds.astype(object), announcement.scale
    up, down = after_yes * before_no, after_no * before_yes
    too_far = (odds != UNBOUNDED) & ((up * scale > odds * down) | (down * scale > odds * up))
    ratios = [
        float("inf") if not min(a, b) else float(Fraction(max(a, b), min(a, b)))
        for a, b in zip(up[possible], down[possible], strict=True)
    ]
    return int(possible.sum()), int((too_far & possible).sum()), max(ratios, default=1.0)
