"""Own sections: does Markdown become harmless HTML, whatever a text holds?"""

import itertools
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.pages.house_style import markdown_html
from tests.finding import all_found

TAGS = {"p", "h3", "h4", "ul", "ol", "li", "blockquote", "strong", "em", "code", "br", "a"}


class Seen(HTMLParser):
    """The tags of a piece of HTML, with their attributes, and whether they close."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Each closes the one that was opened last."""
        assert self.open.pop() == tag


def is_harmless(html: str, *, printed: bool) -> bool:
    """Whether only known tags are there, with known attributes, and links lead to the web or to mail."""
    seen = Seen(html)
    assert not seen.open
    for tag, attributes in seen.tags:
        if tag == "a":
            assert not printed
            assert set(attributes) == {"href", "rel"}
            assert re.match(r"(https?://|mailto:)", str(attributes["href"]), re.IGNORECASE)
        else:
            assert tag in TAGS
            assert not attributes or (tag, attributes) == ("ol", {"class": "numbered"})
    return True


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '<img src=x onerror="alert(1)">',
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//evil.example/)",
        "[x](file:///etc/passwd)",
        "![x](https://evil.example/pixel.png)",
        '[x](https://a.example/"onmouseover="alert(1))',
        "<javascript:alert(1)>",
        "</section><h2>9. Forged</h2>",
        "[a]: javascript:alert(1)\n\n[a]",
        "&lt;script&gt;",
        "```html\n<b>\n```",
        "    <i>",
        "<!-- --><style>*{display:none}</style>",
    ],
)
def test_hostile_markdown_becomes_text(text: str) -> None:
    """Broken: a publisher's text could run a script, fetch a picture or close the section it stands in."""
    for printed in (False, True):
        html = markdown_html(text, printed=printed)
        assert is_harmless(html, printed=printed)
        assert "javascript:" not in re.sub(r">[^<]*<", "><", html)
        assert "<img" not in html


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab<>[]()!*_`#&\"'\\/:-. \n1", max_size=80), st.booleans())
def test_any_text_becomes_harmless_html(text: str, printed: bool) -> None:
    """Broken: some mixture of signs would open a tag that is not known, or leave one open."""
    assert is_harmless(markdown_html(text, printed=printed), printed=printed)


def test_headings_never_skip_a_level() -> None:
    """Broken: screen readers and PDF/UA would meet an h4 under an h2."""
    for text in ("### a\n\n# b\n\n## c\n\n###### d", "## a\n\n# b"):
        levels = [int(level) for level in all_found(r"<h(\d)>", markdown_html(text, printed=True))]
        assert levels[0] == 3
        assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


def test_on_paper_a_link_is_its_words_and_its_address() -> None:
    """Broken: a reader of the paper could not tell where a link leads, or the PDF would have an address to call."""
    text = "[page](https://example.org/?a=1&b) and <https://example.org>"
    assert (
        markdown_html(text, printed=True)
        == "<p>page (https://example.org/?a=1&amp;b) and https://example.org</p>\n"
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("[info@example.org](mailto:info@example.org)", "info@example.org"),
        ("[Info@example.org](mailto:info@example.org?subject=Report)", "Info@example.org"),
        ("[**info@example.org**](mailto:info@example.org)", "<strong>info@example.org</strong>"),
        ("<info@example.org>", "info@example.org"),
        ("[write to us](mailto:info@example.org?subject=a%20b)", "write to us (info@example.org)"),
        ("[a&b@example.org](mailto:a&b@example.org)", "a&amp;b@example.org"),
        ("[info@example.org](mailto:other@example.org)", "info@example.org (other@example.org)"),
        ("[https://example.org/a](https://example.org/a)", "https://example.org/a"),
    ],
)
def test_an_address_is_printed_once_as_people_write_it(text: str, printed: str) -> None:
    """Broken: paper would say "info@example.org (mailto:info@example.org)", or hide where a link really leads."""
    assert markdown_html(text, printed=True) == f"<p>{printed}</p>\n"


def test_numbers_of_lists_stay_those_of_the_author() -> None:
    """Broken: "see step 4" would point to another step."""
    assert markdown_html("3. a\n4. b", printed=False) == (
        '<ol class="numbered">\n<li>3. a</li>\n<li>4. b</li>\n</ol>\n'
    )
