"""The documentation site: made without a network, whole, and readable by everybody."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

import pytest

from atreport import __all__ as offered
from atreport.cli import COMMANDS
from atreport.spec.spec import Spec
from tests.finding import all_found

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


def made_site(folder: Path, gallery: Path) -> Path:
    """The whole site, made in strict mode: a broken link or anchor is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "ATREPORT_GALLERY": str(gallery)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without reports of the gallery."""
    folder = tmp_path_factory.mktemp("site")
    return made_site(folder, folder / "none")


def test_reference_comes_from_the_code(site: Path) -> None:
    """A key, command or function that the reference does not have could not be looked up."""
    spec, commands, python = (
        (site / "reference" / f"{name}.html").read_text(encoding="utf-8")
        for name in ("spec", "commands", "python")
    )
    assert all(f"<code>{key}</code>" in spec for key in Spec.model_fields)
    assert all(f'id="{name}"' in commands for name in COMMANDS)
    assert all(f'id="{name.lower()}"' in python for name in offered if not name.startswith("_"))


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """A reader in a closed network would see a page without style, search or pictures."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for attribute in ('src="http', 'rel="stylesheet" href="http', "url(http"):
            assert attribute not in text, page.name


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    """A reader would follow a link to a script, a spec or a picture that was left out of the site."""
    lost = set()
    for page in site.rglob("*.html"):
        for target in all_found(r'(?:href|src)="([^"#?:]+)["#?]', page.read_text(encoding="utf-8")):
            if not (page.parent / unquote(target)).exists():
                lost.add((page.name, target))
    assert not lost


def _violations(browser: Browser, pages: list[Path], scheme: Literal["light", "dark"]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = []
    with browser.new_context(offline=True, color_scheme=scheme) as context:
        page = context.new_page()
        for path in pages:
            page.goto(path.as_uri())
            found += [f"{path.name}: {each['id']}" for each in Axe().run(page).response["violations"]]
    return found


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(browser: Browser, site: Path, scheme: Literal["light", "dark"]) -> None:
    """People with a screen reader could not use a page, in the light or in the dark."""
    assert _violations(browser, sorted(site.rglob("*.html")), scheme) == []


@pytest.mark.browser
def test_search_needs_no_network(browser: Browser, site: Path) -> None:
    """Readers in a closed network could not search the documentation."""
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    handler = partial(SimpleHTTPRequestHandler, directory=site)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with browser.new_context() as context:
            page = context.new_page()
            page.route(
                "**/*", lambda route: route.continue_() if "127.0.0.1" in route.request.url else route.abort()
            )
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            found = page.locator(".md-search-result__link").first
            for _ in range(60):  # a word that is typed before the index is there is never looked for
                page.get_by_role("textbox", name="Search").fill("")
                page.get_by_role("textbox", name="Search").fill("four-fifths")
                with suppress(PlaywrightTimeout):
                    found.wait_for(timeout=2_000)
                    break
            assert found.is_visible()
        server.shutdown()
