"""A refusal that helps: which ceiling, which groups, and a fidelity or a join that really would keep it."""

import re
from decimal import Decimal

import numpy as np
import pytest

from atreport.errors import Refused
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement, refuse_above_ceiling
from atreport.spec.spec import Spec
from tests.example import example_spec, random_table


def _refusal(spec: Spec, table: DecisionTable) -> str:
    with pytest.raises(Refused) as refused:
        refuse_above_ceiling(spec, draft_announcement(spec, table).announcement, table)
    assert refused.value.exit_code == 3
    return str(refused.value)


def test_ceiling_groups_and_fidelity_are_named() -> None:
    """A β of 0.61 needs more distortion in one of two groups: it is named, and the fidelity that would do."""
    spec = example_spec(("{beta: 0.7}", "{beta: 0.61}"))
    words = _refusal(spec, read_table(spec))
    assert "(beta: 0.61) in 2 of 2 groups: F; M" in words
    assert "treat this message like the annex" in words
    (delta,) = re.findall(r"'delta: ([0-9.]+)' would keep it", words)
    fine = example_spec(("{beta: 0.7}", "{beta: 0.61}"), ("delta: 0.9", f"delta: {delta}"))
    refuse_above_ceiling(fine, draft_announcement(fine, read_table(fine)).announcement, read_table(fine))
    more = example_spec(
        ("{beta: 0.7}", "{beta: 0.61}"), ("delta: 0.9", f"delta: {Decimal(delta) + Decimal('0.001')}")
    )
    _refusal(more, read_table(more))


@pytest.mark.parametrize(
    ("privacy", "words"),
    [
        ("{lift: 2}", "(lift: 2)"),
        ("{odds: 3}", "(odds: 3)"),
        ("{gamma: 0.5}", "(gamma: 0.5)"),
    ],
)
def test_every_kind_of_ceiling_gets_advice_that_holds(privacy: str, words: str) -> None:
    """The fidelity that is named keeps lift, odds and γ too."""
    spec = example_spec(("{beta: 0.7}", privacy))
    said = _refusal(spec, read_table(spec))
    assert words in said
    (delta,) = re.findall(r"'delta: ([0-9.]+)' would keep it", said)
    fine = example_spec(("{beta: 0.7}", privacy), ("delta: 0.9", f"delta: {delta}"))
    refuse_above_ceiling(fine, draft_announcement(fine, read_table(fine)).announcement, read_table(fine))


def test_hopeless_groups_are_not_sent_looking_for_a_fidelity() -> None:
    """Where the population alone gives more away, no fidelity is named, but groups that could be joined are."""
    spec = example_spec(("{beta: 0.7}", "{beta: 0.55}"))
    said = _refusal(spec, read_table(spec))
    assert "population alone" in said
    assert "'delta:" not in said
    assert "join F with M under one value of Gender, with more distortion" in said


def test_rates_that_are_in_the_way_are_named() -> None:
    """Where a ceiling could be kept if rates were free, the refusal says so."""
    spec = example_spec(("{delta: 0.9}", "{delta: 0.9, rates: 1}"), ("{beta: 0.7}", "{beta: 0.68}"))
    assert "'rates: best', or no rates, would keep it" in _refusal(spec, read_table(spec))


def test_calibrated_is_told_of_the_optimum() -> None:
    """The grid is fixed; if the optimal mechanism keeps the ceiling, that is the advice."""
    mechanism = ("  decimals: 4", "  mechanism: calibrated\n  decimals: 4")
    spec = example_spec(("{beta: 0.7}", "{beta: 0.69}"), mechanism)
    assert "'mechanism: optimal' would keep it at this fidelity" in _refusal(spec, read_table(spec))


def test_many_groups_are_counted_not_listed() -> None:
    """Three groups are named; of the others the number is."""
    spec = example_spec(("{beta: 0.7}", "{lift: 1.01}"))
    table = random_table(np.random.default_rng(5), groups=9, values=3)
    assert re.search(r"in \d of 9 groups: [^;]+; [^;]+; [^;]+; and \d more", _refusal(spec, table))
