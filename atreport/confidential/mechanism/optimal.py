"""The mechanism of least confidence: the optimum that the solver finds, rounded by the first door."""

from __future__ import annotations

from atreport.confidential.mechanism.way_to_announce import WayToAnnounce

OPTIMAL = WayToAnnounce(
    name="optimal",
    is_possible=lambda _fidelity, _scale, _outcomes: True,
    steps=None,
    expected=lambda _announced, middle: middle,
    advice="Allow more distortion under policy: fidelity, or raise the ceiling.",
)
