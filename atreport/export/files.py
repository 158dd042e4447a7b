"""Every public file of a Report, in memory: what a build writes, and what a check makes again and compares."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, get_args
from urllib.parse import quote

from atreport.compose import in_every_language, in_language, published_name
from atreport.errors import MissingLibrary
from atreport.export.spreadsheets import sheet_files
from atreport.pages.catalogue import CATALOGUE_FILE, METADATA_ENDING, dcat_jsonld, file_title, identifier_of
from atreport.pages.forms import form_files
from atreport.processes import process_for
from atreport.report.figures import Verdict
from atreport.report.model import Report, translated
from atreport.report.writer import (
    cells_csv,
    cells_heading,
    harmless,
    json_bytes,
    measures_csv,
    measures_heading,
    report_json,
)
from atreport.resources import VERIFIER, verifier_text
from atreport.spec.fairness import MEASURES, ErrorRate
from atreport.spec.style import NO_FILES
from atreport.text.language import get_locale, gettext, message, use_locale

FORMATS = ("html", "pdf", "json")
"""What a build makes."""

KNOWN_FORMATS = (*FORMATS, "ods", "xlsx")
"""What it makes where it is asked: spreadsheets take an extra."""

CHECKSUMS = "SHA256SUMS"


def public_files(
    report: Report,
    formats: Collection[str] = FORMATS,
    *,
    with_verifier: bool = False,
    do_without_pdf: Callable[[str], None] | None = None,
    style_files: Mapping[str, bytes] = NO_FILES,
) -> dict[str, bytes]:
    """The public files of a report in all its languages, by their names. A pure function of its arguments.

    Args:
        report: All that is printed, in its main language.
        formats: Any of html, pdf, json, ods, xlsx.
        with_verifier: With ``verify.py`` among them.
        do_without_pdf: Called with the reason where this machine cannot make a PDF, which is then left out; without
            it that is an error.
        style_files: The files that the report's house style names, by the names that it gives them.
    """
    files: dict[str, bytes] = dict(style_files)
    for edition in in_every_language(report):
        made = _files_of_language(edition, formats, do_without_pdf, style_files)
        files = {published_name(name, edition.report): content for name, content in made.items()} | files
    if with_verifier:
        files[VERIFIER] = verifier_text()
    if "json" in formats:
        files[CATALOGUE_FILE] = catalogue_file(report, files)
    files[CHECKSUMS] = checksums(files)
    return files


def _files_of_language(
    report: Report,
    formats: Collection[str],
    do_without_pdf: Callable[[str], None] | None,
    style_files: Mapping[str, bytes],
) -> dict[str, bytes]:
    """The files of a report in one language, by the names that they have in the main one."""
    data = data_files(report)
    files = dict(data) if "json" in formats else {}
    if {"html", "pdf"} & set(formats):
        # Here and not above: templates, sections and charts take a tenth of a second, and data files need none of them.
        from atreport.pages.documents import lay_out

        document = lay_out(report, style_files)
        if "html" in formats:
            files["report.html"] = document.html(data).encode()
        if "pdf" in formats:
            try:
                files["report.pdf"] = document.pdf({**data, **style_files})
            except MissingLibrary as error:
                if do_without_pdf is None:
                    raise
                do_without_pdf(str(error))
    with use_locale(report.report.language):
        files |= sheet_files(translated(report), formats)
    return files


def data_files(report: Report) -> dict[str, bytes]:
    """report.json, the tables with what describes their columns, and what the report's form leaves for programs.

    The tables and their descriptions are those of the report's main language, whichever it speaks.
    """
    main = in_language(report, report.report.all_languages[0])
    with use_locale(main.report.language):
        tables = {
            "cells.csv": cells_csv(main),
            "measures.csv": measures_csv(main.fairness),
            **csvw_files(main),
        }
    with use_locale(report.report.language):
        return {"report.json": report_json(report), **tables, **form_files(translated(report))}


def catalogue_file(report: Report, files: Mapping[str, bytes]) -> bytes:
    """The content of dcat.jsonld, for a report in its main language and all files beside it."""
    with use_locale(report.report.language):
        return dcat_jsonld(translated(report), files)


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The SHA256SUMS file, in the form that ``sha256sum --check`` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()


# The public files, made by a process that knows a Report and nothing else, while this one works behind the
# wall.
#
# That is twice good: two cores share the work, and what makes the pages has never seen the true rule. The
# files are those of :func:`atreport.export.files.public_files`, byte for byte.

READY = ("atreport.pages.documents", "atreport.pages.drawing", "fontTools.subset", "weasyprint")
"""What a process needs that sets a report, and takes a second to import."""


@dataclass(frozen=True, kw_only=True)
class MadePublic:
    """The public files by their names."""

    files: dict[str, bytes]
    missing: str | None = None  # why there is no PDF among them, where one was wanted


@dataclass(frozen=True, kw_only=True)
class WantedPublic:
    """What is wanted of a report: see :func:`atreport.export.files.public_files`."""

    report: Report
    formats: Collection[str]
    with_verifier: bool
    style_files: Mapping[str, bytes]
    insist_on_pdf: bool


Begin = Callable[[WantedPublic], Callable[[], MadePublic]]
"""Begins to make the files, and gives a way to fetch them. To be called once."""


@contextmanager
def public_files_beside(formats: Collection[str]) -> Iterator[Begin]:
    """Start the process that will make public files in these formats, and give a way to begin.

    It is worth its start where a PDF is wanted. Otherwise, and where there is no second core, fetching makes them here.
    """
    if "pdf" not in formats:
        yield lambda wanted: lambda: make_wanted(wanted)
    else:
        with process_for(make_wanted) as begin:
            yield begin


def make_wanted(wanted: WantedPublic) -> MadePublic:
    """Make what is wanted; what the other process runs."""
    missing: list[str] = []
    files = public_files(
        wanted.report,
        wanted.formats,
        with_verifier=wanted.with_verifier,
        do_without_pdf=None if wanted.insist_on_pdf else missing.append,
        style_files=wanted.style_files,
    )
    return MadePublic(files=files, missing=missing[0] if missing else None)


# Describe the tables of a report column by column, for programs: CSV on the Web (CSVW), one file beside each
# table.
#
# A description says what every column holds, of which type its entries are and between which limits, which
# may be empty, and that no cell is listed twice. Somebody else's program can check the table with it.

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
        "share": _Column(gettext("The share of the cell in all people, rounded."), _UNIT, required=stated),
        "population": _Column(gettext("How many people are in the cell."), _PEOPLE, required=stated),
        "lower": _Column(gettext("The least that the true probability can be."), _UNIT, required=True),
        "upper": _Column(gettext("The most that the true probability can be."), _UNIT, required=True),
    }
    for attribute in report.process.attributes:
        about = attribute.description or attribute.label or attribute.name
        known[attribute.name] = _Column(about, _one_of(attribute.values), required=True)
    for outcome in report.process.outcome.values:
        about = gettext("The announced probability of “{outcome}”.", outcome=outcome)
        known[outcome] = _Column(about, _UNIT, required=True)
    heading = cells_heading(report)
    keys = [attribute.name for attribute in report.process.attributes]
    first = [heading[0], *report.process.attributes[0].values]
    marked = any(text.startswith("#") for text in first)
    return _describe(report, "cells.csv", heading, known, keys=keys, marked=marked)


def describe_measures(report: Report) -> dict[str, Any]:
    """What the columns of measures.csv hold."""
    said = {
        name: replace(column, description=gettext(column.description)) for name, column in _MEASURES.items()
    }
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
        "@context": ["http://www.w3.org/ns/csvw", {"@language": get_locale()}],
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
