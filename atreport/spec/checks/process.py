"""Check the ``process`` section: names that are taken, values that stand twice, hierarchies that do not fit."""

from __future__ import annotations

from collections.abc import Iterable

from atreport.errors import Problem
from atreport.spec.models.policy import Policy
from atreport.spec.models.process import Attribute, Process
from atreport.spec.problems import did_you_mean, listed_twice
from atreport.spec.yaml import Document, KeyPath

RESERVED_NAMES = ("population", "share", "announced")


def check_process(document: Document, process: Process, policy: Policy | None) -> Iterable[Problem]:
    """Outcomes, attributes and values have names of their own, and something is to be protected."""
    outcome = process.outcome
    place: KeyPath = ("process", "outcome")
    if outcome.favourable not in outcome.values:
        yield document.problem(
            (*place, "favourable"),
            f"'{outcome.favourable}' is not an outcome",
            did_you_mean(outcome.favourable, outcome.values, listing="the outcomes"),
        )
    yield from listed_twice(document, (*place, "values"), outcome.values)
    taken = {
        **dict.fromkeys(_reserved_names(policy), "a column of every table"),
        **dict.fromkeys(outcome.values, "an outcome"),
    }
    for index, attribute in enumerate(process.attributes):
        path: KeyPath = ("process", "attributes", index)
        if attribute.name in taken:
            yield document.problem(
                (*path, "name"),
                f"the name '{attribute.name}' is taken: it is {taken[attribute.name]}",
                "choose another",
            )
        taken.setdefault(attribute.name, "another attribute")
        yield from listed_twice(document, (*path, "values"), attribute.values)
        yield from _check_unknown(document, attribute, path)
        yield from _check_hierarchy(document, attribute, path)
        yield from _check_ceilings(document, attribute, path)
        yield from _check_joined(document, attribute, path)
    sensitive = [index for index, attribute in enumerate(process.attributes) if attribute.role == "sensitive"]
    if not sensitive:
        yield document.problem(
            ("process", "attributes"),
            "no attribute is sensitive, so there is nothing to protect",
            "give the attribute that must not be inferred 'role: sensitive'",
            at_key=True,
        )


def _reserved_names(policy: Policy | None) -> Iterable[str]:
    """What stands beside the attributes in the published tables of cells."""
    yield from RESERVED_NAMES
    if policy is not None and policy.fidelity.bounds is not None:
        yield from ("bounds", "lower", "upper")
    if policy is not None and policy.small_cells.policy in ("round", "suppress"):
        yield "guarded"


def _check_unknown(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[Problem]:
    """The value that means "unknown" is one of the values, beside at least one that is known."""
    place = (*path, "unknown")
    if attribute.unknown is None:
        return
    if attribute.unknown not in attribute.values:
        hint = did_you_mean(attribute.unknown, attribute.values, listing="its values")
        yield document.problem(place, f"'{attribute.unknown}' is not a value of '{attribute.name}'", hint)
    elif not attribute.known_values:
        yield document.problem(
            place, f"'{attribute.name}' has no value but the unknown one", "list the others too"
        )


def _check_ceilings(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[Problem]:
    """Ceilings are for values that exist, of an attribute that must not be inferred."""
    place = (*path, "ceilings")
    if attribute.ceilings and attribute.role != "sensitive":
        yield document.problem(
            place,
            f"'{attribute.name}' is {attribute.role}: only values of a sensitive attribute can have ceilings",
            "remove 'ceilings', or write 'role: sensitive'",
            at_key=True,
        )
    for value in attribute.ceilings:
        if value not in attribute.values:
            hint = did_you_mean(value, attribute.values, listing="its values")
            message = f"'{value}' is not a value of '{attribute.name}'"
            yield document.problem((*place, value), message, hint, at_key=True)


def _check_hierarchy(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[Problem]:
    """Each level must join every value of the level below exactly once, under a new name, or alone under its own."""
    if attribute.hierarchy and attribute.role != "public":
        yield document.problem(
            (*path, "hierarchy"), "only public attributes can be made coarser", at_key=True
        )
    below = attribute.values
    seen = set(below)
    for level, parents in enumerate(attribute.hierarchy):
        place: KeyPath = (*path, "hierarchy", level)
        joined = [value for children in parents.values() for value in children]
        for value in below:
            if joined.count(value) != 1:
                often = "is missing at" if value not in joined else "is joined twice at"
                yield document.problem(place, f"'{value}' {often} level {level + 1} of the hierarchy")
        for parent, children in parents.items():
            if parent in seen and children != (parent,):
                message = f"'{parent}' is already a value below this level"
                alone = (
                    f"choose a new name; only a value that stays alone keeps its own: '{parent}: [{parent}]'"
                )
                yield document.problem((*place, parent), message, alone, at_key=True)
            for value in children:
                if value not in below:
                    hint = did_you_mean(value, below, listing="the level below")
                    yield document.problem(
                        (*place, parent), f"'{value}' is not a value of the level below", hint
                    )
        below = tuple(parents)
        seen |= set(below)


def _check_joined(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[Problem]:
    """A joined value is one of the values, and stands for at least two others that are not joined themselves."""
    if attribute.joined is not None and attribute.role == "sensitive":
        yield document.problem(
            (*path, "joined"),
            "of a sensitive attribute every value must be known: no promise can be made about one that stands for several",
            at_key=True,
        )
    if attribute.joined is not None and attribute.hierarchy:
        yield document.problem(
            (*path, "joined"), "an attribute has 'joined' values or a 'hierarchy', not both", at_key=True
        )
    for value, finer in (attribute.joined or {}).items():
        place: KeyPath = (*path, "joined", value)
        if value not in attribute.values or value == attribute.unknown:
            hint = did_you_mean(value, attribute.known_values, listing="its values")
            yield document.problem(
                place, f"'{value}' is not a known value of '{attribute.name}'", hint, at_key=True
            )
        if len(finer) < 2:
            yield document.problem(place, f"'{value}' must stand for two values or more", at_key=True)
        yield from listed_twice(document, place, finer)
        single = [each for each in attribute.known_values if not attribute.stands_for(each)]
        for each in finer:
            if each not in single:
                hint = did_you_mean(each, single, listing="the values that stand for themselves")
                yield document.problem(place, f"'{each}' is no value that stands for itself", hint)
