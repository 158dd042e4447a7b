"""The HTML report in a real browser: accessible, usable with and without its script, and silent on the network."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from atreport.pages.documents import lay_out, letter_html
from atreport.pages.letter import letter_context
from atreport.pages.letter_details import LetterDetails
from atreport.spec.load import load_spec
from tests.conftest import BuiltOnce
from tests.documents import large_report, make_report
from tests.example import example_spec
from tests.forms import FORM_SPECS
from tests.styled import WITH_PNG, write_styled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SLOW = pytest.mark.slow


# Forms that have Dutch or French in them, or fields in another shape; all in the slow suite.
NEW_FORMS = ("algoritmeregister", "canada_adm", "model_card", "ai_act")


class Pages:
    """Pages as files: as a build leaves them where there is one, the others made when they are first asked for."""

    def __init__(self, built_once: BuiltOnce, folder: Path) -> None:
        self._built = {
            "example": lambda: built_once("example") / "public" / "report.html",
            "annex": lambda: built_once("example") / "confidential" / "annex.html",
            "explained": lambda: built_once("credit_card") / "public" / "report.html",
            "ll144": lambda: built_once("ll144_hiring") / "public" / "report.html",
            "atrs": lambda: built_once("atrs_housing") / "public" / "report.html",
        }
        self._made: dict[str, Callable[[], str]] = {
            "large": lambda: large_report(folder, 150).document.html(),
            "eeoc": lambda: form_page("eeoc"),
            "letter": letter_page,
            "styled": lambda: styled_page(folder / "style"),
            **{name: partial(form_page, name) for name in NEW_FORMS},
        }
        self._folder = folder

    def __getitem__(self, name: str) -> Path:
        """The file of a page."""
        if name in self._built:
            return self._built[name]()
        path = self._folder / f"{name}.html"
        if not path.exists():
            path.write_text(self._made[name](), encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def files(built_once: BuiltOnce, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The example, a large report, an annex, one with every explanation, forms and a letter."""
    return Pages(built_once, tmp_path_factory.mktemp("pages"))


def form_page(template: str) -> str:
    """The form of an example spec."""
    return make_report(load_spec(FORM_SPECS[template])).document.html()


def styled_page(folder: Path) -> str:
    """The example in a house style, with everything that one can have."""
    spec = load_spec(write_styled(folder, WITH_PNG))
    return lay_out(make_report(spec).report, spec.public.style_files).html()


def letter_page() -> str:
    """The letter of one record of the example, with everything that can be given."""
    report = make_report(load_spec(FORM_SPECS["gdpr15"])).report
    details = LetterDetails(outcome="declined", reference="A-17", salutation="Dear Ms Example,")
    record = {"employment": "permanent", "income": "under 20k", "arrears": "yes"}
    return letter_html(letter_context(report, record, details))


@pytest.fixture
def page(browser: Browser, files: Pages) -> Iterator[Page]:
    """The example, open, with nothing amiss while it loaded or was used."""
    with browser.new_context() as context:
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("console", lambda message: errors.append(message.text))
        opened.goto(files["example"].as_uri())
        yield opened
        assert not errors


def violations(page: Page) -> list[Any]:
    """What axe-core finds against WCAG 2.2 AA."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed"
    )
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = axe.Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    return [(v["id"], [node["html"] for node in v["nodes"]][:3]) for v in found.response["violations"]]


# A page once, in the dark, which has colours of its own; the others, and all in the light, in the slow suite.
QUICK = {"example dark"}
IN_BOTH_SCHEMES = [
    pytest.param(name, scheme, marks=() if f"{name} {scheme}" in QUICK else SLOW)
    for name in (
        "example",
        "large",
        "annex",
        "explained",
        "ll144",
        "eeoc",
        "atrs",
        "letter",
        "styled",
        *NEW_FORMS,
    )
    for scheme in ("light", "dark")
]


@pytest.mark.parametrize(("name", "scheme"), IN_BOTH_SCHEMES)
def test_axe_finds_nothing(browser: Browser, files: Pages, name: str, scheme: Any) -> None:
    """No violation of WCAG 2.2 AA, light and dark."""
    with browser.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(files[name].as_uri())
        assert violations(page) == []


def test_a_page_is_shown_with_the_logo_of_its_house_style(browser: Browser, files: Pages) -> None:
    """Broken: the page's own policy, or a damaged file, would keep it from readers."""
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        errors: list[str] = []
        page.on("console", lambda message: errors.append(message.text))
        page.goto(files["styled"].as_uri())
        assert page.evaluate("document.querySelector('.logo img').naturalWidth") == 440
        assert errors == []


@pytest.mark.parametrize("width", [320, *(pytest.param(width, marks=SLOW) for width in (768, 1440))])
@pytest.mark.parametrize(
    "name", ["large", *(pytest.param(name, marks=SLOW) for name in ("example", "annex", "explained"))]
)
def test_no_page_scrolls_sideways(browser: Browser, files: Pages, name: str, width: int) -> None:
    """Tables and charts scroll inside their own frame; the page itself fits."""
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto(files[name].as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_looking_up_a_case(page: Page) -> None:
    """Choosing attribute values shows the announced rule, its band, and the confidence for the group."""
    panel = page.locator(".lookup")
    answer = panel.locator("output")
    panel.get_by_label("Gender").select_option("M")
    assert answer.inner_text() == ""
    panel.get_by_label("Annual income").select_option("100k-200k")
    assert answer.locator(".big").inner_text() == "40%"
    assert "between 30% and 50%" in answer.inner_text()
    assert "it is at most 63.78%" in answer.inner_text()
    assert "up to 45%" in answer.inner_text()
    assert "Everybody’s average is 28.25%" in answer.inner_text()
    assert answer.locator("li").all_inner_texts() == ["Gender: +11.88 points", "Annual income: −0.12 points"]
    panel.get_by_label("Gender").select_option("F")
    assert answer.locator(".big").inner_text() == "2%"
    assert violations(page) == []


def test_looking_up_nobody(browser: Browser, tmp_path: Path) -> None:
    """A combination that does not occur is said not to, and is not shown as 0%."""
    missing = '    - {gender: F, income: ">200k", population: 3, approved: 1}\n'
    report = make_report(example_spec((missing, ""), ("  privacy: {beta: 0.7}\n", "")))
    path = tmp_path / "page.html"
    path.write_text(report.document.html(), encoding="utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(path.as_uri())
        page.get_by_label("Gender", exact=True).select_option("F")
        page.get_by_label("Annual income", exact=True).select_option(">200k")
        assert "Nobody in the population" in page.locator(".lookup output").inner_text()


def column(page: Page, table: str, index: int) -> list[str]:
    """The visible entries of one column."""
    rows = page.locator(f"#table-{table} tbody tr:visible")
    return [row.locator("th, td").nth(index).inner_text() for row in rows.all()]


def test_sorting(page: Page) -> None:
    """A click sorts by figures, another turns it round, and the heading says so."""
    button = page.locator("#table-rules thead button").nth(2)
    button.click()
    assert column(page, "rules", 2) == ["2.00%", "10.00%", "10.00%", "40.00%", "90.00%", "90.00%"]
    assert page.locator("#table-rules th[aria-sort]").get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    assert column(page, "rules", 2)[0] == "90.00%"
    assert page.locator("#table-rules th[aria-sort]").get_attribute("aria-sort") == "descending"


def test_filtering(browser: Browser, files: Pages) -> None:
    """Words narrow the rows of a long table down, and the number left is announced; a short one asks for none."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(files["large"].as_uri())
        block = page.locator("#table-rules")
        first = column(page, "rules", 0)
        block.get_by_label("Filter rows").first.fill(first[0])
        left = column(page, "rules", 0)
        assert 0 < len(left) < len(first) == 30
        assert block.get_by_role("status").first.inner_text() == f"{len(left)} of 30 rows"
        block.get_by_label("Filter rows").first.fill("")
        assert column(page, "rules", 0) == first
        page.goto(files["example"].as_uri())
        assert page.get_by_label("Filter rows").count() == 0


def test_the_rest_of_a_long_table_is_folded_away(browser: Browser, files: Pages) -> None:
    """Closed on a screen, open at a click and in print, without a script."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(files["large"].as_uri())
        rest = page.locator("#table-rules-rest tbody tr").first
        assert not rest.is_visible()
        page.emulate_media(media="print")
        assert rest.is_visible()
        page.emulate_media(media="screen")
        page.get_by_text(re.compile(r"Show the other \d+ rows")).first.click()
        assert rest.is_visible()


@SLOW
def test_a_long_table_is_accessible_when_it_is_open(browser: Browser, files: Pages) -> None:
    """Whoever unfolds the rest of a table with a screen reader would be lost in it."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(files["large"].as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert not violations(page)


def test_links_to_headings(page: Page) -> None:
    """Each section offers its own address."""
    page.get_by_label(re.compile(r"Copy a link to “\d+\. Privacy”")).click()
    assert page.url.endswith("#privacy")
    assert page.locator("#note-limits .anchor").count() == 1


def test_without_script_everything_is_there(browser: Browser, files: Pages) -> None:
    """The same words, tables and charts; only the conveniences are gone."""
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(files["example"].as_uri())
        bare = page.locator("main").inner_text()
        assert page.locator(".lookup").is_hidden()
        assert page.locator("svg.chart").count() == 6
        assert page.locator("#table-rules tbody tr").count() == 6
    for words in (
        "Is it fair?",
        "67.50%",
        "can be at most 67.5% sure with it",
        "Cannot be told at this fidelity",
        ". Glossary",
    ):
        assert words in bare


@pytest.mark.parametrize(
    "name", ["example", *(pytest.param(name, marks=SLOW) for name in ("large", "annex"))]
)
def test_no_request_leaves_the_page(browser: Browser, files: Pages, name: str) -> None:
    """The file itself is the only thing that is ever opened."""
    with browser.new_context() as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(files[name].as_uri())
        page.mouse.wheel(0, 20_000)
        page.wait_for_timeout(200)
        assert [url for url in asked if not url.startswith("data:")] == [files[name].as_uri()]


def test_fonts_are_the_embedded_ones(page: Page) -> None:
    """The text is set in the fonts inside the file."""
    page.evaluate("document.fonts.ready")
    loaded = page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)")
    assert {re.sub(r'"', "", family) for family in loaded} == {"Source Sans Pro", "Source Serif Pro"}


def test_printing_from_the_browser(page: Page) -> None:
    """Paper from the browser is light, on A4, without the conveniences of the screen."""
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".lookup").is_hidden()
    assert page.locator(".anchor").count()
    assert page.locator(".anchor").first.is_hidden()
    buttons = page.evaluate("getComputedStyle(document.querySelector('thead button')).display")
    assert buttons == "contents", "headings of tables would stand on their first page only"
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
