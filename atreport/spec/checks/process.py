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


def _check_hierarchy(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[Problem]:
    """Each level must join every value of the level below exactly once, under names that are new."""
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
            if parent in seen:
                message = f"'{parent}' is already a value below this level"
                yield document.problem((*place, parent), message, "choose a new name", at_key=True)
            for value in children:
                if value not in below:
                    hint = did_you_mean(value, below, listing="the level below")
                    yield document.problem(
                        (*place, parent), f"'{value}' is not a value of the level below", hint
                    )
        below = tuple(parents)
        seen |= set(below)
