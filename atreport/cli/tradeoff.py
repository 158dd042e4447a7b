"""``atreport tradeoff``: what each fidelity costs in privacy."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.api.check import TradeoffResult
from atreport.api.check import tradeoff as weigh
from atreport.cli.show import progress_of, show_labelled, show_table
from atreport.cli.talk import AsJson, Quiet, SpecPath, error_entry, print_json, say, with_run_options
from atreport.errors import EXIT_FINE, AtreportError, UsageError
from atreport.private.data.run_options import RunOptions
from atreport.private.tradeoff import (
    group_curve_table,
    outlook_table,
    piece_table,
    rate_table,
    suggestion_table,
    trade_off_json,
    verdict_table,
)
from atreport.private.tradeoff.policy_sweep import verdict_ranges
from atreport.text.language import count
from atreport.text.tables import TERMINAL


@with_run_options
def tradeoff(
    spec: SpecPath,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also draw the curve to this .svg or .png file.")
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    options: RunOptions,
) -> int:
    """Show what each fidelity costs in privacy, and what every verdict would be. What it prints is confidential."""
    if output is not None and output.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"{output}: the curve is drawn as .svg or .png; give the file one of these endings")
    try:
        with progress_of(spec, quiet=quiet) as progress:
            result = weigh(spec, progress, options)
    except AtreportError as error:
        if not as_json:
            raise
        print_json(error_entry(spec, error))
        return error.exit_code
    if output is not None:
        _draw(spec, result, output)
    if as_json:
        print_json({"spec": str(spec), "ok": True, **_entry(result)})
    else:
        _show(spec, result)
        if not quiet:
            say("What is printed here is confidential: it depends on the true rule.")
    return EXIT_FINE


def _entry(result: TradeoffResult) -> dict[str, Any]:
    cells = result.announcement.cells
    found = trade_off_json(result.trade_off, result.by_delta, result.by_rates, cells) or {}
    alphas = trade_off_json(None, result.by_alpha, (), cells) or {}
    privacy = result.spec.policy.privacy
    return {
        "chosen": {
            **result.spec.policy.fidelity.model_dump(mode="json", exclude_none=True),
            "mechanism": result.announcement.mechanism,
            "beta": float(result.announcement.beta),
            "lift": float(result.announcement.lift),
            "odds": None if result.announcement.odds is None else float(result.announcement.odds),
            "ceiling": privacy.model_dump(mode="json", exclude_none=True) if privacy else None,
        },
        "warnings": [result.warning] if result.warning else [],
        **found,
        "alphas": alphas.get("fidelities", []),
        "comparisons": [
            {"measure": a.measure, "groups": a.groups, "given": a.given} for a in result.assessments
        ],
    }


def _draw(spec: Path, result: TradeoffResult, output: Path) -> None:
    # Here and not above: it imports matplotlib, and most that is asked of this command is a table.
    from atreport.private.annex.charts import save_curve

    if not save_curve(result.trade_off, result.announcement, output):
        raise UsageError(
            f"{spec}: there is no exact curve to draw: it needs two outcomes and one sensitive attribute"
        )
    say(f"{output}: the curve, readable by you only")


def _show(path: Path, result: TradeoffResult) -> None:
    """The curve and the outlooks, in the tables of the annex."""
    curves, cells = result.trade_off, result.announcement.cells
    announcement = result.announcement
    odds = "unbounded" if announcement.odds is None else announcement.odds
    print(
        f"{path}: β = {announcement.beta}, lift {announcement.lift}, odds factor {odds} "
        f"with mechanism {announcement.mechanism}"
    )
    if result.warning:
        show_labelled("WARNING", result.warning, to=sys.stderr)
    if curves is None:
        print(
            "   There is no exact curve: it needs two outcomes, one sensitive attribute and groups of at most 40 cells."
        )
        print()
    else:
        print(f"   C* = {float(curves.true_confidence):.4f} if the true rule were published (delta 1)")
        print(f"   {float(curves.floor):.4f} before any report: no distortion gets below it")
        print(f"   knee at delta {float(1 - curves.knee):.4f}, β* = {float(curves.report(curves.knee)):.4f}")
        print()
        show_table(piece_table(curves, cells))
        show_table(group_curve_table(curves, cells, TERMINAL))
        show_table(suggestion_table(curves))
    delta, alpha = (None, None) if result.own is None else (result.own.delta, result.own.alpha)
    for along, chosen in ((result.by_delta, delta), (result.by_alpha, alpha)):
        if along:
            show_table(outlook_table(along, chosen))
    if result.by_rates:
        show_table(rate_table(result.by_rates, result.announcement.rule.rates))
    if result.own is not None:
        print("   * is the policy's own.")
        print()
    if found := verdict_ranges(result.assessments, result.by_delta):
        shown = found[: TERMINAL.cut]
        more = f"{count(len(found) - len(shown))} more comparisons; {TERMINAL.more}."
        show_table(verdict_table(shown, result.spec.process, more if len(found) > len(shown) else ""))
