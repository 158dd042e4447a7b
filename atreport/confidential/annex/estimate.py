"""Turn the records behind an estimated rule into its part of the annex. Confidential: true counts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from atreport.analysis.binomial import lower_end
from atreport.analysis.sampling import LEVEL
from atreport.confidential.data.decision_table import Leaf
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.true_rule import TRUE_DECIMALS
from atreport.population.cells import IntArray

_SCALE = 10**TRUE_DECIMALS


@dataclass(frozen=True, kw_only=True)
class AnnexCases:
    """The recorded decisions of one cell."""

    values: Mapping[str, str]
    cases: int
    favourable: int
    share: float
    interval: tuple[float, float]  # exact binomial (Clopper-Pearson), 95%

    @property
    def width(self) -> float:
        """How wide the interval is."""
        return self.interval[1] - self.interval[0]


@dataclass(frozen=True, kw_only=True)
class AnnexEstimate:
    """What the annex adds where the rule was estimated from records."""

    cells: tuple[AnnexCases, ...]
    leaves: tuple[Leaf, ...]

    def as_json(self) -> dict[str, Any]:
        """The entry of annex.json."""
        cells = [
            {
                **each.values,
                "cases": each.cases,
                "favourable": each.favourable,
                "interval": list(each.interval),
            }
            for each in self.cells
        ]
        return {"estimate": {"cells": cells, "leaves": [asdict(leaf) for leaf in self.leaves]}}


def annex_estimate(table: DecisionTable) -> AnnexEstimate | None:
    """The recorded decisions by cell, and the decision regions of a tree; None where the rule was given."""
    if table.estimation is None:
        return None
    cells: tuple[AnnexCases, ...] = ()
    if table.cases is not None:
        favourable, total = table.cases[:, table.favourable_place], table.cases.sum(axis=1)
        cells = tuple(
            AnnexCases(
                values=values,
                cases=cases,
                favourable=granted,
                share=round(granted / cases, TRUE_DECIMALS),
                interval=(math.floor(low * _SCALE) / _SCALE, math.ceil(high * _SCALE) / _SCALE),
            )
            for values, cases, granted, (low, high) in zip(
                table.cells.all_labels(table.cells.process.attributes),
                total.tolist(),
                favourable.tolist(),
                exact_intervals(favourable, total),
                strict=True,
            )
        )
    return AnnexEstimate(cells=cells, leaves=table.leaves)


def exact_intervals(favourable: IntArray, cases: IntArray) -> list[tuple[float, float]]:
    """The exact binomial interval (Clopper-Pearson, 95%) of each cell's favourable share; never too narrow."""
    half = float(1 - LEVEL) / 2
    low, high = lower_end(favourable, cases, half), 1 - lower_end(cases - favourable, cases, half)
    return list(zip(low.tolist(), high.tolist(), strict=True))
