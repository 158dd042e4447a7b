"""Turn a report into an entry of the Dutch Algoritmeregister: publication standard 1.0.0.

algoritmeregister.json is the entry as the register's API takes it (version 1.0 of that API): the register's own names,
and nothing else, in Dutch; in the other languages of a report it is in those, if its publisher translated it. On the page
the fields have the register's Dutch titles, with those of the report's language beside them; an empty field that the
register always shows is shown as empty, as there. Figures follow, for which there is no field in the register.
"""

from typing import Any

from atreport.forms.fields import WithheldField
from atreport.forms.written import FieldData
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    ShownSection,
    filled_in,
    unless_spoken,
    written_document,
)
from atreport.pages.layout import paragraphs
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, primary, use_locale

DUTCH = "nl"
"""The language of an entry, whatever that of the report, unless the entry was translated."""
CODES = {"nl": "nld", "en": "eng", "fr": "fra", "de": "deu"}
"""Languages as the API writes them (ISO 639-3); so far it takes Dutch entries alone."""
STANDARD_VERSION = "1.0"  # as the API writes it; the standard calls itself 1.0.0

EMPTY = "Veld niet ingevuld"
"""What the register shows in place of an empty field."""


def files(report: Report) -> dict[str, bytes]:
    """The entry for the register."""
    form = filled_in(report)
    entry = entry_json(form, language_of(report))
    return {name: json_bytes(entry) for name in form.written.document.files}


def language_of(report: Report) -> str:
    """The language of the entry in a report as shown: the report's, where the entry was translated into it.

    What tells is the short description, which every entry has.
    """
    translations = (report.translations or {}).get(report.report.language, {})
    shown = filled_in(report).description_short
    return primary(report.report.language) if shown in translations.values() else DUTCH


def entry_json(form: Any, language: str = DUTCH) -> dict[str, Any]:
    """The entry as the register takes it: texts, lists, and pairs of title and link."""
    with use_locale(language):
        filled = {
            name: str(getattr(form, name)) if isinstance(value, dict) else value
            for name, value in fields_json(form).items()
        }
    return {**filled, "lang": CODES[language], "standard_version": STANDARD_VERSION}


def context(report: Report) -> FormContext:
    """The entry as text."""
    form = filled_in(report)
    language = language_of(report)
    entry, titles_alone = entry_json(form, language), language != DUTCH
    of_titles = unless_spoken(DUTCH) if titles_alone else ""
    sections = (
        ShownSection(
            id=heading.name.lower().replace(" ", "-"),
            title=heading.name,
            also=_also(heading),
            language="" if titles_alone else unless_spoken(DUTCH),
            title_language=of_titles,
            fields=tuple(
                _field(
                    asked,
                    entry.get(key),
                    withheld=isinstance(getattr(form, key, ""), WithheldField),
                    label_language=of_titles,
                )
                for key, asked in heading.fields.items()
                if key in entry or asked.shown_empty
            ),
        )
        for heading in form.written.fields.values()
    )
    return written_document(report, sections)


def _field(asked: FieldData, value: Any, *, withheld: bool, label_language: str) -> FormField:
    also = _also(asked)
    if value is None:
        text: tuple[str, ...] = (EMPTY,)
    else:
        text = tuple(_line(each) for each in value) if isinstance(value, list) else paragraphs(value)
    withheld = withheld or value is None
    return FormField(label=asked.name, also=also, text=text, withheld=withheld, label_language=label_language)


def _also(asked: FieldData) -> str:
    """A title in the language that is spoken, where it is another than the register's own."""
    said = gettext(asked.label)
    return said if unless_spoken(DUTCH) and said != asked.name else ""


def _line(entry: str | dict[str, str]) -> str:
    """An entry of a list: a text, or a title with its link."""
    return entry if isinstance(entry, str) else ": ".join(entry.values())
