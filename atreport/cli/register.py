"""``atreport register``: a page, a feed and a catalogue of many published reports."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from atreport.cli.show import progress_of
from atreport.cli.talk import AsJson, Quiet, print_json, say
from atreport.errors import EXIT_FINDINGS, EXIT_FINE, NotAReport, UsageError
from atreport.export.register import Entry, Naming, describe_entry, register_files
from atreport.text.language import LANGUAGES, gettext, use_locale
from atreport.text.numbers import counted
from atreport.verification.watched import (
    CHECKED,
    VERIFIED,
    Gathered,
    UnreliableFolder,
    gather,
    is_confidential,
)
from atreport.write_folder import replace_files

# Write a register of the reports that are published below a folder.


@dataclass(frozen=True, kw_only=True)
class Register:
    """What was written: which files, which reports they list, and which were left out."""

    files: tuple[Path, ...]
    entries: tuple[Entry, ...]
    left_out: tuple[UnreliableFolder, ...]


def write_register(
    folder: Path,
    output: Path | None = None,
    *,
    title: str | None = None,
    publisher: str | None = None,
    url: str | None = None,
    language: str = "en",
    whole: bool = False,
    told: Gathered = lambda _number, _all: None,
) -> Register:
    """Write a register of every report below `folder`.

    Args:
        folder: Public folders are looked for here and below. Nothing confidential is opened.
        output: Where the register goes; the folder `register` in `folder` when left out.
        title: What it is called; that it lists algorithmic transparency reports, in its language, when left out.
        publisher: Who keeps it; the publisher of the reports when left out.
        url: The address at which `output` is published, which makes its addresses absolute.
        language: The language of the register itself, a key of ``LANGUAGES``; each report is listed in its own.
        whole: Verify each report, and do not only read it and compare checksums.
        told: Called with how many reports were looked at, of how many.
    """
    _refuse(folder, url, language)
    target = folder / "register" if output is None else output
    entries: list[Entry] = []
    left_out: list[UnreliableFolder] = []
    seen: dict[str, Entry] = {}
    for found in gather(folder, told, whole=whole):
        if isinstance(found, UnreliableFolder):
            left_out.append(found)
            continue
        if found.report is None:
            continue
        entry = describe_entry(found.report, found.files, _address(found.path, target))
        first = seen.setdefault(entry.identifier, entry)
        if first is entry:
            entries.append(entry)
        else:
            left_out.append(UnreliableFolder(folder=found.path, reasons=(_twice(entry, first),)))
    if not entries:
        raise NotAReport(
            f"{folder}: there is no report below this folder that can be listed.\n"
            "  Give the folder that `atreport build` wrote to: reports are looked for in folders named public.\n"
            + "".join(f"  {each.folder}: {each.reasons[0]}\n" for each in left_out[:20])
        )
    names = sorted({entry.publisher for entry in entries})
    with use_locale(language):
        naming = Naming(
            title=title or gettext("Algorithmic transparency reports"),
            publisher=publisher or (names[0] if len(names) == 1 else gettext("Several publishers")),
            language=language,
            url=None if url is None else url.rstrip("/") + "/",
        )
    written = replace_files(target, register_files(naming, entries, VERIFIED if whole else CHECKED))
    return Register(files=tuple(written), entries=tuple(entries), left_out=tuple(left_out))


def _refuse(folder: Path, url: str | None, language: str) -> None:
    if language not in LANGUAGES:
        known = ", ".join(f"{tag} ({name})" for tag, name in LANGUAGES.items())
        raise UsageError(f"--language {language}: registers are written in these languages: {known}.")
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder.")
    if any(map(is_confidential, folder.resolve().parts)):
        raise UsageError(f"{folder}: a folder named confidential is never opened.")
    if url is not None and not url.startswith(("https://", "http://")):
        raise UsageError(f"--url {url}: give an address that begins with https://")


def _address(public: Path, register: Path) -> str:
    """Where a public folder lies as seen from the register: a relative address, with a slash at its end."""
    path = os.path.relpath(public.resolve(), register.resolve())
    return quote(Path(path).as_posix()) + "/"


def _twice(entry: Entry, first: Entry) -> str:
    if entry.sha256 == first.sha256:
        return f"a copy of the report in {first.folder}, which is listed"
    return (
        f"the same publisher, title and version (or DOI) as the report in {first.folder}, with other figures: a corrected "
        "report needs a version of its own"
    )


def register(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Where reports were built: public folders are looked for in it and below."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Default: the folder register in FOLDER."),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title", help="What the register is called. Default: Algorithmic transparency reports."
        ),
    ] = None,
    publisher: Annotated[
        str | None, typer.Option("--publisher", help="Who keeps it. Default: who publishes the reports.")
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="The address at which DIR is published, if it is known.")
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            help="The language of the register itself: en, fr, de or nl. Each report keeps its own.",
        ),
    ] = "en",
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Verify each report as `atreport verify` does, not its checksums alone."
        ),
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Write a register of published reports: a page to search, a feed and a catalogue."""
    with progress_of(folder, quiet=quiet) as show:
        found = write_register(
            folder,
            output,
            title=title,
            publisher=publisher,
            url=url,
            language=language,
            whole=verify,
            told=lambda number, of: show(f"reading reports {number} of {of}"),
        )
    for each in found.left_out:
        say(f"{each.folder}: left out: {'; '.join(each.reasons[:3])}")
    if as_json:
        print_json(
            {
                "ok": not found.left_out,
                "files": [str(file) for file in found.files],
                "listed": [entry.identifier for entry in found.entries],
                "left_out": [
                    {"folder": str(each.folder), "reasons": list(each.reasons)} for each in found.left_out
                ],
            }
        )
    else:
        print("\n".join(map(str, found.files)))
        if not quiet:
            left = f", {len(found.left_out)} left out" if found.left_out else ""
            say(f"{folder}: {counted(len(found.entries), 'report')} listed{left}")
    return EXIT_FINDINGS if found.left_out else EXIT_FINE
