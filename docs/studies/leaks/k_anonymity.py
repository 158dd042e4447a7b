"""k-anonymous tables: what is published, and the reader who knows how it was made.

The reader knows of a person the gender and the decision, so these two are the quasi-identifier, and income is the sensitive
attribute. Everybody must share gender and decision with at least k - 1 others. Two usual ways to get there:

suppress     a class of fewer than k people is left out of the table
generalise   if any class has fewer than k people, gender is left out of the table
"""

from dataclasses import dataclass

import numpy as np

from docs.studies.leaks.noise import influence_weights
from docs.studies.leaks.scene import Figures, FloatArray, Scene, figures_of

_SAME = 1e-9
"""Printed figures are equal if they differ by less: they are ratios of small whole numbers."""


@dataclass(frozen=True, eq=False)
class Suppressed:
    """The people that a table shows where classes of fewer than k are left out; k = 1 leaves out nobody."""

    scene: Scene
    k: int

    def shown(self, approved: FloatArray, gender: int) -> tuple[FloatArray, FloatArray]:
        """The approved and the denied people shown, by income; rows of `approved` are rules of one gender."""
        denied = self.scene.sizes[3 * gender : 3 * gender + 3] - approved
        hidden = [self._is_hidden(part) for part in (approved, denied)]
        return np.where(hidden[0], -1.0, approved), np.where(hidden[1], -1.0, denied)

    def _is_hidden(self, part: FloatArray) -> FloatArray:
        total = part.sum(axis=-1, keepdims=True)
        return np.asarray((total > 0) & (total < self.k))

    def visible(self, approved: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Approved and all people that are left in each cell."""
        shown = [self.shown(approved[3 * g : 3 * g + 3], g) for g in (0, 1)]
        yes = np.concatenate([np.maximum(one, 0.0) for one, _ in shown])
        no = np.concatenate([np.maximum(other, 0.0) for _, other in shown])
        return yes, yes + no

    def figures(self, approved: FloatArray) -> Figures:
        """The fairness figures of the people that are left."""
        return figures_of(*self.visible(approved))


def read_table(release: Suppressed) -> FloatArray:
    """Leak 1: the approved people that the reader of the table expects."""
    scene = release.scene
    return np.concatenate(
        [_alike_in_table(release, scene.approved, gender).mean(axis=0) for gender in (0, 1)]
    )


def _alike_in_table(release: Suppressed, truth: FloatArray, gender: int) -> FloatArray:
    rules = release.scene.rules_of(gender)
    alike = np.ones(len(rules), dtype=bool)
    for seen, true in zip(
        release.shown(rules, gender),
        release.shown(truth[3 * gender : 3 * gender + 3], gender),
        strict=True,
    ):
        alike &= (seen == true).all(axis=1)
    return rules[alike]


def read_figures(release: Suppressed) -> FloatArray:
    """Leak 2: the reader sees both rates, the difference at each income where there is one, Mary's answer, and no table."""
    scene = release.scene
    candidates = [_alike_in_rates(release, gender) for gender in (0, 1)]
    cells = [_rates(release, rules, gender) for gender, rules in enumerate(candidates)]
    true = _rates(release, scene.approved[:3][None], 0)[0] - _rates(release, scene.approved[3:][None], 1)[0]
    difference = np.abs(cells[0][:, None, :] - cells[1][None, :, :])
    close = np.abs(difference - np.abs(true)) < _SAME
    both_absent = np.isnan(difference) & np.isnan(true)
    women, men = np.nonzero((close | both_absent).all(axis=2))
    return np.concatenate([candidates[0][women].mean(axis=0), candidates[1][men].mean(axis=0)])


def _rates(release: Suppressed, rules: FloatArray, gender: int) -> FloatArray:
    """The approval rate of each cell among the people left; nan where none are."""
    yes, no = (np.maximum(part, 0.0) for part in release.shown(rules, gender))
    with np.errstate(invalid="ignore"):
        return np.asarray(yes / (yes + no), dtype=np.float64)


def _alike_in_rates(release: Suppressed, gender: int) -> FloatArray:
    """The rules of one gender that give its printed rate, leave out the same classes and, for women, Mary's answer."""
    scene = release.scene
    rules, true = scene.rules_of(gender), scene.approved[3 * gender : 3 * gender + 3][None]
    alike = np.ones(len(rules), dtype=bool)
    figures = []
    for some in (rules, true):
        shown = release.shown(some, gender)
        yes, no = (np.maximum(part, 0.0).sum(axis=1) for part in shown)
        hidden = [(part < 0).any(axis=1).astype(np.float64) for part in shown]
        mary = _rates(release, some, gender)[:, 0] if gender == 0 else np.zeros(len(some))
        figures.append(np.stack([yes / np.maximum(yes + no, 1), mary, *hidden], axis=1))
    alike = (np.abs(figures[0] - figures[1]) < _SAME).all(axis=1)
    return rules[alike]


def read_influences(release: Suppressed) -> FloatArray:
    """Leak 3: the reader sees the influence of income on women above 200k and below 100k, where there are such women."""
    scene = release.scene
    rules = scene.rules_of(0)
    seen, true = _answers(release, rules), _answers(release, scene.approved[:3][None])
    alike = ((np.abs(seen - true) < _SAME) | (np.isnan(seen) & np.isnan(true))).all(axis=1)
    return np.concatenate([rules[alike].mean(axis=0), scene.possible[3:].mean(axis=1)])


def _answers(release: Suppressed, rules: FloatArray) -> FloatArray:
    """The two answers, and whether the approved women are left out of the table."""
    rates = _rates(release, rules, 0)
    weights = influence_weights(release.scene)[:, :3] * release.scene.sizes[:3]
    answers = np.nan_to_num(rates) @ weights.T
    answers[:, 0][np.isnan(rates[:, 2])] = np.nan
    answers[:, 1][np.isnan(rates[:, 0])] = np.nan
    return np.column_stack([answers, (release.shown(rules, 0)[0] < 0).any(axis=1)])


def needs_generalising(scene: Scene, k: int) -> bool:
    """Whether some class of gender and decision has fewer than k people."""
    return bool(
        _some_small(scene.approved[:3][None], scene, 0, k)[0]
        or _some_small(scene.approved[3:][None], scene, 1, k)[0]
    )


def _some_small(rules: FloatArray, scene: Scene, gender: int, k: int) -> FloatArray:
    total = rules.sum(axis=1)
    size = scene.sizes[3 * gender : 3 * gender + 3].sum()
    return np.asarray(((total > 0) & (total < k)) | ((size - total > 0) & (size - total < k)))


def read_generalised(scene: Scene, k: int) -> FloatArray:
    """Leak 1, gender left out: the reader knows the approved people of each income, and why gender is missing."""
    pooled = scene.approved[:3] + scene.approved[3:]
    women = scene.rules_of(0)
    men = pooled - women
    known = [set(row) for row in scene.possible[3:]]
    weight = np.ones(len(women))
    for i in range(3):  # several levels of the men's may give the same whole number
        weight *= np.array(
            [np.count_nonzero(scene.possible[3 + i] == m) if m in known[i] else 0 for m in men[:, i]]
        )
    weight *= _some_small(women, scene, 0, k) | _some_small(men, scene, 1, k)
    expected = (weight / weight.sum()) @ women
    return np.concatenate([expected, pooled - expected])
