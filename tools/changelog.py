"""Put the fragments of `changes/` into CHANGELOG.md at a release, and take them out of the folder.

    python tools/changelog.py 0.2.0 --date 2026-03-01     write CHANGELOG.md and remove the fragments
    python tools/changelog.py --draft                     print what the section would say, and change nothing

A fragment is one file a change, `changes/<name>.<kind>.md`, so that changes made side by side do not collide. Its kind is
a heading of Keep a Changelog in small letters; its text is what a user reads, without a leading dash.
"""

import argparse
import datetime as dt
import re
import sys
from collections.abc import Sequence
from pathlib import Path

KINDS = ("added", "changed", "deprecated", "removed", "fixed", "security")
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc|\.dev)\d+)?")
_FIRST_RELEASE = re.compile(r"^## \[", re.MULTILINE)


class Unusable(Exception):
    """A fragment or the changelog is not as it should be; the message says which and how."""


def read_fragments(folder: Path) -> dict[Path, str]:
    """Every fragment with its kind, in the order of kinds and then of names."""
    kinds: dict[Path, str] = {}
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        kind = path.stem.rpartition(".")[2]
        if kind not in KINDS or kind == path.stem:
            raise Unusable(f"{path}: name it <name>.<kind>.md, with one of the kinds {', '.join(KINDS)}")
        if not path.read_text(encoding="utf-8").strip():
            raise Unusable(f"{path}: is empty")
        kinds[path] = kind
    return dict(sorted(kinds.items(), key=lambda item: (KINDS.index(item[1]), item[0].name)))


def make_section(fragments: dict[Path, str], heading: str) -> str:
    """The section of one release, one item a fragment."""
    lines = [f"## {heading}"]
    for kind in KINDS:
        texts = [path.read_text(encoding="utf-8") for path, its_kind in fragments.items() if its_kind == kind]
        if texts:
            lines += ["", f"### {kind.capitalize()}", "", *(f"- {' '.join(text.split())}" for text in texts)]
    return "\n".join(lines) + "\n"


def insert_section(changelog: str, section: str, version: str) -> str:
    """The changelog with a section before that of the release before it."""
    if f"## [{version}]" in changelog:
        raise Unusable(f"CHANGELOG.md has a section [{version}] already")
    first = _FIRST_RELEASE.search(changelog)
    place = first.start() if first else len(changelog)
    before, after = changelog[:place].rstrip("\n"), changelog[place:]
    return f"{before}\n\n{section}" + (f"\n{after}" if after else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Assemble, or print a draft; exit code 2 where something is not as it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("version", nargs="?", help="the version to be released, such as 0.2.0")
    parser.add_argument("--date", type=dt.date.fromisoformat, help="the day of the release (today)")
    parser.add_argument("--draft", action="store_true", help="print the section and change nothing")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    try:
        fragments = read_fragments(given.root / "changes")
        if given.draft:
            print(make_section(fragments, f"[{given.version or 'Unreleased'}]"), end="")
            return 0
        if given.version is None or not _VERSION.fullmatch(given.version):
            raise Unusable("say which version is released, such as 0.2.0")
        if not fragments:
            raise Unusable("changes/ has no fragment: there is nothing to release")
        day = given.date or dt.datetime.now(dt.UTC).date()
        changelog = given.root / "CHANGELOG.md"
        section = make_section(fragments, f"[{given.version}] - {day.isoformat()}")
        text = insert_section(changelog.read_text(encoding="utf-8"), section, given.version)
    except Unusable as error:
        print(error, file=sys.stderr)
        return 2
    changelog.write_text(text, encoding="utf-8")
    for path in fragments:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
