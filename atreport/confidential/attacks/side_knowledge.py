"""How far the promise moves where an observer's idea of the population is wrong. Confidential.

An observer rarely knows the population of the process; they take a census, or a guess. Let every count they believe in be
off by at most a share e of the true one, in any direction. A confidence c = m / (m + r) then is at most

    m (1 + e) / (m (1 + e) + r (1 - e)),

which grows with c. So the same formula turns the largest confidence c of a group into the largest after the error, and no
search is needed. The observer is then mistaken about the population; the figure says how sure they may feel.
"""

from __future__ import annotations

from fractions import Fraction

ERRORS = (Fraction(1, 100), Fraction(5, 100), Fraction(10, 100), Fraction(25, 100))
"""The errors of population counts that are tried."""


def confidence_with_error(confidence: Fraction, error: Fraction) -> Fraction:
    """The most a confidence can be if each population count may be off by a share `error` of it."""
    inside, others = confidence * (1 + error), (1 - confidence) * (1 - error)
    return inside / (inside + others) if confidence else confidence
