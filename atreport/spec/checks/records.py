"""Check ``source.records`` against the rest of the spec and the files it names, before any record is read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from atreport.errors import Problem
from atreport.kit.numbers import counted
from atreport.spec.checks.data_files import check_data_file, check_data_files, files_named
from atreport.spec.data_formats import DATA_FORMATS
from atreport.spec.models.naming import unknown_attribute
from atreport.spec.models.policy import Policy
from atreport.spec.models.process import Process
from atreport.spec.models.records import PLAIN_CSV, MissingValue, Model, Records
from atreport.spec.problems import did_you_mean
from atreport.spec.yaml import Document, KeyPath

PICKLES = (".pkl", ".pickle", ".joblib", ".sav")
HERE: KeyPath = ("source", "records")


def check_records(
    document: Document, records: Records, process: Process, policy: Policy | None
) -> Iterable[Problem]:
    """Everything wrong with the section that can be known without reading a record."""
    yield from _check_place(document, records)
    yield from _check_names(document, records, process)
    yield from _check_bins(document, records, process)
    yield from _check_groups(document, records, process)
    yield from _check_missing(document, records, process)
    if records.model is not None:
        yield from _check_model(document, records.model, process)
    if records.population is not None:
        yield from check_data_file(document, (*HERE, "population"), records.population)
    if policy is not None and policy.fidelity.bounds is not None:
        yield document.problem(
            ("policy", "fidelity", "bounds"),
            "records have no columns of bounds",
            "use delta or alpha",
            at_key=True,
        )
    yield from _check_outcome_bins(document, records, process)
    at_median = process.outcome.bins == "median"  # which depends on all records, so no case stands by itself
    counted = records.method == "frequency" and records.population is None and not at_median
    if process.estimated_from == "records" and not counted:
        yield document.problem(
            ("process", "estimated_from"),
            "the probabilities are not frequencies among the people that are counted, so no sampling interval is right",
            "leave 'estimated_from' out: the report says by itself how the rule was estimated",
        )


def _check_place(document: Document, records: Records) -> Iterable[Problem]:
    given = [key for key in ("files", "database") if getattr(records, key) is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        yield document.problem(HERE, f"give exactly one of files, database (found {found})", at_key=True)
    asked = [key for key in ("table", "query") if getattr(records, key) is not None]
    if records.database is not None:
        yield from check_data_file(document, (*HERE, "database"), records.database, endings=())
        if len(asked) != 1:
            yield document.problem((*HERE, "database"), "name either a 'table' of the database or a 'query'")
    elif asked:
        yield document.problem((*HERE, asked[0]), f"'{asked[0]}' needs a 'database'", at_key=True)
    kinds: set[str] = set()
    for index, name in enumerate(records.files or ()):
        place = next(
            (p for p in ((*HERE, "files", index), (*HERE, "files")) if p in document.value_places), HERE
        )
        yield from check_data_files(document, place, name)
        kinds |= {path.suffix.lower() for path in files_named(document.path.parent, name)}
    if records.csv != PLAIN_CSV and ".csv" not in kinds:
        yield document.problem((*HERE, "csv"), "'csv' is for CSV files only", "remove it", at_key=True)
    if records.csv.decimal == "comma" and records.model is not None and records.model.of == "records":
        message = "a model is given the numbers of records as they are, and reads none with a decimal comma"
        yield document.problem((*HERE, "csv", "decimal"), message, "give it a file with decimal points")
    formats = [name for ending, name in DATA_FORMATS.items() if ending in kinds]
    if len(formats) > 1:
        mixed = f"{' and '.join(formats)} files are mixed"
        yield document.problem((*HERE, "files"), mixed, "name files of one kind")


def _check_names(document: Document, records: Records, process: Process) -> Iterable[Problem]:
    """Keys of `columns`, `bins`, `groups` and `missing.attributes` are attributes or the outcome."""
    outcome = process.outcome.name
    for key, names, with_outcome in (
        (("columns",), records.columns, True),
        (("bins",), records.bins, False),
        (("groups",), records.groups, True),
        (("missing", "attributes"), records.when_missing.attributes, True),
        (
            ("estimate", "tree", "attributes"),
            (records.tree.attributes if records.tree else None) or (),
            False,
        ),
    ):
        for index, name in enumerate(names):
            if not (with_outcome and name == outcome):
                step: str | int = index if key[-1] == "attributes" and key[0] == "estimate" else name
                yield from unknown_attribute(
                    document, process, name, (*HERE, *key, step), at_key=isinstance(step, str)
                )


def bin_labels(records: Records, process: Process, name: str) -> tuple[str, ...]:
    """The values of a binned attribute that stand for ranges, in order: all but the one for missing entries."""
    rule = records.when_missing.rule_of(name)
    unknown = rule.value if isinstance(rule, MissingValue) else None
    return tuple(value for value in process.attribute(name).values if value != unknown)


def _check_bins(document: Document, records: Records, process: Process) -> Iterable[Problem]:
    known = {attribute.name for attribute in process.attributes}
    for name in records.bins:
        place: KeyPath = (*HERE, "bins", name)
        if name not in known:
            continue
        if name in records.groups:
            yield document.problem(place, f"'{name}' has bins and groups", "use one of them", at_key=True)
        edges, labels = records.edges(name), bin_labels(records, process, name)
        if edges is None:
            if len(labels) < 2:
                yield document.problem(place, f"'{name}' has one value only, so there is nothing to part")
            continue
        if any(one >= other for one, other in pairwise(edges)):
            yield document.problem(place, "the edges must ascend")
        if len(edges) != len(labels) - 1:
            yield document.problem(
                place,
                f"{_parts(edges)} {len(edges) + 1} bins, but '{name}' has {counted(len(labels), 'value')} to name them",
                f"give {counted(len(labels) - 1, 'edge')}, or list {len(edges) + 1} values in the order of the bins",
            )


def _parts(edges: Sequence[object]) -> str:
    """As in: 1 edge parts, 2 edges part."""
    return f"{counted(len(edges), 'edge')} {'parts' if len(edges) == 1 else 'part'}"


def check_outcome_is_recorded(document: Document, process: Process) -> Iterable[Problem]:
    """Only numbers in records can be cut; a table of cells has a column for each outcome."""
    if process.outcome.bins is not None:
        yield document.problem(
            ("process", "outcome", "bins"),
            "only an outcome of records can be cut: a table of cells has a probability for each outcome",
            "remove 'bins', or give the cases as 'source: {records: …}'",
            at_key=True,
        )


def _check_outcome_bins(document: Document, records: Records, process: Process) -> Iterable[Problem]:
    """Edges ascend and part as many bins as there are outcomes; nothing else says what a number stands for."""
    outcome, place = process.outcome, ("process", "outcome", "bins")
    if outcome.bins is None:
        return
    if outcome.name in records.groups:
        yield document.problem(
            (*HERE, "groups", outcome.name),
            f"'{outcome.name}' has bins and groups",
            "use one of them",
            at_key=True,
        )
    if records.model is not None:
        yield document.problem(
            place,
            "a model answers with outcomes, so there is no number to cut",
            "remove 'bins', or estimate the rule from the recorded numbers",
            at_key=True,
        )
    if outcome.bins == "median":
        if len(outcome.values) != 2:
            yield document.problem(
                place,
                f"the median parts two outcomes, and there are {len(outcome.values)}",
                "list two values: not above the median, and above it",
            )
        return
    if any(one >= other for one, other in pairwise(outcome.bins)):
        yield document.problem(place, "the edges must ascend")
    if len(outcome.bins) != len(outcome.values) - 1:
        yield document.problem(
            place,
            f"{_parts(outcome.bins)} {len(outcome.bins) + 1} bins, but there are {len(outcome.values)} outcomes to name "
            "them",
            f"give {counted(len(outcome.values) - 1, 'edge')}, or list {len(outcome.bins) + 1} values in the order of the "
            "bins",
        )


def _check_groups(document: Document, records: Records, process: Process) -> Iterable[Problem]:
    values = {attribute.name: attribute.values for attribute in process.attributes}
    values[process.outcome.name] = process.outcome.values
    for name, groups in records.groups.items():
        seen: dict[str, str] = {}
        for value, texts in groups.items():
            place: KeyPath = (*HERE, "groups", name, value)
            if name in values and value not in values[name]:
                hint = did_you_mean(value, values[name], listing="its values")
                yield document.problem(place, f"'{value}' is not a value of '{name}'", hint, at_key=True)
            for text in texts:
                if seen.setdefault(text, value) != value:
                    yield document.problem(place, f"'{text}' already stands for '{seen[text]}'", "remove one")


def _check_missing(document: Document, records: Records, process: Process) -> Iterable[Problem]:
    missing = records.when_missing
    known = {attribute.name: attribute.values for attribute in process.attributes}
    if isinstance(missing.rule, MissingValue):
        value = missing.rule.value
        lacking = [n for n, values in known.items() if n not in missing.attributes and value not in values]
        if lacking:
            yield document.problem(
                (*HERE, "missing", "rule"),
                f"'{value}' is not a value of '{lacking[0]}'",
                "add it to the values, or give the attribute a rule of its own under 'attributes'",
            )
    for name, rule in missing.attributes.items():
        place: KeyPath = (*HERE, "missing", "attributes", name)
        if name in known and isinstance(rule, MissingValue) and rule.value not in known[name]:
            hint = did_you_mean(rule.value, known[name], listing="its values")
            yield document.problem(place, f"'{rule.value}' is not a value of '{name}'", hint)
    if isinstance(missing.rule_of(process.outcome.name), MissingValue):
        yield document.problem(
            (*HERE, "missing"),
            f"a missing '{process.outcome.name}' is no outcome",
            f"add 'attributes: {{{process.outcome.name}: exclude}}' (or error)",
            at_key=True,
        )


def _check_model(document: Document, model: Model, process: Process) -> Iterable[Problem]:
    here: KeyPath = (*HERE, "estimate", "model")
    given = [key for key in ("onnx", "python") if getattr(model, key) is not None]
    if len(given) != 1:
        yield document.problem(
            here, f"give exactly one of onnx, python (found {' and '.join(given) or 'none'})"
        )
    if model.onnx is not None and Path(model.onnx).suffix.lower() in PICKLES:
        yield document.problem(
            (*here, "onnx"),
            f"'{model.onnx}' is a pickle, and opening one can run any program: it is never loaded",
            "export the model as ONNX (for scikit-learn: skl2onnx)",
        )
    elif model.onnx is not None:
        yield from check_data_file(document, (*here, "onnx"), model.onnx, endings=(".onnx",))
    if model.python is not None and not all(
        part.isidentifier() for part in model.python.replace(":", ".", 1).split(".")
    ):
        yield document.problem((*here, "python"), f"'{model.python}' is not of the form module:function")
    elif model.python is not None and ":" not in model.python:
        yield document.problem(
            (*here, "python"), f"'{model.python}' names no function", "write module:function"
        )
    if model.of == "cells":
        for index, name in enumerate(model.inputs):
            yield from unknown_attribute(document, process, name, (*here, "inputs", index))
    for name in model.numbers:
        if name not in model.inputs:
            hint = did_you_mean(name, model.inputs, listing="the inputs")
            yield document.problem((*here, "numbers", name), f"'{name}' is not an input", hint, at_key=True)
    if model.classes is not None and sorted(model.classes) != sorted(process.outcome.values):
        yield document.problem(
            (*here, "classes"),
            "the classes are not the outcomes",
            f"list each of {', '.join(process.outcome.values)} once, in the order of the model's output",
        )
