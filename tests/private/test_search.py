"""What a policy leaves open is found: the closest rates, and the highest fidelity for any kind of ceiling."""

import math
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from atreport.core.band import Closeness, rounding
from atreport.core.certify import Ceilings
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.private import draft as search
from atreport.private.data.decision_table import DecisionTable, without_cells
from atreport.private.data.table import read_table
from atreport.private.draft import (
    closest_draft,
    draft_announcement,
    draft_at,
    draft_with_best_rates,
    rate_promise,
    rate_room,
    refuse_above_ceiling,
)
from atreport.private.solver.fidelity import Bounds, float_bounds
from atreport.private.solver.objective import Objective, TableSolution
from atreport.private.solver.solver import solve_table
from atreport.spec.policy import Aim
from atreport.spec.spec import Spec
from tests.example import example_spec, random_table
from tests.thoroughness import examples

FIDELITY = ("decimals: 4", "decimals: 3\n  objective: fidelity")


@pytest.mark.parametrize(
    "ceiling", ["{lift: 3}", "{odds: 12}", "{beta: 0.72, lift: 4}", "{beta: 0.9, odds: 20}"]
)
def test_highest_fidelity_for_any_ceilings(ceiling: str) -> None:
    """All ceilings are kept at the fidelity found, and one of them is not a step closer to the truth."""
    spec = example_spec(("{beta: 0.7}", ceiling), ("delta: 0.9", "delta: 0"), FIDELITY)
    table = read_table(spec)
    announcement = draft_announcement(spec, table).announcement
    assert isinstance(announcement.fidelity, Closeness)
    assert announcement.fidelity.delta is not None
    assert 0 < announcement.fidelity.delta < 1
    privacy = spec.policy.privacy
    assert privacy is not None

    def kept(of: object) -> bool:
        asked = privacy.model_dump(exclude_none=True)
        return all(
            (number := getattr(of, name)) is not None and number <= most for name, most in asked.items()
        )

    assert kept(announcement)
    closer = Closeness(delta=announcement.fidelity.delta + Decimal("0.001"))
    assert not kept(draft_at(spec, table, closer, near=True).announcement)


def test_fidelity_search_keeps_rates() -> None:
    """With rates beside it, the search gives up fidelity rather than rates or ceilings."""
    edits = [("{beta: 0.7}", "{beta: 0.86}"), FIDELITY]
    spec = example_spec(("{delta: 0.9}", "{delta: 0.5, rates: 0.99}"), *edits)
    free = example_spec(("{delta: 0.9}", "{delta: 0.5}"), *edits)
    kept, plain = (draft_announcement(s, read_table(s)).announcement for s in (spec, free))
    assert kept.rule.rates == Decimal("0.99")
    assert kept.beta <= Decimal("0.86")
    assert isinstance(kept.fidelity, Closeness)
    assert isinstance(plain.fidelity, Closeness)
    assert (kept.fidelity.delta or 0) <= (plain.fidelity.delta or 0)


@pytest.mark.parametrize("seed", range(6))
def test_best_rates_keep_the_least_beta(seed: int) -> None:
    """Without ceilings the report's β stays the least; a printed step closer, it would not."""
    table = random_table(np.random.default_rng(seed), groups=3, values=3)
    base = [("  privacy: {beta: 0.7}\n", ""), ("decimals: 4", "decimals: 3")]

    def drafted(rates: str) -> tuple[Decimal, Decimal | None]:
        spec = example_spec(("{delta: 0.9}", f"{{delta: 0.9{rates}}}"), *base)
        announcement = draft_announcement(spec, table).announcement
        return announcement.beta, announcement.rule.rates

    least, _ = drafted("")
    beta, rates = drafted(", rates: best")
    assert beta == least
    assert rates is not None
    if rates < Decimal("0.9985"):
        closer, _ = drafted(f", rates: {rates + Decimal('0.002')}")
        assert closer > least


def test_best_rates_under_a_ceiling() -> None:
    """A higher ceiling buys closer rates."""
    found = []
    for ceiling in ("0.7", "0.8", "0.92"):
        spec = example_spec(("{delta: 0.9}", "{delta: 0.9, rates: best}"), ("beta: 0.7", f"beta: {ceiling}"))
        announcement = draft_announcement(spec, read_table(spec)).announcement
        assert announcement.beta <= Decimal(ceiling)
        assert announcement.rule.rates is not None
        found.append(announcement.rule.rates)
    assert found == sorted(found)
    assert found[-1] == Decimal("0.99995")  # exact rates cost 0.8998


def test_decimals_that_would_do_are_named() -> None:
    """Where a ceiling can be kept, but not by figures with so few decimals, the refusal says how many would do."""
    spec = example_spec(("{beta: 0.7}", "{beta: 0.65}"), ("decimals: 4", "decimals: 1"))
    both = read_table(spec)
    table = without_cells(both, both.cells.group == 0)  # the second group alone: 0.6378 can be had
    draft = draft_announcement(spec, table)
    assert draft.announcement.beta > Decimal("0.65")
    assert draft.enough_decimals == 2
    with pytest.raises(Refused, match="Only rounding exceeds it: write 'decimals: 2'"):
        refuse_above_ceiling(spec, draft.announcement, table, draft.enough_decimals)


def _steps_of(closeness: Closeness, decimals: int) -> int:
    if closeness == rounding(decimals, 2):
        return int(10**decimals)  # the truth itself, as nearly as it can be printed
    number = closeness.delta if closeness.alpha is None else closeness.alpha
    assert number is not None
    return int(number.scaleb(decimals))


@settings(max_examples=examples(500), deadline=None)
@given(
    decimals=st.integers(1, 4),
    kind=st.sampled_from(["delta", "alpha"]),
    floor=st.integers(0, 99),
    keeps=st.floats(0, 1.001),
    fine=st.integers(0, 1500),
    printable=st.integers(0, 3),
)
@example(decimals=4, kind="delta", floor=0, keeps=0.9, fine=1000, printable=0)  # as far back as is looked
@example(decimals=4, kind="delta", floor=0, keeps=0.9, fine=1001, printable=0)
@example(decimals=1, kind="delta", floor=0, keeps=1.001, fine=0, printable=0)
def test_the_highest_fidelity_is_the_first_that_keeps_the_ceilings_as_printed(
    decimals: int, kind: str, floor: int, keeps: float, fine: int, printable: int
) -> None:
    """Going back from the highest that keeps them unrounded, up to 1,000 steps, to the floor; that by trying every step.

    `keeps` is the highest of these, so many steps further back rounded figures are `fine`, and so many lack figures.
    """
    spec = example_spec(("decimals: 4", f"decimals: {decimals}"))
    scale, tried = 10**decimals, []
    lowest = max(math.ceil(Fraction(floor, 100) * scale), 1 if kind == "alpha" else 0)
    best = max([lowest, *(steps for steps in range(lowest, scale + 1) if steps <= keeps * scale)])

    def drafted(_: object, __: object, closeness: Closeness, *___: object, near: bool) -> Any:
        assert near
        tried.append(_steps_of(closeness, decimals))
        if tried[-1] > best - printable:
            raise PolicyCannotBeMet("no figure", "allow more")
        above = {} if tried[-1] <= best - fine else {"beta": np.array([True])}
        return SimpleNamespace(steps=tried[-1], announcement=SimpleNamespace(above=lambda _: above))

    def kept(_: object, __: object, closeness: Closeness, *___: object) -> bool:
        return bool(_steps_of(closeness, decimals) <= keeps * scale)

    looked_at = range(best, max(lowest, best - 1000) - 1, -1)
    expected = [steps for steps in looked_at if steps > best - max(fine, printable)]
    expected += [steps for steps in looked_at if steps <= best - max(fine, printable)][:1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "draft_at", drafted)
        patch.setattr(search, "_keeps", kept)
        asked = Closeness(**{kind: Decimal(floor) / 100})
        nobody: Any = None
        if expected[-1] > best - printable:  # down to the floor nothing can be printed
            with pytest.raises(PolicyCannotBeMet):
                closest_draft(spec, read_table(spec), asked, nobody)
        else:
            found: Any = closest_draft(spec, read_table(spec), asked, nobody)
            assert found.steps == expected[-1]
    assert tried == expected


def test_rates_are_widened_step_by_step_while_rounding_exceeds_a_ceiling() -> None:
    """From the least move, rounded up with room for half a printed step, ten steps further at most."""
    spec = example_spec(("decimals: 4", "decimals: 2"))
    tried: list[Decimal | None] = []

    def drafted(of: Spec, *_: object, **__: object) -> Any:
        rates = of.policy.fidelity.rates
        assert not isinstance(rates, str)
        tried.append(rates)
        above = {} if rates is None or len(tried) > fine else {"beta": np.array([True])}
        return SimpleNamespace(rates=rates, announcement=SimpleNamespace(above=lambda _: above))

    nobody: Any = None
    for least, fine, first in (
        (0.031, 4, "0.96"),
        (0.031, 99, "0.96"),
        (0.0, 3, "0.995"),
        (0.035, 1, "0.96"),
    ):
        tried.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search, "draft_at", drafted)
            patch.setattr(search, "_least_move", lambda *_, least=least: least)
            found: Any = draft_with_best_rates(spec, read_table(spec), None, nobody)
        wider = [Decimal(first)]
        while len(wider) < min(fine, 11):
            wider.append((wider[-1] - Decimal("0.01")).quantize(Decimal("0.01"), ROUND_FLOOR))
        assert tried == [None, *wider]
        assert found.rates == wider[-1]


@settings(max_examples=examples(200), deadline=None)
@given(decimals=st.integers(1, 5), least=st.floats(1e-9, 0.5), found=st.floats(0, 0.3))
def test_the_least_move_of_rates_is_found_to_a_tenth_of_a_printed_step(
    decimals: int, least: float, found: float
) -> None:
    """Whatever the solver finds for more room; where it finds one that moves less than it may, that is taken at once."""
    spec = example_spec(("decimals: 4", f"decimals: {decimals}"))
    table = read_table(spec)
    asked: list[float | None] = []

    def solve(_: object, __: object, aims: Objective) -> Any:
        asked.append(aims.rate_move)
        kept = aims.rate_move is None or aims.rate_move >= least
        return SimpleNamespace(kept=np.array([kept]), mapping=None)

    def move(*_: object) -> float:
        return least + found if asked[-1] is None else min(asked[-1], least + found / 7)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_largest_move", move)
        least_move = search._least_move(spec, table, Closeness(delta=Decimal("0.9")), Ceilings(), solve)
    assert least <= least_move <= least + 0.1 / 10**decimals
    assert asked[:2] == [0.0, None]


def test_so_many_decimals_more_are_tried() -> None:
    """Three, and none beyond nine."""
    for decimals, expected in ((4, [5, 6, 7]), (6, [7, 8, 9]), (7, [8, 9]), (9, [])):
        spec = example_spec(("decimals: 4", f"decimals: {decimals}"))
        above = {"beta": np.array([True])}
        draft: Any = SimpleNamespace(
            announcement=SimpleNamespace(above=lambda _, above=above: above),
            solution=SimpleNamespace(kept=np.array([True])),
        )
        tried: list[int] = []

        def drafted(of: Spec, *_: object, tried: list[int] = tried, draft: Any = draft) -> Any:
            tried.append(of.policy.decimals)
            return draft

        nobody: Any = None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search, "draft_at", drafted)
            assert search.with_enough_decimals(spec, read_table(spec), draft, nobody) is draft
        assert tried == expected


@pytest.mark.parametrize("rates", [None, "0.97", "1"])
@pytest.mark.parametrize("ceilings", [{"beta"}, {"lift"}, {"beta", "odds"}])
def test_ceilings_are_said_to_be_kept_exactly_where_the_solver_keeps_them(
    ceilings: set[str], rates: str | None
) -> None:
    """At the least of a ceiling that can be had, and not a millionth below it; with rates kept, and without."""
    kept_rates = "" if rates is None else f", rates: {rates}"
    spec = example_spec(("{delta: 0.9}", f"{{delta: 0.9{kept_rates}}}"), ("decimals: 4", "decimals: 6"))
    near, missed = Closeness(delta=Decimal("0.9")), 0

    def unrounded(of: DecisionTable, bounds: Bounds, aims: Objective) -> TableSolution:
        assert bounds.lowest_step.size == bounds.highest_step.size == 0, "nothing is rounded yet"
        return solve_table(of, bounds, aims)

    for seed in range(6):
        table = random_table(np.random.default_rng(seed), groups=2, values=3)
        promise = rate_promise(spec.policy, table)
        room = None if promise is None else rate_room(spec, table, promise)
        lower, upper = float_bounds(table, near)
        empty = np.empty((0, 2), dtype=np.int64)
        bounds = Bounds(lower=lower, upper=upper, lowest_step=empty, highest_step=empty)
        first: Aim = "lift" if "lift" in ceilings else "beta"
        best = solve_table(table, bounds, Objective(minimise=(first,), decimals=6, rate_move=room))
        least = float((best.lift if first == "lift" else best.optimum).max())
        others = {name: Decimal(10**9) for name in ceilings - {first}}
        for number, expected in ((least * (1 + 1e-9), True), (least * (1 - 1e-6), False)):
            if first == "lift" and number < 1:
                continue  # no ceiling on lift is below 1
            asked = Ceilings(**{first: Decimal(number)}, **others)  # type: ignore[arg-type]
            assert search._keeps(spec, table, near, asked, unrounded) is expected
            missed += not expected
    assert missed > 2
