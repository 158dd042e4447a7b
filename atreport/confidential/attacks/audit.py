"""Attack the draft as an adversary would, before anybody else does: every attack of the registry. Confidential."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from atreport.confidential.attacks import ATTACKS
from atreport.confidential.attacks.finding import Case, Finding, Part, joined
from atreport.confidential.attacks.promises import Promises
from atreport.confidential.data.table import DecisionTable
from atreport.confidential.mechanism.draft import Draft
from atreport.errors import Refused
from atreport.kit.numbers import counted
from atreport.kit.tables import Space
from atreport.spec.models.spec import PublicSpec, Spec

LARGE = 1_000
"""Cells beyond which a build leaves the slow attacks to ``atreport audit``."""

MOST_BELIEFS = 200
"""So many entries of a list that goes on are in annex.json; the command lists all."""

Kind = TypeVar("Kind")


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """What each attack on a draft gave, in the order of the registry."""

    findings: tuple[Finding, ...]

    def of(self, kind: type[Kind]) -> Kind:
        """The finding of one kind of attack."""
        return next(finding for finding in self.findings if isinstance(finding, kind))

    @property
    def exceeding(self) -> int:
        """How often an attack that the promise covers was more confident than the report promises."""
        return sum(finding.exceeding for finding in self.findings)

    @property
    def above_ceilings(self) -> int:
        """How often a conclusion goes beyond a ceiling of the policy."""
        return sum(finding.above_ceilings for finding in self.findings if isinstance(finding, Promises))

    def shown(self, space: Space) -> tuple[Part, ...]:
        """Every attack in words and tables."""
        return joined(finding.shown(space) for finding in self.findings)

    def as_json(self, most: int | None = MOST_BELIEFS) -> dict[str, Any]:
        """Every attack and what it gave, as plain data."""
        found: dict[str, Any] = {"promise_kept": not self.exceeding}
        for finding in self.findings:
            found |= finding.as_json(most)
        return found


def audit_draft(
    spec: Spec,
    public: PublicSpec,
    table: DecisionTable,
    draft: Draft,
    *,
    thorough: bool = False,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Audit:
    """Every attack on a draft. See :func:`refuse_broken_promise` for what follows from it.

    `told` is called with how many attacks were carried out, of how many.

    Attacks with linear programs, and running the mechanism backwards, take seconds. On large tables they are made where a
    thorough audit is asked for. None of them can break the promise: all figures follow from the announced rule, on which
    Bayes' rule is always tried.
    """
    case = Case(
        spec=spec,
        public=public,
        table=table,
        announcement=draft.announcement,
        closely=thorough or len(table.cells) <= LARGE,
    )
    findings = []
    for number, attack in enumerate(ATTACKS, start=1):
        findings.append(case.result_of(attack.carry_out))
        told(number, len(ATTACKS))
    return Audit(findings=tuple(findings))


def refuse_broken_promise(title: str, audit: Audit, *, ceilings: bool = True) -> None:
    """Raise :class:`Refused` if any attack that a promise covers beats it. The message reveals no true value.

    So do conclusions beyond a ceiling of the policy, unless `ceilings` says that they are known.
    """
    beyond = audit.exceeding + (audit.above_ceilings if ceilings else 0)
    if beyond:
        raise Refused(
            f"{title}: refused: an attack on the draft was more confident than the report promises "
            f"({counted(beyond, 'finding')}).\n"
            "  This should not happen with any spec. Nothing was published; please report it."
        )
