"""``atreport init``: what an author needs to write a first spec."""

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import duckdb
import typer

from atreport.cli.show import progress_of
from atreport.cli.talk import say
from atreport.errors import InvalidInput, OutputError, UsageError
from atreport.forms import FORMS
from atreport.private.data.data_files import literal, name_in_sql
from atreport.private.data.record_source import RecordSource
from atreport.private.proposal.input_file import ENDINGS, EverydayFile, open_file
from atreport.private.proposal.propose import Answers, propose
from atreport.private.proposal.proposed_spec import (
    NOT_NEEDED,
    Proposal,
    ProposedPolicy,
    SpecText,
    propose_policy,
)
from atreport.private.proposal.reading import Reading, read_columns
from atreport.private.proposal.vocabulary import Ask, Question, only_what_is_sure
from atreport.resources import examples_folder, templates_folder
from atreport.spec.load import parse_spec
from atreport.spec.validation import SCHEMA_FILE_NAME, schema_text
from atreport.spec.yaml import did_you_mean
from atreport.write_folder import write_new

# Ask an author on the terminal: the choices with what speaks for each, and a default that one can take with
# Enter.

OPEN = "?"
"""What one types to leave a question open."""


def ask_on_terminal(question: Question) -> tuple[str, ...] | None:
    """The answers that are typed; None where the question is left open."""
    say(f"\n{question.text}")
    for number, choice in enumerate(question.choices, start=1):
        why = f"  ({'; '.join(choice.reasons)})" if choice.reasons else ""
        say(f"  {number}  {choice.answer}{why}")
    kinds = "numbers or names, with commas between them" if question.several else "a number or a name"
    enter = ", ".join(question.likely) if question.likely else "leave it open in the spec"
    leave = "" if not question.likely else f"; {OPEN}: leave it open in the spec"
    while True:
        print(f"  {kinds} (Enter: {enter}{leave}): ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        typed = line.strip()
        if not line or typed == OPEN or (not typed and not question.likely):
            return None
        if not typed:
            return question.likely
        answers, unknown = read_answers(question, typed)
        if unknown is None:
            return answers
        say(f"  '{unknown}' is none of them.")


def read_answers(question: Question, typed: str) -> tuple[tuple[str, ...], str | None]:
    """The choices that were typed, by number or by name; and the first text that is none."""
    names = [choice.answer for choice in question.choices]
    known = {*names, *question.also}
    if typed in known:  # a name may have a comma in it, or be a number itself
        return (typed,), None
    parts = [part.strip() for part in typed.split(",")] if question.several else [typed]
    found = []
    for part in filter(None, parts):
        if part not in known and not (part.isdecimal() and 1 <= int(part) <= len(names)):
            return (), part
        found.append(part if part in known else names[int(part) - 1])
    return tuple(dict.fromkeys(found)), None if found else typed


# Turn a folder's name into a first spec with data, ready to build and to edit; or a file of records into a
# proposal.

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
    _copy_columns(reading.source, proposal.columns, scratch / name)
    return name, True


def _copy_columns(source: RecordSource, columns: Sequence[str], target: Path) -> None:
    """Write the columns that a spec uses, of all records, in their order, texts as they are; what is not needed stays."""
    listed = ", ".join(name_in_sql(name) for name in columns)
    as_parquet = target.suffix.lower() == ".parquet"
    how = "FORMAT parquet" if as_parquet else f"FORMAT csv, HEADER, DELIMITER {literal(source.delimiter)}"
    with source.connect(in_order=True) as connection:
        try:
            connection.execute(
                f"COPY (SELECT {listed} FROM {source.relation}) TO {literal(str(target))} ({how})"
            )
        except duckdb.Error as error:
            raise source.unreadable(error) from None


def starter_files() -> dict[str, bytes]:
    """The files of a first spec."""
    source = templates_folder() / "starter"
    return {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }


def _write_new_spec(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write the files of a new spec with its JSON Schema and, where there is none, a `.gitignore`: all of them or none."""
    files = {**contents, SCHEMA_FILE_NAME: schema_text().encode()}
    if not (folder / IGNORE_NAME).exists():
        files[IGNORE_NAME] = b"# not for a repository: output/ holds the true rule\n/output/\n"
    _refuse_existing(folder, list(files))
    for path in write_new(folder, files):
        print(path)


def _refuse_existing(folder: Path, names: list[str]) -> None:
    for name in names:
        if (folder / name).exists():
            raise OutputError(
                f"{folder / name} exists already; nothing was written.\n  Choose another folder, or move it away."
            )


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to start in; made if it does not exist.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help=f"Propose a spec for this file of decided cases: {', '.join(ENDINGS)}.",
        ),
    ] = None,
    template: Annotated[
        str | None, typer.Option(help="Start from the example of a regulator's form, such as ll144 or eeoc.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Ask nothing: write what is sure, mark the rest in the spec.")
    ] = False,
    outcome: Annotated[
        str | None, typer.Option(help="The column that says how each case was decided.")
    ] = None,
    favourable: Annotated[str | None, typer.Option(help="The value of it that people hope for.")] = None,
    public: Annotated[
        list[str] | None, typer.Option(help="A column that others may know of a person; may be repeated.")
    ] = None,
    sensitive: Annotated[
        list[str] | None, typer.Option(help="A column that must not be inferred; may be repeated.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="The encoding of a text file that is not UTF-8, such as cp1252.")
    ] = None,
) -> None:
    """Write a commented spec and data to start from."""
    given = {
        "outcome": outcome and [outcome],
        "favourable": favourable and [favourable],
        "public": public,
        "sensitive": sensitive,
    }
    answers = {about: tuple(said) for about, said in given.items() if said}
    if template is not None:
        if data is not None:
            raise UsageError("--template starts from an example, --from from your data: choose one")
        _write_new_spec(folder, example_files(template))
        say(f"Everything in {folder / 'report.yaml'} is invented: put your own in its place.")
        say(f"Then run: atreport check {folder / 'report.yaml'}")
        return
    if data is None:
        if answers or encoding or yes:
            raise UsageError(
                "--yes, --outcome, --favourable, --public, --sensitive and --encoding need --from FILE"
            )
        _write_new_spec(folder, starter_files())
        say(f"Now edit {folder / 'report.yaml'}, then run: {_build(folder)}")
        return
    if not yes and sys.stdin.isatty() and sys.stderr.isatty():
        proposed = write_proposal(folder, data, ask=ask_on_terminal, answers=answers, encoding=encoding)
    else:
        with progress_of(data) as progress:
            proposed = write_proposal(
                folder, data, ask=only_what_is_sure, answers=answers, encoding=encoding, talk=progress
            )
    print("\n".join(str(path) for path in proposed.written))
    _tell(folder / "report.yaml", proposed)


def _tell(spec: Path, proposed: Proposed) -> None:
    """What was found, what stayed out, and what is left to do."""
    proposal = proposed.proposal
    for note in (*proposed.notes, *proposal.warnings):
        say(f"note: {note}")
    favourable = "" if proposal.favourable is None else f", favourable: {proposal.favourable}"
    sure = "Perhaps the outcome" if proposal.outcome_open else "The outcome"
    say(f"{sure}: {proposal.outcome.column}{favourable}")
    for attribute in proposal.attributes:
        role = "role to be said" if attribute.role == "open" else attribute.role
        say(f"Attribute: {attribute.column} ({role})")
    if proposal.not_used:
        where = "was not copied" if proposed.copied else "is not used"
        say(f"What {where}:")
        for name, why in proposal.not_used:
            if why != NOT_NEEDED:
                say(f"  {name}: {why}")
        spare = ", ".join(name for name, why in proposal.not_used if why == NOT_NEEDED)
        if spare:
            say(f"  {NOT_NEEDED}: {spare}")
    for line in proposed.policy.price:
        say(f"Proposed policy (confidential): {line}")
    number = proposal.questions
    if number:
        say(
            f"{'One question is' if number == 1 else f'{number} questions are'} left for you in {spec}: "
            'write your answer in the place of each text that begins with "??".'
        )
    say(f"{'Then' if number else 'Now'} go through the lines marked CHECK in {spec}.")
    say(f"Then run: {_build(spec.parent)}")


def _build(folder: Path) -> str:
    """The command that builds into the folder, where .gitignore keeps the output out of a repository."""
    return (
        f"atreport build {shlex.quote(str(folder / 'report.yaml'))} -o {shlex.quote(str(folder / 'output'))}"
    )


# The example spec of every regulator's form, as a spec to start from.
#
# The examples are those of ``specs/``, which are shipped with the program: what people start from is what
# tests build.

_TEMPLATE = re.compile(r"^  template: *(\w+)", re.MULTILINE)
_DATA_FILE = re.compile(r"^  (?:cells|records): *([^\s{#]+)", re.MULTILINE)


def form_examples() -> dict[str, Path]:
    """The example of each form: the first spec, by name, whose template it is."""
    found: dict[str, Path] = {}
    for path in sorted(examples_folder().glob("*.yaml")):
        template = _TEMPLATE.search(path.read_text(encoding="utf-8"))
        if template is not None and template[1] in FORMS:
            found.setdefault(template[1], path)
    return found


def example_files(template: str) -> dict[str, bytes]:
    """The files to start a form from: its example as report.yaml, the data it names, and the schema for editors."""
    examples = form_examples()
    if template not in examples:
        hint = did_you_mean(template, examples, listing="the forms")
        raise UsageError(f"there is no form '{template}'; {hint}")
    path = examples[template]
    text = path.read_text(encoding="utf-8")
    data = {name: (path.parent / name).read_bytes() for name in _DATA_FILE.findall(text)}
    modeline = f"# yaml-language-server: $schema={SCHEMA_FILE_NAME}\n"
    return {SPEC_NAME: (modeline + text).encode(), SCHEMA_FILE_NAME: schema_text().encode(), **data}
