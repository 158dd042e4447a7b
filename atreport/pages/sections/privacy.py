"""Turn a report into its section on privacy: what could be learned before and after, by group."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from atreport.kit.numbers import count, counted, full_percent, full_points
from atreport.kit.tables import Column, Table, extremes, make_table
from atreport.pages.wording import row_names
from atreport.population.cells import IntArray
from atreport.report.model import Report


def group_table(report: Report) -> Table:
    """What could be learned about each group's people, before and after; of many groups the most exposed."""
    cells, groups = report.rule_table.cells, report.privacy.groups
    chosen = extremes(report.group_beta, both_ends=False)
    starts = cells.group_starts
    names, name_columns = row_names(
        cells, [int(starts[g]) for g in chosen.rows], cells.process.of_role("public")
    )
    return make_table(
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
                full_percent(groups[g].prior),
                full_percent(groups[g].beta),
                full_points(groups[g].beta - groups[g].prior),
                count(groups[g].cells),
            ]
            for name, g in zip(names, chosen.rows, strict=True)
        ],
        chosen.left_out("groups", "those with the highest confidence after this report", "report.json"),
    )


def spread_table(report: Report) -> Table | None:
    """The distribution over groups, where they are too many to print."""
    beta, prior = report.group_beta, report.group_prior
    if extremes(beta, both_ends=False).whole:
        return None
    added = beta - prior
    at = {
        "Lowest": 0.0,
        "A quarter of the groups at or below": 0.25,
        "Half": 0.5,
        "Three quarters": 0.75,
        "Nine in ten": 0.9,
        "Highest": 1.0,
    }

    def quantile(steps: IntArray, share: float) -> Decimal:
        # The value of one group and no interpolation, so that it is a printed figure.
        return report.rule_table.printed(int(np.sort(steps)[round(share * (len(steps) - 1))]))

    return make_table(
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
                full_percent(quantile(prior, share)),
                full_percent(quantile(beta, share)),
                full_points(quantile(added, share)),
            ]
            for name, share in at.items()
        ],
    )


def certain_groups(report: Report) -> str:
    """How many groups there are in which everybody has the same value; empty where there is none."""
    number = sum(group.prior == 1 for group in report.privacy.groups)
    return counted(number, "group") if number else ""
