"""Advice for a broken ceiling: the fidelity that is named is the best of all, and the group to join with the smallest."""

from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.private import draft
from atreport.private.data.decision_table import DecisionTable
from atreport.private.draft import fidelity_that_keeps, is_too_large, joined_groups, partner_that_keeps
from atreport.private.solver.objective import Objective
from atreport.spec.process import Process
from tests.example import binary_table, random_table

NEAR = Closeness(delta=Decimal("0.9"))


@settings(max_examples=200, deadline=None)
@given(
    kind=st.sampled_from(["delta", "alpha"]),
    present=st.integers(0, 10_000),
    keeps=st.integers(-1, 1000),
    fine=st.integers(0, 12),
)
@example(kind="delta", present=9000, keeps=500, fine=10)  # as far back as is looked
@example(kind="delta", present=9000, keeps=500, fine=11)
@example(kind="delta", present=0, keeps=0, fine=0)
@example(kind="alpha", present=9, keeps=1000, fine=0)  # below a thousandth no α is looked for
@example(kind="alpha", present=9000, keeps=5, fine=4)
@example(kind="delta", present=9000, keeps=5, fine=5)
def test_the_fidelity_that_is_named_is_the_highest_of_all_thousandths(
    kind: str, present: int, keeps: int, fine: int
) -> None:
    """Not above the present one, up to ten steps back from where it would be kept unrounded; that by trying every step."""
    lowest = 1 if kind == "alpha" else 0
    unrounded = [steps for steps in range(lowest, 1001) if steps <= keeps and 10 * steps <= present]
    expected = None
    if unrounded:
        back = range(unrounded[-1], max(lowest, unrounded[-1] - 10) - 1, -1)
        expected = next((steps for steps in back if steps <= unrounded[-1] - fine), None)

    def number(closeness: Closeness) -> int:
        found = closeness.alpha if kind == "alpha" else closeness.delta
        assert found is not None
        assert found == found.quantize(Decimal("0.001"))
        return int(found * 1000)

    nothing: Any = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draft, "keeps_at", lambda _, closeness, __: number(closeness) <= keeps)
        found = fidelity_that_keeps(
            nothing,
            Closeness(**{kind: Decimal(present) / 10_000}),
            nothing,
            lambda closeness: number(closeness) <= unrounded[-1] - fine,
        )
    assert (None if found is None else number(found)) == expected


@pytest.mark.parametrize(("closed", "most"), [(True, 20_000), (False, 200)])
def test_larger_tables_get_no_advice(closed: bool, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many are solved to find it: few where each needs linear programs."""
    monkeypatch.setattr(draft, "has_closed_form", lambda _: closed)
    for cells, too_large in ((most, False), (most + 1, True)):
        table: Any = SimpleNamespace(cells=range(cells))
        assert is_too_large(table) is too_large


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
    """Of all groups that differ in one public attribute alone, whichever of them would do."""
    table, tried = two_public(), 0
    cells = table.cells
    names = [tuple(cells.codes[start][[0, 2]].tolist()) for start in cells.group_starts]
    people = [int(cells.population[cells.group == group].sum()) for group in range(len(names))]
    anything: Any = lambda _: Objective()  # noqa: E731
    for group, own in enumerate(names):
        for wanted in ({*range(len(names))}, {people.index(max(people))}, set()):
            fitting = [
                (people[other], other, "area" if own[0] != name[0] else "age")
                for other, name in enumerate(names)
                if sum(a != b for a, b in zip(own, name, strict=True)) == 1 and other in wanted
            ]

            def keeps(both: DecisionTable, *_: object, group: int = group, wanted: set[int] = wanted) -> bool:
                total = int(both.cells.population.sum()) - people[group]
                return people.index(total) in wanted

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(draft, "keeps_at", keeps)
                found = partner_that_keeps(table, group, NEAR, anything)
            assert found == (min(fitting)[1:] if fitting else None)
            tried += bool(fitting)
    assert tried > len(names)


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
