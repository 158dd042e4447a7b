"""Every error a user can meet: one class and one exit code each.

The command line turns an :class:`AtreportError` into a message on stderr and its exit code; nothing else is ever shown
to a user. A message says what is wrong, where, and what to do, and never contains a true probability.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DECEIVING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of writing, so that a text looks other than it is."""

EXIT_FINE = 0
EXIT_FINDINGS = 1
EXIT_COULD_NOT_RUN = 2
EXIT_REFUSED = 3
EXIT_INTERRUPTED = 130


@dataclass(frozen=True, order=True)
class Location:
    """A place in a file the user wrote: line and column count from 1, as editors do."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


@dataclass(frozen=True, order=True, kw_only=True)
class SpecProblem:
    """One thing wrong with the input: where, what, and what to write instead."""

    location: Location
    message: str
    hint: str | None = None
    source: str | None = None  # the offending line, as written

    def __str__(self) -> str:
        lines = [f"{self.location}: {self.message}"]
        if self.source is not None and self.location.line is not None:
            gutter = f"{self.location.line:>5} | "
            shown, caret = _around(self.source, self.location.column)
            lines.append(gutter + shown)
            if caret is not None:
                lines.append(" " * (len(gutter) - 2) + "| " + " " * caret + "^")
        if self.hint:
            lines.append(f"        {self.hint}")
        return "\n".join(lines)


def problem_in(
    file: str | Path,
    message: str,
    hint: str | None = None,
    line: int | None = None,
    column: int | None = None,
) -> SpecProblem:
    """A problem in a file of data."""
    return SpecProblem(location=Location(str(file), line, column), message=message, hint=hint)


def visible(text: str) -> str:
    """A text as it may be shown: what would steer a terminal or deceive its reader is written out."""
    return "".join(
        c
        if c == "\n"
        or not (ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000 or c in DECEIVING)
        else f"\\u{ord(c):04x}"
        for c in text
    )


def _around(source: str, column: int | None, width: int = 110) -> tuple[str, int | None]:
    """The part of a source line worth showing, tabs as single blanks, and where the caret goes in it."""
    text = "".join(c if c.isprintable() else " " for c in source.rstrip())
    if column is None:
        return text[:width], None
    start = max(0, column - 1 - width // 2) if len(text) > width else 0
    ellipsis = "…" if start else ""
    return ellipsis + text[start : start + width], column - 1 - start + len(ellipsis)


class AtreportError(Exception):
    """Anything that stops a command. Subclasses choose the exit code."""

    exit_code = EXIT_COULD_NOT_RUN


class InvalidInput(AtreportError):
    """The spec or its data is wrong. Carries every problem found, in file order."""

    def __init__(self, problems: list[SpecProblem] | SpecProblem) -> None:
        found = {problems} if isinstance(problems, SpecProblem) else set(problems)
        self.problems: tuple[SpecProblem, ...] = tuple(sorted(found, key=_file_order))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[list[SpecProblem]]]:
        """Sent from one process to another by its problems, from which the message is made again."""
        return InvalidInput, (list(self.problems),)


def problems_of(error: AtreportError, file: str) -> tuple[SpecProblem, ...]:
    """What is wrong, each at its place; of an error that has none, the error itself, which is about a file."""
    if isinstance(error, InvalidInput):
        return error.problems
    return (SpecProblem(location=Location(file), message=str(error)),)


def _file_order(problem: SpecProblem) -> tuple[str, int, int, str]:
    place = problem.location
    return (place.file, place.line or 0, place.column or 0, problem.message)


class PolicyCannotBeMet(AtreportError):
    """The policy leaves no figure that could be printed. Becomes an :class:`InvalidInput` at the policy's place."""

    def __init__(self, message: str, hint: str) -> None:
        self.message, self.hint = message, hint
        super().__init__(f"{message}\n  {hint}")


class OutputError(AtreportError):
    """The report could not be written where the user asked."""


class MissingLibrary(AtreportError):
    """A library the command needs is not on this machine."""


class NotAReport(AtreportError):
    """What was given is no published report, or none that this program can read."""


class UsageError(AtreportError):
    """The command line makes no sense."""


class Refused(AtreportError):
    """Publishing would break the policy, so nothing was published."""

    exit_code = EXIT_REFUSED


class Unexpected(AtreportError):
    """A bug in this program."""


def unexpected(error: Exception) -> Unexpected:
    """An error that no user should meet, as one that they can be told of: its kind and place, no confidential detail."""
    where = error.__traceback__
    while where and where.tb_next:
        where = where.tb_next
    place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "unknown place"
    return Unexpected(
        f"internal error ({type(error).__name__} at {place}). This is a bug in atreport, not in your spec.\n"
        "  Nothing was written. Set ATREPORT_DEBUG=1 to see the details, which may be confidential."
    )
