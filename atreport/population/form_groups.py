"""The groups of people whose numbers a form prints: known before any figure, so that small ones can be guarded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from atreport.population.cells import Cells
from atreport.population.small_cells import Mask
from atreport.spec.models.forms import Form


@dataclass(frozen=True, kw_only=True, eq=False)
class FormGroup:
    """One category of a form's table: the values that make it, and its cells."""

    values: dict[str, str]  # attribute → value; none of them the unknown one, or `unknown`
    cells: Mask
    unknown: bool  # whether a value of it is the one that means "unknown"

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that make the category."""
        return tuple(self.values)

    @property
    def name(self) -> str:
        """As it is printed."""
        return " · ".join(self.values.values())


def form_groups(form: Form | None, cells: Cells) -> Iterator[FormGroup]:
    """Every category of a form's tables, those without people too; unknown ones last."""
    for attributes in form.tables_of_groups if form is not None else ():
        yield from sorted(_categories(cells, attributes), key=lambda group: group.unknown)


def _categories(cells: Cells, attributes: tuple[str, ...]) -> Iterator[FormGroup]:
    combinations: list[tuple[dict[str, str], Mask]] = [({}, np.ones(len(cells), dtype=bool))]
    for name in attributes:
        column = cells.column(name)
        combinations = [
            ({**values, name: value}, mask & (column == code))
            for values, mask in combinations
            for code, value in enumerate(cells.process.attribute(name).values)
        ]
    for values, mask in combinations:
        unknown = any(cells.process.attribute(name).unknown == value for name, value in values.items())
        yield FormGroup(values=values, cells=mask, unknown=unknown)
