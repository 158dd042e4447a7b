"""Turn a Report into its data files: report.json and the CSV files. Numbers are exactly the printed ones."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from atreport.report.fairness import Assessment
from atreport.report.model import SCHEMA_ID, Report
from atreport.spec.values import SCALAR_SCHEMA

_FORMULA = ("=", "+", "-", "@")
_NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_SIZE = {"shares": ["share"], "counts": ["population"], "withheld": []}
"""The column that says how many people are in a cell."""


def report_json(report: Report) -> bytes:
    """The bytes of report.json."""
    return json_bytes(report.as_json())


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """A document as it is written to disk: UTF-8, objects indented, one line for each entry of a list.

    So a change to one cell is a change to one line, and large reports are written quickly.
    """
    return (_indented(document, "") + "\n").encode()


def _indented(value: Any, margin: str) -> str:
    inner = margin + "  "
    if isinstance(value, Mapping) and value:
        entries = [f"{_compact(key)}: {_indented(entry, inner)}" for key, entry in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(entries) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
        return f"[\n{inner}" + f",\n{inner}".join(map(_compact, value)) + f"\n{margin}]"
    return _compact(value)


_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def cells_csv(report: Report) -> bytes:
    """Every cell: its values, its size as published, the announced probability of each outcome."""
    names = [attribute.name for attribute in report.process.attributes]
    outcomes = report.process.outcome.values
    size = _SIZE[report.policy.population]
    rows = (
        [
            *(cell.values[name] for name in names),
            *(_text(getattr(cell, key)) for key in size),
            *(_text(cell.announced[outcome]) for outcome in outcomes),
            *(_text(bound) for bound in (cell.bounds or ())),
        ]
        for cell in report.cells
    )
    return _csv(cells_heading(report), rows)


def cells_heading(report: Report) -> list[str]:
    """The titles of the columns of cells.csv."""
    names = (attribute.name for attribute in report.process.attributes)
    bounds = ["lower", "upper"] if report.policy.fidelity.bounds else []
    return [*names, *_SIZE[report.policy.population], *report.process.outcome.values, *bounds]


def measures_csv(assessments: Sequence[Assessment]) -> bytes:
    """Every fairness measure, one row each."""
    heading = measures_heading(assessments)
    unknown, rate = "unknown_low" in heading, "rate" in heading
    rows = (
        [
            a.measure,
            *(a.groups or ("", "")),
            "; ".join(f"{name}={value}" for name, value in (a.given or {}).items()),
            *(map(_text, (a.value, *a.interval)) if a.interval is not None else ("", "", "")),
            _text(a.a_priori),
            _text(a.threshold),
            a.verdict or "",
            a.outcome or "",
            *(map(_text, (*a.sampling.interval, a.sampling.level)) if a.sampling else ("", "", "")),
            *((map(_text, a.unknown.interval) if a.unknown else ("", "")) if unknown else ()),
            *([a.rate or ""] if rate else []),
        ]
        for a in assessments
    )
    return _csv(heading, rows)


def measures_heading(assessments: Sequence[Assessment]) -> list[str]:
    """The titles of the columns of measures.csv."""
    heading = ["measure", "group_a", "group_b", "given", "value", "interval_low", "interval_high"]
    heading += ["a_priori", "threshold", "verdict", "outcome"]
    heading += ["sampling_low", "sampling_high", "sampling_level"]
    heading += ["unknown_low", "unknown_high"] if any(a.unknown for a in assessments) else []
    return heading + (["rate"] if any(a.rate for a in assessments) else [])


def _text(number: Decimal | int | None) -> str:
    """A number with all its decimals; nothing where there is none."""
    return "" if number is None else f"{number:f}" if isinstance(number, Decimal) else str(number)


def harmless(entry: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it; a number is one, with its sign."""
    if isinstance(entry, str) and entry.startswith(_FORMULA) and not _NUMBER.fullmatch(entry):
        return f"'{entry}"
    return entry


def _csv(heading: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([harmless(entry) for entry in heading])
    writer.writerows([harmless(entry) for entry in row] for row in rows)
    return text.getvalue().encode()


# The JSON Schema of report.json, generated from the Report.


def report_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that every report.json satisfies."""
    schema = Report.model_json_schema(by_alias=True, mode="validation")
    schema = _texts(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "atreport report",
    }


def _texts(schema: Any) -> Any:
    """The schema, in which a text is a text: what an author may write as a number in a spec is none in a report."""
    if isinstance(schema, list):
        return [_texts(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _texts(value) for key, value in schema.items()}
    if schema.get("type") == SCALAR_SCHEMA["type"]:
        found["type"] = "string"
    if schema.get("format") == "date":  # few programs look at the format
        found["pattern"] = r"^\d{4}-\d{2}-\d{2}$"
    return found
