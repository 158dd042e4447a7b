"""Whatever bytes it is given, the program answers with a result or an error that users can meet, soon and in little memory."""

import json
import os
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.errors import InvalidInput, NotAReport
from atreport.report.reader import read_report
from atreport.spec.load import parse_spec
from tests.conftest import BuiltOnce
from tests.example import EXAMPLE as SPEC
from tests.fuzz.run import run_case, run_cases
from tests.fuzz.targets import EXAMPLE, REPORTS, TARGETS
from tests.thoroughness import examples
from tests.verifying import public_files_of, shipped

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module", autouse=True)
def _example(built_once: BuiltOnce) -> None:
    """The files that some targets damage."""
    EXAMPLE.update(public_files_of(built_once("example")))


@pytest.mark.parametrize("target", TARGETS)
def test_some_hostile_input(target: str) -> None:
    """A few cases of each kind, each in a process of its own."""
    assert run_cases([target], range({"verify": 20, "pdf": 3}.get(target, 6))) == []


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_much_hostile_input(target: str) -> None:
    """2,000 damaged reports and 500 damaged PDFs are verified; of each other kind there are 250 cases."""
    number = {"verify": 2_000, "pdf": 500}.get(target, 250)
    assert run_cases([target], range(10_000, 10_000 + number)) == []


@pytest.mark.slow
def test_hostile_input_for_as_long_as_asked() -> None:
    """`make fuzz`: other cases each day of the year unless a seed is given, for ATREPORT_FUZZ_MINUTES (1)."""
    minutes = float(os.environ.get("ATREPORT_FUZZ_MINUTES", "1"))
    log = os.environ.get("ATREPORT_FUZZ_LOG")
    start = int(os.environ.get("ATREPORT_FUZZ_SEED", "1000000"))
    assert run_cases([*TARGETS], count(start), minutes, Path(log) if log else None) == []


@settings(max_examples=examples(500), deadline=None)
@given(documents)
def test_any_document_is_no_spec(document: object) -> None:
    """Whatever JSON, which is YAML too: a list of problems, never another error."""
    with pytest.raises(InvalidInput):
        parse_spec(json.dumps(document))


@settings(max_examples=examples(500), deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_no_spec(text: str) -> None:
    """Whatever text."""
    with pytest.raises(InvalidInput):
        parse_spec(text)


@settings(max_examples=examples(500), deadline=None)
@given(documents | st.binary(max_size=100))
def test_any_document_is_no_report(document: object) -> None:
    """Whatever JSON or bytes: no report, and why."""
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(NotAReport):
        read_report(content, "report.json")


FOUND = [
    ("loader", 200_410),
    ("reader", 200_534),
    ("reader", 401_909),
    ("loader", 600_120),
    ("standalone", 1_000_951),
]
"""Cases that failed once, or would have: (target, seed)."""


@pytest.mark.parametrize(("target", "seed"), FOUND)
def test_what_was_found_stays_right(target: str, seed: int) -> None:
    """Every finding of a longer run."""
    ended = run_case(target, seed)
    assert not ended.failed, ended.words


def test_halves_of_characters_are_no_text() -> None:
    """A text in memory can hold what no file can."""
    with pytest.raises(InvalidInput, match="not UTF-8"):
        parse_spec("atreport: 1\nreport: {title: x\ud800}")


@pytest.mark.parametrize("number", ["1e30", "1" * 35, "0." + "1" * 35, "-1e35"])
def test_numbers_with_more_digits_than_are_calculated_with(number: str) -> None:
    """They are refused in words, and never cut off."""
    content = next(path for path in REPORTS if path.parent.name == "credit_card").read_text()
    assert '"threshold": 0.3' in content
    with pytest.raises(NotAReport, match=r"digits|does not have the form"):
        read_report(content.replace('"threshold": 0.3', f'"threshold": {number}'), "report.json")


@pytest.mark.parametrize("half", [b"\\ud83d", b"\xed\xa0\x80"])
def test_half_a_character_is_no_part_of_a_report(half: bytes, tmp_path: Path) -> None:
    """Written as an escape or as bytes: both readers say so, and a whole one is read."""
    content = next(path for path in REPORTS if path.parent.name == "credit_card").read_bytes()
    title = b'"title": "'
    assert title in content
    with pytest.raises(NotAReport, match="not valid JSON"):
        read_report(content.replace(title, title + half, 1), "report.json")
    (tmp_path / "report.json").write_bytes(content.replace(title, title + half, 1))
    done = shipped(tmp_path / "report.json")
    assert (done.returncode, "no report that can be checked" in done.stderr) == (2, True)
    whole = read_report(content.replace(title, title + b"\\ud83d\\ude00", 1), "report.json")
    assert whole.report.title.startswith("\U0001f600")


def test_error_rates_beside_a_favourable_outcome_that_there_is_not() -> None:
    """Two mistakes in one spec are two problems, not an internal error."""
    text = SPEC.replace("favourable: approved", "favourable: granted").replace(
        "    - {name: income", "    - {name: repaid, role: private, values: [bad, good]}\n    - {name: income"
    )
    measure = "fairness:\n  - {measure: error_rates, groups: gender, label: repaid}"
    with pytest.raises(InvalidInput, match="granted"):
        parse_spec(text.replace("fairness:", measure))
