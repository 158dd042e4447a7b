"""How a field of a form is written: as report.json has it, and as it is printed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from atreport.spec.models.forms import WithheldField


def field_entry(value: Any) -> Any:
    """A field as report.json has it: a text, or {"withheld": reason}."""
    if isinstance(value, WithheldField):
        return {"withheld": value.withheld}
    return value.isoformat() if isinstance(value, dt.date) else value


def field_text(entry: Any) -> str:
    """A field of report.json as it is printed: the text, or why it is withheld."""
    return str(WithheldField(withheld=entry["withheld"])) if isinstance(entry, Mapping) else str(entry)
