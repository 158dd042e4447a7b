"""Turn a report into an entry of the Dutch Algoritmeregister: publication standard 1.0.0.

algoritmeregister.json is the entry as the register's API takes it (version 1.0 of that API): the register's own names,
and nothing else. On the page the fields have the register's Dutch titles, with English ones beside them; an empty field that
the register always shows is shown as empty, as there. Figures follow, which the register has no field for.
"""

from __future__ import annotations

from typing import Any

from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.figures import figures_section
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    FormSection,
    announced_notice,
    checking_section,
    notes_section,
)
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import AlgoritmeregisterForm, WithheldField

FILE = "algoritmeregister.json"
FILE_TITLES = {FILE: "This entry as the Algoritmeregister takes it"}
LANGUAGE = "nld"
STANDARD_VERSION = "1.0"  # as the API writes it; the standard calls itself 1.0.0

Titles = dict[str, tuple[str, str]]

SECTIONS: dict[tuple[str, str], Titles] = {
    ("Algemene informatie", "General information"): {
        "name": ("Naam", "Name"),
        "description_short": ("Korte omschrijving", "Short description"),
        "organization": ("Organisatie", "Organisation"),
        "category": ("Thema", "Policy field"),
        "status": ("Status", "Status"),
        "begin_date": ("Begindatum", "In use since"),
        "end_date": ("Einddatum", "Out of use since"),
        "contact_email": ("Contactgegevens", "Contact"),
        "website": ("Link naar publiekspagina", "Page for the public"),
        "publication_category": ("Publicatiecategorie", "Category of publication"),
        "url": ("Link naar bronregistratie", "Entry in the organisation’s own register"),
    },
    ("Verantwoord gebruik", "Responsible use"): {
        "goal": ("Doel en impact", "Purpose and impact"),
        "proportionality": ("Afwegingen", "Considerations"),
        "human_intervention": ("Menselijke tussenkomst", "Human intervention"),
        "risks": ("Risicobeheer", "Risk management"),
        "lawful_basis": ("Wettelijke basis", "Legal basis"),
        "lawful_basis_grouping": ("Verwijzingen wettelijke basis", "Laws"),
        "process_index_url": ("Link naar verwerkingsregister", "Register of processing"),
        "impacttoetsen_grouping": ("Impacttoetsen", "Impact assessments"),
        "impacttoetsen": ("Toelichting op impacttoetsen", "On the impact assessments"),
    },
    ("Werking", "How it works"): {
        "source_data": ("Gegevens", "Data"),
        "source_data_grouping": ("Verwijzingen gegevensbronnen", "Sources of data"),
        "methods_and_models": ("Technische werking", "Technical working"),
        "provider": ("Leverancier", "Supplier"),
        "publiccode": ("Link naar broncode", "Source code"),
    },
    ("Metadata", "About this entry"): {
        "lang": ("Taal", "Language"),
        "standard_version": ("Versie publicatiestandaard", "Version of the standard"),
        "source_id": ("Bron-ID", "Number in the organisation’s own register"),
        "tags": ("Zoektermen", "Search terms"),
    },
}
"""Every field of the standard, in its order: the title in the register, and in English."""

ALWAYS_SHOWN = frozenset(
    {
        "category", "begin_date", "goal", "proportionality", "human_intervention", "risks", "impacttoetsen_grouping",
        "source_data", "methods_and_models", "provider",
    }
)  # fmt: skip
"""What the register shows even where it is empty."""

EMPTY = "Veld niet ingevuld"


def files(report: Report) -> dict[str, bytes]:
    """The entry for the register."""
    return {FILE: json_bytes(entry_json(_form(report)))}


def entry_json(form: AlgoritmeregisterForm) -> dict[str, Any]:
    """The entry as the register takes it: texts, lists, and pairs of title and link."""
    filled = {
        name: _withheld(value["withheld"]) if isinstance(value, dict) else value
        for name, value in fields_json(form).items()
    }
    return {**filled, "lang": LANGUAGE, "standard_version": STANDARD_VERSION}


def _withheld(reason: str) -> str:
    return f"Niet openbaar, omdat {reason.removeprefix('omdat ').removeprefix('because ')}"


def context(report: Report) -> FormContext:
    """The entry as text."""
    entry = entry_json(_form(report))
    form = _form(report)
    return FormContext(
        cover=make_cover(report),
        subtitle="Entry for the Algoritmeregister",
        notice=announced_notice(
            report.policy.fidelity,
            "This entry follows the register’s publication standard 1.0.0, and adds figures.",
        ),
        sections=(
            *(
                FormSection(
                    id=dutch.lower().replace(" ", "-"),
                    title=dutch,
                    also=english,
                    language="nl",
                    fields=tuple(
                        _field(
                            titles,
                            entry.get(name),
                            withheld=isinstance(getattr(form, name, ""), WithheldField),
                        )
                        for name, titles in fields.items()
                        if name in entry or name in ALWAYS_SHOWN
                    ),
                )
                for (dutch, english), fields in SECTIONS.items()
            ),
            figures_section(report, "Figures: how the algorithm decides, and how it treats groups"),
            notes_section(report.notes),
            checking_section((FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _field(titles: tuple[str, str], value: Any, *, withheld: bool) -> FormField:
    dutch, english = titles
    if value is None:
        return FormField(label=dutch, also=english, text=(EMPTY,), withheld=True)
    text = tuple(_line(each) for each in value) if isinstance(value, list) else paragraphs(value)
    return FormField(label=dutch, also=english, text=text, withheld=withheld)


def _line(entry: str | dict[str, str]) -> str:
    """An entry of a list: a text, or a title with its link."""
    return entry if isinstance(entry, str) else ": ".join(entry.values())


def _form(report: Report) -> AlgoritmeregisterForm:
    form = report.form.fields if report.form is not None else None
    assert isinstance(form, AlgoritmeregisterForm)
    return form
