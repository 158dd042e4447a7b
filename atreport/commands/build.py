"""The straight line from a spec to a published report: every stage, one line each, read downward.

Everything is made in memory first; only then is anything written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from atreport.confidential.data.engines.options import LOCAL, Engine
from atreport.errors import MissingLibrary
from atreport.publish import CONFIDENTIAL, PUBLIC, write_folder

# The package imports this module to offer `build`, and `atreport --help` must answer at once: so each stage is imported
# where it begins.
if TYPE_CHECKING:
    from atreport.analysis.assessment import Assessment
    from atreport.announcement import Release
    from atreport.confidential.annex.annex import Annex
    from atreport.pages.context import ReportContext
    from atreport.pages.forms.form_context import FormContext

FORMATS = ("html", "pdf", "json")

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


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


def build(
    spec_path: str | Path,
    output: str | Path = "output",
    formats: Sequence[str] | None = None,
    progress: Progress = lambda _stage: None,
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
    from atreport.analysis.explanations.explain import explain_rule
    from atreport.analysis.fairness import assess
    from atreport.commands.ledger import attack_earlier_releases, read_ledger
    from atreport.commands.ledger import record as add_release
    from atreport.confidential.annex.annex import annex_json, make_annex
    from atreport.confidential.attacks.audit import audit_draft, refuse_broken_promise
    from atreport.confidential.commitment import FILE as COMMITMENT
    from atreport.confidential.commitment import commit
    from atreport.confidential.mechanism.draft import refuse_above_ceiling
    from atreport.confidential.prepare import drafted
    from atreport.pages.forms.form_document import form_context, form_files
    from atreport.pages.notes import disclosure_notes
    from atreport.report.document import cells_csv, json_bytes, measures_csv, report_document

    spec, public_spec, table, draft = drafted(spec_path, progress, engine)
    progress("release")
    release = draft.release
    refuse_above_ceiling(spec, release)
    ledger = read_ledger(spec)
    warnings = attack_earlier_releases(spec, ledger, release)
    progress("fairness")
    assessments, left_out = assess(release, public_spec)
    progress("transparency")
    explanation = explain_rule(release, public_spec, progress)
    progress("notes")
    notes = disclosure_notes(release, public_spec, assessments, left_out)
    progress("audit")
    audit = audit_draft(spec, public_spec, table, draft)
    refuse_broken_promise(spec.document.path, audit, release)
    folder = Path(output) / spec.name
    commitment = None
    if spec.disclosure.commitment is not None:
        commitment = commit(table, folder / CONFIDENTIAL / COMMITMENT)
    progress("annex")
    annex = make_annex(spec, public_spec, table, draft, audit, assessments)

    wanted = FORMATS if formats is None else tuple(formats)
    document = report_document(release, public_spec, assessments, explanation, notes)
    document |= {"commitment": commitment.public} if commitment else {}
    data = {
        "report.json": json_bytes(document),
        "cells.csv": cells_csv(release, public_spec),
        "measures.csv": measures_csv(assessments),
        **{name: json_bytes(content) for name, content in form_files(public_spec).items()},
    }
    public = dict(data) if "json" in wanted else {}
    confidential = {"annex.json": json_bytes(annex_json(annex))} if "json" in wanted else {}
    missing = None
    if {"html", "pdf"} & set(wanted):
        from atreport.pages.charts import draw
        from atreport.pages.context import make_context

        context: ReportContext | FormContext | None = form_context(release, public_spec, assessments, notes)
        if context is None:
            progress("figures")
            figures = draw(release, public_spec, assessments, explanation)
            progress("context")
            context = make_context(release, public_spec, assessments, left_out, explanation, notes, figures)
        pages, annex_pages, missing = _render(
            context, annex, data, wanted, progress, insist=formats is not None
        )
        public |= pages
        confidential |= annex_pages
    if with_verifier:
        from atreport.verification.shipped_verifier import VERIFIER, verifier_text

        public[VERIFIER] = verifier_text()
    if commitment is not None:
        confidential[COMMITMENT] = commitment.confidential
    public["SHA256SUMS"] = checksums(public)

    progress("write")
    files = {f"{PUBLIC}/{name}": content for name, content in public.items()}
    files |= {f"{CONFIDENTIAL}/{name}": content for name, content in confidential.items()}
    write_folder(folder, files)
    added = record and add_release(ledger, document)
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in sorted(files)),
        release=release,
        assessments=tuple(assessments),
        missing=missing,
        warnings=tuple(warnings),
        recorded=ledger.path if added else None,
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
    from atreport.confidential.annex.context import make_annex_context
    from atreport.kit import render

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
