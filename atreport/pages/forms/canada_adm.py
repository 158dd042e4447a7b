"""Turn a report into what Canada's Directive on Automated Decision-Making wants explained and tested, in both languages.

The English part comes first and the French part after it, each whole: words, fields and figures. Titles paraphrase the
directive (sections 6.2 and 6.3, Appendix C); they do not quote it.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from atreport.kit.tables import Table
from atreport.pages.cover import make_cover
from atreport.pages.forms import french
from atreport.pages.forms.figures import CERTAIN, group_figures
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    FormSection,
    RemarkedTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.pages.sections.decision import tabulate_rules
from atreport.pages.sections.fairness import error_table, measure_table, rate_table
from atreport.report.form import fields_json
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import CanadaADMForm, WithheldField
from atreport.spec.models.forms.canada_adm import Bilingual

FILE = "canada-adm.json"
FILE_TITLES = {FILE: "This document for programs, in English and French"}

TITLES = {
    "system": ("The system and its impact level", "Le système et son niveau d’incidence"),
    "explanation": ("Explanation", "Explication"),
    "bias": ("Testing for bias", "Recherche de biais"),
}
LABELS = {
    "institution": ("Institution", "Institution"),
    "name": ("System", "Système"),
    "impact_level": ("Impact level", "Niveau d’incidence"),
    "assessment": (
        "Algorithmic Impact Assessment",
        "Évaluation de l’incidence algorithmique",
    ),
    "directive_as_of": ("Version of the directive, as of", "Version de la directive, en date du"),
    "notice": ("Notice to clients", "Avis aux clients"),
    "human_involvement": ("Human involvement", "Intervention humaine"),
    "role": ("Role of the system in the decision", "Rôle du système dans la décision"),
    "data": ("Data, their source and collection", "Données, leur source et leur collecte"),
    "criteria": ("Criteria and operations", "Critères et opérations"),
    "output": ("Output, and how to read it", "Extrant, et comment le lire"),
    "justification": ("Principal factors", "Principaux facteurs"),
    "recourse": ("Recourse", "Recours"),
    "testing": ("Testing before production", "Essais avant la mise en production"),
    "monitoring": ("Monitoring", "Surveillance"),
    "gba_plus": ("Gender-based Analysis Plus", "Analyse comparative entre les sexes Plus"),
    "peer_review": ("Peer review", "Examen par les pairs"),
}
"""Every field, in both languages."""

ASSESSES = (
    "The measures help to assess fairness; none of them proves or disproves it.",
    "Les mesures aident à évaluer l’équité; aucune ne la prouve ni ne l’infirme.",
)


def files(report: Report) -> dict[str, bytes]:
    """The document for programs."""
    return {FILE: json_bytes(record_json(report))}


def record_json(report: Report) -> dict[str, Any]:
    """The content of canada-adm.json: the fields in both languages, and the figures of groups."""
    return {
        "directive": "Directive on Automated Decision-Making, Treasury Board of Canada",
        **fields_json(_form(report)),
        "intervals": {"en": CERTAIN, "fr": french.CERTAIN},
        "figures": [each.as_json() for each in group_figures(report)],
    }


def context(report: Report) -> FormContext:
    """Both parts as text."""
    form = _form(report)
    fidelity = report.policy.fidelity
    return FormContext(
        cover=make_cover(report),
        subtitle="Explanation and bias testing · Explication et recherche de biais",
        notice=announced_notice(
            fidelity,
            "This document says what the Directive on Automated Decision-Making wants explained and tested. "
            "The French version follows the English one.",
        ),
        sections=(
            *_part(report, form, 0, ()),
            FormSection(
                id="decides",
                title="How the system decides",
                text=("For each combination of data, the probability that the published rule announces.",),
                tables=(RemarkedTable(table=tabulate_rules(report)),),
            ),
            *_part(report, form, 1, (french.announced_notice(fidelity),)),
            notes_section(report.notes),
            checking_section((FILE, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _part(report: Report, form: CanadaADMForm, which: int, first: tuple[str, ...]) -> tuple[FormSection, ...]:
    """The three sections in English (0) or French (1)."""
    language = ("", "fr")[which]
    figures = _figures(report, which)
    texts = {"system": first, "bias": ((CERTAIN, french.CERTAIN)[which], ASSESSES[which])}
    return tuple(
        FormSection(
            id=f"{name}-fr" if which else name,
            title=titles[which],
            language=language,
            text=texts.get(name, ()),
            fields=tuple(
                _field(field, getattr(section, field), which)
                for field in type(section).model_fields
                if getattr(section, field) is not None
            ),
            tables=figures if name == "bias" else (),
        )
        for name, titles in TITLES.items()
        for section in [getattr(form, name)]
    )


def _field(name: str, value: object, which: int) -> FormField:
    label = LABELS[name][which]
    if isinstance(value, Bilingual):
        value = (value.en, value.fr)[which]
    if which and isinstance(value, WithheldField):
        reason = value.withheld.removeprefix("because ").removeprefix("parce que ")
        return FormField(label=label, text=(f"Non divulgué, parce que {reason}",), withheld=True)
    if which and isinstance(value, dt.date):
        return FormField(label=label, text=(french.day(value),))
    return form_field(label, value)


def _figures(report: Report, which: int) -> tuple[RemarkedTable, ...]:
    tables: tuple[Table | None, ...] = (
        (french.measure_table(report), french.rate_table(report), french.error_table(report))
        if which
        else (measure_table(report), rate_table(report), error_table(report))
    )
    return tuple(RemarkedTable(table=each) for each in tables if each is not None)


def _form(report: Report) -> CanadaADMForm:
    form = report.form.fields if report.form is not None else None
    assert isinstance(form, CanadaADMForm)
    return form
