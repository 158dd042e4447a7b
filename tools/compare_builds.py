"""Compare two output folders of `atreport build`, spec by spec: does a change of the program change what is published?

    python tools/compare_builds.py OLD NEW [--ignore-new-keys] [--show N]

JSON is compared value by value (numbers as they are printed), CSV by rows, HTML by words and attributes (charts apart, the
data inside a page as JSON), PDF by the text of its pages and by its attachments. What must differ between two versions of
the program is left out: `generator` in report.json, SHA256SUMS, and the checksums and sizes of files that catalogues are
told. Exit code: 0 nothing differs, 1 something does, 2 a folder is missing.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from pypdf import PdfReader

_LEFT_OUT = {"SHA256SUMS"}
_PARTS = ("public", "confidential")
_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_MOST_TOKENS = 20_000  # beyond it, two texts are not aligned: that takes quadratic time
_WIDTH = 120
_CATALOGUE = "what catalogues are told"
_OF_FILES = re.compile(
    rb'("sha256": ?"|"contentSize": ?"|"spdx:checksumValue": \{"@value": "|"dcat:byteSize": \{"@value": ")[^"]*'
)


class Number(str):
    """A JSON number as it is printed: 0.10 is not 0.1, and 1 is not "1"."""

    __slots__ = ()


@dataclass
class Difference:
    """What two files of the same name do not share; empty where only bytes differ."""

    changed: list[str] = field(default_factory=list)
    new_keys: list[str] = field(default_factory=list)  # of JSON objects: only the new file has them

    def __bool__(self) -> bool:
        return bool(self.changed or self.new_keys)

    def add(self, other: Difference, where: str) -> None:
        """Take over the findings on a part of the file."""
        self.changed += [f"{where}: {line}" for line in other.changed]
        self.new_keys += [f"{where}: {line}" for line in other.new_keys]


# --- JSON and CSV -------------------------------------------------------------------------------------------------


def compare_json(old: bytes, new: bytes) -> Difference:
    """Two JSON documents, value by value."""
    found = Difference()
    first, second = (_parsed(text) for text in (old, new))
    for document in (first, second):
        if isinstance(document, dict):
            document.pop("generator", None)
    _compare_values(first, second, "", found)
    return found


def _parsed(text: bytes) -> Any:
    return json.loads(text, parse_float=Number, parse_int=Number)


def _compare_values(old: Any, new: Any, path: str, found: Difference) -> None:
    if type(old) is not type(new):
        found.changed.append(f"{path}: {_cut(_shown(old))} → {_cut(_shown(new))}")
    elif isinstance(old, dict):
        for key in old:
            inner = f"{path}.{key}".lstrip(".")
            if key in new:
                _compare_values(old[key], new[key], inner, found)
            else:
                found.changed.append(f"{inner}: gone")
        found.new_keys += [f"{path}.{key}".lstrip(".") for key in new if key not in old]
        if [key for key in new if key in old] != [key for key in old if key in new]:
            found.changed.append(f"{path or 'the document'}: keys in another order")
    elif isinstance(old, list):
        if len(old) != len(new):
            found.changed.append(f"{path}: {len(old)} → {len(new)} items")
        for place, (first, second) in enumerate(zip(old, new, strict=False)):
            _compare_values(first, second, f"{path}[{place}]", found)
    elif old != new:
        found.changed.append(f"{path}: {_cut(_shown(old))} → {_cut(_shown(new))}")


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def compare_csv(old: bytes, new: bytes) -> Difference:
    """Two CSV files, row by row."""
    rows = [list(csv.reader(StringIO(text.decode("utf-8-sig"), newline=""))) for text in (old, new)]
    return Difference(list(_apart(*([" | ".join(row) for row in table] for table in rows), joint=" // ")))


# --- HTML ---------------------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """The parts of a page that are compared apart, each a list of words."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: dict[str, list[str]] = {
            part: [] for part in ("text", "attributes", "chart text", "chart drawing", "style", "script")
        }
        self.data: dict[str, str] = {}  # id → JSON that the page carries
        self._open: list[str] = []
        self._data_id: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open.append(tag)
        given = dict(attrs)
        if tag == "script" and given.get("type") in ("application/json", "application/ld+json"):
            self._data_id = given.get("id") or _CATALOGUE
        part = "chart drawing" if "svg" in self._open else "attributes"
        self.parts[part] += [f"<{tag}>", *(f"{tag}/{name}={value}" for name, value in attrs)]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        self._data_id = None
        while self._open and tag in self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if self._data_id is not None:
            self.data[self._data_id] = self.data.get(self._data_id, "") + data
        elif inside == "style":
            self.parts["style"] += re.split(r"(?<=[;{}])", data)
        elif inside == "script":
            self.parts["script"] += data.splitlines()
        else:
            self.parts["chart text" if "svg" in self._open else "text"] += data.split()


def compare_html(old: bytes, new: bytes) -> Difference:
    """Two pages by what their readers see, by attributes, by charts, style and scripts; their data as JSON."""
    first, second = (_Page(page.decode()) for page in (old, new))
    found = Difference()
    for part in first.parts:
        for line in _apart(first.parts[part], second.parts[part]):
            found.changed.append(f"{part}: {line}")
    for id in sorted(first.data.keys() | second.data.keys()):
        if id not in first.data or id not in second.data:
            found.changed.append(f"{id}: only in the {'new' if id in second.data else 'old'} page")
        else:
            compare = compare_catalogue if id == _CATALOGUE else compare_json
            found.add(compare(first.data[id].encode(), second.data[id].encode()), id)
    return found


def compare_catalogue(old: bytes, new: bytes) -> Difference:
    """Two descriptions for catalogues, without checksums and sizes, which differ where any file does."""
    return compare_json(*(_OF_FILES.sub(rb"\1", content) for content in (old, new)))


# --- PDF ----------------------------------------------------------------------------------------------------------


def compare_pdf(old: bytes, new: bytes) -> Difference:
    """Two PDFs by the text of their pages and by their attachments."""
    first, second = (PdfReader(BytesIO(content)) for content in (old, new))
    found = Difference()
    if len(first.pages) != len(second.pages):
        found.changed.append(f"{len(first.pages)} → {len(second.pages)} pages")
        words = [
            [word for page in pdf.pages for word in page.extract_text().split()] for pdf in (first, second)
        ]
        found.changed += _apart(*words)
    else:
        for number, (one, other) in enumerate(zip(first.pages, second.pages, strict=True), start=1):
            if _drawn(one) != _drawn(other):  # reading the text of a page takes a tenth of a second
                lines = _apart(one.extract_text().split(), other.extract_text().split())
                found.changed += [f"page {number}: {line}" for line in lines]
    attached = [{name: content[0] for name, content in pdf.attachments.items()} for pdf in (first, second)]
    for name, difference in _compare_files(*attached):
        if difference is not None:
            found.add(difference, f"attached {name}")
    return found


def _drawn(owner: Any, contents: Any = None) -> bytes:
    """A digest of everything from which the text of a page, or of a drawing on it, is read."""
    contents = owner.get_contents() if contents is None else contents
    digest = hashlib.sha256(b"" if contents is None else contents.get_data())
    resources = owner.get("/Resources", {})
    for name, font in sorted(resources.get("/Font", {}).items()):
        table = font.get_object().get("/ToUnicode")
        digest.update(name.encode() + (b"" if table is None else table.get_object().get_data()))
    for name, drawing in sorted(resources.get("/XObject", {}).items()):
        inner = drawing.get_object()
        digest.update(name.encode() + (_drawn(inner, inner) if inner.get("/Subtype") == "/Form" else b""))
    return digest.digest()


# --- Texts, files and folders ---------------------------------------------------------------------------------------


def _apart(old: Sequence[str], new: Sequence[str], *, joint: str = " ") -> Iterator[str]:
    """Where two texts differ, one line a place."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    first, second = old[start : len(old) - end], new[start : len(new) - end]
    if not first and not second:
        return
    if max(len(first), len(second)) > _MOST_TOKENS:
        yield f"{len(first)} → {len(second)} pieces, from “{_cut(joint.join(first[:8]))}”"
        return
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            before = joint.join(old[max(start + a - 3, 0) : start + a])
            was, now = (_cut(joint.join(words)) or "nothing" for words in (first[a:b], second[c:d]))
            yield f"{was} → {now}" + (f"   (after “{_cut(before)}”)" if before else "")


def _cut(text: str) -> str:
    text = re.sub(r"\.{4,}", "…", " ".join(text.split()))  # the dots of a table of contents
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


_COMPARE = {
    ".json": compare_json,
    ".jsonld": compare_catalogue,
    ".csv": compare_csv,
    ".html": compare_html,
    ".pdf": compare_pdf,
}


def _compare_text(old: bytes, new: bytes) -> Difference:
    lines = (content.decode("utf-8", errors="replace").splitlines() for content in (old, new))
    return Difference(list(_apart(*lines, joint=" // ")))


def _compare_files(
    old: Mapping[str, bytes], new: Mapping[str, bytes]
) -> Iterator[tuple[str, Difference | None]]:
    """Each file of either folder and how it differs: None where its bytes are equal."""
    for name in sorted((old.keys() | new.keys()) - _LEFT_OUT):
        if name not in new:
            yield name, Difference(["gone"])
        elif name not in old:
            yield name, Difference(["new file"])
        elif old[name] == new[name]:
            yield name, None
        else:
            yield name, _COMPARE.get(Path(name).suffix, _compare_text)(old[name], new[name])


def _files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _LEFT_OUT)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def _specs(folder: Path) -> dict[str, Path]:
    """The reports in an output folder, or the one that the folder itself is."""
    if (folder / "public").is_dir():
        return {".": folder}
    return {path.name: path for path in folder.iterdir() if any((path / part).is_dir() for part in _PARTS)}


def compare_specs(old: Path, new: Path) -> Iterator[tuple[str, dict[str, Difference | None] | None]]:
    """Each report that both folders have and what became of its files; None where one folder lacks it."""
    first, second = _specs(old), _specs(new)
    if first.keys() == {"."} or second.keys() == {"."}:
        yield new.name, dict(_compare_files(_files(old), _files(new)))
        return
    for name in sorted(first.keys() | second.keys()):
        if name in first and name in second:
            yield name, dict(_compare_files(_files(first[name]), _files(second[name])))
        else:
            yield name, None


def _counted(keys: Iterable[str]) -> str:
    """Keys without places in lists, each with how often it is new."""
    counts = Counter(re.sub(r"\[\d+\]", "[]", key) for key in keys)
    return ", ".join(key if count == 1 else f"{key} ({count}×)" for key, count in counts.items())


def _report(name: str, files: Mapping[str, Difference | None], show: int, ignore_new_keys: bool) -> bool:
    """Print what became of one report; whether anything differs."""
    equal = sum(difference is None for difference in files.values())
    same = [file for file, difference in files.items() if difference is not None and not difference]
    new_keys = [file for file, difference in files.items() if difference and not difference.changed]
    changed = [file for file, difference in files.items() if difference and difference.changed]
    counts = [
        f"{len(kind)} {words}"
        for kind, words in ((same, "same content"), (new_keys, "new keys only"), (changed, "DIFFER"))
        if kind
    ]
    print(f"{name}: {'; '.join([f'{equal} of {len(files)} files bytes equal', *counts])}")
    for file in [*changed, *([] if ignore_new_keys else new_keys)]:
        difference = files[file]
        assert difference is not None
        for line in difference.changed[:show]:
            print(f"  {file}: {line}")
        if len(difference.changed) > show:
            print(f"  {file}: … and {len(difference.changed) - show} more")
        if difference.new_keys and not ignore_new_keys:
            print(f"  {file}: new keys: {_cut(_counted(difference.new_keys))}")
    return bool(changed or (new_keys and not ignore_new_keys))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--ignore-new-keys", action="store_true", help="new keys of JSON are no difference")
    parser.add_argument("--show", type=int, default=6, metavar="N", help="differences shown for a file (6)")
    given = parser.parse_args(arguments)
    for folder in (given.old, given.new):
        if not folder.is_dir():
            print(f"{folder} is no folder", file=sys.stderr)
            return 2
    differing, compared, absent = 0, 0, []
    for name, files in compare_specs(given.old, given.new):
        if files is None:
            absent.append(name)
            continue
        compared += 1
        differing += _report(name, files, given.show, given.ignore_new_keys)
    if absent:
        names = ", ".join(absent[:5]) + (", …" if len(absent) > 5 else "")
        print(f"{len(absent)} in one folder only, not compared: {names}")
    print(f"{compared} compared, {differing} differ" if compared else "Nothing to compare")
    return 1 if differing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
