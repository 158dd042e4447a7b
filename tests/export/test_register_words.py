"""A register in a language of its own, of reports in several."""

import datetime as dt
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from atreport.cli.register import write_register
from atreport.errors import UsageError
from atreport.export.files import public_files
from atreport.export.register import Entry, Naming, describe_entry, register_files
from atreport.verification.watched import CHECKED, VERIFIED
from tests.assessing import report_case
from tests.pseudo import pseudo_language, untold

_ATOM = "{http://www.w3.org/2005/Atom}"
NAMING = Naming(title="Register", publisher="Authority", language="fr")


def entry_with(*further: str) -> Entry:
    """An entry of a report, with these files beside its own."""
    report = report_case("credit_card")
    files = public_files(report, ["json"]) | dict.fromkeys(("report.html", *further), b"")
    return describe_entry(report, files, "a/public/")


def test_every_language_of_a_version_is_one_entry() -> None:
    """Links lead to each of them, and say which language is there; the page is preferred to the file for print."""
    entry = entry_with("report.fr.html", "report.fr.pdf", "report.de.pdf", "report.fr.json")
    assert entry.editions == (
        ("en", "a/public/report.html"),
        ("de", "a/public/report.de.pdf"),
        ("fr", "a/public/report.fr.html"),
    )
    files = register_files(NAMING, [entry], CHECKED)
    feed = ET.fromstring(files["feed.atom"])
    links = [link for link in feed.iter(f"{_ATOM}link") if "hreflang" in link.attrib]
    assert [(link.get("hreflang"), link.get("href")) for link in links] == [*entry.editions]
    page = files["index.html"].decode()
    assert page.count("<article") == 1
    assert 'data-languages="en de fr"' in page
    assert '<a href="a/public/report.fr.html" hreflang="fr" lang="fr">Français</a>' in page


def test_the_page_is_in_the_language_of_the_register() -> None:
    """Dates as it writes them; the document says which language it is."""
    page = register_files(NAMING, [entry_with()], CHECKED)["index.html"].decode()
    assert '<html lang="fr"' in page
    day = dt.date.fromisoformat(entry_with().date)
    assert f"{day.day} janvier {day.year}" in page


@pytest.mark.parametrize("checked", [CHECKED, VERIFIED])
def test_every_word_of_the_page_can_be_translated(checked: str) -> None:
    """What is no message is the publisher's, the name of a file, or the name of a language by itself."""
    entry = entry_with("report.fr.html")
    with pseudo_language():
        page = register_files(NAMING, [entry], checked)["index.html"].decode()
    own = {entry.title, entry.publisher, entry.summary, entry.version, "Register", "Authority", *entry.files}
    assert untold(page, publisher={*own, "English", "Français"}) == []


def test_an_unknown_language_is_a_clear_error(tmp_path: Path) -> None:
    """It says which there are."""
    with pytest.raises(UsageError, match="--language xx: registers are written in these languages: en"):
        write_register(tmp_path, language="xx")
