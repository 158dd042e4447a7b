"""Random tables with several outcomes or sensitive attributes, and plain linear programs to compare their solutions with.

The reference is dense, asks one question ("does a mapping keep these limits?") and has no code of the solver.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from atreport.core.cells import arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.solver.group import KEPT
from atreport.spec.process import Process

FloatArray = NDArray[np.float64]


def table_of(rng: np.random.Generator, outcomes: int, sensitive: int, groups: int = 1) -> DecisionTable:
    """A random table: some cells left out, hard and soft rules, ties, now and then a dominating cell."""
    sizes = [int(rng.integers(2, 4)) for _ in range(sensitive)]
    attributes = [{"name": "group", "role": "public", "values": [f"g{i}" for i in range(groups)]}] + [
        {"name": f"s{k}", "role": "sensitive", "values": [f"v{i}" for i in range(size)]}
        for k, size in enumerate(sizes)
    ]
    names = [f"o{i}" for i in range(outcomes)]
    outcome = {"name": "decision", "values": names, "favourable": names[-1]}
    process = Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})
    codes = np.array(list(np.ndindex(groups, *sizes)), dtype=np.int32)
    codes = codes[rng.random(len(codes)) < 0.85] if len(codes) > 3 else codes
    codes = codes if len(codes) else np.zeros((1, sensitive + 1), dtype=np.int32)
    population = rng.integers(1, 30, len(codes)) * rng.choice([1, 1, 1, 30], len(codes))
    soft = rng.dirichlet(np.ones(outcomes), len(codes)).round(3)
    hard = np.eye(outcomes)[rng.integers(0, outcomes, len(codes))]
    probability = np.where(rng.random((len(codes), 1)) < 0.5, hard, soft)
    probability[:, 0] = np.round(1 - probability[:, 1:].sum(axis=1), 12)
    cells, order = arrange(process, codes, population.astype(np.int64))
    return DecisionTable(cells=cells, probability=np.clip(probability, 0, 1)[order])


@dataclass(frozen=True)
class Reference:
    """One group: which limits can its mappings keep?"""

    table: DecisionTable
    lower: FloatArray
    upper: FloatArray
    rate_move: float | None = None

    @property
    def p(self) -> FloatArray:
        """Shares of the cells."""
        return np.asarray(self.table.cells.population / self.table.cells.population.sum())

    def shares(self, attribute: int) -> dict[int, float]:
        """The share of each value of an attribute."""
        index = self.table.cells.protected[attribute].index
        return {int(v): float(self.p[index == v].sum()) for v in np.unique(index)}

    def confidence(self, mapping: FloatArray, attribute: int, *, lift: bool = False) -> float:
        """The largest confidence in a value of an attribute (or how many times its share that is)."""
        index, largest = self.table.cells.protected[attribute].index, 0.0
        for value, share in self.shares(attribute).items():
            for column in mapping.T:
                if self.p @ column > 1e-15:
                    found = float((self.p * column)[index == value].sum() / (self.p @ column))
                    largest = max(largest, found / share if lift else found)
        return largest

    def possible(self, beta: FloatArray, lift: FloatArray, odds: float = np.inf, factor: float = 1.0) -> bool:
        """Whether a mapping keeps a confidence and a lift for each attribute (inf: none), and an odds factor.

        All ceilings may be missed by a factor.
        """
        m, outcomes = self.table.probability.shape
        rows, limits = [], []
        for j, protected in enumerate(self.table.cells.protected):
            for value, share in self.shares(j).items():
                ceiling = min(float(beta[j]), float(lift[j]) * share) * factor
                if np.isinf(ceiling):
                    continue
                for a in range(outcomes):
                    row = np.zeros((m, outcomes))
                    row[:, a] = self.p * ((protected.index == value) - ceiling)
                    rows.append(row.ravel() / max(1e-6, float(self.p @ self.upper[:, a])))
                    limits.append(0.0)
        if self.rate_move is not None:
            for a in range(outcomes):
                row = np.zeros((m, outcomes))
                row[:, a] = self.p
                rate = float(self.p @ self.table.probability[:, a])
                rows += [row.ravel(), -row.ravel()]
                limits += [rate + self.rate_move, self.rate_move - rate]
        if np.isfinite(odds):
            for (k, other), a in ((pair, a) for pair in permutations(range(m), 2) for a in range(outcomes)):
                row = np.zeros((m, outcomes))
                row[k, a], row[other, a] = 1.0, -odds
                rows.append(row.ravel())
                limits.append(0.0)
        found = linprog(
            np.zeros(m * outcomes), A_ub=np.array(rows) if rows else None, b_ub=limits or None,
            A_eq=np.kron(np.eye(m), np.ones(outcomes)), b_eq=np.ones(m),
            bounds=list(zip(self.lower.ravel(), self.upper.ravel(), strict=True)), method="highs",
            options={"primal_feasibility_tolerance": 1e-10},
        )  # fmt: skip
        return bool(found.status == 0)

    def least_odds(self) -> float:
        """The least odds factor, by bisection; inf above 10^5."""
        nothing = np.full(len(self.table.cells.protected), np.inf)
        low, high = 1.0, 1e5
        if self.possible(nothing, nothing, 1.0):
            return 1.0
        if not self.possible(nothing, nothing, high):
            return float("inf")
        while high / low > 1 + 1e-9:
            middle = (low * high) ** 0.5
            low, high = (low, middle) if self.possible(nothing, nothing, middle) else (middle, high)
        return high


def check_max_min(
    reference: Reference, figures: FloatArray, beta: FloatArray, lift: FloatArray, *, of_lift: bool
) -> None:
    """Nothing is better in the max-min order: each level is the least possible, and nobody at it can have less.

    `figures` are those of the attributes, `beta` and `lift` the ceilings that hold beside them. A level is kept, once
    reached, at the figure that was found. Then a level of 1e-6 less must be impossible for all open attributes together, and
    for each that is at it while the others stay there; and one of 1e-6 more must be possible. A level can change a
    thousand times as fast as the ceilings above it, which the solver keeps up to the factor KEPT: what must be possible
    may use that factor too.
    """
    open_ = list(range(len(figures)))
    kept = (lift if of_lift else beta).copy()

    def possible(changed: dict[int, float], factor: float = 1.0) -> bool:
        mine = kept.copy()
        for j, figure in changed.items():
            mine[j] = figure
        return reference.possible(*((beta, mine) if of_lift else (mine, lift)), factor=factor)

    while open_:
        level = max(figures[j] for j in open_)
        same = 1e-6 * max(1.0, level)
        assert not possible(dict.fromkeys(open_, level - same)), "the largest can be less"
        assert possible(dict.fromkeys(open_, level + same), KEPT), "it is not to be had"
        at_it = [j for j in open_ if figures[j] >= level - same]
        for j in at_it:
            assert not possible({**dict.fromkeys(open_, level), j: level - same}), "it can have less"
        for j in at_it:
            kept[j] = figures[j]
        open_ = [j for j in open_ if j not in at_it]
