"""What a check of a published report says, in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


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


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of checking one published report."""

    path: Path
    title: str
    checks: tuple[Check, ...]
    limits: tuple[str, ...]  # what cannot be checked from what was given, and who can

    @property
    def holds(self) -> bool:
        """Whether everything that was checked holds."""
        return all(each.holds for each in self.checks)

    @property
    def findings(self) -> tuple[str, ...]:
        """Everything that does not hold."""
        return tuple(finding for each in self.checks for finding in each.findings)
