"""Group disparity for readers."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.kit.language import message, say
from atreport.pages.measures.unit import POINTS
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.process import Process


def _compared(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    one, other = groups
    return say("{one} and {other}, the furthest apart", one=one, other=other)


WORDS = MeasureWords(
    name=message("Group disparity"),
    definition=message(
        "the largest difference between the rates of “{favourable}” in any two groups. 0 means that all are equal."
    ),
    terms={
        message("Group disparity"): message(
            "The largest difference between the favourable rates of any two groups. 0 means that all are equal."
        )
    },
    unit=POINTS,
    compared=_compared,
)
