"""This machine: records are counted and groups solved here."""

from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.record_source import Counting
from atreport.private.solver.fidelity import Bounds
from atreport.private.solver.objective import Objective, TableSolution
from atreport.private.solver.solver import solve_table


class LocalEngine(Counting):
    """This machine."""

    def solve(self, table: DecisionTable, bounds: Bounds, aims: Objective) -> TableSolution:
        """Solve every group here."""
        return solve_table(table, bounds, aims)
