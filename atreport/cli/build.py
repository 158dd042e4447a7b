"""``atreport build``: a folder with the report of each spec."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.cli.show import progress_of
from atreport.cli.talk import (
    AllowPythonModel,
    AsJson,
    EngineName,
    MemoryLimit,
    Quiet,
    Scheduler,
    SpecPaths,
    TimeLimit,
    error_entry,
    formats_of,
    print_json,
    say,
)
from atreport.commands.build import BuildResult
from atreport.commands.build import build as build_spec
from atreport.confidential.data.run_options import read_run_options
from atreport.errors import EXIT_FINE, AtreportError, UsageError
from atreport.pages.files import KNOWN_FORMATS


def build(
    specs: SpecPaths,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that gets one folder a spec.")
    ] = Path("output"),
    formats: Annotated[
        str | None,
        typer.Option(
            help="Comma-separated: html, pdf, json, ods, xlsx. Default: the first three, where possible."
        ),
    ] = None,
    with_verifier: Annotated[
        bool,
        typer.Option(
            "--with-verifier", help="Put verify.py, a verifier that needs only Python, beside the report."
        ),
    ] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Add this release to the ledger beside the spec: do so when you publish it."
        ),
    ] = False,
    salt: Annotated[
        Path | None,
        typer.Option(
            "--salt",
            metavar="FILE",
            help="The commitment.json of an earlier build: use its salt again, for the same bytes.",
            show_default=False,
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Name each stage on stderr.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    engine: EngineName = "local",
    scheduler: Scheduler = None,
    memory_limit: MemoryLimit = None,
    time_limit: TimeLimit = 600,
    allow_python_model: AllowPythonModel = False,
) -> int:
    """Build the report of each spec into its own folder."""
    wanted = formats_of(formats, KNOWN_FORMATS)
    chosen = read_run_options(
        engine, scheduler, memory_limit, time_limit, allow_python_model=allow_python_model
    )
    _refuse_same_folder(specs)
    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in specs:
        if results:
            gc.collect()  # the report before is gone, and this one needs the room
        try:
            with progress_of(path, verbose, quiet=quiet) as progress:
                result = build_spec(
                    path,
                    output,
                    wanted,
                    progress,
                    chosen,
                    with_verifier=with_verifier,
                    record=record,
                    salt=salt,
                )
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(error_entry(path, error))
            say(str(error))
            continue
        results.append(_entry(path, result))
        _tell(path, result, paths=not as_json, quiet=quiet)
        del result
    if as_json:
        print_json({"ok": code == EXIT_FINE, "results": results})
    return code


def _entry(path: Path, result: BuildResult) -> dict[str, Any]:
    """A finished build as ``--json`` prints it."""
    return {
        "spec": str(path),
        "ok": True,
        "folder": str(result.folder),
        "files": [str(file) for file in result.files],
        "beta": float(result.report.privacy.beta),
        "warnings": list(result.warnings),
        "cautions": list(result.cautions),
        "recorded": None if result.recorded is None else str(result.recorded),
    }


def _tell(path: Path, result: BuildResult, *, paths: bool, quiet: bool) -> None:
    """What to know of a finished build on stderr and, where wanted, its paths on stdout."""
    if result.missing:
        say(f"{path}: the PDF was not made: {result.missing}")
    for warning in (*result.warnings, *result.cautions):
        say(f"{path}: warning: {warning}")
    if paths and not quiet:
        say(f"{path}: built, β = {result.report.privacy.beta}")
        if result.recorded is not None:
            say(f"{path}: recorded in {result.recorded}: commit that file with the spec")
    if paths:
        print("\n".join(str(file) for file in result.files))


def _refuse_same_folder(specs: list[Path]) -> None:
    seen: dict[str, Path] = {}
    for path in specs:
        if path.stem in seen:
            raise UsageError(
                f"{seen[path.stem]} and {path} would both be written to the folder '{path.stem}'.\n"
                "  Rename one, or build them into different folders with -o."
            )
        seen[path.stem] = path
