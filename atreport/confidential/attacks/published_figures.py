"""Turn a report's figures into equations on the unknown rule: what a reader could calculate with. Confidential.

The same function serves the report as drafted and a negligent one, which prints the same figures of the true rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import Assessment
from atreport.analysis.explanations.explain import influence_figures
from atreport.analysis.explanations.linear_figures import published_weights
from atreport.analysis.explanations.linear_forms import linear_form
from atreport.analysis.fairness import assess
from atreport.analysis.rates import named_groups
from atreport.announcement import Release
from atreport.confidential.attacks.equations import Equation
from atreport.confidential.data.table import FloatArray
from atreport.population.cells import Cells
from atreport.spec.models.measures import IndividualFairness, Measure
from atreport.spec.models.spec import PublicSpec

Mask = NDArray[np.bool_]

_DIFFERENCES = ("statistical_parity", "conditional_statistical_parity")


def rule_equations(release: Release) -> list[Equation]:
    """The announced rule itself: the probability of every cell, printed without rounding."""
    identity = np.eye(len(release.cells))
    announced = release.announced / release.scale
    return [
        Equation(figure="announced rule", coefficients=row, low=float(value), high=float(value))
        for row, value in zip(identity, announced, strict=True)
    ]


def fairness_equations(release: Release, spec: PublicSpec) -> list[Equation]:
    """Group rates and differences of rates, as printed. Other measures follow from the rates or are not linear."""
    found: list[Equation] = []
    for measure in spec.fairness:
        if isinstance(measure, IndividualFairness):
            continue
        assessments, _ = assess(release, spec.model_copy(update={"fairness": (measure,)}), unknown=False)
        for assessment in assessments:
            found += _of_assessment(release, measure, assessment)
    return list({(e.figure, e.coefficients.tobytes()): e for e in found}.values())


def _of_assessment(release: Release, measure: Measure, assessment: Assessment) -> Iterator[Equation]:
    assert not isinstance(measure, IndividualFairness)
    cells = release.cells
    masks = dict(named_groups(cells, measure.groups))
    inside = _stratum(cells, assessment)
    rates = {rate.group: _rate(cells, masks[rate.group] & inside) for rate in assessment.rates}
    for rate in assessment.rates:
        name = f"favourable rate of {rate.group}"
        yield Equation.printed(name, rates[rate.group], float(rate.rate.value), release.decimals)
    binary = release.mapping.shape[1] == 2
    if assessment.measure in _DIFFERENCES and assessment.groups and assessment.result and binary:
        values = {rate.group: rate.rate.value for rate in assessment.rates}
        first, second = assessment.groups
        if first in rates and second in rates:
            # the printed rates tell the sign of their difference, unless they are equal
            sign = -1.0 if values[first] < values[second] else 1.0
            yield Equation.printed(
                "difference of rates",
                sign * (rates[first] - rates[second]),
                float(assessment.result.value),
                release.decimals,
                absolute=values[first] == values[second],
            )


def _stratum(cells: Cells, assessment: Assessment) -> Mask:
    inside = np.ones(len(cells), dtype=bool)
    for name, value in (assessment.given or {}).items():
        inside &= cells.column(name) == cells.process.attribute(name).values.index(value)
    return inside


def _rate(cells: Cells, mask: Mask) -> FloatArray:
    weights = np.where(mask, cells.population.astype(np.float64), 0.0)
    return np.asarray(weights / weights.sum())


def answer_equations(release: Release) -> list[Equation]:
    """The answer to one data subject in every group, about their own record: a person of its largest cell asks."""
    found = []
    for start, end in zip(
        release.cells.group_starts, [*release.cells.group_starts[1:], len(release.cells)], strict=True
    ):
        cell = int(start) + int(np.argmax(release.cells.population[start:end]))
        coefficients = np.zeros(len(release.cells))
        coefficients[cell] = 1.0
        value = int(release.announced[cell]) / release.scale
        found.append(Equation(figure="answer to a person", coefficients=coefficients, low=value, high=value))
    return found


def explanation_equations(release: Release, spec: PublicSpec) -> list[Equation]:
    """The influences and curves of the report itself, as printed; those that are not linear are left out."""
    if not release.small_cells.is_exact:
        return []  # none is printed
    weights = published_weights(release)[0]
    found = []
    for figure in influence_figures(release, spec, []):
        form = linear_form(release.cells, weights, figure)
        if form is not None:
            coefficients = (form.coefficients / form.denominator).astype(np.float64)
            value = float(figure.result.value)
            found.append(Equation.printed(figure.kind, coefficients, value, release.decimals))
    return found


def influence_equations(release: Release) -> list[Equation]:
    """Answers to questions of influence (QII): what all attributes but the public ones do for people of a sensitive value.

    The quantity is the favourable rate of the people of a group with a value; the intervention draws all their other
    attributes from everybody's, independently. Combinations that do not occur in the group are left out of the draw.
    """
    cells = release.cells
    drawn = _share_of_private_values(cells)
    announced = release.announced / release.scale
    found = []
    for protected in cells.protected:
        for value, group in enumerate(protected.group):
            in_group = np.where(cells.group == group, drawn, 0.0)
            influence = _rate(cells, protected.index == value) - in_group / in_group.sum()
            name = f"influence on people with a value of {protected.attribute}"
            printed = round(float(influence @ announced), release.decimals)
            found.append(Equation.printed(name, influence, printed, release.decimals))
    return found


def _share_of_private_values(cells: Cells) -> FloatArray:
    """For every cell, how many of all people share its values of the attributes that are not public."""
    names = [a.name for a in cells.process.attributes if a.role != "public"]
    columns = np.column_stack([cells.column(name) for name in names])
    _, index = np.unique(columns, axis=0, return_inverse=True)
    people = np.bincount(index.ravel(), weights=cells.population.astype(np.float64))
    return np.asarray(people[index.ravel()] / cells.population.sum())
