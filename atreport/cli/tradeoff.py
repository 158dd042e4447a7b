"""``atreport tradeoff``: what each fidelity costs in privacy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atreport.cli.talk import (
    AllowPythonModel,
    AsJson,
    EngineName,
    MemoryLimit,
    Scheduler,
    SpecPath,
    error_entry,
    print_json,
    progress_of,
    say,
    show_table,
)
from atreport.errors import EXIT_FINE, AtreportError, UsageError

if TYPE_CHECKING:
    from atreport.commands.audit import TradeoffResult
    from atreport.confidential.tradeoff.outlook import Outlook

MOST_GROUPS = 10


def tradeoff(
    spec: SpecPath,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Also draw the curve to this .svg or .png file.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
    engine: EngineName = "local",
    scheduler: Scheduler = None,
    memory_limit: MemoryLimit = None,
    allow_python_model: AllowPythonModel = False,
) -> int:
    """Show what each fidelity costs in privacy, and what every verdict would be. What it prints is confidential."""
    from atreport.commands.audit import tradeoff as weigh
    from atreport.confidential.data.engines.options import engine_of

    if output is not None and output.suffix.lower() not in (".svg", ".png"):
        raise UsageError(f"{output}: the curve is drawn as .svg or .png; give the file one of these endings")
    chosen = engine_of(engine, scheduler, memory_limit, allow_python_model=allow_python_model)
    try:
        with progress_of(spec, verbose=False) as progress:
            result = weigh(spec, progress, chosen)
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
        say("What is printed here is confidential: it depends on the true rule.")
    return EXIT_FINE


def _entry(result: TradeoffResult) -> dict[str, Any]:
    from atreport.confidential.annex.as_json import trade_off_json

    found = trade_off_json(result.trade_off, result.by_delta, result.release.cells) or {}
    alphas = trade_off_json(None, result.by_alpha, result.release.cells) or {}
    privacy = result.spec.policy.privacy
    return {
        "chosen": {
            **result.spec.policy.fidelity.model_dump(mode="json", exclude_none=True),
            "mechanism": result.release.mechanism,
            "beta": float(result.release.beta),
            "ceiling": privacy.model_dump(mode="json", exclude_none=True) if privacy else None,
        },
        **found,
        "alphas": alphas.get("fidelities", []),
        "comparisons": [
            {"measure": a.measure, "groups": a.groups, "given": a.given} for a in result.assessments
        ],
    }


def _draw(spec: Path, result: TradeoffResult, output: Path) -> None:
    from atreport.confidential.annex.charts import save_trade_off
    from atreport.confidential.annex.tradeoff import curve_plot

    plot = curve_plot(result.trade_off, result.release)
    if plot is None:
        raise UsageError(
            f"{spec}: there is no exact curve to draw: it needs two outcomes and one sensitive attribute"
        )
    save_trade_off(plot, output)
    say(f"{output}: the curve, readable by you only")


def _show(path: Path, result: TradeoffResult) -> None:
    curves = result.trade_off
    print(f"{path}: β = {result.release.beta} with mechanism {result.release.mechanism}")
    if curves is None:
        print(
            "   There is no exact curve: it needs two outcomes, one sensitive attribute and groups of at most 40 cells."
        )
    else:
        print(f"   C* = {float(curves.true_confidence):.4f} if the true rule were published (delta 1)")
        print(f"   {float(curves.floor):.4f} before any report: no distortion gets below it")
        print(f"   knee at delta {float(1 - curves.knee):.4f}, β* = {float(curves.report(curves.knee)):.4f}")
        print()
        exact = (
            "exact"
            if curves.exact_everywhere
            else "exact at 41 distortions, by the groups that are worst there"
        )
        print(f"The curve of the whole report ({exact}): between two breakpoints β* is a ratio of lines")
        _show_pieces(result)
        print("Groups: β* of each at its breakpoints")
        _show_groups(result)
        print("Three policies worth a thought")
        show_table(
            ["policy", "why", "delta", "β*"],
            [[s.name, s.reason, str(s.delta), f"{float(s.beta):.4f}"] for s in curves.suggestions],
            words=2,
        )
    for kind, along in (("delta", result.by_delta), ("alpha", result.by_alpha)):
        if along:
            print(f"The same report at other {kind}s (* is the policy's own)")
            _show_outlooks(result, kind, along)
    _show_verdicts(result)


def _show_pieces(result: TradeoffResult) -> None:
    from atreport.confidential.annex.annex import TERM_NAMES
    from atreport.pages.wording import group_name

    assert result.trade_off is not None
    cells = result.release.cells
    show_table(
        ["worst group", "what binds", "from delta", "to delta", "from β*", "to β*"],
        [
            [
                group_name(cells, int(cells.group_starts[piece.group])),
                TERM_NAMES[piece.term],
                f"{float(1 - piece.start):.6f}",
                f"{float(1 - piece.end):.6f}",
                f"{float(piece(piece.start)):.6f}",
                f"{float(piece(piece.end)):.6f}",
            ]
            for piece in result.trade_off.report.pieces
        ],
        words=2,
    )


def _show_groups(result: TradeoffResult) -> None:
    from atreport.pages.wording import group_name

    assert result.trade_off is not None
    cells, groups = result.release.cells, result.trade_off.groups
    show_table(
        ["group", "δ → β*"],
        [
            [
                group_name(cells, int(cells.group_starts[group])),
                "  ".join(f"{float(1 - w):.4f} → {float(curve(w)):.4f}" for w in curve.breakpoints),
            ]
            for group, curve in groups[:MOST_GROUPS]
        ],
        words=2,
        left_out=f"{len(cells.group_starts) - min(len(groups), MOST_GROUPS):,} more groups"
        if len(cells.group_starts) > MOST_GROUPS
        else "",
        json_has_all=len(cells.group_starts) <= len(groups),
    )


def _show_outlooks(result: TradeoffResult, kind: str, along: tuple[Outlook, ...]) -> None:
    chosen = getattr(result.spec.policy.fidelity, kind)
    calibrated = any(o.calibrated is not None for o in along)
    show_table(
        [
            kind,
            "β optimal",
            *(["β calibrated"] if calibrated else []),
            *("mean change", "meets", "does not", "cannot tell"),
        ],
        [
            [
                f"{o.number}{' *' if o.number == chosen else ''}",
                f"{o.beta:.4f}",
                *(["" if o.calibrated is None else f"{o.calibrated:.4f}"] if calibrated else []),
                f"{o.mean_change:.4f}",
                *(str(o.count(verdict)) for verdict in ("meets", "does_not_meet", "cannot_tell")),
            ]
            for o in along
        ],
    )


def _show_verdicts(result: TradeoffResult) -> None:
    from atreport.confidential.tradeoff.outlook import verdict_ranges
    from atreport.pages.wording import VERDICTS, comparison, measure_name

    found = verdict_ranges(result.assessments, result.by_delta)
    if not found:
        return
    print("Verdicts along the curve, by delta")
    show_table(
        ["measure", "compared", "verdict"],
        [
            [
                measure_name(each.assessment),
                comparison(each.assessment, result.spec.process),
                "; ".join(
                    f"{high} to {low}: {VERDICTS[verdict][0].lower()}" for high, low, verdict in each.ranges
                ),
            ]
            for each in found[:MOST_GROUPS]
        ],
        words=3,
        left_out=f"{len(found) - MOST_GROUPS:,} more comparisons" if len(found) > MOST_GROUPS else "",
    )
