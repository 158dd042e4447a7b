"""Which ceilings can be kept together, at their very limits; and who is solved again when one is missed."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from atreport.private.solver import stages as keeping
from atreport.private.solver import stages as large
from atreport.private.solver.closed_form import GroupProblem, ends_of, with_least_odds
from atreport.private.solver.objective import Objective
from atreport.private.solver.stages import (
    KEEPS,
    Solved,
    keeps,
    odds_factor,
    solve_problem,
    solve_stages,
)
from atreport.spec.policy import Aim
from tests.ceiling_problems import judge, random_problem


def group_of(problem: GroupProblem, number: int) -> GroupProblem:
    """One group alone."""
    return problem.only(np.arange(len(problem.starts)) == number)


def test_an_odds_ceiling_at_the_least_factor_is_kept() -> None:
    """At the limit itself it is kept, a thousandth below it is not, whatever is made least first."""
    problem, tried = random_problem(np.random.default_rng(1), 30), 0
    for number, factor in enumerate(ends_of(problem).factor.tolist()):
        alone = group_of(problem, number)
        if not 1.01 < factor < np.inf:
            continue
        tried += 1
        for minimise in (("odds", "beta"), ("beta",)):
            at, below = (Objective(minimise=minimise, odds=odds) for odds in (factor, factor * 0.999))
            assert keeps(alone, at).all()
            assert solve_problem(alone, at)[1].all()
            assert not keeps(alone, below).any()
            assert not solve_problem(alone, below)[1].any()
    assert tried > 3


@pytest.mark.slow
def test_an_odds_ceiling_beside_another_is_kept_from_the_least_factor_on_that_both_allow() -> None:
    """Where a ceiling on confidence costs odds, a ceiling just above that cost is kept, and just below it is not."""
    problem = random_problem(np.random.default_rng(2), 40)
    records, has = problem.records, np.zeros(40)
    free = solve_problem(problem, Objective(minimise=("odds",)))[0].announced
    for x in (free, 1 - free):
        share = records.sum(records.p * x)
        has = np.maximum(has, np.divide(records.most(records.p * x), share, out=has.copy(), where=share > 0))
    least = solve_problem(problem, Objective(minimise=("beta",)))[0].least["beta"]
    first = Objective(minimise=("odds",), values=(records.each((has + least) / 2),))
    solved, kept = solve_problem(problem, first)
    factor = odds_factor(problem, solved.announced)
    costs = kept & (has - least > 1e-3) & (factor < 1e4) & (factor > ends_of(problem).factor * 1.01)
    assert costs.sum() > 3
    for number in np.flatnonzero(costs)[:2].tolist():
        alone, own = group_of(problem, number), records.each(np.arange(40) == number)
        asked = replace(first, values=(first.values[0][own],) if first.values else None)
        assert solve_problem(alone, replace(asked, odds=factor[number] * 1.001))[1].all()
        assert not solve_problem(alone, replace(asked, odds=factor[number] * 0.995))[1].any()


def test_groups_that_keep_the_odds_ceiling_are_not_solved_again() -> None:
    """Their announced figures are those without the ceiling, to the last bit; the others change."""
    problem = random_problem(np.random.default_rng(3), 120)
    for aims in (Objective(minimise=("beta", "lift")), Objective(minimise=(), beta=0.9)):
        before, kept_before = solve_problem(problem, aims)
        after, kept = solve_problem(problem, replace(aims, odds=8.0))
        fine = kept_before & (odds_factor(problem, before.announced) <= 8.0)
        cells = np.repeat(fine, np.diff(np.append(problem.cell_starts, len(problem.p))))
        assert 10 < fine.sum() < 110
        assert kept[fine].all()
        assert not kept[~kept_before].any()
        np.testing.assert_array_equal(after.announced[cells], before.announced[cells])


@pytest.mark.parametrize(
    "aims",
    [
        Objective(minimise=("beta", "lift"), beta=0.8, lift=2.5, odds=6.0),
        Objective(minimise=(), lift=2.0, odds=9.0),
    ],
)
def test_ceilings_and_odds_together_are_the_optimum_of_the_linear_program(aims: Objective) -> None:
    """HiGHS agrees on who can keep them all, and on what is then least."""
    _, kept = judge(random_problem(np.random.default_rng(4), 25), aims)
    assert kept.any()
    assert not kept.all()


@pytest.mark.parametrize("ceiling", [1.0, 0.9])
def test_the_compiled_solver_is_given_the_ceilings_that_there_are(
    ceiling: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None at all where every one is 1, and all of them where none is: they would be ignored otherwise."""
    seen: list[Any] = []

    def solve_groups(*given: Any) -> None:
        seen.extend(given)
        for empty in given[-4:]:
            empty[:] = 0.5

    fake = SimpleNamespace(solve_groups=solve_groups, BETA=0, LIFT=1)
    monkeypatch.setattr(large, "compiled_solver", lambda: fake)
    problem = random_problem(np.random.default_rng(6), 10)
    given = np.full_like(problem.records.p, ceiling)
    large.solve_stages_compiled(problem, given, ("beta", "lift"), 3)
    np.testing.assert_array_equal(seen[5], [] if ceiling == 1.0 else given)
    np.testing.assert_array_equal(seen[4], np.append(problem.starts, len(problem.p)))
    assert seen[6] == -1.0
    assert seen[7] is False
    assert list(seen[8]) == [0, 1]
    assert seen[9] == 1000.0


@pytest.mark.parametrize("stages", [("beta",), ("lift",), ("beta", "lift"), ("lift", "beta")])
def test_what_the_compiled_solver_found_is_told_as_the_plain_one_tells_it(
    stages: tuple[Aim, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also whether it is the only mapping: that of the last figure is meant unrounded, those before it as printed."""
    problem = random_problem(np.random.default_rng(11), 60)
    given = np.ones_like(problem.records.p)
    plain = solve_stages(problem, given, stages, 2)

    def solve_groups(*arguments: Any) -> None:
        *_, beta, lift, _, of_values = arguments
        into: dict[Aim, Any] = {"beta": beta, "lift": lift}
        for aim, number in plain.least.items():
            into[aim][:] = number
        of_values[:] = plain.announced

    fake = SimpleNamespace(solve_groups=solve_groups, BETA=0, LIFT=1)
    monkeypatch.setattr(large, "compiled_solver", lambda: fake)
    found = large.solve_stages_compiled(problem, given, stages, 2)
    np.testing.assert_array_equal(found.unique, plain.unique)
    np.testing.assert_array_equal(found.announced, plain.announced)
    assert found.least.keys() == plain.least.keys()
    assert 0 < found.unique.sum() < 60


@pytest.mark.parametrize(("missed", "kept"), [(KEEPS, True), (3 * KEEPS, False)])
def test_a_ceiling_is_kept_up_to_the_rounding_of_floats(
    missed: float, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To that very number, whether ceilings are only asked for or the odds factor comes first; and no further."""
    group = group_of(random_problem(np.random.default_rng(1), 30), 0)
    odds = 5.0
    monkeypatch.setattr(keeping, "scale_under_odds", lambda *_: np.array([1 + missed]))
    monkeypatch.setattr(keeping, "ends_of", lambda _: SimpleNamespace(factor=np.array([1.0])))
    possible = iter(
        [True, False]
    )  # without the odds ceiling the others can be kept, at the least factor they cannot
    monkeypatch.setattr(
        keeping, "_can_keep", lambda _, ceilings, __: (np.array([next(possible)]), np.ones_like(ceilings))
    )
    assert keeps(group, Objective(beta=0.5, odds=odds)).tolist() == [kept]

    monkeypatch.setattr(keeping, "ends_of", lambda _: SimpleNamespace(factor=np.array([odds * (1 + missed)])))
    monkeypatch.setattr(
        keeping, "_can_keep", lambda _, ceilings, __: (np.array([True]), np.ones_like(ceilings))
    )
    monkeypatch.setattr(keeping, "least_odds", lambda *_: np.array([odds]))
    monkeypatch.setattr(keeping, "_patched", lambda *_: "solved again")
    monkeypatch.setattr(keeping, "solve_under_odds", lambda *_: None)
    nothing: Any = None
    found, _ = keeping._with_more_odds(
        group,
        np.ones(len(group.p)),
        np.array([False]),
        nothing,
        Objective(minimise=("odds", "beta"), odds=odds),
    )
    assert found.tolist() == [kept]

    monkeypatch.setattr(keeping, "ends_of", lambda _: SimpleNamespace(factor=np.array([1.0])))
    monkeypatch.setattr(keeping, "least_odds", lambda *_: np.array([odds * (1 + missed)]))
    found, _ = keeping._with_more_odds(
        group,
        np.ones(len(group.p)),
        np.array([False]),
        nothing,
        Objective(minimise=("odds", "beta"), odds=odds),
    )
    assert found.tolist() == [kept]


def test_a_group_at_its_odds_ceiling_is_not_solved_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the least factor allows is announced at once."""
    problem = random_problem(np.random.default_rng(1), 30)
    factors = ends_of(problem).factor
    number = int(np.flatnonzero((factors > 1.01) & (factors < 100))[0])

    def again(*_: object) -> None:
        raise AssertionError("solved again")

    monkeypatch.setattr(keeping, "_with_more_odds", again)
    aims = Objective(minimise=("odds", "beta"), odds=float(factors[number]))
    assert solve_problem(group_of(problem, number), aims)[1].all()
    group, solved = group_of(problem, number), cast(Solved, SimpleNamespace(announced=None))
    for factor, alone in ((5.0 * (1 + KEEPS), True), (5.0 * (1 + 3 * KEEPS), False)):
        monkeypatch.setattr(keeping, "odds_factor", lambda *_, factor=factor: np.array([factor]))
        monkeypatch.setattr(keeping, "scale_under_odds", again)
        given = group, np.ones(len(group.p)), np.array([True]), solved, Objective(odds=5.0)
        if alone:
            assert keeping._with_less_odds(*given)[1] is solved
        else:
            with pytest.raises(AssertionError, match="solved again"):
                keeping._with_less_odds(*given)


def test_only_groups_in_doubt_are_searched_for_an_odds_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that keep the other ceilings, but not at their least factor: a search costs many times what all else does."""
    problem, aims = random_problem(np.random.default_rng(2), 200), Objective(beta=0.6, odds=8.5)
    alone = keeps(problem, Objective(beta=0.6)) & (ends_of(problem).factor <= 8.5)
    at_once = keeps(with_least_odds(problem), Objective(beta=0.6))
    searched: list[int] = []

    def scale(part: GroupProblem, *_: object) -> Any:
        searched.append(len(part.starts))
        return np.ones(len(part.starts))

    monkeypatch.setattr(keeping, "scale_under_odds", scale)
    assert keeps(problem, aims).tolist() == alone.tolist()
    assert searched == [int((alone & ~at_once).sum())]
    assert 0 < searched[0] < int(alone.sum()) < 200
