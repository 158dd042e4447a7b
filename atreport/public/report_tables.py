"""Turn a release and its assessments into the tables of the report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from atreport.cells import IntArray
from atreport.public.assessment import Assessment, GroupRate
from atreport.public.numbers import count, full_percent, full_percent_interval, full_points, outward
from atreport.public.rates import rates, strata_of
from atreport.public.assessment import Interval
from atreport.public.tables import Column, Table, extremes, table
from atreport.public.wording import (
    EVERYBODY,
    cell_name,
    comparison,
    group_name,
    interval_text,
    measure_name,
    threshold_text,
    units,
    value_text,
    verdict_cell,
)
from atreport.release import Release
from atreport.spec.models import Attribute, Process, PublicSpec

MAX_NAME_COLUMNS = 3
"""With more attributes than this, a row is named in one column."""

_ROLES = {
    "public": "Public: others may know it of a person",
    "sensitive": "Sensitive: must not be inferred",
    "private": "Private: neither known to others nor protected here",
}


def attribute_table(process: Process) -> Table:
    """What the process knows about a person."""
    return table(
        "attributes",
        "What the decision looks at",
        [Column("Attribute", names_row=True), Column("Role in this report"), Column("Values"), Column("Meaning")]
        if any(a.description for a in process.attributes)
        else [Column("Attribute", names_row=True), Column("Role in this report"), Column("Values")],
        [
            [a.title, _ROLES[a.role], _values(a)]
            + ([a.description or ""] if any(b.description for b in process.attributes) else [])
            for a in process.attributes
        ],
    )


def _values(attribute: Attribute, most: int = 12) -> str:
    shown = ", ".join(attribute.values[:most])
    more = len(attribute.values) - most
    return f"{shown} and {count(more)} more" if more > 0 else shown


def rule_table(release: Release) -> Table:
    """The announced rule, cell by cell; of many cells those with the highest and lowest probability."""
    cells = release.cells
    chosen = extremes(release.announced)
    low, high = outward(release.truth, release.scale)
    people = {"shares": ["Share of all people"], "counts": ["People"], "withheld": []}[release.population]
    names, name_columns = _row_names(release, chosen.rows, cells.process.attributes)
    favourable = cells.process.outcome.favourable
    return table(
        "rules",
        f"The announced rule: probability of “{favourable}”",
        [
            *name_columns,
            Column("Announced", numeric=True),
            Column("True probability lies in", numeric=True),
            *(Column(heading, numeric=True) for heading in people),
        ],
        [
            [
                *name,
                full_percent(release.printed(int(release.announced[i]))),
                full_percent_interval(release.printed(int(low[i])), release.printed(int(high[i]))),
                *_people(release, i),
            ]
            for name, i in zip(names, chosen.rows, strict=True)
        ],
        chosen.left_out("cells", "those with the highest and the lowest announced probability", "cells.csv"),
    )


def _people(release: Release, cell: int) -> list[str]:
    if release.population == "shares":
        share = int(release.shares[cell])
        return [full_percent(release.printed(share).scaleb(release.decimals - release.share_decimals))]
    return [count(int(release.cells.population[cell]))] if release.population == "counts" else []


def _row_names(
    release: Release, rows: Sequence[int], attributes: tuple[Attribute, ...]
) -> tuple[list[list[str]], list[Column]]:
    """How rows are named: a column for each attribute, or one for all where there are many."""
    if not 1 <= len(attributes) <= MAX_NAME_COLUMNS:
        one = cell_name if attributes == release.cells.process.attributes else group_name
        return [[one(release.cells, row)] for row in rows], [Column("People", names_row=True)]
    names = [list(release.cells.labels(row, attributes).values()) for row in rows]
    return names, [Column(a.title, names_row=True) for a in attributes]


def value_rate_table(release: Release, most: int = 12) -> Table | None:
    """Favourable rates by value of each attribute, where the rule itself has too many cells to be printed."""
    if extremes(release.announced).whole:
        return None
    everybody = np.ones(len(release.cells), dtype=bool)
    rows = []
    for attribute in release.cells.process.attributes:
        if len(attribute.values) > most:
            continue
        strata = strata_of(release.cells, [attribute.name])
        of_values = rates(release, everybody, strata)
        for stratum in range(len(strata)):
            ranges = of_values.in_stratum(stratum)
            if ranges is not None:
                printed = Interval.printed(ranges, release.decimals)
                value = strata.labels(stratum)[attribute.name]
                rows.append([attribute.title, value, full_percent(printed.value), _within(printed)])
    if not rows:
        return None
    favourable = release.cells.process.outcome.favourable
    return table(
        "value-rates",
        f"Rate of “{favourable}” by value of each attribute",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
        ],
        rows[:60],
    )


def _within(interval: Interval) -> str:
    return full_percent_interval(interval.low, interval.high)


def measure_table(spec: PublicSpec, assessments: Sequence[Assessment]) -> Table | None:
    """Every fairness measure; of many, those that could be furthest from equal treatment."""
    if not assessments:
        return None
    unit = units(spec, assessments)
    chosen = extremes(_urgency(assessments), both_ends=False)
    return table(
        "measures",
        "Fairness measures",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("Announced", numeric=True),
            Column("True value lies in", numeric=True),
            Column("Can move by at most", numeric=True),
            Column("Threshold", numeric=True),
            Column("Verdict"),
        ],
        [
            [
                measure_name(a),
                comparison(a, spec.process),
                value_text(a.result.value if a.result else None, unit[i]),
                interval_text(a.result, unit[i]),
                value_text(a.a_priori, unit[i]),
                threshold_text(a.threshold, unit[i]),
                verdict_cell(a.verdict),
            ]
            for i, a in ((i, assessments[i]) for i in chosen.rows)
        ],
        chosen.left_out("comparisons", "those that may be furthest from equal treatment", "measures.csv"),
    )


def _urgency(assessments: Sequence[Assessment]) -> IntArray:
    """How far from equal treatment a true value may be, in millionths: unbounded first."""
    far = [
        2**40 if a.result is None else int(a.result.high * 10**6) if a.measure != "p_percent_rule" else 10**6 - int(a.result.low * 10**6)
        for a in assessments
    ]
    return np.array(far, dtype=np.int64)


def rate_table(release: Release, spec: PublicSpec, assessments: Sequence[Assessment]) -> Table | None:
    """The favourable rate of every group that is compared, each once."""
    each: dict[tuple[str, str], GroupRate] = {}
    for assessment in assessments:
        given = ", ".join(f"{spec.process.attribute(k).title}: {v}" for k, v in (assessment.given or {}).items())
        for rate in assessment.rates:
            each.setdefault((rate.group, given or EVERYBODY), rate)
    if not each:
        return None
    entries = list(each.items())
    chosen = extremes(np.array([int(rate.rate.value * release.scale) for _, rate in entries], dtype=np.int64))
    counts = release.population == "counts"
    return table(
        "rates",
        f"Rate of “{release.cells.process.outcome.favourable}” in each group that is compared",
        [
            Column("Group", names_row=True),
            Column("Among", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
            *([Column("People", numeric=True)] if counts else []),
        ],
        [
            [name, among, full_percent(rate.rate.value), _within(rate.rate), *([count(rate.people)] if counts else [])]
            for (name, among), rate in (entries[i] for i in chosen.rows)
        ],
        chosen.left_out("rates", "the highest and the lowest", "report.json"),
    )


def group_table(release: Release) -> Table:
    """What could be learned about the people of each group, before and after; of many groups the most exposed."""
    cells = release.cells
    chosen = extremes(release.group_beta, both_ends=False)
    starts = cells.group_starts
    names, name_columns = _row_names(release, [int(starts[g]) for g in chosen.rows], cells.process.of_role("public"))
    in_group = np.diff(np.append(starts, len(cells)))
    return table(
        "groups",
        "Highest confidence in a sensitive value, by group",
        [
            *name_columns,
            Column("Before any report", numeric=True),
            Column("After this report (β)", numeric=True),
            Column("Added by this report", numeric=True),
            Column("Cells", numeric=True),
        ],
        [
            [
                *name,
                full_percent(release.printed(int(release.group_prior[g]))),
                full_percent(release.printed(int(release.group_beta[g]))),
                full_points(release.printed(int(release.group_beta[g] - release.group_prior[g]))),
                count(int(in_group[g])),
            ]
            for name, g in zip(names, chosen.rows, strict=True)
        ],
        chosen.left_out("groups", "those with the highest confidence after this report", "report.json"),
    )


def spread_table(release: Release) -> Table | None:
    """The distribution over groups, where they are too many to print."""
    if extremes(release.group_beta, both_ends=False).whole:
        return None
    added = release.group_beta - release.group_prior
    at = {"Lowest": 0.0, "A quarter of the groups at or below": 0.25, "Half": 0.5, "Three quarters": 0.75,
          "Nine in ten": 0.9, "Highest": 1.0}

    def quantile(steps: IntArray, share: float) -> int:
        # The value of one group and no interpolation, so that it is a printed figure.
        return int(np.sort(steps)[round(share * (len(steps) - 1))])

    return table(
        "spread",
        f"The same for all {count(len(added))} groups, each column sorted by itself",
        [
            Column("Groups", names_row=True),
            Column("Before any report", numeric=True),
            Column("After this report (β)", numeric=True),
            Column("Added by this report", numeric=True),
        ],
        [
            [
                name,
                full_percent(release.printed(quantile(release.group_prior, share))),
                full_percent(release.printed(quantile(release.group_beta, share))),
                full_points(release.printed(quantile(added, share))),
            ]
            for name, share in at.items()
        ],
    )
