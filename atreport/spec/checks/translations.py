"""Check in which languages a report is made, and the ``translations`` of the spec's texts into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from atreport.errors import Problem
from atreport.spec.models.measures import GroupMeasure
from atreport.spec.models.own_words import one_line, translation, words_of
from atreport.spec.models.process import Process
from atreport.spec.models.spec import ReportInfo
from atreport.spec.models.style import MOST_LETTERS, MOST_TITLE, Style
from atreport.spec.models.transparency import Transparency
from atreport.spec.problems import did_you_mean
from atreport.spec.yaml import Document, KeyPath

LONGEST_NAME = 80
TRANSLATED = ("report", "process", "fairness", "transparency", "disclosure", "form", "style")
"""The sections whose texts readers are shown."""


def check_languages(document: Document, info: ReportInfo | None) -> Iterator[Problem]:
    """The main language is said once."""
    if info is not None and info.languages is not None and info.language != info.languages[0]:
        yield document.problem(
            ("report", "language"),
            f"the main language is the first of 'languages', '{info.languages[0]}'",
            "remove 'language', or put it first",
            at_key=True,
        )


def check_translations(document: Document, sections: Mapping[str, Any]) -> Iterator[Problem]:
    """Every translation is into a language of the report, of a text of the spec, and keeps apart what is apart."""
    translations, info, process = (sections.get(key) for key in ("translations", "report", "process"))
    if not isinstance(translations, Mapping) or not isinstance(info, ReportInfo):
        return
    whole = all(sections.get(key) is not None for key in TRANSLATED if key in document.root)
    known = (
        [one_line(text) for text in texts_of(sections)] if whole and isinstance(process, Process) else None
    )
    for language, texts in translations.items():
        place: KeyPath = ("translations", language)
        if language not in info.all_languages:
            hint = f"it is made in {', '.join(info.all_languages)}; see 'languages' of report"
            yield document.problem(place, f"the report is not made in '{language}'", hint, at_key=True)
        if known is not None and isinstance(process, Process):
            yield from _check_sources(document, texts, known, place)
            yield from _check_names(
                document, texts, [*_kept_apart(process), *_groups_kept_apart(sections)], place
            )
            yield from _check_style(document, texts, sections.get("style"), place)


def texts_of(sections: Mapping[str, Any]) -> list[str]:
    """Every text of a spec that readers are shown and that may be translated, each once."""
    found: dict[str, None] = {}
    for key in TRANSLATED:
        section = sections.get(key)
        for part in section if isinstance(section, tuple) else (section,):
            if isinstance(part, BaseModel):
                found |= dict.fromkeys(words_of(part))
    return list(found)


def _check_sources(
    document: Document, texts: Mapping[str, str], known: Sequence[str], place: KeyPath
) -> Iterator[Problem]:
    for text in texts:
        if text not in known:
            hint = did_you_mean(text, known, listing="its texts")
            yield document.problem(_at(document, place, text), "no such text in this spec", hint, at_key=True)


def _check_names(
    document: Document, texts: Mapping[str, str], kept_apart: Iterable[Sequence[str]], place: KeyPath
) -> Iterator[Problem]:
    """Names are short, and two names of the same kind stay two."""
    change = translation(texts)
    for names in kept_apart:
        seen: dict[str, str] = {}
        for name in names:
            new = change(name)
            at = _at(document, place, one_line(name))
            if name != new and (len(new) > LONGEST_NAME or "\n" in new or "\t" in new):
                message = f"a name may have at most {LONGEST_NAME} characters, and no tab or line break"
                yield document.problem(at, message)
            if seen.setdefault(new, name) != name:
                message = f"'{seen[new]}' and '{name}' would both be called '{new}'"
                yield document.problem(at, message, "readers could not tell them apart; choose another word")


def _check_style(
    document: Document, texts: Mapping[str, str], style: object, place: KeyPath
) -> Iterator[Problem]:
    """What has to fit into its place on the page has to do so in every language."""
    if not isinstance(style, Style):
        return
    change = translation(texts)
    titles = [(section.title, MOST_TITLE, "the title of a section") for section in style.sections]
    covers = [] if style.cover is None else [(style.cover, MOST_LETTERS, "the text of the cover")]
    for text, most, what in (*titles, *covers):
        new = change(text)
        if new != text and len(new) > most:
            message = f"{what} may have {most} characters, and this one has {len(new)}"
            yield document.problem(_at(document, place, one_line(text)), message)


def _kept_apart(process: Process) -> Iterable[list[str]]:
    """Names that readers must be able to tell from one another."""
    yield [attribute.title for attribute in process.attributes]
    yield list(process.outcome.values)
    for attribute in process.attributes:
        coarser = [value for level in attribute.hierarchy for value in level]
        finer = [value for values in (attribute.joined or {}).values() for value in values]
        yield list(dict.fromkeys((*attribute.values, *coarser, *finer)))


def _groups_kept_apart(sections: Mapping[str, Any]) -> Iterable[list[str]]:
    """The same of the groups that a measure names, and of the quantities that are explained."""
    for measure in sections.get("fairness", ()):
        if isinstance(measure, GroupMeasure) and isinstance(measure.groups, dict):
            yield list(measure.groups)
    transparency = sections.get("transparency")
    if isinstance(transparency, Transparency):
        yield [quantity.title for quantity in transparency.influence.quantities]


def _at(document: Document, place: KeyPath, text: str) -> KeyPath:
    """The place of a translation, whatever white space its text was written with."""
    written = next(
        (key[-1] for key in document.key_places if key[:-1] == place and one_line(str(key[-1])) == text), text
    )
    return (*place, written)
