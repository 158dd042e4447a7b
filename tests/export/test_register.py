"""A register of published reports: what it lists, what it leaves out, and that no text of a report gets out of its place."""

import hashlib
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
import rdflib

from atreport.cli.register import Register, write_register
from atreport.compose.generator import identify
from atreport.errors import NotAReport, UsageError
from atreport.export.files import public_files
from tests.command_line import atreport
from tests.documents import make_report
from tests.example import example_spec

HOSTILE = """</title><script>alert(1)</script>"' onload='x' ]]> &amp; --><img src=x>"""
_ATOM = "{http://www.w3.org/2005/Atom}"


def _publish(folder: Path, title: str, version: str = "1.0", date: str = "2026-01-15") -> Path:
    """A public folder with a small report, made in memory; beside it a confidential one that nobody may read."""
    report = make_report(example_spec()).report
    info = report.report.model_copy(
        update={"title": title, "version": version, "date": report.report.date.fromisoformat(date)}
    )
    changed = report.model_copy(update={"report": info, "identifier": identify(info)})
    public = folder / "public"
    public.mkdir(parents=True)
    for name, content in public_files(changed, ("json",)).items():
        (public / name).write_bytes(content)
    secret = folder / "confidential" / "public"
    secret.mkdir(parents=True)
    (secret / "report.json").write_text("SECRET", encoding="utf-8")
    return public


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Register]:
    """A register of two versions of one report, of a hostile one, and of four folders that are no reports."""
    folder = tmp_path_factory.mktemp("reports")
    _publish(folder / "old", "Cards", "1.9", "2025-01-15")
    _publish(folder / "new", "Cards", "1.10", "2026-01-15")
    hostile = _publish(folder / "javascript:alert(1) #?", HOSTILE, date="2024-01-15")
    shutil.copytree(hostile, folder / "zz copy" / "public")
    altered = _publish(folder / "altered", "Altered")
    (altered / "cells.csv").write_bytes(b"other\n")
    (folder / "broken" / "public").mkdir(parents=True)
    (folder / "broken" / "public" / "report.json").write_text("{", encoding="utf-8")
    (folder / "linked").mkdir()
    (folder / "linked" / "public").symlink_to(hostile)
    (folder / ".x.1.partial").mkdir()
    shutil.copytree(hostile, folder / ".x.1.partial" / "public")
    return folder, write_register(folder)


def test_what_holds_is_listed_and_the_rest_is_named(made: tuple[Path, Register]) -> None:
    """Altered, broken and copied reports are named; confidential folders, links and unfinished work are not looked at."""
    _, register = made
    assert sorted((entry.title, entry.version) for entry in register.entries)[1:] == [
        ("Cards", "1.10"),
        ("Cards", "1.9"),
    ]
    reasons = {each.folder.parent.name: each.reasons[0] for each in register.left_out}
    assert set(reasons) == {"altered", "broken", "zz copy"}
    assert reasons["altered"].startswith("cells.csv: altered")
    assert "a copy of" in reasons["zz copy"]
    assert not [file for file in register.files if b"SECRET" in file.read_bytes()]


class _Reader(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_hostile_texts_stay_texts(made: tuple[Path, Register]) -> None:
    """One script, the page's own, known to its policy; no foreign element or attribute; every link a relative one."""
    folder, _ = made
    page = (folder / "register" / "index.html").read_text(encoding="utf-8")
    reader = _Reader()
    reader.feed(page)
    tags = [tag for tag, _ in reader.found]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert not [attributes for _, attributes in reader.found if "onload" in attributes]
    links = [attributes["href"] or "" for tag, attributes in reader.found if tag == "a"]
    assert links
    assert not [link for link in links if ":" in link]
    for link in links:
        if link.endswith("report.json"):
            assert link.startswith("../")
    assert "default-src 'none'" in page


def test_versions_stand_together_the_newest_first(made: tuple[Path, Register]) -> None:
    """1.10 is newer than 1.9, and there is one article for both."""
    page = (made[0] / "register" / "index.html").read_text(encoding="utf-8")
    assert page.count("<article") == 2
    assert page.index("Version 1.10") < page.index("Earlier versions: 1") < page.index("Version 1.9")


def test_the_feed_has_what_atom_requires(made: tuple[Path, Register]) -> None:
    """Feed and entries have ids, titles, days and authors; ids are those of the reports, each once."""
    folder, register = made
    feed = ET.parse(folder / "register" / "feed.atom").getroot()
    assert feed.tag == f"{_ATOM}feed"
    parts = [feed, *feed.findall(f"{_ATOM}entry")]
    for part in parts:
        for name in ("id", "title", "updated", "author"):
            assert len(part.findall(f"{_ATOM}{name}")) == 1
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", part.findtext(f"{_ATOM}updated") or "")
    ids = [part.findtext(f"{_ATOM}id") for part in parts[1:]]
    assert sorted(map(str, ids)) == sorted(entry.identifier for entry in register.entries)
    assert [str(part.findtext(f"{_ATOM}updated"))[:4] for part in parts] == ["2026", "2026", "2025", "2024"]


def test_programs_read_the_catalogue(made: tuple[Path, Register]) -> None:
    """It is a DCAT catalogue, with every report as a dataset, and files that are where it says."""
    folder, register = made
    graph = rdflib.Graph()
    base = (folder / "register" / "catalogue.jsonld").as_uri()
    graph.parse(folder / "register" / "catalogue.jsonld", format="json-ld", publicID=base)
    dcat = rdflib.Namespace("http://www.w3.org/ns/dcat#")
    (catalogue,) = graph.subjects(rdflib.RDF.type, dcat.Catalog)
    assert {str(each) for each in graph.objects(catalogue, dcat.dataset)} == {
        entry.identifier for entry in register.entries
    }
    for address in graph.objects(None, dcat.downloadURL):
        assert Path(unquote(urlsplit(str(address)).path)).is_file()


def test_the_same_reports_give_the_same_bytes(made: tuple[Path, Register]) -> None:
    """No clock has a part in it, and the checksums are those of the files."""
    folder, first = made
    before = {file.name: file.read_bytes() for file in first.files}
    again = write_register(folder)
    assert {file.name: file.read_bytes() for file in again.files} == before
    for line in before["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(before[name]).hexdigest() == digest


def test_the_command_says_what_it_left_out(made: tuple[Path, Register], tmp_path: Path) -> None:
    """Exit code 1 where a report was left out, 2 where there is none, or the folder is confidential."""
    done = atreport("register", made[0], "-o", tmp_path / "r", "--json")
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["left_out"]) == 3
    assert "altered" in done.stderr
    with pytest.raises(NotAReport, match="no report below"):
        write_register(tmp_path / "r")
    (tmp_path / "Confidential").mkdir()
    with pytest.raises(UsageError, match="never opened"):
        write_register(tmp_path / "Confidential")
