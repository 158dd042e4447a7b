"""Turn a folder's name into a first spec with data, ready to build and to edit; or a file of records into a proposal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from atreport.commands.form_examples import example_files
from atreport.confidential.proposal.copy import copy_columns
from atreport.confidential.proposal.everyday_file import EverydayFile, open_file
from atreport.confidential.proposal.propose import Answers, propose
from atreport.confidential.proposal.proposed_policy import ProposedPolicy, propose_policy
from atreport.confidential.proposal.proposed_spec import Proposal, SpecText
from atreport.confidential.proposal.question import Ask, only_what_is_sure
from atreport.confidential.proposal.reading import Reading, read_columns
from atreport.errors import InvalidInput, OutputError, UsageError
from atreport.kit.resources import templates_folder
from atreport.publish import write_new
from atreport.spec.load import parse_spec
from atreport.spec.schema import SCHEMA_FILE_NAME, schema_text

LARGEST_COPY = 200 * 1024 * 1024
"""A data file outside the folder is copied into it up to this size."""

SPEC_NAME, IGNORE_NAME = "report.yaml", ".gitignore"


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """What was written for a file of records, and what its author should know. Confidential: it is about the records."""

    written: tuple[Path, ...]
    proposal: Proposal
    policy: ProposedPolicy
    notes: tuple[str, ...]  # how the file was read, and what is to be done
    copied: bool


def write_proposal(
    folder: Path,
    file: Path,
    *,
    ask: Ask = only_what_is_sure,
    answers: Answers | None = None,
    encoding: str | None = None,
    talk: Callable[[str], None] = lambda _words: None,
) -> Proposed:
    """Write a spec proposed for a file of records, and a copy of the columns it uses, unless the file is in the folder.

    Nothing is written before everything is known, and nothing over another file.
    """
    _refuse_existing(folder, [SPEC_NAME, SCHEMA_FILE_NAME])
    with TemporaryDirectory(prefix="atreport-") as place:
        scratch = Path(place)
        try:
            opened = open_file(file, scratch, ask, encoding)
            reading = read_columns(opened, talk)
            proposal = propose(reading, ask, answers, talk)
        except InvalidInput as error:  # of a copy in the scratch folder: name the file its author knows
            raise InvalidInput(
                [replace(p, location=replace(p.location, file=str(file))) for p in error.problems]
            ) from None
        except UsageError as error:
            raise UsageError(str(error) if str(file) in str(error) else f"{file}: {error}") from None
        data, copied = _data_file(folder, opened, reading, proposal, scratch)
        text = SpecText(proposal=proposal, data=data, delimiter=opened.delimiter)
        talk("policy")
        tried = (scratch if copied else folder) / SPEC_NAME
        policy = _policy(file, str(replace(text, answered=True)), tried)
        files = {
            SPEC_NAME: str(replace(text, policy=policy)).encode(),
            SCHEMA_FILE_NAME: schema_text().encode(),
        }
        notes = list(reading.notes)
        kept_out = "/" + re.sub(r"([\\*?\[\]#! ])", r"\\\1", data)
        ignored = f"# not for a repository: records of people, and the true rule\n{kept_out}\n/output/\n"
        if (folder / IGNORE_NAME).exists():
            notes.append(f"add to {folder / IGNORE_NAME}: {kept_out} and /output/")
        else:
            files[IGNORE_NAME] = ignored.encode()
        if copied:
            files[data] = (scratch / data).read_bytes()
    written = write_new(folder, files, private=[data])
    return Proposed(
        written=tuple(written), proposal=proposal, policy=policy, notes=tuple(notes), copied=copied
    )


def _policy(file: Path, text: str, path: Path) -> ProposedPolicy:
    """A policy for the spec that is proposed; what cannot be read of it would be no help to its author."""
    try:
        return propose_policy(parse_spec(text, path))
    except InvalidInput as error:
        said = "\n".join(f"  {problem.message}" for problem in error.problems)
        raise UsageError(
            f"{file}: no spec could be made of this file; nothing was written.\n{said}"
        ) from None


def _data_file(
    folder: Path, opened: EverydayFile, reading: Reading, proposal: Proposal, scratch: Path
) -> tuple[str, bool]:
    """How the spec names its data, and whether that is a copy, which then is in the scratch folder."""
    path = opened.path.resolve()
    inside = path.is_relative_to(folder.resolve())
    if inside and opened.as_it_is and reading.counts is None:
        return path.relative_to(folder.resolve()).as_posix(), False
    if path.stat().st_size > LARGEST_COPY:
        raise UsageError(
            f"{opened.path} is too large to be copied; move it below {folder} and name it there"
            if opened.as_it_is
            else f"{opened.path} is too large to be copied; save it as CSV (UTF-8) below {folder} and name it there"
        )
    ending = ".parquet" if path.suffix.lower() == ".parquet" else ".csv"
    name = f"data/{path.stem}{ending}"
    if (folder / name).exists():
        name = f"data/{path.stem} (used columns){ending}"
    _refuse_existing(folder, [name])
    (scratch / "data").mkdir()
    copy_columns(reading.source, proposal.columns, scratch / name)
    return name, True


def write_starter(folder: Path) -> list[Path]:
    """Write the starter files; refuse, before writing any, if one of them exists."""
    source = templates_folder() / "starter"
    contents = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }
    return write_new_spec(folder, contents)


def write_form_example(folder: Path, template: str) -> list[Path]:
    """Write the example of a regulator's form to start from; refuse, before writing anything, if a file of it exists."""
    return write_new_spec(folder, example_files(template))


def write_new_spec(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Write the files of a new spec with its JSON Schema and, where there is none, a `.gitignore`: all of them or none."""
    files = {**contents, SCHEMA_FILE_NAME: schema_text().encode()}
    if not (folder / IGNORE_NAME).exists():
        files[IGNORE_NAME] = b"# not for a repository: output/ holds the true rule\n/output/\n"
    _refuse_existing(folder, list(files))
    return write_new(folder, files)


def _refuse_existing(folder: Path, names: list[str]) -> None:
    for name in names:
        if (folder / name).exists():
            raise OutputError(
                f"{folder / name} exists already; nothing was written.\n  Choose another folder, or move it away."
            )
