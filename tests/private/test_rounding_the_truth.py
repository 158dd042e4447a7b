"""`delta: 1`: the true rule itself, rounded by largest remainder, and nothing said of the digits that are not printed."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atreport.compose import compose_report
from atreport.core.band import Closeness, rounding
from atreport.export.files import public_files
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.private.solver.fidelity import rounded_truth
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec
from atreport.text.numbers import shortest_decimal
from tests.example import example_spec
from tests.many_outcomes import table_of

Row = list[Fraction]


@st.composite
def some_rows(draw: st.DrawFn) -> tuple[list[Row], int]:
    """Probabilities of two to six outcomes with up to twelve digits, ties among them, and decimals to round to."""
    outcomes, decimals = draw(st.integers(2, 6)), draw(st.integers(1, 9))
    digits = draw(st.sampled_from([decimals, decimals + 1, 12]))
    parts = st.lists(st.integers(0, 10**digits), min_size=outcomes - 1, max_size=outcomes - 1)
    ties = st.lists(
        st.sampled_from([0, 10**digits // 2, 10**digits // 8]), min_size=outcomes - 1, max_size=outcomes - 1
    )
    rows = []
    for cuts in draw(st.lists(parts | ties, min_size=1, max_size=5)):
        ends = [0, *sorted(cuts), 10**digits]
        rows.append([Fraction(b - a, 10**digits) for a, b in pairwise(ends)])
    return rows, decimals


def table_with(rows: list[Row]) -> DecisionTable:
    """A table with these probabilities, and as many cells as there are."""
    found = table_of(np.random.default_rng(0), len(rows[0]), 1, groups=4)
    chosen = [rows[i % len(rows)] for i in range(len(found.cells))]
    return replace(found, probability=np.array([[float(p) for p in row] for row in chosen]))


@given(some_rows())
def test_no_outcome_is_off_by_more_than_is_stated(drawn: tuple[list[Row], int]) -> None:
    """By (m - 1)/m of a step at most, for m outcomes: otherwise intervals would not hold the truth.

    *Proof.* Let r_1 … r_m be the rests, which sum to a whole number k < m: so many are rounded up, those with the largest
    rests. One that is not rounded up is at most each of the k that are, so (k + 1) r <= k and r <= k/(k + 1) <= (m - 1)/m.
    Of one that is rounded up, the k - 1 others that are have rests below 1 and the m - k that are not have at most its own,
    so k <= (k - 1) + (m - k + 1) r, and 1 - r <= (m - k)/(m - k + 1) <= (m - 1)/m. ∎
    """
    rows, decimals = drawn
    table = table_with(rows)
    steps, scale, outcomes = rounded_truth(table, decimals), 10**decimals, len(rows[0])
    assert (steps.sum(axis=1) == scale).all()
    stated = rounding(decimals, outcomes).largest_move * scale
    assert Fraction(outcomes - 1, outcomes) <= stated < 1
    for row, printed in zip(table.probability.tolist(), steps.tolist(), strict=True):
        off = [abs(shortest_decimal(p) * scale - step) for p, step in zip(row, printed, strict=True)]
        assert max(off) <= Fraction(outcomes - 1, outcomes) + Fraction(1, 10**5)
        assert max(off) <= stated
        assert all(
            p * scale == step for p, step in zip(map(shortest_decimal, row), printed, strict=True)
        ) or any(off)


@given(some_rows())
def test_it_is_the_nearest_rule_that_can_be_printed(drawn: tuple[list[Row], int]) -> None:
    """No whole step can be moved from one outcome to another so that the largest distance, or their sum, is smaller.

    0.20004 beside 0.3 and 0.49996 was once printed as 0.3: a solver chose among all that was less than a step away.
    """
    rows, decimals = drawn
    table = table_with(rows)
    scale = 10**decimals
    for row, steps in zip(table.probability.tolist(), rounded_truth(table, decimals).tolist(), strict=True):
        off = [step - shortest_decimal(p) * scale for p, step in zip(row, steps, strict=True)]
        for up in range(len(row)):
            for down in range(len(row)):
                if up != down and steps[down] > 0:
                    now = abs(off[up]) + abs(off[down])
                    assert abs(off[up] + 1) + abs(off[down] - 1) >= now - Fraction(1, 10**5)


@pytest.mark.parametrize(
    ("truth", "decimals", "printed"),
    [
        ((0.20004, 0.3, 0.49996), 1, (2, 3, 5)),
        ((0.25, 0.75), 1, (2, 8)),
        ((0.35, 0.65), 1, (4, 6)),
        ((0.05, 0.05, 0.9), 1, (1, 0, 9)),
        ((0.15, 0.05, 0.8), 1, (2, 0, 8)),
        ((0.333333333333, 0.333333333333, 0.333333333334), 4, (3333, 3333, 3334)),
        ((0.29, 0.71), 2, (29, 71)),
    ],
)
def test_rests_that_are_equal_go_to_even(
    truth: tuple[float, ...], decimals: int, printed: tuple[int, ...]
) -> None:
    """Ties to even as everywhere, then in the order of the outcomes; and floats do not decide what is a tie."""
    table = table_with([[shortest_decimal(p) for p in truth]])
    assert rounded_truth(table, decimals)[0].tolist() == list(printed)


def exact_spec(*edits: tuple[str, str]) -> Spec:
    """The example with the true rule, rounded to two decimals."""
    plain = (("delta: 0.9", "delta: 1"), ("  privacy: {beta: 0.7}\n", ""), ("decimals: 4", "decimals: 2"))
    return example_spec(*plain, *edits)


def three_outcomes(first: tuple[float, float], second: tuple[float, float]) -> Spec:
    """A table of two cells with three outcomes, at delta 1."""
    document = {
        "atreport": 1,
        "report": {"title": "t", "publisher": "p", "version": "1", "date": "2026-01-15"},
        "process": {
            "name": "n",
            "description": "d",
            "outcome": {"name": "o", "values": ["no", "later", "yes"], "favourable": "yes"},
            "attributes": [{"name": "illness", "role": "sensitive", "values": ["none", "some"]}],
        },
        "source": {
            "table": [
                {"illness": "none", "population": 40, "later": first[0], "yes": first[1]},
                {"illness": "some", "population": 17, "later": second[0], "yes": second[1]},
            ]
        },
        "policy": {"fidelity": {"delta": 1, "rates": 1}, "decimals": 2},
        "fairness": [{"measure": "statistical_parity", "groups": "illness", "threshold": 0.1}],
    }
    return parse_spec(json.dumps(document))


ALIKE = {
    "with no more decimals": (exact_spec(), exact_spec(("approved: 0.5", "approved: 0.5000004"))),
    "a tie": (
        exact_spec(("approved: 0.5", "approved: 0.125")),
        exact_spec(("approved: 0.5", "approved: 0.12")),
    ),
    "never and hardly ever": (exact_spec(), exact_spec(("approved: 0}", "approved: 0.0049}"))),
    "three outcomes": (
        three_outcomes((0.2, 0.3), (0.41, 0.02)),
        three_outcomes((0.20333, 0.29667), (0.4101, 0.0199)),
    ),
}
"""Pairs of true rules that are printed alike."""


@pytest.mark.parametrize("name", ALIKE)
def test_truths_that_are_printed_alike_have_the_same_public_bytes(name: str) -> None:
    """A fidelity of 1 wherever the truth had no more decimals said so: it told the digits that are not printed."""
    published = []
    for spec in ALIKE[name]:
        announcement = draft_announcement(spec, read_table(spec)).announcement
        published.append(
            (announcement, public_files(compose_report(announcement, spec.public), ["html", "json"]))
        )
    (one, files), (other, others) = published
    assert (one.mapping == other.mapping).all()
    assert one.fidelity == other.fidelity
    assert files == others


@pytest.mark.parametrize("outcomes", [2, 3, 4, 5])
def test_the_fidelity_is_never_one(outcomes: int) -> None:
    """It is a constant for so many outcomes and decimals, whatever the truth is, and allows what rounding does."""
    stated = rounding(4, outcomes)
    assert stated.only_rounds(4, outcomes)
    assert not Closeness(delta=Decimal(1)).only_rounds(4, outcomes)
    assert str(stated.delta) == {2: "0.99995", 3: "0.9999333", 4: "0.9999249", 5: "0.9999199"}[outcomes]
