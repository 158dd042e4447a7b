"""Measure the trade-off curve of a million cells.

Run with ``make bench``; the results are written to bench/tradeoff.md.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from atreport.confidential.data.table import DecisionTable
from atreport.confidential.tradeoff.trade_off import calculate_trade_off
from atreport.population.cells import arrange
from atreport.spec.load import load_spec
from atreport.spec.models.process import Process

HERE = Path(__file__).parent
GROUPS, VALUES = 200_000, 5


def main() -> None:
    """Run the measurements and write them down."""
    rng = np.random.default_rng(0)
    spec = load_spec(HERE.parent / "specs" / "credit_card.yaml")
    process = Process.model_validate(
        {
            "name": "Benchmark",
            "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
            "attributes": [
                {"name": "place", "role": "public", "values": [f"p{g}" for g in range(GROUPS)]},
                {"name": "income", "role": "sensitive", "values": [f"v{v}" for v in range(VALUES)]},
            ],
        }
    )
    codes = np.column_stack([np.repeat(np.arange(GROUPS), VALUES), np.tile(np.arange(VALUES), GROUPS)])
    cells, _ = arrange(process, codes.astype(np.int32), rng.integers(1, 200, GROUPS * VALUES))
    lines = [
        "# The trade-off curve of a million cells",
        "",
        f"Written by `make bench`: {GROUPS:,} groups of {VALUES}, δ = 0 to 1. The curve of the report is exact at 41 "
        "distortions.",
        "",
        "| rule | time (s) | pieces |",
        "|---|---|---|",
    ]
    for name, favourable in (
        ("soft (spread evenly)", rng.random(len(cells)).round(3)),
        ("hard (yes or no)", rng.choice([0.0, 1.0], len(cells))),
    ):
        table = DecisionTable(cells=cells, probability=np.column_stack([1 - favourable, favourable]))
        start = time.perf_counter()
        found = calculate_trade_off(spec, table)
        took = time.perf_counter() - start
        assert found is not None
        lines.append(f"| {name} | {took:.1f} | {len(found.report.pieces)} |")
    lines.append("")
    print("\n".join(lines))
    (HERE / "tradeoff.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
