"""`atreport doctor`: what is missing is named, with what it is for and how to get it; what is needed decides the exit code."""

import json
from importlib.metadata import PackageNotFoundError

import pytest

from atreport.cli import doctor
from tests.command_line import atreport

REQUIREMENTS = [
    "duckdb>=1.1.1",
    "dask[dataframe,distributed]>=2025.1; extra == 'dask'",
    'openpyxl>=3.1; extra == "spreadsheets"',
    "ruff>=0.12; extra == 'dev'",
]


def machine(monkeypatch: pytest.MonkeyPatch, versions: dict[str, str]) -> None:
    """A machine that has these packages."""

    def version(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(doctor, "requires", lambda _name: REQUIREMENTS)
    monkeypatch.setattr(doctor, "version", version)


def test_this_machine_can_make_reports() -> None:
    """Where tests run nothing that is needed is missing, and PDFs can be made."""
    done = atreport("doctor", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["ok"]) == (0, True)
    assert {"Python", "PDF", "temporary folder"} <= {each["what"] for each in found["findings"]}


def test_an_extra_that_is_missing_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not needed is marked, with its purpose and how to get it; what developers need is not spoken of."""
    machine(monkeypatch, {"duckdb": "1.10.0", "dask": "2025.1"})
    done = atreport("doctor")
    assert done.returncode == 0
    assert "-   spreadsheets as a start" in done.stdout
    assert "openpyxl is missing\n        pip install 'atreport[spreadsheets]'" in done.stdout
    assert "ok  counting and solving on a cluster" in done.stdout
    assert "ruff" not in done.stdout


@pytest.mark.parametrize(
    ("versions", "words"),
    [({}, "duckdb is missing"), ({"duckdb": "1.1.0"}, "duckdb is 1.1.0, older than 1.1.1")],
)
def test_what_is_needed_and_missing_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, versions: dict[str, str], words: str
) -> None:
    """Exit code 1, in words and in JSON."""
    machine(monkeypatch, versions)
    done = atreport("doctor")
    assert done.returncode == 1
    assert words in done.stdout
    assert "Reports cannot be made on this machine as it is." in done.stdout
    assert json.loads(atreport("doctor", "--json").stdout)["ok"] is False


def test_without_pango_the_remedy_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """PDFs need a library of the system: how to get it, by system."""
    monkeypatch.setattr(
        "atreport.pages.pdf.why_no_pdf", lambda: "No Pango here.\n  Debian  apt-get install pango"
    )
    done = atreport("doctor")
    assert done.returncode == 0
    assert "-   PDF: No Pango here.\n        Debian  apt-get install pango" in done.stdout
