"""The JSON Schema of report.json, generated from the Report."""

from __future__ import annotations

from typing import Any

from atreport.report.model import SCHEMA_ID, Report
from atreport.spec.models.values import SCALAR_SCHEMA


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
