"""Check a published report without any confidential data, offline, in exact arithmetic.

Each check is a function that yields findings in plain words; :func:`verify` runs them in the order in which a reader would
doubt a report: are these the files that were published, do the figures follow from one another, and does every file say
the same? A new figure in report.json needs a check here and, where it can be short, in ``templates/verify.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from atreport.errors import NotAReport
from atreport.report.model import Report
from atreport.report.published import Published, read_published
from atreport.verification.again import Again
from atreport.verification.files import (
    attached_report_findings,
    attachment_findings,
    checksum_findings,
    page_data_findings,
    signature_findings,
)
from atreport.verification.findings import Check, Verification, check
from atreport.verification.recalculation import (
    Recalculation,
    explanation_findings,
    measure_findings,
    people_findings,
)
from atreport.verification.shipped_verifier import SecondReading, second_reading, table_findings
from atreport.verification.signature import SIGNATURE
from atreport.version import __version__

__all__ = ["Check", "Verification", "verify"]

_SIGNED = "Who signed these files: give the publisher's public key with --key."
_NOT_SIGNED = (
    "Who published these files: they are not signed. Compare the checksums with the publisher's own copy."
)
_TRUTH = (
    "Whether the announced rule is as close to the true rule as stated, and whether no better protected rule was possible. "
    "That takes the data: the publisher's auditor can check it with `atreport verify --with-data SPEC`."
)
_RULES = (
    "The models and regions that explain the rule, and the pages that print them: they depend on the number of people, "
    "which is withheld."
)
_OTHER_VERSION = (
    "Whether every word of the pages is as it was published: this report was made with atreport {made}, and this is "
    "atreport {here}. Install that version to compare the pages word by word."
)
_OTHER_LIBRARIES = (
    "How the charts are drawn, since other versions of the drawing libraries are installed here."
)
_DRAWING = "How the charts of the PDF are drawn; its text was compared."


def verify(path: str | Path, key: str | Path | None = None) -> Verification:
    """Check a public folder, a report.json, a PDF or a page; with the publisher's public key, its signature too."""
    published = read_published(path)
    checks = [check("schema", "report.json has the form that its schema describes", published.wrong)]
    checks += _file_checks(published)
    limits: list[str] = []
    if key is not None:
        what = "the publisher signed these files"
        checks.append(check("signature", what, signature_findings(published, Path(key))))
    else:
        limits.append(_SIGNED if SIGNATURE in published.files else _NOT_SIGNED)
    if published.report is not None:
        with second_reading(published) as fetch:
            made_again, not_compared = _made_again(published, published.report)
            reading = fetch()
        checks += [_figures(published.report, reading), *made_again]
        limits += [
            f"{item[0].upper()}{item[1:]}." for item in reading.unchecked if "atreport verify" not in item
        ]
        limits += not_compared
    return Verification(
        path=Path(path),
        title="" if published.report is None else published.report.report.title,
        checks=tuple(checks),
        limits=(*limits, _TRUTH),
    )


def _file_checks(published: Published) -> list[Check]:
    """Are these the files that were published?"""
    checks = []
    if published.path.is_dir():
        what = "every file has the checksum that was published for it"
        checks.append(check("checksums", what, checksum_findings(published)))
    if published.attachments is not None:
        findings = [*attachment_findings(published), *attached_report_findings(published)]
        checks.append(
            check("attachments", "the data are attached to the PDF, the same as beside it", findings)
        )
    if "report.html" in published.files:
        what = "the page carries the same figures as report.json"
        checks.append(check("page-data", what, page_data_findings(published)))
    return checks


def _figures(report: Report, reading: SecondReading) -> Check:
    """Do the figures follow from one another? As the verifier finds that is shipped beside reports."""
    policy, cells = report.policy, f"from the {len(report.cells):,} published cells, in exact arithmetic"
    what = f"every figure was recalculated {cells}"
    if policy.population == "withheld" or (policy.population == "shares" and not policy.small_cells.is_exact):
        what = f"what needs no number of people was recalculated {cells}"
    return check("figures", what, reading.findings)


def _made_again(published: Published, report: Report) -> tuple[list[Check], list[str]]:
    """Does this program make the same of the figures, and does every file say the same? And what was not compared.

    Each part of the report has the form it should have, but the parts may not fit together.
    """
    try:
        with np.errstate(all="ignore"):
            return _program_checks(published, Recalculation(report))
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError) as error:
        reason = str(error) if isinstance(error, ValueError) else type(error).__name__
        finding = f"report.json: the report cannot be made again from it: {reason}"
        return [check("tables", "report.json is what the figures give", [finding])], []


def _program_checks(published: Published, found: Recalculation) -> tuple[list[Check], list[str]]:
    report = found.stated
    what = f"{len(report.fairness):,} fairness measures were calculated a second time, by this program"
    checks = [check("measures", what, [*people_findings(report), *measure_findings(found)])]
    withheld = report.policy.population == "withheld"
    if (report.influence or report.rules) and not withheld:
        what = (
            f"{len(report.influence):,} influences and points of curves, and the rules, were calculated again"
        )
        checks.append(check("explanation", what, explanation_findings(found)))
    if withheld and found.rules != report.rules:
        return [*checks, _tables(published)], [_RULES]
    again = Again(found.report)
    if not again.same_program:
        made = report.generator.get("atreport")
        return [*checks, _tables(published)], [_OTHER_VERSION.format(made=made, here=__version__)]
    limits = []
    if not again.same_libraries and "report.html" in published.files:
        limits.append(_OTHER_LIBRARIES)
    if "report.pdf" in published.files:
        limits.append(_DRAWING)
    return [*checks, *_same_everywhere(published, again)], limits


def _tables(published: Published) -> Check:
    """The tables beside the report and in its PDF, where the files themselves cannot be made again."""
    attached = table_findings(published.content, published.attachments or {})
    findings = [
        *table_findings(published.content, published.files),
        *(f"report.pdf: its attached {finding}" for finding in attached),
    ]
    return check("tables", "the tables have the rows of report.json", findings)


def _same_everywhere(published: Published, again: Again) -> list[Check]:
    files = published.files
    what = "report.json, its notes and the tables say what the figures give, to the last digit"
    checks = [check("tables", what, _data_findings(published, again))]
    if "report.html" in files:
        what = "the page says what the figures give, word by word"
        checks.append(check("page", what, again.page_findings(files["report.html"])))
    if "report.pdf" in files:
        what = "the PDF says what the figures give, line by line"
        try:
            checks.append(check("pdf", what, again.pdf_findings(files["report.pdf"])))
        except NotAReport as error:
            checks.append(check("pdf", what, [f"report.pdf: {error}"]))
    return checks


def _data_findings(published: Published, again: Again) -> Iterator[str]:
    attachments = published.attachments or {}
    for name in again.data:
        if name in published.files:
            yield from again.data_findings(name, published.files[name])
        if name in attachments:
            yield from again.data_findings(name, attachments[name], "report.pdf: its attached ")
    if published.source == "report.html" and again.report != published.report:
        yield "report.html: the texts in its data are not those that belong to its figures"
