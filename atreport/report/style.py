"""The house style as a report states it. Files are named by their SHA-256, so that pages can be made again with them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from atreport.report.figures import Part
from atreport.spec.models.style import (
    FONT_FILES,
    LOGO_FILES,
    MOST_SECTIONS,
    Accent,
    Band,
    CoverText,
    Markdown,
    Place,
    SectionTitle,
    Style,
)
from atreport.spec.models.values import Line


class PublishedLogo(Part):
    """The logo on the cover: a file that is published beside the report."""

    file: Literal["style-logo.svg", "style-logo.png"]
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="The SHA-256 of the file.")
    alt: Line = Field(description="What the logo shows, in words.")


class PublishedColours(Part):
    """Colours in place of those of every report."""

    accent: Accent | None = None
    band: Band | None = None


class PublishedFont(Part):
    """A font: a file that is published beside the report."""

    file: Literal["style-font-text.ttf", "style-font-bold.ttf", "style-font-heading.ttf"]
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="The SHA-256 of the file.")


class PublishedFonts(Part):
    """Fonts in place of those of every report."""

    text: PublishedFont
    bold: PublishedFont
    heading: PublishedFont | None = Field(None, description="That of bold where it is not stated.")

    @model_validator(mode="after")
    def _each_its_own(self) -> Self:
        if any(font.file != FONT_FILES[role] for role, font in self.by_role.items()):
            raise ValueError("a font has the name of another")
        return self

    @property
    def by_role(self) -> dict[str, PublishedFont]:
        """What is stated for each role."""
        return {role: font for role in FONT_FILES if (font := getattr(self, role)) is not None}


class PublishedSection(Part):
    """A section in the publisher's own words."""

    title: SectionTitle
    text: Markdown = Field(description="Markdown; HTML in it is text, and pictures are none.")
    after: Place = Field(description="The section that it follows.")


class PublishedStyle(Part):
    """The publisher's house style."""

    logo: PublishedLogo | None = None
    colours: PublishedColours | None = None
    fonts: PublishedFonts | None = None
    cover: CoverText | None = Field(None, description="A few words under the title of the cover.")
    sections: tuple[PublishedSection, ...] | None = Field(None, min_length=1, max_length=MOST_SECTIONS)

    @property
    def files(self) -> dict[str, str]:
        """The files that it names: name → SHA-256."""
        fonts = () if self.fonts is None else self.fonts.by_role.values()
        logo = () if self.logo is None else (self.logo,)
        return {each.file: each.sha256 for each in (*logo, *fonts)}

    @property
    def libraries(self) -> tuple[str, ...]:
        """The libraries on which its pages depend, and those of other reports do not."""
        picture = self.logo is not None and self.logo.file.endswith(".png")
        return ("markdown-it-py",) * bool(self.sections) + ("pillow",) * picture

    @classmethod
    def of(cls, asked: Style, files: Mapping[str, bytes]) -> Self | None:
        """The style of a spec as its report states it, with the files that it names; None where it asks for nothing."""
        stated: dict[str, Any] = {}
        if asked.logo is not None:
            name = next(name for name in LOGO_FILES.values() if name in files)
            stated["logo"] = PublishedLogo(file=name, sha256=_digest(files[name]), alt=asked.logo.alt)
        if asked.colours is not None and (colours := asked.colours.model_dump(exclude_none=True)):
            stated["colours"] = PublishedColours(**colours)
        if asked.fonts is not None:
            stated["fonts"] = PublishedFonts.model_validate(
                {
                    role: {"file": FONT_FILES[role], "sha256": _digest(files[FONT_FILES[role]])}
                    for role in asked.fonts.given
                }
            )
        if asked.cover is not None:
            stated["cover"] = asked.cover
        if asked.sections:
            stated["sections"] = tuple(
                PublishedSection(title=section.title, text=section.text or "", after=section.after)
                for section in asked.sections
            )
        return cls(**stated) if stated else None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
