"""Advice for a broken ceiling: the group to join with is the smallest that will do."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import Cells, arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.draft import joined_groups, keeps_at, partner_that_keeps
from atreport.private.solver.objective import Objective
from atreport.spec.process import Process
from tests.example import binary_table, random_table

NEAR = Closeness(delta=Decimal("0.9"))


def two_public() -> DecisionTable:
    """Areas and ages as groups, all but one of them, of two sensitive values each; no two have as many people."""
    attributes = [
        {"name": "area", "role": "public", "values": ["n", "s", "w"]},
        {"name": "secret", "role": "sensitive", "values": ["a", "b"]},
        {"name": "age", "role": "public", "values": ["old", "young"]},
    ]
    outcome = {"name": "decision", "values": ["no", "yes"], "favourable": "yes"}
    process = Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})
    codes = [(a, s, g) for a in range(3) for s in range(2) for g in range(2) if (a, g) != (2, 1)]
    rng = np.random.default_rng(1)
    cells, _ = arrange(process, np.array(codes, dtype=np.int32), rng.permutation(len(codes)) * 7 + 3)
    return binary_table(cells, rng.random(len(codes)).round(3))


def test_the_smallest_group_that_will_do_is_named_with_the_attribute_that_tells_them_apart() -> None:
    """Of all groups that differ in one public attribute alone, and with which a ceiling can be kept."""
    table, kinds = two_public(), set[bool]()
    cells = table.cells
    names = [tuple(cells.codes[start][[0, 2]].tolist()) for start in cells.group_starts]
    people = np.add.reduceat(cells.population, cells.group_starts).tolist()
    for group, own in enumerate(names):
        for beta in (0.5, 0.52, 0.55, 0.6, 0.9):

            def aims(_: Cells, asked: Objective = Objective(minimise=(), beta=beta)) -> Objective:  # noqa: B008
                return asked

            fitting = [
                (people[other], other, "area" if own[0] != name[0] else "age")
                for other, name in enumerate(names)
                if sum(a != b for a, b in zip(own, name, strict=True)) == 1
                and keeps_at(joined_groups(table, group, other), NEAR, aims)
            ]
            found = partner_that_keeps(table, group, NEAR, aims)
            assert found == (min(fitting)[1:] if fitting else None)
            kinds.add(bool(fitting))
    assert kinds == {True, False}


def test_cells_of_joined_groups_are_weighted_averages() -> None:
    """Of those that are alike in all but public attributes, in fractions: people are added, probabilities averaged."""
    for seed in range(20):
        table = random_table(np.random.default_rng(seed), groups=3, values=3, others=2)
        cells, both = table.cells, joined_groups(table, 0, 2)
        expected: dict[tuple[int, ...], tuple[int, Fraction]] = {}
        for code, group, people, yes in zip(
            cells.codes.tolist(),
            cells.group.tolist(),
            cells.population.tolist(),
            table.favourable.tolist(),
            strict=True,
        ):
            if group != 1:
                had, favoured = expected.get(tuple(code[1:]), (0, Fraction(0)))
                expected[tuple(code[1:])] = had + people, favoured + people * Fraction(yes)
        found = zip(
            both.cells.codes.tolist(), both.cells.population.tolist(), both.favourable.tolist(), strict=True
        )
        assert {tuple(code[1:]): people for code, people, _ in found} == {
            key: of[0] for key, of in expected.items()
        }
        for code, yes in zip(both.cells.codes.tolist(), both.favourable.tolist(), strict=True):
            people, favoured = expected[tuple(code[1:])]
            assert yes == pytest.approx(float(favoured / people), abs=1e-12)
