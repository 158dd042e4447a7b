"""Every public file of a Report, in memory: what a build writes, and what a check makes again and compares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping

from atreport.errors import MissingLibrary
from atreport.kit.language.spoken import speaking
from atreport.kit.resources import VERIFIER, verifier_text
from atreport.pages.catalogue.csvw import csvw_files
from atreport.pages.catalogue.dcat import dcat_jsonld
from atreport.pages.catalogue.published_file import CATALOGUE_FILE
from atreport.pages.forms import form_files
from atreport.pages.sheets import sheet_files
from atreport.publication.languages import in_every_language, in_language, published_name
from atreport.report.model import Report
from atreport.report.translated import translated
from atreport.report.writer import cells_csv, measures_csv, report_json
from atreport.spec.models.style import NO_FILES

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
    with speaking(report.report.language):
        files |= sheet_files(translated(report), formats)
    return files


def data_files(report: Report) -> dict[str, bytes]:
    """report.json, the tables with what describes their columns, and what the report's form leaves for programs.

    The tables and their descriptions are those of the report's main language, whichever it speaks.
    """
    main = in_language(report, report.report.all_languages[0])
    with speaking(main.report.language):
        tables = {
            "cells.csv": cells_csv(main),
            "measures.csv": measures_csv(main.fairness),
            **csvw_files(main),
        }
    with speaking(report.report.language):
        return {"report.json": report_json(report), **tables, **form_files(translated(report))}


def catalogue_file(report: Report, files: Mapping[str, bytes]) -> bytes:
    """The content of dcat.jsonld, for a report in its main language and all files beside it."""
    with speaking(report.report.language):
        return dcat_jsonld(translated(report), files)


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The SHA256SUMS file, in the form that ``sha256sum --check`` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
