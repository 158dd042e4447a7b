"""Turn the estimate's part of the annex into tables. Confidential: true counts."""

from __future__ import annotations

from atreport.confidential.annex.annex import Annex
from atreport.confidential.words import at_least, at_most, figure, most
from atreport.kit.numbers import count
from atreport.kit.tables import ANNEX, Column, Table, make_table
from atreport.pages.wording import named_values


def case_table(annex: Annex) -> Table | None:
    """Recorded decisions by cell: those about which the records say least are shown where there are too many."""
    if annex.estimate is None or not annex.estimate.cells:
        return None
    rows, left_out = most(
        annex.estimate.cells, lambda each: each.width, "cells", "those with the widest interval", ANNEX
    )
    return make_table(
        "cases",
        "Recorded decisions, and how far chance may have moved their share",
        [
            Column("Cell", names_row=True),
            Column("Records", numeric=True),
            Column("Favourable", numeric=True),
            Column("Share", numeric=True),
            Column("Exact binomial interval, 95%", numeric=True),
        ],
        [
            [
                named_values(annex.spec.process, each.values),
                count(each.cases),
                count(each.favourable),
                figure(each.share),
                f"{at_least(each.interval[0])} to {at_most(each.interval[1])}",
            ]
            for each in rows
        ],
        left_out,
    )


def leaf_table(annex: Annex) -> Table | None:
    """The decision regions of a surrogate tree."""
    if annex.estimate is None or not annex.estimate.leaves:
        return None
    rows, left_out = most(
        annex.estimate.leaves, lambda leaf: float(leaf.cases), "regions", "those with the most records", ANNEX
    )
    process = annex.spec.process
    return make_table(
        "leaves",
        "The decision regions that the tree found",
        [
            Column("Region", names_row=True),
            Column("Records", numeric=True),
            Column(f"Share of “{process.outcome.favourable}”", numeric=True),
        ],
        [
            [
                "; ".join(f"{process.attribute(n).title}: {', '.join(v)}" for n, v in leaf.values.items())
                or "everybody",
                count(leaf.cases),
                f"{leaf.favourable:.4f}",
            ]
            for leaf in rows
        ],
        left_out,
    )
