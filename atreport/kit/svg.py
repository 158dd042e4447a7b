"""Turn a drawing into one SVG element that can stand inside a page beside others, and be read aloud."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from atreport.kit.fonts import SANS


def svg_element(drawing: str, name: str, alt: str, colours: Mapping[str, str]) -> str:
    """The drawing as an element.

    Args:
        drawing: A whole SVG file.
        name: Put before every id, because ids are made from the content and two drawings could share one.
        alt: What the drawing shows.
        colours: Colours by name; each becomes `var(--chart-name, colour)`, so that a page can set its own.
    """
    size = re.search(r'viewBox="([^"]+)"', drawing)
    assert size is not None, "a drawing has a size"
    body = drawing[drawing.index(">", size.start()) + 1 :]
    # The style sheet inside would apply to the whole page.
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r"<[^>]+>", lambda tag: _shorter(tag[0]), body)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", body)
    for colour_name, colour in colours.items():
        body = body.replace(colour, f"var(--chart-{colour_name}, {colour})")
    body = body.replace(f"font-family: '{SANS}'; ", "")  # said once, for the whole drawing
    opening = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'class="chart" role="img" '
        f'aria-labelledby="{name}-alt" viewBox="{size[1]}" '
        f"style=\"stroke-linejoin: round; stroke-linecap: butt; font-family: '{SANS}', sans-serif\">"
        f'<title id="{name}-alt">{escape(alt)}</title>'
    )
    return opening + re.sub(r"\s*\n\s*", " ", body).strip()


def _shorter(tag: str) -> str:
    """A tag without what nobody needs: names of groups, turns by nothing, digits beyond hundredths."""
    tag = re.sub(r'^<g id="[^"]*"', "<g", tag)
    tag = re.sub(r' transform="rotate\(-?0 [^"]*"', "", tag)
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag)
