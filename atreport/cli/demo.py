"""``atreport demo``: three ways a report leaks, before and after, in five minutes."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from atreport.commands.demo import tell

_STYLES = {"heading": "bold", "plain": "", "bad": "red", "good": "green"}


def demo() -> None:
    """Show on a small example how a transparency report leaks, and what atreport does about it."""
    console = Console(
        highlight=False, markup=False
    )  # plain text where stdout is no terminal, or NO_COLOR is set
    signs = {"bad": "!", "good": "✓"}
    for line in tell():
        sign = signs.get(line.kind)
        text = line.text if sign is None else f"{sign} {line.text.lstrip()}"
        console.print(Text(text, style=_STYLES[line.kind]), soft_wrap=not console.is_terminal)
