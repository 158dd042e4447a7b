"""Turn a report's figures into equations on the unknown rule: what a reader could calculate with. Confidential.

The same function serves the report as drafted and a negligent one, which prints the same figures of the true rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.explanations import explain_influence, weighted_sum
from atreport.analysis.measures import Measured, measure_one
from atreport.analysis.membership import members
from atreport.analysis.rates import named_groups
from atreport.confidential.attacks.equations import Equation
from atreport.confidential.attacks.rate_knowledge import true_bands
from atreport.confidential.data.table import FloatArray
from atreport.kit.rounding import nearest
from atreport.population.cells import Cells, distinct_rows
from atreport.rule_table import RuleTable
from atreport.spec.models.measures import ErrorRates, IndividualFairness, Measure
from atreport.spec.models.transparency import Transparency

Mask = NDArray[np.bool_]

_DIFFERENCES = ("statistical_parity", "conditional_statistical_parity")


def fairness_equations(table: RuleTable, asked: Sequence[Measure]) -> list[Equation]:
    """Group rates and differences of rates, as printed. Other measures follow from the rates or are not linear."""
    found: list[Equation] = []
    for measure in asked:
        if not isinstance(measure, IndividualFairness):
            masks = dict(named_groups(table.cells, measure.groups))
            for each in measure_one(table, measure, unknown=False):
                if isinstance(each, Measured):
                    found += (
                        _of_measure(table, masks, each)
                        if each.rate is None
                        else _of_errors(table, masks, each)
                    )
    return list({(e.figure, e.coefficients.tobytes()): e for e in found}.values())


def _of_measure(table: RuleTable, masks: Mapping[str, Mask], found: Measured) -> Iterator[Equation]:
    cells, decimals = table.cells, table.decimals
    inside = _stratum(cells, found)
    rates = {rate.group: _rate(cells, masks[rate.group] & inside) for rate in found.rates}
    values = {rate.group: nearest(rate.ranges[0].value, decimals) for rate in found.rates}
    for group, value in values.items():
        yield Equation.printed(f"favourable rate of {group}", rates[group], float(value), decimals)
    binary = table.mapping.shape[1] == 2
    if found.asked.measure in _DIFFERENCES and found.groups and found.ranges and binary:
        first, second = found.groups
        if first in rates and second in rates:
            # the printed rates tell the sign of their difference, unless they are equal
            sign = -1.0 if values[first] < values[second] else 1.0
            yield Equation.printed(
                "difference of rates",
                sign * (rates[first] - rates[second]),
                float(nearest(found.ranges[0].value, decimals)),
                decimals,
                absolute=values[first] == values[second],
            )


def _of_errors(table: RuleTable, masks: Mapping[str, Mask], found: Measured) -> Iterator[Equation]:
    """Error rates that are rates of a part of a group; the predictive rate is no linear figure."""
    cells, asked = table.cells, found.asked
    assert isinstance(asked, ErrorRates)
    sides = {
        "true_positive": asked.positive_values(cells.process),
        "false_positive": asked.negative_values(cells.process),
    }
    for rate in found.rates:
        if rate.kind in sides:
            part, _ = members(cells, {asked.label: sides[rate.kind]})
            value = float(nearest(rate.ranges[0].value, table.decimals))
            inside = _rate(cells, masks[rate.group] & part)
            yield Equation.printed(f"{rate.kind} of {rate.group}", inside, value, table.decimals)


def _stratum(cells: Cells, found: Measured) -> Mask:
    inside = np.ones(len(cells), dtype=bool)
    for name, value in (found.given or {}).items():
        inside &= cells.column(name) == cells.process.attribute(name).values.index(value)
    return inside


def _rate(cells: Cells, mask: Mask) -> FloatArray:
    weights = np.where(mask, cells.population.astype(np.float64), 0.0)
    return np.asarray(weights / weights.sum())


def answer_equations(table: RuleTable) -> list[Equation]:
    """The answer to one data subject in every group, about their own record: a person of its largest cell asks."""
    found = []
    for start, end in zip(
        table.cells.group_starts, [*table.cells.group_starts[1:], len(table.cells)], strict=True
    ):
        cell = int(start) + int(np.argmax(table.cells.population[start:end]))
        coefficients = np.zeros(len(table.cells))
        coefficients[cell] = 1.0
        value = int(table.announced[cell]) / table.scale
        found.append(Equation(figure="answer to a person", coefficients=coefficients, low=value, high=value))
    return found


def promise_equations(table: RuleTable) -> list[Equation]:
    """What a report promises about the rule behind it: every cell in its band and, where they are kept, every group's rate.

    A negligent report is read in the same way: what it prints is the truth, so its bands and rates lie around the truth.
    """
    low, high = true_bands(table)
    place = table.cells.process.outcome.values.index(table.cells.process.outcome.favourable)
    announced = table.announced / table.scale
    found = [
        Equation(figure="fidelity", coefficients=row, low=float(a), high=float(b))
        for row, a, b in zip(np.eye(len(table.cells)), low[:, place], high[:, place], strict=True)
    ]
    if table.rate_move is not None:
        for group in range(len(table.cells.group_starts)):
            rate = _rate(table.cells, table.cells.group == group)
            middle, move = float(rate @ announced), float(table.rate_move)
            found.append(
                Equation(figure="rate of a group", coefficients=rate, low=middle - move, high=middle + move)
            )
    return found


def explanation_equations(
    table: RuleTable, asked: Transparency, labels: Collection[str] = ()
) -> list[Equation]:
    """The influences and curves of the report itself, as printed; those that are not linear are left out.

    They explain the rule without its labels, on average over them: a figure of such an average is one of all its cells.
    """
    described = table.without(labels)
    weights, kept = described.published_weights[0], described.cells.process.attributes
    shares = table.published_weights[0].astype(np.float64)
    columns = [np.column_stack([of.column(a.name) for a in kept]) for of in (described.cells, table.cells)]
    _, both = distinct_rows(np.concatenate(columns))
    place = np.argsort(both[: len(described.cells)])[both[len(described.cells) :]]
    shares /= np.bincount(place, weights=shares)[place]
    found = []
    for figure in explain_influence(described, asked):
        weighted = weighted_sum(described.cells, weights, figure)
        if weighted is not None:
            coefficients = (weighted.coefficients / weighted.denominator).astype(np.float64)
            value = float(nearest(figure.ranges[0].value, table.decimals))
            # printed to the nearest step, and where labels were averaged over, of averages to the nearest step
            steps = 1 + (np.abs(coefficients).sum() if labels else 0)
            half = 0.5 * 10.0**-table.decimals * steps
            found.append(
                Equation(
                    figure=figure.kind,
                    coefficients=coefficients[place] * shares,
                    low=value - half,
                    high=value + half,
                )
            )
    return found


def influence_equations(table: RuleTable) -> list[Equation]:
    """Answers to questions of influence (QII): what all attributes but the public ones do for people of a sensitive value.

    The quantity is the favourable rate of the people of a group with a value; the intervention draws all their other
    attributes from everybody's, independently. Combinations that do not occur in the group are left out of the draw.
    """
    cells = table.cells
    drawn = _share_of_private_values(cells)
    announced = table.announced / table.scale
    found = []
    for protected in cells.protected:
        for value, group in enumerate(protected.group):
            in_group = np.where(cells.group == group, drawn, 0.0)
            influence = _rate(cells, protected.index == value) - in_group / in_group.sum()
            name = f"influence on people with a value of {protected.attribute}"
            printed = round(float(influence @ announced), table.decimals)
            found.append(Equation.printed(name, influence, printed, table.decimals))
    return found


def _share_of_private_values(cells: Cells) -> FloatArray:
    """For every cell, how many of all people share its values of the attributes that are not public."""
    names = [a.name for a in cells.process.attributes if a.role != "public"]
    columns = np.column_stack([cells.column(name) for name in names])
    _, index = np.unique(columns, axis=0, return_inverse=True)
    people = np.bincount(index.ravel(), weights=cells.population.astype(np.float64))
    return np.asarray(people[index.ravel()] / cells.population.sum())
