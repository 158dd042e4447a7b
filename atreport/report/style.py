"""The house style as a report states it. Files are named by their SHA-256, so that pages can be made again with them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field

from atreport.report.figures import Part
from atreport.spec.models.style import (
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


class PublishedSection(Part):
    """A section in the publisher's own words."""

    title: SectionTitle
    text: Markdown = Field(description="Markdown; HTML in it is text, and pictures are none.")
    after: Place = Field(description="The section that it follows.")


class PublishedStyle(Part):
    """The publisher's house style."""

    logo: PublishedLogo | None = None
    colours: PublishedColours | None = None
    cover: CoverText | None = Field(None, description="A few words under the title of the cover.")
    sections: tuple[PublishedSection, ...] | None = Field(None, min_length=1, max_length=MOST_SECTIONS)

    @property
    def files(self) -> dict[str, str]:
        """The files that it names: name → SHA-256."""
        return {} if self.logo is None else {self.logo.file: self.logo.sha256}

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
