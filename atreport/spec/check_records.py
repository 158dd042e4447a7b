"""Check ``source.records`` against the rest of the spec and the files it names, before any record is read."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path

from atreport.errors import SpecProblem
from atreport.spec.policy import Policy
from atreport.spec.process import Process, unknown_attribute, unknown_value
from atreport.spec.source import PLAIN_CSV, MissingValue, Model, Records
from atreport.spec.values import not_one_of
from atreport.spec.yaml import (
    ANY_FORMAT,
    DATA_ENDINGS,
    DATA_FORMATS,
    SPREADSHEETS,
    Document,
    KeyPath,
    did_you_mean,
)
from atreport.text.numbers import counted

PICKLES = (".pkl", ".pickle", ".joblib", ".sav")
HERE: KeyPath = ("source", "records")


def check_records(
    document: Document, records: Records, process: Process, policy: Policy | None
) -> Iterable[SpecProblem]:
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


def _check_place(document: Document, records: Records) -> Iterable[SpecProblem]:
    if problem := not_one_of(records, ("files", "database")):
        yield document.problem(HERE, problem, at_key=True)
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


def _check_names(document: Document, records: Records, process: Process) -> Iterable[SpecProblem]:
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


def _check_bins(document: Document, records: Records, process: Process) -> Iterable[SpecProblem]:
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
        named = f"'{name}' has {counted(len(labels), 'value')}"
        yield from _check_edges(document, edges, len(labels), named, place)


def _check_edges(
    document: Document, edges: Sequence[Decimal], labels: int, named: str, place: KeyPath
) -> Iterable[SpecProblem]:
    """Edges ascend and part as many bins as there are names for them."""
    if any(one >= other for one, other in pairwise(edges)):
        yield document.problem(place, "the edges must ascend")
    if len(edges) != labels - 1:
        part = f"{counted(len(edges), 'edge')} {'parts' if len(edges) == 1 else 'part'} {len(edges) + 1} bins"
        yield document.problem(
            place,
            f"{part}, but {named} to name them",
            f"give {counted(labels - 1, 'edge')}, or list {len(edges) + 1} values in the order of the bins",
        )


def check_outcome_is_recorded(document: Document, process: Process) -> Iterable[SpecProblem]:
    """Only numbers in records can be cut; a table of cells has a column for each outcome."""
    if process.outcome.bins is not None:
        yield document.problem(
            ("process", "outcome", "bins"),
            "only an outcome of records can be cut: a table of cells has a probability for each outcome",
            "remove 'bins', or give the cases as 'source: {records: …}'",
            at_key=True,
        )


def _check_outcome_bins(document: Document, records: Records, process: Process) -> Iterable[SpecProblem]:
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
    named = f"there are {len(outcome.values)} outcomes"
    yield from _check_edges(document, outcome.bins, len(outcome.values), named, place)


def _check_groups(document: Document, records: Records, process: Process) -> Iterable[SpecProblem]:
    values = {attribute.name: attribute.values for attribute in process.attributes}
    values[process.outcome.name] = process.outcome.values
    for name, groups in records.groups.items():
        seen: dict[str, str] = {}
        for value, texts in groups.items():
            place: KeyPath = (*HERE, "groups", name, value)
            if name in values:
                yield from unknown_value(document, value, values[name], name, place, at_key=True)
            for text in texts:
                if seen.setdefault(text, value) != value:
                    yield document.problem(place, f"'{text}' already stands for '{seen[text]}'", "remove one")


def _check_missing(document: Document, records: Records, process: Process) -> Iterable[SpecProblem]:
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
        if name in known and isinstance(rule, MissingValue):
            yield from unknown_value(document, rule.value, known[name], name, place)
    if isinstance(missing.rule_of(process.outcome.name), MissingValue):
        yield document.problem(
            (*HERE, "missing"),
            f"a missing '{process.outcome.name}' is no outcome",
            f"add 'attributes: {{{process.outcome.name}: exclude}}' (or error)",
            at_key=True,
        )


def _check_model(document: Document, model: Model, process: Process) -> Iterable[SpecProblem]:
    here: KeyPath = (*HERE, "estimate", "model")
    if problem := not_one_of(model, ("onnx", "python")):
        yield document.problem(here, problem)
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


# Which files a spec's names stand for: files below the spec's folder and no others, whatever characters a
# name has.
#
# A name is a name: ``data[1].csv`` is the file of that name. Only under ``files`` may it be a pattern (``*``,
# ``?``, ``[…]``, ``**``) where no file has it, and patterns are matched here, name by name, without following
# any link.

MOST_ENTRIES = 100_000
"""How many files and folders are looked at for one pattern."""

_OUTSIDE = "keep the data in the spec's folder or below it"


class _Refused(Exception):
    """A pattern or folder that is not followed; the message and the hint say why."""


def check_data_file(
    document: Document, path: KeyPath, name: str, endings: tuple[str, ...] = DATA_ENDINGS
) -> Iterable[SpecProblem]:
    """Problems with a single file that a spec names; endings are those allowed."""
    file = Path(name)
    if endings and file.suffix.lower() not in endings:
        kind = f"a {ANY_FORMAT}" if endings == DATA_ENDINGS else f"a {endings[0]}"
        yield document.problem(path, f"'{name}' is not {kind} file", _other_format(file, endings))
    elif not inside(document.path.parent, file):
        yield document.problem(path, f"'{name}' is outside the spec's folder", _OUTSIDE)
    elif not _is(Path.is_file, document.path.parent / file):
        yield document.problem(path, f"there is no file '{name}'", "the path is relative to the spec")


def check_data_files(document: Document, path: KeyPath, name: str) -> Iterable[SpecProblem]:
    """Problems with a file, a pattern or a hive folder that a spec names under ``files``."""
    try:
        found = _named(document.path.parent, name)
    except _Refused as refusal:
        yield document.problem(path, *refusal.args)
        return
    if not found:
        yield document.problem(path, f"there is no file '{name}'", "the path is relative to the spec")
    for file in found:
        if file.suffix.lower() not in DATA_ENDINGS:
            message = f"'{file.name}' is not a {ANY_FORMAT} file"
            yield document.problem(path, message, _other_format(file, DATA_ENDINGS))
            return


def _other_format(file: Path, endings: tuple[str, ...]) -> str:
    """What to do with a file of another format."""
    if file.suffix.lower() in SPREADSHEETS:
        return f"save its sheet as CSV (UTF-8), or let 'atreport init DIR --from {file.name}' make a copy of records"
    return f"use a {' or '.join(endings)} file"


def files_named(folder: Path, name: str) -> list[Path]:
    """The files that a path, a pattern or a hive folder stands for, in order of name; none where it is refused."""
    with suppress(_Refused):
        return _named(folder, name)
    return []


def inside(folder: Path, file: Path) -> bool:
    """Whether a relative path stays in the folder's tree, links followed."""
    try:
        root = folder.resolve()
        return not file.is_absolute() and (root / file).resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # links that go in circles
        return False


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    with suppress(OSError):  # a name that no file can have
        return kind(path)
    return False


def _named(folder: Path, name: str) -> list[Path]:
    if Path(name).is_absolute() or ".." in Path(name).parts or not inside(folder, Path(name)):
        raise _Refused(f"'{name}' is outside the spec's folder", _OUTSIDE)
    if _is(Path.is_file, folder / name):
        return [folder / name]
    search = _Search()
    if _is(Path.is_dir, folder / name):
        found = search.below(folder / name, ("**", "*"))
        return sorted(path for path in found if path.suffix.lower() in DATA_ENDINGS)
    return sorted(search.below(folder, Path(name).parts))


class _Search:
    """Looks for files that match a pattern, part by part."""

    def __init__(self) -> None:
        self.looked_at = 0

    def below(self, folder: Path, parts: tuple[str, ...]) -> Iterator[Path]:
        """The files below a folder; :class:`_Refused` where one is a link, or there is too much to look at."""
        head, rest = parts[0], parts[1:]
        if head == "**":
            yield from self.below(folder, rest or ("*",))
        for entry in self._entries(folder):
            if head == "**":
                if entry.is_dir(follow_symlinks=False):
                    yield from self.below(folder / entry.name, parts)
                continue
            if not fnmatchcase(entry.name, head):
                continue
            if entry.is_symlink():
                raise _Refused(
                    f"'{entry.name}' is a link, and a pattern follows none",
                    "put the file itself there, or name it without a pattern",
                )
            if not rest and entry.is_file():
                yield folder / entry.name
            elif rest and entry.is_dir():
                yield from self.below(folder / entry.name, rest)

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                found = list(entries)
        except OSError:
            return []
        self.looked_at += len(found)
        if self.looked_at > MOST_ENTRIES:
            raise _Refused(
                f"more than {MOST_ENTRIES:,} files and folders would be looked at",
                "name a folder of their own for the data, or the files",
            )
        return found
