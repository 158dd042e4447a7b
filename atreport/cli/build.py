"""``atreport build``: a folder with the report of each spec."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.api.build import (
    Built,
    Order,
    SpecOutcome,
    build_many,
    free_memory,
    jobs_for,
    share_memory,
    specs_in,
    usable_processors,
)
from atreport.cli.show import progress_of, show_table
from atreport.cli.talk import (
    AsJson,
    Quiet,
    SpecPaths,
    error_entry,
    formats_of,
    print_json,
    say,
    with_run_options,
)
from atreport.errors import EXIT_FINE, EXIT_INTERRUPTED, AtreportError, Refused, UsageError
from atreport.export.files import KNOWN_FORMATS
from atreport.private.data.run_options import RunOptions
from atreport.text.tables import MAX_ROWS, Column, Table, make_table


@with_run_options
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
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            max=256,
            help="How many specs to build at a time. Default: by the cores and the free memory of this machine.",
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Name each stage on stderr.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    options: RunOptions,
) -> int:
    """Build the report of each spec into its own folder."""
    wanted = formats_of(formats, KNOWN_FORMATS)
    found, memory = specs_in(specs), free_memory()
    number = _jobs(jobs, len(found), memory, record=record)
    orders = [
        Order(
            spec=spec,
            output=output,
            formats=wanted,
            options=share_memory(options, number, memory),
            with_verifier=with_verifier,
            record=record,
            salt=salt,
        )
        for spec in found
    ]
    talk = Talk(len(orders), verbose=verbose, quiet=quiet, as_json=as_json)
    outcomes = _build_all(orders, number, talk)
    code = max(_exit_code(outcome) for outcome in outcomes)
    if as_json:
        print_json({"ok": code == EXIT_FINE, "results": [_entry(outcome) for outcome in outcomes]})
    elif len(outcomes) > 1 and not quiet:
        with redirect_stdout(sys.stderr):
            show_table(_summary(outcomes))
    return code


def _jobs(asked: int | None, specs: int, memory: int | None, *, record: bool) -> int:
    """How many specs are built at a time. What is recorded goes into the ledger in the order of the specs."""
    if record and asked is not None and asked > 1:
        raise UsageError(
            "--record adds one release after the other to the ledger, and each names those before it: leave out --jobs."
        )
    if asked is not None:
        return min(asked, specs)
    return 1 if record else jobs_for(specs, cores=usable_processors(), memory=memory)


def _build_all(orders: list[Order], jobs: int, talk: Talk) -> list[SpecOutcome]:
    """Every outcome, in the order of the specs; told as they come, and paths on stdout in the order of the specs."""
    outcomes: dict[int, SpecOutcome] = {}
    printed = 0
    try:
        with talk.progress(orders[0].spec) as told:
            for place, outcome in build_many(orders, jobs, told):
                outcomes[place] = outcome
                talk.tell(outcome)
                while printed in outcomes:
                    talk.print_paths(outcomes[printed])
                    printed += 1
    except KeyboardInterrupt:
        done = sum(isinstance(outcome.result, Built) for outcome in outcomes.values())
        say(
            f"interrupted: {done} of {len(orders)} built, and nothing half-written"
            if done
            else "interrupted: nothing was written"
        )
        raise SystemExit(EXIT_INTERRUPTED) from None
    return [outcomes[place] for place in range(len(orders))]


class Talk:
    """What is said while specs are built: the running stages, and each spec as it ends."""

    def __init__(self, specs: int, *, verbose: bool, quiet: bool, as_json: bool) -> None:
        self._specs, self._verbose, self._quiet, self._as_json = specs, verbose, quiet, as_json
        self._ended = 0

    @contextmanager
    def progress(self, first: Path) -> Iterator[Callable[[Path, str], None]]:
        """Show what runs: a line a stage with --verbose; on a terminal the stage of one spec, or how many have ended."""
        if self._verbose and not self._quiet:
            yield lambda spec, stage: say(f"{spec}: {stage}")
        elif self._specs == 1:
            with progress_of(first, quiet=self._quiet) as show:
                yield lambda _spec, stage: show(stage)
        else:
            with progress_of(Path(f"{self._specs} specs"), quiet=self._quiet) as show:
                yield lambda spec, stage: show(f"{spec.name}: {stage}, ended {self._ended} of {self._specs}")

    def tell(self, outcome: SpecOutcome) -> None:
        """What to know of a spec that ended, on stderr."""
        self._ended += 1
        path, result = outcome.spec, outcome.result
        if isinstance(result, AtreportError):
            say(str(result))
            return
        if result.missing:
            say(f"{path}: the PDF was not made: {result.missing}")
        for warning in (*result.warnings, *result.cautions):
            say(f"{path}: warning: {warning}")
        if not self._as_json and not self._quiet:
            count = f" ({self._ended} of {self._specs})" if self._specs > 1 else ""
            say(f"{path}: built, β = {result.beta}{count}")
            if result.recorded is not None:
                say(f"{path}: recorded in {result.recorded}: commit that file with the spec")

    def print_paths(self, outcome: SpecOutcome) -> None:
        """The files of a report, on stdout."""
        if isinstance(outcome.result, Built) and not self._as_json:
            print("\n".join(str(file) for file in outcome.result.files))


def _exit_code(outcome: SpecOutcome) -> int:
    return outcome.result.exit_code if isinstance(outcome.result, AtreportError) else EXIT_FINE


def _entry(outcome: SpecOutcome) -> dict[str, Any]:
    """How a spec ended, as ``--json`` prints it."""
    result = outcome.result
    if isinstance(result, AtreportError):
        return error_entry(outcome.spec, result)
    return {
        "spec": str(outcome.spec),
        "ok": True,
        "folder": str(result.folder),
        "files": [str(file) for file in result.files],
        "beta": float(result.beta),
        "warnings": list(result.warnings),
        "cautions": list(result.cautions),
        "recorded": None if result.recorded is None else str(result.recorded),
    }


def _summary(outcomes: Sequence[SpecOutcome]) -> Table:
    """One row a spec, those that were not built first; the rest of a long list is only counted."""
    ordered = sorted(outcomes, key=_exit_code, reverse=True)
    built = sum(isinstance(outcome.result, Built) for outcome in outcomes)
    more = len(ordered) - MAX_ROWS
    return make_table(
        "summary",
        f"{built} of {len(outcomes)} reports were built.",
        [
            Column("Spec", names_row=True),
            Column("Result"),
            Column("β", numeric=True),
            Column("Warnings", numeric=True),
            Column("Seconds", numeric=True),
        ],
        [_row(outcome) for outcome in ordered[:MAX_ROWS]],
        f"… and {more} more; --json lists all." if more > 0 else "",
    )


def _row(outcome: SpecOutcome) -> list[str]:
    result, seconds = outcome.result, f"{outcome.seconds:.1f}"
    if isinstance(result, Refused):
        return [str(outcome.spec), "refused", "", "", seconds]
    if isinstance(result, AtreportError):
        return [str(outcome.spec), "not built", "", "", seconds]
    warnings = len(result.warnings) + len(result.cautions)
    return [str(outcome.spec), "built", str(result.beta), str(warnings), seconds]
