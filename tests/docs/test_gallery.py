"""The gallery: its data come from its script, its reports can be published, and its page says what they say.

The suites on finished reports (`tests/pdf`, `tests/browser`, `tests/verification`) take the gallery's reports too.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from atreport import verify
from atreport.api.check import check
from atreport.errors import EXIT_FINE
from docs import made_parts
from docs.gallery.make_data import CASES, DATA
from docs.gallery.page import PAGE, SPECS, says
from tests.browser.test_site import made_site
from tests.command_line import atreport
from tests.conftest import BuiltOnce
from tests.verifying import ACCEPT, shipped
from tools.docs_hooks import _links_to_reports, _published

NAMES = [spec.stem for spec in SPECS]

checked = cache(check)
"""Each spec is checked once for all tests of a process."""


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_data_are_what_the_script_makes(make: Callable[[], str]) -> None:
    """Nobody could say where the numbers of a report come from."""
    assert (DATA / f"{make.__name__}.csv").read_text(encoding="utf-8") == make()


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_the_page_says_what_the_report_says(spec: Path) -> None:
    """The gallery would promise figures that its reports do not have. `python -m docs.gallery.page` writes them."""
    assert made_parts.written(PAGE, spec.stem) == says(checked(spec).report)


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_every_report_can_be_published(spec: Path) -> None:
    """A report of the gallery would be refused, or would not be what the law asks for that it is about."""
    result = checked(spec)
    assert result.publishable
    assert not result.law


@pytest.mark.parametrize("name", NAMES)
def test_every_report_stands_on_the_page(name: str) -> None:
    """A report of the gallery has no picture, no link to its spec, or no place for its links."""
    page = PAGE.read_text(encoding="utf-8")
    assert f"](images/{name}.png)" in page
    assert f"specs/{name}.yaml)" in page
    assert page.count(f"<!-- reports: {name} -->") == 1
    assert (PAGE.parent / "images" / f"{name}.png").stat().st_size < 60_000


def test_links_lead_to_what_was_built_and_confidential_files_stay(tmp_path: Path) -> None:
    """The site would link to a report that is not there, or would publish an annex."""
    assert _links_to_reports(tmp_path, "admissions") == _links_to_reports(tmp_path, "all") == ""
    for name in ("public/report.html", "public/report.fr.html", "confidential/annex.html"):
        (tmp_path / "admissions" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "admissions" / name).touch()
    links = _links_to_reports(tmp_path, "admissions")
    assert "[page](reports/admissions/public/report.html)" in links
    assert "[PDF (fr)](reports/admissions/public/report.fr.pdf)" in links
    assert [path.name for path in _published(tmp_path)] == ["report.fr.html", "report.html"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_report_can_be_verified(name: str, built_once: BuiltOnce) -> None:
    """Somebody who checks a report of the gallery, by the program or with Python alone, would be told that it is wrong."""
    public = built_once(name) / "public"
    assert verify(public).holds
    alone = shipped(public, ACCEPT)
    assert alone.returncode == EXIT_FINE, alone.stdout


@pytest.mark.slow
def test_the_site_has_the_reports_and_their_register(tmp_path: Path, built_once: BuiltOnce) -> None:
    """`make gallery` would end with broken links, or a register that misses a report."""
    gallery = built_once(NAMES[0]).parent
    for name in NAMES:
        assert built_once(name).parent == gallery
    assert atreport("register", str(gallery), "--title", "Gallery", cwd=tmp_path).returncode == EXIT_FINE
    reports = made_site(tmp_path / "site", gallery) / "gallery" / "reports"
    register = (reports / "register" / "index.html").read_text(encoding="utf-8")
    for name in NAMES:
        assert (reports / name / "public" / "report.pdf").is_file()
        assert f"../{name}/public/report.html" in register
    assert not list(reports.rglob("confidential"))
