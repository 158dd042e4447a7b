"""Measure records to report against bare engines on the same file: time, records a second, peak memory.

Run with ``make bench``, or ``python -m bench.records [RECORDS [LARGE]]``; the results are written to bench/records.md. Files are
made in a temporary folder (4.5 bytes a record and column as CSV, far less as Parquet) and removed. All contenders take turns,
so that a busy moment of the machine does not fall on one of them alone; the ratios are what counts.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
RECORDS, LARGE = 10_000_000, 100_000_000
# Without this setting, modules are compiled once, as where the program is installed, and not at every start.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
COLUMNS = ("region", "gender", "age", "income", "debt", "decision")

SPEC = """\
atreport: 1
report: {{title: Many records, publisher: Benchmark, version: 1, date: 2026-01-15}}
process:
  name: Benchmark
  outcome: {{name: decision, values: [refused, granted], favourable: granted}}
  attributes:
    - {{name: region, role: public, values: [{regions}]}}
    - {{name: gender, role: public, values: [women, men, other]}}
    - {{name: age, role: public, values: [age_0, age_1, age_2, age_3, age_4, age_5]}}
    - {{name: income, role: sensitive, values: [low, middle, high, top]}}
    - {{name: debt, role: private, values: [none, some, much]}}
source: {{records: {file}}}
policy: {{fidelity: {{delta: 0.9}}}}
fairness:
  - {{measure: statistical_parity, groups: gender, threshold: 0.1}}
"""

MADE = """
SELECT 'region_' || (hash(i * 7 + 1) % 12)::VARCHAR AS region, ['women', 'men', 'other'][(hash(i * 11 + 2) % 3)::INT + 1] AS gender,
  'age_' || (hash(i * 13 + 3) % 6)::VARCHAR AS age, ['low', 'middle', 'high', 'top'][(hash(i * 17 + 4) % 4)::INT + 1] AS income,
  ['none', 'some', 'much'][(hash(i * 19 + 5) % 3)::INT + 1] AS debt,
  IF(hash(i * 23 + 6) % 100 < 20 + 20 * (hash(i * 17 + 4) % 4), 'granted', 'refused') AS decision
FROM range({records}) t(i)
"""

DUCKDB = "import duckdb; duckdb.connect().execute(\"SELECT {columns}, count(*) FROM '{file}' GROUP BY ALL\").fetchall()"
PANDAS = "import pandas as pd; len(pd.read_{kind}('{file}').groupby({names}, observed=True).size())"
POLARS = (
    "import polars as pl; len(pl.scan_{kind}('{file}').group_by({names}).len().collect(engine='streaming'))"
)


@dataclass(frozen=True)
class Run:
    """The best of some runs of a command."""

    seconds: float
    mebibytes: float


def measured(command: list[str], folder: Path) -> Run:
    """Run a command once; its time, and its peak memory as the system knows it."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Run(took, usage.ru_maxrss / 1024)


def in_turns(commands: dict[str, list[str]], folder: Path, repeat: int) -> dict[str, Run]:
    """The least time and memory of each command, all of them in turn."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            runs[name].append(measured(command, folder))
    return {
        name: Run(min(run.seconds for run in found), max(run.mebibytes for run in found))
        for name, found in runs.items()
    }


def build(spec: str, *more: str) -> list[str]:
    """The command that builds a spec."""
    return [sys.executable, "-m", "atreport", "build", spec, "-o", "out", *more]


def write_spec(folder: Path, file: str) -> str:
    """A spec for a file of records; its name."""
    name = file.replace(".", "_") + ".yaml"
    regions = ", ".join(f"region_{i}" for i in range(12))
    (folder / name).write_text(SPEC.format(regions=regions, file=file), encoding="utf-8")
    return name


def table(runs: dict[str, Run], records: int) -> list[str]:
    """The runs as rows, with the first one as the measure of the others."""
    first = next(iter(runs.values())).seconds
    lines = ["| | time (s) | ratio | records a second | peak memory (MiB) |", "|---|---|---|---|---|"]
    for name, run in runs.items():
        speed = f"{records / run.seconds:,.0f}"
        lines.append(
            f"| {name} | {run.seconds:.2f} | {run.seconds / first:.2f}× | {speed} | {run.mebibytes:,.0f} |"
        )
    return [*lines, ""]


def contenders(folder: Path, file: str, *, whole: bool) -> dict[str, list[str]]:
    """Every way to count the file, and atreport from the file to the report."""
    kind = file.rsplit(".", 1)[1]
    spec, names = write_spec(folder, file), list(COLUMNS)
    found = {"DuckDB, bare GROUP BY": DUCKDB.format(columns=", ".join(COLUMNS), file=file)}
    if whole:
        found["polars, streaming"] = POLARS.format(kind=kind, file=file, names=names)
        found["pandas"] = PANDAS.format(kind=kind, file=file, names=names)
    commands = {name: [sys.executable, "-c", code] for name, code in found.items()}
    commands["**atreport, to report.json**"] = build(spec, "--formats", "json")
    if whole:
        commands["**atreport, whole report with PDF**"] = build(spec)
    return commands


def main() -> None:
    """Run the measurements and write them down."""
    records, large = (int(float(a)) for a in (*sys.argv[1:3], *(RECORDS, LARGE)[len(sys.argv) - 1 :]))
    lines = [
        "# Records",
        "",
        "Written by `make bench`. Times depend on the machine; the ratios are what counts.",
        "",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in ("csv", "parquet"):
            path = folder / f"records.{kind}"
            duckdb.sql(f"COPY ({MADE.format(records=records)}) TO '{path}' (FORMAT {kind})")
            size = path.stat().st_size / 1024**2
            lines += [
                f"## {records:,} records of {len(COLUMNS)} columns as {kind.upper()} ({size:,.0f} MiB)",
                "",
            ]
            lines += table(in_turns(contenders(folder, path.name, whole=True), folder, 3), records)
            path.unlink()
        if shutil.disk_usage(folder).free > 60 * large:
            path = folder / "large.parquet"
            duckdb.sql(f"COPY ({MADE.format(records=large)}) TO '{path}' (FORMAT parquet)")
            size = path.stat().st_size / 1024**2
            lines += [f"## {large:,} records of {len(COLUMNS)} columns as PARQUET ({size:,.0f} MiB)", ""]
            lines += table(in_turns(contenders(folder, path.name, whole=False), folder, 2), large)
    print("\n".join(lines))
    (HERE / "records.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
