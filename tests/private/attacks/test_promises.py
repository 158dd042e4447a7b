"""Every promise is tried by an attack of its own, and a draft that breaks one is refused."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atreport import build
from atreport.core.certify import Announcement
from atreport.core.inference import UNBOUNDED
from atreport.errors import Refused
from atreport.private.attacks import Audit, refuse_broken_promise
from atreport.private.attacks.finding import Case
from atreport.private.attacks.inversion import Inversion, caution
from atreport.private.attacks.promises import Promises, odds_beyond, try_promises
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.spec.spec import Spec
from tests.example import example_spec, random_table, write_example
from tests.many_outcomes import table_of


def tried(spec: Spec, table: DecisionTable, announcement: Announcement) -> Promises:
    """Every promise of an announcement, tried."""
    case = Case(spec=spec, public=spec.public, table=table, announcement=announcement, closely=True)
    return try_promises(case)


def drafted(*edits: tuple[str, str]) -> tuple[Spec, DecisionTable, Announcement]:
    """The example of the paper."""
    spec = example_spec(*edits)
    table = read_table(spec)
    return spec, table, draft_announcement(spec, table).announcement


@pytest.mark.parametrize("seed", range(12))
def test_promises_of_drafts_are_kept(seed: int) -> None:
    """Random tables, some with several outcomes and sensitive attributes: nothing goes beyond what is promised."""
    rng = np.random.default_rng(seed)
    spec = example_spec(("  privacy: {beta: 0.7}\n", ""))
    table = random_table(rng, others=2) if seed % 2 else table_of(rng, 3, 2, groups=2)
    found = tried(spec, table, draft_announcement(spec, table).announcement)
    assert found.exceeding == 0
    assert all(each.checked for each in found.rows)
    for each in found.rows[:4]:
        assert each.reached is not None
        assert each.promised is not None
        assert each.promised - 1e-3 <= each.reached <= each.promised + 1e-12


def broken(announcement: Announcement, figure: str) -> Announcement:
    """The same with one promise a printed step lower than it may be."""
    if figure in ("group_beta", "group_lift"):
        return replace(announcement, **{figure: getattr(announcement, figure) - 1})
    if figure == "group_odds":
        odds = announcement.group_odds
        return replace(announcement, group_odds=np.where(odds == UNBOUNDED, 10**6, odds - 1))
    first, *others = announcement.attributes
    lower: Any = {figure: getattr(first, figure) - 1}
    return replace(announcement, attributes=(replace(first, **lower), *others))


@pytest.mark.parametrize("figure", ["group_beta", "group_lift", "group_odds", "after", "lift"])
def test_a_step_too_much_promised_is_refused(figure: str) -> None:
    """Confidence, lift and odds, by group and by value: each by itself stops the draft."""
    spec, table, announcement = drafted()
    found = tried(spec, table, broken(announcement, figure))
    assert found.exceeding > 0
    with pytest.raises(Refused, match="Nothing was published"):
        refuse_broken_promise("spec.yaml", Audit(findings=(found,)))
    refuse_broken_promise("spec.yaml", Audit(findings=(tried(spec, table, announcement),)))


@pytest.mark.parametrize(
    "edit",
    [
        ("privacy: {beta: 0.7}", "privacy: {beta: 0.6}"),
        ("privacy: {beta: 0.7}", "privacy: {lift: 1.5}"),
        ("privacy: {beta: 0.7}", "privacy: {odds: 3}"),
    ],
)
def test_a_ceiling_of_the_policy_is_tried(edit: tuple[str, str]) -> None:
    """An announcement above a ceiling is found by what readers conclude, whatever was certified."""
    _, table, announcement = drafted()
    found = tried(example_spec(edit), table, announcement)
    with pytest.raises(Refused, match="Nothing was published"):
        refuse_broken_promise("spec.yaml", Audit(findings=(found,)))
    refuse_broken_promise("spec.yaml", Audit(findings=(found,)), ceilings=False)
    assert [each.promise for each in found.rows if each.broken] == [
        f"Ceiling on {'confidence' if 'beta' in edit[1] else 'lift' if 'lift' in edit[1] else 'odds'}"
    ]


def test_a_ceiling_on_one_value_is_tried() -> None:
    """Somebody becomes 67.5 % sure of the highest income: a ceiling of 60 % on it is broken, one of 70 % is kept."""
    _, table, announcement = drafted()
    for ceiling, kept in (("0.6", False), ("0.7", True)):
        process = table.cells.process
        attributes = tuple(
            a.model_copy(update={"ceilings": {a.values[-1]: Decimal(ceiling)}})
            if a.role == "sensitive"
            else a
            for a in process.attributes
        )
        asked = process.model_copy(update={"attributes": attributes})
        rule = replace(announcement.rule, cells=replace(announcement.cells, process=asked))
        found = tried(example_spec(), table, replace(announcement, rule=rule))
        assert found.exceeding == 0
        assert (found.above_ceilings == 0) is kept


def test_rates_that_moved_too_far_are_found() -> None:
    """A promise about rates that the announced rule does not keep is broken; a wide one is kept."""
    spec, table, announcement = drafted()
    for rates, kept in (("0.9999", False), ("0.9", True)):
        rule = replace(announcement.rule, rates=Decimal(rates))
        found = tried(spec, table, replace(announcement, rule=rule))
        assert (found.exceeding == 0) is kept


def test_a_build_says_that_it_might_be_read_back(tmp_path: Path) -> None:
    """With the mechanism that cannot be; how many true values are stands in the annex, and in no public file."""
    result = build(write_example(tmp_path), tmp_path / "out", formats=["json"])
    (said,) = result.cautions
    assert "tried for 6 cells, and the annex says how many" in said
    assert "'mechanism: calibrated'" in said
    public = b"".join(file.read_bytes() for file in (result.folder / "public").rglob("*") if file.is_file())
    assert b"read back" not in public.replace(b"cannot be read back", b"")
    other = ("decimals: 4", "decimals: 4\n  mechanism: calibrated")
    assert build(write_example(tmp_path, other), tmp_path / "other", formats=["json"]).cautions == ()


def test_the_caution_is_the_same_whether_or_not_a_value_is_read_back() -> None:
    """The log of a build may be public, and the number depends on the true rule."""
    spec = example_spec()
    attacked = np.array([True, True, False])
    told = {
        caution(spec, Inversion(attacked=attacked, read_back=attacked & chosen)) for chosen in (True, False)
    }
    assert len(told) == 1
    nowhere = np.zeros(3, dtype=bool)
    assert caution(spec, Inversion(attacked=nowhere, read_back=nowhere)) is None


def check_any_belief(trials: int, seed: int) -> None:
    """Beliefs and statements drawn at random, on figures as printed: odds never move by more than is promised."""
    rng = np.random.default_rng(seed)
    spec = example_spec(("  privacy: {beta: 0.7}\n", ""))
    done = 0
    while done < trials:
        table = table_of(rng, int(rng.integers(2, 4)), 1, groups=3)
        announcement = draft_announcement(spec, table).announcement
        for _ in range(200):
            belief = (10 ** (rng.random(len(table.cells)) * rng.integers(1, 9))).astype(np.int64)
            statement = rng.random(len(table.cells)) < rng.random()
            for steps in announcement.mapping.T:
                number, wrong, reached = odds_beyond(announcement, belief, statement, steps)
                assert wrong == 0
                done += number
                if announcement.odds is not None:
                    assert Fraction(reached) <= Fraction(announcement.odds) * (1 + Fraction(1, 10**12))


def test_odds_hold_for_any_belief() -> None:
    """A quick slice of beliefs."""
    check_any_belief(5_000, 0)


@pytest.mark.slow
def test_odds_hold_for_very_many_beliefs() -> None:
    """A hundred thousand beliefs and statements, none of which moves odds by more than what is printed."""
    check_any_belief(100_000, 1)
