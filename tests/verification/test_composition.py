"""Several releases and one person: odds factors multiply, and another choice among announcements is said."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from atreport.core.cells import Cells, arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.report.reader import parse_json, validate
from atreport.report.rule import PublishedRule
from atreport.spec.process import Process
from atreport.verification.ledger import RecordedRelease
from atreport.verification.union_attack import (
    Composed,
    choices_changed,
    compose_odds,
    composed_in_words,
    group_factors,
)
from tests.cli.test_ledger import built
from tests.example import binary_table, changed, process_with, random_table, write_example
from tests.verification.test_union_attack import published, released

NO_CEILING = ("  privacy: {beta: 0.7}\n", "")


def release(table: DecisionTable, delta: str) -> RecordedRelease:
    """What is published of a table at a fidelity."""
    return published(released(table, Decimal(delta), "counts"))


def odds_moved(releases: list[PublishedRule], cells: Cells, rng: np.random.Generator) -> list[Fraction]:
    """How far one outcome under each release moves the odds of a random statement, for a random belief, by group."""
    belief = rng.integers(1, 1000, len(cells)).astype(object)
    statement = rng.random(len(cells)) < 0.5
    moved = []
    for group in range(len(cells.group_starts)):
        here = cells.group == group
        for outcomes in product(range(2), repeat=len(releases)):
            after = belief.copy()
            for each, outcome in zip(releases, outcomes, strict=True):
                after = after * each.rule_table.mapping[:, outcome].astype(object)
            yes, no = here & statement, here & ~statement
            parts = [int(part[where].sum()) for part in (after, belief) for where in (yes, no)]
            if parts[2] and parts[3] and (parts[0] or parts[1]):
                up, down = parts[0] * parts[3], parts[1] * parts[2]
                moved.append(Fraction(max(up, down), min(up, down)) if min(up, down) else Fraction(10**12))
    return moved


@pytest.mark.parametrize("seed", range(10))
def test_no_pair_of_outcomes_moves_odds_further_than_the_product(seed: int) -> None:
    """Beliefs and statements drawn at random, one outcome under each of two releases, in fractions."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=2, values=3)
    old, new = release(table, "0.8"), release(table, "0.9")
    found = compose_odds([old], new)
    assert found is not None
    assert found.releases == 2
    if found.odds is not None:
        assert found.odds == max(
            a * b for a, b in zip(group_factors(old), group_factors(new), strict=True) if a and b
        )
        for _ in range(20):
            assert all(moved <= found.odds for moved in odds_moved([old, new], table.cells, rng))
    else:
        assert None in (*group_factors(old), *group_factors(new))
        assert "no factor bounds" in composed_in_words(found, new)


def test_groups_that_were_not_there_were_not_decided() -> None:
    """A group that only the newer release has keeps its own factor; another question is not compared."""
    table = random_table(np.random.default_rng(1), groups=3, values=3)
    new = release(table, "0.9")
    first = table.cells.group == 0
    kept = tuple(cell for cell, inside in zip(new.cells, first, strict=True) if inside)
    privacy = new.privacy.model_copy(update={"groups": new.privacy.groups[:1]})
    fewer = new.model_copy(update={"cells": kept, "privacy": privacy})
    old, wrong = validate(parse_json(json.dumps(fewer.as_json()), "a release"), RecordedRelease)
    assert old is not None, wrong
    found = compose_odds([old], new)
    assert found is not None
    alone = group_factors(new)
    if None not in alone:
        assert found.odds == max((alone[0] or 1) ** 2, *(factor or 1 for factor in alone[1:]))
    assert compose_odds([], new) is None


def test_another_choice_among_announcements_is_named() -> None:
    """A release without `minimise` made β least, one without `grid` used the even one: a warning says so, and how to keep to it where one can."""
    table = random_table(np.random.default_rng(2))
    old = release(table, "0.9")
    policy = old.policy.model_copy(update={"minimise": None})
    old = old.model_copy(update={"policy": policy})
    newer = old.model_copy(update={"policy": policy.model_copy(update={"minimise": ("beta", "lift")})})
    (warning,) = choices_changed([("1.0.0", old)], newer)
    assert "'minimise: [beta]'" in warning
    assert "'minimise: [beta, lift]'" in warning
    assert choices_changed([("1.0.0", old)], old) == []
    even, wide = (
        old.model_copy(update={"policy": policy.model_copy(update={"mechanism": "calibrated", "grid": grid})})
        for grid in (None, "wide")
    )
    (warning,) = choices_changed([("1.0.0", even)], wide)
    assert "'grid: even'" in warning
    assert "under policy" not in warning, "no spec can ask for that grid any more"
    assert choices_changed([("1.0.0", even)], newer) == []


def test_a_build_says_what_releases_promise_together(tmp_path: Path) -> None:
    """After another release, the product of odds factors is on stderr; after the same one, nothing is."""
    spec = write_example(tmp_path, NO_CEILING)
    built(spec, record=True)
    assert built(spec) == ()
    spec.write_text(
        changed(("version: 1.0.0", "version: 1.1.0"), NO_CEILING, ("{delta: 0.9}", "{delta: 0.85}")),
        encoding="utf-8",
    )
    assert any("A person decided once under each of these 2 releases" in warning for warning in built(spec))
    built(spec, record=True)
    assert any("each of these 2 releases" in warning for warning in built(spec)), (
        "the same again adds nothing"
    )


def of_factors(cells: Cells, steps: list[list[int]]) -> RecordedRelease:
    """A release that announces these steps of 10^-4 of the favourable outcome, by group and cell."""
    favourable = np.concatenate([np.array(each) for each in steps]) / 10_000
    return published(released(binary_table(cells, favourable), Decimal("1"), "counts"))


def two_groups(public: str = "group") -> Cells:
    """Two groups of two values; or, told apart by another attribute, one group of all."""
    process = process_with(2, 2)
    if public != "group":
        roles = {"group": "private", "secret": "sensitive", "other": "public"}
        attributes = [
            {**a.model_dump(exclude_defaults=True), "role": roles[a.name]} for a in process.attributes
        ]
        outcome = process.outcome.model_dump(exclude_defaults=True)
        process = Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})
    codes = np.array([[g, s, 0] for g in range(2) for s in range(2)], dtype=np.int32)
    return arrange(process, codes, np.array([10, 20, 30, 40]))[0]


def test_factors_are_the_largest_ratio_of_any_outcome() -> None:
    """Of both outcomes, by group; unbounded where an outcome is impossible in one cell only."""
    cells = two_groups()
    assert group_factors(of_factors(cells, [[2000, 6000], [5000, 9000]])) == [Fraction(3), Fraction(5)]
    assert group_factors(of_factors(cells, [[0, 6000], [5000, 5000]])) == [None, Fraction(1)]
    assert group_factors(of_factors(cells, [[0, 0], [10000, 10000]])) == [Fraction(1), Fraction(1)]


def test_factors_of_a_group_multiply_and_the_worst_group_is_named() -> None:
    """Groups are matched by who is in them; one without limit is worse than any number."""
    cells = two_groups()
    old, new = (
        of_factors(cells, steps) for steps in ([[2000, 6000], [5000, 5000]], [[4000, 5000], [5000, 9000]])
    )
    found = compose_odds([old], new)
    assert found is not None
    assert (found.group, found.odds, found.alone, found.releases) == (1, Fraction(5), Fraction(5), 2)
    found = compose_odds([old, old], new)
    assert found is not None
    assert (found.group, found.odds, found.alone) == (0, Fraction(9 * 5, 4), Fraction(5, 4))
    endless = compose_odds([of_factors(cells, [[0, 6000], [5000, 5000]])], new)
    assert endless is not None
    assert (endless.group, endless.odds) == (0, None)
    assert compose_odds([], new) is None


def test_other_groups_count_with_their_worst_factor() -> None:
    """A person can have been in any group of a release that told people apart by another attribute."""
    whole, parted = two_groups("other"), two_groups()
    new = of_factors(whole, [[4000, 5000, 4000, 5000]])
    found = compose_odds([of_factors(parted, [[2000, 6000], [5000, 6000]])], new)
    assert found is not None
    assert found.odds == Fraction(5, 4) * 3
    endless = compose_odds([of_factors(parted, [[0, 6000], [5000, 6000]])], new)
    assert endless is not None
    assert endless.odds is None


def test_a_composed_factor_is_said_in_words() -> None:
    """Rounded up, with the group's name; nothing learnt, no limit, and too large a number have words of their own."""
    new = of_factors(two_groups(), [[4000, 5000], [5000, 9000]])

    def said(odds: Fraction | None, alone: Fraction | None = Fraction(5, 4), group: int = 1) -> str:
        return composed_in_words(Composed(releases=3, group=group, odds=odds, alone=alone), new)

    assert "these 3 releases" in said(Fraction(3))
    assert "at most the factor 3.3334 (group: g1; this report alone: 1.25)" in said(Fraction(10, 3))
    assert "g0" in said(Fraction(3), group=0)
    assert "nothing more" in said(Fraction(1))
    assert "no factor" in said(None)
    assert "of over a million" in said(Fraction(2_000_000))
    assert "this report alone: unbounded" in said(Fraction(3), None)
