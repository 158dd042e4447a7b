"""Turn pydantic's findings into problems at a line and column, in words a spec author uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from atreport.errors import Problem
from atreport.kit.numbers import counted
from atreport.spec.problems import did_you_mean, missing_key, value_at
from atreport.spec.schema import allowed_keys
from atreport.spec.yaml import Document, KeyPath

_EXPECTED = {
    "model_type": "expected key: value pairs",
    "model_attributes_type": "expected key: value pairs",
    "dict_type": "expected key: value pairs",
    "tuple_type": "expected a list",
    "list_type": "expected a list",
}


def validate_section(type_: Any, document: Document, path: KeyPath, problems: list[Problem]) -> Any | None:
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


def _problem(finding: ErrorDetails, document: Document, section: KeyPath) -> Problem:
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
