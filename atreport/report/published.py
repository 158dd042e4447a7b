"""Turn a published report, in any of its forms, into a Report and the files it was found in.

A reader may hold the public folder, ``report.json``, the PDF (which has the data attached) or the page (which carries
them).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from atreport.errors import NotAReport
from atreport.kit.pdf import PdfContent, read_pdf
from atreport.kit.strangers.plain_file import NotPlain, read_plain_file
from atreport.publish import PUBLIC
from atreport.report.model import Report
from atreport.report.reader import parse_json, refuse_misfits, validate

DATA_ELEMENT = "report-data"
"""The id of the element in which a page carries report.json."""

_PAGE_DATA = re.compile(rf'<script type="application/json" id="{DATA_ELEMENT}">(.*?)</script>', re.DOTALL)
_KINDS = "a public folder, report.json, report.pdf or report.html"


@dataclass(frozen=True, kw_only=True, eq=False)
class Published:
    """A published report, and the files in which it was found."""

    path: Path
    report: Report | None  # None: its report.json does not have the form of a report
    wrong: tuple[str, ...]  # where and why not
    content: bytes  # report.json as it was found
    source: str  # where it was read: report.json, or the file that carries it
    files: Mapping[str, bytes]  # everything found, by file name
    strange: Mapping[str, str]  # what else is in the folder; why it was not read is to be said with `say_now`
    pdf: PdfContent | None = None  # None where there is no PDF, or none that can be read
    page_data: bytes | None = None  # the report.json that report.html carries, if it does

    @property
    def attachments(self) -> Mapping[str, bytes] | None:
        """The files that the PDF carries; None where there is no PDF."""
        return None if self.pdf is None else self.pdf.attachments


def read_published(path: str | Path) -> Published:
    """Read a report from its public folder (or the folder above it), or from one of its files."""
    path = Path(path)
    try:
        files, strange = _files(path)
    except OSError as error:
        raise NotAReport(f"{path}: cannot be read: {error.strerror}.\n  Give {_KINDS}.") from None
    return _read(path, files, strange)


def read_edition(path: Path, files: Mapping[str, bytes]) -> Published:
    """The report that some files hold, under the names that they have in the main language."""
    return _read(path, files, {})


def _read(path: Path, files: Mapping[str, bytes], strange: Mapping[str, str]) -> Published:
    pdf, damaged = _read_pdf(files)
    if damaged and "report.json" not in files:
        raise NotAReport(f"{path}: {damaged}.")
    attachments = None if pdf is None else pdf.attachments
    page_data = _carried(files["report.html"]) if "report.html" in files else None
    source, where, content = _document(path, files, attachments, page_data)
    report, wrong = validate(parse_json(content, f"{path}: {where}"), Report)
    return Published(
        path=path,
        report=report,
        wrong=tuple(wrong),
        content=content,
        source=source,
        files=files,
        strange={**strange, "report.pdf": damaged} if damaged else strange,
        pdf=pdf,
        page_data=page_data,
    )


def read_published_report(path: str | Path) -> Report:
    """The report alone, or :class:`NotAReport` with everything that is wrong with it."""
    published = read_published(path)
    return refuse_misfits(path, published.report, published.wrong)


def _files(path: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of the report, by the name they were published under, whatever a single file is called now.

    And what else is in the folder, with the reason why it was not read: nothing outside the folder is followed.
    """
    if path.is_dir():
        folder = path / PUBLIC if (path / PUBLIC).is_dir() else path
        files: dict[str, bytes] = {}
        strange: dict[str, str] = {}
        for entry in sorted(folder.iterdir()):
            try:
                files[entry.name] = read_plain_file(entry)
            except NotPlain as reason:
                strange[entry.name] = reason.args[0]
        if not files.keys() & {"report.json", "report.html", "report.pdf"}:
            raise NotAReport(f"{path}: this folder holds no report.\n  Give {_KINDS}.")
        return files, strange
    try:
        content = read_plain_file(path.resolve())
    except NotPlain as reason:
        raise NotAReport(f"{path}: {reason}.\n  Give {_KINDS}.") from None
    kind = _kind(content)
    if kind is None:
        raise NotAReport(f"{path}: this is no report that atreport published.\n  Give {_KINDS}.")
    return {kind: content}, {}


def _kind(content: bytes) -> str | None:
    """Which of the published files this is, by its first bytes."""
    start = content[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"%pdf-"):
        return "report.pdf"
    if start.startswith((b"<!doctype html", b"<html")):
        return "report.html"
    return "report.json" if start.startswith(b"{") else None


def _document(
    path: Path,
    files: Mapping[str, bytes],
    attachments: Mapping[str, bytes] | None,
    carried: bytes | None,
) -> tuple[str, str, bytes]:
    """The file that holds report.json, what to call it, and its content."""
    if "report.json" in files:
        return "report.json", "report.json", files["report.json"]
    if attachments is not None and "report.json" in attachments:
        return "report.pdf", "report.json in the PDF", attachments["report.json"]
    if carried is not None:
        return "report.html", "the data in the page", carried
    if "report.pdf" in files:
        raise NotAReport(
            f"{path}: this PDF has no report.json attached, so it is no report that atreport published, or the "
            "attachment was removed."
        )
    raise NotAReport(
        f"{path}: this page does not carry its data. Pages of very large reports do not.\n"
        "  Give the public folder, report.json or report.pdf."
    )


def _carried(page: bytes) -> bytes | None:
    """The report.json that a page carries, if it does."""
    found = _PAGE_DATA.search(page.decode("utf-8", errors="replace"))
    return found[1].encode() if found else None


def _read_pdf(files: Mapping[str, bytes]) -> tuple[PdfContent | None, str]:
    """The PDF, if there is one; or why it cannot be read."""
    try:
        return (read_pdf(files["report.pdf"]) if "report.pdf" in files else None), ""
    except NotAReport as error:
        return None, error.args[0]
