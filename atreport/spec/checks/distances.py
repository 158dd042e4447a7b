"""Check the distances of individual fairness against the attributes they are about, each problem at its place."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.errors import Problem
from atreport.spec.models.measures import IndividualFairness, MatrixDistance, ScaleDistance
from atreport.spec.models.process import Attribute, Process
from atreport.spec.problems import did_you_mean, unknown_attribute
from atreport.spec.yaml import Document, KeyPath, parse_number


def check_distances(
    document: Document, process: Process, measure: IndividualFairness, path: KeyPath
) -> Iterable[Problem]:
    """Every attribute exists; numbers and matrices have an entry for each of its values, and make a distance."""
    for name, distance in measure.distance.items():
        place: KeyPath = (*path, "distance", name)
        absent = list(unknown_attribute(document, process, name, place, at_key=True))
        yield from absent
        if absent:
            continue
        if isinstance(distance, ScaleDistance) and distance.numbers is not None:
            yield from _check_numbers(document, process.attribute(name), distance, (*place, "numbers"))
        elif isinstance(distance, MatrixDistance):
            yield from _check_matrix(document, process.attribute(name), distance, (*place, "matrix"))


def _check_numbers(
    document: Document, attribute: Attribute, distance: ScaleDistance, place: KeyPath
) -> Iterable[Problem]:
    if not isinstance(distance.numbers, dict):
        wordy = [value for value in attribute.values if not _is_number(value)]
        if wordy:
            yield document.problem(
                place,
                f"'{wordy[0]}' is a value of '{attribute.name}' and not a number",
                f"give a number for each value: 'numbers: {{{wordy[0]}: …}}'",
            )
        return
    for value in distance.numbers:
        if value not in attribute.values:
            hint = did_you_mean(value, attribute.values, listing="its values")
            yield document.problem(
                (*place, value), f"'{value}' is not a value of '{attribute.name}'", hint, at_key=True
            )
    for value in attribute.values:
        if value not in distance.numbers:
            yield document.problem(place, f"'{value}' has no number", f"add '{value}: …'", at_key=True)


def _is_number(text: str) -> bool:
    number = parse_number(text)
    return number is not None and abs(number) < 10**12 and number == round(number, 12)


def _check_matrix(
    document: Document, attribute: Attribute, distance: MatrixDistance, place: KeyPath
) -> Iterable[Problem]:
    rows, count = distance.matrix, len(attribute.values)
    if len(rows) != count:
        message = f"'{attribute.name}' has {count} values, and the matrix has {len(rows)} rows"
        yield document.problem(
            place, message, "one row for each value, in the order of the values", at_key=True
        )
        return
    uneven = [index for index, row in enumerate(rows) if len(row) != count]
    for index in uneven:
        message = f"'{attribute.name}' has {count} values, and this row has {len(rows[index])} entries"
        yield document.problem(
            (*place, index), message, "one entry for each value, in the order of the values"
        )
    if uneven:
        return
    for i, row in enumerate(rows):
        if row[i] != 0:
            message = f"the distance of '{attribute.values[i]}' from itself is {row[i]}"
            yield document.problem((*place, i, i), message, "write 0 on the diagonal")
        for j in range(i):
            if row[j] != rows[j][i]:
                pair = f"'{attribute.values[j]}' and '{attribute.values[i]}'"
                message = f"the distance of {pair} is {rows[j][i]} above the diagonal and {row[j]} below it"
                yield document.problem((*place, i, j), message, "a distance is the same both ways")
