"""Every key of report.json is checked by somebody, or is said to be the publisher's own word: no other may reach a page."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from atreport.pages.own_words import IN_WORDS, KEYS, covering, own_words, stated_keys
from atreport.report.model import Report
from tests.assessing import CASES, report_case
from tests.finding import all_found

TRUST = Path(__file__).parents[2] / "docs" / "trust.md"


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a field may hold, however deep in its type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def keys_of(model: type[BaseModel], key: str = "") -> Iterator[str]:
    """Every key that a model can have, and all below it; those of the publisher's own sections, which have many, by wildcard."""
    for name, field in model.model_fields.items():
        path = f"{key}{field.alias or name}"
        line = covering(path)
        inner = [each for part in (field.annotation, *field.metadata) for each in models_in(part)]
        if not inner or (line is not None and line.endswith(".*")):
            yield path
        for each in dict.fromkeys(inner):
            if line is None or not line.endswith(".*"):
                yield from keys_of(each, f"{path}.")


def test_every_key_of_the_model_has_a_line() -> None:
    """Broken: a new key could reach a page, and nobody would have said who checks it. Give it a line in report/keys.py."""
    assert [key for key in keys_of(Report) if covering(key) is None] == []


def test_every_line_is_about_a_key() -> None:
    """Broken: the table would go on promising a check of what no report has."""
    known = {*keys_of(Report)}
    stale = [line for line in KEYS if line not in known and not any(covering(key) == line for key in known)]
    assert stale == []


def test_every_key_that_reports_state_has_a_line() -> None:
    """Broken: a key that no model names (the values of cells, what a form holds) could be overlooked."""
    names = {attribute.name for name in CASES for attribute in report_case(name).process.attributes}
    for name in CASES:
        stated = {*stated_keys(report_case(name).as_json())}
        cells = {f"cells.{attribute}" for attribute in names}
        missing = [
            key
            for key in stated - cells
            if covering(key) is None
            and covering(".".join(key.split(".")[:-1])) is None
            and not any(covering(".".join(key.split(".")[:length])) for length in range(1, 5))
        ]
        assert missing == [], name


def test_own_words_are_told_on_the_page() -> None:
    """Broken: readers could take for checked what only the publisher says."""
    assert {*IN_WORDS} == {how for check, how in KEYS.values() if check == "own word"}
    for name in CASES:
        assert own_words(report_case(name))


def test_the_table_of_the_guide_is_that_of_the_program() -> None:
    """Broken: the guide would promise checks that there are not."""
    section = TRUST.read_text(encoding="utf-8").partition("### Who checks which key")[2].partition("\n## ")[0]
    rows = all_found(r"^\| (.+?) \| (.+?) \| (.+?) \|$", section, re.MULTILINE)[1:]
    told = {key: (who, how) for who, how, keys in rows for key in all_found(r"`([^`]+)`", keys)}
    assert told == {key: (check, how) for key, (check, how) in KEYS.items()}
