"""What the commands share: options, and how they talk. stdout is data, stderr is talk."""

import inspect
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.errors import AtreportError, UsageError, problems_of, visible
from atreport.private.data.run_options import RunOptions, read_run_options

SpecPaths = Annotated[
    list[Path], typer.Argument(metavar="SPEC…", help="YAML specs, or folders: every spec in them.")
]
SpecPath = Annotated[Path, typer.Argument(metavar="SPEC", help="A YAML spec.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Quiet = Annotated[
    bool,
    typer.Option("-q", "--quiet", help="Show no running stage, and say nothing but warnings and errors."),
]
MOST_ROWS = 20
"""A terminal shows this many rows of a long table; ``--json`` has them all."""


def _chosen(
    engine: Annotated[
        str, typer.Option("--engine", help="Where records are counted and groups solved: local or dask.")
    ] = "local",
    scheduler: Annotated[
        str | None, typer.Option(help="Address of the Dask scheduler, for --engine dask.")
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option(help="What DuckDB may use for records, such as 2GB; the rest goes to disk.")
    ] = None,
    time_limit: Annotated[
        int, typer.Option(min=1, max=86_400, help="How many seconds a query on records may take.")
    ] = 600,
    allow_python_model: Annotated[
        bool,
        typer.Option(
            "--allow-python-model", help="Let a spec run the Python function it names as its model."
        ),
    ] = False,
) -> RunOptions:
    return read_run_options(
        engine, scheduler, memory_limit, time_limit, allow_python_model=allow_python_model
    )


def with_run_options(command: Callable[..., int], *, engines: bool = True) -> Callable[..., int]:
    """A command that reads records and solves groups: with options of the run after its own, given as its `options`."""
    own = inspect.signature(command, eval_str=True)
    added = dict(inspect.signature(_chosen, eval_str=True).parameters)
    if not engines:
        del added["engine"], added["scheduler"]

    @wraps(command)
    def run(**given: Any) -> int:
        options = _chosen(**{name: given.pop(name) for name in added})
        return command(**given, options=options)

    kept = [parameter for name, parameter in own.parameters.items() if name != "options"]
    # Typer reads the options of a command from its signature.
    run.__signature__ = own.replace(parameters=[*kept, *added.values()])  # type: ignore[attr-defined]
    return run


with_local_run_options = partial(with_run_options, engines=False)
"""The same for a command that always runs on this machine."""


def say(message: str) -> None:
    """Talk to the user, on stderr."""
    print(visible(message), file=sys.stderr)


def print_json(data: Any) -> None:
    """Hand a result over, on stdout."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def formats_of(text: str | None, known: tuple[str, ...]) -> tuple[str, ...] | None:
    """What ``--formats`` asks for; None where it was left out."""
    if text is None:
        return None
    wanted = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    unknown = [part for part in wanted if part not in known]
    if unknown or not wanted:
        what = f"unknown format '{unknown[0]}'" if unknown else "no format given"
        raise UsageError(f"{what}: --formats takes any of {', '.join(known)}, separated by commas")
    return wanted


def error_entry(path: Path, error: AtreportError) -> dict[str, Any]:
    """An error as an entry of ``--json``: every problem with its place."""
    problems = [
        {**asdict(problem.location), "message": problem.message, "hint": problem.hint}
        for problem in problems_of(error, str(path))
    ]
    return {"spec": str(path), "ok": False, "exit_code": error.exit_code, "problems": problems}
