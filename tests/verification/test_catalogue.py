"""What catalogues are told is checked: made again by the program, and by the shipped verifier as far as checksums go."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from atreport import verify
from atreport.export.files import checksums, public_files
from atreport.report.writer import json_bytes
from atreport.resources import templates_folder
from atreport.verification.recalculation import checksum_statements
from atreport.write_folder import ADDED_LATER, OWN_FILES, PUBLIC
from tests.assessing import report_of
from tests.catalogues import DCAT, SUMS, restated
from tests.example import example_spec
from tests.forgeries import Edit, Files, matched, replaced
from tests.made_once import pages_made_once
from tests.verifying import ACCEPT, shipped, written

__all__ = ["pages_made_once"]

_DIGEST = r'("@value": ")[0-9a-f]{64}(", "@type": "xsd:hexBinary")'
_UUID = r"urn:uuid:[0-9a-f]{8}"
_ELSEWHERE = "urn:uuid:00000000"
CATALOGUES: Mapping[str, Mapping[str, Edit]] = {
    "dcat.jsonld": {
        "a checksum": matched(_DIGEST, rf"\g<1>{'0' * 64}\g<2>"),
        "a size": matched(r'"@value": "\d+"', '"@value": "1"'),
        "the identifier": matched(_UUID, _ELSEWHERE),
        "the title": matched(r'("dct:title": \{\s*"@value": ")', r"\1Audited: "),
        "the publisher": matched(r'("foaf:name": \{\s*"@value": ")', r"\1Not "),
        "the day": matched(r"\d{4}-\d{2}-\d{2}", "2020-01-01"),
        "a licence": replaced(
            '"dcat:version"', '"dct:license": "https://example.org/any",\n  "dcat:version"'
        ),
        "a file elsewhere": replaced('"@id": "cells.csv"', '"@id": "https://example.org/cells.csv"'),
        "a file less": matched(r'\n    \{"@type": "dcat:Distribution"[^\n]*', ""),
        "another context": replaced("http://www.w3.org/ns/dcat#", "https://example.org/"),
        "no JSON": lambda _: "audited",
        "nothing": lambda _: "{}",
    },
    "report.json": {
        "the identifier": matched(_UUID, _ELSEWHERE),
        "a DOI for an identifier": matched(r"urn:uuid:[-0-9a-f]{36}", "https://doi.org/10.1234/audited"),
        "the schema": replaced("urn:atreport:schema:report:1", "urn:atreport:schema:report:2"),
    },
    "cells.csv-metadata.json": {
        "a datatype": replaced('"base": "decimal"', '"base": "string"'),
        "a limit": replaced('"maximum": "1"', '"maximum": "2"'),
        "a value": matched(r'("format": "\^\()', r"\1audited|"),
        "a description": matched(r'("dc:description": ")', r"\1Not "),
        "the key": matched(r'"primaryKey": \["[^"]*"', '"primaryKey": ["share"'),
        "the table": replaced('"url": "cells.csv"', '"url": "https://example.org/cells.csv"'),
    },
    "measures.csv-metadata.json": {
        "a datatype": replaced('"base": "decimal"', '"base": "string"'),
        "what may be empty": replaced('"required": true', '"required": false'),
        "a verdict": replaced("cannot_tell", "audited"),
    },
    "report.html": {
        "the name": matched(r'("@type":"Report".*?"name":")', r"\1Audited: "),
        "the identifier": matched(r'(ld\+json">.*?"identifier":")urn:uuid:[0-9a-f]{8}', rf"\1{_ELSEWHERE}"),
        "a checksum": matched(r'("sha256":")[0-9a-f]{64}', rf"\g<1>{'0' * 64}"),
        "a licence": replaced('"@type":"Report",', '"@type":"Report","license":"https://example.org/any",'),
        "that it runs": replaced('type="application/ld+json"', 'type="module"'),
        "gone": matched(r'<script type="application/ld\+json">.*?</script>\n', ""),
    },
}
"""What catalogues are told, changed: in dcat.jsonld, beside the tables, in report.json and in the page."""


def forged(files: Files, name: str, edit: Edit) -> Files:
    """One file changed; the checksums match, those in dcat.jsonld too, unless it is the one that was changed."""
    forged = {**files, name: edit(files[name].decode()).encode()}
    if name != DCAT:
        return restated(forged)
    return {**forged, SUMS: checksums({key: content for key, content in forged.items() if key != SUMS})}


EDITS = [(name, what, edit) for name, edits in CATALOGUES.items() for what, edit in edits.items()]


@cache
def honest() -> Files:
    """The example as data and page."""
    return public_files(report_of(example_spec()), ["json", "html"], with_verifier=True)


def test_an_honest_report_holds(tmp_path: Path, pages_made_once: None) -> None:
    """And each of its files is known to both verifiers."""
    folder = written(honest(), tmp_path / "public")
    result = verify(folder)
    assert result.passed, result.findings
    assert "catalogue" in [check.id for check in result.checks]
    assert shipped(folder, ACCEPT).returncode == 0


def test_no_forgery_is_accepted(tmp_path: Path, pages_made_once: None) -> None:
    """Of dcat.jsonld, the descriptions of tables, the identifier and the data in the page, all checksums made to match.

    Each is named by the file in which it is.
    """
    for number, (name, what, edit) in enumerate(EDITS):
        found = verify(written(forged(honest(), name, edit), tmp_path / str(number))).findings
        assert any(finding.startswith((name, "identifier", "$schema")) for finding in found), (what, found)


SHIPPED: list[tuple[str, Edit, str]] = [
    ("dcat.jsonld", CATALOGUES["dcat.jsonld"]["a checksum"], "dcat.jsonld: states another checksum than cells.csv has"),
    ("dcat.jsonld", CATALOGUES["dcat.jsonld"]["a file less"], "dcat.jsonld: does not name the files that are beside it"),
    ("dcat.jsonld", lambda _: '{"sha256": 1, "spdx:checksum": []}', "its parts do not fit together"),
    ("report.html", CATALOGUES["report.html"]["a checksum"], "report.html: states another checksum than cells.csv has"),
    ("report.json", CATALOGUES["report.json"]["the identifier"], "identifier: should be urn:uuid:"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit", "says"), SHIPPED)
def test_the_shipped_verifier_checks_what_is_short(name: str, edit: Edit, says: str, tmp_path: Path) -> None:
    """Checksums, the files that are named, and the identifier; hostile documents end in a verdict."""
    assert says in shipped(written(forged(honest(), name, edit), tmp_path / "public"), ACCEPT).stdout


def test_the_shipped_verifier_knows_the_files_of_a_report(tmp_path: Path) -> None:
    """The same names as the program does; another is a finding, also where it is listed."""
    text = (templates_folder() / "verify.py").read_text(encoding="utf-8")
    known = text[text.index("FILES = (") : text.index(")  # fmt: skip  # and no others")]
    assert {*OWN_FILES[PUBLIC]} - {*ADDED_LATER} == {*known.split('"')[1::2]}
    more = restated({**honest(), "audit.txt": b"Audited"})
    assert "audit.txt: no file of a report" in shipped(written(more, tmp_path / "public"), ACCEPT).stdout


def test_checksums_are_checked_by_other_versions_too(tmp_path: Path) -> None:
    """Where the descriptions cannot be made again, what they state of files still must hold."""
    document = json.loads(honest()["report.json"])
    document["generator"]["atreport"] = "9.9"
    files = {name: honest()[name] for name in ("cells.csv", "measures.csv", "dcat.jsonld")}
    files = restated({**files, "report.json": json_bytes(document)})
    right = verify(written(files, tmp_path / "right"))
    assert right.accepting(["pages"]).passed, right.findings
    files["dcat.jsonld"] = CATALOGUES["dcat.jsonld"]["a checksum"](files["dcat.jsonld"].decode()).encode()
    files["SHA256SUMS"] = checksums({name: files[name] for name in files.keys() - {"SHA256SUMS"}})
    wrong = verify(written(files, tmp_path / "wrong"))
    assert [check.id for check in wrong.checks if not check.holds] == ["catalogue"]


def test_a_document_of_another_shape_is_named() -> None:
    """Whatever stands in dcat.jsonld, there is a finding and no traceback."""
    for content in (
        b"\xff",
        b"[",
        b'{"sha256": "0", "contentUrl": 1}',
        b'{"spdx:checksum": 1}',
        b"[" * 10**5,
    ):
        assert list(checksum_statements({"dcat.jsonld": content}))


def test_a_report_that_states_no_identifier_is_checked_all_the_same(tmp_path: Path) -> None:
    """A key that is missing means not stated; catalogues get the identifier that follows."""
    report = report_of(example_spec())
    kept = {name: getattr(report, name) for name in report.model_fields_set - {"identifier", "schema_id"}}
    without = type(report).model_construct(set(kept), **kept)
    files = public_files(without, ["json"])
    assert b"identifier" not in files["report.json"]
    assert json.loads(files["dcat.jsonld"])["@id"] == report.identifier
    assert verify(written(files, tmp_path / "public")).passed
