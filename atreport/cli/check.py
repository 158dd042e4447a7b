"""``atreport check``: may it be published, what would it say, and what stands in the way?"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.announcement import counted_groups
from atreport.cli.show import progress_of, show_labelled, show_table
from atreport.cli.talk import (
    MOST_ROWS,
    AsJson,
    Quiet,
    SpecPaths,
    error_entry,
    print_json,
    say,
    with_run_options,
)
from atreport.commands.check import CheckResult
from atreport.commands.check import check as check_spec
from atreport.commands.check_words import conclusion, summary, verdict_table, what_is_done
from atreport.commands.spec_paths import specs_named
from atreport.confidential.data.run_options import RunOptions
from atreport.confidential.words import warn_of_certainty
from atreport.errors import EXIT_FINE, EXIT_REFUSED, AtreportError
from atreport.kit.numbers import counted


@with_run_options
def check(
    specs: SpecPaths,
    details: Annotated[
        bool, typer.Option("--details", help="Show every promise, group, verdict and small cell too.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    options: RunOptions,
) -> int:
    """Say whether each spec can be published, what it would say, and what stands in the way. Writes nothing."""
    found = specs_named(specs)
    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in found:
        try:
            with progress_of(path, verbose=False, quiet=quiet) as progress:
                result = check_spec(path, progress, options)
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(error_entry(path, error))
            if not as_json:
                say(str(error))
            continue
        if not result.publishable:
            code = max(code, EXIT_REFUSED)
        results.append(_check_entry(path, result))
        if not as_json:
            _show_check(path, result, details=details)
    if as_json:
        print_json({"ok": code == EXIT_FINE, "results": results})
    elif len(found) > 1:
        fine = sum(bool(result["ok"]) for result in results)
        print(f"{fine} of {len(found)} specs can be published.")
    return code


def _check_entry(path: Path, result: CheckResult) -> dict[str, Any]:
    privacy = result.spec.policy.privacy
    return {
        "spec": str(path),
        "ok": result.publishable,
        "problems": [],
        "fidelity": result.announcement.fidelity.in_words,
        "beta": float(result.announcement.beta),
        "gamma": float(result.announcement.gamma),
        "ceiling": {k: float(v) for k, v in privacy.model_dump(exclude_none=True).items()}
        if privacy
        else None,
        "lift": float(result.announcement.lift),
        "odds": None if result.announcement.odds is None else float(result.announcement.odds),
        "rates": None if result.announcement.rule.rates is None else float(result.announcement.rule.rates),
        "no_protection": warn_of_certainty(result.announcement),
        "within_ceiling": result.within_ceiling,
        "ceilings_not_kept": result.above,
        "groups": result.group_rows(),
        "small_cells": result.small_cell_rows(),
        "certain_cells": result.certain_cell_rows(),
        "small_shares": result.small_share_rows(),
        "refused": result.refused,
        "refusals": list(result.refusals),
        "warnings": list(result.warnings),
        "says": [text for _, text in summary(result)],
        "verdicts": dict(
            Counter(a.verdict for a in result.report.fairness if a.verdict and not a.is_of_one_group)
        ),
        "exact_beta": result.exact_beta,
        "law": list(result.law),
    }


def _show_check(path: Path, result: CheckResult, *, details: bool) -> None:
    """May it be published, what would it say, what stands in the way: a screen; the rest on request."""
    print(f"{path}: {conclusion(result)}")
    about = ""
    for label, text in summary(result):
        show_labelled("" if label == about else label, text)
        about = label or about
    for warning in (*result.warnings, *result.law):
        show_labelled("WARNING", warning, to=sys.stderr)
    if details:
        print()
        _show_details(result)
    else:
        print(f"  Groups, small cells and all verdicts: atreport check --details {path}")


def _show_details(result: CheckResult) -> None:
    _show_promises(result)
    show_table(result.group_table(MOST_ROWS), caption=False)
    if result.report.fairness:
        show_table(verdict_table(result.report, MOST_ROWS))
    _show_exact(result)
    _show_small(result)


def _show_promises(result: CheckResult) -> None:
    """What is promised, by how much, and whether the ceilings are kept."""
    announcement = result.announcement
    print(f"  fidelity   {announcement.fidelity.in_words}")
    rates = announcement.rule.rates
    if rates is not None:
        print(
            f"  rates      of every group of the table below: within {100 * (1 - rates):f} points of the true ones"
        )
    print(
        f"  privacy    β = {announcement.beta} (γ = {announcement.gamma}): nobody is more confident of a sensitive value"
    )
    print(f"  lift       {announcement.lift}: no sensitive value becomes more than so many times as likely")
    odds = announcement.odds
    print(
        "  odds       no limit: an outcome can rule something out for certain"
        if odds is None
        else f"  odds       {odds}: for those who know a group, odds change by no more than this factor"
    )
    if announcement.cells.between is not None:
        print("             before: the most that the published counts cannot rule out")
    privacy = result.spec.policy.privacy
    asked = {} if privacy is None else {k: str(v) for k, v in privacy.model_dump(exclude_none=True).items()}
    for attribute in announcement.cells.process.attributes:
        asked |= {f"{attribute.name}: {value}": str(limit) for value, limit in attribute.ceilings.items()}
    for name, ceiling in asked.items():
        above = result.above.get("beta" if name == "gamma" else name)
        kept = "kept" if above is None else f"NOT kept in {counted_groups(above)}; a build would be refused"
        print(f"  ceiling    {name} {ceiling}: {kept}")


def _show_exact(result: CheckResult) -> None:
    """Where a law wants exact figures, what those would give away."""
    if result.exact_beta is not None and result.spec.form is not None:
        law = result.spec.form.exact_figures_wanted_by
        beta = f"{result.exact_beta:.{result.announcement.decimals}f}"
        print(f"  exact      {law} want exact figures: that is 'fidelity: {{delta: 1}}', with β = {beta}")


def _show_small(result: CheckResult) -> None:
    """What is small enough to give people away: cells, outcomes that are certain, shares."""
    small = result.small_cell_rows()
    done = what_is_done(result, len(small))
    where = " of the data, by their values before some were joined," if result.joined else ""
    _list(
        f"small cells: {len(small):,}{where} with fewer than {result.small_cell_limit} people ({done})",
        [f"{row.pop('population'):>3}  {_named(row)}" for row in small],
    )
    certain = result.certain_cell_rows()
    _list(
        f"certain outcomes: {len(certain):,} with an announced probability of exactly 0 or 1",
        [f"{row.pop('outcome')}: {_named(row)}" for row in certain],
    )
    shares = result.small_share_rows()
    _list(
        f"small shares: {counted(len(shares), 'category', 'categories')}{where} under 2 % of all people",
        [f"{100 * row.pop('share'):.2f} %  {_named(row)}" for row in shares],
    )


def _named(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _list(heading: str, lines: list[str]) -> None:
    """A heading and its lines, the first of them where there are many; nothing where there are none."""
    if not lines:
        return
    print(f"  {heading}")
    for line in lines[:MOST_ROWS]:
        print(f"    {line}")
    if len(lines) > MOST_ROWS:
        print(f"    … and {len(lines) - MOST_ROWS:,} more; --json lists all")
