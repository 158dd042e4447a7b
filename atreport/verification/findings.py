"""What a check of a published report says, in plain words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from atreport.text.language import gettext

UncheckedPart = Literal["figures", "pages", "charts", "pdf", "sheets"]
"""What cannot be calculated from what is published, or compared with another version of the program or its libraries."""

PARTS: tuple[UncheckedPart, ...] = ("figures", "pages", "charts", "pdf", "sheets")


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was checked: what, and what does not hold."""

    id: str  # stable, for programs
    what: str
    findings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check(id: str, what: str, findings: Iterable[str]) -> Check:
    """A check with all its findings, each once."""
    return Check(id=id, what=what, findings=tuple(dict.fromkeys(findings)))


def at(where: str, what: str) -> str:
    """A finding: where it is, and what."""
    return gettext("{where}: {what}", where=where, what=what)


def attached(name: str) -> str:
    """What a file is called in a finding that is attached to the PDF."""
    return gettext("report.pdf: its attached {name}", name=name)


@dataclass(frozen=True, kw_only=True)
class NotChecked:
    """Something that could have been checked and was not: neither passed nor accused."""

    part: UncheckedPart
    what: str
    accepted: bool = False  # the reader said that it need not be


@dataclass
class Compared:
    """What a comparison of a file found, and what it could not compare."""

    findings: list[str] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of checking one published report."""

    path: Path
    title: str
    checks: tuple[Check, ...]
    limits: tuple[str, ...]  # what cannot be checked from what was given, and who can
    not_checked: tuple[NotChecked, ...] = ()  # what this program, as it is installed here, could not compare
    release: tuple[str, ...] = ()  # which release it is, and what is known of others: sentences
    language: str = "en"  # in which all of this is told: the report's

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return all(each.holds for each in self.checks)

    @property
    def passed(self) -> bool:
        """Whether everything holds, and nothing was left unchecked that the reader did not accept as such."""
        return self.holds and all(each.accepted for each in self.not_checked)

    @property
    def findings(self) -> tuple[str, ...]:
        """Everything that does not hold."""
        return tuple(finding for each in self.checks for finding in each.findings)

    def accepting(self, parts: Collection[str]) -> Verification:
        """The same, where a reader accepts that these parts are not checked."""
        accepted = tuple(replace(each, accepted=each.part in parts) for each in self.not_checked)
        return replace(self, not_checked=accepted)
