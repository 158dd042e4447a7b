"""Measure forty specs built by one command: against single builds, and how much memory all its processes take at most.

Run with ``make bench``; the results are written to bench/batch.md.
"""

import subprocess
import tempfile
import time
from pathlib import Path

from atreport.untrusted import taken_by
from bench.document import SPEC, build, taken

HERE = Path(__file__).parent
SPECS = 40
SINGLY = 4
"""So many of them are also built one command each; the rest would take as long."""


def written(folder: Path) -> list[Path]:
    """Forty specs that differ in their titles."""
    folder.mkdir()
    text = SPEC.read_text(encoding="utf-8")
    specs = []
    for number in range(1, SPECS + 1):
        specs.append(folder / f"credit_{number}.yaml")
        specs[-1].write_text(text.replace("title: ", f"title: {number}. ", 1), encoding="utf-8")
    return specs


def watched(command: list[str]) -> tuple[float, int]:
    """How long a command takes, and the most memory that its processes take together, looked at ten times a second."""
    start, most = time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, taken_by(process.pid).bytes)
            time.sleep(0.1)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - start, most


def main() -> None:
    """Run the measurements and write them down."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        specs = written(folder / "specs")
        singly = sum(taken(build(spec, folder / "singly"))[0] for spec in specs[:SINGLY]) * SPECS / SINGLY
        together, memory = watched(build(folder / "specs", folder / "together"))
    lines = [
        "# Many reports by one command",
        "",
        "Written by `make bench`. Times depend on the machine; the ratios are what counts.",
        "",
        "| forty reports with PDF and annex | time (s) | ratio | most memory of all processes (MB) |",
        "|---|---|---|---|",
        f"| one command each ({SINGLY} measured) | {singly:.0f} | 1 | |",
        f"| `atreport build specs/` | {together:.0f} | {together / singly:.2f}× | {memory / 1e6:,.0f} |",
        "",
    ]
    print("\n".join(lines))
    (HERE / "batch.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
