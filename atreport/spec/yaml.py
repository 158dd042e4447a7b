"""Turn YAML text into plain Python values that remember where they stood.

PyYAML alone is not strict: it keeps the last of two equal keys, reads ``no`` as false, ``010`` as eight and ``1:30`` as
ninety, and falls over on deep nesting. Here the text is walked as events first (caps, aliases, tags), then as a node
tree (duplicate keys). A plain scalar stays the text the author wrote (:class:`Plain`); the field it lands in decides,
by YAML 1.2 rules, whether that text is a number, a truth value or a label. So a label ``no`` is the label "no".
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from atreport.errors import InvalidInput, Location, SpecProblem

MAX_BYTES = 8 * 1024 * 1024
MAX_DEPTH = 32
MAX_DIGITS = 100
"""Longer numbers, and exponents of more than three digits, are no numbers: to calculate with one could take for ever."""
MAX_NODES = 1_000_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# YAML 1.2 core schema, section 10.3.2 of the YAML specification.
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")
_ANY_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_QUOTED = ("'", '"', "|", ">")  # what libyaml and PyYAML both call the quoted and block styles
_NULL = {"", "~", "null", "Null", "NULL"}

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the root of the document to a value."""


class Plain(str):
    """An unquoted scalar, as written."""

    __slots__ = ()

    @property
    def is_null(self) -> bool:
        """Whether YAML 1.2 reads this as "no value"."""
        return self in _NULL


def parse_number(text: str) -> Decimal | None:
    """The exact decimal value of a YAML 1.2 number, or None where the text is not one that can be calculated with."""
    return Decimal(text) if len(text) <= MAX_DIGITS and _NUMBER.fullmatch(text) else None


def looks_like_number(text: str) -> bool:
    """Whether a text is written as a number, of whatever size."""
    return _ANY_NUMBER.fullmatch(text) is not None


def _problem_at(
    path: Path, lines: Sequence[str], place: tuple[int, int], message: str, hint: str | None
) -> SpecProblem:
    """A problem at a line and column of a text."""
    line, column = place
    return SpecProblem(
        location=Location(str(path), line, column),
        message=message,
        hint=hint,
        source=lines[line - 1] if line <= len(lines) else None,
    )


@dataclass(frozen=True, kw_only=True)
class Document:
    """A YAML document: its values, and the place of every key and value in the text."""

    path: Path
    lines: tuple[str, ...]
    root: Any
    key_places: dict[KeyPath, tuple[int, int]] = field(repr=False)
    value_places: dict[KeyPath, tuple[int, int]] = field(repr=False)

    def problem(
        self, path: KeyPath, message: str, hint: str | None = None, *, at_key: bool = False
    ) -> SpecProblem:
        """A problem at a value (or at its key); falls back to the nearest enclosing place that exists."""
        places = self.key_places if at_key else self.value_places
        known = path
        while known and known not in places:
            known = known[:-1]
        return _problem_at(self.path, self.lines, places.get(known, (1, 1)), message, hint)

    @property
    def title(self) -> str:
        """What messages call the spec: its file."""
        return str(self.path)

    def point_to_check(self, does: str) -> str:
        """A closing sentence on what ``atreport check`` does for the author, after a blank."""
        return f" 'atreport check {self.path}' {does}."


def read_document(path: Path) -> Document:
    """Read and parse a YAML file, or raise :class:`InvalidInput` with every problem found."""
    return parse_document(_read_text(path), path)


def _read_text(path: Path) -> str:
    def fail(message: str, hint: str | None = None, place: tuple[int, int] | None = None) -> InvalidInput:
        return InvalidInput(
            [SpecProblem(location=Location(str(path), *(place or (None, None))), message=message, hint=hint)]
        )

    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise fail("no such file", "give the path of a spec, or start one with: atreport init DIR") from None
    except IsADirectoryError:
        raise fail("is a folder, not a spec", "name the .yaml file inside it") from None
    except OSError as error:
        raise fail(f"cannot be read ({error.strerror})") from None
    if len(data) > MAX_BYTES:
        raise fail(
            f"is larger than {MAX_BYTES // 1024 // 1024} MiB",
            f"keep large tables in a {ANY_FORMAT} file and name it under source: cells:",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", errors="replace")
        place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise fail(
            f"byte {data[error.start]:#04x} is not UTF-8 text", "save the file as UTF-8", place
        ) from None


def parse_document(text: str, path: Path) -> Document:
    """Parse YAML text; `path` is only used in messages and to find data files."""
    if any("\ud800" <= character <= "\udfff" for character in text):  # no file can hold half a character
        raise InvalidInput([SpecProblem(location=Location(str(path), 1, 1), message="is not UTF-8 text")])
    lines = tuple(text.splitlines())
    builder = _Builder(path, lines)
    try:
        builder.refuse_hazards(yaml.parse(text, Loader=_LOADER))
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise InvalidInput([_syntax_problem(error, path, lines)]) from None
    if node is None:
        hint = "start a spec with: atreport init DIR"
        raise InvalidInput([_problem_at(path, (), (1, 1), "is empty", hint)])
    root = builder.value(node, ())
    if builder.problems:
        raise InvalidInput(builder.problems)
    return Document(
        path=path,
        lines=lines,
        root=root,
        key_places=builder.key_places,
        value_places=builder.value_places,
    )


class _Builder:
    """Walks the node tree once, collecting values, places and problems."""

    def __init__(self, path: Path, lines: tuple[str, ...]) -> None:
        self.path = path
        self.lines = lines
        self.problems: list[SpecProblem] = []
        self.key_places: dict[KeyPath, tuple[int, int]] = {}
        self.value_places: dict[KeyPath, tuple[int, int]] = {}

    def refuse_hazards(self, events: Iterator[yaml.Event]) -> None:
        """Refuse what a spec never needs, before any tree is built: the walk itself must be safe."""
        depth = nodes = documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._report(
                        event.start_mark, "a second document starts here", "keep one document a file"
                    )
                    break
            if isinstance(event, yaml.AliasEvent):
                self._report(event.start_mark, f"alias *{event.anchor} is not allowed", "write the value out")
            if isinstance(event, yaml.NodeEvent):
                nodes += 1
                if nodes > MAX_NODES:
                    self._report(
                        event.start_mark, f"more than {MAX_NODES:,} values", "keep large tables in a CSV file"
                    )
                    break
                if event.anchor and not isinstance(event, yaml.AliasEvent):
                    self._report(event.start_mark, f"anchor &{event.anchor} is not allowed", "remove it")
                tag = getattr(event, "tag", None)
                if tag and tag != "!":
                    self._report(
                        event.start_mark, f"tag {_short_tag(tag)} is not allowed", "write a plain value"
                    )
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    self._report(event.start_mark, f"nested more than {MAX_DEPTH} levels deep", None)
                    break
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
        if self.problems:
            raise InvalidInput(self.problems)

    def value(self, node: yaml.Node, path: KeyPath) -> Any:
        """The Python value of a node: dict, list, :class:`Plain` (unquoted) or str (quoted)."""
        self.value_places[path] = _place(node.start_mark)
        if isinstance(node, yaml.ScalarNode):
            return str(node.value) if node.style in _QUOTED else Plain(node.value)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
        return self._mapping(node, path)

    def _mapping(self, node: yaml.Node, path: KeyPath) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._report(key_node.start_mark, "a key must be a single word", "write key: value")
                continue
            key = str(key_node.value)
            if key in mapping:
                first = self.key_places[(*path, key)][0]
                self._report(
                    key_node.start_mark,
                    f"key '{key}' appears twice",
                    f"remove one; the first is in line {first}",
                )
                continue
            self.key_places[(*path, key)] = _place(key_node.start_mark)
            mapping[key] = self.value(value_node, (*path, key))
        return mapping

    def _report(self, mark: Any, message: str, hint: str | None) -> None:
        self.problems.append(_problem_at(self.path, self.lines, _place(mark), message, hint))


def _place(mark: Any) -> tuple[int, int]:
    """Line and column, from 1, of a mark of PyYAML or libyaml."""
    return mark.line + 1, mark.column + 1


def _short_tag(tag: str) -> str:
    return "!!" + tag.removeprefix("tag:yaml.org,2002:") if tag.startswith("tag:yaml.org,2002:") else tag


def _syntax_problem(error: yaml.YAMLError, path: Path, lines: tuple[str, ...]) -> SpecProblem:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be parsed"
    line, column = _place(mark) if mark else (1, 1)
    if mark is None and hasattr(error, "position"):  # ReaderError counts characters, not lines
        seen = "\n".join(lines)[: error.position]
        line, column = seen.count("\n") + 1, len(seen) - seen.rfind("\n")
    line = min(line, max(len(lines), 1))
    source = lines[line - 1] if lines else None
    hint = "check the indentation, the colons and the quotes up to this place"
    if source is not None and "\t" in source[: column + 1]:
        hint = "indent with blanks; YAML does not allow tabs there"
    elif "mapping values are not allowed" in str(what):
        hint = "put quotes around a text that contains ': '"
    return _problem_at(path, lines, (line, column), f"not valid YAML: {what}", hint)


# Problems that any section of a spec can have, each at its line and column, in words a spec author uses.


def did_you_mean(word: str, choices: Iterable[str], *, listing: str = "allowed here") -> str | None:
    """A hint naming the closest choice, or all of them where there are few."""
    known = [str(choice) for choice in choices]
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6) or [
        choice for choice in known if choice.casefold() == word.casefold()
    ]
    if close:
        return f"did you mean '{close[0]}'?"
    return f"{listing}: {', '.join(known)}" if 0 < len(known) <= 20 else None


def missing_key(document: Document, path: KeyPath, key: str) -> SpecProblem:
    """A problem at the key of the mapping that lacks `key` (or at the list entry, or the top of the file)."""
    at_key = path in document.key_places
    where = f" in '{path[-1]}'" if at_key else ""
    return document.problem(path, f"'{key}' is missing{where}", f"add '{key}: …'", at_key=at_key)


def listed_twice(document: Document, path: KeyPath, entries: Sequence[str]) -> Iterable[SpecProblem]:
    """A problem at every entry of the list at `path` that stands there before."""
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry in seen:
            yield document.problem((*path, index), f"'{entry}' is listed twice", "remove one")
        seen.add(entry)


def value_at(root: Any, path: KeyPath) -> Any:
    """The value at `path` of a parsed document."""
    for step in path:
        root = root[step]
    return root


# The formats of data files: endings and names, in the one place from which checks, hints and descriptions
# take them.

DATA_FORMATS = {".csv": "CSV", ".parquet": "Parquet"}
"""The name of each format, by the ending of its files."""

DATA_ENDINGS = tuple(DATA_FORMATS)

ANY_FORMAT = " or ".join(DATA_FORMATS.values())
"""As in 'a CSV or Parquet file'."""

SPREADSHEETS = (".xlsx", ".xls", ".ods")
"""Endings of spreadsheets, which no build reads: `init` makes a copy of their records."""
