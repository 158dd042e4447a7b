"""Attack the draft as an adversary would, before anybody else does: every attack of the registry. Confidential."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

from atreport.errors import Refused
from atreport.private.attacks.beliefs import attack_by_bayes
from atreport.private.attacks.equation_attack import attack_by_equations
from atreport.private.attacks.exclusion import rule_out
from atreport.private.attacks.finding import Attack, Case, Finding, Part
from atreport.private.attacks.inversion import run_backwards
from atreport.private.attacks.known_records import leave_out_known
from atreport.private.attacks.mechanisms import compare_mechanisms
from atreport.private.attacks.observers import attack_beyond_promise
from atreport.private.attacks.promises import try_promises
from atreport.private.attacks.repeated import decide_again
from atreport.private.attacks.side_knowledge import mistake_population
from atreport.private.data.decision_table import DecisionTable
from atreport.private.draft import Draft
from atreport.spec.spec import PublicSpec, Spec
from atreport.text.numbers import counted
from atreport.text.tables import Space

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
        return sum(finding.above_ceilings for finding in self.findings)

    def shown(self, space: Space) -> tuple[Part, ...]:
        """Every attack in words and tables; neighbouring ones with the same heading as one."""
        parts = [finding.shown(space) for finding in self.findings]
        found = []
        for heading, group in groupby(parts, key=lambda part: part.heading):
            same = list(group)
            found.append(
                Part(
                    heading=heading,
                    text=" ".join(part.text for part in same if part.text),
                    tables=tuple(table for part in same for table in part.tables),
                    recommendation=" ".join(part.recommendation for part in same if part.recommendation),
                )
            )
        return tuple(found)

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
        findings.append(case.result_of(attack))
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


# What an adversary could conclude from a draft: one module an attack, all of them listed here.
#
# To add an attack, write a module with a function that takes a :class:`Case` and returns a :class:`Finding`,
# and list it. The audit carries it out, and the annex, ``annex.json`` and ``atreport audit`` show what it
# gives, in this order.

ATTACKS: tuple[Attack, ...] = (
    attack_by_bayes,
    try_promises,
    attack_by_equations,
    attack_beyond_promise,
    run_backwards,
    compare_mechanisms,
    decide_again,
    leave_out_known,
    mistake_population,
    rule_out,
)
