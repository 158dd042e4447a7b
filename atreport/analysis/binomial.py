"""The ends of exact binomial (Clopper-Pearson) intervals: how low a probability may be that gave the cases counted.

The lower end for k favourable cases of n is the probability p with which k or more of n are favourable with a given chance.
That chance is the regularized incomplete beta function I_p(a, b) with a = k and b = n - k + 1, here by its continued fraction
(DLMF 8.17.22). SciPy has its inverse, but importing that takes longer than most reports do.

Guarantee: an end is never inside the interval. The density of s = log p under Beta(a, b), e^(as) (1 - e^s)^(b-1), is
log-concave, so log I is a concave function of s. Newton's steps on such a function end below its root, wherever they began:
were they too few, the interval would be too wide. What rounding adds is far below :data:`ERROR`, up to 10^12 cases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ERROR = 1e-10
"""An end is moved outward by this much, which is far below any printed step."""

_STEPS = 5  # each squares the error of the one before
_TABLE = 100


def lower_end(favourable: Any, cases: Any, chance: float) -> Any:
    """The probability with which so many cases or more are favourable with this chance; never too high.

    For one pair of counts or for arrays of them. The chance is that of a rarity, well below one half. The upper end is one
    minus the lower end for the cases that are not favourable.
    """
    a = np.maximum(favourable, 1.0)
    b = cases - a + 1
    size = np.log(b / (math.tau * a * (a + b))) / 2
    constant = size + _beyond_stirling(a + b) - _beyond_stirling(a) - _beyond_stirling(b)
    z = -2 * math.log(chance)  # begin at Wilson's lower end of a somewhat higher level
    p = (a + z / 2 - np.sqrt(z * (a * (1 - a / cases) + z / 4))) / (cases + z)
    for _ in range(_STEPS):
        fraction = _continued_fraction(a, b, p)
        power = a * np.log(p * (a + b) / a) + b * np.log((1 - p) * (a + b) / b)
        missing = math.log(chance) - constant - power - np.log(fraction)
        p = p * np.exp(missing * fraction * (1 - p) / a)
    return np.where(favourable > 0, np.maximum(p - ERROR, 0.0), 0.0)


def _continued_fraction(a: Any, b: Any, x: Any) -> Any:
    """What I_x(a, b) is of x^a (1-x)^b / (a B(a, b)), for x below the mean; from its last term to its first."""
    value = 1.0
    for m in range(20 + int(min(np.max(a + b) ** 0.5 / 2, 150)), 0, -1):
        value = 1 - (a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) / value
        value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
    return 1 / (1 - (a + b) * x / (a + 1) / value)


_BEYOND = np.array(
    [math.lgamma(m) - (m - 0.5) * math.log(m) + m - math.log(math.tau) / 2 for m in range(1, _TABLE)]
)


def _beyond_stirling(m: Any) -> Any:
    """What log Γ(m) has beyond Stirling's formula, for whole m; without it only large numbers that cancel."""
    series = (1 / 12 - (1 / 360 - 1 / (1260 * m**2)) / m**2) / m
    return np.where(m < _TABLE, _BEYOND[np.minimum(m, _TABLE - 1).astype(int) - 1], series)
