"""Turn the bytes of a report.json into a Report: exactly, or not at all.

Guarantee: no key is given twice, so that two readers cannot see different figures; every number is read as the decimal that
was written, with bounded digits and exponents; what does not fit the model is said in plain words, all of it at once.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from atreport.errors import NotAReport
from atreport.report.figures import ReportModel
from atreport.report.model import Report
from atreport.report.pdf import PdfContent, read_pdf
from atreport.report.rule import FORMAT
from atreport.text.language import gettext
from atreport.untrusted import NotPlain, read_plain_file
from atreport.write_folder import PUBLIC

_HALF = re.compile(r"\\u[dD][89a-fA-F]")

MOST_DIGITS = 40
"""No printed number has more digits, or a larger exponent."""

AnyPart = TypeVar("AnyPart", bound=ReportModel)


def read_report(content: bytes | str, where: str) -> Report:
    """The report in a report.json. Raises :class:`NotAReport` with everything that is wrong with it."""
    return refuse_misfits(where, *validate(parse_json(content, where), Report))


def refuse_misfits(where: object, report: Report | None, wrong: Sequence[str]) -> Report:
    """The report, unless it does not have the form of one, or its cells do not fit together: then :class:`NotAReport`."""
    if report is not None:
        try:
            _ = report.rule_table
        except ValueError as error:
            wrong = [f"cells: {error}"]
        else:
            return report
    found = "\n  ".join(wrong[:20])
    raise NotAReport(f"{where}: this report.json does not have the form of a report.\n  {found}")


def validate(document: Mapping[str, Any], model: type[AnyPart]) -> tuple[AnyPart | None, list[str]]:
    """A document as the model describes it; or None, and every place at which it is not."""
    policy = document.get("policy")
    stated = policy if isinstance(policy, dict) else {}
    decimals = {
        key: number
        for key in ("decimals", "share_decimals", "bound_decimals")
        if isinstance(number := stated.get(key), int) and 0 <= number <= 18
    }
    try:
        return model.model_validate(document, context=decimals), []
    except ValidationError as error:
        return None, [_finding(each["loc"], each["msg"]) for each in error.errors(include_url=False)]


def _finding(place: tuple[int | str, ...], message: str) -> str:
    """Where a document is not as it should be, and why."""
    named = [f"{step + 1}" if isinstance(step, int) else step for step in place]
    return f"{', '.join(named) or 'the document'}: {message.removeprefix('Value error, ')}"


def parse_json(content: bytes | str, where: str, form: str = FORMAT) -> dict[str, Any]:
    """The content of a report.json, or of a document of another form, with exact numbers."""
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        document = json.loads(
            text,
            parse_float=_decimal,
            parse_int=_whole,
            parse_constant=_no_number,
            object_pairs_hook=each_once,
        )
        if _HALF.search(text):  # half a character, which no file can hold, may be written as \\ud800
            json.dumps(document, ensure_ascii=False, default=str).encode()
    except (ValueError, RecursionError) as error:
        raise NotAReport(_no_json(where, error)) from None
    if not isinstance(document, dict) or "format" not in document:
        raise NotAReport(
            gettext("{where}: this is no report that atreport published: it names no format.", where=where)
        )
    if (other := document["format"]) != form:
        raise NotAReport(
            gettext(
                "{where}: this program reads the format {form}, not {other}. A newer atreport may read it.",
                where=where,
                form=form,
                other=other,
            )
        )
    return document


def _no_json(where: str, error: Exception) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return gettext("{where}: this is not valid JSON.", where=where)
    place = {"line": error.lineno, "column": error.colno}
    return gettext("{where}: this is not valid JSON (line {line}, column {column}).", where=where, **place)


def _decimal(text: str) -> Decimal:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    number = Decimal(text)
    if "e" in text or "E" in text:  # without, there are no more decimals than digits
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int) or abs(exponent) > MOST_DIGITS:
            raise ValueError("a number has too many digits")
    return number


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key given twice could show one reader another figure than the next."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


# Turn a published report, in any of its forms, into a Report and the files it was found in.
#
# A reader may hold the public folder, ``report.json``, the PDF (which has the data attached) or the page
# (which carries them).

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
    strange: Mapping[str, str]  # what else is in the folder; why it was not read is to be said with `resolve`
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
    return read_files(path, files, strange)


def read_files(path: Path, files: Mapping[str, bytes], strange: Mapping[str, str]) -> Published:
    """The report that some files hold, under the names that they have in the main language."""
    pdf, damaged = None, ""
    try:
        pdf = read_pdf(files["report.pdf"]) if "report.pdf" in files else None
    except NotAReport as error:
        damaged = error.args[0]
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
