"""From a rule or a spec straight to what is printed about it, for tests that need no files."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from atreport.compose import compose_report
from atreport.compose.fairness import print_assessments, print_not_assessed
from atreport.core.certify import Announcement
from atreport.core.rule_table import RuleTable
from atreport.measures import measure_all
from atreport.private.prepare import Prepared, prepare_spec
from atreport.report.fairness import Assessment, NotAssessed
from atreport.report.model import Report
from atreport.spec.fairness import Measure
from atreport.spec.load import load_spec
from atreport.spec.spec import PublicSpec, Spec
from tests.random_specs import parsed_random_spec

SPECS = sorted((Path(__file__).parents[1] / "specs").glob("*.yaml"))
"""The specs that are shipped."""

THREE_REPORTS = ("credit_card", "housing_records", "berkeley_admissions")
"""Shipped specs that differ much: a table with explanations, records with bands, many groups with rates kept."""

RANDOM_SEEDS = (0, 2, 4, 6, 8, 13, 14, 17, 20, 23, 36, 39)
"""Seeds of random specs that are not refused; every way to publish people and to guard small numbers is among them."""


def assess(
    rule: Announcement | RuleTable, asked: PublicSpec | Sequence[Measure], *, unknown: bool = True
) -> tuple[tuple[Assessment, ...], tuple[NotAssessed, ...]]:
    """Every measure that is asked for, as printed; and what could not be compared."""
    table = rule.rule if isinstance(rule, Announcement) else rule
    measures = asked.fairness if isinstance(asked, PublicSpec) else asked
    measured, not_measured = measure_all(table, measures, unknown=unknown)
    return print_assessments(table, measured), print_not_assessed(not_measured)


def report_of(spec: Spec) -> Report:
    """The report of a spec."""
    return published(prepare_spec(spec))


def published(prepared: Prepared) -> Report:
    """The report of a draft."""
    return compose_report(prepared.announcement, prepared.public)


@cache
def prepared_case(name: str) -> Prepared:
    """The draft of a shipped spec, by its name, or of a random one ("random 13"); made once for all tests of a process."""
    if name.startswith("random "):
        return prepare_spec(parsed_random_spec(int(name.removeprefix("random "))))
    return prepare_spec(load_spec(next(path for path in SPECS if path.stem == name)))


@cache
def report_case(name: str) -> Report:
    """The report of a shipped spec or of a random one; see :func:`prepared_case`."""
    return published(prepared_case(name))


CASES = [*(path.stem for path in SPECS), *(f"random {seed}" for seed in RANDOM_SEEDS)]
"""The cases that a property of all reports is tried on."""
