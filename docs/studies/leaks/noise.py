"""Differential privacy: Laplace noise on what is published, and the reader who knows the noise.

The numbers of applicants are public and fixed. Two data sets are neighbours if one person was decided otherwise, or if two
people of a gender have each other's income: so both the decision and the income of everybody are protected, as far as
public totals allow. Every release here is linear in the approved people of the six cells (a difference printed without its
sign changes by no more than with it), so its sensitivity is exact: the largest change over all neighbours.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from docs.studies.leaks.scene import FloatArray, Scene


@dataclass(frozen=True, eq=False)
class Noisy:
    """Linear figures of the approved people, each with Laplace noise of its own scale."""

    weights: FloatArray  # (figures, cells)
    epsilon: float

    @cached_property
    def scale(self) -> FloatArray:
        """The scale of each figure's noise: figures are first divided by their own sensitivity, then noised alike."""
        own = np.abs(self.moves).max(axis=0)
        return own * (np.abs(self.moves) / own).sum(axis=1).max() / self.epsilon

    @cached_property
    def moves(self) -> FloatArray:
        """How each kind of neighbour changes the figures."""
        decided_otherwise = list(self.weights.T)
        exchanged = [
            self.weights[:, i] - self.weights[:, j]
            for start in (0, 3)
            for i, j in combinations(range(start, start + 3), 2)
        ]
        return np.array(decided_otherwise + exchanged)

    def counts(self, approved: FloatArray, seed: int) -> FloatArray:
        """Noisy whole numbers (the discrete Laplace distribution), for figures that are counts."""
        rng = np.random.default_rng(seed)
        stop = 1 - np.exp(-1 / self.scale)
        figures = np.asarray(self.weights @ approved, dtype=np.float64)
        return figures + rng.geometric(stop) - rng.geometric(stop)

    def figures(self, approved: FloatArray, seed: int, *, absolute: slice | None = None) -> FloatArray:
        """Noisy figures; those of `absolute` lose their sign before the noise."""
        values = np.array(self.weights @ approved, dtype=np.float64)
        if absolute is not None:
            values[absolute] = np.abs(values[absolute])
        return values + np.random.default_rng(seed).laplace(0.0, self.scale)


def _expected(counts: FloatArray, log_weight: FloatArray) -> FloatArray:
    """The mean of possible counts (rows) under weights that are given as logarithms."""
    weight = np.exp(log_weight - log_weight.max())
    return np.asarray((weight / weight.sum()) @ counts, dtype=np.float64)


def noisy_counts(epsilon: float) -> Noisy:
    """Leak 1: the approved people of every cell."""
    return Noisy(np.eye(6), epsilon)


def read_counts(scene: Scene, release: Noisy, seen: FloatArray) -> FloatArray:
    """The approved people that the reader of noisy counts expects: cells are independent."""
    log_weight = -np.abs(seen[:, None] - scene.possible) / release.scale[:, None]
    weight = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
    return np.asarray((weight * scene.possible).sum(axis=1) / weight.sum(axis=1), dtype=np.float64)


DIFFERENCES = slice(2, 5)
"""Where the differences at each income stand among the figures of leak 2."""


def noisy_figures(scene: Scene, epsilon: float) -> Noisy:
    """Leak 2: both approval rates, the difference at each income, and the answer to Mary (her cell's rate)."""
    share = np.eye(6) / scene.sizes
    genders = np.repeat(np.eye(2), 3, axis=1) / scene.sizes.reshape(2, 3).sum(axis=1)[:, None]
    return Noisy(np.vstack([genders, share[:3] - share[3:], share[:1]]), epsilon)


def read_figures(scene: Scene, release: Noisy, seen: FloatArray) -> FloatArray:
    """The approved people that the reader of noisy figures expects.

    All levels⁶ rules are weighed. Each figure looks at few cells, so that their weights are a product of small tables.
    """
    n, scale = scene.levels, release.scale
    share = scene.possible / scene.sizes[:, None]
    groups = scene.sizes.reshape(2, 3).sum(axis=1)
    log = []
    for gender in (0, 1):
        rate = scene.rules_of(gender).sum(axis=1) / groups[gender]
        log.append(-np.abs(seen[gender] - rate).reshape(n, n, n) / scale[gender])
    log[0] = log[0] - (np.abs(seen[5] - share[0]) / scale[5])[:, None, None]
    pairs = [
        np.exp(-np.abs(seen[2 + i] - np.abs(share[i][:, None] - share[3 + i][None, :])) / scale[2 + i])
        for i in range(3)
    ]
    women, men = (np.exp(one - one.max()) for one in log)
    joint_women = women * np.einsum("abc,xa,yb,zc->xyz", men, *pairs, optimize=True)
    joint_men = men * np.einsum("xyz,xa,yb,zc->abc", women, *pairs, optimize=True)
    expected = [
        joint.sum(axis=tuple(k for k in range(3) if k != i)) / joint.sum() @ scene.possible[3 * gender + i]
        for gender, joint in enumerate((joint_women, joint_men))
        for i in range(3)
    ]
    return np.array(expected)


def noisy_influences(scene: Scene, epsilon: float) -> Noisy:
    """Leak 3: the influence of income on the approval of women above 200k, and of women below 100k.

    Influence of an attribute: the rate as it is, less the rate after the attribute is drawn anew from everybody's.
    """
    return Noisy(influence_weights(scene), epsilon)


def influence_weights(scene: Scene) -> FloatArray:
    """The two influences as weights of the approved people of each cell."""
    drawn = scene.sizes.reshape(2, 3).sum(axis=0) / scene.sizes.sum()
    weights = np.zeros((2, 6))
    weights[:, :3] = -drawn / scene.sizes[:3]
    weights[0, 2] += 1 / scene.sizes[2]
    weights[1, 0] += 1 / scene.sizes[0]
    return weights


def read_influences(scene: Scene, release: Noisy, seen: FloatArray) -> FloatArray:
    """The approved people that the reader of two noisy influences expects; of men the answers say nothing."""
    women = scene.rules_of(0)
    figures = women @ release.weights[:, :3].T
    found = _expected(women, -(np.abs(seen - figures) / release.scale).sum(axis=1))
    return np.concatenate([found, scene.possible[3:].mean(axis=1)])
