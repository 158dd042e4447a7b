"""Turn a rule table into favourable rates by value of each attribute, where the rule has too many cells to be printed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.analysis.membership import however_they_split
from atreport.analysis.ranges import Range
from atreport.analysis.rates import rates, strata_of
from atreport.kit.tables import MAX_ROWS, extremes
from atreport.rule_table import RuleTable

MAX_VALUES = 12
"""An attribute with more values is left out."""


@dataclass(frozen=True, kw_only=True)
class ValueRate:
    """The favourable rate of everybody who has one value of one attribute."""

    attribute: str
    value: str
    ranges: tuple[Range, ...]  # once for each population that must hold


def value_rates(table: RuleTable) -> tuple[ValueRate, ...]:
    """The rates, in the order of the spec; none where every cell is printed."""
    if extremes(table.announced).whole:
        return ()
    everybody = np.ones(len(table.cells), dtype=bool)
    found = []
    for attribute in table.cells.process.attributes:
        if len(attribute.values) > MAX_VALUES:
            continue
        strata = strata_of(table.cells, [attribute.name])
        of_values = rates(table, everybody, strata)
        for stratum in range(len(strata)):
            ranges = of_values.in_stratum(stratum)
            if ranges is not None:
                value = strata.labels(stratum)[attribute.name]
                ranges = however_they_split(table, table.truth, ranges, [{attribute.name: (value,)}])
                found.append(ValueRate(attribute=attribute.name, value=value, ranges=tuple(ranges)))
    return tuple(found[:MAX_ROWS])
