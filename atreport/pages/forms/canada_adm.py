"""Turn a report into what Canada's Directive on Automated Decision-Making wants explained and tested, in both languages.

The part in the report's language comes first, English otherwise, and the other after it, each whole: words, fields and
figures. Titles paraphrase the directive (sections 6.2 and 6.3, Appendix C); they do not quote it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from atreport.forms.canada_adm import Bilingual, CanadaADMForm
from atreport.pages.forms.form_context import (
    ASSESSES,
    CERTAIN,
    FormContext,
    FormField,
    FormSection,
    RemarkedTable,
    announced_notice,
    checking_section,
    comparison_tables,
    filled_in,
    form_field,
    group_figures,
    notes_section,
    unless_spoken,
)
from atreport.pages.layout import make_cover
from atreport.pages.sections.decision import tabulate_rules
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import get_locale, gettext, message, use_locale

FILE = "canada-adm.json"
FILE_TITLES = {FILE: message("This document for programs, in English and French")}
OFFICIAL = ("en", "fr")
"""The official languages, in each of which everything is said."""

TITLES = {
    "system": message("The system and its impact level"),
    "explanation": message("Explanation"),
    "bias": message("Testing for bias"),
}
LABELS = {
    "institution": message("Institution"),
    "name": message("System"),
    "impact_level": message("Impact level"),
    "assessment": message("Algorithmic Impact Assessment"),
    "directive_as_of": message("Version of the directive, as of"),
    "notice": message("Notice to clients"),
    "human_involvement": message("Human involvement"),
    "role": message("Role of the system in the decision"),
    "data": message("Data, their source and collection"),
    "criteria": message("Criteria and operations"),
    "output": message("Output, and how to read it"),
    "justification": message("Principal factors"),
    "recourse": message("Recourse"),
    "testing": message("Testing before production"),
    "monitoring": message("Monitoring"),
    "gba_plus": message("Gender-based Analysis Plus"),
    "peer_review": message("Peer review"),
}
"""Every field, to be said in both languages."""


def files(report: Report) -> dict[str, bytes]:
    """The document for programs. What is said in one language only is in English, whatever the report's."""
    with use_locale("en"):
        return {FILE: json_bytes(record_json(report))}


def record_json(report: Report) -> dict[str, Any]:
    """The content of canada-adm.json: the fields in both languages, and the figures of groups."""
    return {
        "directive": "Directive on Automated Decision-Making, Treasury Board of Canada",
        **fields_json(filled_in(report, CanadaADMForm)),
        "intervals": {language: _said_in(language, CERTAIN) for language in OFFICIAL},
        "figures": [each.as_json() for each in group_figures(report)],
    }


def _said_in(language: str, text: str) -> str:
    with use_locale(language):
        return gettext(text)


def context(report: Report) -> FormContext:
    """Both parts as text."""
    first, second = reversed(OFFICIAL) if get_locale() == "fr" else OFFICIAL
    return FormContext(
        cover=make_cover(report),
        subtitle=" · ".join(
            _said_in(language, message("Explanation and testing for bias")) for language in (first, second)
        ),
        notice=announced_notice(
            report,
            gettext(
                "This document says what the Directive on Automated Decision-Making wants explained and tested. "
                "It does so in English and in French."
            ),
        ),
        sections=(
            *_part(report, first, marked=unless_spoken(first)),
            *_part(report, second, marked=unless_spoken(second)),
            notes_section(report.notes),
            checking_section(report, (FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _part(report: Report, language: str, *, marked: str) -> tuple[FormSection, ...]:
    """Everything in one language; `marked` is that language where the document has another."""
    with use_locale(language):
        sections = tuple(_sections(report, told=announced_notice(report, "") if marked else ()))
    if not marked:
        return sections
    return tuple(
        replace(
            section,
            id=f"{section.id}-{language}",
            language=language,
            tables=tuple(
                replace(each, table=replace(each.table, id=f"{each.table.id}-{language}"))
                for each in section.tables
            ),
        )
        for section in sections
    )


def _sections(report: Report, told: tuple[str, ...]) -> Iterator[FormSection]:
    """The form, the figures of groups with its words on bias, and the rule; `told` stands at their beginning."""
    form = filled_in(report, CanadaADMForm)
    texts = {"system": told, "bias": (gettext(CERTAIN), gettext(ASSESSES))}
    tables = {"bias": tuple(RemarkedTable(table=each) for each in comparison_tables(report))}
    for name, title in TITLES.items():
        section = getattr(form, name)
        yield FormSection(
            id=name,
            title=gettext(title),
            text=texts.get(name, ()),
            fields=tuple(
                _field(field, getattr(section, field))
                for field in type(section).model_fields
                if getattr(section, field) is not None
            ),
            tables=tables.get(name, ()),
        )
    yield FormSection(
        id="decides",
        title=gettext("How the system decides"),
        text=(gettext("For each combination of data, the probability that the published rule announces."),),
        tables=(RemarkedTable(table=tabulate_rules(report)),),
    )


def _field(name: str, value: object) -> FormField:
    stated = getattr(value, get_locale()) if isinstance(value, Bilingual) else value
    return form_field(gettext(LABELS[name]), stated)
