"""Turn a release into favourable rates by value of each attribute, where the rule has too many cells to be printed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atreport.analysis.assessment import Interval
from atreport.analysis.rates import rates, strata_of
from atreport.announcement import Release
from atreport.kit.tables import MAX_ROWS, extremes

MAX_VALUES = 12
"""An attribute with more values is left out."""


@dataclass(frozen=True, kw_only=True)
class ValueRate:
    """The favourable rate of everybody who has one value of one attribute."""

    attribute: str
    value: str
    rate: Interval


def value_rates(release: Release) -> tuple[ValueRate, ...]:
    """The rates, in the order of the spec; none where every cell is printed."""
    if extremes(release.announced).whole:
        return ()
    everybody = np.ones(len(release.cells), dtype=bool)
    found = []
    for attribute in release.cells.process.attributes:
        if len(attribute.values) > MAX_VALUES:
            continue
        strata = strata_of(release.cells, [attribute.name])
        of_values = rates(release, everybody, strata)
        for stratum in range(len(strata)):
            ranges = of_values.in_stratum(stratum)
            if ranges is not None:
                value = strata.labels(stratum)[attribute.name]
                rate = Interval.printed(ranges, release.decimals)
                found.append(ValueRate(attribute=attribute.name, value=value, rate=rate))
    return tuple(found[:MAX_ROWS])
