"""The straight line from a spec to a published report: prepare, compose, attack, files, folder.

Everything is made in memory first; only then is anything written. The public files are made by a process of their own, from
the report alone, while this one attacks it and makes the annex.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from atreport.confidential.annex.annex import make_annex
from atreport.confidential.annex.files import confidential_files
from atreport.confidential.commitment import FILE as COMMITMENT
from atreport.confidential.commitment import fresh_salt, keep_earlier, read_salt
from atreport.confidential.data.run_options import LOCAL, RunOptions
from atreport.confidential.prepare import Prepared, Progress, keep_quiet, n_of_m, prepare
from atreport.confidential.publishable import Publishable, attacked, compose
from atreport.confidential.words import warn_of_certainty
from atreport.errors import UsageError
from atreport.pages.files import FORMATS
from atreport.pages.files_beside import MadePublic, WantedPublic, public_files_beside
from atreport.publish import CONFIDENTIAL, PUBLIC, write_folder
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.spec.models.spec import Spec
from atreport.verification.releases.ledger import record as add_release
from atreport.verification.releases.ledger import refuse_lost_releases


@dataclass(frozen=True, kw_only=True, eq=False)
class BuildResult:
    """What a build left: where, and the report it published."""

    folder: Path
    files: tuple[Path, ...]
    report: Report
    missing: str | None = None  # why a format that was not insisted on is absent
    warnings: tuple[str, ...] = ()  # where nobody is protected; what reports tell together
    cautions: tuple[str, ...] = ()  # what those who know the method could learn; for the publisher alone
    recorded: Path | None = None  # the ledger, where this announcement was added to it

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """Every fairness measure; `measures_frame` makes a table of them."""
        return self.report.fairness


def build(
    spec_path: str | Path | Mapping[str, Any] | Spec,
    output: str | Path = "output",
    formats: Sequence[str] | None = None,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
    *,
    with_verifier: bool = False,
    record: bool = False,
    salt: str | Path | None = None,
) -> BuildResult:
    """Build one report.

    Args:
        spec_path: The YAML spec; or a dictionary with the same keys, or a Spec. Data files that a dictionary names, and
            its ledger, are looked for in the working folder.
        output: The report goes to the folder of the spec's name below this one; of a dictionary, to `report`.
        formats: Any of html, pdf, json, ods, xlsx. When left out, the first three, and a PDF that cannot be made is left
            out with a word in the result; when given, it is an error.
        progress: Called with the name of each stage as it begins.
        engine: Where records are counted and groups solved. Changes no byte of the report.
        with_verifier: Put ``verify.py`` beside the report: a verifier that needs nothing but Python.
        record: Add this announcement to the ledger beside the spec, so that later builds can tell what both give away.
        salt: Where the spec asks for a commitment: the commitment.json of an earlier build, whose salt is used again, so
            that the same data give the same bytes. When left out, a fresh one is drawn.

    Returns:
        The paths written, and the report.
    """
    wanted = FORMATS if formats is None else tuple(formats)
    with public_files_beside(wanted) as begin:
        prepared = prepare(spec_path, progress, engine)
        folder = Path(output) / prepared.spec.name
        if salt is not None and prepared.spec.disclosure.commitment is None:
            title = prepared.spec.document.title
            raise UsageError(f"{title}: --salt is for a spec that asks for a commitment under disclosure.")
        composed = compose(prepared, fresh_salt() if salt is None else read_salt(Path(salt)), progress)
        refuse_lost_releases(composed.ledger, folder / PUBLIC / "report.json")
        fetch = begin(_wanted_public(prepared, composed.report, formats, with_verifier=with_verifier))
        publishable = attacked(prepared, composed, progress)
        result = _write(publishable, folder, formats, fetch, progress)
    added = record and add_release(publishable.ledger, publishable.report)
    return replace(result, recorded=publishable.ledger.path if added else None)


def write_report(
    publishable: Publishable,
    folder: Path,
    formats: Sequence[str] | None = None,
    *,
    with_verifier: bool = False,
) -> BuildResult:
    """Write the public and the confidential files of a report into its folder, all of them or none. See :func:`build`."""
    refuse_lost_releases(publishable.ledger, folder / PUBLIC / "report.json")
    with public_files_beside(FORMATS if formats is None else tuple(formats)) as begin:
        wanted = _wanted_public(
            publishable.prepared, publishable.report, formats, with_verifier=with_verifier
        )
        return _write(publishable, folder, formats, begin(wanted))


def _wanted_public(
    prepared: Prepared, report: Report, formats: Sequence[str] | None, *, with_verifier: bool
) -> WantedPublic:
    return WantedPublic(
        report=report,
        formats=FORMATS if formats is None else tuple(formats),
        with_verifier=with_verifier,
        style_files=dict(prepared.public.style_files),
        insist_on_pdf=formats is not None,
    )


def _write(
    publishable: Publishable,
    folder: Path,
    formats: Sequence[str] | None,
    fetch: Callable[[], MadePublic],
    progress: Progress = keep_quiet,
) -> BuildResult:
    """Make the confidential files while the public ones are made beside, and write both."""
    prepared, commitment = publishable.prepared, publishable.commitment
    if commitment is not None:
        commitment = keep_earlier(commitment, folder / CONFIDENTIAL / COMMITMENT)
    progress("annex")
    annex = make_annex(
        prepared.spec,
        prepared.public,
        prepared.table,
        prepared.draft,
        publishable.audit,
        publishable.report.fairness,
        prepared.as_read,
        n_of_m(progress, "annex: other policies"),
    )
    progress("pages")
    confidential = confidential_files(
        annex,
        FORMATS if formats is None else tuple(formats),
        commitment,
        do_without_pdf=None if formats is not None else lambda _: None,  # the public files say why
    )
    public = fetch()
    progress("write")
    files = {f"{PUBLIC}/{name}": content for name, content in public.files.items()}
    files |= {f"{CONFIDENTIAL}/{name}": content for name, content in confidential.items()}
    write_folder(folder, files)
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in sorted(files)),
        report=publishable.report,
        missing=public.missing,
        warnings=warnings_of(publishable),
        cautions=publishable.cautions,
    )


def warnings_of(publishable: Publishable) -> tuple[str, ...]:
    """What may be published and yet should be known first: where nobody is protected, what reports tell together."""
    return tuple(filter(None, (warn_of_certainty(publishable.prepared.announcement), *publishable.warnings)))
