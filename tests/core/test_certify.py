"""The announcement: what is printed is inside the band and keeps the promise, in exact arithmetic."""

import dataclasses
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from atreport.core.band import Closeness, bands_around
from atreport.core.certify import Announcement, ceiling_on_beta, certify, gamma_of
from atreport.errors import InvalidInput, PolicyCannotBeMet, Refused
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement, refuse_above_ceiling
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import solve_table
from atreport.spec.policy import PrivacyCeiling
from atreport.text.numbers import shortest_decimal
from tests.example import binary_table, example_spec, random_table
from tests.reference import exact_confidence
from tests.thoroughness import examples

CLOSENESS = [
    Closeness(delta=Decimal("0.9")),
    Closeness(delta=Decimal("0.99")),
    Closeness(delta=Decimal("0.333")),
    Closeness(delta=Decimal("1")),
    Closeness(alpha=Decimal("0.9")),
    Closeness(alpha=Decimal("0.999")),
]


def released(
    table: DecisionTable, closeness: Closeness, decimals: int = 4, population: str = "shares"
) -> Announcement:
    """An announcement of a table at some fidelity."""
    bounds = fidelity_bounds(table, closeness, decimals)
    solution = solve_table(table, bounds, Objective(minimise=("beta",)))
    return certify(
        table.cells,
        [solution.mapping],
        bounds.lowest_step,
        bounds.highest_step,
        decimals=decimals,
        fidelity=closeness,
        population=population,  # type: ignore[arg-type]
    )


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(CLOSENESS), st.sampled_from([3, 4, 6]))
def test_printed_beta_holds_exactly(seed: int, closeness: Closeness, decimals: int) -> None:
    """For the exact population and for the shares as printed, no confidence exceeds the printed β of its group."""
    table = random_table(np.random.default_rng(seed), groups=3, values=4, others=2)
    try:
        announcement = released(table, closeness, decimals)
    except PolicyCannotBeMet:
        reject()  # nothing was announced: the band holds no printable figure
    announced = [Fraction(int(a), announcement.scale) for a in announcement.announced]
    for weights in (table.cells.population.tolist(), announcement.shares.tolist()):
        for group in range(len(announcement.group_beta)):
            members = np.flatnonzero(table.cells.group == group).tolist()
            found = exact_confidence(
                [weights[k] for k in members],
                [announced[k] for k in members],
                [int(table.cells.value[k]) for k in members],
            )
            printed = Fraction(int(announcement.group_beta[group]), announcement.scale)
            assert found <= printed
    assert (announcement.group_prior <= announcement.group_beta).all()


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(CLOSENESS), st.sampled_from([3, 4, 6]))
def test_announced_figures_are_inside_the_band_exactly(
    seed: int, closeness: Closeness, decimals: int
) -> None:
    """Rounding never leaves the fidelity band, and the truth is inside the band around what is printed."""
    table = random_table(np.random.default_rng(seed))
    try:
        announcement = released(table, closeness, decimals)
    except PolicyCannotBeMet:
        reject()
    truth = announcement.rule.truth
    for k, d in enumerate(table.favourable.tolist()):
        low, high = closeness.around(shortest_decimal(d))
        assert low <= Fraction(int(announcement.announced[k]), announcement.scale) <= high
        assert Fraction(int(truth.lower[k]), truth.denominator) <= shortest_decimal(d)
        assert shortest_decimal(d) <= Fraction(int(truth.upper[k]), truth.denominator)


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.integers(0, 10**4), min_size=1, max_size=5),
    st.sampled_from(
        [Closeness(delta=Decimal(d)) for d in ("0", "0.9", "0.12345", "1")]
        + [Closeness(alpha=Decimal(a)) for a in ("0.95", "0.123456789", "1", "0.5")]
    ),
)
def test_band_of_whole_numbers_equals_band_of_fractions(steps: list[int], closeness: Closeness) -> None:
    """The vectorised band and the definition agree exactly."""
    announced = np.array(steps)
    band = bands_around(np.column_stack([announced, 10**4 - announced]), 10**4, closeness)[0]
    for k, step in enumerate(steps):
        low, high = closeness.around(Fraction(step, 10**4))
        assert Fraction(int(band.lower[k]), band.denominator) == max(Fraction(0), low)
        assert Fraction(int(band.upper[k]), band.denominator) == min(Fraction(1), high)


@pytest.mark.parametrize("seed", range(20))
def test_printed_beta_is_close_to_the_optimum(seed: int) -> None:
    """Rounding to four decimals costs the report's β at most three printed steps on tables with soft rules."""
    table = random_table(np.random.default_rng(seed), groups=6, values=4)
    closeness = Closeness(delta=Decimal("0.9"))
    optimum = solve_table(
        table, fidelity_bounds(table, closeness, 4), Objective(minimise=("beta",))
    ).optimum.max()
    assert float(optimum) - 1e-12 <= float(released(table, closeness).beta) <= float(optimum) + 3e-4


@pytest.mark.parametrize("mode", ["shares", "counts", "withheld"])
def test_large_populations_do_not_overflow(mode: str) -> None:
    """Populations near the limit are certified in wide integers."""
    table = random_table(np.random.default_rng(1), groups=1, values=3)
    cells = table.cells
    big = dataclasses.replace(cells, population=cells.population * 10**13)
    small = released(table, Closeness(delta=Decimal("0.9")), 6, mode)
    large = released(binary_table(big, table.favourable), Closeness(delta=Decimal("0.9")), 6, mode)
    assert large.beta == small.beta


@pytest.mark.parametrize(
    ("fidelity", "decimals", "advice"),
    [("delta: 0.99999", 3, "decimals: 5"), ("alpha: 1", 4, "write 'fidelity: {delta: 1}'")],
)
def test_unprintable_policy_is_an_error_with_advice(fidelity: str, decimals: int, advice: str) -> None:
    """Where the band holds no figure with so many decimals, the message says what to change, and no true value."""
    spec = example_spec(
        ("delta: 0.9", fidelity),
        ("decimals: 4", f"decimals: {decimals}"),
        ("approved: 0.5", "approved: 0.3333333333" if "alpha" in fidelity else "approved: 0.12345"),
    )
    with pytest.raises(InvalidInput) as caught:
        draft_announcement(spec, read_table(spec))
    assert caught.value.problems[0].location.line == 23
    assert advice in str(caught.value)
    assert "0.3333" not in str(caught.value)
    assert "0.1234" not in str(caught.value)


def test_delta_one_rounds_what_cannot_be_printed() -> None:
    """A third at δ = 1 is announced to the nearest step, and the fidelity stated is half a step."""
    spec = example_spec(
        ("delta: 0.9", "delta: 1"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("approved: 0.5", "approved: 0.3333333333"),
    )
    announcement = draft_announcement(spec, read_table(spec)).announcement
    assert (announcement.announced / announcement.scale).tolist() == [0, 0, 1, 0, 0.3333, 1]
    assert announcement.fidelity == Closeness(delta=Decimal("0.99995"))


def test_gamma_rounds_down_and_beta_one_is_zero() -> None:
    """γ never claims more uncertainty than there is."""
    assert gamma_of(Decimal("0.6750"), 4) == Decimal("0.3930")
    assert str(gamma_of(Decimal("1.0000"), 4)) == "0.0000"


def test_ceiling_from_gamma() -> None:
    """γ = -log β, rounded so that the ceiling is not loosened."""
    ceiling = ceiling_on_beta(PrivacyCeiling(gamma=Decimal("0.393")))
    assert ceiling is not None
    assert Decimal("0.67502") < ceiling < Decimal("0.67503")
    assert ceiling_on_beta(None) is None


@pytest.mark.parametrize(
    ("ceiling", "refused"), [("{beta: 0.675}", False), ("{beta: 0.6749}", True), ("{gamma: 0.4}", True)]
)
def test_ceiling_is_enforced_to_the_last_digit(ceiling: str, refused: bool) -> None:
    """β = 0.675 keeps a ceiling of 0.675 and not one of 0.6749."""
    spec = example_spec(("{beta: 0.7}", ceiling))
    announcement = draft_announcement(spec, read_table(spec)).announcement
    if refused:
        with pytest.raises(Refused) as caught:
            refuse_above_ceiling(spec, announcement, read_table(spec))
        assert caught.value.exit_code == 3
        assert "0.675 " not in str(caught.value)
    else:
        refuse_above_ceiling(spec, announcement, read_table(spec))
