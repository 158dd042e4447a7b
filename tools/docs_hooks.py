"""What MkDocs does besides when it makes the site: README.md is its first page, and reference pages come from the code.

Pages link to files of the repository as on a code host; in the site such a link leads to the page made of the file, or is
shown as the name of the file.
"""

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

GALLERY = "gallery/index.md"
"""The page that leads to the reports of the gallery, where they were built."""

_WIDE_TABLE = re.compile(r"<table>(?=\s*<thead>\s*<tr>(?:\s*<th(?: [^>]*)?>[^\n]*</th>){5,})")
"""A table of five columns or more."""

_REPORTS = re.compile(r"<!-- reports: (\w+) -->")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#:]*)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for place, source in TAKEN_IN.items():
        text = (TOP / source).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=_moved(text, TOP, place)))
    for place, make in reference_pages().items():
        files.append(File.generated(config, place, content=make()))
    for path in _published(_gallery(config)):
        place = f"gallery/reports/{path.relative_to(_gallery(config)).as_posix()}"
        files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def _gallery(config: MkDocsConfig) -> Path:
    """Where `make gallery` builds reports."""
    return TOP / str(config.extra["gallery"])


def _published(gallery: Path) -> list[Path]:
    """What is public of a built gallery: each report's public folder and the register, and nothing beside them."""
    folders = [*gallery.glob("*/public"), gallery / "register"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def on_page_content(html: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Wide tables, which scroll sideways, can be scrolled with a keyboard too."""
    del page, config, files
    return _WIDE_TABLE.sub('<table tabindex="0">', html)


def on_post_build(config: MkDocsConfig) -> None:
    """The page for addresses that lead nowhere needs a server; a site that is read from a folder has none."""
    (Path(config.site_dir) / "404.html").unlink(missing_ok=True)


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Links out of docs/ lead to the page that a file became, or become its name; the gallery leads to built reports."""
    del files
    if page.file.generated_by:
        return markdown
    if page.file.src_uri == GALLERY:
        markdown = _REPORTS.sub(lambda mark: _links_to_reports(_gallery(config), mark[1]), markdown)
    return _moved(markdown, TOP / "docs" / posixpath.dirname(page.file.src_uri), page.file.src_uri)


def _links_to_reports(gallery: Path, name: str) -> str:
    """Where a report of the gallery can be read, or the list of all; nothing where it was not built."""
    if name == "all":
        if not (gallery / "register" / "index.html").is_file():
            return ""
        return "**[All of them in a register](reports/register/index.html)**, as a publisher of many would list them."
    public = gallery / name / "public"
    pages = sorted(public.glob("report*.html"), key=lambda path: path.name != "report.html")
    links = [
        f"[{title}{language}](reports/{name}/public/{page.with_suffix(ending).name})"
        for page in pages
        for language in [f" ({page.name.split('.')[1]})" if page.name != "report.html" else ""]
        for title, ending in (("page", ".html"), ("PDF", ".pdf"), ("data", ".json"))
    ]
    return f"Read it: {' · '.join(links)}" if links else ""


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
