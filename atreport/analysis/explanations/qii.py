"""Quantitative input influence: what happens to a rate, or to a gap, when attributes are drawn anew.

Guarantee: exact sums over the published cells, with certified intervals; see
:mod:`atreport.analysis.explanations.interventions` for what a draw is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import rounded_down
from atreport.analysis.explanations.figure import Influence, members
from atreport.analysis.explanations.interventions import change_form, reach
from atreport.analysis.explanations.linear_figures import LinearForm, printed, published_weights
from atreport.announcement import Release
from atreport.population.cells import Cells, IntArray
from atreport.spec.models.transparency import Quantity


def qii_form(cells: Cells, weights: IntArray, quantity: Quantity, attributes: Sequence[str]) -> LinearForm:
    """The influence of a set of attributes on a quantity, as a linear form in the favourable probabilities."""
    group, minus = groups_of(cells, quantity)
    form = change_form(cells, weights, group, attributes)
    return form if minus is None else form.minus(change_form(cells, weights, minus, attributes))


def groups_of(cells: Cells, quantity: Quantity) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
    """The cells of the quantity's group, and of the group whose rate is subtracted."""
    group = members(cells, quantity.group or {})
    return group, None if quantity.minus is None else members(cells, quantity.minus)


def has_people(cells: Cells, quantity: Quantity) -> bool:
    """Whether there is somebody in every group of the quantity."""
    return all(group is None or bool(group.any()) for group in groups_of(cells, quantity))


def quantitative_input_influence(
    release: Release, quantity: Quantity, sets: Sequence[Sequence[str]]
) -> Iterator[Influence]:
    """The influence of each set of attributes on a quantity."""
    cells = release.cells
    for attributes in sets:
        forms = [qii_form(cells, w, quantity, attributes) for w in published_weights(release)]
        result, bound = printed(release, forms)
        reached = min(
            reach(cells, weights, group, attributes)
            for weights in published_weights(release)
            for group in groups_of(cells, quantity)
            if group is not None
        )
        yield Influence(
            kind="qii",
            attributes=tuple(attributes),
            quantity=quantity,
            at=None,
            result=result,
            a_priori=bound,
            reach=None if release.population == "withheld" else rounded_down(reached, release.decimals),
        )
