"""The coefficients behind every published linear figure: for whoever wants to recalculate it, or to attack with it."""

from __future__ import annotations

from atreport.analysis.explanations.dependence import ale_form, ice_form, pdp_form
from atreport.analysis.explanations.figure import Influence, cell_of
from atreport.analysis.explanations.linear_figures import LinearForm
from atreport.analysis.explanations.local_weights import weight_forms
from atreport.analysis.explanations.qii import qii_form
from atreport.analysis.explanations.shapley import MAX_EXACT, shapley_form
from atreport.population.cells import Cells, IntArray


def linear_form(cells: Cells, weights: IntArray, influence: Influence) -> LinearForm | None:
    """The figure as a weighted sum of the cells' favourable probabilities; None where it is not one.

    `weights` is the population it is calculated for, as `published_weights` gives it. Permutation importance and FIRM
    are not linear; Shapley values of more than 12 attributes are estimates.
    """
    if influence.kind in {"qii", "shapley"}:
        assert influence.quantity is not None
        if influence.kind == "qii":
            return qii_form(cells, weights, influence.quantity, influence.attributes)
        if len(cells.process.attributes) > MAX_EXACT:
            return None
        return shapley_form(cells, weights, influence.quantity, influence.attributes[0])
    if influence.at is None:
        return None
    if influence.kind == "ice":
        cell = cell_of(cells, influence.at)
        return None if cell is None else ice_form(cells, cell)
    if influence.kind == "lime":
        names = [(), *((attribute.name,) for attribute in cells.process.attributes)]
        return weight_forms(cells, weights, influence.at)[names.index(influence.attributes)]
    (attribute,) = influence.attributes
    form = pdp_form if influence.kind == "pdp" else ale_form
    return form(cells, weights, attribute, influence.at[attribute])
