"""Turn a release into the tables on privacy: what could be learned before and after, by group."""

from __future__ import annotations

import numpy as np

from atreport.announcement import Release
from atreport.kit.numbers import count, full_percent, full_points
from atreport.kit.tables import Column, Table, extremes, table
from atreport.pages.wording import row_names
from atreport.population.cells import IntArray


def group_table(release: Release) -> Table:
    """What could be learned about the people of each group, before and after; of many groups the most exposed."""
    cells = release.cells
    chosen = extremes(release.group_beta, both_ends=False)
    starts = cells.group_starts
    names, name_columns = row_names(
        cells, [int(starts[g]) for g in chosen.rows], cells.process.of_role("public")
    )
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
    at = {
        "Lowest": 0.0,
        "A quarter of the groups at or below": 0.25,
        "Half": 0.5,
        "Three quarters": 0.75,
        "Nine in ten": 0.9,
        "Highest": 1.0,
    }

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
