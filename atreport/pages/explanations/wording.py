"""How conditions, records and quantities are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atreport.pages.wording import EVERYBODY, named_values
from atreport.report.explanation import Influence
from atreport.report.figures import Condition
from atreport.spec.models.process import Process

TOGETHER = " and "


def condition_text(process: Process, condition: Condition) -> str:
    """A condition in words: Gender is F and Annual income is <100k or 100k-200k."""
    parts = []
    for name, values in condition.items():
        attribute = process.attribute(name)
        others = [value for value in attribute.values if value not in values]
        if len(values) > 2 and len(others) == 1:
            parts.append(f"{attribute.title} is not {others[0]}")
        else:
            parts.append(f"{attribute.title} is {one_of(values)}")
    return TOGETHER.join(parts) or EVERYBODY


def one_of(values: Sequence[str]) -> str:
    """One value, or several with commas and an “or”."""
    *most, last = values
    return f"{', '.join(most)} or {last}" if most else last


def attributes_text(process: Process, attributes: Sequence[str]) -> str:
    """Some attributes by their titles; none: the base of a model."""
    return TOGETHER.join(process.attribute(name).title for name in attributes) or "Base"


def record_text(process: Process, record: Mapping[str, str]) -> str:
    """A whole record."""
    return named_values(process, record)


def quantity_text(influence: Influence) -> str:
    """What is influenced."""
    assert influence.quantity is not None, "qii and shapley have a quantity"
    return influence.quantity.title
