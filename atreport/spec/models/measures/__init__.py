"""The ``fairness`` section: one file a measure, of the measure's name. This is the list of them.

A measure is a model whose key `measure` is its name, with two methods: ``find_problems`` (what is wrong with it beside
the process) and ``in_values_of`` (the same measure where values of attributes had to be joined).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, get_args

from pydantic import Discriminator

from atreport.spec.models.measures.conditional_statistical_parity import ConditionalStatisticalParity
from atreport.spec.models.measures.distances import MatrixDistance, ScaleDistance
from atreport.spec.models.measures.error_rates import ErrorRates
from atreport.spec.models.measures.group_disparity import GroupDisparity
from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.measures.impact_ratio import ImpactRatio
from atreport.spec.models.measures.individual import IndividualFairness
from atreport.spec.models.measures.odds_ratio import OddsRatio
from atreport.spec.models.measures.p_percent_rule import PPercentRule
from atreport.spec.models.measures.statistical_parity import StatisticalParity

AnyMeasure = (
    StatisticalParity
    | ConditionalStatisticalParity
    | PPercentRule
    | ImpactRatio
    | OddsRatio
    | GroupDisparity
    | ErrorRates
    | IndividualFairness
)

Measure = Annotated[AnyMeasure, Discriminator("measure")]
"""An entry of the section: which measure it is, its key `measure` says."""

MEASURES: dict[str, type[AnyMeasure]] = {
    get_args(model.model_fields["measure"].annotation)[0]: model for model in get_args(AnyMeasure)
}
"""The model of each measure, by the measure's name."""


def labels_of(measures: Iterable[AnyMeasure]) -> tuple[str, ...]:
    """The attributes that only tell what really happened: they count in error rates, and explain nothing."""
    return tuple(dict.fromkeys(each.label for each in measures if isinstance(each, ErrorRates)))


__all__ = [
    "MEASURES",
    "AnyMeasure",
    "ConditionalStatisticalParity",
    "ErrorRates",
    "GroupDisparity",
    "GroupMeasure",
    "ImpactRatio",
    "IndividualFairness",
    "MatrixDistance",
    "Measure",
    "OddsRatio",
    "PPercentRule",
    "ScaleDistance",
    "StatisticalParity",
    "labels_of",
]
