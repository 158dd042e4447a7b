"""Measure a whole build, and each further one of a process, against WeasyPrint alone; and builds of few groups to many.

Run with ``make bench``; the results are written to bench/document.md.
"""

import os
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

FURTHER = """
import gc, os, sys, time
os.environ["ATREPORT_ONE_PROCESS"] = "1"  # as in a worker of `build specs/`; so all is set here, and its time is counted
import weasyprint
from pathlib import Path
from atreport import build
from atreport.cli import GARBAGE_THRESHOLDS

def took(step, *thresholds):
    gc.collect()
    gc.set_threshold(*thresholds)
    start = time.process_time()
    step()
    return time.process_time() - start

spec, output = sys.argv[1:]
usual = gc.get_threshold()
build(spec, output)
pages = [next(Path(output).rglob(name)).read_text("utf-8") for name in ("report.html", "annex.html")]

def bare(page):
    weasyprint.HTML(string=page).write_pdf(pdf_variant="pdf/a-3a")

def turn():
    # each as it runs in life: the program rarely looks for garbage, a script as often as Python does
    yield took(lambda: build(spec, output), *GARBAGE_THRESHOLDS)
    for page in pages:
        yield took(lambda: bare(page), *usual)

turns = [list(turn()) for _ in range(3)]
print(*(min(column) for column in zip(*turns)))
"""
"""What a further build of a process takes, and the same pages set by WeasyPrint alone in that process: CPU seconds."""

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


def taken(command: list[str]) -> tuple[float, float]:
    """How long a command takes, and the processor time of all its processes."""
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, used


def fastest(command: list[str], repeat: int = 3) -> float:
    """The least time of several runs of a command."""
    return min(taken(command)[0] for _ in range(repeat))


def further_builds(spec: Path, output: Path) -> list[str]:
    """Rows of the table: a further build of a process, beside WeasyPrint alone."""
    command = [sys.executable, "-c", FURTHER, str(spec), str(output)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    whole, report, annex = map(float, printed.split())
    return [
        "| a further report of the same process | CPU (s) | ratio |",
        "|---|---|---|",
        f"| WeasyPrint alone: the pages of report and annex | {report + annex:.2f} | 1 |",
        f"| `atreport build` of `{spec.stem}`, annex included | {whole:.2f} | {whole / (report + annex):.2f}× |",
        f"| the same against the page of the report alone ({report:.2f} s) | {whole:.2f} | {whole / report:.2f}× |",
        "",
    ]


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
        turns = [(taken(build(SPEC, folder / "out")), taken(bare_script)) for _ in range(5)]
        (whole, whole_cpu), (bare, bare_cpu) = (
            [min(column) for column in zip(*runs, strict=True)] for runs in zip(*turns, strict=True)
        )
        lines += [
            "| a single build | time (s) | ratio | CPU (s) | ratio |",
            "|---|---|---|---|---|",
            f"| a bare script: import WeasyPrint and matplotlib, set the page of the report | {bare:.2f} | 1 | {bare_cpu:.2f} | 1 |",
            f"| `atreport build specs/credit_card.yaml`, annex included | {whole:.2f} | {whole / bare:.2f}× "
            f"| {whole_cpu:.2f} | {whole_cpu / bare_cpu:.2f}× |",
            "",
            *further_builds(SPEC, folder / "further"),
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
