"""Colours of pages that a publisher may choose: can text be read in them, and which is the nearest that can?

Contrast is that of WCAG 2: (lighter + 0.05) / (darker + 0.05) of two relative luminances.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Sequence
from functools import cache

from atreport.kit.resources import templates_folder

LEAST_CONTRAST = 4.5
"""What WCAG 2 asks of text on its ground (AA)."""

HEX = re.compile(r"#[0-9a-f]{6}")
_LIGHTNESS_STEPS = 512
"""How finely lightness is searched: finer than the 256 steps that a colour has."""


@cache
def page_colours(*, dark: bool) -> dict[str, str]:
    """The colours of every page by name, in the light or in the dark, as the one style sheet sets them."""
    sheet = (templates_folder() / "colours.css").read_text(encoding="utf-8")
    light, _, in_the_dark = sheet.partition("@media")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    return found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", in_the_dark)) if dark else found


def accent_grounds(*, dark: bool) -> tuple[str, ...]:
    """What headings, links and key figures stand on: paper, and the tint of notices."""
    colours = page_colours(dark=dark)
    return colours["paper"], colours["tint"]


def band_texts() -> tuple[str, ...]:
    """What stands on the band of the cover."""
    return (page_colours(dark=False)["on-navy"],)


def contrast(one: str, other: str) -> float:
    """How well one colour can be told from another: 1 for the same, 21 for black and white."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def least_contrast(colour: str, others: Sequence[str]) -> float:
    """Its contrast with the one of the others that it is hardest to tell from."""
    return min(contrast(colour, other) for other in others)


def nearest_readable(colour: str, others: Sequence[str]) -> str:
    """The colour itself where it can be told from all the others; else its hue with the nearest lightness that can."""
    if least_contrast(colour, others) >= LEAST_CONTRAST:
        return colour
    hue, lightness, saturation = colorsys.rgb_to_hls(*_parts(colour))
    steps = sorted(range(_LIGHTNESS_STEPS + 1), key=lambda step: abs(step / _LIGHTNESS_STEPS - lightness))
    candidates = (_written(colorsys.hls_to_rgb(hue, step / _LIGHTNESS_STEPS, saturation)) for step in steps)
    return next(each for each in candidates if least_contrast(each, others) >= LEAST_CONTRAST)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def _written(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _luminance(colour: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))
