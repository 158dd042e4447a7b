"""Group disparity for readers."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.process import Process


def _compared(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    return f"{groups[0]} and {groups[1]}, the furthest apart"


WORDS = MeasureWords(
    name="Group disparity",
    definition="the largest difference between the rates of any two groups. 0 means all equal.",
    terms={"Group disparity": "The largest difference between the favourable rates of any two groups."},
    unit=POINTS,
    compared=_compared,
)
