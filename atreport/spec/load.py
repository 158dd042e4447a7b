"""Turn a YAML file into a :class:`Spec`, or into the list of everything that is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from atreport.errors import InvalidInput, Problem
from atreport.spec.checks.distances import check_distances
from atreport.spec.checks.forms import check_form, validate_form
from atreport.spec.checks.records import check_data_file, check_records
from atreport.spec.checks.transparency import check_condition, check_transparency
from atreport.spec.models.measures import (
    ConditionalStatisticalParity,
    GroupDisparity,
    ImpactRatio,
    IndividualFairness,
    Measure,
)
from atreport.spec.models.policy import Policy
from atreport.spec.models.process import Attribute, Process
from atreport.spec.models.source import Source
from atreport.spec.models.spec import Spec
from atreport.spec.models.transparency import Transparency
from atreport.spec.problems import did_you_mean, missing_key, unknown_attribute, validate_section, value_at
from atreport.spec.rows import check_rows, inline_columns, inline_placer
from atreport.spec.yaml import Document, KeyPath, parse_document, read_document

RESERVED_NAMES = ("population", "share", "announced")
MAX_PAIRS = 100_000


def load_spec(path: str | Path) -> Spec:
    """Read and check a spec. Raises :class:`InvalidInput` with every problem, each at its line and column."""
    return check_document(read_document(Path(path)))


def parse_spec(text: str, path: str | Path = "spec.yaml") -> Spec:
    """The same for a text in memory; data files are looked for beside `path`."""
    return check_document(parse_document(text, Path(path)))


def check_document(document: Document) -> Spec:
    """Check every section by itself, then what holds across sections, and report all of it at once."""
    problems: list[Problem] = []
    if not isinstance(document.root, dict):
        raise InvalidInput(
            [document.problem((), "a spec is a list of key: value sections", "start with 'atreport: 1'")]
        )
    fields = Spec.model_fields
    problems += [
        document.problem((key,), f"unknown key '{key}'", did_you_mean(key, fields), at_key=True)
        for key in document.root
        if key not in fields
    ]
    sections: dict[str, Any] = {}
    for key, field in fields.items():
        if key in document.root:
            if key == "fairness" and isinstance(document.root[key], list):
                sections[key] = tuple(
                    validate_section(Measure, document, (key, index), problems)
                    for index in range(len(document.root[key]))
                )
            elif key == "form":
                sections[key] = validate_form(document, problems)
            else:
                sections[key] = validate_section(
                    Annotated[field.annotation, field], document, (key,), problems
                )
        elif field.is_required():
            problems.append(missing_key(document, (), key))
    problems += _across_sections(document, sections)
    if problems:
        raise InvalidInput(problems)
    spec = Spec.model_construct(**sections)  # nothing is left to check
    spec._document = document
    return spec


def _across_sections(document: Document, sections: dict[str, Any]) -> Iterable[Problem]:
    """Problems that only show when two sections are held side by side; skips what is already broken."""
    process, policy, source = (sections.get(key) for key in ("process", "policy", "source"))
    yield from check_form(document, sections.get("form"), process if isinstance(process, Process) else None)
    if isinstance(policy, Policy):
        yield from _check_policy(document, policy)
        yield from _check_mechanism(document, policy, process if isinstance(process, Process) else None)
    if isinstance(source, Source):
        yield from _check_source(document, source)
    if not isinstance(process, Process):
        return
    mismatches = list(_check_process(document, process, policy if isinstance(policy, Policy) else None))
    yield from mismatches
    if isinstance(source, Source) and source.cases is not None:
        yield from check_records(
            document, source.cases, process, policy if isinstance(policy, Policy) else None
        )
    measures = sections.get("fairness")
    for index, measure in enumerate(measures if isinstance(measures, tuple) else ()):
        if measure is not None:
            yield from _check_measure(document, process, measure, ("fairness", index))
    transparency = sections.get("transparency")
    if isinstance(transparency, Transparency):
        yield from check_transparency(document, process, transparency)
    if isinstance(source, Source) and source.table is not None and not mismatches:
        bounds = policy.fidelity.bounds if isinstance(policy, Policy) else None
        yield from check_rows(inline_columns(source), process, bounds, inline_placer(document))[1]


def _check_policy(document: Document, policy: Policy) -> Iterable[Problem]:
    if policy.objective == "fidelity":
        if policy.privacy is None:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' needs a privacy ceiling to keep",
                "add 'privacy: {beta: …}' to policy",
            )
        if policy.fidelity.bounds is not None:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' looks for the best delta or alpha, and bounds has neither",
                "write 'fidelity: {delta: …}' (the least fidelity you accept), or 'objective: privacy'",
            )

    if policy.small_cells.policy == "suppress" and policy.unprotectable in ("suppress", "merge"):
        yield document.problem(
            ("policy", "small_cells"),
            f"'suppress' and 'unprotectable: {policy.unprotectable}' cannot be had together: leaving groups out would "
            "undo the suppression",
            "write 'small_cells: round', or 'unprotectable: refuse'",
        )


def _check_mechanism(document: Document, policy: Policy, process: Process | None) -> Iterable[Problem]:
    """A grid that is fixed in advance needs one distance for all, and has no fidelity to look for."""
    if policy.mechanism != "calibrated":
        return
    place: KeyPath = ("policy", "mechanism")
    delta = policy.fidelity.delta
    if delta is None:
        written = "alpha" if policy.fidelity.alpha is not None else "bounds"
        yield document.problem(
            place,
            f"mechanism 'calibrated' cuts 0 to 1 into equal parts, so it needs delta, not {written}",
            "write 'fidelity: {delta: …}', or 'mechanism: optimal'",
        )
    elif (1 - delta).scaleb(policy.decimals) < 1:
        yield document.problem(
            place,
            f"mechanism 'calibrated' needs 1 - delta to be at least one printed step, 1e-{policy.decimals}",
            "write a lower delta or more 'decimals', or 'mechanism: optimal'",
        )
    if policy.objective == "fidelity":
        yield document.problem(
            ("policy", "objective"),
            "mechanism 'calibrated' has its grid fixed in advance, and a delta chosen by the data would not be",
            "write 'objective: privacy', or 'mechanism: optimal'",
        )
    if process is not None and len(process.outcome.values) > 2:
        yield document.problem(
            place,
            f"mechanism 'calibrated' works for two outcomes, and here are {len(process.outcome.values)}",
            "write 'mechanism: optimal'",
        )


def _check_source(document: Document, source: Source) -> Iterable[Problem]:
    if source.cells is not None:
        yield from check_data_file(document, ("source", "cells"), source.cells)


def _reserved_names(policy: Policy | None) -> Iterable[str]:
    """What stands beside the attributes in the published tables of cells."""
    yield from RESERVED_NAMES
    if policy is not None and policy.fidelity.bounds is not None:
        yield from ("bounds", "lower", "upper")
    if policy is not None and policy.small_cells.policy in ("round", "suppress"):
        yield "guarded"


def _check_process(document: Document, process: Process, policy: Policy | None) -> Iterable[Problem]:
    outcome = process.outcome
    place: KeyPath = ("process", "outcome")
    if outcome.favourable not in outcome.values:
        yield document.problem(
            (*place, "favourable"),
            f"'{outcome.favourable}' is not an outcome",
            did_you_mean(outcome.favourable, outcome.values, listing="the outcomes"),
        )
    yield from _repeated(document, (*place, "values"), outcome.values)
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
        yield from _repeated(document, (*path, "values"), attribute.values)
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


def _repeated(document: Document, path: KeyPath, values: tuple[str, ...]) -> Iterable[Problem]:
    for index, value in enumerate(values):
        if value in values[:index]:
            yield document.problem((*path, index), f"'{value}' is listed twice", "remove one")


def _check_measure(document: Document, process: Process, measure: object, path: KeyPath) -> Iterable[Problem]:
    if isinstance(measure, IndividualFairness):
        yield from check_distances(document, process, measure, path)
        return
    groups = getattr(measure, "groups", None)
    place: KeyPath = (*path, "groups")
    if isinstance(groups, dict):
        for group, condition in groups.items():
            yield from check_condition(document, process, condition, (*place, group))
    elif groups is not None:
        yield from _check_group_attributes(document, process, groups, place)
        if not isinstance(measure, ImpactRatio | GroupDisparity):
            yield from _too_many_pairs(document, process, groups, place)
    if isinstance(measure, ConditionalStatisticalParity):
        written = value_at(document.root, (*path, "given"))
        for index, name in enumerate(measure.given):
            place = (*path, "given", index) if isinstance(written, list) else (*path, "given")
            yield from unknown_attribute(document, process, name, place)
            if name in (
                (groups,) if isinstance(groups, str) else groups if isinstance(groups, tuple) else ()
            ):
                yield document.problem(
                    place, f"'{name}' already defines the groups", "condition on another attribute"
                )


def _check_group_attributes(
    document: Document, process: Process, groups: str | tuple[str, ...], place: KeyPath
) -> Iterable[Problem]:
    """Groups by the values of one attribute, or by the combinations of several."""
    names = (groups,) if isinstance(groups, str) else groups
    for index, name in enumerate(names):
        at = place if isinstance(groups, str) else (*place, index)
        absent = list(unknown_attribute(document, process, name, at))
        yield from absent
        if name in names[:index]:
            yield document.problem(at, f"'{name}' is listed twice", "remove one")
        elif not absent and isinstance(groups, str) and len(process.attribute(name).values) < 2:
            yield document.problem(at, f"'{name}' has a single value: there is nothing to compare")


def _too_many_pairs(
    document: Document, process: Process, groups: str | tuple[str, ...], place: KeyPath
) -> Iterable[Problem]:
    names = (groups,) if isinstance(groups, str) else groups
    known = {attribute.name: len(attribute.values) for attribute in process.attributes}
    combinations = math.prod(known.get(name, 1) for name in names)
    pairs = combinations * (combinations - 1) // 2
    if pairs > MAX_PAIRS:
        yield document.problem(
            place,
            f"up to {combinations:,} groups make {pairs:,} pairs to compare, more than {MAX_PAIRS:,}",
            "use 'measure: group_disparity', which gives the largest difference of all pairs",
        )
