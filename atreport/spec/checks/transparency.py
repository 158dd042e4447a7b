"""Check the transparency section against the process it explains, each problem at its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from atreport.errors import Problem
from atreport.spec.models.process import Process
from atreport.spec.models.transparency import Transparency
from atreport.spec.problems import did_you_mean, unknown_attribute
from atreport.spec.yaml import Document, KeyPath


def check_transparency(document: Document, process: Process, transparency: Transparency) -> Iterable[Problem]:
    """Every attribute and value that is named exists, and every record is whole."""
    root: KeyPath = ("transparency",)
    yield from _check_names(document, process, transparency.ordered, (*root, "ordered"))
    for index, anchor in enumerate(transparency.rules.anchors):
        place: KeyPath = (*root, "rules", "anchors", index, "record")
        yield from _check_record(document, process, anchor.record, place)
    influence: KeyPath = (*root, "influence")
    for index, names in enumerate(transparency.influence.sets):
        yield from _check_names(document, process, names, (*influence, "sets", index))
    for index, record in enumerate(transparency.influence.local_weights):
        yield from _check_record(document, process, record, (*influence, "local_weights", index))
    for index, quantity in enumerate(transparency.influence.quantities):
        for key in ("group", "minus"):
            condition = getattr(quantity, key)
            if condition is not None:
                place = (*influence, "quantities", index, key)
                yield from check_condition(document, process, condition, place)
    if not transparency.influence.quantities:
        asked = {"shapley": transparency.influence.shapley, "sets": transparency.influence.sets}
        for key in (key for key, wanted in asked.items() if wanted):
            yield document.problem(
                (*influence, key),
                f"'{key}' is about quantities, and there are none",
                "add 'quantities: [{title: …, group: …}]' beside it",
                at_key=True,
            )
    titles = [quantity.title for quantity in transparency.influence.quantities]
    for index, title in enumerate(titles):
        if title in titles[:index]:
            place = (*influence, "quantities", index, "title")
            yield document.problem(place, f"'{title}' is the title of another quantity", "choose another")
    if transparency.dependence is not None:
        names = transparency.dependence.attributes or ()
        yield from _check_names(document, process, names, (*root, "dependence", "attributes"))


def _check_names(
    document: Document, process: Process, names: Sequence[str], place: KeyPath
) -> Iterable[Problem]:
    for index, name in enumerate(names):
        yield from unknown_attribute(document, process, name, (*place, index))
        if name in names[:index]:
            yield document.problem((*place, index), f"'{name}' is listed twice", "remove one")


def _check_record(
    document: Document, process: Process, record: Mapping[str, str], place: KeyPath
) -> Iterable[Problem]:
    yield from check_condition(document, process, {name: (value,) for name, value in record.items()}, place)
    for attribute in process.attributes:
        if attribute.name not in record:
            yield document.problem(
                place,
                f"this record has no value of '{attribute.name}'",
                f"add '{attribute.name}: …'; a record has a value of every attribute",
            )


def check_condition(
    document: Document, process: Process, condition: Mapping[str, Sequence[Any]], place: KeyPath
) -> Iterable[Problem]:
    """Every attribute of a condition exists, and has the values named."""
    for name, values in condition.items():
        absent = list(unknown_attribute(document, process, name, (*place, name), at_key=True))
        yield from absent
        for value in () if absent else values:
            if value not in process.attribute(name).values:
                hint = did_you_mean(value, process.attribute(name).values, listing="its values")
                yield document.problem((*place, name), f"'{value}' is not a value of '{name}'", hint)
