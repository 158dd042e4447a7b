"""Public files that another process makes: the same bytes, from the report alone."""

import pytest

from atreport.errors import MissingLibrary
from atreport.export import files
from atreport.export.files import FORMATS, MadePublic, WantedPublic, public_files, public_files_beside
from atreport.pages import pdf
from tests.documents import example_report

DATA = ("html", "json", "ods")


def wanted(formats: tuple[str, ...], *, insist_on_pdf: bool = True) -> WantedPublic:
    """The files of the example in these formats."""
    return WantedPublic(
        report=example_report().report,
        formats=formats,
        with_verifier=True,
        style_files={},
        insist_on_pdf=insist_on_pdf,
    )


def test_both_processes_make_the_same_bytes() -> None:
    """Whichever process makes the files, verify can make them again; PDFs too, see `test_uncompared.py`."""
    with public_files_beside(FORMATS) as begin:
        made = begin(wanted(DATA))()
    assert made == MadePublic(files=public_files(example_report().report, DATA, with_verifier=True))


def test_no_process_is_started_for_what_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data and a page are made here: to start a process would take longer."""
    monkeypatch.setattr(files, "process_for", None)
    with public_files_beside(("html", "json")) as begin:
        assert begin(wanted(("json",)))().files == public_files(
            example_report().report, ["json"], with_verifier=True
        )


def test_a_missing_pdf_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a machine cannot make it and nobody insists, the reason comes with the other files."""

    def no_library() -> None:
        raise MissingLibrary("no Pango")

    monkeypatch.setattr(pdf, "_weasyprint", no_library)
    made = files.make_wanted(wanted(("json", "pdf"), insist_on_pdf=False))
    assert made.missing == "no Pango"
    assert "report.pdf" not in made.files
    with pytest.raises(MissingLibrary):
        files.make_wanted(wanted(("json", "pdf")))
