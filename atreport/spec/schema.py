"""Turn the spec models into JSON Schema (draft-07, which the YAML language server reads)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from atreport.spec.models.spec import Spec
from atreport.spec.yaml import KeyPath

SCHEMA_FILE_NAME = "atreport.schema.json"


class _Draft7(GenerateJsonSchema):
    schema_dialect = "http://json-schema.org/draft-07/schema#"


@cache
def spec_schema() -> dict[str, Any]:
    """The JSON Schema of a spec."""
    schema = Spec.model_json_schema(schema_generator=_Draft7, ref_template="#/definitions/{model}")
    definitions = schema.pop("$defs")
    return {
        "$schema": _Draft7.schema_dialect,
        "title": "atreport spec",
        "description": "An algorithmic transparency report: the decision process, the policy and the measures.",
        **_draft7(schema),
        "definitions": _draft7(definitions),
    }


def _draft7(schema: Any) -> Any:
    """Rewrite the few keywords that are younger than draft-07, and drop defaults and pydantic's titles."""
    if isinstance(schema, list):
        return [_draft7(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:  # draft-07 ignores whatever stands beside a $ref
        return {"$ref": schema["$ref"]}
    return {
        key: _draft7(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and key not in {"default", "discriminator"}
    }


def schema_text() -> str:
    """The schema as the text of the file that is shipped and written by ``atreport init``."""
    return json.dumps(spec_schema(), indent=2, ensure_ascii=False) + "\n"


def allowed_keys(path: KeyPath, document: Any) -> list[str]:
    """The keys a spec may have in the mapping at `path`, for "did you mean" hints."""
    candidates = _resolve(spec_schema())
    value = document
    for step in path:
        value = value[step]
        candidates = [found for schema in candidates for found in _step(schema, step, value)]
    return sorted({key for schema in candidates for key in schema.get("properties", {})})


def _step(schema: dict[str, Any], step: str | int, value: Any) -> list[dict[str, Any]]:
    if isinstance(step, int):
        below = schema.get("items")
    else:
        below = schema.get("properties", {}).get(step, schema.get("additionalProperties"))
    return [found for found in _resolve(below) if _same_kind(found, value)] if isinstance(below, dict) else []


def _resolve(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Follow references and alternatives down to plain schemas."""
    if "$ref" in schema:
        return _resolve(spec_schema()["definitions"][schema["$ref"].rsplit("/", 1)[1]])
    if "properties" in schema:
        return [schema]
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    return [found for item in alternatives for found in _resolve(item)] if alternatives else [schema]


def _same_kind(schema: dict[str, Any], value: Any) -> bool:
    """Whether constants in the schema (such as a measure's name) agree with what the author wrote."""
    if not isinstance(value, dict):
        return True
    constants = {key: sub["const"] for key, sub in schema.get("properties", {}).items() if "const" in sub}
    return all(value.get(key) == constant for key, constant in constants.items() if isinstance(constant, str))
