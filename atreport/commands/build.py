"""The straight line from a spec to a published report: prepare, publishable, files, folder.

Everything is made in memory first; only then is anything written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from atreport.confidential.annex.annex import make_annex
from atreport.confidential.annex.files import confidential_files_beside
from atreport.confidential.commitment import FILE as COMMITMENT
from atreport.confidential.data.run_options import LOCAL, RunOptions
from atreport.confidential.prepare import Progress, keep_quiet, prepare
from atreport.confidential.publishable import make_publishable
from atreport.pages.files import FORMATS, public_files
from atreport.publish import CONFIDENTIAL, PUBLIC, write_folder
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.verification.ledger import record as add_release


@dataclass(frozen=True, kw_only=True, eq=False)
class BuildResult:
    """What a build left: where, and the report it published."""

    folder: Path
    files: tuple[Path, ...]
    report: Report
    missing: str | None = None  # why a format that was not insisted on is absent
    warnings: tuple[str, ...] = ()  # what this report and earlier ones tell together
    recorded: Path | None = None  # the ledger, where this announcement was added to it

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """Every fairness measure; `measures_frame` makes a table of them."""
        return self.report.fairness


def build(
    spec_path: str | Path,
    output: str | Path = "output",
    formats: Sequence[str] | None = None,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
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
        record: Add this announcement to the ledger beside the spec, so that later builds can tell what both give away.

    Returns:
        The paths written, and the report.
    """
    prepared = prepare(spec_path, progress, engine)
    folder = Path(output) / prepared.spec.name
    publishable = make_publishable(prepared, folder / CONFIDENTIAL / COMMITMENT, progress)
    progress("annex")
    annex = make_annex(
        prepared.spec,
        prepared.public,
        prepared.table,
        prepared.draft,
        publishable.audit,
        publishable.report.fairness,
    )
    wanted = FORMATS if formats is None else tuple(formats)
    missing: list[str] = []
    do_without_pdf = missing.append if formats is None else None
    progress("pages")
    with confidential_files_beside(
        annex, wanted, publishable.commitment, do_without_pdf=do_without_pdf
    ) as fetch:
        public = public_files(
            publishable.report, wanted, with_verifier=with_verifier, do_without_pdf=do_without_pdf
        )
        confidential = fetch()
    progress("write")
    files = {f"{PUBLIC}/{name}": content for name, content in public.items()}
    files |= {f"{CONFIDENTIAL}/{name}": content for name, content in confidential.items()}
    write_folder(folder, files)
    added = record and add_release(publishable.ledger, publishable.report)
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in sorted(files)),
        report=publishable.report,
        missing=missing[0] if missing else None,
        warnings=publishable.warnings,
        recorded=publishable.ledger.path if added else None,
    )
