"""Check that all languages of a report are there, and that they say the same: only words differ.

The files of one language are looked at under the names that they would have in the main one; what is found is told under
their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from atreport.errors import NotAReport
from atreport.kit.language import say
from atreport.kit.resources import VERIFIER
from atreport.pages.catalogue.published_file import FILE_TITLES
from atreport.pages.files import CHECKSUMS
from atreport.publication.languages import FOR_ALL, published_name
from atreport.publish import OWN_FILES, PUBLIC, language_of, named_in
from atreport.report.published import Published, read_edition
from atreport.report.reader import parse_json
from atreport.verification.findings import Check, NotChecked

_FILE_NAME = re.compile(
    r"(?<![\w.-])(" + "|".join(map(re.escape, sorted(FILE_TITLES, key=len, reverse=True))) + r")(?![\w-])"
)


def further_languages(published: Published) -> tuple[str, ...]:
    """The languages besides the main one in which a folder should hold its report; none of a single file."""
    if published.report is None or not published.path.is_dir():
        return ()
    return published.report.report.all_languages[1:]


def edition_of(published: Published, language: str) -> Published | None:
    """The files of one language, under their names in the main one; None where they hold no report."""
    files: dict[str, bytes] = {}
    for name, content in published.files.items():
        main, tag = language_of(name)
        if tag == language:
            files[main] = content
        elif tag is None and name.startswith(FOR_ALL):
            files[name] = content
    try:
        return read_edition(published.path, files)
    except NotAReport:
        return None


def language_findings(published: Published) -> Iterator[str]:
    """The main language is the first, every file is there in every language and in no other, and all say the same."""
    if published.report is None or not published.path.is_dir():
        return
    info = published.report.report
    main, *further = info.all_languages
    if info.language != main:
        yield say(
            "{name}: is in “{language}” where the main language, “{main}”, should be",
            name=published.source,
            language=info.language[:20],
            main=main,
        )
    for name in published.files:
        _, tag = language_of(name)
        if tag is not None and tag not in further:
            yield say("{name}: the report is not published in “{language}”", name=name, language=tag[:20])
    for language in further:
        yield from _missing(published, language)
        if named_in("report.json", language) in published.files and published.source == "report.json":
            yield from _other_figures(published, language)


def _missing(published: Published, language: str) -> Iterator[str]:
    for name in published.files:
        main, tag = language_of(name)
        other = _name(published, name, language)
        if tag is None and other != name and other not in published.files:
            yield say(
                "{name}: missing, though the report is published in “{language}”",
                name=other,
                language=language,
            )
        if tag == language and main not in published.files:
            yield say("{name}: there is no {main}, of which it is the translation", name=name, main=main)


def _name(published: Published, name: str, language: str) -> str:
    """What a file of the main language is called in another; the same name where one is for all."""
    if published.report is None or name not in FILE_TITLES or name == VERIFIER:
        return name
    return published_name(name, published.report.report.model_copy(update={"language": language}))


def _other_figures(published: Published, language: str) -> Iterator[str]:
    """Where the report.json of another language says more than other words."""
    name = named_in("report.json", language)
    try:
        other = parse_json(published.files[name], name)
    except NotAReport as error:
        yield str(error)
        return
    main = parse_json(published.content, "report.json")
    stated = other.get("report")
    if not isinstance(stated, dict) or stated.get("language") != language:
        yield say("{name}: does not say that it is in “{language}”", name=name, language=language)
    for key in dict.fromkeys((*main, *other)):
        if _without_words(key, main.get(key)) != _without_words(key, other.get(key)):
            yield say(
                "{name}: its {part} is not that of report.json, and only words may differ",
                name=name,
                part=key[:40],
            )


def _without_words(key: str, part: Any) -> Any:
    """A part of a report.json without what differs between languages."""
    if key == "report" and isinstance(part, dict):
        return {name: value for name, value in part.items() if name != "language"}
    if key == "notes" and isinstance(part, list):
        return [
            {name: value for name, value in note.items() if name not in ("title", "text")}
            if isinstance(note, dict)
            else note
            for note in part
        ]
    return part


def told_in(
    language: str, checks: list[Check], not_checked: list[NotChecked]
) -> tuple[list[Check], list[NotChecked]]:
    """What was found in the files of a language, told under their own names."""

    def named(text: str) -> str:
        return _FILE_NAME.sub(lambda found: _own_name(found[0], language), text)

    return [
        Check(
            id=f"{check.id}-{language}",
            what=f"{check.what} ({language})",
            findings=tuple(map(named, check.findings)),
        )
        for check in checks
    ], [replace(each, what=named(each.what)) for each in not_checked]


def _own_name(name: str, language: str) -> str:
    return name if name == VERIFIER or name.startswith(FOR_ALL) else named_in(name, language)


def files_of_no_report(published: Published) -> Iterator[str]:
    """Files that no report has, in any language."""
    own = {*OWN_FILES[PUBLIC]}
    for name in sorted(published.files):
        main, tag = language_of(name)
        if name not in own and (tag is None or main not in own or main == CHECKSUMS):
            yield name
