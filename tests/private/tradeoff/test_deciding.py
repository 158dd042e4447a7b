"""Which fidelity and rates decide verdicts: rates are kept, cost what they cost, and verdicts agree with the truth."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.measures import measure_all
from atreport.private.prepare import prepare_spec
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.tradeoff.policy_sweep import RATES_TRIED, Choice, _announced, choices, propose
from tests.example import example_spec, random_table
from tests.measures.test_fairness import MEASURE

FAIRNESS = [
    MEASURE.validate_python({"measure": "statistical_parity", "groups": "group", "threshold": 0.1}),
    MEASURE.validate_python({"measure": "p_percent_rule", "groups": "group", "p": 0.8}),
]


@pytest.mark.parametrize("seed", range(6))
def test_rates_are_kept_and_closer_ones_cost_more(seed: int) -> None:
    """In every group the rate is within what is stated; the confidence never falls as rates are kept closer."""
    table = random_table(np.random.default_rng(seed), groups=4, values=4)
    bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
    betas = []
    for kept in RATES_TRIED:
        rule, beta = _announced(table, bounds, kept, 4)
        betas.append(beta)
        if kept is None:
            assert rule.rates is None
            continue
        assert rule.rates is not None
        assert rule.rates == (Decimal("0.99995") if kept == 1 else kept)
        people = table.cells.population
        for group in range(int(table.cells.group[-1]) + 1):
            inside = table.cells.group == group
            off = people[inside] @ (rule.announced[inside] / rule.scale - table.favourable[inside])
            assert abs(off) <= float(1 - rule.rates) * people[inside].sum() + 1e-9
    assert betas == sorted(betas) or np.allclose(betas, sorted(betas), atol=1e-9)


def test_more_verdicts_are_decided_where_rates_are_kept() -> None:
    """Of groups that public attributes tell apart, exact rates decide everything that is not at its threshold."""
    decided = dict.fromkeys(RATES_TRIED, 0)
    for seed in range(8):
        table = random_table(np.random.default_rng(seed), groups=3, values=3)
        for choice in choices(table, FAIRNESS, deltas=[Decimal("0.9")]):
            decided[choice.rates] += choice.decided
            assert 0 <= choice.decided <= choice.comparisons
            if choice.rates == 1:
                assert choice.decided == choice.comparisons
    assert decided[None] < decided[Decimal("0.99")] <= decided[Decimal(1)]


def test_a_table_with_guarded_counts_has_choices_too() -> None:
    """Where counts are rounded every probability of a group is kept as close as its rate."""
    spec = example_spec(("  decimals: 4", "  decimals: 4\n  small_cells: {policy: round, under: 5}"))
    prepared = prepare_spec(spec)
    account = prepared.announcement.small_cells
    found = choices(
        prepared.table,
        prepared.public.fairness,
        population="shares",
        small_cells=account,
        deltas=[Decimal("0.9")],
    )
    assert len(found) == len(RATES_TRIED)
    bounds = fidelity_bounds(prepared.table, Closeness(delta=Decimal("0.9")), 4)
    rule, _ = _announced(prepared.table, bounds, Decimal("0.99"), 4)
    assert (abs(rule.announced / rule.scale - prepared.table.favourable) <= 0.01 + 5e-5).all()
    measured, _ = measure_all(rule, prepared.public.fairness, unknown=False)
    assert all(r.low <= r.value <= r.high for each in measured for r in each.ranges or ())


def choice(beta: float, decided: int, delta: str = "0.9") -> Choice:
    """A choice that decides so many of ten."""
    return Choice(delta=Decimal(delta), rates=None, beta=beta, decided=decided, comparisons=10)


def test_the_choice_that_decides_most_at_a_bearable_price_is_proposed() -> None:
    """More verdicts first, then the least confidence, then the highest fidelity; nothing at any price."""
    cheap, fair, dear = choice(0.6, 3), choice(0.62, 8), choice(0.7, 10)
    assert propose([dear, cheap, fair]) is fair
    assert propose([dear, cheap, fair], most_price=0.2) is dear
    closer = choice(0.62, 8, "0.95")
    assert propose([fair, closer]) is closer
    hardly_dearer = choice(0.623, 8, "0.95")
    assert propose([fair, hardly_dearer]) is hardly_dearer
    assert propose([]) is None
    assert Fraction(fair.decided, fair.comparisons) > Fraction(cheap.decided, cheap.comparisons)
