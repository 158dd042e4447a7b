"""Describe the tables of a report column by column, for programs: CSV on the Web (CSVW), one file beside each table.

A description says what every column holds, of which type its entries are and between which limits, which may be empty, and
that no cell is listed twice. Somebody else's program can check the table with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args
from urllib.parse import quote

from atreport.kit.language import message, say
from atreport.kit.language.spoken import spoken
from atreport.pages.catalogue.dcat import identifier_of
from atreport.pages.catalogue.published_file import METADATA_ENDING, file_title
from atreport.report.figures import Verdict
from atreport.report.model import Report
from atreport.report.writer import cells_heading, harmless, json_bytes, measures_heading
from atreport.spec.models.measures import MEASURES
from atreport.spec.models.measures.error_rates import ErrorRate

_NEVER_IN_A_TEXT = "\x01"
"""A mark for lines of comment that no line has: some programs take those for comments that begin with #."""

Datatype = Mapping[str, str]
_TEXT: Datatype = {"base": "string"}
_UNIT: Datatype = {"base": "decimal", "minimum": "0", "maximum": "1"}
_AMOUNT: Datatype = {"base": "decimal", "minimum": "0"}
_PEOPLE: Datatype = {"base": "integer", "minimum": "0"}


@dataclass(frozen=True)
class _Column:
    """What a column holds."""

    description: str
    datatype: Datatype
    required: bool = False


def _literally(text: str) -> str:
    """A text as a regular expression that only it matches."""
    return re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", text)


def _one_of(values: Iterable[str]) -> Datatype:
    """A text of these, as they are written in the table."""
    written = "|".join(_literally(str(harmless(value))) for value in values)
    return {"base": "string", "format": f"^({written})$"}


_MEASURES: Mapping[str, _Column] = {
    "measure": _Column(message("The fairness measure."), _one_of(MEASURES), required=True),
    "group_a": _Column(message("The first of the two groups that are compared."), _TEXT),
    "group_b": _Column(message("The second of the two groups that are compared."), _TEXT),
    "given": _Column(message("Within whom they are compared, as attribute=value; empty: within all."), _TEXT),
    "value": _Column(message("The measure as announced; empty: nothing bounds it."), _AMOUNT),
    "interval_low": _Column(message("The least that the true figure can be, rounded down."), _AMOUNT),
    "interval_high": _Column(message("The most that the true figure can be, rounded up."), _AMOUNT),
    "a_priori": _Column(message("The most that the figure can move at the stated fidelity."), _AMOUNT),
    "threshold": _Column(message("The limit that the publisher compares it with."), _AMOUNT),
    "verdict": _Column(message("What follows from interval and threshold."), _one_of(get_args(Verdict))),
    "outcome": _Column(message("Of a measure over all outcomes, the one that gives the value."), _TEXT),
    "sampling_low": _Column(message("Lower end of the interval that covers chance in the records too."), _UNIT),
    "sampling_high": _Column(message("Upper end of the interval that covers chance in the records too."), _UNIT),
    "sampling_level": _Column(message("How many of such intervals hold the long-run figure, at least."), _UNIT),
    "unknown_low": _Column(message("The least that the value could be, whoever the people of unknown group are."), _AMOUNT),
    "unknown_high": _Column(message("The most that the value could be, whoever the people of unknown group are."), _AMOUNT),
    "rate": _Column(message("Of error rates, the one that is compared."), _one_of(get_args(ErrorRate))),
}  # fmt: skip


def csvw_files(report: Report) -> dict[str, bytes]:
    """The description of each table, by its file name."""
    described = {"cells.csv": describe_cells(report), "measures.csv": describe_measures(report)}
    return {f"{name}{METADATA_ENDING}": json_bytes(document) for name, document in described.items()}


def describe_cells(report: Report) -> dict[str, Any]:
    """What the columns of cells.csv hold."""
    stated = report.policy.small_cells.is_exact  # otherwise some cells do not say how many are in them
    known = {  # first, since an attribute may have one of these names where the table has no such column
        "share": _Column(say("The share of the cell in all people, rounded."), _UNIT, required=stated),
        "population": _Column(say("How many people are in the cell."), _PEOPLE, required=stated),
        "lower": _Column(say("The least that the true probability can be."), _UNIT, required=True),
        "upper": _Column(say("The most that the true probability can be."), _UNIT, required=True),
    }
    for attribute in report.process.attributes:
        about = attribute.description or attribute.label or attribute.name
        known[attribute.name] = _Column(about, _one_of(attribute.values), required=True)
    for outcome in report.process.outcome.values:
        about = say("The announced probability of “{outcome}”.", outcome=outcome)
        known[outcome] = _Column(about, _UNIT, required=True)
    heading = cells_heading(report)
    keys = [attribute.name for attribute in report.process.attributes]
    first = [heading[0], *report.process.attributes[0].values]
    marked = any(text.startswith("#") for text in first)
    return _describe(report, "cells.csv", heading, known, keys=keys, marked=marked)


def describe_measures(report: Report) -> dict[str, Any]:
    """What the columns of measures.csv hold."""
    said = {name: replace(column, description=say(column.description)) for name, column in _MEASURES.items()}
    return _describe(report, "measures.csv", measures_heading(report.fairness), said)


def _describe(
    report: Report,
    name: str,
    heading: Sequence[str],
    known: Mapping[str, _Column],
    *,
    keys: Sequence[str] = (),
    marked: bool = False,
) -> dict[str, Any]:
    columns = [
        {
            "name": _name(title),
            "titles": str(harmless(title)),
            "dc:description": known[title].description,
            "datatype": dict(known[title].datatype),
            "required": known[title].required,
        }
        for title in heading
    ]
    info = report.report
    return {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": spoken()}],
        "url": name,
        "dc:title": file_title(name),
        "dc:isPartOf": {"@id": identifier_of(report)},
        "dc:publisher": info.publisher,
        "dc:issued": {"@value": info.date.isoformat(), "@type": "xsd:date"},
        **({} if info.licence is None else {"dc:license": {"@id": info.licence}}),
        **({"dialect": {"commentPrefix": _NEVER_IN_A_TEXT}} if marked else {}),
        "tableSchema": {"columns": columns, **({"primaryKey": [_name(key) for key in keys]} if keys else {})},
    }


def _name(title: str) -> str:
    """A title as the name of a variable, which has letters, digits and _ only, and does not begin with _."""
    name = quote(title, safe="")
    for sign in "-.~":
        name = name.replace(sign, f"%{ord(sign):02X}")
    return re.sub(r"^_", "%5F", name)
