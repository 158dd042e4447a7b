"""Ask OpenDP whether the noise of this study is what it says: the ε of every release, and the distribution of every draw.

OpenDP takes its noise from the operating system and cannot be given a seed, which is right for real data and useless for a table
that others can make again. So the study draws the same distributions with seeds; this compares the two. Needs ``opendp``.
"""

import opendp.prelude as dp
from scipy.stats import ks_2samp

from docs.studies.leaks import noise
from docs.studies.leaks.scene import TABLE_1

DRAWS = 4000


def check(epsilon: float) -> list[str]:
    """What OpenDP says of the three releases at one ε; a difference raises AssertionError."""
    dp.enable_features("contrib")
    lines = []
    counts = noise.noisy_counts(epsilon)
    scale = float(counts.scale[0])
    whole = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), scale=scale)
    assert abs(whole.map(2) - epsilon) < 1e-9
    ours = [counts.counts(TABLE_1.approved, seed)[2] for seed in range(DRAWS)]
    theirs = [whole([2])[0] for _ in range(DRAWS)]
    lines.append(_compared("counts", epsilon, ours, theirs))
    for name, release in (
        ("figures", noise.noisy_figures(TABLE_1, epsilon)),
        ("influences", noise.noisy_influences(TABLE_1, epsilon)),
    ):
        real = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
        # every figure divided by the scale of its noise has noise of scale 1, so the L1 sensitivity is then ε itself
        unit = dp.m.make_laplace(*real, scale=1.0)
        sensitivity = float(abs(release.moves / release.scale).sum(axis=1).max())
        assert abs(unit.map(sensitivity) - epsilon) < 1e-9
        true = float((release.weights @ TABLE_1.approved)[0] / release.scale[0])
        ours = [float(release.figures(TABLE_1.approved, seed)[0] / release.scale[0]) for seed in range(DRAWS)]
        theirs = [unit([true])[0] for _ in range(DRAWS)]
        lines.append(_compared(name, epsilon, ours, theirs))
    return lines


def _compared(name: str, epsilon: float, ours: list[float], theirs: list[float]) -> str:
    p = ks_2samp(ours, theirs).pvalue
    assert p > 1e-4, f"{name} at ε = {epsilon:g}: the draws differ from OpenDP's (p = {p:.2g})"
    return f"{name}, ε = {epsilon:g}: OpenDP's map agrees, draws do too (Kolmogorov-Smirnov p = {p:.2f})"


if __name__ == "__main__":
    for each in (0.1, 1.0, 10.0):
        print("\n".join(check(each)))
