"""Measure a whole build: against a bare script that sets the same HTML, and from few groups to many.

Run with ``make bench``; the results are written to bench/document.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
SPEC = HERE.parent / "specs" / "credit_card.yaml"

BARE = """
import sys
import matplotlib.figure
import weasyprint
weasyprint.HTML(string=open(sys.argv[1], encoding="utf-8").read()).write_pdf(sys.argv[2], pdf_variant="pdf/a-3a")
"""

LARGE = """\
atreport: 1
report: {{title: Many groups, publisher: Benchmark, version: 1, date: 2026-01-15}}
process:
  name: Benchmark
  outcome: {{name: decision, values: [no, yes], favourable: yes}}
  attributes:
    - {{name: place, role: public, values: [{places}]}}
    - {{name: income, role: sensitive, values: [low, middle, high]}}
source: {{cells: cells.csv}}
policy: {{fidelity: {{delta: 0.9}}}}
fairness:
  - {{measure: statistical_parity, groups: income, threshold: 0.1}}
"""


def fastest(command: list[str], repeat: int = 3) -> float:
    """The least time of several runs of a command."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def build(spec: Path, output: Path, *more: str) -> list[str]:
    """The command that builds a spec."""
    return [sys.executable, "-m", "atreport", "build", str(spec), "-o", str(output), *more]


def large_spec(folder: Path, groups: int) -> Path:
    """A spec with so many groups of three."""
    rng = np.random.default_rng(0)
    folder.mkdir()
    rows = [
        f"p{g},{income},{rng.integers(1, 200)},{rng.random():.3f}"
        for g in range(groups)
        for income in ("low", "middle", "high")
    ]
    (folder / "cells.csv").write_text("place,income,population,yes\n" + "\n".join(rows) + "\n")
    spec = folder / f"groups_{groups}.yaml"
    spec.write_text(LARGE.format(places=", ".join(f"p{g}" for g in range(groups))))
    return spec


def main() -> None:
    """Run the measurements and write them down."""
    lines = [
        "# A whole build",
        "",
        "Written by `make bench`. Times depend on the machine; the ratios are what counts.",
        "",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "out" / SPEC.stem / "public" / "report.html"
        bare_script = [sys.executable, "-c", BARE, str(page), str(folder / "bare.pdf")]
        # in turn, so that a busy moment of the machine does not fall on one of the two alone
        times = [(fastest(build(SPEC, folder / "out"), 1), fastest(bare_script, 1)) for _ in range(5)]
        whole, bare = (min(column) for column in zip(*times, strict=True))
        lines += ["| | time (s) | ratio |", "|---|---|---|"]
        lines += [f"| a bare script: import WeasyPrint and matplotlib, set the same HTML | {bare:.2f} | 1 |"]
        lines += [
            f"| `atreport build specs/credit_card.yaml`, annex included | {whole:.2f} | {whole / bare:.2f}× |",
            "",
        ]
        lines += ["| groups | whole build (s) | ratio |", "|---|---|---|"]
        first = None
        for groups in (100, 1_000, 10_000):
            took = fastest(build(large_spec(folder / str(groups), groups), folder / "out"), repeat=2)
            first = first or took
            lines.append(f"| {groups:,} | {took:.2f} | {took / first:.2f}× |")
    lines.append("")
    print("\n".join(lines))
    (HERE / "document.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
