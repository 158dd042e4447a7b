"""Check the ``style`` section and read the files that it names: once, so that what was checked is what is published."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from atreport.errors import Problem
from atreport.kit.strangers.plain_file import NotPlain, read_plain_file
from atreport.kit.style import logo, png_logo
from atreport.spec.checks.data_files import inside
from atreport.spec.models.forms.regulator_form import RegulatorForm
from atreport.spec.models.style import LOGO_FILES, MOST_MARKDOWN, Markdown, OwnSection, Style
from atreport.spec.yaml import Document, KeyPath

_PLAIN_SVG = "save it as plain or optimised SVG with letters as paths and flat colours"
_BELOW = "keep it in the spec's folder or below it"


def read_style(
    document: Document, style: Style, form: object, problems: list[Problem]
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
    return style if not sections else style.model_copy(update={"sections": sections}), files


def _logo(document: Document, name: str, problems: list[Problem]) -> dict[str, bytes]:
    """The logo as it is published, under the name that it then has; nothing where it may not be."""
    place: KeyPath = ("style", "logo", "file")
    ending = ".png" if name.lower().endswith(".png") else ".svg"
    most = png_logo.MOST_GIVEN if ending == ".png" else logo.MOST_BYTES
    content = _read(document, place, name, (".svg", ".png"), most, problems)
    if content is None:
        return {}
    try:
        if ending == ".png":
            return {LOGO_FILES[ending]: png_logo.published_png(content)}
        if problem := logo.logo_problem(content):
            raise png_logo.NotAPicture(problem)
    except png_logo.NotAPicture as problem:
        message = f"'{name}' cannot be the logo: {problem}"
        problems.append(
            document.problem(place, message, _PLAIN_SVG if ending == ".svg" else "save it again as PNG")
        )
        return {}
    return {LOGO_FILES[ending]: content}


def _with_text(
    document: Document, section: OwnSection, place: KeyPath, problems: list[Problem]
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
    problems: list[Problem],
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
