"""Turn a YAML file into a :class:`Spec`, or into the list of everything that is wrong with it."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from atreport.errors import InvalidInput, Location, SpecProblem, UsageError
from atreport.spec.check_records import check_data_file, check_outcome_is_recorded, check_records
from atreport.spec.checks import (
    check_form,
    check_labels,
    check_languages,
    check_policy,
    check_process,
    check_translations,
    questions_first,
    validate_form,
)
from atreport.spec.fairness import Measure, labels_of
from atreport.spec.house_style import read_style
from atreport.spec.mapping import document_of
from atreport.spec.policy import Policy
from atreport.spec.process import Process
from atreport.spec.rows import check_rows, inline_columns, inline_placer
from atreport.spec.source import Source
from atreport.spec.spec import Spec
from atreport.spec.style import Style
from atreport.spec.transparency import Transparency
from atreport.spec.validation import validate_section
from atreport.spec.yaml import Document, did_you_mean, missing_key, parse_document, read_document

MAX_NAME = 200
"""How many bytes the name of a spec may have: files beside the report's folder have longer names than that."""

UNNAMED = "report.yaml"
"""What the file of a spec would be called that was given as a dictionary; its report goes to the folder `report`."""

Found = TypeVar("Found")


def load_spec(path: str | Path) -> Spec:
    """Read and check a spec. Raises :class:`InvalidInput` with every problem, each at its line and column."""
    path = Path(path)
    document = read_document(path)
    _check_file_name(path)
    return check_document(document)


def spec_of(given: str | Path | Mapping[str, Any] | Spec) -> Spec:
    """A checked spec: of a file, of a dictionary with the same keys, or of a Spec that was changed in memory.

    Data files that a dictionary names are looked for in the working folder.
    """
    if isinstance(given, str | Path):
        return load_spec(given)
    if isinstance(given, Mapping):
        return check_document(document_of(given, Path(UNNAMED)))
    written = given._document
    if written is not None and check_document(written) == given:
        return given
    # put together or changed in memory: pydantic checked each value, and nobody what holds across sections
    sections = given.model_dump(exclude_unset=True, exclude_none=True)
    return check_document(document_of(sections, written.path if written else Path(UNNAMED)))


def _check_file_name(path: Path) -> None:
    """The report's folder has the name of the spec: refuse one that no folder of its own can have."""
    name = path.stem
    length = len(os.fsencode(name))
    if set(name) <= {"."} or length > MAX_NAME or not name.isprintable():
        raise InvalidInput(
            [
                SpecProblem(
                    location=Location(str(path)),
                    message="this file name cannot be that of a report's folder"
                    + (f": it has {length} bytes, more than {MAX_NAME}" if length > MAX_NAME else ""),
                    hint="rename the spec, for example to report.yaml",
                )
            ]
        )


def parse_spec(text: str, path: str | Path = "spec.yaml") -> Spec:
    """The same for a text in memory; data files are looked for beside `path`."""
    return check_document(parse_document(text, Path(path)))


def check_document(document: Document) -> Spec:
    """Check every section by itself, then what holds across sections, and report all of it at once."""
    problems: list[SpecProblem] = []
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
    style_files: dict[str, bytes] = {}
    if (style := _unbroken(sections, "style", Style)) is not None:
        sections["style"], style_files = read_style(document, style, sections.get("form"), problems)
    problems += _across_sections(document, sections)
    problems = questions_first(document, problems)
    if problems:
        raise InvalidInput(problems)
    spec = Spec.model_construct(**sections)  # nothing is left to check
    spec._document = document
    spec._style_files = style_files
    return spec


def _across_sections(document: Document, sections: dict[str, Any]) -> Iterable[SpecProblem]:
    """Problems that only show when two sections are held side by side; skips what is already broken."""
    process = _unbroken(sections, "process", Process)
    policy = _unbroken(sections, "policy", Policy)
    source = _unbroken(sections, "source", Source)
    measures = _unbroken(sections, "fairness", tuple) or ()
    labels = labels_of(measure for measure in measures if measure is not None)
    described = None if process is None else process.without(labels)
    yield from check_form(document, sections.get("form"), described)
    yield from check_languages(document, sections.get("report"))
    yield from check_translations(document, sections)
    if policy is not None:
        yield from check_policy(document, policy, process)
    if source is not None and source.cells is not None:
        yield from check_data_file(document, ("source", "cells"), source.cells)
    if process is None:
        return
    mismatches = list(check_process(document, process, policy))
    yield from mismatches
    if source is not None and source.cases is None:
        yield from check_outcome_is_recorded(document, process)
    if source is not None and source.cases is not None:
        yield from check_records(document, source.cases, process, policy)
    for index, measure in enumerate(measures):
        if measure is not None:
            yield from measure.find_problems(document, process, ("fairness", index))
    yield from check_labels(document, measures, source)
    first, *others = [index for index, measure in enumerate(measures) if measure and measure.headline] or [0]
    for index in others:
        message = f"the summary can begin with one measure only, and entry {first + 1} is it already"
        yield document.problem(("fairness", index, "headline"), message, "remove one 'headline'", at_key=True)
    transparency = _unbroken(sections, "transparency", Transparency)
    if transparency is not None and described is not None:
        yield from transparency.find_problems(document, described, ("transparency",))
    if source is not None and source.table is not None and not mismatches:
        bounds = policy.fidelity.bounds if policy is not None else None
        yield from check_rows(inline_columns(source), process, bounds, inline_placer(document))[1]


def _unbroken(sections: dict[str, Any], key: str, model: type[Found]) -> Found | None:
    """A section that was read and found right; None where it is absent or broken."""
    section = sections.get(key)
    return section if isinstance(section, model) else None


SPEC_ENDINGS = (".yaml", ".yml")


def specs_named(paths: Sequence[Path]) -> list[Path]:
    """Files as they are, and of a folder every YAML file that lies in it, by name.

    Raises :class:`UsageError` for a folder without any.
    """
    return [spec for path in paths for spec in (_specs_of_folder(path) if path.is_dir() else [path])]


def _specs_of_folder(folder: Path) -> list[Path]:
    try:
        specs = sorted(
            entry
            for entry in folder.iterdir()
            if entry.suffix in SPEC_ENDINGS and not entry.name.startswith(".") and entry.is_file()
        )
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}.") from None
    if not specs:
        raise UsageError(f"{folder}: there is no spec in this folder: no file that ends in .yaml or .yml.")
    return specs
