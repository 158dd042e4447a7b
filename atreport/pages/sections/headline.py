"""One answer of a report's summary."""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.tables import Table


@dataclass(frozen=True, kw_only=True)
class Headline:
    """One question of the summary: a figure, what the figure is, and the answer."""

    question: str
    figure: str
    caption: str
    answer: tuple[str, ...]
    link: str  # the section that says more
    table: Table | None = None
