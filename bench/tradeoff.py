"""Measure the trade-off curve of a million cells, and the whole trade-off of 688 cells with two sensitive attributes.

Run with ``make bench``; the results are written to bench/tradeoff.md.
"""

import os
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from atreport.api.check import tradeoff
from atreport.core.cells import arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.prepare import prepare
from atreport.private.tradeoff import calculate_trade_off
from atreport.processes import ALONE
from atreport.spec.load import load_spec
from atreport.spec.process import Process

HERE = Path(__file__).parent
GROUPS, VALUES = 200_000, 5


SPEC = """\
atreport: 1
report: {title: Benchmark, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
process:
  name: Benchmark
  outcome: {name: decision, values: ["no", "yes"], favourable: "yes"}
  attributes:
    - {name: sex, role: public, values: [f, m]}
    - {name: place, role: public, values: [PLACES]}
    - {name: income, role: sensitive, values: [v0, v1, v2, v3]}
    - {name: illness, role: sensitive, values: [w0, w1]}
source: {cells: cells.csv}
policy: {fidelity: {delta: 0.9}}
fairness:
  - {measure: statistical_parity, groups: sex, threshold: 0.1}
  - {measure: p_percent_rule, groups: sex, p: 0.8}
  - {measure: statistical_parity, groups: place, threshold: 0.1}
"""


def _whole_trade_off(rng: np.random.Generator) -> list[str]:
    """``atreport tradeoff`` where groups need linear programs, in drafts of the same report: that many are the least work."""
    places = [f"p{place}" for place in range(43)]
    with TemporaryDirectory() as folder:
        spec = Path(folder) / "spec.yaml"
        spec.write_text(SPEC.replace("PLACES", ", ".join(places)), encoding="utf-8")
        rows = ["sex,place,income,illness,population,yes"]
        for cell in product(("f", "m"), places, ("v0", "v1", "v2", "v3"), ("w0", "w1")):
            people = int(rng.choice([3, 5, 8, 12, 20, 45, 80, 150]))
            rows.append(f"{','.join(cell)},{people},{rng.integers(0, people + 1) / people:.6f}")
        (Path(folder) / "cells.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        prepare(spec)
        os.environ[ALONE] = "1"
        draft = _timed(lambda: prepare(spec))
        alone = _timed(lambda: tradeoff(spec))
    return [
        "# The whole trade-off of 688 cells with two sensitive attributes",
        "",
        "22 policies are tried, and each is a draft. In one process, so that a ratio to one draft says the same on any machine:",
        "",
        "| | processor time (s) | in drafts |",
        "|---|---|---|",
        f"| one draft | {draft:.2f} | 1 |",
        f"| `atreport tradeoff` | {alone:.1f} | {alone / draft:.0f} |",
        "",
        "Further processes then share the work, one a core. Before outlooks were made once and without needless solving, it "
        "took 29 drafts, each of them 1.2 times as long, in one process.",
        "",
    ]


def _timed(work: Callable[[], object]) -> float:
    """How long the processor works on something."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


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
    lines += ["", *_whole_trade_off(rng)]
    print("\n".join(lines))
    (HERE / "tradeoff.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
