"""Read the people of a report back from its report.json: the cells, and what was done with counts of few people.

Where counts are rounded or suppressed, report.json says what the figures are calculated with and what is left open; both
follow from what is published, and that is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from atreport.population.cells import Cells, IntArray, arrange
from atreport.population.small_cells import KnownSum, SmallCellAccount, rounded_range, suppressed_range
from atreport.spec.models.process import Process


def restore_cells(document: Mapping[str, Any], process: Process) -> Cells:
    """The cells, which are published in the order in which they are kept, and the population as published."""
    positions = [{value: i for i, value in enumerate(a.values)} for a in process.attributes]
    codes = [
        [place[cell[a.name]] for a, place in zip(process.attributes, positions, strict=True)]
        for cell in document["cells"]
    ]
    people = _people(document)
    between = _between(document, people)
    cells, order = arrange(process, np.array(codes, dtype=np.int32), people, between)
    if (order != np.arange(len(order))).any() or len(cells.group_starts) != len(
        document["privacy"]["groups"]
    ):
        raise ValueError("the cells are not in order, or the groups are not theirs")
    return cells


def _people(document: Mapping[str, Any]) -> IntArray:
    """People in each cell, or steps of their share; of suppressed ones what the figures are calculated with."""
    policy = document["policy"]
    size, decimals = {
        "counts": ("population", 0),
        "shares": ("share", policy.get("share_decimals", 0)),
        "withheld": (None, 0),
    }[policy["population"]]
    sizes = [
        cell[size] if size in cell else cell["guarded"]["counted_as"] if size else 1
        for cell in document["cells"]
    ]
    return np.array([steps(number, decimals) for number in sizes], dtype=np.int64)


def _between(document: Mapping[str, Any], people: IntArray) -> tuple[IntArray, IntArray] | None:
    """The fewest and the most people in each cell, where counts are published but not exactly."""
    policy = document["policy"]
    if policy["population"] != "counts" or policy["small_cells"]["policy"] not in ("round", "suppress"):
        return None
    ends = [
        cell.get("guarded", {}).get("people", (number, number))
        for cell, number in zip(document["cells"], people.tolist(), strict=True)
    ]
    fewest, most = np.array(ends, dtype=np.int64).T
    if ((people < fewest) | (people > most)).any():
        raise ValueError("a cell is counted as more or fewer people than it can have")
    return fewest, most


def restore_small_cells(document: Mapping[str, Any], cells: Cells) -> SmallCellAccount:
    """What was done with counts of few people."""
    stated = document["policy"]["small_cells"]
    account = SmallCellAccount(policy=stated["policy"], under=stated["under"])
    if "suppressed" not in stated:
        if cells.between is not None and not document["privacy"]["unprotectable"]["merged"]:
            _expect_same(cells.between, rounded_range(cells.population, account.under))
        return account
    suppressed = np.array(["counted_as" in cell.get("guarded", {}) for cell in document["cells"]])
    if document["policy"]["population"] == "withheld":
        # which ones is not published, and no public figure depends on it: any so many will do
        suppressed[: stated["suppressed"]] = True
    known = tuple(_known_sum(entry, cells) for entry in stated.get("known_sums", []))
    if cells.between is not None:
        sums = (each.cells for each in known)
        _expect_same(cells.between, suppressed_range(cells.population, suppressed, sums))
    return replace(account, protection=stated["protection"], suppressed=suppressed, known=known)


def _expect_same(stated: tuple[IntArray, IntArray], follows: tuple[IntArray, IntArray]) -> None:
    if not all(map(np.array_equal, stated, follows)):
        raise ValueError("the fewest and the most people do not follow from what is published")


def _known_sum(entry: Mapping[str, Any], cells: Cells) -> KnownSum:
    mask = np.ones(len(cells), dtype=bool)
    for name, value in entry["of"].items():
        mask &= cells.column(name) == cells.process.attribute(name).values.index(value)
    if entry["people"] != cells.population[mask].sum():
        raise ValueError("a published sum is not that of its cells")
    return KnownSum(values=entry["of"], cells=mask, people=entry["people"])


def steps(number: Decimal | int, decimals: int) -> int:
    """A printed figure in whole steps; it has no digits beyond those."""
    found = Decimal(number).scaleb(decimals)
    if found != found.to_integral_value():
        raise ValueError("more digits than are printed")
    return int(found)
