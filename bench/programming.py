"""Measure the linear programs: groups of three sensitive attributes, and of several outcomes.

Run with ``make bench``; the results are written to bench/programming.md.
"""

import resource
import time
from decimal import Decimal
from pathlib import Path

import numpy as np

from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import solve_table
from atreport.spec.process import Process

HERE = Path(__file__).parent
GROUPS, VALUES = 250, 3


def main() -> None:
    """Run the measurements and write them down."""
    lines = [
        "# Several sensitive attributes and outcomes",
        "",
        f"Written by `make bench`: {GROUPS} groups of up to 27 cells (or 9, or 3), δ = 0.9, rules half hard and half soft, for the "
        "least confidence and then the least lift of every attribute (max-min); times are for 1,000 such groups. Processor time is "
        "of all processes together. The bracket is the widest between a figure and its proven lower limit.",
        "",
        "| sensitive attributes | outcomes | elapsed (s) | processor time (s) | widest bracket |",
        "|---|---|---|---|---|",
    ]
    for sensitive, outcomes in ((3, 2), (2, 2), (1, 3), (2, 3)):
        table = _table(np.random.default_rng(0), sensitive, outcomes)
        bounds = fidelity_bounds(table, Closeness(delta=Decimal("0.9")), 4)
        start, used = time.perf_counter(), _processor_time()
        found = solve_table(table, bounds, Objective())
        elapsed, used = time.perf_counter() - start, _processor_time() - used
        widest = max(
            float((found.optimum - found.proven).max()), float((found.lift - found.lift_proven).max())
        )
        more = 1000 / GROUPS
        lines.append(
            f"| {sensitive} | {outcomes} | {elapsed * more:.1f} | {used * more:.1f} | {widest:.0e} |"
        )
    lines.append("")
    print("\n".join(lines))
    (HERE / "programming.md").write_text("\n".join(lines), encoding="utf-8")


def _processor_time() -> float:
    """Of this process and of those that it started and that have ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


def _table(rng: np.random.Generator, sensitive: int, outcomes: int) -> DecisionTable:
    """Groups in which three of four possible cells occur."""
    names = [f"o{a}" for a in range(outcomes)]
    process = Process.model_validate(
        {
            "name": "Benchmark",
            "outcome": {"name": "decision", "values": names, "favourable": names[-1]},
            "attributes": [
                {"name": "place", "role": "public", "values": [f"p{g}" for g in range(GROUPS)]},
                *(
                    {"name": f"s{k}", "role": "sensitive", "values": [f"v{v}" for v in range(VALUES)]}
                    for k in range(sensitive)
                ),
            ],
        }
    )
    codes = np.array(list(np.ndindex(GROUPS, *[VALUES] * sensitive)), dtype=np.int32)
    codes = codes[rng.random(len(codes)) < 0.75]
    cells, _ = arrange(process, codes, rng.integers(1, 200, len(codes)))
    soft = rng.dirichlet(np.ones(outcomes), len(cells)).round(3)
    hard = np.eye(outcomes)[rng.integers(0, outcomes, len(cells))]
    probability = np.where(rng.random((len(cells), 1)) < 0.5, hard, soft)
    probability[:, 0] = np.round(1 - probability[:, 1:].sum(axis=1), 12)
    return DecisionTable(cells=cells, probability=np.clip(probability, 0, 1))


if __name__ == "__main__":
    main()
