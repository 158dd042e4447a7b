"""Which fidelity and rates decide verdicts: rates are kept, cost what they cost, and verdicts agree with the truth."""

from decimal import Decimal

import numpy as np

from atreport.core.band import Closeness
from atreport.private.tradeoff.policy_sweep import RATES_TRIED, PolicyResult, choices, propose
from atreport.report.figures import Verdict
from tests.example import example_spec, random_table
from tests.measures.test_fairness import MEASURE

FAIRNESS = [
    MEASURE.validate_python({"measure": "statistical_parity", "groups": "group", "threshold": 0.1}),
    MEASURE.validate_python({"measure": "p_percent_rule", "groups": "group", "p": 0.8}),
]
SPEC = example_spec(("  privacy: {beta: 0.7}\n", "")).model_copy(update={"fairness": tuple(FAIRNESS)})


def test_closer_rates_cost_more_and_decide_more() -> None:
    """Of groups that public attributes tell apart, exact rates decide everything that is not at its threshold."""
    decided = dict.fromkeys(RATES_TRIED, 0)
    for seed in range(6):
        table = random_table(np.random.default_rng(seed), groups=3, values=3)
        found = choices(SPEC, SPEC.public, table, [Decimal("0.9")])
        assert [choice.rates for choice in found] == list(RATES_TRIED)
        betas = [choice.beta for choice in found]
        assert betas == sorted(betas)
        for choice in found:
            decided[choice.rates] += choice.decided
            assert choice.decided == choice.compared or choice.rates != 1
    assert decided[None] < decided[Decimal("0.99")] <= decided[Decimal(1)]


def choice(beta: float, decided: int, delta: str = "0.9") -> PolicyResult:
    """A choice that decides so many of ten."""
    meets: Verdict = "meets"
    cannot_tell: Verdict = "cannot_tell"
    return PolicyResult(
        fidelity=Closeness(delta=Decimal(delta)),
        rates=None,
        beta=beta,
        lift=1.0,
        odds=None,
        others={},
        mean_change=0.0,
        verdicts=(*[meets] * decided, *[cannot_tell] * (10 - decided), None),
    )


def test_the_choice_that_decides_most_at_a_bearable_price_is_proposed() -> None:
    """More verdicts first, then the least confidence, then the highest fidelity; nothing at any price."""
    cheap, fair, dear = choice(0.6, 3), choice(0.62, 8), choice(0.7, 10)
    assert (cheap.decided, cheap.compared) == (3, 10)
    assert propose([dear, cheap, fair]) is fair
    assert propose([dear, cheap, fair], most_price=0.2) is dear
    closer = choice(0.62, 8, "0.95")
    assert propose([fair, closer]) is closer
    hardly_dearer = choice(0.623, 8, "0.95")
    assert propose([fair, hardly_dearer]) is hardly_dearer
    assert propose([]) is None
