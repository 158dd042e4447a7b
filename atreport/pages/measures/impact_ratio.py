"""The impact ratio for readers."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.kit.language import message, say
from atreport.pages.measures.unit import PERCENT
from atreport.pages.measures.words import MeasureWords
from atreport.spec.models.process import Process


def _compared(groups: tuple[str, str], _given: Mapping[str, str] | None, _process: Process) -> str:
    group, favoured = groups
    if group == favoured:
        return say("{group}, the most favoured", group=group)
    return say("{one} and {favoured}, the most favoured", one=group, favoured=favoured)


WORDS = MeasureWords(
    name=message("Impact ratio"),
    definition=message(
        "a group’s rate of “{favourable}” as a share of the most favoured group’s rate. 100% means equal. A ratio under 80% "
        "is a sign to look closer, not a legal finding."
    ),
    terms={
        message("Impact ratio"): message(
            "A group’s favourable rate as a share of the most favoured group’s rate. 100% means equal."
        )
    },
    unit=PERCENT,
    compared=_compared,
)
