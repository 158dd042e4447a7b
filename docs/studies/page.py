"""What a study writes: tables between two marks of its page, and figures that are the same bytes on every run."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib.figure import Figure

from docs import made_parts

HERE = Path(__file__).parent

INK, BLUE, ORANGE, GREEN, GREY = "#222222", "#1f5fa8", "#b8480b", "#2b7a3d", "#777777"
"""Colours that are told apart in print and by colour-blind readers; line styles and labels tell the same."""


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; every column but the first is set to the right."""
    lines = ["| " + " | ".join(heading) + " |", "|---" + "|---:" * (len(heading) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def written(page: str, name: str) -> str:
    """What stands between the marks of a name on a page of this folder."""
    return made_parts.written(HERE / page, name)


def write(page: str, parts: dict[str, str]) -> None:
    """Put each part between the marks of its name."""
    made_parts.write(HERE / page, parts)


def new_figure(width: float = 7.2, height: float = 3.4) -> Figure:
    """An empty figure in the style of these pages."""
    mpl.rcParams.update(
        {
            "svg.hashsalt": "atreport studies",
            "svg.fonttype": "path",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.edgecolor": INK,
            "legend.frameon": False,
        }
    )
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, name: str) -> None:
    """Write a figure beside its page, without a date."""
    figure.savefig(HERE / name, format="svg", metadata={"Date": None, "Creator": None})
