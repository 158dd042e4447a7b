"""Find the files of a report's house style, by the SHA-256 that report.json states, so that its pages can be made again.

They stand beside the report and are attached to its PDF. Nothing of them is shown or run before it was checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from atreport.kit.language import message, say
from atreport.kit.language.later import say_now
from atreport.kit.style.logo import logo_problem
from atreport.kit.style.png_logo import png_problem
from atreport.report.model import Report
from atreport.report.published import Published
from atreport.spec.models.style import LOGO_FILES
from atreport.verification.findings import NotChecked, attached

_NOT_HERE = message(
    "What the page and the PDF say and how they look: they are in the publisher's house style, and its files ({names}) are "
    "not here. Give the public folder, or the PDF, to which they are attached."
)


@dataclass(frozen=True, kw_only=True)
class StyleFiles:
    """What was found of the files that a house style names."""

    files: Mapping[str, bytes]  # those that are what report.json says, and safe
    complete: bool  # they are all that it names
    findings: tuple[str, ...]
    not_checked: tuple[NotChecked, ...]


def find_style_files(published: Published, report: Report) -> StyleFiles:
    """The files of the house style, from the folder or the PDF."""
    named = {} if report.style is None else report.style.files
    files: dict[str, bytes] = {}
    findings: list[str] = []
    for called, beside in _places(published):
        for name in LOGO_FILES.values():
            content = beside.get(name)
            if content is None:
                if name in named:
                    findings.append(say("{name}: missing, though report.json names it", name=called(name)))
            elif problem := _problem(name, content, named.get(name)):
                findings.append(say("{where}: {what}", where=called(name), what=problem))
            else:
                files[name] = content
    missing = [name for name in named if name not in files]
    not_checked = (
        [NotChecked(part="pages", what=say(_NOT_HERE, names=", ".join(missing)))]
        if missing and not findings
        else []
    )
    return StyleFiles(
        files=files, complete=not missing, findings=tuple(findings), not_checked=tuple(not_checked)
    )


def _places(published: Published) -> Iterator[tuple[Callable[[str], str], Mapping[str, bytes]]]:
    """Where such files must stand: in the folder, and in the PDF; and how each is called there."""
    if published.path.is_dir():
        yield str, published.files
    if published.attachments is not None:
        yield attached, published.attachments


_PROBLEMS: Mapping[str, Callable[[bytes], str | None]] = {
    ".svg": logo_problem,
    ".png": png_problem,
}
"""What says whether a file can be shown, by its ending."""


def _problem(name: str, content: bytes, digest: str | None) -> str | None:
    if digest is None:
        return say("report.json names no such file")
    if hashlib.sha256(content).hexdigest() != digest:
        return say("not the file whose SHA-256 report.json states")
    problem = _PROBLEMS[name[-4:]](content)
    return problem and say_now(problem)
