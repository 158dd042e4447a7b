"""Logos: is everything refused that can run, fetch, hide or say something?"""

import pytest

from atreport.spec.house_style import logo_problem
from tests.styled import LOGO


def test_a_plain_logo_is_accepted() -> None:
    """Broken: no logo could be published."""
    assert logo_problem(LOGO) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<title>", b"<script>alert(1)</script><title>"),
        (b"<title>", b"<style>@import url(https://evil.example/a.css);</style><title>"),
        (b"<title>", b"<foreignObject><p/></foreignObject><title>"),
        (b"<title>", b"<text>Another publisher</text><title>"),
        (b"<title>", b"<image href='https://evil.example/a.png'/><title>"),
        (b"<title>", b"<use href='#edge'/><title>"),
        (b"<title>", b"<a href='https://evil.example'><title>"),
        (b"<title>", b"<animate attributeName='x'/><title>"),
        (b"<title>", b"<svg viewBox='0 0 1 1'/><title>"),
        (b"<title>", b"<p xmlns='http://www.w3.org/1999/xhtml'/><title>"),
        (b"<title>", b"<?xml-stylesheet href='https://evil.example/a.css'?><title>"),
        (b"<title>", b"Words<title>"),
        (b"<circle", b"<circle onload='alert(1)'"),
        (b"<circle", b"<circle href='https://evil.example'"),
        (b"<circle", b"<circle xmlns:x='http://www.w3.org/1999/xlink' x:href='https://evil.example'"),
        (b"<circle", b"<circle class='x'"),
        (b'fill="#7a1f5c"', b'fill="url(https://evil.example/a.svg#b)"'),
        (b'fill="#7a1f5c"', b'fill="url(#gradient)"'),
        (b"url(#edge)", b"url(https://evil.example/a.svg#b)"),
        (b"fill:#ffffff", b"fill:url(https://evil.example)"),
        (b"fill:#ffffff", b"background:#ffffff"),
        (b"fill:#ffffff", b"fill:u\\72l(x)"),
        (b"<svg ", b'<!DOCTYPE svg [<!ENTITY a "b">]><svg '),
        (b"<svg ", b'<!DOCTYPE svg SYSTEM "https://evil.example/a.dtd"><svg '),
        (b"UTF-8", b"UTF-16"),
        (b"UTF-8", b"UTF-7"),
        (b' viewBox="0 0 220 60"', b""),
        (b"0 0 220 60", b"0 0 220 1"),
        (b"0 0 220 60", b"0 0 220 0"),
        (b"http://www.w3.org/2000/svg", b"urn:other"),
        (b"</svg>", b""),
        (b"</svg>", b"</svg><svg xmlns='http://www.w3.org/2000/svg'/>"),
    ],
)
def test_hostile_logos_are_refused(old: bytes, new: bytes) -> None:
    """Broken: a logo could run a script, fetch something when the page is read, or put words on the cover."""
    assert old in LOGO
    assert logo_problem(LOGO.replace(old, new, 1))


def test_logos_are_bounded() -> None:
    """Broken: a logo could make a page too large to open, or a reader of XML work without end."""
    assert "bytes" in str(logo_problem(LOGO + b" " * 200_000))
    assert "shapes" in str(logo_problem(LOGO.replace(b"<circle", b"<g/>" * 2_001 + b"<circle", 1)))
    deep = b"<g>" * 40 + b"</g>" * 40
    assert "in one another" in str(logo_problem(LOGO.replace(b"<circle", deep + b"<circle", 1)))
    assert logo_problem(b"") == logo_problem(b"\x89PNG\r\n") == "it is no SVG file"
