"""A folder with a report in several languages is checked whole: no words are forged in any of them."""

import functools
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest

from atreport import verify
from atreport.export.files import public_files
from atreport.report.writer import json_bytes
from atreport.verification.files import language_findings
from tests.assessing import report_of
from tests.catalogues import SUMS, restated
from tests.example import example_spec
from tests.made_once import pages_made_once_for_all
from tests.verifying import ACCEPT, shipped, written

__all__ = ["pages_made_once_for_all"]

Files = dict[str, bytes]
EDITS = (
    ("date: 2026-01-15\n", "date: 2026-01-15\n  languages: [en, fr, nl]\n"),
    (
        "disclosure:\n",
        "translations:\n  fr: {Credit card applications: Demandes de carte, Gender: Sexe, F: Femmes, denied: refusé}\n"
        "disclosure:\n",
    ),
)


@functools.cache
def honest(*formats: str) -> Files:
    """The public files of a report in three languages."""
    return public_files(report_of(example_spec(*EDITS)), formats)


DATA, ALL = ("html", "json"), ("html", "json", "pdf")
FORMATS = pytest.mark.parametrize(
    "formats", [DATA, pytest.param(ALL, marks=pytest.mark.slow)], ids=["page", "PDF"]
)


def _json(name: str, edit: Callable[[Any], object]) -> Callable[[Files], None]:
    """A forgery of a report.json, carried by its page too."""

    def forge(files: Files) -> None:
        document = json.loads(files[name])
        edit(document)
        files[name] = json_bytes(document)
        page = name.replace(".json", ".html")
        data = files[name].decode().strip().replace("<", "\\u003c")
        head, tag, rest = files[page].decode().partition('<script type="application/json" id="report-data">')
        files[page] = f"{head}{tag}{data}{rest[rest.index('</script>') :]}".encode()

    return forge


def _text(name: str, pattern: str, new: str) -> Callable[[Files], None]:
    def forge(files: Files) -> None:
        text = files[name].decode()
        changed = re.sub(pattern, new, text, count=1)
        assert changed != text
        files[name] = changed.encode()

    return forge


def _copied(name: str, to: str) -> Callable[[Files], None]:
    return lambda files: files.update({to: files[name]})


def _gone(*names: str) -> Callable[[Files], None]:
    def forge(files: Files) -> None:
        for name in names:
            files.pop(name, None)

    return forge


def _swapped(one: str, other: str) -> Callable[[Files], None]:
    return lambda files: files.update({one: files[other], other: files[one]})


def _pdf(edit: Callable[[pikepdf.Pdf], None]) -> Callable[[Files], None]:
    def forge(files: Files) -> None:
        with pikepdf.open(io.BytesIO(files["report.fr.pdf"])) as pdf:
            edit(pdf)
            out = io.BytesIO()
            pdf.save(out)
        files["report.fr.pdf"] = out.getvalue()

    return forge


def _set_language(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Lang = "en"


def _other_data(pdf: pikepdf.Pdf) -> None:
    data = pdf.attachments["report.json"].get_file().read_bytes()
    del pdf.attachments["report.json"]
    pdf.attachments["report.json"] = data.replace(b"0.675", b"0.575")


FORGERIES: dict[str, Callable[[Files], None]] = {
    "a figure in French": _json("report.fr.json", lambda doc: doc["privacy"].update(beta=0.5)),
    "a verdict in Dutch": _json("report.nl.json", lambda doc: doc["fairness"][0].update(verdict="meets")),
    "a note in French": _json("report.fr.json", lambda doc: doc["notes"][0].update(text="Rien n’est caché.")),
    "the title of a note": _json("report.nl.json", lambda doc: doc["notes"][1].update(title="Alles is goed")),
    "a note more": _json(
        "report.fr.json", lambda doc: doc["notes"].append({"id": "x", "title": "t", "text": "x"})
    ),
    "a note less": _json("report.fr.json", lambda doc: doc["notes"].pop()),
    "another language claimed": _json("report.fr.json", lambda doc: doc["report"].update(language="nl")),
    "another title": _json("report.fr.json", lambda doc: doc["report"].update(title="Autre chose")),
    "another translation": _json(
        "report.fr.json", lambda doc: doc["translations"]["fr"].update(denied="accordé")
    ),
    "fewer languages": _json("report.json", lambda doc: doc["report"].update(languages=["en", "fr"])),
    "a word of the French page": _text("report.fr.html", "Femmes", "Hommes"),
    "a figure of the French page": _text("report.fr.html", r"67,5(?=\W)", "66,5"),
    "a link to elsewhere": _text("report.fr.html", r'href="report\.html"', 'href="https://example.org/"'),
    "a link between languages gone": _text("report.html", r'<link rel="alternate" hreflang="fr"[^>]*>', ""),
    "the language of a page": _text("report.nl.html", '<html lang="nl"', '<html lang="en"'),
    "the French page gone": _gone("report.fr.html"),
    "all French files gone": _gone("report.fr.html", "report.fr.pdf", "report.fr.json"),
    "a language more": _copied("report.fr.html", "report.de.html"),
    "a language that there is not": _copied("report.fr.html", "report.xx.html"),
    "tables of one language": _copied("cells.csv", "cells.fr.csv"),
    "pages of two languages swapped": _swapped("report.fr.html", "report.nl.html"),
    "data of two languages swapped": _swapped("report.fr.json", "report.json"),
    "the French PDF in Dutch": _copied("report.nl.pdf", "report.fr.pdf"),
    "the language of the PDF": _pdf(_set_language),
    "other data in the French PDF": _pdf(_other_data),
    "no JSON in French": lambda files: files.update({"report.fr.json": b"[]"}),
}
NOT_BY_FILES_ALONE = {
    "a note in French", "the title of a note", "a word of the French page", "a figure of the French page", "a link to elsewhere",
    "a link between languages gone", "the language of a page", "the French PDF in Dutch", "the language of the PDF",
    "other data in the French PDF",
}  # fmt: skip
"""What verify.py, which makes no page, cannot find."""


def _forged(files: Files, *forge: Callable[[Files], None]) -> Files:
    """The files after forgeries, with checksums that match: by somebody who can write them too."""
    left = {name: content for name, content in files.items() if name != SUMS}
    for each in forge:
        each(left)
    return restated(left)


@FORMATS
@pytest.mark.usefixtures("pages_made_once_for_all")
def test_the_folder_holds(formats: tuple[str, ...], tmp_path: Path) -> None:
    """In all its languages, for both verifiers: otherwise the forgeries below would prove nothing."""
    files = honest(*formats)
    folder = written(files, tmp_path / "public")
    found = verify(folder)
    assert (found.findings, found.not_checked) == ((), ())
    assert {"page", "page-fr", "page-nl", "tables-nl"} <= {check.id for check in found.checks}
    assert ("pdf-fr" in {check.id for check in found.checks}) == (formats == ALL)
    assert shipped(folder, ACCEPT).returncode == 0
    assert {"report.html", "report.fr.html", "report.fr.json"} <= files.keys()
    assert ("report.nl.pdf" in files) == (formats == ALL)


@FORMATS
@pytest.mark.usefixtures("pages_made_once_for_all")
def test_forgeries_are_found_in_the_file_of_their_language(formats: tuple[str, ...], tmp_path: Path) -> None:
    """One each of the data, a page and a PDF. “report.html does not hold” would accuse the wrong page."""
    forged = [
        "a verdict in Dutch",
        "a word of the French page",
        *["the language of the PDF"] * (formats == ALL),
    ]
    folder = written(_forged(honest(*formats), *map(FORGERIES.__getitem__, forged)), tmp_path / "public")
    found = {check.id: check.findings for check in verify(folder).checks}
    (word,) = found["page-fr"]
    assert word.startswith("report.fr.html: says “")
    assert "Hommes" in word
    if formats == ALL:
        assert [finding.partition(":")[0] for finding in found["pdf-fr"]] == ["report.fr.pdf"]
    assert {finding.partition(":")[0] for finding in found["checksums"]} == {"report.nl.json"}
    assert not {"page", "pdf", "pdf-nl", "tables", "tables-fr"} & {name for name in found if found[name]}


@pytest.mark.slow
@pytest.mark.usefixtures("pages_made_once_for_all")
def test_no_forgery_in_any_language_is_accepted(tmp_path: Path) -> None:
    """A figure or a word that differs in one language only would be believed by those who read that language."""
    folders = {
        name: written(_forged(honest(*ALL), forge), tmp_path / name) for name, forge in FORGERIES.items()
    }
    assert [name for name, forged in folders.items() if verify(forged).holds] == []


def test_no_forgery_is_accepted_by_the_shipped_verifier(tmp_path: Path) -> None:
    """Readers who trust no program of ours would believe it; this verifier is quick, so it tries them all."""
    names = FORGERIES.keys() - NOT_BY_FILES_ALONE
    folders = {name: written(_forged(honest(*DATA), FORGERIES[name]), tmp_path / name) for name in names}
    assert [name for name, forged in folders.items() if shipped(forged, ACCEPT).returncode == 0] == []


@pytest.mark.parametrize(
    "name", ["report.fr.html", "report.fr.json", pytest.param("report.fr.pdf", marks=pytest.mark.slow)]
)
def test_one_file_of_a_language_can_be_checked_by_itself(name: str, tmp_path: Path) -> None:
    """A reader may hold nothing but the French PDF."""
    (tmp_path / name).write_bytes(honest(*(ALL if name.endswith(".pdf") else DATA))[name])
    assert verify(tmp_path / name).passed


def test_every_file_is_there_in_every_language_and_in_no_other(tmp_path: Path) -> None:
    """What is missing is named, and what is a translation of nothing; tables, verify.py and checksums are for all languages."""
    report = report_of(example_spec(*EDITS))

    def findings(*names: str) -> set[str]:
        files = dict.fromkeys(names, b"")
        published: Any = SimpleNamespace(report=report, path=tmp_path, files=files, source="report.pdf")
        return set(language_findings(published))

    missing = "missing, though the report is published in"
    everything = ["report.html", "report.fr.html", "report.nl.html", "verify.py", "SHA256SUMS"]
    assert findings(*everything) == set()
    assert findings("report.html", "report.fr.html", "verify.py") == {f"report.nl.html: {missing} “nl”"}
    assert findings("report.pdf") == {f"report.{tag}.pdf: {missing} “{tag}”" for tag in ("fr", "nl")}
    assert findings("cells.csv", "verify.py") == set()
    assert findings(*everything, "report.nl.pdf") == {
        "report.nl.pdf: there is no report.pdf, of which it is the translation"
    }
    assert findings(*everything, "report.de.html") == {"report.de.html: the report is not published in “de”"}


@pytest.mark.parametrize(
    ("language", "altered", "other"),
    [
        (
            "fr",
            "cells.csv\N{NO-BREAK SPACE}: modifié depuis l’écriture de SHA256SUMS",
            "là où les chiffres donnent",
        ),
        ("de", "cells.csv: verändert, seit SHA256SUMS geschrieben wurde", "wo die Zahlen"),
        ("nl", "cells.csv: gewijzigd sinds SHA256SUMS is geschreven", "waar de cijfers"),
    ],
)
def test_what_is_found_is_told_in_the_language_of_the_report(
    tmp_path: Path, language: str, altered: str, other: str
) -> None:
    """Broken: readers of a French report would be told in English why they should not rely on it."""
    report = report_of(example_spec(("date: 2026-01-15\n", f"date: 2026-01-15\n  language: {language}\n")))
    files = public_files(report, ["json"])
    for name, content in {**files, "cells.csv": files["cells.csv"].replace(b"0.9000", b"0.9001", 1)}.items():
        (tmp_path / name).write_bytes(content)
    found = verify(tmp_path).findings
    assert altered in found
    assert any(other in finding for finding in found)
    assert not [finding for finding in found if " where the figures " in finding or "altered" in finding]
