"""The steps between linear programs: marks, brackets, weights, readings of answers, and the nearest mapping."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.private.solver import group as reading
from atreport.private.solver import minimise_ratio as pressing
from atreport.private.solver import programming
from atreport.private.solver import programming as moving
from atreport.private.solver.group import (
    KEPT,
    Group,
    Limits,
    _made_whole,
    beta_of,
    confidences,
    excess,
    odds_of,
)
from atreport.private.solver.minimise_ratio import (
    GAP,
    OptimalityInterval,
    Rows,
    Weights,
    _mark,
    _weights,
    minimise_ratio,
)
from atreport.private.solver.objective import Objective
from atreport.private.solver.programming import (
    _evened_up,
    _held_by_weights,
    _keeping,
    narrowed,
    nearest,
    solve_group,
)
from tests.private.solver.test_group import random_groups


def two_outcomes(lower: list[float], upper: list[float], rate_move: float | None = None) -> Group:
    """A group of equal cells, each with a value of its own; bounds on the first of two outcomes; true is the middle."""
    low, high = np.array(lower), np.array(upper)
    people, true = np.arange(1, len(low) + 1) * 10, (low + high) / 2
    return Group(
        people=people,
        p=people / people.sum(),
        truth=np.column_stack([true, 1 - true]),
        lower=np.column_stack([low, 1 - high]),
        upper=np.column_stack([high, 1 - low]),
        holds=np.eye(len(low), dtype=bool),
        attribute=np.zeros(len(low), dtype=np.int64),
        given=np.full(len(low), np.inf),
        rate_move=rate_move,
    )


def test_marks_lie_just_above_the_limit_and_at_the_mapping_in_turn() -> None:
    """And in the middle where neither end came nearer."""
    assert _mark(0.5, 0.75, 0, True) == 0.5 + GAP
    assert _mark(8.0, 9.0, 2, True) == 8.0 + 8 * GAP
    assert _mark(0.5, 0.75, 1, True) == 0.75
    assert _mark(0.5, 0.75, 3, True) == 0.75
    assert _mark(0.5, 0.75, 2, False) == 0.625


def test_a_bracket_is_narrow_relative_to_large_figures_and_absolutely_to_small_ones() -> None:
    """Of odds in the thousands nobody needs eight decimals, and of a confidence below one no more than eight."""
    nothing = np.empty((0, 2))
    for lower, wide in ((0.1, 1.0), (0.9, 1.0), (50.0, 50.0)):
        assert OptimalityInterval(lower=lower, upper=lower + 2.9 * GAP * wide, mapping=nothing).is_narrow()
        assert OptimalityInterval(lower=lower, upper=lower + 3 * GAP * wide, mapping=nothing).is_narrow()
        assert not OptimalityInterval(
            lower=lower, upper=lower + 3.1 * GAP * wide, mapping=nothing
        ).is_narrow()


@pytest.mark.parametrize("floor", [0.25, 0.999])
def test_nothing_is_solved_where_the_bracket_is_narrow(floor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a confidence far below one: three times the gap, absolutely."""
    group = random_groups()[0]
    quantity = beta_of(group, {0, 1})
    has = quantity.of(group, group.truth)
    scaled = replace(quantity, gauge=quantity.gauge * has / (floor + 2.5 * GAP))
    monkeypatch.setattr(pressing, "_pressed_below", lambda *_: pytest.fail("a program was solved"))
    free = Limits(ceilings=np.full(len(group.holds), np.inf))
    found = minimise_ratio(group, free, scaled, group.truth, floor)
    assert found.mapping is group.truth
    assert found.lower == floor


@pytest.mark.parametrize(
    ("better", "fits", "taken"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_a_mapping_is_taken_that_is_better_and_keeps_the_limits(
    better: bool, fits: bool, taken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both: linear programs keep limits up to their own rounding only."""
    group = random_groups()[0]
    quantity = beta_of(group, {0, 1})
    middle = np.tile(group.rates, (len(group.p), 1))  # everybody alike: nothing is inferred
    start, offered = (group.truth, middle) if better else (middle, group.truth)
    assert (quantity.of(group, offered) < quantity.of(group, start)) is better
    nothing = Weights(
        **{name: np.zeros((len(group.holds), group.truth.shape[1])) for name in ("pressed", "kept")},
        **{name: np.zeros(group.truth.shape[1]) for name in ("above", "below")},
        **{name: np.zeros(group.truth.shape) for name in ("most", "least")},
    )
    answers = iter([(offered, nothing), None])
    monkeypatch.setattr(pressing, "_pressed_below", lambda *_: next(answers))
    monkeypatch.setattr(pressing, "excess", lambda *_: KEPT if fits else KEPT + 1e-9)
    free = Limits(ceilings=np.full(len(group.holds), np.inf))
    assert (minimise_ratio(group, free, quantity, start, 0.0).mapping is offered) is taken


def test_an_answer_that_cannot_be_made_whole_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of readings that make one the cheapest is taken, of none that does the first: it is what the solver said."""
    group = random_groups()[0]
    answer = group.lower + 1e-12  # near its bounds, so that there is another reading
    for lacking, expected in ((0.0, 1), (0.1, 0)):
        whole = [group.truth * (1 - lacking), group.truth * (1 - lacking)]
        readings = iter([*whole, *whole])
        monkeypatch.setattr(reading, "_made_whole", lambda *_, readings=readings: next(readings))
        second = whole[1]

        def cost(x: object, second: object = second) -> int:
            return 0 if x is second else 1

        assert reading.best_reading(group, answer, cost) is whole[expected]


def test_a_bracket_is_halved_where_a_program_hardly_made_it_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    """By less than a tenth; else it is pressed just above the limit and at the mapping in turn. Numbers stand for mappings."""
    answers = iter([(0.5, 0.1), (0.5, 0.12), (0.3, 0.2), None])
    marks: list[float] = []

    def pressed_below(*given: Any) -> Any:
        marks.append(given[-1])
        return next(answers)

    monkeypatch.setattr(pressing, "_pressed_below", pressed_below)
    monkeypatch.setattr(
        pressing, "proven_limit", lambda *given: given[3]
    )  # the weights are the limit that they prove
    monkeypatch.setattr(pressing, "is_proven", lambda *_: True)
    monkeypatch.setattr(pressing, "excess", lambda *_: 1.0)
    nothing: Any = None
    quantity: Any = SimpleNamespace(kind="beta", of=lambda _, mapping: mapping)
    found = minimise_ratio(nothing, nothing, quantity, 1.0, 0.0)  # type: ignore[arg-type]
    assert marks == pytest.approx([GAP, 0.5, (0.5 + 0.12) / 2, 0.3], abs=1e-15)
    assert list(vars(found).values()) == [0.2, 0.3, 0.3, 0.2]


def test_a_limit_is_claimed_at_or_below_its_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the estimate cannot be proven, a little less is tried, never more."""
    group = random_groups()[2]
    free = Limits(ceilings=np.full(len(group.holds), np.inf))
    sure = minimise_ratio(group, free, beta_of(group, {0, 1}), group.truth, 0.0)
    tried: list[float] = []

    def refuse(*given: object) -> bool:
        tried.append(float(given[-1]))  # type: ignore[arg-type]
        return len(tried) == 4

    monkeypatch.setattr(pressing, "is_proven", refuse)
    found = minimise_ratio(group, free, beta_of(group, {0, 1}), group.truth, 0.0)
    np.testing.assert_allclose(tried, sure.lower * (1 - np.array([0, 1e-10, 1e-9, 1e-8])), rtol=1e-13)
    assert found.lower == tried[-1]
    assert found.upper == sure.upper


def test_weights_are_the_multipliers_of_the_constraints_as_they_are() -> None:
    """Each is undone of what its row was scaled by; those on odds have the same sum in every outcome."""
    group = random_groups(Objective(rate_move=0.1))[2]
    values, (cells, outcomes) = len(group.holds), group.truth.shape
    rng = np.random.default_rng(3)
    occurs, quantity = np.asarray(rng.uniform(0.2, 0.6, outcomes)), beta_of(group, {1})
    pressed = int((group.attribute == 1).sum())
    ceilings = np.where(group.attribute == 0, 0.5, np.inf)
    multipliers = {
        "pressed": rng.uniform(-1, 1, pressed * outcomes),
        "kept": rng.uniform(-1, 1, (values - pressed) * outcomes),
        "rates": rng.uniform(-1, 1, outcomes),
        "most": rng.uniform(0, 1, cells * outcomes),
        "least": rng.uniform(-1, 1, cells * outcomes),
    }
    multipliers["least"].reshape(cells, outcomes)[:, 0] = 0.0
    found = _weights(group, Limits(ceilings=ceilings), quantity, multipliers, occurs)
    for name, gauge, on in (("pressed", quantity.gauge, found.pressed), ("kept", ceilings, found.kept)):
        limited = np.flatnonzero(np.isfinite(gauge)).tolist()
        for v in range(values):
            for a in range(outcomes):
                given = 0.0
                if v in limited:
                    given = (
                        max(0.0, multipliers[name][a * len(limited) + limited.index(v)])
                        / gauge[v]
                        / occurs[a]
                    )
                assert on[v, a] == pytest.approx(given)
    np.testing.assert_allclose(found.above - found.below, multipliers["rates"])
    assert (np.minimum(found.above, found.below) == 0).all()
    np.testing.assert_allclose(found.most.ravel(), multipliers["most"])
    np.testing.assert_allclose(found.least.sum(axis=0), found.most.sum(axis=0))
    assert np.ptp(found.least[:, 0]) == 0  # no multiplier: evenly
    given = np.maximum(multipliers["least"].reshape(cells, outcomes)[:, 1], 0.0)
    np.testing.assert_allclose(found.least[:, 1] / found.least[:, 1].sum(), given / given.sum())
    nothing = _weights(group, Limits(ceilings=ceilings), quantity, {}, occurs)
    assert all((a == 0).all() for a in vars(nothing).values())


def test_answers_are_settled_by_outcomes_that_are_free_to_move() -> None:
    """An outcome at its bound stays there as long as one inside can give or take what a cell lacks."""
    group = two_outcomes([0.1, 0.1, 0.1], [0.9, 0.9, 0.9])
    three = replace(
        group,
        truth=np.tile([0.2, 0.3, 0.5], (3, 1)),
        lower=np.tile([0.2, 0.1, 0.1], (3, 1)),
        upper=np.tile([0.6, 0.6, 0.6], (3, 1)),
    )
    every = np.full(3, True)
    answer = np.array([[0.2, 0.3, 0.49], [0.2, 0.3, 0.51], [0.2, 0.2, 0.6]])
    found = _made_whole(three, answer, every)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-15)
    np.testing.assert_array_equal(found[:, 0], 0.2)  # at its lower bound
    assert found[0, 1] > 0.3
    assert found[0, 2] > 0.49
    assert found[1, 1] < 0.3
    assert found[1, 2] < 0.51
    np.testing.assert_allclose(found[2], [0.2, 0.2, 0.6], atol=1e-15)
    # nothing inside: whatever is allowed has to move, and what is not allowed stays
    corner = _made_whole(three, np.tile([0.2, 0.1, 0.6], (3, 1)), np.array([True, True, False]))
    np.testing.assert_allclose(corner.sum(axis=1), 1.0, atol=1e-15)
    np.testing.assert_array_equal(corner[:, 2], 0.6)
    np.testing.assert_allclose(_made_whole(three, np.tile([0.0, 0.6, 0.6], (3, 1)), every)[:, 0], 0.2)


def test_excess_is_the_largest_ratio_to_a_limit() -> None:
    """Of confidences to their ceilings, and of the odds factor to its own."""
    group = two_outcomes([0.0, 0.0], [1.0, 1.0])
    x = np.array([[0.6, 0.4], [0.3, 0.7]])
    first = max(1 * 0.6 / (1 * 0.6 + 2 * 0.3), 1 * 0.4 / (1 * 0.4 + 2 * 0.7))
    assert excess(group, Limits(ceilings=np.array([0.25, np.inf])), x) == pytest.approx(first / 0.25)
    assert excess(group, Limits(ceilings=np.full(2, np.inf), odds=4.0), x) == pytest.approx(2.0 / 4.0)


@pytest.mark.parametrize("part", [0.6, 0.97])
def test_the_nearest_mapping_is_that_of_a_plain_linear_program(part: float) -> None:
    """Σ p·|x - truth| is the least that SciPy finds under the same ceilings, this far down to the least that can be had.

    The ceilings are kept, and the bounds, which hold most cells where hardly any room is left.
    """
    moved = 0
    for group in random_groups():
        least = solve_group(group, Objective(minimise=("beta",)))
        has = confidences(group, group.truth)
        ceilings = np.maximum(
            confidences(group, least.mapping), has - part * (has - confidences(group, least.mapping))
        )
        limits = Limits(ceilings=ceilings)
        near = nearest(group, limits, least.mapping)
        assert (confidences(group, near) <= ceilings * (1 + 1e-7)).all()
        away = (group.p[:, None] * np.abs(near - group.truth)).sum()
        assert away == pytest.approx(reference_distance(group, ceilings), abs=1e-7)
        moved += away > 1e-6
    assert moved > 4


def reference_distance(group: Group, ceilings: np.ndarray) -> float:
    """The least distance, by a dense linear program over x and how far each is away."""
    cells, outcomes = group.truth.shape
    size, rows, limits = cells * outcomes, [], []
    for v in range(len(ceilings)):
        for a in range(outcomes):
            row = np.zeros((cells, outcomes))
            row[:, a] = group.p * (group.holds[v] - ceilings[v])
            rows.append(np.append(row.ravel(), np.zeros(size)) / max(1e-6, group.p @ group.truth[:, a]))
            limits.append(0.0)
    for sign in (1, -1):
        for k in range(size):
            row = np.zeros(2 * size)
            row[k], row[size + k] = sign, -1.0
            rows.append(row)
            limits.append(sign * group.truth.ravel()[k])
    found = linprog(
        np.append(np.zeros(size), np.repeat(group.p, outcomes)), A_ub=np.array(rows), b_ub=limits,
        A_eq=np.hstack([np.kron(np.eye(cells), np.ones(outcomes)), np.zeros((cells, size))]), b_eq=np.ones(cells),
        bounds=[*zip(group.lower.ravel(), group.upper.ravel(), strict=True), *[(0, None)] * size], method="highs",
    )  # fmt: skip
    assert found.fun is not None
    return float(found.fun)


def test_where_the_nearest_is_no_better_kept_the_given_mapping_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that misses the limits by more than the solver's tolerance is not announced."""
    group = random_groups()[0]
    least = solve_group(group, Objective(minimise=("beta",)))
    limits = Limits(ceilings=confidences(group, least.mapping))
    module = "atreport.private.solver.programming.best_reading"
    for missed, is_taken in ((1 + 5e-9, True), (1 + 5e-8, False)):
        reading = least.mapping.copy()
        monkeypatch.setattr(module, lambda *_, reading=reading: reading)

        def worse(
            _: object, __: object, x: object, reading: object = reading, missed: float = missed
        ) -> float:
            return missed if x is reading else 1.2 if x is group.truth else 1.0

        monkeypatch.setattr("atreport.private.solver.programming.excess", worse)
        found = nearest(group, limits, least.mapping)
        assert (found is reading) == is_taken


def test_attributes_that_carry_the_proof_are_held() -> None:
    """Without a proof, or with a bracket that is still open, none is."""
    group = random_groups()[2]
    values, (cells, outcomes) = len(group.holds), group.truth.shape
    pressed = np.zeros((values, outcomes))
    pressed[group.attribute == 1] = 1.0
    nothing = np.zeros((cells, outcomes))
    weights = Weights(
        pressed=pressed,
        kept=pressed * 0,
        above=np.zeros(outcomes),
        below=np.zeros(outcomes),
        most=nothing,
        least=nothing,
    )
    gauge = np.ones(values)
    narrow = OptimalityInterval(lower=0.5, upper=0.5, mapping=group.truth, weights=weights)
    assert _held_by_weights(group, narrow, [0, 1], gauge) == {1}
    assert _held_by_weights(group, narrow, [0], gauge) == set()
    assert _held_by_weights(group, replace(narrow, upper=0.6), [0, 1], gauge) == set()
    assert _held_by_weights(group, replace(narrow, weights=None), [0, 1], gauge) == set()


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.55, 0.7])
def test_probabilities_can_be_evened_up_to_a_rate(rate: float) -> None:
    """Σ p·min(upper, u) is the rate, for the least such u; nothing needs to rise for a rate of 0."""
    rng = np.random.default_rng(int(rate * 100))
    p, upper = rng.dirichlet(np.ones(5)), np.sort(rng.uniform(0.75, 1.0, 5))
    upper[0] = 0.0
    level = _evened_up(p, upper, rate)
    if rate <= p @ upper:
        assert p @ np.minimum(upper, level) == pytest.approx(rate, abs=1e-12)
    assert _evened_up(p, upper, 0.0) == 0.0
    assert _evened_up(p, upper, -0.1) == 0.0


def test_bounds_are_narrowed_to_the_least_odds_factor() -> None:
    """A constant where one fits, which is the first outcome's rate; else between the ends; nothing where it is endless."""
    fits, factor = narrowed(two_outcomes([0.1, 0.2, 0.0], [0.6, 0.9, 0.8]))
    rate = (1 * 0.35 + 2 * 0.55 + 3 * 0.4) / 6
    np.testing.assert_allclose(fits.lower, np.tile([rate, 1 - rate], (3, 1)))
    np.testing.assert_allclose(fits.upper, fits.lower)
    assert factor == 1.0
    apart, factor = narrowed(two_outcomes([0.1, 0.5], [0.2, 0.9]))
    np.testing.assert_allclose(apart.lower[:, 0], [0.2, 0.5])
    np.testing.assert_allclose(apart.upper[:, 0], [0.2, 0.5])
    assert factor == pytest.approx(max(0.5 / 0.2, 0.8 / 0.5))
    for certain in (0.0, 1.0):
        assert narrowed(two_outcomes([certain] * 2, [certain] * 2))[1] == 1.0
    assert narrowed(two_outcomes([0.0, 0.5], [0.0, 0.9]))[1] == np.inf
    assert narrowed(two_outcomes([0.1, 1.0], [0.2, 1.0]))[1] == np.inf


def test_a_later_figure_uses_the_room_that_printing_leaves_and_the_last_none() -> None:
    """With one decimal the lift can be less than with nine; the figure made least last is had by the mapping itself."""
    less = 0
    for group in random_groups()[:6]:
        coarse, fine = (solve_group(group, Objective(minimise=("beta", "lift"), decimals=d)) for d in (1, 9))
        assert (coarse.beta <= fine.beta + 1e-7).all()
        assert coarse.lift.max() <= fine.lift.max() + 1e-6
        less += coarse.lift.max() < fine.lift.max() - 1e-3
        alone = solve_group(group, Objective(minimise=("beta",), decimals=1))
        assert (group.largest(confidences(group, alone.mapping)) <= alone.beta * (1 + 1e-7)).all()
        assert (
            group.largest(confidences(group, coarse.mapping) / group.share) <= coarse.lift * (1 + 1e-7)
        ).all()
    assert less


def test_under_a_limit_on_odds_the_nearest_mapping_is_nearer_than_any_constant() -> None:
    """The limit is kept, and the true rate announced to everybody, which keeps it too, is no nearer to the truth."""
    nearer = 0
    for group in random_groups():
        constant = np.tile(group.rates, (len(group.p), 1))
        wide = replace(group, lower=np.zeros_like(group.truth), upper=np.ones_like(group.truth))
        limits = Limits(ceilings=np.full(len(group.holds), np.inf), odds=3.0)
        near = nearest(wide, limits, constant)
        assert excess(wide, limits, near) <= 1 + 1e-7
        away, before = ((group.p[:, None] * np.abs(x - group.truth)).sum() for x in (near, constant))
        assert away <= before + 1e-9
        nearer += away < before - 1e-3
    assert nearer > 4


def test_ceilings_may_use_all_the_odds_that_are_allowed() -> None:
    """A factor of 1.5 is the least here, and the ceiling costs one of 2.87: a limit of 4 leaves room for both."""
    people = np.array([1, 59, 56])
    shape = two_outcomes([0, 0, 0.6], [0.4, 0.4, 1])
    truth = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    group = replace(shape, people=people, p=people / people.sum(), truth=truth)
    limits = Limits(ceilings=np.full(3, 0.6042), odds=4.0)
    found = _keeping(group, limits)
    assert found is not None
    assert (confidences(group, found) <= 0.6042 * (1 + 1e-7)).all()
    assert found.max(axis=0)[0] / found.min(axis=0)[0] <= 4 * (1 + 1e-7)
    assert _keeping(group, Limits(ceilings=np.full(3, 0.6042), odds=2.8)) is None


@pytest.mark.parametrize("odds", [np.inf, 3.0])
def test_the_program_of_the_nearest_mapping_has_a_bound_for_every_variable(
    odds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far each probability rises and falls, and under a limit on odds the least of every outcome."""
    seen = []
    monkeypatch.setattr(moving, "minimise", lambda *given: seen.append([len(of) for of in given[:3]]))
    group = two_outcomes([0.1, 0.5], [0.3, 0.9])
    limits = Limits(ceilings=np.full(2, 0.5), odds=odds)
    assert nearest(group, limits, group.lower) is group.lower
    assert seen == [[2 * 4 + (2 if odds == 3.0 else 0)] * 3]


def test_a_bracket_is_narrow_to_its_very_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the limit known before is three gaps below what a mapping has, to the last bit, nothing is solved."""
    group = two_outcomes([0.1, 0.5], [0.3, 0.9])
    quantity = beta_of(group, {0})
    has = quantity.of(group, group.truth)
    floor = has - 3 * GAP
    while floor + 3 * GAP > has:
        floor = np.nextafter(floor, 0)
    while floor + 3 * GAP < has:
        floor = np.nextafter(floor, 1)
    assert floor + 3 * GAP == has

    def solved(*_: object) -> None:
        raise AssertionError("a linear program was solved")

    monkeypatch.setattr(pressing, "_pressed_below", solved)
    limits = Limits(ceilings=np.full(2, np.inf))
    assert minimise_ratio(group, limits, quantity, group.truth, floor).upper == has


def test_the_slack_of_odds_is_measured_by_the_least_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each outcome, or a thousandth: or a rare outcome would be lost in the solver's tolerance."""
    group, seen = two_outcomes([0.0, 0.5], [0.0, 0.9]), []

    def rows(_: object, __: object, given: tuple[int, np.ndarray]) -> dict[str, Rows]:
        seen.append(given)
        return {}

    monkeypatch.setattr(pressing, "rows_of_odds", rows)
    monkeypatch.setattr(pressing, "minimise", lambda *_: None)
    limits = Limits(ceilings=np.full(2, np.inf))
    mapping = np.array([[0.0, 1.0], [0.6, 0.4]])
    assert pressing._pressed_below(group, limits, odds_of(group), mapping, 2.0) is None
    ((slack, scale),) = seen
    assert slack == 4 + 2
    assert scale.tolist() == [0.001, 0.4]


def test_an_attribute_is_held_only_where_less_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that can come down by the whole tolerance is not held; where none is, the first is closed."""
    group = next(group for group in random_groups() if group.attributes == 2)
    gauge = np.ones(len(group.holds))
    has = group.largest(confidences(group, group.truth))
    upper = float(has.min())
    quantity = SimpleNamespace(gauge=gauge)
    bracket = OptimalityInterval(lower=0.0, upper=upper, mapping=group.truth)
    monkeypatch.setattr(programming, "reached", lambda _, limits, __: limits)
    same = programming._SAME * max(1.0, upper)
    for alone, closed in ((upper - same, {0}), (upper, {0, 1})):
        monkeypatch.setattr(
            programming, "minimise_ratio", lambda *_, alone=alone, **__: replace(bracket, upper=alone)
        )
        limits = Limits(ceilings=np.full(len(gauge), np.inf))
        found = programming._closed(group, limits, bracket, {0, 1}, lambda *_: quantity, np.zeros(2))  # type: ignore[arg-type]
        assert found == closed


def test_a_ceiling_of_nothing_is_kept_by_nothing() -> None:
    """Without a warning on the terminal: a value that nobody can be suspected of is not exceeded, any other is."""
    group = two_outcomes([0.0, 0.5], [0.0, 0.9])
    one = np.array([[0.0, 1.0], [0.6, 0.4]])
    assert excess(group, Limits(ceilings=np.array([0.0, np.inf])), one) == np.inf
    none = replace(group, holds=np.array([[False, False], [False, True]]))
    assert excess(none, Limits(ceilings=np.array([0.0, np.inf])), one) == 0.0
