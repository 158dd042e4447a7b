"""Several decisions on one person: what they give is Bayes' rule on every sequence, and R^k bounds it."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from atreport.core.certify import Announcement
from atreport.private.attacks import repeated
from atreport.private.attacks.finding import Case
from atreport.private.attacks.known_records import KNOWN, leave_out_known
from atreport.private.attacks.repeated import Repeated, decide_again
from atreport.private.data.decision_table import DecisionTable
from atreport.private.draft import draft_announcement
from atreport.text.tables import ANNEX
from tests.example import example_spec
from tests.many_outcomes import table_of

SPEC = example_spec(("  privacy: {beta: 0.7}\n", ""))


def attacked(table: DecisionTable) -> tuple[Announcement, Case]:
    """A draft of a table, ready to be attacked."""
    announcement = draft_announcement(SPEC, table).announcement
    return announcement, Case(
        spec=SPEC, public=SPEC.public, table=table, announcement=announcement, closely=True
    )


def brute_force(announcement: Announcement, decisions: int) -> Fraction:
    """The largest confidence after any sequence of outcomes, in fractions."""
    cells, best = announcement.cells, Fraction(0)
    for sequence in product(range(announcement.mapping.shape[1]), repeat=decisions):
        weights = [
            int(n) * int(np.prod([int(row[a]) for a in sequence], dtype=object))
            for n, row in zip(cells.population, announcement.mapping, strict=True)
        ]
        for protected in cells.protected:
            for value, group in enumerate(protected.group):
                whole = sum(w for w, g in zip(weights, cells.group, strict=True) if g == group)
                own = sum(w for w, v in zip(weights, protected.index, strict=True) if v == value)
                best = max(best, Fraction(own, whole) if whole else Fraction(0))
    return best


@pytest.mark.parametrize("seed", range(6))
def test_every_sequence_of_outcomes_is_tried(seed: int) -> None:
    """Two and three decisions, two and three outcomes, against all sequences one by one."""
    table = table_of(np.random.default_rng(seed), 2 + seed % 2, 1 + seed % 2)
    announcement, case = attacked(table)
    found = decide_again(case)
    for each in found.rows[:3]:
        assert each.confidence == pytest.approx(float(brute_force(announcement, each.decisions)), abs=1e-12)
    assert found.exceeding == 0
    assert found.rows[0].confidence <= float(announcement.beta) + 1e-12


def test_the_odds_factor_is_raised_to_the_number_of_decisions() -> None:
    """R^k exactly, where R is bounded; and a factor that is too small is found out."""
    drafts = [attacked(table_of(np.random.default_rng(seed), 2, 1)) for seed in range(20)]
    announcement, case = next(each for each in drafts if each[0].odds is not None and each[0].odds > 1)
    found: Repeated = decide_again(case)
    factor = found.rows[0].odds_factor
    assert factor is not None
    assert [each.odds_factor for each in found.rows] == [factor**k for k in repeated.DECISIONS]
    assert repeated._beyond(announcement.rule, (0, 0), [Fraction(1)]) > 0
    assert repeated._beyond(announcement.rule, (0, 0), [factor]) == 0
    assert found.shown(ANNEX).tables[0].rows


@pytest.mark.parametrize("seed", range(8))
def test_the_worst_people_to_know_are_found(seed: int) -> None:
    """Against every choice of two other people whose records are known, in fractions."""
    rng = np.random.default_rng(seed)
    table = table_of(rng, 2, 1)
    announcement, case = attacked(table)
    found = leave_out_known(case)
    assert found.exceeding == 0
    known = KNOWN.index(2)
    cells, best = announcement.cells, Fraction(0)
    for value in range(len(cells.protected[0].starts)):
        own = cells.protected[0].index == value
        for first, second in product(range(len(cells)), repeat=2):
            people = cells.population.astype(object).copy()
            for cell in (first, second):
                people[cell] -= not own[cell]
            rest = int(people[~own].sum())
            if (people < 0).any() or not rest or people.sum() != cells.population.sum() - 2:
                continue
            for steps in announcement.mapping.T:
                joint = people * steps
                if joint.sum():
                    best = max(best, Fraction(int(joint[own].sum()), int(joint.sum())))
    if best:
        assert found.rows[known].after == pytest.approx(float(best), abs=1e-12)
