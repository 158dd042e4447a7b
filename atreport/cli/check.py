"""``atreport check``: is the spec valid, which β does it give, and which cells are small?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from atreport.cli.talk import (
    MOST_ROWS,
    AllowPythonModel,
    AsJson,
    EngineName,
    MemoryLimit,
    Scheduler,
    SpecPaths,
    error_entry,
    print_json,
    progress_of,
    say,
)
from atreport.errors import EXIT_FINE, EXIT_REFUSED, AtreportError

if TYPE_CHECKING:
    from atreport.check import CheckResult


def check(
    specs: SpecPaths,
    as_json: AsJson = False,
    engine: EngineName = "local",
    scheduler: Scheduler = None,
    memory_limit: MemoryLimit = None,
    allow_python_model: AllowPythonModel = False,
) -> int:
    """Validate specs, and show β, whether the policy holds, and small cells. Writes nothing."""
    from atreport.check import check as check_spec
    from atreport.engine import engine_of

    chosen = engine_of(engine, scheduler, memory_limit, allow_python_model=allow_python_model)

    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in specs:
        try:
            with progress_of(path, verbose=False) as progress:
                result = check_spec(path, progress, chosen)
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(error_entry(path, error))
            if not as_json:
                say(str(error))
            continue
        if not result.within_ceiling:
            code = max(code, EXIT_REFUSED)
        results.append(_check_entry(path, result))
        if not as_json:
            _show_check(path, result)
    if as_json:
        print_json({"ok": code == EXIT_FINE, "results": results})
    return code


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
