"""Turn a column of a data frame into labels, each as a reader would write it, in an order that tells nothing of the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MOST_VALUES = 24
"""A column with more different entries than this is no category, unless its values are listed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelled:
    """A column as texts."""

    texts: NDArray[np.object_]  # empty where an entry is missing
    values: tuple[
        str, ...
    ]  # every text that occurs: categories and numbers in their order, other texts in the alphabet's
    is_number: bool
    declared: bool  # a categorical column, whose author listed its values

    @property
    def missing(self) -> int:
        """How many entries are missing."""
        return int((self.texts == "").sum())


def label_of(value: object) -> str:
    """An entry as a label: texts without blanks around them, whole numbers without a point. Empty where it is missing.

    Raises :class:`ValueError` for what is no label: a date, a list, an object.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else value
        return f"{value:f}".rstrip("0") if isinstance(value, Decimal) else str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        # a column of whole numbers becomes one of floating point where an entry is missing: 1.0 is the label 1
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, pd.Interval):
        return _interval_label(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    raise ValueError(f"holds entries of type {type(value).__name__}, which are no labels")


def _interval_label(interval: pd.Interval[Any]) -> str:
    """What ``pd.cut`` makes of numbers, as a label that says which end belongs to it: over 30 to 50; 30 to under 50."""
    low, high = label_of(interval.left), label_of(interval.right)
    if math.isinf(interval.left):
        return f"{'up to' if interval.closed_right else 'under'} {high}"
    if math.isinf(interval.right):
        return f"{low} and over" if interval.closed_left else f"over {low}"
    return (
        f"{'' if interval.closed_left else 'over '}{low} to {'' if interval.closed_right else 'under '}{high}"
    )


def labelled(column: pd.Series[Any]) -> Labelled:
    """A column as texts. Raises :class:`ValueError` where an entry is no label."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
        distinct = list(column.cat.categories)
        occurring = [distinct[code] for code in np.unique(codes[codes >= 0])]
    else:
        try:
            codes, found = pd.factorize(column)
        except TypeError:
            raise ValueError("holds lists or other entries that are no labels") from None
        distinct = occurring = list(found)
    labels = np.array([*map(label_of, distinct), ""], dtype=object)  # the last for code -1: missing
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    numbers = bool(occurring) and all(_is_number(value) for value in occurring)
    if not declared:
        occurring = sorted(occurring, key=_by_number if numbers else label_of)
    values = dict.fromkeys(label for label in map(label_of, occurring) if label)
    return Labelled(
        texts=labels[codes],
        values=tuple(values),
        is_number=numbers and not declared,
        declared=declared,
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal | np.number | np.bool_)


def _by_number(value: Any) -> float:
    return float(value)
