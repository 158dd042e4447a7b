"""Check the logo of a publisher: an SVG file of flat shapes that can neither run nor fetch anything, nor hold words.

A list of what may be there and not of what may not. Shapes are flat, and refer to nothing but their own clip paths; words
belong into the text, where readers and machines find them.
"""

import io
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from pydantic import TypeAdapter, ValidationError

from atreport.errors import SpecProblem
from atreport.forms.fields import RegulatorForm
from atreport.spec.check_records import inside
from atreport.spec.style import LOGO_FILES, MOST_MARKDOWN, Markdown, OwnSection, Style
from atreport.spec.yaml import Document, KeyPath
from atreport.text.language import LazyMessage, lazy_gettext
from atreport.untrusted import NotPlain, ResourceLimitExceeded, read_plain_file, run_bounded

MOST_BYTES_OF_SVG = 200_000
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


class NotAPicture(Exception):
    """A file is refused; why, is in words, or to be said with `resolve` where a reader may see it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def logo_problem(content: bytes) -> str | None:
    """Why a file is no logo that may be published, to be said with `resolve`; None where it is one."""
    if len(content) > MOST_BYTES_OF_SVG:
        return _too_large(content, MOST_BYTES_OF_SVG)
    if b"<svg" not in content[:MOST_BYTES_OF_SVG]:
        return lazy_gettext("it is no SVG file")
    reading = _Reading()
    try:
        reading.parser.Parse(content, True)
    except NotAPicture as problem:
        return problem.why
    except (expat.ExpatError, ValueError, LookupError) as error:
        return lazy_gettext("it cannot be read as XML ({error})", error=str(error))
    return None


def _too_large(content: bytes, most: int) -> LazyMessage:
    return lazy_gettext("it has {size} bytes, and a logo may have {most}", size=len(content), most=most)


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
            raise NotAPicture(
                lazy_gettext("it has an element <{name}>, which no logo may have", name=name[:40])
            )
        if (name == "svg") != (not self._open):
            raise NotAPicture(lazy_gettext("it is no SVG file, or has one inside another"))
        self._number += 1
        self._open.append(name)
        if self._number > MOST_ELEMENTS or len(self._open) > DEEPEST:
            raise NotAPicture(
                lazy_gettext(
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
                raise NotAPicture(lazy_gettext("it has no viewBox, or is much higher or wider than a logo"))

    def _end(self, _full: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        if text.strip() and self._open[-1] not in ("title", "desc"):
            raise NotAPicture(lazy_gettext("it has words between its shapes"))

    def _doctype(self, *_: object) -> None:
        raise NotAPicture(lazy_gettext("it has a DOCTYPE, with which entities could be declared"))

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if (
            encoding is not None and encoding.lower() != "utf-8"
        ):  # a browser would read other letters than were checked
            raise NotAPicture(lazy_gettext("it is not written in UTF-8"))

    def _instruction(self, *_: object) -> None:
        raise NotAPicture(lazy_gettext("it has an instruction for another program (<?…?>)"))


def _check_attribute(name: str, value: str) -> None:
    if name not in _ATTRIBUTES:
        plain = name.rpartition(" ")[2][:40]
        raise NotAPicture(lazy_gettext("it has an attribute “{name}”, which no logo may have", name=plain))
    if name == "style":
        for rule in filter(str.strip, value.split(";")):
            look, _, of = rule.partition(":")
            if look.strip() not in _LOOKS:
                style = look.strip()[:40]
                raise NotAPicture(
                    lazy_gettext("it has a style “{style}”, which no logo may have", style=style)
                )
            _check_value(look.strip(), of)
    else:
        _check_value(name, value)


def _check_value(name: str, value: str) -> None:
    if name == "clip-path" and _REFERENCE.fullmatch(value.strip()):
        return
    if "url" in value.lower() or not _VALUE.fullmatch(value):
        raise NotAPicture(
            lazy_gettext(
                "its “{name}” is “{value}”; a logo may refer to nothing and has flat colours only",
                name=name,
                value=value[:40],
            )
        )


# Check the logo of a publisher where it is a PNG file, and make the one that is published of the one that was
# given.
#
# What is published is made by Pillow: 8 bits for each of red, green and blue, on white, and nothing but its
# pixels: no words, no place where the picture was taken, no colour profile, no second picture. `png_problem`
# looks at the pieces of a file, so that whoever checks a report opens nothing that was not looked at first.

MOST_GIVEN = 2_000_000
"""Bytes of the file that a publisher gives."""
MOST_BYTES_OF_PNG = 400_000
"""Bytes of the one that is published, which stands in every page."""
LONGEST_SIDE = 2_000
"""Pixels: more than paper shows of a logo, and few enough to unpack."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">IIBBBBB")


def published_png(content: bytes) -> bytes:
    """The logo that is published: the same picture on white, and nothing else. Raises :class:`NotAPicture`."""
    if len(content) > MOST_GIVEN:
        raise NotAPicture(f"it has {len(content):,} bytes, and a logo may have {MOST_GIVEN:,}")
    _head(content)
    kinds = [kind for kind, _ in _chunks(content)]
    if kinds[-1] != b"IEND":
        raise NotAPicture("it is damaged")
    if b"acTL" in kinds:
        raise NotAPicture("it is animated, and paper shows one picture")
    try:
        written = run_bounded(f"{__name__}:png_on_white", content, seconds=10, megabytes=400)
    except ResourceLimitExceeded as error:
        raise NotAPicture(f"it cannot be read: {error}") from None
    if not written:
        raise NotAPicture("it is damaged")
    if len(written) > MOST_BYTES_OF_PNG:
        raise NotAPicture(
            f"it takes {len(written):,} bytes in a page, and may take {MOST_BYTES_OF_PNG:,}; give one with fewer pixels"
        )
    return written


def png_problem(content: bytes) -> str | None:
    """Why a file is no PNG logo as they are published, to be said with `resolve`; None where it is one."""
    if len(content) > MOST_BYTES_OF_PNG:
        return _too_large(content, MOST_BYTES_OF_PNG)
    try:
        head = _head(content)
        chunks = list(_chunks(content))
    except NotAPicture as problem:
        return problem.why
    kinds = [kind for kind, _ in chunks]
    if kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or {*kinds[1:-1]} != {b"IDAT"} or chunks[-1][1]:
        return lazy_gettext("it holds something besides its pixels")
    if chunks[0][1] != head:
        return lazy_gettext("its pixels are written in another way than those of a logo that is published")
    return None


def _head(content: bytes) -> bytes:
    """How the head of a published logo of this size is written. Raises :class:`NotAPicture` for a size that none has."""
    if content[:8] != _SIGNATURE or content[12:16] != b"IHDR" or len(content) < 33:
        raise NotAPicture(lazy_gettext("it is no PNG file"))
    width, height = struct.unpack(">II", content[16:24])
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise NotAPicture(
            lazy_gettext(
                "it has {width} × {height} pixels, and a logo may have {most} on a side",
                width=width,
                height=height,
                most=LONGEST_SIDE,
            )
        )
    if not 0.1 <= width / height <= 12:
        raise NotAPicture(lazy_gettext("it is much higher or wider than a logo"))
    return _HEAD.pack(width, height, 8, 2, 0, 0, 0)


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The pieces of the file, to its very end."""
    place = len(_SIGNATURE)
    while place < len(content):
        (length,) = struct.unpack(">I", content[place : place + 4].rjust(4, b"\xff"))
        kind, data = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        end = place + 12 + length
        if end > len(content) or content[end - 4 : end] != struct.pack(">I", zlib.crc32(kind + data)):
            raise NotAPicture(lazy_gettext("it is damaged"))
        yield kind, data
        place = end


def png_on_white(content: bytes) -> bytes:
    """The same picture on white, and nothing else; no bytes where it is damaged. Read in a process of its own."""
    from PIL import Image  # in that process alone

    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as given:
            seen = given.convert("RGBA")
    except MemoryError:
        raise
    except Exception:  # a reader of pictures ends in as many ways as files can be damaged
        return b""
    whole = Image.new("RGB", seen.size, "#ffffff")
    whole.paste(seen, mask=seen.getchannel("A"))
    written = io.BytesIO()
    whole.save(written, format="PNG", optimize=True)
    return written.getvalue()


# Check the ``style`` section and read the files that it names: once, so that what was checked is what is
# published.

_PLAIN_SVG = "save it as plain or optimised SVG with letters as paths and flat colours"
_BELOW = "keep it in the spec's folder or below it"


def read_style(
    document: Document, style: Style, form: object, problems: list[SpecProblem]
) -> tuple[Style, dict[str, bytes]]:
    """The style with the texts of its Markdown files, and its other files by the names they are published under.

    Appends every problem found.
    """
    files: dict[str, bytes] = {}
    if style.logo is not None:
        files |= _logo(document, style.logo.file, problems)
    if style.sections and isinstance(form, RegulatorForm) and not form.stands_in_the_report:
        problems.append(
            document.problem(
                ("style", "sections"),
                "a regulator's form has no place for sections of your own",
                "leave them out; logo, colours and cover stay",
                at_key=True,
            )
        )
    sections = tuple(
        _with_text(document, section, ("style", "sections", index, "file"), problems)
        for index, section in enumerate(style.sections)
    )
    return style.model_copy(update={"sections": sections}) if sections else style, files


def _logo(document: Document, name: str, problems: list[SpecProblem]) -> dict[str, bytes]:
    """The logo as it is published, under the name that it then has; nothing where it may not be."""
    place: KeyPath = ("style", "logo", "file")
    ending = ".png" if name.lower().endswith(".png") else ".svg"
    most = MOST_GIVEN if ending == ".png" else MOST_BYTES_OF_SVG
    content = _read(document, place, name, (".svg", ".png"), most, problems)
    if content is None:
        return {}
    try:
        if ending == ".png":
            return {LOGO_FILES[ending]: published_png(content)}
        if problem := logo_problem(content):
            raise NotAPicture(problem)
    except NotAPicture as problem:
        message = f"'{name}' cannot be the logo: {problem}"
        problems.append(
            document.problem(place, message, _PLAIN_SVG if ending == ".svg" else "save it again as PNG")
        )
        return {}
    return {LOGO_FILES[ending]: content}


def _with_text(
    document: Document, section: OwnSection, place: KeyPath, problems: list[SpecProblem]
) -> OwnSection:
    """A section with its text, wherever that stands."""
    if section.file is None:
        return section
    content = _read(document, place, section.file, (".md",), MOST_MARKDOWN, problems)
    if content is None:
        return section
    try:
        text = TypeAdapter(Markdown).validate_python(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        problems.append(
            document.problem(place, f"'{section.file}' is not written in UTF-8", "save it as UTF-8")
        )
        return section
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        problems.append(document.problem(place, f"'{section.file}': {reason}"))
        return section
    return section.model_copy(update={"text": text, "file": None})


def _read(
    document: Document,
    place: KeyPath,
    name: str,
    endings: tuple[str, ...],
    most: int,
    problems: list[SpecProblem],
) -> bytes | None:
    """A file that the spec names; None, and a problem, where it is none that may be read."""
    folder, file = document.path.parent, Path(name)
    problem: tuple[str, str]
    if file.suffix.lower() not in endings:
        kinds = " or ".join(endings)
        problem = f"'{name}' is no {kinds} file", f"give a file that ends with {kinds}"
    elif file.is_absolute() or ".." in file.parts or not inside(folder, file):
        problem = f"'{name}' is outside the spec's folder", _BELOW
    elif any((folder / part).is_symlink() for part in (file, *file.parents)):
        problem = f"'{name}' is a link to another place, or stands behind one", "put the file itself there"
    else:
        try:
            content = read_plain_file(folder / file)
        except NotPlain as reason:
            problem = f"'{name}': {reason}", "give a plain file"
        except (OSError, ValueError):
            problem = f"there is no file '{name}' that can be read", "the path is relative to the spec"
        else:
            if len(content) <= most:
                return content
            problem = f"'{name}' has {len(content):,} bytes, and may have {most:,}", "make it smaller"
    problems.append(document.problem(place, *problem))
    return None
