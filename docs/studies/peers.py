"""Do the same job with several tools, and write what was measured into peers.md.

Run with ``make studies``, or alone: ``python -m docs.studies.peers``. Python tools run in this environment. sdcMicro is run where
``Rscript`` finds it, ARX where the variable ARX_CLASSPATH names its jars; a tool that is absent keeps its row.
"""

import os
import platform
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from pypdf import PdfReader

from atreport import make_report
from docs.studies import page
from docs.studies.peer_jobs.data import PRIORS, make_data

PAGE = "peers.md"
JOBS = Path(__file__).parent / "peer_jobs"
ROOT = Path(__file__).parents[2]
RUNS = 3


@dataclass(frozen=True)
class Tool:
    """One tool, and the script that does the job with it."""

    name: str
    script: str
    needs: str  # the Python package, or the program
    runs: tuple[str, ...] = ()  # the program that runs the script; empty: this Python

    def is_here(self) -> bool:
        """Whether it can be run on this machine."""
        if self.needs == "sdcMicro":
            return shutil.which("Rscript") is not None and bool(_r_version())
        if self.needs == "arx":
            return shutil.which("java") is not None and "ARX_CLASSPATH" in os.environ
        return find_spec(self.needs) is not None

    def version(self) -> str:
        """The version that is run."""
        if self.needs == "sdcMicro":
            return _r_version()
        return os.environ.get("ARX_VERSION", "not stated") if self.needs == "arx" else version(self.needs)

    def command(self, data: Path, folder: Path) -> list[str]:
        """What is typed."""
        script = str(JOBS / self.script)
        if self.needs == "arx":
            return ["java", "-cp", os.environ["ARX_CLASSPATH"], script, str(data), str(folder)]
        return [*(self.runs or (sys.executable,)), script, str(data), str(folder)]


def _r_version() -> str:
    asked = "cat(as.character(packageVersion('sdcMicro')))"
    done = subprocess.run(["Rscript", "-e", asked], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


TOOLS = (
    Tool("this program", "atreport_job.py", "atreport"),
    Tool("Aequitas", "aequitas_job.py", "aequitas"),
    Tool("Fairlearn", "fairlearn_job.py", "fairlearn"),
    Tool("a notebook (nbconvert)", "notebook_job.py", "nbconvert"),
    Tool("sdcMicro", "sdcmicro_job.R", "sdcMicro", ("Rscript",)),
    Tool("ARX", "ArxJob.java", "arx"),
)


def lines_written(script: str) -> int:
    """Lines that somebody must write: neither empty nor a comment or docstring of one line."""
    lines = (JOBS / script).read_text(encoding="utf-8").splitlines()
    return sum(bool(line.strip()) and not line.lstrip().startswith(("#", "//", '"""')) for line in lines)


@dataclass(frozen=True)
class Result:
    """What one tool did."""

    seconds: float  # of the processor, least of several runs
    files: tuple[str, ...]
    sure: str  # how sure a reader of what is published becomes
    pdf: str


def run(tool: Tool, data: Path, folder: Path) -> Result:
    """Run a job several times; the last leaves its files."""
    seconds = []
    for _ in range(RUNS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            tool.command(data, folder), cwd=ROOT, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{tool.name} failed:\n{done.stderr[-2000:]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    files = tuple(
        sorted(path.name for path in folder.rglob("*") if path.is_file() and "confidential" not in path.parts)
    )
    return Result(min(seconds), files, _sure(tool, folder), _pdf(folder))


def largest_confidence(table: pd.DataFrame) -> float:
    """The largest share of a value of `priors` among people of one race, sex and decision: what a published table tells."""
    known = [name for name in ("race", "sex", "decision") if table[name].nunique() > 1]
    shares = table.groupby([*known, "priors"]).size() / table.groupby(known).size()
    return float(shares.max())


def _sure(tool: Tool, folder: Path) -> str:
    table = folder / "anonymous.csv"
    if table.is_file():
        return f"{100 * largest_confidence(pd.read_csv(table)):.1f} %, not stated"
    if tool.needs == "atreport":
        report = pd.read_json(folder / "public" / "report.json", typ="series")
        return f"{100 * float(report['privacy']['beta']):.2f} %, stated and certified"
    return "not stated"


def _pdf(folder: Path) -> str:
    found = sorted(folder.rglob("public/*.pdf")) or sorted(folder.glob("*.pdf"))
    if not found:
        return "none"
    root = PdfReader(found[0]).trailer["/Root"].get_object()
    claims = b"pdfuaid" in root["/Metadata"].get_object().get_data() if "/Metadata" in root else False
    tagged = "/StructTreeRoot" in root and "/Lang" in root
    return f"{'tagged' if tagged else 'not tagged'}, {'PDF/UA' if claims else 'no PDF/UA'}"


def stated_if_calibrated(people: pd.DataFrame) -> float:
    """What this program states where readers who know it are feared, and the job is the same otherwise."""
    made = make_report(
        people,
        outcome="decision",
        favourable="released",
        public=["race", "sex"],
        sensitive="priors",
        values={"priors": PRIORS},
        delta=0.9,
        mechanism="calibrated",
        date="2026-01-15",
    )
    return float(made.report.privacy.beta)


def measured_rows(results: dict[str, Result], before: Sequence[Sequence[str]]) -> list[list[str]]:
    """One row a tool; of one that was not run, the row of last time."""
    old = {row[0]: list(row) for row in before}
    unit = results["this program"].seconds
    rows = []
    for tool in TOOLS:
        if tool.name not in results:
            rows.append(
                old.get(tool.name, [tool.name, "not run", str(lines_written(tool.script)), *["not run"] * 4])
            )
            continue
        found = results[tool.name]
        share = f"{found.seconds / unit:.2f}"
        rows.append(
            [
                tool.name,
                tool.version(),
                str(lines_written(tool.script)),
                share,
                str(len(found.files)),
                found.sure,
                found.pdf,
            ]
        )
    return rows


def rows_of(text: str) -> list[list[str]]:
    """The cells of a Markdown table, without its heading."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def main() -> None:
    """Run what is here and write the table."""
    results = {}
    with TemporaryDirectory() as name:
        data = Path(name) / "data.csv"
        people = make_data()
        people.to_csv(data, index=False)
        for tool in TOOLS:
            if tool.is_here():
                results[tool.name] = run(tool, data, Path(name) / tool.script.split(".")[0])
            else:
                print(f"{tool.name} is not here: its row stays as it is.", file=sys.stderr)
    heading = [
        "tool",
        "version",
        "lines written",
        "processor time",
        "files to publish",
        "surest inference of priors",
        "PDF",
    ]
    rows = measured_rows(results, rows_of(page.written(PAGE, "measured")))
    truth = f"{100 * largest_confidence(people):.1f} %"
    machine = (
        f"Python {platform.python_version()}; processor time in units of this program's (its least of {RUNS} runs), starting included. Publishing "
        f"the data as they are would let a reader be {truth} sure of somebody's prior offences. With `mechanism: calibrated`, for readers who know "
        f"the program, it states {100 * stated_if_calibrated(people):.2f} %."
    )
    page.write(PAGE, {"measured": page.table(heading, rows), "machine": machine})


if __name__ == "__main__":
    main()
