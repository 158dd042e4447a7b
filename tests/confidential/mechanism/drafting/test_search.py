"""What a policy leaves open is found: the closest rates, and the highest fidelity for any kind of ceiling."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from atreport.confidential.data.decision_table import without_cells
from atreport.confidential.data.table import read_table
from atreport.confidential.mechanism.draft import draft_announcement, draft_at
from atreport.confidential.mechanism.refusal import refuse_above_ceiling
from atreport.errors import Refused
from atreport.population.band import Closeness
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
