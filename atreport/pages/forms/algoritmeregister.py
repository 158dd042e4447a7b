"""Turn a report into an entry of the Dutch Algoritmeregister: publication standard 1.0.0.

algoritmeregister.json is the entry as the register's API takes it (version 1.0 of that API): the register's own names,
and nothing else, in Dutch; in the other languages of a report it is in those, if its publisher translated it. On the page
the fields have the register's Dutch titles, with those of the report's language beside them; an empty field that the
register always shows is shown as empty, as there. Figures follow, for which there is no field in the register.
"""

from typing import Any

from atreport.forms.algoritmeregister import AlgoritmeregisterForm
from atreport.forms.fields import WithheldField
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    FormSection,
    announced_notice,
    checking_section,
    figures_section,
    filled_in,
    notes_section,
    unless_spoken,
)
from atreport.pages.layout import make_cover, paragraphs
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, message, primary, use_locale

FILE = "algoritmeregister.json"
FILE_TITLES = {FILE: message("This entry as the Algoritmeregister takes it")}
DUTCH = "nl"
"""The language of an entry, whatever that of the report, unless the entry was translated."""
CODES = {"nl": "nld", "en": "eng", "fr": "fra", "de": "deu"}
"""Languages as the API writes them (ISO 639-3); so far it takes Dutch entries alone."""
STANDARD_VERSION = "1.0"  # as the API writes it; the standard calls itself 1.0.0

Titles = dict[str, tuple[str, str]]

SECTIONS: dict[tuple[str, str], Titles] = {
    ("Algemene informatie", message("General information")): {
        "name": ("Naam", message("Name")),
        "description_short": ("Korte omschrijving", message("Short description")),
        "organization": ("Organisatie", message("Organisation")),
        "category": ("Thema", message("Policy field")),
        "status": ("Status", message("Status")),
        "begin_date": ("Begindatum", message("In use since")),
        "end_date": ("Einddatum", message("Out of use since")),
        "contact_email": ("Contactgegevens", message("Contact")),
        "website": ("Link naar publiekspagina", message("Page for the public")),
        "publication_category": ("Publicatiecategorie", message("Category of publication")),
        "url": ("Link naar bronregistratie", message("Entry in the organisation’s own register")),
    },
    ("Verantwoord gebruik", message("Responsible use")): {
        "goal": ("Doel en impact", message("Purpose and impact")),
        "proportionality": ("Afwegingen", message("Considerations")),
        "human_intervention": ("Menselijke tussenkomst", message("Human intervention")),
        "risks": ("Risicobeheer", message("Risk management")),
        "lawful_basis": ("Wettelijke basis", message("Legal basis")),
        "lawful_basis_grouping": ("Verwijzingen wettelijke basis", message("Laws")),
        "process_index_url": ("Link naar verwerkingsregister", message("Register of processing")),
        "impacttoetsen_grouping": ("Impacttoetsen", message("Impact assessments")),
        "impacttoetsen": ("Toelichting op impacttoetsen", message("On the impact assessments")),
    },
    ("Werking", message("How it works")): {
        "source_data": ("Gegevens", message("Data")),
        "source_data_grouping": ("Verwijzingen gegevensbronnen", message("Sources of data")),
        "methods_and_models": ("Technische werking", message("Technical working")),
        "provider": ("Leverancier", message("Supplier")),
        "publiccode": ("Link naar broncode", message("Source code")),
    },
    ("Metadata", message("About this entry")): {
        "lang": ("Taal", message("Language")),
        "standard_version": ("Versie publicatiestandaard", message("Version of the standard")),
        "source_id": ("Bron-ID", message("Number in the organisation’s own register")),
        "tags": ("Zoektermen", message("Search terms")),
    },
}
"""Every field of the standard, in its order: the title in the register, and the same to be said to other readers."""

ALWAYS_SHOWN = frozenset(
    {
        "category", "begin_date", "goal", "proportionality", "human_intervention", "risks", "impacttoetsen_grouping",
        "source_data", "methods_and_models", "provider",
    }
)  # fmt: skip
"""What the register shows even where it is empty."""

EMPTY = "Veld niet ingevuld"
"""What the register shows in place of an empty field."""


def files(report: Report) -> dict[str, bytes]:
    """The entry for the register."""
    return {FILE: json_bytes(entry_json(filled_in(report, AlgoritmeregisterForm), language_of(report)))}


def language_of(report: Report) -> str:
    """The language of the entry in a report as shown: the report's, where the entry was translated into it.

    What tells is the short description, which every entry has.
    """
    translations = (report.translations or {}).get(report.report.language, {})
    shown = filled_in(report, AlgoritmeregisterForm).description_short
    return primary(report.report.language) if shown in translations.values() else DUTCH


def entry_json(form: AlgoritmeregisterForm, language: str = DUTCH) -> dict[str, Any]:
    """The entry as the register takes it: texts, lists, and pairs of title and link."""
    with use_locale(language):
        filled = {
            name: str(getattr(form, name)) if isinstance(value, dict) else value
            for name, value in fields_json(form).items()
        }
    return {**filled, "lang": CODES[language], "standard_version": STANDARD_VERSION}


def context(report: Report) -> FormContext:
    """The entry as text."""
    form = filled_in(report, AlgoritmeregisterForm)
    language = language_of(report)
    entry, titles_alone = entry_json(form, language), language != DUTCH
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Entry for the Algoritmeregister"),
        notice=announced_notice(
            report,
            gettext("This entry follows the register’s publication standard 1.0.0, and adds figures."),
        ),
        sections=(
            *(
                FormSection(
                    id=dutch.lower().replace(" ", "-"),
                    title=dutch,
                    also=_also(dutch, title),
                    language="" if titles_alone else unless_spoken(DUTCH),
                    title_language=unless_spoken(DUTCH) if titles_alone else "",
                    fields=tuple(
                        _field(
                            titles,
                            entry.get(name),
                            withheld=isinstance(getattr(form, name, ""), WithheldField),
                            label_language=unless_spoken(DUTCH) if titles_alone else "",
                        )
                        for name, titles in fields.items()
                        if name in entry or name in ALWAYS_SHOWN
                    ),
                )
                for (dutch, title), fields in SECTIONS.items()
            ),
            figures_section(report, gettext("Figures: how the algorithm decides, and how it treats groups")),
            notes_section(report.notes),
            checking_section(report, (FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _field(titles: tuple[str, str], value: Any, *, withheld: bool, label_language: str) -> FormField:
    dutch, title = titles
    also = _also(dutch, title)
    if value is None:
        return FormField(label=dutch, also=also, text=(EMPTY,), withheld=True, label_language=label_language)
    text = tuple(_line(each) for each in value) if isinstance(value, list) else paragraphs(value)
    return FormField(label=dutch, also=also, text=text, withheld=withheld, label_language=label_language)


def _also(dutch: str, title: str) -> str:
    """A title in the language that is spoken, where it is another than the register's own."""
    said = gettext(title)
    return said if unless_spoken(DUTCH) and said != dutch else ""


def _line(entry: str | dict[str, str]) -> str:
    """An entry of a list: a text, or a title with its link."""
    return entry if isinstance(entry, str) else ": ".join(entry.values())
