"""Turn pydantic's findings into problems at a line and column, in words a spec author uses."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from atreport.errors import SpecProblem
from atreport.spec.spec import Spec
from atreport.spec.yaml import Document, KeyPath, did_you_mean, missing_key, value_at
from atreport.text.numbers import counted

_EXPECTED = {
    "model_type": "expected key: value pairs",
    "model_attributes_type": "expected key: value pairs",
    "dict_type": "expected key: value pairs",
    "tuple_type": "expected a list",
    "list_type": "expected a list",
}


def validate_section(
    type_: Any, document: Document, path: KeyPath, problems: list[SpecProblem]
) -> Any | None:
    """The validated section at `path`, or None. Appends every problem found.

    Unknown keys are reported and then left out, so that a misspelt key does not hide what else is wrong.
    """
    raw = value_at(document.root, path)
    adapter = TypeAdapter(type_)
    try:
        return adapter.validate_python(raw)
    except ValidationError as error:
        findings = error.errors()
    problems.extend(_problem(finding, document, path) for finding in findings)
    unknown = [
        _tree_path(raw, finding["loc"]) for finding in findings if finding["type"] == "extra_forbidden"
    ]
    if len(unknown) < len(findings):
        return None
    try:
        return adapter.validate_python(_without(raw, set(unknown), ()))
    except ValidationError:  # only because the misspelt key is missing, which was just said
        return None


def _tree_path(raw: Any, loc: tuple[int | str, ...]) -> KeyPath:
    """The part of a pydantic location that exists in the document (union tags do not)."""
    path: KeyPath = ()
    for step in loc:
        if step in raw if isinstance(raw, dict) else isinstance(raw, list) and isinstance(step, int):
            raw = raw[step]
            path = (*path, step)
    return path


def _without(raw: Any, unknown: set[KeyPath], path: KeyPath) -> Any:
    if isinstance(raw, dict):
        return {
            key: _without(value, unknown, (*path, key))
            for key, value in raw.items()
            if (*path, key) not in unknown
        }
    if isinstance(raw, list):
        return [_without(value, unknown, (*path, index)) for index, value in enumerate(raw)]
    return raw


_NO_LONGER: Mapping[KeyPath, tuple[str, str]] = {
    ("style", "fonts"): (
        "a report is set in its own fonts: in a font file 42.5% can be drawn where 67.5% is written",
        "leave 'fonts' out; logo, colours, cover and sections stay",
    ),
    ("policy", "grid", "even"): (
        "there is no 'even' grid any more: at the same fidelity it told more than one with wide outer intervals",
        "leave 'grid' out, or write 'grid: wide'",
    ),
}
"""Keys and values that there once were: what is wrong with them, and what to write."""


def _problem(finding: ErrorDetails, document: Document, section: KeyPath) -> SpecProblem:
    raw = value_at(document.root, section)
    path = (*section, *_tree_path(raw, finding["loc"]))
    kind = finding["type"]
    context: dict[str, Any] = finding.get("ctx", {})
    if kind == "extra_forbidden":
        key = str(path[-1])
        if path in _NO_LONGER:
            return document.problem(path, *_NO_LONGER[path], at_key=True)
        hint = did_you_mean(key, allowed_keys(path[:-1], document.root))
        return document.problem(path, f"unknown key '{key}'", hint, at_key=True)
    if kind in {"missing", "union_tag_not_found"}:
        key = "measure" if kind == "union_tag_not_found" else str(finding["loc"][-1])
        return missing_key(document, path, key)
    if kind == "literal_error":
        if gone := _NO_LONGER.get((*path, str(finding["input"]))):
            return document.problem(path, *gone)
        choices = [choice.strip(" '") for choice in context["expected"].replace(" or ", ", ").split(",")]
        return document.problem(
            path, f"'{finding['input']}' is not allowed here", did_you_mean(str(finding["input"]), choices)
        )
    if kind == "union_tag_invalid":
        choices = [choice.strip(" '") for choice in context["expected_tags"].split(",")]
        return document.problem(
            (*path, "measure"), f"unknown measure '{context['tag']}'", did_you_mean(context["tag"], choices)
        )
    if kind in {"too_short", "too_long"}:
        at_least = kind == "too_short"
        limit = context["min_length" if at_least else "max_length"]
        return document.problem(
            path, f"expected at {'least' if at_least else 'most'} {counted(limit, 'entry', 'entries')} here"
        )
    if kind in _EXPECTED:
        return document.problem(path, _EXPECTED[kind])
    message = finding["msg"].removeprefix("Value error, ")
    return document.problem(path, message)


# Turn the spec models into JSON Schema (draft-07, which the YAML language server reads).

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
