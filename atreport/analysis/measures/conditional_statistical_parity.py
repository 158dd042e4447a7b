"""Conditional statistical parity: statistical parity among people who are alike in the given attributes."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.analysis.measures.measured import Measured, NotMeasured
from atreport.analysis.measures.statistical_parity import parity
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import ConditionalStatisticalParity


def measure(
    table: RuleTable, asked: ConditionalStatisticalParity, *, unknown: bool
) -> Iterator[Measured | NotMeasured]:
    """Every two groups, in every stratum."""
    return parity(table, asked, asked.given, unknown=unknown)
