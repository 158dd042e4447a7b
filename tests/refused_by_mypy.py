"""Calls that would carry something across the wall, each of which mypy refuses.

`make types` checks this file with the rest, and an ignore that is not needed is an error there: so each comment
below is an assertion that the call beside it is a type error. Nothing imports this module, and none of it ever runs.
"""

from __future__ import annotations

from atreport.analysis.fairness import assess
from atreport.announcement import Release
from atreport.confidential.data.table import DecisionTable
from atreport.spec.models.spec import Spec


def assess_the_true_rule(table: DecisionTable, spec: Spec) -> None:
    """A public function does not take a DecisionTable."""
    assess(table, spec.public)  # type: ignore[arg-type]


def assess_with_the_whole_spec(release: Release, spec: Spec) -> None:
    """Nor the whole spec, which holds the true decisions."""
    assess(release, spec)  # type: ignore[arg-type]
