"""Turn the bytes of a report.json into a Report: exactly, or not at all.

Guarantee: no key is given twice, so that two readers cannot see different figures; every number is read as the decimal that
was written, with bounded digits and exponents; what does not fit the model is said in plain words, all of it at once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import ValidationError

from atreport.errors import NotAReport
from atreport.kit.language import say
from atreport.report.figures import Part
from atreport.report.model import Report
from atreport.report.rule import FORMAT

_HALF = re.compile(r"\\u[dD][89a-fA-F]")

MOST_DIGITS = 40
"""No printed number has more digits, or a larger exponent."""

Published = TypeVar("Published", bound=Part)


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


def validate(document: Mapping[str, Any], model: type[Published]) -> tuple[Published | None, list[str]]:
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
            object_pairs_hook=_once,
        )
        if _HALF.search(text):  # half a character, which no file can hold, may be written as \\ud800
            json.dumps(document, ensure_ascii=False, default=str).encode()
    except (ValueError, RecursionError) as error:
        raise NotAReport(_no_json(where, error)) from None
    if not isinstance(document, dict) or "format" not in document:
        raise NotAReport(
            say("{where}: this is no report that atreport published: it names no format.", where=where)
        )
    if (other := document["format"]) != form:
        raise NotAReport(
            say(
                "{where}: this program reads the format {form}, not {other}. A newer atreport may read it.",
                where=where,
                form=form,
                other=other,
            )
        )
    return document


def _no_json(where: str, error: Exception) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return say("{where}: this is not valid JSON.", where=where)
    place = {"line": error.lineno, "column": error.colno}
    return say("{where}: this is not valid JSON (line {line}, column {column}).", where=where, **place)


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


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key given twice could show one reader another figure than the next."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found
