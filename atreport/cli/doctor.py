"""``atreport doctor``: what is missing on this machine."""

import os
import platform
import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, print_json
from atreport.errors import EXIT_FINDINGS, EXIT_FINE
from atreport.report.writer import report_schema
from atreport.spec.validation import schema_text
from atreport.version import __version__

# Look at this machine: which libraries are there, and what cannot be done without those that are not.
#
# Imports nothing that may be missing: it must answer most of all where something is.

NAME = "atreport"
OLDEST_PYTHON = (3, 11)
ROOM = 200 * 1024 * 1024
"""So much room in the temporary folder is enough for the reports of most specs."""

EXTRAS = {
    "dask": "counting and solving on a cluster (--engine dask)",
    "fairlearn": "comparing measures with Fairlearn",
    "onnx": "rules that are ONNX models",
    "signature": "signatures and time stamps (atreport sign, stamp)",
    "spreadsheets": "spreadsheets as a start (atreport init --from cases.xlsx) and as a result (--formats ods,xlsx)",
}
"""What each extra is for; one that is not listed here is named by itself."""

FOR_DEVELOPERS = "dev"


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """One thing that was looked at: whether it is as it should be, and what to do if it is not."""

    what: str
    fine: bool
    needed: bool  # whether reports cannot be made without it
    detail: str
    remedy: str | None = None


def examine() -> Iterator[Diagnosis]:
    """Everything that this program needs or can use, with what is missing on this machine."""
    yield Diagnosis(
        what="Python",
        fine=sys.version_info >= OLDEST_PYTHON,
        needed=True,
        detail=f"{platform.python_version()} on {platform.system()}",
        remedy=f"install Python {'.'.join(map(str, OLDEST_PYTHON))} or newer",
    )
    try:
        wanted = _wanted(requires(NAME) or [])
    except PackageNotFoundError:
        wanted = {}
        yield Diagnosis(
            what="installation",
            fine=False,
            needed=False,
            detail=f"{NAME} {__version__} runs from its source and is not installed, so its packages were not looked for",
            remedy="pip install . (in the folder of the source)",
        )
    for extra, packages in wanted.items():
        if extra != FOR_DEVELOPERS:
            yield _packages(extra, packages)
    yield _pdf()
    git = shutil.which("git")
    yield Diagnosis(
        what="comparing with an earlier revision (atreport diff SPEC@REVISION)",
        fine=git is not None,
        needed=False,
        detail=f"git is {'there' if git else 'missing'}",
        remedy="install git",
    )
    yield _sqlite()
    yield _temporary_folder()


def _wanted(requirements: list[str]) -> Mapping[str, Mapping[str, str]]:
    """Extra → package → the oldest version that will do; what is always needed stands under ""."""
    found: dict[str, dict[str, str]] = {"": {}}
    for text in requirements:
        requirement, _, marker = text.partition(";")
        named = re.match(r"\s*([A-Za-z0-9._-]+)", requirement)
        least = re.search(r">=\s*([0-9][^,\s)]*)", requirement)
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", marker)
        if named is not None and (extra is not None or not marker.strip()):
            found.setdefault(extra.group(1) if extra else "", {})[named.group(1)] = (
                least.group(1) if least else "0"
            )
    return found


def _packages(extra: str, packages: Mapping[str, str]) -> Diagnosis:
    """Whether all packages of an extra are there, and new enough."""
    problems = [problem for name, least in packages.items() if (problem := _problem(name, least))]
    purpose = EXTRAS.get(extra, f"the extra '{extra}'") if extra else "reports (HTML, JSON, CSV)"
    return Diagnosis(
        what=purpose,
        fine=not problems,
        needed=not extra,
        detail="; ".join(problems) or ", ".join(packages),
        remedy=f"pip install '{NAME}[{extra}]'" if extra else f"pip install --upgrade {NAME}",
    )


def _problem(name: str, least: str) -> str | None:
    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    return None if _numbers(found) >= _numbers(least) else f"{name} is {found}, older than {least}"


def _numbers(text: str) -> tuple[int, ...]:
    """A version as numbers, as far as it is one: 2.1.0rc1 counts as 2.1.0."""
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in found.group().split(".")) if found else ()


def _pdf() -> Diagnosis:
    """Whether PDFs can be made: WeasyPrint needs libraries of the system."""
    words: str | None
    try:
        words = import_module("atreport.pages.pdf").why_no_pdf()
    except ImportError as error:
        words = f"{error.name or 'a package'} is missing"
    detail, _, remedy = (words or "WeasyPrint and Pango are there").partition("\n")
    return Diagnosis(what="PDF", fine=words is None, needed=False, detail=detail, remedy=remedy or None)


def _sqlite() -> Diagnosis:
    """Whether DuckDB can read SQLite files, for which it needs an extension that does not come with it."""
    query = "SELECT bool_or(installed) FROM duckdb_extensions() WHERE extension_name LIKE 'sqlite%'"  # fetches nothing
    try:
        (installed,) = import_module("duckdb").connect(":memory:").execute(query).fetchone()
    except ImportError:
        installed = False
    return Diagnosis(
        what="records in SQLite databases",
        fine=bool(installed),
        needed=False,
        detail=f"DuckDB's extension 'sqlite' is {'there' if installed else 'missing'}",
        remedy="python -c \"import duckdb; duckdb.sql('INSTALL sqlite')\"",
    )


def _temporary_folder() -> Diagnosis:
    folder = Path(tempfile.gettempdir())
    free = shutil.disk_usage(folder).free
    usable = os.access(folder, os.W_OK)
    return Diagnosis(
        what="temporary folder",
        fine=usable and free >= ROOM,
        needed=True,
        detail=f"{folder} has {free // 1024 // 1024:,} MiB free"
        if usable
        else f"{folder} cannot be written to",
        remedy="make room there, or set TMPDIR to another folder",
    )


def doctor(as_json: AsJson = False) -> int:
    """Say what is missing on this machine, and what cannot be done without it."""
    findings = list(examine())
    broken = [each for each in findings if each.needed and not each.fine]
    if as_json:
        print_json({"version": __version__, "ok": not broken, "findings": list(map(asdict, findings))})
        return EXIT_FINDINGS if broken else EXIT_FINE
    print(f"atreport {__version__}", *map(_line, findings), "", sep="\n")
    if broken:
        print("Reports cannot be made on this machine as it is.")
    elif not all(each.fine for each in findings):
        print("Reports can be made; what is marked with - cannot be done here, and is not needed for them.")
    else:
        print("Nothing is missing.")
    return EXIT_FINDINGS if broken else EXIT_FINE


def _line(finding: Diagnosis) -> str:
    mark = "ok" if finding.fine else "NO" if finding.needed else "- "
    told = f"  {mark}  {finding.what}: {finding.detail}"
    if finding.fine or not finding.remedy:
        return told
    return f"{told}\n{textwrap.indent(textwrap.dedent(finding.remedy), ' ' * 8)}"


# ``atreport schema``: the JSON Schema of the spec or of report.json.


def schema(
    report: Annotated[bool, typer.Option("--report", help="The schema of report.json instead.")] = False,
) -> None:
    """Print the JSON Schema of the spec (draft-07), for editors and other tools."""
    if report:
        print_json(report_schema())
    else:
        print(schema_text(), end="")
