"""How much of a stranger's words a finding repeats: enough to find the place, and not a page of it."""

import json
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from atreport.export.spreadsheets import pack
from atreport.report.rule import FORMAT
from atreport.verification.files import (
    _other_figures,
    attachment_findings,
    checksum_findings,
    language_findings,
)
from atreport.verification.rebuild import Rebuild, sheet_dangers
from tests.assessing import report_of
from tests.example import example_spec
from tests.finding import all_found

LONG = "x" * 500


def _published(**other: Any) -> Any:
    return SimpleNamespace(**{"files": {}, "attachments": {}, "report": None, **other})


def _sheets() -> Iterable[str]:
    return sheet_dangers("report.ods", pack({LONG: b""}))


def _generator(**names: str) -> Iterable[str]:
    report = report_of(example_spec())
    return Rebuild(report.model_copy(update={"generator": report.generator | names})).generator_findings()


def _languages() -> Iterable[str]:
    info = SimpleNamespace(language=LONG, all_languages=["en"])
    folder = SimpleNamespace(is_dir=lambda: True)
    return language_findings(
        _published(report=SimpleNamespace(report=info), path=folder, source="report.json")
    )


def _other_key() -> Iterable[str]:
    main: dict[str, Any] = {"format": FORMAT, "report": {"language": "en"}}
    other = {"format": FORMAT, "report": {"language": "fr"}, LONG: 1}
    files = {"report.fr.json": json.dumps(other).encode()}
    return _other_figures(_published(files=files, content=json.dumps(main).encode()), "fr")


@pytest.mark.parametrize(
    ("findings", "letters"),
    [
        (_sheets, 60),
        (lambda: _generator(**{LONG: "1.0"}), 60),
        (lambda: _generator(matplotlib=LONG), 60),
        (lambda: checksum_findings(_published(files={"SHA256SUMS": LONG.encode()})), 80),
        (lambda: attachment_findings(_published(attachments={LONG: b""})), 60),
        (_languages, 20),
        (_other_key, 40),
    ],
)
def test_so_many_letters_are_repeated(findings: Callable[[], Iterable[str]], letters: int) -> None:
    """And no more: who made the file would fill the screen of who checks it."""
    assert max(map(len, all_found("x+", "\n".join(findings())))) == letters
