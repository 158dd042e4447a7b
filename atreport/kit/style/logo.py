"""Check the logo of a publisher: an SVG file of flat shapes that can neither run nor fetch anything, nor hold words.

A list of what may be there and not of what may not. Shapes are flat, and refer to nothing but their own clip paths; words
belong into the text, where readers and machines find them.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from atreport.kit.language.later import Remembered, say_later

MOST_BYTES = 200_000
MOST_ELEMENTS = 2_000
DEEPEST = 30

_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = {
    "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "title", "desc", "defs", "clipPath",
}  # fmt: skip
_LOOKS = {
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "clip-path", "clip-rule", "color",
}  # fmt: skip
_ATTRIBUTES = _LOOKS | {
    "id", "viewBox", "width", "height", "version", "preserveAspectRatio", "transform", "d", "x", "y", "rx", "ry", "cx", "cy",
    "r", "x1", "y1", "x2", "y2", "points", "style", "clipPathUnits",
}  # fmt: skip
_VALUE = re.compile(r"[\w\s.,#%()+-]*")
_REFERENCE = re.compile(r"url\(\s*#[\w-]+\s*\)")
_VIEW_BOX = re.compile(r"\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*")


class _NoLogo(Exception):
    """A file is refused."""

    def __init__(self, why: Remembered) -> None:
        super().__init__(why)
        self.why = why


def logo_problem(content: bytes) -> Remembered | None:
    """Why a file is no logo that may be published, to be said with `say_now`; None where it is one."""
    if len(content) > MOST_BYTES:
        size = len(content)
        return say_later("it has {size} bytes, and a logo may have {most}", size=size, most=MOST_BYTES)
    if b"<svg" not in content[:MOST_BYTES]:
        return say_later("it is no SVG file")
    reading = _Reading()
    try:
        reading.parser.Parse(content, True)
    except _NoLogo as problem:
        return problem.why
    except (expat.ExpatError, ValueError, LookupError) as error:
        return say_later("it cannot be read as XML ({error})", error=str(error))
    return None


class _Reading:
    """Walks through the file; stops at the first thing that no logo has."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.ProcessingInstructionHandler = self._instruction
        self.parser.XmlDeclHandler = self._declaration
        self._open: list[str] = []
        self._number = 0

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        space, _, name = full.rpartition(" ")
        if space != _SVG or name not in _ELEMENTS:
            raise _NoLogo(say_later("it has an element <{name}>, which no logo may have", name=name[:40]))
        if (name == "svg") != (not self._open):
            raise _NoLogo(say_later("it is no SVG file, or has one inside another"))
        self._number += 1
        self._open.append(name)
        if self._number > MOST_ELEMENTS or len(self._open) > DEEPEST:
            raise _NoLogo(
                say_later(
                    "it has more than {most} shapes, or more than {deepest} in one another",
                    most=MOST_ELEMENTS,
                    deepest=DEEPEST,
                )
            )
        for attribute, value in attributes.items():
            _check_attribute(attribute, value)
        if name == "svg":
            size = _VIEW_BOX.fullmatch(attributes.get("viewBox", ""))
            if not size or not 0.1 <= float(size[1]) / (float(size[2]) or 1e9) <= 12:
                raise _NoLogo(say_later("it has no viewBox, or is much higher or wider than a logo"))

    def _end(self, _full: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if text.strip() and self._open[-1] not in ("title", "desc"):
            raise _NoLogo(say_later("it has words between its shapes"))

    def _doctype(self, *_: object) -> None:
        raise _NoLogo(say_later("it has a DOCTYPE, with which entities could be declared"))

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if (
            encoding is not None and encoding.lower() != "utf-8"
        ):  # a browser would read other letters than were checked
            raise _NoLogo(say_later("it is not written in UTF-8"))

    def _instruction(self, *_: object) -> None:
        raise _NoLogo(say_later("it has an instruction for another program (<?…?>)"))


def _check_attribute(name: str, value: str) -> None:
    if name not in _ATTRIBUTES:
        plain = name.rpartition(" ")[2][:40]
        raise _NoLogo(say_later("it has an attribute “{name}”, which no logo may have", name=plain))
    if name == "style":
        for rule in filter(str.strip, value.split(";")):
            look, _, of = rule.partition(":")
            if look.strip() not in _LOOKS:
                style = look.strip()[:40]
                raise _NoLogo(say_later("it has a style “{style}”, which no logo may have", style=style))
            _check_value(look.strip(), of)
    else:
        _check_value(name, value)


def _check_value(name: str, value: str) -> None:
    if name == "clip-path" and _REFERENCE.fullmatch(value.strip()):
        return
    if "url" in value.lower() or not _VALUE.fullmatch(value):
        raise _NoLogo(
            say_later(
                "its “{name}” is “{value}”; a logo may refer to nothing and has flat colours only",
                name=name,
                value=value[:40],
            )
        )
