"""How conditions, records and quantities are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from atreport.kit.language import say
from atreport.kit.language.words import list_and, list_or
from atreport.pages.wording import named_values
from atreport.report.explanation import Influence
from atreport.report.figures import Condition
from atreport.spec.models.process import Process


def condition_text(process: Process, condition: Condition) -> str:
    """A condition in words: Gender is F and Annual income is <100k or 100k-200k."""
    parts = []
    for name, values in condition.items():
        attribute = process.attribute(name)
        others = [value for value in attribute.values if value not in values]
        if len(values) > 2 and 0 < len(others) < len(values) / 2:
            parts.append(say("{attribute} is not {value}", attribute=attribute.title, value=list_or(others)))
        else:
            parts.append(say("{attribute} is {value}", attribute=attribute.title, value=list_or(values)))
    # One “and” between any two, since commas stand between the values of one attribute.
    return reduce(_and, parts) if parts else named_values(process, {})


def _and(one: str, other: str) -> str:
    return say("{one} and {other}", one=one, other=other)


def attributes_text(process: Process, attributes: Sequence[str]) -> str:
    """Some attributes by their titles; none: the base of a model."""
    return list_and(process.attribute(name).title for name in attributes) or say("Base")


def record_text(process: Process, record: Mapping[str, str]) -> str:
    """A whole record."""
    return named_values(process, record)


def quantity_text(influence: Influence) -> str:
    """What is influenced."""
    assert influence.quantity is not None, "qii and shapley have a quantity"
    return influence.quantity.title
