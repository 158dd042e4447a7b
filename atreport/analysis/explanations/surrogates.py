"""Simpler models that come near the announced rule: a decision tree, a linear and a logistic model.

scikit-learn finds their shape, on the population as published. What is printed is then taken as the model: a leaf's
probability is the announced rate of its people, rounded; coefficients are rounded. Faithfulness says how far the printed
model is from the announced rule, exactly, and is rounded up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import nearest, rounded_up
from atreport.analysis.explanations.exact_rules import share_of
from atreport.analysis.explanations.figure import Coefficient, Condition, Faithfulness, Rule, RuleSet
from atreport.analysis.explanations.interventions import people
from atreport.analysis.explanations.linear_figures import exact_dot, published_weights
from atreport.announcement import Release
from atreport.population.cells import Cells, IntArray

FloatArray = NDArray[np.float64]

_SUM = 1000.0
"""What the weights of all people sum to in the logistic model, so that its slight pull to 0 means the same everywhere."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaf:
    """Cells that a tree treats alike, and what they have in common."""

    condition: Condition
    members: IntArray


def tree_leaves(release: Release, ordered: Sequence[str], **limits: int) -> list[Leaf]:
    """The leaves of a regression tree on the announced rule; limits as scikit-learn names them.

    A leaf is a box, so the values that occur in it describe it: no cell outside has one of them for every attribute.
    """
    from sklearn.tree import DecisionTreeRegressor  # half a second, and most reports do without

    cells = release.cells
    features = np.column_stack(_questions(cells, ordered))
    weights = published_weights(release)[0]
    model = DecisionTreeRegressor(random_state=0, **limits)
    model.fit(features, release.announced / release.scale, sample_weight=weights / people(weights))
    leaf_of = model.apply(features)
    return [
        Leaf(condition=_in_common(cells, members), members=members)
        for members in (np.flatnonzero(leaf_of == leaf) for leaf in dict.fromkeys(leaf_of.tolist()))
    ]


def _questions(cells: Cells, ordered: Sequence[str]) -> list[FloatArray]:
    """What a tree may ask: whether an ordered attribute is above a value, or an unordered one is a value."""
    found: list[FloatArray] = []
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        if attribute.name in ordered:
            found.append(column.astype(np.float64))
        else:
            found += [(column == code).astype(np.float64) for code in np.unique(column)]
    return found


def _in_common(cells: Cells, members: IntArray) -> Condition:
    """The values that occur among some cells, of each attribute that does not have all of its own there."""
    condition: dict[str, tuple[str, ...]] = {}
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        inside = np.unique(column[members])
        if len(inside) < len(np.unique(column)):
            condition[attribute.name] = tuple(attribute.values[int(code)] for code in inside)
    return condition


def surrogate_tree(release: Release, depth: int, ordered: Sequence[str]) -> RuleSet:
    """A decision tree of at most this depth."""
    leaves = tree_leaves(release, ordered, max_depth=depth)
    rules = [rule_of(release, leaf) for leaf in leaves]
    steps = np.empty(len(release.cells), dtype=np.int64)
    for leaf, rule in zip(leaves, rules, strict=True):
        steps[leaf.members] = int(rule.probability.scaleb(release.decimals))
    return RuleSet(
        scheme="tree",
        depth=depth,
        rules=tuple(sorted(rules, key=lambda rule: -rule.probability)),
        faithfulness=faithfulness(release, steps),
    )


def rule_of(release: Release, leaf: Leaf) -> Rule:
    """The announced rate of a leaf's people."""
    weights = published_weights(release)[0][leaf.members]
    rate = Fraction(exact_dot(weights, release.announced[leaf.members]), people(weights) * release.scale)
    return Rule(
        condition=leaf.condition,
        probability=nearest(rate, release.decimals),
        share=share_of(release, leaf.members),
    )


def faithfulness(release: Release, steps: IntArray) -> Faithfulness:
    """How far probabilities, in whole printed steps, are from the announced ones; for every population that must hold."""
    errors = abs(steps - release.announced)
    worst = int(np.argmax(errors))
    average = max(
        Fraction(exact_dot(weights, errors), people(weights) * release.scale)
        for weights in published_weights(release)
    )
    return Faithfulness(
        average_error=rounded_up(average, release.decimals),
        worst_error=release.printed(int(errors[worst])),
        worst=release.cells.labels(worst, release.cells.process.attributes),
    )


def linear_model(release: Release) -> RuleSet:
    """Least squares on the values of all attributes, against the first value of each."""
    from sklearn.linear_model import LinearRegression  # half a second, and most reports do without

    values, features = _dummies(release.cells)
    weights = published_weights(release)[0]
    model = LinearRegression()
    model.fit(features, release.announced / release.scale, sample_weight=weights / people(weights))
    amounts = [nearest(Fraction(float(a)), release.decimals) for a in (model.intercept_, *model.coef_)]
    base, *added = (int(amount.scaleb(release.decimals)) for amount in amounts)
    steps = np.clip(base + features.astype(np.int64) @ np.array(added, dtype=np.int64), 0, release.scale)
    return RuleSet(
        scheme="linear",
        coefficients=_coefficients(values, amounts),
        faithfulness=faithfulness(release, steps),
    )


def logistic_model(release: Release) -> RuleSet:
    """The same on the scale of log odds, with a slight pull to 0 so that certain outcomes have a finite answer."""
    from sklearn.linear_model import LogisticRegression  # half a second, and most reports do without

    values, features = _dummies(release.cells)
    weights = published_weights(release)[0]
    share = weights * (_SUM / people(weights))
    probability = release.announced / release.scale
    # each cell twice: its favourable and its other cases
    model = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    model.fit(
        np.vstack([features, features]),
        np.repeat([1, 0], len(features)),
        sample_weight=np.concatenate([share * probability, share * (1 - probability)]),
    )
    amounts = [nearest(Fraction(float(a)), release.decimals) for a in (model.intercept_[0], *model.coef_[0])]
    base, *added = (float(amount) for amount in amounts)
    odds = base + features @ np.array(added)
    steps = np.rint(release.scale / (1 + np.exp(-odds))).astype(np.int64)
    return RuleSet(
        scheme="logistic",
        coefficients=_coefficients(values, amounts),
        faithfulness=faithfulness(release, steps),
    )


def _dummies(cells: Cells) -> tuple[list[tuple[str, str]], FloatArray]:
    """A column for every value that occurs but the first of each attribute."""
    values, columns = [], [np.empty((len(cells), 0))]
    for attribute in cells.process.attributes:
        column = cells.column(attribute.name)
        for code in np.unique(column)[1:].tolist():
            values.append((attribute.name, attribute.values[code]))
            columns.append((column == code)[:, None].astype(np.float64))
    return values, np.hstack(columns)


def _coefficients(values: Sequence[tuple[str, str]], amounts: Sequence[Decimal]) -> tuple[Coefficient, ...]:
    names: list[tuple[str | None, str | None]] = [(None, None), *values]
    return tuple(
        Coefficient(attribute=attribute, value=value, amount=amount)
        for (attribute, value), amount in zip(names, amounts, strict=True)
    )
