"""Turn a report into what Canada's Directive on Automated Decision-Making wants explained and tested, in both languages.

The part in the report's language comes first, English otherwise, and the other after it, each whole: words, fields and
figures. Titles paraphrase the directive (sections 6.2 and 6.3, Appendix C); they do not quote it.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from atreport.forms.fields import Bilingual
from atreport.pages.forms.form_context import (
    ASSESSES,
    CERTAIN,
    FormContext,
    RemarkedTable,
    ShownSection,
    announced_notice,
    comparison_tables,
    filled_in,
    group_figures,
    unless_spoken,
    written_document,
    written_sections,
)
from atreport.pages.sections.decision import tabulate_rules
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import get_locale, gettext, use_locale

OFFICIAL = tuple(Bilingual.model_fields)
"""The official languages, in each of which everything is said."""


def files(report: Report) -> dict[str, bytes]:
    """The document for programs. What is said in one language only is in English, whatever the report's."""
    with use_locale("en"):
        return {name: json_bytes(record_json(report)) for name in filled_in(report).written.document.files}


def record_json(report: Report) -> dict[str, Any]:
    """The content of canada-adm.json: the fields in both languages, and the figures of groups."""
    form = filled_in(report)
    return {
        **form.written.document.file_begins,
        **fields_json(form),
        "intervals": {language: _said_in(language, CERTAIN) for language in OFFICIAL},
        "figures": [each.as_json() for each in group_figures(report)],
    }


def _said_in(language: str, text: str) -> str:
    with use_locale(language):
        return gettext(text)


def context(report: Report) -> FormContext:
    """Both parts as text."""
    first, second = reversed(OFFICIAL) if get_locale() == "fr" else OFFICIAL
    subtitle = filled_in(report).written.document.subtitle
    return replace(
        written_document(
            report,
            (
                *_part(report, first, marked=unless_spoken(first)),
                *_part(report, second, marked=unless_spoken(second)),
            ),
        ),
        subtitle=" · ".join(_said_in(language, subtitle) for language in (first, second)),
    )


def _part(report: Report, language: str, *, marked: str) -> tuple[ShownSection, ...]:
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


def _sections(report: Report, told: tuple[str, ...]) -> Iterator[ShownSection]:
    """The form, the figures of groups with its words on bias, and the rule; `told` stands at their beginning."""
    texts = {"system": told, "bias": (gettext(CERTAIN), gettext(ASSESSES))}
    tables = {"bias": tuple(RemarkedTable(table=each) for each in comparison_tables(report))}
    for section in written_sections(report):
        yield replace(section, text=texts.get(section.id, ()), tables=tables.get(section.id, ()))
    yield ShownSection(
        id="decides",
        title=gettext("How the system decides"),
        text=(gettext("For each combination of data, the probability that the published rule announces."),),
        tables=(RemarkedTable(table=tabulate_rules(report)),),
    )
