"""The command line: ``atreport init | check | build | schema``.

stdout is data, stderr is talk. Every error a user can meet becomes a message and an exit code here, never a traceback.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from atreport.errors import (
    EXIT_COULD_NOT_RUN,
    EXIT_FINE,
    EXIT_REFUSED,
    AtreportError,
    InvalidInput,
    UsageError,
)

if TYPE_CHECKING:
    from atreport.build import Progress
    from atreport.check import CheckResult

app = typer.Typer(
    name="atreport",
    help="Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report.",
    epilog="Exit codes: 0 fine · 1 findings · 2 could not run · 3 refused: publishing would break the policy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SpecPaths = Annotated[
    list[Path], typer.Argument(metavar="SPEC…", help="One or more YAML specs.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
MOST_ROWS = 20


def main() -> NoReturn:
    """Run the command line. No exception but SystemExit leaves this function."""
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        raise SystemExit(code if isinstance(code, int) else EXIT_FINE)
    except AtreportError as error:
        _say(str(error))
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        _say("interrupted: nothing was written")
        raise SystemExit(130) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(EXIT_FINE) from None
    except Exception as error:
        _handle_unexpected(error)


def _handle_unexpected(error: Exception) -> NoReturn:
    """Usage errors of the command-line library as they are; anything else as one line without confidential detail."""
    if hasattr(error, "exit_code") and hasattr(error, "show"):
        error.show()
        raise SystemExit(EXIT_COULD_NOT_RUN) from None
    if type(error).__name__ == "Abort":
        raise SystemExit(130) from None
    if os.environ.get("ATREPORT_DEBUG"):
        raise error
    where = error.__traceback__
    while where and where.tb_next:
        where = where.tb_next
    place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "unknown place"
    _say(
        f"internal error ({type(error).__name__} at {place}). This is a bug in atreport, not in your spec.\n"
        "  Nothing was written. Set ATREPORT_DEBUG=1 to see the details, which may be confidential."
    )
    raise SystemExit(EXIT_COULD_NOT_RUN) from None


def _say(message: str) -> None:
    print(message, file=sys.stderr)


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def _version(wanted: bool) -> None:
    if wanted:
        from atreport import __version__

        print(f"atreport {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report."""


@app.command()
def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to start in; made if it does not exist.")
    ],
) -> None:
    """Write a commented spec and data to start from."""
    from atreport.starter import write_starter

    for path in write_starter(folder):
        print(path)
    _say(f"Now edit {folder / 'report.yaml'}, then run: atreport build {folder / 'report.yaml'}")


@app.command()
def schema(
    report: Annotated[bool, typer.Option("--report", help="The schema of report.json instead.")] = False,
) -> None:
    """Print the JSON Schema of the spec (draft-07), for editors and other tools."""
    if report:
        from atreport.public.document import report_schema

        _print_json(report_schema())
    else:
        from atreport.spec.schema import schema_text

        print(schema_text(), end="")


@app.command()
def check(specs: SpecPaths, as_json: AsJson = False) -> int:
    """Validate specs, and show β, whether the policy holds, and small cells. Writes nothing."""
    from atreport.check import check as check_spec

    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in specs:
        try:
            result = check_spec(path)
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(_error_entry(path, error))
            if not as_json:
                _say(str(error))
            continue
        if not result.within_ceiling:
            code = max(code, EXIT_REFUSED)
        results.append(_check_entry(path, result))
        if not as_json:
            _show_check(path, result)
    if as_json:
        _print_json({"ok": code == EXIT_FINE, "results": results})
    return code


def _error_entry(path: Path, error: AtreportError) -> dict[str, Any]:
    problems: list[dict[str, Any]] = [
        {"file": str(path), "line": None, "column": None, "message": str(error), "hint": None}
    ]
    if isinstance(error, InvalidInput):
        problems = [
            {
                "file": problem.location.file,
                "line": problem.location.line,
                "column": problem.location.column,
                "message": problem.message,
                "hint": problem.hint,
            }
            for problem in error.problems
        ]
    return {"spec": str(path), "ok": False, "exit_code": error.exit_code, "problems": problems}


def _check_entry(path: Path, result: CheckResult) -> dict[str, Any]:
    privacy = result.spec.policy.privacy
    return {
        "spec": str(path),
        "ok": result.within_ceiling,
        "problems": [],
        "fidelity": _fidelity_words(result),
        "beta": float(result.release.beta),
        "gamma": float(result.release.gamma),
        "ceiling": {k: float(v) for k, v in privacy.model_dump(exclude_none=True).items()}
        if privacy
        else None,
        "within_ceiling": result.within_ceiling,
        "groups": result.group_rows(),
        "small_cells": result.small_cell_rows(),
    }


def _fidelity_words(result: CheckResult) -> str:
    from atreport.public.notes import distance_allowed

    return distance_allowed(result.release)


def _show_check(path: Path, result: CheckResult) -> None:
    from rich.console import Console
    from rich.table import Table

    from atreport.check import SMALL_CELL

    release = result.release
    print(f"{path}: the spec is valid")
    print(f"  fidelity   of each announced probability: {_fidelity_words(result)}")
    print(
        f"  privacy    β = {release.beta} (γ = {release.gamma}): nobody is more confident of a sensitive value"
    )
    privacy = result.spec.policy.privacy
    if privacy:
        asked = f"beta {privacy.beta}" if privacy.beta is not None else f"gamma {privacy.gamma}"
        print(
            f"  ceiling    {asked}: {'kept' if result.within_ceiling else 'NOT kept; a build would be refused'}"
        )
    rows = result.group_rows()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("group", "people", "cells", "before", "β"):
        table.add_column(heading, justify="left" if heading == "group" else "right")
    for row in rows[:MOST_ROWS]:
        name = ", ".join(f"{k}={v}" for k, v in row["qid"].items()) or "everybody"
        table.add_row(
            name,
            f"{row['people']:,}",
            str(row["cells"]),
            f"{row['prior']:.{release.decimals}f}",
            f"{row['beta']:.{release.decimals}f}",
        )
    from rich.padding import Padding

    Console(highlight=False, markup=False).print(Padding(table, (0, 0, 0, 2)))
    if len(rows) > MOST_ROWS:
        print(f"  … and {len(rows) - MOST_ROWS:,} more groups; --json lists all")
    small = result.small_cell_rows()
    if small:
        print(f"  small cells: {len(small):,} with fewer than {SMALL_CELL} people")
        for row in small[:MOST_ROWS]:
            people = row.pop("population")
            print(f"    {people:>3}  {', '.join(f'{k}={v}' for k, v in row.items())}")
        if len(small) > MOST_ROWS:
            print(f"    … and {len(small) - MOST_ROWS:,} more; --json lists all")


@app.command()
def build(
    specs: SpecPaths,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that gets one folder a spec.")
    ] = Path("output"),
    formats: Annotated[
        str | None,
        typer.Option(help="Comma-separated: html, pdf, json. Default: all that this machine can make."),
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Name each stage on stderr.")] = False,
    as_json: AsJson = False,
) -> int:
    """Build the report of each spec into its own folder."""
    from atreport.build import build as build_spec

    wanted = _formats(formats)
    _refuse_same_folder(specs)
    gc.disable()  # the process ends with the build; looking for garbage costs a tenth of the time and finds next to none
    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in specs:
        try:
            with _progress(path, verbose) as progress:
                result = build_spec(path, output, wanted, progress)
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(_error_entry(path, error))
            _say(str(error))
            continue
        if result.missing:
            _say(f"{path}: the PDF was not made: {result.missing}")
        files = [str(file) for file in result.files]
        results.append(
            {
                "spec": str(path),
                "ok": True,
                "folder": str(result.folder),
                "files": files,
                "beta": float(result.release.beta),
            }
        )
        if not as_json:
            _say(f"{path}: built, β = {result.release.beta}")
            print("\n".join(files))
    if as_json:
        _print_json({"ok": code == EXIT_FINE, "results": results})
    return code


def _formats(text: str | None) -> tuple[str, ...] | None:
    from atreport.build import FORMATS

    if text is None:
        return None
    wanted = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    unknown = [part for part in wanted if part not in FORMATS]
    if unknown or not wanted:
        what = f"unknown format '{unknown[0]}'" if unknown else "no format given"
        raise UsageError(f"{what}: --formats takes any of {', '.join(FORMATS)}, separated by commas")
    return wanted


def _refuse_same_folder(specs: list[Path]) -> None:
    seen: dict[str, Path] = {}
    for path in specs:
        if path.stem in seen:
            raise UsageError(
                f"{seen[path.stem]} and {path} would both be written to the folder '{path.stem}'.\n"
                "  Rename one, or build them into different folders with -o."
            )
        seen[path.stem] = path


@contextmanager
def _progress(path: Path, verbose: bool) -> Iterator[Progress]:
    """Show the running stage: a line each with --verbose, a spinner on a terminal, nothing otherwise."""
    if verbose:
        yield lambda stage: _say(f"{path}: {stage}")
    elif sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status(f"{path}") as status:
            yield lambda stage: status.update(f"{path}: {stage}")
    else:
        yield lambda _stage: None
