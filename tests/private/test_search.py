"""What a policy leaves open is found: the closest rates, and the highest fidelity for any kind of ceiling."""

from decimal import Decimal

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.certify import Ceilings
from atreport.errors import Refused
from atreport.private import draft as search
from atreport.private.data.decision_table import DecisionTable, without_cells
from atreport.private.data.table import read_table
from atreport.private.draft import (
    draft_announcement,
    draft_at,
    rate_promise,
    rate_room,
    refuse_above_ceiling,
)
from atreport.private.solver.fidelity import Bounds, float_bounds
from atreport.private.solver.objective import Objective, TableSolution
from atreport.private.solver.solver import solve_table
from atreport.spec.policy import Aim
from tests.example import example_spec, random_table

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
