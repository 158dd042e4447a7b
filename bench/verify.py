"""Measure `atreport verify` on a report of ten thousand cells, beside building it and beside the standalone verifier.

Run with ``make bench``; the results are written to bench/verify.md.
"""

import sys
import tempfile
from pathlib import Path

from bench.document import build, fastest, large_spec

HERE = Path(__file__).parent
GROUPS = 3_334
EVERY_GROUP = """\
  - measure: conditional_statistical_parity
    groups: {poor: {income: [low, middle]}, rich: {income: high}}
    given: [place]
"""


def main() -> None:
    """Run the measurements and write them down."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = large_spec(folder / "large", GROUPS)
        spec.write_text(spec.read_text(encoding="utf-8") + EVERY_GROUP, encoding="utf-8")
        built = fastest(build(spec, folder / "out", "--with-verifier"), repeat=1)
        public = folder / "out" / spec.stem / "public"
        verify = [sys.executable, "-m", "atreport", "verify"]
        commands = {
            "`python3 verify.py`, the standalone file": [
                sys.executable,
                str(public / "verify.py"),
                str(public),
            ],
            "`atreport verify report.json`": [*verify, str(public / "report.json")],
            "`atreport verify` of the folder: JSON, CSV, page and PDF": [*verify, str(public)],
        }
        times = {what: fastest(command) for what, command in commands.items()}
    lines = [
        "# Checking a report",
        "",
        "Written by `make bench`. Times depend on the machine; the ratios are what counts.",
        "",
        f"{3 * GROUPS:,} cells in {GROUPS:,} groups, a fairness comparison in every group; best of 3, the build once.",
        "",
        "| | time (s) | ratio to the build |",
        "|---|---|---|",
        f"| `atreport build`, annex included | {built:.2f} | 1 |",
        *(f"| {what} | {took:.2f} | {took / built:.2f}× |" for what, took in times.items()),
        "",
    ]
    print("\n".join(lines))
    (HERE / "verify.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
