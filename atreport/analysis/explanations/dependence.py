"""How the announced probability changes along an attribute: partial dependence, individual curves, accumulated effects.

- *Partial dependence* (PDP) at a value: the favourable rate if everybody had that value. Where nobody has that value with a
  person's other attributes, the person stays as they are, as for every intervention here.
- *Individual conditional expectation* (ICE): the announced probabilities of people who are alike in everything else, along
  the values that occur among them.
- *Accumulated local effects* (ALE): steps from each value to the next, averaged over the people at either value for whom
  both occur, added up in the order of the spec's list, and centred so that the average over all people is 0.

Guarantee: all are exact linear forms in the announced probabilities, with certified intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from atreport.analysis.assessment import rounded_down
from atreport.analysis.explanations.figure import Influence
from atreport.analysis.explanations.interventions import (
    class_sums,
    classes_of,
    columns_of,
    people,
    value_counts,
)
from atreport.analysis.explanations.linear_figures import LinearForm, printed, published_weights
from atreport.announcement import Release
from atreport.population.cells import Cells, IntArray

MAX_VALUES = 60
"""The most values of an attribute along which there are curves."""

MAX_CURVES = 6
"""The most individual curves for an attribute: those of the largest classes of people."""


def pdp_form(cells: Cells, weights: IntArray, attribute: str, value: str) -> LinearForm:
    """The favourable rate if everybody had this value."""
    alike, classes = _alike(cells, attribute)
    everybody = people(weights)
    there = _at(cells, attribute, value)
    can_move = _can_move(alike, classes, there)
    coming = class_sums(weights, alike, classes, everybody)[alike]
    coefficients = np.where(there, coming, np.where(can_move, 0, weights))
    return LinearForm(coefficients=coefficients, denominator=everybody)


def ice_form(cells: Cells, cell: int) -> LinearForm:
    """The announced probability of one cell."""
    coefficients = np.zeros(len(cells), dtype=np.int64)
    coefficients[cell] = 1
    return LinearForm(coefficients=coefficients, denominator=1)


def ale_form(cells: Cells, weights: IntArray, attribute: str, value: str) -> LinearForm | None:
    """The accumulated local effect at a value; None where a step between two values can be made by nobody."""
    steps = _steps(cells, weights, attribute)
    if steps is None:
        return None
    everybody, code = people(weights), cells.process.attribute(attribute).values.index(value)
    column = cells.column(attribute)
    denominator = everybody * math.lcm(1, *(step.people for step in steps))
    coefficients = np.zeros(len(cells), dtype=object)
    for step in steps:
        above = Fraction(people(np.where(column >= step.to, weights, 0)), everybody)
        factor = ((1 if step.to <= code else 0) - above) / step.people * denominator
        coefficients += int(factor) * step.coefficients.astype(object)
    return LinearForm(coefficients=coefficients, denominator=denominator)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Step:
    """From a value to the next that occurs: who can make it, and what it does to the sum of their probabilities."""

    to: int  # the code of the higher value
    people: int
    coefficients: IntArray


def _steps(cells: Cells, weights: IntArray, attribute: str) -> list[_Step] | None:
    alike, classes = _alike(cells, attribute)
    column, everybody = cells.column(attribute), people(weights)
    codes = np.unique(column).tolist()
    steps = []
    for before, after in pairwise(codes):
        both = _can_move(alike, classes, column == before) & _can_move(alike, classes, column == after)
        at_either = both & ((column == before) | (column == after))
        movers = class_sums(np.where(at_either, weights, 0), alike, classes, everybody)[alike]
        number = people(np.where(at_either, weights, 0))
        if number == 0:
            return None
        sign = np.where(column == after, 1, -1)
        steps.append(
            _Step(
                to=after, people=number, coefficients=np.where(at_either, sign * movers, 0).astype(np.int64)
            )
        )
    return steps


def _alike(cells: Cells, attribute: str) -> tuple[IntArray, int]:
    """Classes of cells that are alike in everything but the attribute."""
    own = columns_of(cells, [attribute])
    others = [column for column in range(cells.codes.shape[1]) if column not in own]
    return classes_of(cells.codes, value_counts(cells), others)


def _at(cells: Cells, attribute: str, value: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(cells.column(attribute) == cells.process.attribute(attribute).values.index(value))


def _can_move(
    alike: IntArray, classes: int, there: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether a cell with the value exists among those that are alike."""
    found = np.zeros(classes, dtype=bool)
    found[alike[there]] = True
    return found[alike]


def partial_dependence(release: Release, attribute: str) -> Iterator[Influence]:
    """One figure for each value that occurs."""
    cells = release.cells
    alike, classes = _alike(cells, attribute)
    for value in _occurring(cells, attribute):
        forms = [pdp_form(cells, weights, attribute, value) for weights in published_weights(release)]
        result, bound = printed(release, forms)
        can_move = _can_move(alike, classes, _at(cells, attribute, value))
        reached = min(
            Fraction(people(np.where(can_move, weights, 0)), people(weights))
            for weights in published_weights(release)
        )
        yield Influence(
            kind="pdp",
            attributes=(attribute,),
            quantity=None,
            at={attribute: value},
            result=result,
            a_priori=bound,
            reach=None if release.population == "withheld" else rounded_down(reached, release.decimals),
        )


def individual_curves(release: Release, attribute: str) -> Iterator[Influence]:
    """The announced probabilities of the largest classes of people who are alike in everything else."""
    cells = release.cells
    alike, classes = _alike(cells, attribute)
    # by the population as published: an order by exact counts could tell shares apart that are printed alike
    weights = published_weights(release)[0]
    sizes = class_sums(weights, alike, classes, people(weights))
    several = np.bincount(alike, minlength=classes) > 1
    largest = np.argsort(-np.where(several, sizes, 0), kind="stable")[:MAX_CURVES]
    for chosen in largest[several[largest]]:
        for cell in np.flatnonzero(alike == chosen).tolist():
            result, bound = printed(release, [ice_form(cells, cell)])
            yield Influence(
                kind="ice",
                attributes=(attribute,),
                quantity=None,
                at=cells.labels(cell, cells.process.attributes),
                result=result,
                a_priori=bound,
            )


def accumulated_effects(release: Release, attribute: str) -> Iterator[Influence]:
    """One figure for each value that occurs; none where a step between two values can be made by nobody."""
    for value in _occurring(release.cells, attribute):
        forms = [ale_form(release.cells, weights, attribute, value) for weights in published_weights(release)]
        whole = [form for form in forms if form is not None]
        if not whole:
            return
        result, bound = printed(release, whole)
        yield Influence(
            kind="ale",
            attributes=(attribute,),
            quantity=None,
            at={attribute: value},
            result=result,
            a_priori=bound,
        )


def _occurring(cells: Cells, attribute: str) -> list[str]:
    values = cells.process.attribute(attribute).values
    return [values[int(code)] for code in np.unique(cells.column(attribute))]
