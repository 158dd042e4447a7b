"""The ends of exact binomial (Clopper-Pearson) intervals: how low a probability may be that gave the cases counted.

The lower end for k favourable cases of n is the probability p with which k or more of n are favourable with a given chance.
That chance is the regularized incomplete beta function I_p(a, b) with a = k and b = n - k + 1, so p is its inverse.

Guarantee: an end is never inside the interval. SciPy's inverse is right to some units in the last place of a float, and
what is taken off is far more than that.

SciPy's special functions take 0.2 s to import, so they wait for the first interval: `check` takes 0.45 s and needs none. A
build loses nothing, since the attacks on the draft load SciPy anyway: processor time of `build --formats json` with a
hand-written inverse and with SciPy's, best of four, 1.44 and 1.30 s for specs/housing_records.yaml, 2.08 and 2.05 s for
specs/credit_card.yaml. `verify` on a report that prints such intervals takes 0.63 s instead of 0.49.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ERROR = 1e-10
"""An end is moved outward by this much, which is far below any printed step."""


def lower_end(favourable: Any, cases: Any, chance: float) -> Any:
    """The probability with which so many cases or more are favourable with this chance; never too high.

    For one pair of counts or for arrays of them. The upper end is one minus the lower end for the cases that are not
    favourable.
    """
    from scipy.special import betaincinv

    a = np.maximum(favourable, 1.0)
    p = betaincinv(a, cases - a + 1, chance)
    return np.where(favourable > 0, np.maximum(p - ERROR, 0.0), 0.0)
