"""Turn a folder's name into a first spec with data, ready to build and to edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from atreport.commands.form_examples import example_files
from atreport.confidential.proposal.propose import propose
from atreport.errors import OutputError, UsageError
from atreport.kit.resources import templates_folder
from atreport.spec.data_formats import ANY_FORMAT, DATA_ENDINGS
from atreport.spec.schema import SCHEMA_FILE_NAME, schema_text

LARGEST_COPY = 200 * 1024 * 1024
"""A data file outside the folder is copied into it up to this size."""


def write_proposal(
    folder: Path, file: Path, talk: Callable[[str], None]
) -> tuple[list[Path], tuple[str, ...]]:
    """Write a spec proposed for a data file, which is copied below the folder; the paths, and what to look at."""
    if not file.is_file() or file.suffix.lower() not in DATA_ENDINGS:
        what = f"is not a {ANY_FORMAT} file" if file.exists() else "does not exist"
        raise UsageError(f"{file} {what}; --from takes a file of records")
    inside = file.resolve().is_relative_to(folder.resolve())
    name = file.resolve().relative_to(folder.resolve()).as_posix() if inside else f"data/{file.name}"
    if not inside and file.stat().st_size > LARGEST_COPY:
        raise UsageError(f"{file} is too large to be copied; move it below {folder} and name it there")
    proposal = propose(file, name, talk)
    copied = {} if inside else {name: file.read_bytes()}
    written = _write(folder, {"report.yaml": proposal.spec(), SCHEMA_FILE_NAME: schema_text(), **copied})
    return written, proposal.warnings


def write_starter(folder: Path) -> list[Path]:
    """Write the starter files; refuse, before writing any, if one of them exists."""
    source = templates_folder() / "starter"
    contents = {
        path.relative_to(source).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }
    contents[SCHEMA_FILE_NAME] = schema_text()
    return _write(folder, contents)


def write_form_example(folder: Path, template: str) -> list[Path]:
    """Write the example of a regulator's form to start from; refuse, before writing anything, if a file of it exists."""
    return _write(folder, example_files(template))


def _write(folder: Path, contents: Mapping[str, str | bytes]) -> list[Path]:
    targets = {
        folder / name: text if isinstance(text, bytes) else text.encode() for name, text in contents.items()
    }
    existing = [path for path in targets if path.exists()]
    if existing:
        raise OutputError(
            f"{existing[0]} exists already; nothing was written.\n  Choose another folder, or move it away."
        )
    try:
        for path, text in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    except OSError as error:
        raise OutputError(f"{folder}: cannot write there: {error.strerror}.") from None
    return list(targets)
