"""Turn a trade-off into plain data, for annex.json and for ``tradeoff --json``. Confidential."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atreport.confidential.tradeoff.curve import Curve
from atreport.confidential.tradeoff.outlook import Outlook
from atreport.confidential.tradeoff.trade_off import Tradeoff
from atreport.confidential.words import rounded
from atreport.population.cells import Cells


def trade_off_json(
    found: Tradeoff | None, along: Sequence[Outlook], by_rates: Sequence[Outlook], cells: Cells
) -> dict[str, Any] | None:
    """The curves piece by piece, the suggestions, and the report at other fidelities and with other rates."""
    rows = {"fidelities": [_row(o) for o in along], "rates": [_row(o) for o in by_rates]}
    if found is None:
        return {"report": None, "groups": [], **rows} if along or by_rates else None
    public = cells.process.of_role("public")
    return {
        "exact": "everywhere" if found.exact_everywhere else "at the sampled distortions",
        "true_confidence": rounded(found.true_confidence),
        "floor": rounded(found.floor),
        "knee": {
            "delta": rounded(1 - found.knee),
            "beta": rounded(found.report(found.knee)),
        },
        "suggestions": [
            {
                "name": s.name,
                "delta": float(s.delta),
                "beta": rounded(s.beta),
                "reason": s.reason,
            }
            for s in found.suggestions
        ],
        "report": _pieces(found.report, cells),
        "groups": [
            {
                "qid": cells.labels(int(cells.group_starts[group]), public),
                "pieces": _pieces(curve, cells),
            }
            for group, curve in found.groups
        ],
        **rows,
    }


def _row(o: Outlook) -> dict[str, Any]:
    """The report under one policy; an odds factor of null is unbounded, rates of null are free."""
    return {
        ("delta" if o.fidelity.delta is not None else "alpha"): float(o.number),
        "rates": None if o.rates is None else float(o.rates),
        "beta": o.beta,
        "lift": o.lift,
        "odds": o.odds,
        **{f"{mechanism}_beta": beta for mechanism, beta in o.others.items()},
        "mean_change": rounded(o.mean_change),
        "verdicts": list(o.verdicts),
    }


def _pieces(curve: Curve, cells: Cells) -> list[dict[str, Any]]:
    """From delta to delta, β is (a + b·w) / (c + d·w) with w = 1 - delta; numbers as fractions."""
    public = cells.process.of_role("public")
    return [
        {
            "delta": [str(1 - piece.start), str(1 - piece.end)],
            "beta": [rounded(piece(piece.start)), rounded(piece(piece.end))],
            "numerator": [str(piece.above.at_zero), str(piece.above.slope)],
            "denominator": [str(piece.below.at_zero), str(piece.below.slope)],
            "binding": piece.term,
            "group": cells.labels(int(cells.group_starts[piece.group]), public),
        }
        for piece in curve.pieces
    ]
