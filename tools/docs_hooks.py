"""What MkDocs does besides when it makes the site: README.md is its first page, and reference pages come from the code.

Pages link to files of the repository as on a code host; in the site such a link leads to the page made of the file, or is
shown as the name of the file.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))  # MkDocs imports this file by its path

from tools.reference import reference_pages  # noqa: E402

TAKEN_IN = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
}
"""Pages of the site that are files at the top of the repository."""

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]*)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for place, source in TAKEN_IN.items():
        text = (TOP / source).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=_moved(text, TOP, place)))
    for place, make in reference_pages().items():
        files.append(File.generated(config, place, content=make()))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """The page for addresses that lead nowhere needs a server; a site that is read from a folder has none."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Links out of docs/ lead to the page that a file became, or become its name."""
    del config, files
    if page.file.generated_by:
        return markdown
    return _moved(markdown, TOP / "docs" / posixpath.dirname(page.file.src_uri), page.file.src_uri)


def _moved(text: str, folder: Path, place: str) -> str:
    """A text from this folder of the repository as a page at this place of the site."""

    def lead(link: re.Match[str]) -> str:
        mark, words, target, part = link[1], link[2], link[3], link[4] or ""
        if not target:
            return link[0]
        file = Path(posixpath.normpath((folder / target).as_posix()))
        if not file.is_relative_to(TOP):
            return link[0]
        name = file.relative_to(TOP).as_posix()
        pages = {source: page for page, source in TAKEN_IN.items()}
        found = pages.get(name) or (name.removeprefix("docs/") if name.startswith("docs/") else None)
        if found is None:  # code, specs and templates are no pages
            return words if words.startswith("`") else f"{words} (`{name}`)"
        return f"{mark}[{words}]({posixpath.relpath(found, posixpath.dirname(place) or '.')}{part})"

    return _LINK.sub(lead, text)
