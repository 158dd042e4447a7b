"""The trade-off as tables, for the annex and for ``atreport tradeoff``. Confidential."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from atreport.confidential.tradeoff.outlook import Outlook, VerdictRange
from atreport.confidential.tradeoff.trade_off import Tradeoff
from atreport.confidential.words import TERM_NAMES, share
from atreport.kit.numbers import count, short
from atreport.kit.tables import Column, Space, Table, make_table
from atreport.pages.measures import comparison, measure_name
from atreport.pages.wording import VERDICTS, group_name
from atreport.population.cells import Cells
from atreport.report.figures import Verdict
from atreport.spec.models.process import Process


def suggestion_table(curves: Tradeoff) -> Table:
    """Three policies and why."""
    return make_table(
        "suggestions",
        "Three policies worth a thought",
        [
            Column("Policy", names_row=True),
            Column("delta", numeric=True),
            Column("β*", numeric=True),
            Column("Why"),
        ],
        [
            [s.name, short(s.delta), share(float(s.beta)), s.reason[0].upper() + s.reason[1:] + "."]
            for s in curves.suggestions
        ],
    )


def outlook_table(outlooks: Sequence[Outlook], chosen: Decimal | None = None) -> Table:
    """β of every mechanism and the verdicts, at other fidelities; the `chosen` one is marked."""
    kind = "delta" if outlooks[0].fidelity.delta is not None else "alpha"
    others = [name for name in outlooks[0].others if any(o.others[name] is not None for o in outlooks)]
    verdicts = _verdicts_of(outlooks)
    return make_table(
        "outlook",
        "The same report at other fidelities",
        [
            Column(kind, names_row=True),
            Column("β, optimal", numeric=True),
            Column("Lift", numeric=True),
            Column("Odds factor", numeric=True),
            *(Column(f"β, {name}", numeric=True) for name in others),
            Column("Mean change", numeric=True),
            *(Column(words, numeric=True) for words in verdicts.values()),
        ],
        [
            [
                f"{short(o.number)}{' *' if o.number == chosen else ''}",
                share(o.beta),
                *_promises(o),
                *("not possible" if (beta := o.others[name]) is None else share(beta) for name in others),
                share(o.mean_change),
                *(str(o.count(verdict)) for verdict in verdicts),
            ]
            for o in outlooks
        ],
    )


def rate_table(outlooks: Sequence[Outlook], chosen: Decimal | None = None) -> Table:
    """What it costs to keep the rate of every group; the `chosen` way is marked."""
    verdicts = _verdicts_of(outlooks)
    return make_table(
        "rates",
        "The same report with the favourable rate of every group kept",
        [
            Column("rates", names_row=True),
            Column("Rates move by at most", names_row=True),
            Column("β, optimal", numeric=True),
            Column("Lift", numeric=True),
            Column("Odds factor", numeric=True),
            Column("Mean change", numeric=True),
            *(Column(words, numeric=True) for words in verdicts.values()),
        ],
        [
            [
                f"{'free' if o.rates is None else short(o.rates)}{' *' if o.rates == chosen else ''}",
                _rate_move(o),
                share(o.beta),
                *_promises(o),
                share(o.mean_change),
                *(str(o.count(verdict)) for verdict in verdicts),
            ]
            for o in outlooks
        ],
    )


def _verdicts_of(outlooks: Sequence[Outlook]) -> dict[Verdict, str]:
    """The verdicts to count, in words; none where no comparison has a threshold."""
    judged = any(verdict for outlook in outlooks for verdict in outlook.verdicts)
    return {verdict: words for verdict, (words, _) in VERDICTS.items()} if judged else {}


def _promises(outlook: Outlook) -> tuple[str, str]:
    """Lift and odds factor."""
    return f"{outlook.lift:.2f}", "unbounded" if outlook.odds is None else f"{outlook.odds:.2f}"


def _rate_move(outlook: Outlook) -> str:
    if outlook.rates is None:
        return "what the fidelity allows"
    points = 100 * (1 - outlook.rates)
    return f"{short(points)} {'point' if points == 1 else 'points'}" if points else "rounding"


def verdict_table(ranges: Sequence[VerdictRange], process: Process, left_out: str = "") -> Table:
    """The verdict of each comparison with a threshold, from fidelity to fidelity."""
    return make_table(
        "verdicts",
        "Verdicts along the curve",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("Verdict by fidelity"),
        ],
        [
            [
                measure_name(found.assessment),
                comparison(found.assessment, process),
                "; ".join(
                    f"{short(high)} to {short(low)}: {VERDICTS[verdict][0].lower()}"
                    if high != low
                    else f"{short(high)}: {VERDICTS[verdict][0].lower()}"
                    for high, low, verdict in found.ranges
                ),
            ]
            for found in ranges
        ],
        left_out,
    )


def piece_table(curves: Tradeoff, cells: Cells) -> Table:
    """The curve of the whole report, piece by piece: which group is worst, and what binds there."""
    exact = (
        "exact" if curves.exact_everywhere else "exact at 41 distortions, by the groups that are worst there"
    )
    return make_table(
        "pieces",
        f"The curve of the whole report ({exact}): between two breakpoints β* is a ratio of lines",
        [
            Column("Worst group", names_row=True),
            Column("Binding", names_row=True),
            Column("From delta", numeric=True),
            Column("To delta", numeric=True),
            Column("From β*", numeric=True),
            Column("To β*", numeric=True),
        ],
        [
            [
                group_name(cells, int(cells.group_starts[piece.group])),
                TERM_NAMES[piece.term],
                f"{float(1 - piece.start):.6f}",
                f"{float(1 - piece.end):.6f}",
                f"{float(piece(piece.start)):.6f}",
                f"{float(piece(piece.end)):.6f}",
            ]
            for piece in curves.report.pieces
        ],
    )


def group_curve_table(curves: Tradeoff, cells: Cells, space: Space) -> Table:
    """The curves of the most exposed groups, each by its breakpoints."""
    shown, total = curves.groups[: space.cut], len(cells.group_starts)
    left_out = ""
    if total > len(shown):
        more = f"; {space.more}" if total == len(curves.groups) else ""
        left_out = f"The {count(len(shown))} most exposed of {count(total)} groups{more}."
    return make_table(
        "group-curves",
        "β* of each group at its breakpoints",
        [Column("Group", names_row=True), Column("delta → β*")],
        [
            [
                group_name(cells, int(cells.group_starts[group])),
                "  ".join(f"{float(1 - w):.4f} → {float(curve(w)):.4f}" for w in curve.breakpoints),
            ]
            for group, curve in shown
        ],
        left_out,
    )
