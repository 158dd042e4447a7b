"""This machine: records are counted and groups solved here."""

from __future__ import annotations

from atreport.confidential.data.counting import Counting
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.fidelity import Bounds
from atreport.confidential.mechanism.solver import TableSolution, solve_table


class LocalEngine(Counting):
    """This machine."""

    def solve(self, table: DecisionTable, bounds: Bounds, target: float = 0.0) -> TableSolution:
        """Solve every group here."""
        return solve_table(table, bounds, target)
