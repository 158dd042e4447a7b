"""Turn an audit and a trade-off into plain data, for the annex and for ``--json``. Confidential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from atreport.announcement import Release
from atreport.confidential.attacks.audit import Audit
from atreport.confidential.attacks.side_knowledge import ERRORS, confidence_with_error
from atreport.confidential.tradeoff.curve import Curve
from atreport.confidential.tradeoff.outlook import Outlook
from atreport.confidential.tradeoff.trade_off import Tradeoff
from atreport.population.cells import Cells

DIGITS = 9
"""How precisely confidential figures are written."""

MOST_BELIEFS = 200
"""So many conclusions are listed in the annex, the most confident first; the command lists all."""


def audit_json(audit: Audit, release: Release, most: int | None = MOST_BELIEFS) -> dict[str, Any]:
    """Every attack and what it gave."""
    return {
        "promise_kept": audit.beliefs.exceeding == 0,
        "beliefs": {"total": len(audit.beliefs), "worst_first": belief_rows(audit, release, most)},
        "equations": [asdict(way) for way in audit.equations],
        "mechanisms": [asdict(result) for result in audit.mechanisms],
        "recommendation": audit.recommendation,
        "side_knowledge": side_knowledge_rows(release),
    }


def belief_rows(audit: Audit, release: Release, most: int | None) -> list[dict[str, Any]]:
    """What Bayes' rule on the announced mapping concludes, the most confident first."""
    cells, beliefs = release.cells, audit.beliefs
    public = cells.process.of_role("public")
    rows = []
    for i in range(len(beliefs) if most is None else min(most, len(beliefs))):
        cell = int(beliefs.cell[i])
        attribute = cells.process.attribute(cells.protected[int(beliefs.attribute[i])].attribute)
        rows.append(
            {
                "qid": cells.labels(cell, public),
                "outcome": cells.process.outcome.values[int(beliefs.outcome[i])],
                "attribute": attribute.name,
                "value": cells.labels(cell, (attribute,))[attribute.name],
                "confidence": round(float(beliefs.confidence[i]), DIGITS),
                "before": round(float(beliefs.before[i]), DIGITS),
                "promised": float(release.printed(int(release.group_beta[cells.group[cell]]))),
            }
        )
    return rows


def side_knowledge_rows(release: Release) -> list[dict[str, float]]:
    """How far the report's β moves where the population an observer believes in is wrong."""
    beta = Fraction(release.beta)
    return [
        {"population_error": float(error), "beta": round(float(confidence_with_error(beta, error)), DIGITS)}
        for error in ERRORS
    ]


def trade_off_json(found: Tradeoff | None, along: Sequence[Outlook], cells: Cells) -> dict[str, Any] | None:
    """The curves piece by piece, the suggestions, and the report at other fidelities."""
    rows = [
        {
            ("delta" if o.fidelity.delta is not None else "alpha"): float(o.number),
            "beta": o.beta,
            "calibrated_beta": o.calibrated,
            "mean_change": round(o.mean_change, DIGITS),
            "verdicts": list(o.verdicts),
        }
        for o in along
    ]
    if found is None:
        return {"report": None, "groups": [], "fidelities": rows} if rows else None
    public = cells.process.of_role("public")
    return {
        "exact": "everywhere" if found.exact_everywhere else "at the sampled distortions",
        "true_confidence": round(float(found.true_confidence), DIGITS),
        "floor": round(float(found.floor), DIGITS),
        "knee": {
            "delta": round(float(1 - found.knee), DIGITS),
            "beta": round(float(found.report(found.knee)), DIGITS),
        },
        "suggestions": [
            {
                "name": s.name,
                "delta": float(s.delta),
                "beta": round(float(s.beta), DIGITS),
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
        "fidelities": rows,
    }


def _pieces(curve: Curve, cells: Cells) -> list[dict[str, Any]]:
    """From delta to delta, β is (a + b·w) / (c + d·w) with w = 1 - delta; numbers as fractions."""
    public = cells.process.of_role("public")
    return [
        {
            "delta": [str(1 - piece.start), str(1 - piece.end)],
            "beta": [round(float(piece(piece.start)), DIGITS), round(float(piece(piece.end)), DIGITS)],
            "numerator": [str(piece.above.at_zero), str(piece.above.slope)],
            "denominator": [str(piece.below.at_zero), str(piece.below.slope)],
            "binding": piece.term,
            "group": cells.labels(int(cells.group_starts[piece.group]), public),
        }
        for piece in curve.pieces
    ]
