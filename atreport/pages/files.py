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
from atreport.report.model import Report
from atreport.report.writer import cells_csv, measures_csv, report_json

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
) -> dict[str, bytes]:
    """The public files of a report, by their names. A pure function of its arguments.

    Args:
        report: All that is printed.
        formats: Any of html, pdf, json, ods, xlsx.
        with_verifier: With ``verify.py`` among them.
        do_without_pdf: Called with the reason where this machine cannot make a PDF, which is then left out; without
            it that is an error.
    """
    data = data_files(report)
    files = dict(data) if "json" in formats else {}
    if {"html", "pdf"} & set(formats):
        # Here and not above: templates, sections and charts take a tenth of a second, and data files need none of them.
        from atreport.pages.documents import lay_out

        document = lay_out(report)
        if "html" in formats:
            files["report.html"] = document.html(data).encode()
        if "pdf" in formats:
            try:
                files["report.pdf"] = document.pdf(data)
            except MissingLibrary as error:
                if do_without_pdf is None:
                    raise
                do_without_pdf(str(error))
    with speaking(report.report.language):
        files |= sheet_files(report, formats)
    if with_verifier:
        files[VERIFIER] = verifier_text()
    if "json" in formats:
        with speaking(report.report.language):
            files[CATALOGUE_FILE] = dcat_jsonld(report, files)
    files[CHECKSUMS] = checksums(files)
    return files


def data_files(report: Report) -> dict[str, bytes]:
    """report.json, the tables with what describes their columns, and what the report's form leaves for programs."""
    with speaking(report.report.language):
        return {
            "report.json": report_json(report),
            "cells.csv": cells_csv(report),
            "measures.csv": measures_csv(report.fairness),
            **csvw_files(report),
            **form_files(report),
        }


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The SHA256SUMS file, in the form that ``sha256sum --check`` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
