"""Turn what is published into one person's view: which attributes moved their announced outcome, and by how much.

A person's announced probability differs from everybody's average. The difference is shared out among the attributes by
their Shapley values: what drawing an attribute anew changes, averaged over all orders in which the attributes can be drawn
(:mod:`atreport.analysis.explanations.interventions` says what a draw is). With more than twelve attributes, each is drawn
anew by itself instead, and the amounts need not add up.

Guarantee: a function of report.json alone, in exact arithmetic. The amounts explain the announced rule, not the true one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import nearest
from atreport.analysis.explanations.interventions import Drawn, drawn_anew, people, value_counts
from atreport.analysis.explanations.linear_figures import exact_dot, published_weights
from atreport.analysis.explanations.shapley import MAX_EXACT, shapley_weights
from atreport.announcement import Release
from atreport.population.cells import ExactArray, IntArray, exact


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What one attribute's value moved."""

    attribute: str
    value: str
    amount: Decimal  # above 0: towards the favourable outcome


@dataclass(frozen=True, kw_only=True)
class PersonalView:
    """One record: the announced probability of the favourable outcome, everybody's, and what makes the difference."""

    record: Mapping[str, str]
    outcome: str
    announced: Decimal
    average: Decimal
    method: Literal["shapley", "single"]
    contributions: tuple[
        Contribution, ...
    ]  # in the order of the spec; they add up but for rounding (shapley)


@dataclass(frozen=True, kw_only=True, eq=False)
class PublishedTable:
    """The published cells as whole numbers."""

    codes: NDArray[np.int32]
    values: tuple[int, ...]  # how many each attribute has
    weights: IntArray  # people, or shares in whole steps
    steps: IntArray  # announced favourable probability
    decimals: int

    @property
    def average(self) -> Fraction:
        """Everybody's favourable rate as announced."""
        return Fraction(exact_dot(self.weights, self.steps), people(self.weights) * 10**self.decimals)


def personal_view(published: Mapping[str, Any], record: Mapping[str, str]) -> PersonalView | None:
    """The view of one record, from the content of report.json.

    None where nobody has this combination, or where the population is withheld, rounded or suppressed.
    """
    table = table_of(published)
    attributes = published["process"]["attributes"]
    if table is None or any(record.get(a["name"]) not in a["values"] for a in attributes):
        return None
    code = [a["values"].index(record[a["name"]]) for a in attributes]
    found = np.flatnonzero((table.codes == code).all(axis=1))
    if not len(found):
        return None
    cell = int(found[0])
    method: Literal["shapley", "single"] = "shapley" if len(attributes) <= MAX_EXACT else "single"
    amounts = moved_by(table, np.array([cell]))
    return PersonalView(
        record={a["name"]: record[a["name"]] for a in attributes},
        outcome=published["process"]["outcome"]["favourable"],
        announced=Decimal(int(table.steps[cell])).scaleb(-table.decimals),
        average=nearest(table.average, table.decimals),
        method=method,
        contributions=tuple(
            Contribution(
                attribute=a["name"],
                value=record[a["name"]],
                amount=Decimal(int(amounts[k, 0])).scaleb(-table.decimals),
            )
            for k, a in enumerate(attributes)
        ),
    )


def table_of(published: Mapping[str, Any]) -> PublishedTable | None:
    """The cells of report.json, or None where the population is withheld, rounded or suppressed."""
    kind = published["policy"]["population"]
    if kind == "withheld" or published["policy"]["small_cells"]["policy"] in ("round", "suppress"):
        return None
    attributes = published["process"]["attributes"]
    places = [{value: code for code, value in enumerate(a["values"])} for a in attributes]
    cells = published["cells"]
    sizes = [Decimal(str(cell["share" if kind == "shares" else "population"])) for cell in cells]
    finest = max(0, *(-int(size.normalize().as_tuple().exponent) for size in sizes))
    favourable, decimals = published["process"]["outcome"]["favourable"], published["policy"]["decimals"]
    return PublishedTable(
        codes=np.array(
            [[place[cell[a["name"]]] for a, place in zip(attributes, places, strict=True)] for cell in cells],
            dtype=np.int32,
        ),
        values=tuple(len(a["values"]) for a in attributes),
        weights=np.array([int(size.scaleb(finest)) for size in sizes], dtype=np.int64),
        steps=np.array(
            [round(cell["announced"][favourable] * 10**decimals) for cell in cells], dtype=np.int64
        ),
        decimals=decimals,
    )


def table_of_release(release: Release) -> PublishedTable:
    """The same of a release."""
    return PublishedTable(
        codes=release.cells.codes,
        values=tuple(value_counts(release.cells)),
        weights=published_weights(release)[0],
        steps=release.announced,
        decimals=release.decimals,
    )


def moved_by(table: PublishedTable, cells: IntArray) -> IntArray:
    """What each attribute (a row) moved in each of some cells (a column), in whole printed steps, to the nearest."""
    attributes = len(table.values)
    if attributes > MAX_EXACT:
        coalitions = [1 << k for k in range(attributes)]
        shares = np.eye(attributes, dtype=np.int64)
        orders = 1
    else:
        coalitions = list(range(2**attributes))
        shares = np.array([shapley_weights(attributes, k) for k in range(attributes)], dtype=np.int64)
        orders = math.factorial(attributes)
    everybody = people(table.weights)
    largest = 2 * everybody * 10**table.decimals * orders
    total: Any = exact(np.zeros((attributes, len(cells)), dtype=np.int64), largest)
    for place, coalition in enumerate(coalitions):
        columns = [k for k in range(attributes) if coalition >> k & 1]
        draw = drawn_anew(table.codes, table.values, table.weights, columns)
        influence: Any = _influence_on(table, draw, cells).astype(total.dtype)
        total = total + shares[:, place][:, None] * influence[None, :]
    whole = everybody * orders
    # halves go up: the sum of rounded amounts is about the printed difference, and needs no finer rule
    return np.asarray((2 * total + whole) // (2 * whole)).astype(np.int64)


def _influence_on(table: PublishedTable, draw: Drawn, cells: IntArray) -> ExactArray:
    """By how much each cell's announced probability exceeds what a draw leads to, times everybody, in steps."""
    steps = exact(table.steps, draw.everybody * 10**table.decimals)
    met: Any = np.zeros(draw.classes, dtype=steps.dtype)
    np.add.at(met, draw.alike, steps * draw.drawn)
    return np.asarray(steps[cells] * draw.possible[cells] - met[draw.alike[cells]])
