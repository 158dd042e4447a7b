"""The ``style`` section: the publisher's house style. It is data: nothing in it can run, and no template is exchanged."""

import colorsys
import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from atreport.resources import templates_folder
from atreport.spec.values import Code, Line, Section, Text

LOGO_FILES: Final[Mapping[str, Literal["style-logo.svg", "style-logo.png"]]] = MappingProxyType(
    {".svg": "style-logo.svg", ".png": "style-logo.png"}
)
"""Under which name a logo is published beside the report, by the ending of the file that was given."""

NO_FILES: Final[Mapping[str, bytes]] = MappingProxyType({})
"""The files of a report without a house style."""

MOST_LETTERS = 300
"""Of the text of the cover, so that it stays on one page."""
MOST_MARKDOWN = 50_000
"""Of the text of a section, in bytes."""
MOST_SECTIONS = 5
"""So many titles still fit into the contents on the cover."""
MOST_TITLE = 60

Place = Literal["summary", "decision", "fairness", "privacy", "notes"]
"""The sections of a report that an own one may follow."""


def _colour(text: str) -> str:
    if not HEX.fullmatch(text.lower()):
        raise ValueError(
            f"'{text[:40]}' is no colour; write it in quotes as six hexadecimal digits, such as \"#7a1f5c\""
        )
    return text.lower()


def _accent(colour: str) -> str:
    return _readable(colour, accent_grounds(dark=False), "on the paper and the tint of the pages")


def _band(colour: str) -> str:
    return _readable(colour, band_texts(), "with the white letters of the cover")


def _readable(colour: str, others: tuple[str, ...], where: str) -> str:
    found = least_contrast(colour, others)
    if found < LEAST_CONTRAST:
        # rounded down: 4.496 is not 4.5
        raise ValueError(
            f"the contrast of {colour} {where} is {int(found * 100) / 100:.2f} to 1, and text needs {LEAST_CONTRAST} to 1; "
            f"the nearest colour of this hue that passes is {nearest_readable(colour, others)}"
        )
    return colour


_HEX_SCHEMA = WithJsonSchema({"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"})
Accent = Annotated[Code, AfterValidator(_colour), AfterValidator(_accent), _HEX_SCHEMA]
"""The colour of headings, links, key figures and marks in charts."""
Band = Annotated[Code, AfterValidator(_colour), AfterValidator(_band), _HEX_SCHEMA]
"""The colour of the cover."""


def too_long(text: str, most: int, what: str) -> str | None:
    """What is wrong with a text that has to fit into its place; None where it fits."""
    return f"{what} may have {most} characters, and this one has {len(text)}" if len(text) > most else None


def _short(most: int, what: str) -> AfterValidator:
    def check(text: str) -> str:
        if problem := too_long(text, most, what):
            raise ValueError(problem)
        return text

    return AfterValidator(check)


def _not_too_long(text: str) -> str:
    if len(text.encode()) > MOST_MARKDOWN:
        raise ValueError(f"the text of a section may have {MOST_MARKDOWN:,} bytes")
    return text


SECTION_TITLE, COVER_TEXT = (MOST_TITLE, "the title of a section"), (MOST_LETTERS, "the text of the cover")
SectionTitle = Annotated[Line, _short(*SECTION_TITLE)]
CoverText = Annotated[Text, _short(*COVER_TEXT)]
Markdown = Annotated[Text, AfterValidator(_not_too_long)]


class Logo(Section):
    """The publisher's logo, on the cover."""

    file: Code = Field(
        description="In the spec's folder or below it: an SVG file of flat shapes without words and scripts, or a PNG file."
    )
    alt: Line = Field(description="What the logo shows, for readers who do not see it.")


class Colours(Section):
    """Colours in place of those of every report; others are derived from them."""

    accent: Accent | None = Field(None, description="Of headings, links, key figures and marks in charts.")
    band: Band | None = Field(None, description="Of the cover, on which letters are white.")


class OwnSection(Section):
    """A section in the publisher's own words."""

    title: SectionTitle
    text: Markdown | None = Field(
        None, description="Markdown: paragraphs, headings, lists, quotes, emphasis, links."
    )
    file: Code | None = Field(
        None, description="In place of text: a Markdown file (.md) in the spec's folder or below it."
    )
    after: Place = Field("notes", description="The section that it follows.")

    @model_validator(mode="after")
    def _text_or_file(self) -> Self:
        if (self.text is None) == (self.file is None):
            raise ValueError("give either text or file")
        return self


class Style(Section):
    """The publisher's house style."""

    logo: Logo | None = None
    colours: Colours | None = None
    cover: CoverText | None = Field(None, description="A few words under the title of the cover.")
    sections: tuple[OwnSection, ...] = Field((), max_length=MOST_SECTIONS)


# Colours of pages that a publisher may choose: can text be read in them, and which is the nearest that can?
#
# Contrast is that of WCAG 2: (lighter + 0.05) / (darker + 0.05) of two relative luminances.

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
