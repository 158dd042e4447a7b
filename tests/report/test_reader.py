"""Reading a report.json: exactly, or not at all, and everything that is wrong with it at once."""

import json
from decimal import Decimal

import pytest

from atreport.errors import NotAReport
from atreport.report.model import Report
from atreport.report.reader import MOST_DIGITS, parse_json, read_report, validate
from atreport.report.rule import PublishedRule
from atreport.report.writer import json_bytes, report_json
from tests.assessing import report_case
from tests.report.wrong_documents import WRONG, Wrong, honest, leave_out, put


def text() -> str:
    """An honest report.json."""
    return report_json(report_case("credit_card")).decode()


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_what_is_no_report_is_refused_with_place_and_reason(wrong: Wrong) -> None:
    """One line that says where and why, and the file's name before it."""
    with pytest.raises(NotAReport) as refused:
        read_report(wrong.content, "here.json")
    first, *lines = str(refused.value).splitlines()
    assert first == "here.json: this report.json does not have the form of a report."
    assert any(
        line.startswith(f"  {wrong.place}: ") and wrong.reason in line.removeprefix(f"  {wrong.place}: ")
        for line in lines
    ), lines
    assert refused.value.exit_code == 2


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Every place, in the order of the document's parts."""
    document = honest()
    for change in (
        put("privacy", "beta", value="0.675"),
        put("cells", 3, "announced", "approved", value=True),
        leave_out("notes"),
        put("surprise", value=1),
    ):
        change(document)
    with pytest.raises(NotAReport) as refused:
        read_report(json_bytes(document), "here")
    lines = str(refused.value).splitlines()[1:]
    assert sorted(line.split(":")[0].strip() for line in lines) == [
        "cells, 4, announced, approved",
        "notes",
        "privacy, beta",
        "surprise",
    ]


def test_no_more_than_twenty_findings_are_shown() -> None:
    """A document that is wrong everywhere gives a message that can be read; `validate` gives them all."""
    document = honest("housing_benefit")
    for cell in document["cells"][1:]:
        cell["announced"] = dict.fromkeys(cell["announced"], "?")
    with pytest.raises(NotAReport) as refused:
        read_report(json_bytes(document), "here")
    assert len(str(refused.value).splitlines()) == 21
    report, wrong = validate(parse_json(json_bytes(document), "here"), Report)
    assert report is None
    assert len(wrong) == 2 * (len(document["cells"]) - 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format": "atreport/1",', '"format": "atreport/1", "format": "atreport/1",'),
        ('"beta": 0.675,', '"beta": 0.675, "beta": 0.1,'),
        ('"gender": "F",', '"gender": "F", "gender": "M",'),
        ('"beta": 0.675,', '"beta": NaN,'),
        ('"beta": 0.675,', '"beta": Infinity,'),
        ('"beta": 0.675,', '"beta": -Infinity,'),
        ('"beta": 0.675,', f'"beta": 0.{"6" * MOST_DIGITS},'),
        ('"beta": 0.675,', f'"beta": {"6" * (MOST_DIGITS + 1)},'),
        ('"beta": 0.675,', '"beta": 1e999999999,'),
        ('"beta": 0.675,', '"beta": 1e-999999999,'),
        ('"beta": 0.675,', '"beta": 0.675e-41,'),
        ('"beta": 0.675,', f'"beta": {"[" * 100_000},'),
        ('"beta": 0.675,', f'"beta": {"[" * 100_000}{"]" * 100_000},'),
        ('"beta": 0.675,', f'"beta": {"{" + chr(34) + "a" + chr(34) + ":"} ' * 1),
        ('"beta": 0.675,', '"beta": .675,'),
        ('"beta": 0.675,', "'beta': 0.675,"),
        ("\n}\n", "\n}\n{}"),
    ],
    ids=lambda part: part[:40],
)
def test_what_two_programs_could_read_differently_is_no_json(old: str, new: str) -> None:
    """Keys given twice, numbers that are none, numbers without end, and nesting without end."""
    assert old in text()
    changed = text().replace(old, new, 1)
    with pytest.raises(NotAReport, match=r"^here: this is not valid JSON"):
        read_report(changed, "here")
    with pytest.raises(NotAReport, match=r"^here: this is not valid JSON"):
        read_report(changed.encode(), "here")


def test_the_place_of_broken_json_is_said() -> None:
    """By line and column, for an editor to go to."""
    with pytest.raises(NotAReport, match=r"not valid JSON \(line 1, column 7\)"):
        parse_json('{"a": ', "here")


def test_a_million_digits_take_no_time() -> None:
    """A number is refused by its length, before anything is calculated with it."""
    with pytest.raises(NotAReport):
        parse_json(f'{{"format": "atreport/1", "x": {"9" * 10**6}}}', "here")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "names no format"),
        ("5", "names no format"),
        ('{"a": 1}', "names no format"),
        ('{"format": "atreport/9"}', "reads the format atreport/1, not atreport/9"),
        ('{"format": null}', "reads the format atreport/1, not None"),
        (b"\xff\xfe\x00", "not valid JSON"),
        (b'{"format": "\xff"}', "not valid JSON"),
    ],
)
def test_another_document_is_no_report(content: str | bytes, words: str) -> None:
    """Said in a sentence."""
    with pytest.raises(NotAReport, match=words):
        read_report(content, "here")


def test_numbers_are_the_decimals_that_were_written() -> None:
    """No floating-point neighbour; whole numbers stay whole."""
    document = parse_json('{"format": "atreport/1", "x": [0.1, 0.30000000000000004, 2, 1e2]}', "here")
    assert document["x"] == [Decimal("0.1"), Decimal("0.30000000000000004"), 2, Decimal(100)]
    assert [type(number) for number in document["x"]] == [Decimal, Decimal, int, Decimal]


def test_numbers_written_otherwise_are_the_same() -> None:
    """0.6750, 0.675 and 67.5e-2 are one figure: what another program wrote again is still the report."""
    for written in ("0.6750", "0.67500", "67.5e-2"):
        report = read_report(text().replace('"beta": 0.675,', f'"beta": {written},', 1), "here")
        assert str(report.privacy.beta) == "0.6750"
        assert report == report_case("credit_card")


def test_the_order_of_keys_does_not_matter() -> None:
    """An object is the same whichever key comes first."""
    document = json.loads(text())
    turned = dict(reversed(document.items()))
    assert report_json(read_report(json_bytes(turned), "here")) == report_json(report_case("credit_card"))


def test_the_rule_alone_can_be_read() -> None:
    """A recorded release is the part on which everything else rests."""
    keys = ("format", "process", "policy", "privacy", "cells")
    document = {key: parse_json(text(), "here")[key] for key in keys}
    rule, wrong = validate(document, PublishedRule)
    assert rule is not None, wrong
    assert (rule.rule_table.mapping == report_case("credit_card").rule_table.mapping).all()
    del document["cells"]
    assert validate(document, PublishedRule) == (None, ["cells: Field required"])
