"""The straight line from a spec to a published report: prepare, document, files, folder.

Everything is made in memory first; only then is anything written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atreport.analysis.assessment import Assessment
from atreport.announcement import Release
from atreport.commands.document import Drafted, draft_document
from atreport.commands.ledger import record as add_release
from atreport.confidential.annex.annex import Annex, annex_json, make_annex
from atreport.confidential.annex.context import make_annex_context
from atreport.confidential.commitment import FILE as COMMITMENT
from atreport.confidential.commitment import commit
from atreport.confidential.data.engines.options import LOCAL, Engine
from atreport.confidential.prepare import Progress, keep_quiet, prepare
from atreport.errors import MissingLibrary
from atreport.kit import render
from atreport.pages.charts import draw
from atreport.pages.context import ReportContext, make_context
from atreport.pages.forms.form_context import FormContext
from atreport.pages.forms.form_document import form_context, form_files
from atreport.publish import CONFIDENTIAL, PUBLIC, write_folder
from atreport.report.document import cells_csv, json_bytes, measures_csv
from atreport.verification.shipped_verifier import VERIFIER, verifier_text

FORMATS = ("html", "pdf", "json")


@dataclass(frozen=True, kw_only=True, eq=False)
class BuildResult:
    """What a build left: where, and the release it published."""

    folder: Path
    files: tuple[Path, ...]
    release: Release
    assessments: tuple[Assessment, ...]  # every fairness measure; `measures_frame` makes a table of them
    missing: str | None = None  # why a format that was not insisted on is absent
    warnings: tuple[str, ...] = ()  # what this report and earlier ones tell together
    recorded: Path | None = None  # the ledger, where this release was added to it


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportFiles:
    """Every file of a report, in memory, by its name."""

    document: Mapping[str, Any]  # what report.json says
    public: Mapping[str, bytes]
    confidential: Mapping[str, bytes]
    missing: str | None  # why a format that was not insisted on is absent


def build(
    spec_path: str | Path,
    output: str | Path = "output",
    formats: Sequence[str] | None = None,
    progress: Progress = keep_quiet,
    engine: Engine = LOCAL,
    *,
    with_verifier: bool = False,
    record: bool = False,
) -> BuildResult:
    """Build one report.

    Args:
        spec_path: The YAML spec.
        output: The report goes to the folder of the spec's name below this one.
        formats: Any of html, pdf, json. When left out, all of them, and a PDF that this machine cannot make is left
            out with a word in the result; when given, it is an error.
        progress: Called with the name of each stage as it begins.
        engine: Where records are counted and groups solved. Changes no byte of the report.
        with_verifier: Put ``verify.py`` beside the report: a verifier that needs nothing but Python.
        record: Add this release to the ledger beside the spec, so that later builds can tell what both give away.

    Returns:
        The paths written, and the release.
    """
    prepared = prepare(spec_path, progress, engine)
    drafted = draft_document(prepared, progress)
    folder = Path(output) / prepared.spec.name
    salt = folder / CONFIDENTIAL / COMMITMENT
    made = make_files(drafted, salt, formats, progress, with_verifier=with_verifier)
    progress("write")
    files = {f"{PUBLIC}/{name}": content for name, content in made.public.items()}
    files |= {f"{CONFIDENTIAL}/{name}": content for name, content in made.confidential.items()}
    write_folder(folder, files)
    added = record and add_release(drafted.ledger, made.document)
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in sorted(files)),
        release=prepared.release,
        assessments=tuple(drafted.assessments),
        missing=made.missing,
        warnings=tuple(drafted.warnings),
        recorded=drafted.ledger.path if added else None,
    )


def make_files(
    drafted: Drafted,
    salt: Path,
    formats: Sequence[str] | None = None,
    progress: Progress = keep_quiet,
    *,
    with_verifier: bool = False,
) -> ReportFiles:
    """Every file of a report. Writes nothing; of the disk it reads only the salt that an earlier build has kept."""
    prepared, document = drafted.prepared, drafted.document
    public_spec, release = prepared.public, prepared.release
    commitment = None
    if prepared.spec.disclosure.commitment is not None:
        commitment = commit(prepared.table, salt)
        document = {**document, "commitment": commitment.public}
    progress("annex")
    annex = make_annex(
        prepared.spec, public_spec, prepared.table, prepared.draft, drafted.audit, drafted.assessments
    )
    wanted = FORMATS if formats is None else tuple(formats)
    data = {
        "report.json": json_bytes(document),
        "cells.csv": cells_csv(release, public_spec),
        "measures.csv": measures_csv(drafted.assessments),
        **{name: json_bytes(content) for name, content in form_files(public_spec).items()},
    }
    public = dict(data) if "json" in wanted else {}
    confidential = {"annex.json": json_bytes(annex_json(annex))} if "json" in wanted else {}
    missing = None
    if {"html", "pdf"} & set(wanted):
        context = _page_context(drafted, progress)
        pages, annex_pages, missing = _render(
            context, annex, data, wanted, progress, insist=formats is not None
        )
        public |= pages
        confidential |= annex_pages
    if with_verifier:
        public[VERIFIER] = verifier_text()
    if commitment is not None:
        confidential[COMMITMENT] = commitment.confidential
    public["SHA256SUMS"] = checksums(public)
    return ReportFiles(document=document, public=public, confidential=confidential, missing=missing)


def _page_context(drafted: Drafted, progress: Progress) -> ReportContext | FormContext:
    """What the page and the PDF say: the regulator's form where the spec asks for one, or the report."""
    release, spec, assessments = drafted.prepared.release, drafted.prepared.public, drafted.assessments
    form = form_context(release, spec, assessments, drafted.notes)
    if form is not None:
        return form
    progress("figures")
    figures = draw(release, spec, assessments, drafted.explanation)
    progress("context")
    return make_context(
        release, spec, assessments, drafted.left_out, drafted.explanation, drafted.notes, figures
    )


def _render(
    context: ReportContext | FormContext,
    annex: Annex,
    data: Mapping[str, bytes],
    wanted: Sequence[str],
    progress: Progress,
    *,
    insist: bool,
) -> tuple[dict[str, bytes], dict[str, bytes], str | None]:
    """The public and confidential pages, and why the PDF is missing if it is."""
    annex_context = make_annex_context(annex)
    public: dict[str, bytes] = {}
    confidential: dict[str, bytes] = {}
    if "html" in wanted:
        progress("html")
        public["report.html"] = render.render_html(context, data["report.json"]).encode()
        confidential["annex.html"] = render.render_annex_html(annex_context).encode()
    if "pdf" in wanted:
        progress("pdf")
        try:
            with render.render_annex_beside(annex_context) as annex_pdf:
                public["report.pdf"] = render.render_pdf(context, data)
                confidential["annex.pdf"] = annex_pdf()
        except MissingLibrary as error:
            if insist:
                raise
            return public, confidential, str(error)
    return public, confidential, None


def checksums(files: Mapping[str, bytes]) -> bytes:
    """The SHA256SUMS file, in the form that ``sha256sum --check`` reads."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
