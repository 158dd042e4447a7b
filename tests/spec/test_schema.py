"""The JSON Schema of a spec: draft-07, shipped as a file, and in step with the models."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from atreport.spec.validation import allowed_keys, schema_text, spec_schema
from tests.example import EXAMPLE, changed

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("*.yaml"))


def _valid(text: str) -> bool:
    document: Any = yaml.safe_load(re.sub(r"(?<=: )\d{4}-\d\d-\d\d", r"'\g<0>'", text))  # dates stay texts
    return bool(jsonschema.Draft7Validator(spec_schema()).is_valid(document))


def test_schema_is_draft_7() -> None:
    """The YAML language server reads draft-07."""
    jsonschema.Draft7Validator.check_schema(spec_schema())
    assert spec_schema()["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert "$defs" not in schema_text()


def test_shipped_file_is_current() -> None:
    """The file in the package is what `atreport schema` prints."""
    shipped = files("atreport.spec").joinpath("atreport.schema.json").read_text(encoding="utf-8")
    assert shipped == schema_text(), "run: atreport schema > atreport/spec/atreport.schema.json"
    assert json.loads(shipped) == spec_schema()


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_every_example_is_valid(path: Path) -> None:
    """Editors show no errors in the specs we ship."""
    assert _valid(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "edit",
    [
        ("  title:", "  titel:"),
        ("role: public", "role: pubic"),
        ("delta: 0.9", "delta: 1.9"),
        ("delta: 0.9", "delta: 0.9, alpha: 0.9"),
        ("measure: statistical_parity", "measure: nonsense"),
        ("decimals: 4", "decimals: 12"),
    ],
)
def test_schema_refuses_what_the_loader_refuses(edit: tuple[str, str]) -> None:
    """An editor shows the error before the command line does."""
    assert _valid(EXAMPLE)
    assert not _valid(changed(edit))


def test_allowed_keys_follow_the_path() -> None:
    """Hints name the keys of the very section, also inside lists and alternatives."""
    root = {"fairness": [{"measure": "p_percent_rule", "q": 1}], "report": {}}
    assert allowed_keys(("fairness", 0), root) == ["groups", "headline", "measure", "outcomes", "p", "title"]
    assert "publisher" in allowed_keys(("report",), root)
