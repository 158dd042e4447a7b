"""Calls that would carry something across the wall, each of which mypy refuses.

`make types` checks this file with the rest, and an ignore that is not needed is an error there: so each
comment below is an assertion that the call beside it is a type error. Nothing imports this module, and
none of it ever runs.
"""

from atreport.compose import compose_report
from atreport.compose.notes import disclosure_notes
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.export.files import public_files
from atreport.private.data.decision_table import DecisionTable
from atreport.report.writer import report_json
from atreport.spec.spec import Spec


def publish_the_true_rule(table: DecisionTable, spec: Spec) -> None:
    """The second door does not take a DecisionTable."""
    compose_report(table, spec.public)  # type: ignore[arg-type]


def publish_a_rule_that_was_not_certified(rule: RuleTable, spec: Spec) -> None:
    """Nor any rule but an announced one."""
    compose_report(rule, spec.public)  # type: ignore[arg-type]


def publish_with_the_whole_spec(announcement: Announcement, spec: Spec) -> None:
    """Nor the whole spec, which holds the true decisions."""
    compose_report(announcement, spec)  # type: ignore[arg-type]


def print_an_announcement(announcement: Announcement) -> None:
    """An announcement knows exact numbers of people; what is printed is a Report."""
    public_files(announcement)  # type: ignore[arg-type]
    report_json(announcement)  # type: ignore[arg-type]
    disclosure_notes(announcement)  # type: ignore[arg-type]


def print_the_true_rule(table: DecisionTable) -> None:
    """Nor is the true rule printed."""
    public_files(table)  # type: ignore[arg-type]
