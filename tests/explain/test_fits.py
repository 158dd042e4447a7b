"""Trees and additive models that are fitted here: the answers of scikit-learn, without its import."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeRegressor

from atreport.core.cells import IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.linear import FloatArray, indicators, linear_model
from atreport.explain.logistic import logistic_model
from atreport.explain.tree import _Asker, parted
from tests.explain.test_influence import exact_rule, random_game
from tests.explain.test_rules import coarse_rule


def weights_of(table: RuleTable) -> FloatArray:
    """The people of each cell, as scikit-learn takes them."""
    return np.asarray(table.published_weights[0], dtype=np.float64)


def error_of(table: RuleTable, parts: list[list[int]]) -> float:
    """The squared error that is left inside the parts."""
    weights, values = weights_of(table), table.announced / table.scale
    means = [np.average(values[part], weights=weights[part]) for part in parts]
    return sum(float(weights[p] @ (values[p] - m) ** 2) for p, m in zip(parts, means, strict=True))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.5, 1.0]), st.sampled_from([2, 3, 5]))
def test_a_tree_is_that_of_scikit_learn(seed: int, fill: float, size: int) -> None:
    """Where probabilities are all different, so that no two questions part equally well, both part the cells alike."""
    table = exact_rule(random_game(seed, [3, 4, 2], fill))
    assume(len(set(table.announced.tolist())) == len(table.cells))
    features = []
    for attribute in table.cells.process.attributes:
        column = table.cells.column(attribute.name)
        ordered = attribute.name == "a1"
        features += [column] if ordered else [column == code for code in np.unique(column)]
    for ours, theirs in (
        ({"deepest": size}, {"max_depth": size}),
        ({"most": size}, {"max_leaf_nodes": size}),
    ):
        model = DecisionTreeRegressor(random_state=0, **theirs)
        model.fit(np.column_stack(features), table.announced / table.scale, sample_weight=weights_of(table))
        leaf = model.apply(np.column_stack(features)).tolist()
        expected = [[i for i, at in enumerate(leaf) if at == name] for name in dict.fromkeys(leaf)]
        found = [part.tolist() for part in parted(table, ["a1"], **ours)]
        if (
            found != expected
        ):  # two questions that part equally well: either answer is a best one at its place
            assert error_of(table, found) == pytest.approx(error_of(table, expected), rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([{"deepest": 3}, {"most": 4}]))
def test_a_tree_differs_from_scikit_learn_for_a_reason(seed: int, size: dict[str, int]) -> None:
    """Where probabilities repeat, the two differ only if questions part equally well, or if floating point splits cells alike."""
    table = coarse_rule(seed, [3, 3, 2], 0.7)
    weights, names = weights_of(table), {"deepest": "max_depth", "most": "max_leaf_nodes"}
    columns = [table.cells.column(each.name) for each in table.cells.process.attributes]
    features = np.column_stack([column == code for column in columns for code in np.unique(column)])
    model = DecisionTreeRegressor(random_state=0, **{names[key]: value for key, value in size.items()})
    leaf = model.fit(features, table.announced / table.scale, sample_weight=weights).apply(features)
    peopled = set(np.flatnonzero(weights > 0).tolist())
    theirs = {frozenset(np.flatnonzero(leaf == name).tolist()) & peopled for name in set(leaf.tolist())}
    with equal_questions() as met:
        ours = {frozenset(part.tolist()) & peopled for part in parted(table, [], **size)}
    for part in {each for each in ours - theirs if each} if not met else ():
        assert len(set(table.announced[sorted(part)].tolist())) == 1


@contextmanager
def equal_questions() -> Iterator[list[int]]:
    """Notes each time that two questions part some cells equally well, but not alike; or two parts of the cells."""
    met: list[int] = []
    gains: list[Fraction] = []
    best_split = _Asker.best_split

    def watched(self: _Asker, members: IntArray) -> object:
        peopled = members[self._weights[members] > 0]
        ways: dict[Fraction, set[frozenset[int]]] = {}
        for column, in_order in self._columns:
            for spread, is_below in self._questions(column, in_order, peopled):
                sides = is_below[column[peopled]]
                side = peopled[
                    sides == sides[0]
                ]  # the one with the first cell, so that "not" makes no difference
                ways.setdefault(spread, set()).add(frozenset(side.tolist()))
        found = best_split(self, members)
        if (ways and len(ways[max(ways)]) > 1) or (found is not None and found.gain in gains):
            met.append(len(peopled))
        gains.extend([found.gain] if found is not None else [])
        return found

    with patch.object(_Asker, "best_split", watched):
        yield met


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_cells_of_one_probability_stay_together(seed: int) -> None:
    """A question is asked only where it tells probabilities apart; floating point once split parts that were alike."""
    table = coarse_rule(seed, [3, 3, 2], 0.7)
    parts = parted(table, [], deepest=8)
    assert sorted(cell for part in parts for cell in part.tolist()) == list(range(len(table.cells)))
    assert all(len(set(table.announced[part].tolist())) == 1 for part in parts)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.5, 1.0]))
def test_amounts_are_those_of_scikit_learn(seed: int, fill: float) -> None:
    """Every printed amount of the linear and the logistic model is within half a printed step of what it finds."""
    table = exact_rule(random_game(seed, [3, 4, 2], fill))
    _, features = indicators(table.cells)
    weights, rates = weights_of(table), table.announced / table.scale
    linear = LinearRegression().fit(features, rates, sample_weight=weights)
    share = weights * 1000 / weights.sum()
    logistic = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(
        np.vstack([features, features]),
        np.repeat([1, 0], len(features)),
        sample_weight=np.concatenate([share * rates, share * (1 - rates)]),
    )
    for ours, theirs in (
        (linear_model(table), [linear.intercept_, *linear.coef_]),
        (logistic_model(table), [logistic.intercept_[0], *logistic.coef_[0]]),
    ):
        printed = [float(each.amount) for each in ours.coefficients or ()]
        assert printed == pytest.approx(theirs, abs=0.5 / table.scale + 1e-8)


@pytest.mark.parametrize("certain", [0, 10_000])
def test_a_certain_rule_has_a_logistic_model(certain: int) -> None:
    """Where all are certain of one outcome the best amount is infinite: it ends at odds that no decimal tells from it."""
    game = random_game(1, [3, 2])
    game.steps[:] = certain
    found = logistic_model(exact_rule(game))
    assert found.coefficients is not None
    assert abs(float(found.coefficients[0].amount)) > 20
    assert found.faithfulness is not None
    assert found.faithfulness.worst_error <= 1
