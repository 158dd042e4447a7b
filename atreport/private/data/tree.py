"""Fit a surrogate decision tree to the recorded decisions; its leaves are the decision regions.

The tree sees cells with their counts, never single records, so the time does not grow with the number of records. Each leaf
has the exact frequencies of its records. Same counts, same tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray
from atreport.private.data.decision_table import FloatArray, Leaf
from atreport.spec.process import Attribute, Process
from atreport.spec.source import Tree

FOLDS = 5
DEEPEST = 8
"""Cross-validation tries depths up to this one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EstimatedRule:
    """An estimated rule, and of one that is a tree's how well it agrees with the records."""

    probability: FloatArray  # (cells asked about, outcomes)
    depth: int = 0
    faithful: int = 0  # records whose decision is the more likely one of their leaf
    cases: int = 0
    leaves: tuple[Leaf, ...] = ()

    @property
    def faithfulness(self) -> Decimal | None:
        """The share of records whose decision the tree gives, rounded down to hundredths; None: there is no tree."""
        return Decimal(100 * self.faithful // self.cases).scaleb(-2) if self.cases else None


def fit_tree(
    process: Process,
    tree: Tree,
    codes: NDArray[np.int32],
    cases: IntArray,
    asked: NDArray[np.int32],
    ordered: Sequence[str],
) -> EstimatedRule:
    """Fit a tree to counted cases, and ask it about other cells (or the same).

    Attributes in `ordered` are split at a point of their order; others value by value.
    """
    chosen = [a for a in process.attributes if tree.attributes is None or a.name in tree.attributes]
    features = _Features(process, chosen, ordered)
    table = features.of(codes)
    depth = tree.depth or _best_depth(table, cases, tree.min_cases)
    fitted = _fit(table, cases, depth, tree.min_cases)
    leaf = fitted.apply(table)
    counts = np.zeros((fitted.tree_.node_count, cases.shape[1]), dtype=np.int64)
    np.add.at(counts, leaf, cases)
    totals = counts.sum(axis=1)
    shares = counts / np.maximum(totals, 1)[:, None]
    favourable = process.outcome.values.index(process.outcome.favourable)
    paths = features.paths(fitted.tree_)
    return EstimatedRule(
        probability=shares[fitted.apply(features.of(asked))],
        depth=int(fitted.get_depth()),
        faithful=int(counts.max(axis=1).sum()),
        cases=int(cases.sum()),
        leaves=tuple(
            Leaf(values=paths[node], cases=int(totals[node]), favourable=float(shares[node, favourable]))
            for node in sorted(paths)
        ),
    )


def new_classifier(**settings: Any) -> Any:
    """A tree of scikit-learn that grows the same way every time."""
    from sklearn.tree import DecisionTreeClassifier  # takes a second to import, and few specs ask for a tree

    return DecisionTreeClassifier(random_state=0, **settings)


def _fit(table: FloatArray, cases: IntArray, depth: int, min_cases: int) -> Any:
    total = int(cases.sum())
    row, outcome = np.nonzero(cases)
    classifier = new_classifier(
        max_depth=depth,
        # half a record below the limit, so that rounding of floats cannot turn a leaf of just enough away
        min_weight_fraction_leaf=min(max(min_cases - 0.5, 0) / total, 0.5),
    )
    return classifier.fit(table[row], outcome, sample_weight=cases[row, outcome].astype(np.float64))


def _best_depth(table: FloatArray, cases: IntArray, min_cases: int) -> int:
    """The depth with the least squared error on records that the tree has not seen; of equals the shallower."""
    folds = folds_of(cases)
    if any(not part.sum() or not (cases - part).sum() for part in folds):
        return 1
    errors = []
    for depth in range(1, DEEPEST + 1):
        error = 0.0
        for unseen in folds:
            seen = cases - unseen
            fitted = _fit(table, seen, depth, min_cases)
            shares = np.zeros(cases.shape)
            shares[:, fitted.classes_] = fitted.predict_proba(table)
            # a record with outcome a adds the sum over b of (share of b - [a = b]) squared
            spread = (shares**2).sum(axis=1, keepdims=True) - 2 * shares + 1
            error += float((unseen * spread).sum())
        errors.append(round(error, 9))
    return 1 + int(np.argmin(errors))


def folds_of(cases: IntArray) -> list[IntArray]:
    """The records dealt into folds at random, each record by itself; always the same deal for the same counts.

    At random, for folds that all have the shares of the whole would make any overfitted tree look right.
    """
    dealer = np.random.default_rng(0)
    left, folds = cases.copy(), []
    for number in range(FOLDS - 1):
        folds.append(dealer.binomial(left, 1 / (FOLDS - number)))
        left = left - folds[-1]
    return [*folds, left]


class _Features:
    """Attributes as the columns a tree splits: one for an ordered or two-valued attribute, else one a value."""

    def __init__(self, process: Process, chosen: Sequence[Attribute], ordered: Sequence[str]) -> None:
        self.process, self.chosen = process, chosen
        names = [attribute.name for attribute in process.attributes]
        self.columns: list[tuple[Attribute, int, int | None]] = []  # attribute, its place, the value or None
        for attribute in chosen:
            place = names.index(attribute.name)
            as_order = attribute.name in ordered or len(attribute.values) <= 2
            values = [None] if as_order else range(len(attribute.values))
            self.columns += [(attribute, place, value) for value in values]

    def of(self, codes: NDArray[np.int32]) -> FloatArray:
        """The columns for some cells."""
        return np.column_stack(
            [
                codes[:, place].astype(np.float64)
                if value is None
                else (codes[:, place] == value).astype(np.float64)
                for _, place, value in self.columns
            ]
        )

    def paths(self, nodes: Any) -> dict[int, dict[str, tuple[str, ...]]]:
        """For each leaf, the values that lead there, of the attributes asked about on the way."""
        found: dict[int, dict[str, tuple[str, ...]]] = {}
        waiting: list[tuple[int, dict[str, tuple[str, ...]]]] = [(0, {})]
        while waiting:
            node, allowed = waiting.pop()
            if nodes.children_left[node] < 0:
                found[node] = allowed
                continue
            attribute, _, value = self.columns[nodes.feature[node]]
            before = allowed.get(attribute.name, attribute.values)
            left = {
                v
                for code, v in enumerate(attribute.values)
                if (code if value is None else float(code == value)) <= nodes.threshold[node]
            }
            for child, keep in ((nodes.children_left[node], True), (nodes.children_right[node], False)):
                rest = tuple(v for v in before if (v in left) is keep)
                waiting.append((int(child), {**allowed, attribute.name: rest}))
        return found
