"""Turn a release into the tables on the decision: what it looks at, and the announced rule."""

from __future__ import annotations

from collections.abc import Sequence

from atreport.analysis.value_rates import ValueRate
from atreport.announcement import Release
from atreport.kit.numbers import count, full_percent, full_percent_interval, outward
from atreport.kit.tables import Column, Table, extremes, table
from atreport.pages.wording import row_names
from atreport.spec.models.process import Attribute, Process

MAX_OTHERS = 3
"""The most outcomes that are printed beside the favourable one."""

_ROLES = {
    "public": "Public: others may know it of a person",
    "sensitive": "Sensitive: must not be inferred",
    "private": "Private: neither known to others nor protected here",
}


def attribute_table(process: Process) -> Table:
    """What the process knows about a person."""
    return table(
        "attributes",
        "Attributes, their roles and their values",
        [
            Column("Attribute", names_row=True),
            Column("Role in this report"),
            Column("Values"),
            Column("Meaning"),
        ]
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
    names, name_columns = row_names(release.cells, chosen.rows, cells.process.attributes)
    favourable = cells.process.outcome.favourable
    others = [value for value in cells.process.outcome.values if value != favourable]
    # Of two outcomes one says it all; of many, the others are in the data.
    others = others if 1 < len(others) <= MAX_OTHERS else []
    return table(
        "rules",
        "The announced rule: probability of each outcome"
        if others
        else f"The announced rule: probability of “{favourable}”",
        [
            *name_columns,
            Column(f"“{favourable}” announced" if others else "Announced", numeric=True),
            Column("True probability lies in", numeric=True),
            *(Column(f"“{outcome}” announced", numeric=True) for outcome in others),
            *(Column(heading, numeric=True) for heading in people),
        ],
        [
            [
                *name,
                full_percent(release.printed(int(release.announced[i]))),
                full_percent_interval(release.printed(int(low[i])), release.printed(int(high[i]))),
                *(full_percent(release.printed(int(release.announced_of(outcome)[i]))) for outcome in others),
                *_people(release, i),
            ]
            for name, i in zip(names, chosen.rows, strict=True)
        ],
        chosen.left_out("cells", "those with the highest and the lowest announced probability", "cells.csv"),
    )


def _people(release: Release, cell: int) -> list[str]:
    if release.population != "withheld" and release.small_cells.is_suppressed(cell):
        return ["suppressed"]
    if release.population == "shares":
        share = int(release.shares[cell])
        return [full_percent(release.printed(share).scaleb(release.decimals - release.share_decimals))]
    return [count(int(release.cells.population[cell]))] if release.population == "counts" else []


def value_rate_table(process: Process, rates: Sequence[ValueRate]) -> Table | None:
    """Favourable rates by value of each attribute, where the rule itself has too many cells to be printed."""
    if not rates:
        return None
    return table(
        "value-rates",
        f"Rate of “{process.outcome.favourable}” by value of each attribute",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            Column("Announced rate", numeric=True),
            Column("True rate lies in", numeric=True),
        ],
        [
            [
                process.attribute(each.attribute).title,
                each.value,
                full_percent(each.rate.value),
                full_percent_interval(each.rate.low, each.rate.high),
            ]
            for each in rates
        ],
    )
