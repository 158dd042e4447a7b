"""Turn a true table into what each fidelity costs in privacy: the whole curve, its knee, and policies worth a thought.

The curve of every group is exact (see :mod:`atreport.private.tradeoff.curve`). The curve of the whole report is the
largest of them. Of many groups only those that are the worst at one of many sampled distortions are taken; the curve is
then exact at those samples and says so. Confidential: the curve depends on the true rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from atreport.core.band import Closeness
from atreport.core.cells import Cells, IntArray, run_starts
from atreport.core.certify import ceiling_on_beta
from atreport.pages.measures import comparison, measure_name
from atreport.pages.wording import VERDICTS, group_name
from atreport.private.data.decision_table import DecisionTable, FloatArray, without_cells
from atreport.private.solver.fidelity import float_bounds
from atreport.private.solver.solver import has_closed_form, terms_of
from atreport.private.tradeoff.curve import BetaCurve, ValueRecords, group_curve, upper_envelope
from atreport.private.tradeoff.policy_sweep import PolicyResult, VerdictRange
from atreport.private.true_rule import TERM_NAMES, rounded, share
from atreport.report.figures import Verdict
from atreport.spec.policy import Mechanism
from atreport.spec.process import Process
from atreport.spec.spec import Spec
from atreport.text.language import count
from atreport.text.numbers import short, shortest_decimal
from atreport.text.tables import Shown, Space, Table, named, numeric, tabulate, worded

MOST_EXACT_GROUPS = 60
"""With more groups than this, the report's curve is made of those that are the worst somewhere."""

SAMPLES = 41
"""At so many distortions the worst group of a large table is looked for."""

MOST_RECORDS = 40
"""Groups with more records than this get no exact curve: fractions are slow."""

DELTA_STEP = Decimal("0.001")
"""Suggested fidelities are rounded down to this, so that what is said of them holds."""


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A policy worth a thought: a delta, the β* that goes with it, and why."""

    name: str
    delta: Decimal
    beta: Fraction
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Tradeoff:
    """What each delta costs, for the whole report and for its most exposed groups."""

    report: BetaCurve
    groups: tuple[tuple[int, BetaCurve], ...]  # the most exposed first
    exact_everywhere: bool  # otherwise exact at the samples only
    true_confidence: Fraction  # C*: β at no distortion
    floor: Fraction  # β at any distortion: what is known before any report
    knee: Fraction  # the distortion w of the knee
    suggestions: tuple[Suggestion, ...]


def calculate_trade_off(spec: Spec, table: DecisionTable, *, most_groups: int = 20) -> Tradeoff | None:
    """The curves of a table; None where the optimum has no closed form or every group is too large."""
    if not has_closed_form(table):
        return None
    sizes = np.diff(np.append(table.cells.group_starts, len(table.cells)))
    tractable = np.flatnonzero(sizes <= MOST_RECORDS)
    few = len(sizes) <= MOST_EXACT_GROUPS
    worst = np.arange(len(sizes)) if few else _worst_somewhere(table)
    if not np.isin(worst, tractable).all():
        return None
    exposed = _most_exposed(table, tractable, most_groups)
    records = _records(table, sorted({*worst.tolist(), *exposed}))
    curves = {group: group_curve(values, group) for group, values in records.items()}
    report = upper_envelope([curves[group] for group in worst.tolist()])
    knee = knee_of(report)
    return Tradeoff(
        report=report,
        groups=tuple((group, curves[group]) for group in exposed),
        exact_everywhere=few,
        true_confidence=report(Fraction(0)),
        floor=report(Fraction(1)),
        knee=knee,
        suggestions=_suggestions(report, knee, ceiling_on_beta(spec.policy.privacy)),
    )


def confidence_at(table: DecisionTable, closeness: Closeness) -> FloatArray:
    """β* of every group at one fidelity, by the four terms in floating point."""
    return terms_of(table, *float_bounds(table, closeness)).optimum


def _worst_somewhere(table: DecisionTable) -> IntArray:
    """The groups that are the worst at one of the sampled distortions; more samples near the truth.

    No group's β* rises with distortion, and the report's never falls below the largest prior. So a group that is below
    that prior once cannot be the worst any more, and is looked at no longer.
    """
    floor = float(_priors(table).max()) - 1e-12
    names = np.arange(len(table.cells.group_starts))
    found = []
    for w in (np.linspace(0, 1, SAMPLES) ** 2).round(6).tolist():
        beta = confidence_at(table, Closeness(delta=1 - Decimal(str(w))))
        found.append(int(names[np.argmax(beta)]))
        stays = beta >= floor
        if stays.sum() < len(stays) / 2:
            table, names = without_cells(table, ~stays[table.cells.group]), names[stays]
    return np.unique(np.array(found, dtype=np.int64))


def _priors(table: DecisionTable) -> FloatArray:
    """What the population alone tells of each group."""
    cells = table.cells
    people = np.add.reduceat(cells.population, cells.group_starts)
    of_values = cells.protected[0].sums(cells.population)
    return np.asarray(np.maximum.reduceat(of_values, run_starts(cells.protected[0].group)) / people)


def _most_exposed(table: DecisionTable, tractable: IntArray, number: int) -> list[int]:
    """Groups to show: those to whom publishing the true rule would add most."""
    added = confidence_at(table, Closeness(delta=Decimal(1))) - _priors(table)
    return [int(group) for group in tractable[np.argsort(-added[tractable], kind="stable")][:number]]


def _records(table: DecisionTable, groups: Sequence[int]) -> dict[int, list[ValueRecords]]:
    """The sensitive values of some groups, each with its cells and their true probabilities as exact fractions."""
    cells, found = table.cells, {}
    ends = np.append(cells.group_starts, len(cells))
    for group in groups:
        values: dict[int, list[tuple[int, Fraction]]] = {}
        for cell in range(int(ends[group]), int(ends[group + 1])):
            values.setdefault(int(cells.value[cell]), []).append(
                (int(cells.population[cell]), shortest_decimal(table.favourable[cell]))
            )
        found[group] = [ValueRecords(tuple(of_value)) for of_value in values.values()]
    return found


def knee_of(curve: BetaCurve) -> Fraction:
    """The distortion after which more of it buys little: the breakpoint furthest below the line between the ends.

    The curve is looked at from no distortion to the point from which on nothing more is gained.
    """
    end = curve.first_at_most(curve(Fraction(1))) or Fraction(0)
    top, bottom = curve(Fraction(0)), curve(end)
    if not end or top == bottom:
        return Fraction(0)

    def below_line(w: Fraction) -> Fraction:
        return top - (top - bottom) * w / end - curve(w)

    ends = [w for w in curve.breakpoints if w <= end]
    # a long bent piece may have its knee inside: look at its quarters too
    looked_at = {*ends, *(a + (b - a) * Fraction(part, 4) for a, b in pairwise(ends) for part in (1, 2, 3))}
    return max(sorted(looked_at), key=below_line)


def delta_for(w: Fraction) -> Decimal:
    """The highest delta, to three decimals, that allows a distortion of w."""
    exactly = Decimal((1 - w).numerator) / Decimal((1 - w).denominator)
    return max(exactly.quantize(DELTA_STEP, rounding=ROUND_FLOOR), Decimal(0))


def _suggestions(curve: BetaCurve, knee: Fraction, ceiling: Decimal | None) -> tuple[Suggestion, ...]:
    top, floor = curve(Fraction(0)), curve(Fraction(1))

    def suggest(name: str, w: Fraction, reason: str) -> Suggestion:
        delta = delta_for(w)
        return Suggestion(name=name, delta=delta, beta=curve(1 - Fraction(delta)), reason=reason)

    flat = curve.first_at_most(floor) or Fraction(0)
    found = []
    if ceiling is not None and curve.first_at_most(Fraction(ceiling)) is not None:
        least = curve.first_at_most(Fraction(ceiling)) or Fraction(0)
        reason = "the least distortion with which the report keeps the policy's ceiling"
        found.append(suggest("Closest to the truth", least, reason))
    else:
        half = curve.first_at_most((top + floor) / 2) or Fraction(0)
        reason = "the least distortion that takes away half of what the true rule would add"
        found.append(suggest("Closer to the truth", half, reason))
    reason = "up to here distortion buys privacy quickly, from here on slowly"
    found.append(suggest("The knee of the curve", knee, reason))
    reason = "as low as the population alone allows; more distortion would not lower β"
    found.append(suggest("The lowest β there is", flat, reason))
    return tuple(found)


# The trade-off as tables, for the annex and for ``atreport tradeoff``. Confidential.


def suggestion_table(curves: Tradeoff) -> Table:
    """Three policies and why."""
    return tabulate(
        "suggestions",
        "Three policies worth a thought",
        [
            named("Policy", "name"),
            numeric("delta", "delta", short),
            numeric("β*", "beta", lambda beta: share(float(beta))),
            worded("Why", "reason", lambda reason: f"{reason[0].upper()}{reason[1:]}."),
        ],
        curves.suggestions,
    )


def outlook_table(outlooks: Sequence[PolicyResult], chosen: Decimal | None = None) -> Table:
    """β of every mechanism and the verdicts, at other fidelities; the `chosen` one is marked."""
    kind = "delta" if outlooks[0].fidelity.delta is not None else "alpha"
    others = [name for name in outlooks[0].others if any(o.others[name] is not None for o in outlooks)]
    return tabulate(
        "outlook",
        "The same report at other fidelities",
        [
            named(kind, "number", lambda number: f"{short(number)}{' *' if number == chosen else ''}"),
            *_PROMISES,
            *(numeric(f"β, {name}", partial(_other_beta, name)) for name in others),
            *_costs(outlooks),
        ],
        outlooks,
    )


def rate_table(outlooks: Sequence[PolicyResult], chosen: Decimal | None = None) -> Table:
    """What it costs to keep the rate of every group; the `chosen` way is marked."""

    def written(rates: Decimal | None) -> str:
        return f"{'free' if rates is None else short(rates)}{' *' if rates == chosen else ''}"

    return tabulate(
        "rates",
        "The same report with the favourable rate of every group kept",
        [
            named("rates", "rates", written),
            named("Rates move by at most", "rates", _rate_move),
            *_PROMISES,
            *_costs(outlooks),
        ],
        outlooks,
    )


_PROMISES = (
    numeric("β, optimal", "beta", share),
    numeric("Lift", "lift", "{:.2f}".format),
    numeric("Odds factor", "odds", lambda odds: "unbounded" if odds is None else f"{odds:.2f}"),
)
"""What the report would promise with the optimal mechanism."""


def _other_beta(name: Mechanism, outlook: PolicyResult) -> str:
    beta = outlook.others[name]
    return "not possible" if beta is None else share(beta)


def _costs(outlooks: Sequence[PolicyResult]) -> list[Shown]:
    """How far probabilities are changed, and how many verdicts there are of each kind."""
    verdicts = _verdicts_of(outlooks)
    counts = (numeric(words, partial(_number_of, verdict)) for verdict, words in verdicts.items())
    return [numeric("Mean change", "mean_change", share), *counts]


def _number_of(verdict: Verdict, outlook: PolicyResult) -> str:
    return str(outlook.count(verdict))


def _verdicts_of(outlooks: Sequence[PolicyResult]) -> dict[Verdict, str]:
    """The verdicts to count, in words; none where no comparison has a threshold."""
    judged = any(verdict for outlook in outlooks for verdict in outlook.verdicts)
    return {verdict: words for verdict, (words, _) in VERDICTS.items()} if judged else {}


def _rate_move(rates: Decimal | None) -> str:
    if rates is None:
        return "what the fidelity allows"
    points = 100 * (1 - rates)
    return f"{short(points)} {'point' if points == 1 else 'points'}" if points else "rounding"


def verdict_table(ranges: Sequence[VerdictRange], process: Process, left_out: str = "") -> Table:
    """The verdict of each comparison with a threshold, from fidelity to fidelity."""

    def along(ranges: Sequence[tuple[Decimal, Decimal, Verdict]]) -> str:
        return "; ".join(
            f"{short(high)}{f' to {short(low)}' if high != low else ''}: {VERDICTS[verdict][0].lower()}"
            for high, low, verdict in ranges
        )

    return tabulate(
        "verdicts",
        "Verdicts along the curve",
        [
            named("Measure", "assessment", measure_name),
            named("Compared", "assessment", lambda assessment: comparison(assessment, process)),
            worded("Verdict by fidelity", "ranges", along),
        ],
        ranges,
        left_out,
    )


def piece_table(curves: Tradeoff, cells: Cells) -> Table:
    """The curve of the whole report, piece by piece: which group is worst, and what binds there."""
    exact = (
        "exact" if curves.exact_everywhere else "exact at 41 distortions, by the groups that are worst there"
    )
    return tabulate(
        "pieces",
        f"The curve of the whole report ({exact}): between two breakpoints β* is a ratio of lines",
        [
            named("Worst group", lambda piece: group_name(cells, int(cells.group_starts[piece.group]))),
            named("Binding", "term", lambda term: TERM_NAMES[term]),
            numeric("From delta", lambda piece: f"{float(1 - piece.start):.6f}"),
            numeric("To delta", lambda piece: f"{float(1 - piece.end):.6f}"),
            numeric("From β*", lambda piece: f"{float(piece(piece.start)):.6f}"),
            numeric("To β*", lambda piece: f"{float(piece(piece.end)):.6f}"),
        ],
        curves.report.pieces,
    )


def group_curve_table(curves: Tradeoff, cells: Cells, space: Space) -> Table:
    """The curves of the most exposed groups, each by its breakpoints."""
    shown, total = curves.groups[: space.cut], len(cells.group_starts)
    left_out = ""
    if total > len(shown):
        more = f"; {space.more}" if total == len(curves.groups) else ""
        left_out = f"The {count(len(shown))} most exposed of {count(total)} groups{more}."

    def breakpoints(group_and_curve: tuple[int, BetaCurve]) -> str:
        _, curve = group_and_curve
        return "  ".join(f"{float(1 - w):.4f} → {float(curve(w)):.4f}" for w in curve.breakpoints)

    return tabulate(
        "group-curves",
        "β* of each group at its breakpoints",
        [
            named("Group", lambda each: group_name(cells, int(cells.group_starts[each[0]]))),
            worded("delta → β*", breakpoints),
        ],
        shown,
        left_out,
    )


# Turn a trade-off into plain data, for annex.json and for ``tradeoff --json``. Confidential.


def trade_off_json(
    found: Tradeoff | None, along: Sequence[PolicyResult], by_rates: Sequence[PolicyResult], cells: Cells
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


def _row(o: PolicyResult) -> dict[str, Any]:
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


def _pieces(curve: BetaCurve, cells: Cells) -> list[dict[str, Any]]:
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
