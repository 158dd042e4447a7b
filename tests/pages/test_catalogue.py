"""What catalogues are told: other people's programs read it, offline, and find what the report says."""

import csv
import hashlib
import io
import json
import uuid
import warnings
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from csvw import CSVW
from rdflib import RDF, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCAT, DCTERMS, FOAF, XSD

from atreport.compose.generator import NAMESPACE, identify
from atreport.export.files import data_files, public_files
from atreport.pages.catalogue import (
    CONTEXT,
    FILE_TITLES,
    describe_dataset,
    describe_files,
    describe_report,
    page_catalogue,
)
from atreport.report.model import Report
from atreport.write_folder import ADDED_LATER, OWN_FILES, PUBLIC
from tests.assessing import CASES as EVERY_CASE
from tests.assessing import report_case, report_of
from tests.catalogues import of_page
from tests.example import example_spec

SCHEMA = Namespace("https://schema.org/")
SPDX = Namespace("http://spdx.org/rdf/terms#")
DCATAP = Namespace("http://data.europa.eu/r5r/")
ELI = Namespace("http://data.europa.eu/eli/ontology#")
QUICK = ("credit_card", "atrs_housing", "random 4", "random 8", "random 13")
CASES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EVERY_CASE]
BASE = "https://example.org/reports/1/"
"""Where the files are thought to be published, so that names of files become addresses."""

STATED = """\
  date: 2026-01-15
  contact: transparency@example.org
  licence: https://creativecommons.org/licenses/by/4.0/
  doi: 10.1234/example.1
  url: https://example.org/reports/1
  legislation:
    - {title: General Data Protection Regulation, eli: http://data.europa.eu/eli/reg/2016/679/oj}
    - {title: Dun & Bradstreet Austria, ecli: "ECLI:EU:C:2025:117"}
    - {cfr: 12 CFR 1002.9(a)(2)}
    - {cfr: 29 CFR 1607}
    - {title: "Rules </script><!-- of the city", url: https://example.org/rules}
"""


@cache
def stated() -> Report:
    """A report of which everything is stated that catalogues can be told."""
    return report_of(example_spec(("  date: 2026-01-15\n", STATED)))


@cache
def files_of(name: str) -> Mapping[str, bytes]:
    """The data files of a case, with dcat.jsonld."""
    return public_files(report_case(name), ["json"])


def graph_of(document: Any) -> Graph:
    """A document as other programs see it. Nothing is fetched: this fails where a context would have to be."""
    return Graph().parse(data=json.dumps(document), format="json-ld", publicID=BASE)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise AssertionError("something was to be fetched")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("urllib.request.urlopen", refuse)


@pytest.mark.parametrize("name", CASES)
def test_dcat_is_read_by_others_and_names_every_file(name: str) -> None:
    """One dataset; of every file beside it a distribution or a document, with its checksum and its size."""
    report, files = report_case(name), files_of(name)
    graph = graph_of(json.loads(files["dcat.jsonld"]))
    dataset = URIRef(report.identifier or "")
    assert list(graph.subjects(RDF.type, DCAT.Dataset)) == [dataset]
    assert graph.value(dataset, DCTERMS.issued) == Literal(report.report.date)
    assert str(graph.value(dataset, DCTERMS.title)) == report.report.title
    assert str(graph.value(graph.value(dataset, DCTERMS.publisher), FOAF.name)) == report.report.publisher
    found = {}
    for entry in (
        *graph.objects(dataset, DCAT.distribution),
        *graph.objects(dataset, DCTERMS.relation),
    ):
        address = graph.value(entry, DCAT.downloadURL) or entry
        checksum = graph.value(graph.value(entry, SPDX.checksum), SPDX.checksumValue)
        assert isinstance(checksum, Literal)
        assert checksum.datatype == XSD.hexBinary
        size = graph.value(entry, DCAT.byteSize)
        found[str(address).removeprefix(BASE)] = (str(checksum), int(str(size)))
        licence = report.report.licence if entry in graph.objects(dataset, DCAT.distribution) else None
        assert graph.value(entry, DCTERMS.license) == (None if licence is None else URIRef(licence))
    assert found == {
        file: (hashlib.sha256(content).hexdigest(), len(content))
        for file, content in files.items()
        if file not in ("dcat.jsonld", "SHA256SUMS")
    }


@pytest.mark.parametrize("name", CASES)
def test_what_search_engines_are_told_is_read_by_others(name: str) -> None:
    """A report and its dataset, with the checksums of the data files and of nothing that is made after the page."""
    report, data = report_case(name), data_files(report_case(name))
    graph = graph_of(json.loads(page_catalogue(report, data)))
    node = URIRef(report.identifier or "")
    assert (node, RDF.type, SCHEMA.Report) in graph
    assert str(graph.value(node, SCHEMA.name)) == report.report.title
    dataset = graph.value(node, SCHEMA.hasPart)
    assert (dataset, RDF.type, SCHEMA.Dataset) in graph
    sums = {
        str(graph.value(entry, SCHEMA.contentUrl)).removeprefix(BASE): str(graph.value(entry, SCHEMA.sha256))
        for entry in graph.objects(dataset, SCHEMA.distribution)
    }
    assert sums == {file: hashlib.sha256(content).hexdigest() for file, content in data.items()}
    measured = len(list(graph.objects(dataset, SCHEMA.variableMeasured)))
    assert bool(measured) == bool(report.fairness)


def test_everything_that_is_stated_is_told() -> None:
    """Licence, DOI, address, contact and each law, by links that lead there, in both vocabularies and in the notes."""
    report = stated()
    node = URIRef("https://doi.org/10.1234/example.1")
    assert report.identifier == str(node)
    laws = {
        "http://data.europa.eu/eli/reg/2016/679/oj",
        "https://www.ecfr.gov/current/title-12/section-1002.9",
        "https://www.ecfr.gov/current/title-29/part-1607",
        "https://example.org/rules",
    }
    judgment = "https://e-justice.europa.eu/ecli/ECLI:EU:C:2025:117"
    licence = URIRef("https://creativecommons.org/licenses/by/4.0/")
    page = graph_of(describe_report(report, data_files(report)))
    assert {str(law) for law in page.objects(node, SCHEMA.about)} == {*laws, judgment}
    assert {str(law) for law in page.subjects(RDF.type, SCHEMA.Legislation)} == laws
    assert list(page.objects(node, SCHEMA.license)) == [licence]
    portal = graph_of(json.loads(public_files(report, ["json"])["dcat.jsonld"]))
    assert {str(law) for law in portal.objects(node, DCATAP.applicableLegislation)} == laws
    assert {str(law) for law in portal.subjects(RDF.type, ELI.LegalResource)} == laws
    assert [str(each) for each in portal.objects(node, DCTERMS.references)] == [judgment]
    assert {*portal.objects(None, DCTERMS.license)} == {licence}
    assert portal.value(node, DCAT.landingPage) == URIRef("https://example.org/reports/1")
    contact = portal.value(node, DCAT.contactPoint)
    assert URIRef("mailto:transparency@example.org") in set(portal.objects(contact))
    notes = {note.id: note.text for note in report.notes}
    assert notes["law-2"] == f"Dun & Bradstreet Austria: ECLI:EU:C:2025:117, {judgment}"
    assert notes["law-4"] == "29 CFR 1607, https://www.ecfr.gov/current/title-29/part-1607"
    assert notes["licence"].endswith(str(licence))


def test_what_is_not_stated_is_not_told() -> None:
    """No licence, law or address is invented."""
    report = report_of(example_spec())
    told = json.dumps(describe_dataset(report, [])) + json.dumps(describe_report(report, {}))
    for word in ("icense", "egislation", "landingPage", "contactPoint", '"url"'):
        assert word not in told
    assert not any(note.id.startswith(("law", "licence")) for note in report.notes)


def test_no_text_leaves_its_place_in_the_page() -> None:
    """A title with marks of HTML neither ends the element nor opens a comment, and is read back as it was."""
    page = public_files(stated(), ["html"])["report.html"]
    about = of_page(page)["@graph"][0]["about"]
    assert about[-1]["name"] == "Rules </script><!-- of the city"
    assert b"<!--" not in page
    assert page.count(b"<script") == page.count(b"</script>")


def test_the_identifier_can_be_calculated_by_anybody() -> None:
    """A UUID (version 5) of publisher, title and version, in a namespace that follows from a name; or the DOI."""
    info = report_of(example_spec()).report
    assert uuid.uuid5(uuid.NAMESPACE_URL, "urn:atreport:report") == NAMESPACE
    name = '["Example Financial Authority", "Credit card applications", "1.0.0"]'
    assert identify(info) == f"urn:uuid:{uuid.uuid5(NAMESPACE, name)}"
    for key in ("publisher", "title", "version"):
        assert identify(info.model_copy(update={key: "other"})) != identify(info)
    assert identify(info.model_copy(update={"contact": "other"})) == identify(info)


def test_a_register_can_list_reports_in_folders() -> None:
    """The same functions describe a report that lies elsewhere: addresses of files begin with its folder."""
    report = stated()
    files = describe_files(data_files(report))
    catalogue = {
        "@context": CONTEXT,
        "@type": "dcat:Catalog",
        "dcat:dataset": [describe_dataset(report, files, folder="credit/public/")],
    }
    addresses = {str(address) for address in graph_of(catalogue).objects(None, DCAT.downloadURL)}
    assert f"{BASE}credit/public/cells.csv" in addresses
    assert all(address.startswith(f"{BASE}credit/public/") for address in addresses)


def test_every_public_file_has_a_title() -> None:
    """A new public file is described in catalogues."""
    assert {*OWN_FILES[PUBLIC]} - {*ADDED_LATER, "dcat.jsonld"} == {*FILE_TITLES}


def written(files: Mapping[str, bytes], folder: Path) -> Path:
    """The files, on disk."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def read_table(folder: Path, name: str) -> list[dict[str, Any]]:
    """A table as a program reads it that knows CSVW and nothing of us; a warning or a wrong entry is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = CSVW(str(folder / f"{name}-metadata.json"), validate=True)
        assert found.is_valid, found.warnings
        return list(found.tables[0].iterdicts(strict=True))


@pytest.mark.parametrize("name", CASES)
def test_tables_are_read_with_their_descriptions(name: str, tmp_path: Path) -> None:
    """By another program: every row, every column, numbers as numbers, and nothing where there is nothing."""
    folder = written(files_of(name), tmp_path)
    for table in ("cells.csv", "measures.csv"):
        plain = list(csv.reader(io.StringIO((folder / table).read_text(encoding="utf-8"), newline="")))[1:]
        read = [list(row.values()) for row in read_table(folder, table)]
        assert [["" if entry is None else str(entry) for entry in row] for row in read] == [
            [
                str(Decimal(entry)) if isinstance(was, Decimal) else entry
                for entry, was in zip(row, kinds, strict=True)
            ]
            for row, kinds in zip(plain, read, strict=True)
        ]
    cells = read_table(folder, "cells.csv")
    for outcome in report_case(name).process.outcome.values:
        assert all(isinstance(row[outcome], Decimal) for row in cells if outcome.isalpha())


WRONG = {
    "a probability above one": ("cells.csv", "0.", "7."),
    "a value that there is not": ("cells.csv", "\nF,", "\nX,"),
    "no number": ("cells.csv", "0.", "about 0."),
    "nothing where something must be": ("cells.csv", "\nF,", "\n,"),
    "a measure that there is not": ("measures.csv", "statistical_parity", "luck"),
    "a verdict that there is not": ("measures.csv", "cannot_tell", "audited"),
}


@pytest.mark.parametrize(("table", "old", "new"), WRONG.values(), ids=list(WRONG))
def test_descriptions_refuse_a_wrong_table(table: str, old: str, new: str, tmp_path: Path) -> None:
    """What a description says of a column is more than decoration."""
    files = dict(files_of("credit_card"))
    assert old in files[table].decode()
    files[table] = files[table].decode().replace(old, new, 1).encode()
    folder = written(files, tmp_path)
    with pytest.raises(UserWarning, match="Invalid column value"):
        read_table(folder, table)


def test_a_cell_twice_is_refused(tmp_path: Path) -> None:
    """The attributes together are the key of the table."""
    files = dict(files_of("credit_card"))
    heading, first, *rest = files["cells.csv"].decode().splitlines(keepends=True)
    files["cells.csv"] = "".join([heading, first, first, *rest]).encode()
    with pytest.raises(ValueError, match="duplicate primary key"):
        read_table(written(files, tmp_path), "cells.csv")


def test_strange_names_and_values_are_described(tmp_path: Path) -> None:
    """Signs of regular expressions, formulas, comments, spaces and letters of other languages, in names and values."""
    spec = example_spec(
        ("name: gender, label: Gender", 'name: "#own-sex é", label: Gender'),
        ("values: [F, M]", 'values: ["#F|(", "+M.*\\\\"]'),
        *((f"gender: F, income: {v}", f'"#own-sex é": "#F|(", income: {v}') for v in ('"<100k"', '"100k-200k"', '">200k"')),
        *((f"gender: M, income: {v}", f'"#own-sex é": "+M.*\\\\", income: {v}') for v in ('"<100k"', '"100k-200k"', '">200k"')),
        ("groups: gender, threshold", 'groups: "#own-sex é", threshold'),
        ("groups: gender, given", 'groups: "#own-sex é", given'),
        ("groups: gender, p", 'groups: "#own-sex é", p'),
        ("{gender: 0,", '{"#own-sex é": 0,'),
    )  # fmt: skip
    folder = written(data_files(report_of(spec)), tmp_path)
    values = {next(iter(row.values())) for row in read_table(folder, "cells.csv")}
    assert values == {"#F|(", "'+M.*\\"}
    assert read_table(folder, "measures.csv")


def test_figures_of_many_decimals_are_written_without_exponents() -> None:
    """A table has 0.0000000, which every program reads, and not 0E-7."""
    report = report_of(example_spec(("decimals: 4", "decimals: 8")))
    assert b"E-" not in data_files(report)["measures.csv"]
