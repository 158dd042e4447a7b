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
from atreport.report.published import Published, parse_document, read_published
from atreport.verification.again import Again
from atreport.verification.arithmetic import (
    explanation_findings,
    program_findings,
    rules_can_be_made_again,
)
from atreport.verification.files import (
    attached_document_findings,
    attachment_findings,
    checksum_findings,
    page_data_findings,
    signature_findings,
)
from atreport.verification.findings import Check, Verification, check
from atreport.verification.restore import Restored, restore
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
    with second_reading(published) as fetch:
        checks = _file_checks(published)
        limits: list[str] = []
        if key is not None:
            what = "the publisher signed these files"
            checks.append(check("signature", what, signature_findings(published, Path(key))))
        else:
            limits.append(_SIGNED if SIGNATURE in published.files else _NOT_SIGNED)
        made_again, not_compared = _made_again(published)
        reading = fetch()
    checks.append(check("schema", "report.json has the form that its schema describes", reading.wrong))
    if not reading.wrong:
        checks += [_figures(published, reading), *made_again]
        limits += [
            f"{item[0].upper()}{item[1:]}." for item in reading.unchecked if "atreport verify" not in item
        ]
        limits += not_compared
    return Verification(
        path=Path(path),
        title="" if reading.wrong else published.document["report"]["title"],
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
        findings = [*attachment_findings(published), *attached_document_findings(published)]
        checks.append(
            check("attachments", "the data are attached to the PDF, the same as beside it", findings)
        )
    if "report.html" in published.files:
        what = "the page carries the same figures as report.json"
        checks.append(check("page-data", what, page_data_findings(published)))
    return checks


def _figures(published: Published, reading: SecondReading) -> Check:
    """Do the figures follow from one another? As the verifier finds that is shipped beside reports."""
    document = published.document
    policy, cells = (
        document["policy"],
        f"from the {len(document['cells']):,} published cells, in exact arithmetic",
    )
    guarded = policy["small_cells"]["policy"] in ("round", "suppress")
    what = f"every figure was recalculated {cells}"
    if policy["population"] == "withheld" or (policy["population"] == "shares" and guarded):
        what = f"what needs no number of people was recalculated {cells}"
    return check("figures", what, reading.findings)


def _made_again(published: Published) -> tuple[list[Check], list[str]]:
    """Does this program make the same of the figures, and does every file say the same? And what was not compared.

    Whether the document keeps its schema is found out at the same time, so anything may be missing from it here.
    """
    try:
        with np.errstate(all="ignore"):
            return _program_checks(published, restore(published.document))
    except (NotAReport, LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        reason = str(error) if isinstance(error, NotAReport) else type(error).__name__
        finding = f"report.json: the report cannot be made again from it: {reason}"
        return [check("tables", "report.json is what the figures give", [finding])], []


def _program_checks(published: Published, restored: Restored) -> tuple[list[Check], list[str]]:
    document, release, again = published.document, restored.release, Again(restored, published.document)
    what = f"{len(document['fairness']):,} fairness measures were calculated a second time, by this program"
    checks = [check("measures", what, program_findings(restored))]
    if (document["influence"] or document["rules"]) and release.population != "withheld":
        what = f"{len(document['influence']):,} influences and points of curves, and the rules, were calculated again"
        checks.append(check("explanation", what, explanation_findings(restored, document)))
    if release.population == "withheld" and not rules_can_be_made_again(restored, document):
        return [*checks, _tables(published)], [_RULES]
    if not again.same_program:
        made = document["generator"]["atreport"]
        return [*checks, _tables(published)], [_OTHER_VERSION.format(made=made, here=__version__)]
    limits = []
    if not again.same_libraries and "report.html" in published.files:
        limits.append(_OTHER_LIBRARIES)
    if "report.pdf" in published.files:
        limits.append(_DRAWING)
    return [*checks, *_same_everywhere(published, again)], limits


def _tables(published: Published) -> Check:
    """The tables beside the report and in its PDF, where the files themselves cannot be made again."""
    attached = table_findings(published.document, published.attachments or {})
    findings = [
        *table_findings(published.document, published.files),
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
    made = again.data["report.json"]
    if published.source == "report.html" and parse_document(made, "report.json") != published.document:
        yield "report.html: the texts in its data are not those that belong to its figures"
