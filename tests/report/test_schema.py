"""The JSON Schema of report.json: generated from the Report, and as strict as a schema can be."""

import json
from pathlib import Path

import jsonschema
import pytest

from atreport.report.reader import read_report
from atreport.report.writer import report_json, report_schema
from tests.assessing import CASES, report_case
from tests.finding import walk
from tests.report.wrong_documents import WRONG, Wrong, honest

OLD = sorted((Path(__file__).parents[1] / "data" / "v0.1.0").glob("*/report.json"))
"""What version 0.1.0 published."""

VALIDATOR = jsonschema.Draft202012Validator(report_schema())


def test_schema_is_draft_2020_12() -> None:
    """And says so."""
    jsonschema.Draft202012Validator.check_schema(report_schema())
    assert report_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("name", CASES)
def test_schema_accepts_every_report(name: str) -> None:
    """Of every shipped spec and of random ones, as other programs read it: with floating-point numbers."""
    VALIDATOR.validate(json.loads(report_json(report_case(name))))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.parent.name)
def test_old_reports_are_accepted_by_schema_and_reader(path: Path) -> None:
    """What 0.1.0 published lacks the newer keys, and is a report all the same; written again it is the same document."""
    content = path.read_bytes()
    VALIDATOR.validate(json.loads(content))
    report = read_report(content, path.name)
    assert (report.disclosure, report.not_assessed, report.unexplained) == (None, None, None)
    assert report_json(report) == content


def test_all_eight_old_reports_are_there() -> None:
    """None is forgotten."""
    assert len(OLD) == 8


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_schema_refuses_what_the_reader_refuses(wrong: Wrong) -> None:
    """All but what no schema can say: how many digits there are, and how parts fit together."""
    assert VALIDATOR.is_valid(honest(wrong.case))
    assert VALIDATOR.is_valid(wrong.document) == (not wrong.schema_too)


def test_few_mistakes_are_the_readers_alone() -> None:
    """What a schema cannot say is digits and context."""
    alone = {wrong.name for wrong in WRONG if not wrong.schema_too}
    assert alone == {
        "decimals with a point", "digits of a figure", "digits of a share", "digits of hundredths",
        "value that there is not", "cell without a value", "cells in another order", "outcome that there is not",
        "no decimals of shares", "sum of what there is not",
    }  # fmt: skip


def test_texts_are_texts() -> None:
    """Where an author may write a number in a spec, a report has its text, and nowhere does the schema say otherwise."""
    assert '"type": ["string", "number", "boolean"]' not in json.dumps(report_schema())


def test_no_key_may_be_anything() -> None:
    """Every object that is described names its keys, or what its values are."""
    objects = [
        (place, part)
        for place, part in walk(report_schema())
        if isinstance(part, dict) and part.get("type") == "object"
    ]
    assert objects
    assert [place for place, part in objects if part.get("additionalProperties", True) is True] == []
