"""This machine: records are counted and groups solved here."""

from __future__ import annotations

from atreport.confidential.data.counting import Counting
from atreport.confidential.data.decision_table import DecisionTable
from atreport.confidential.mechanism.aims import Aims
from atreport.confidential.mechanism.fidelity import Bounds
from atreport.confidential.mechanism.solver import solve_table
from atreport.confidential.mechanism.table_solution import TableSolution


class LocalEngine(Counting):
    """This machine."""

    def solve(self, table: DecisionTable, bounds: Bounds, aims: Aims) -> TableSolution:
        """Solve every group here."""
        return solve_table(table, bounds, aims)
