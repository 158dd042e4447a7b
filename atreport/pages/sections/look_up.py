"""Turn a report into the data behind “look up your own case”: every cell in as few characters as possible."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from atreport.analysis.explanations.coalitions import MAX_EXACT
from atreport.kit.rounding import nearest
from atreport.pages.personal import average_of, moved_by
from atreport.population.band import outward
from atreport.report.model import Report
from atreport.rule_table import RuleTable

MAX_CELLS = 4000
"""The most cells that a page carries for looking up; beyond it, cells.csv is the place."""

MAX_MOVES = 12_000
"""The most cells × attributes for which the page says what moved each outcome."""


@dataclass(frozen=True, kw_only=True)
class LookupChoice:
    """One question of the panel: an attribute and its values."""

    name: str
    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CaseLookup:
    """What the panel asks, and what it answers from."""

    choices: tuple[LookupChoice, ...]
    outcomes: tuple[str, ...]  # the favourable one first; of two, that one says it all
    json: str  # figures, no text


def case_lookup(report: Report) -> CaseLookup | None:
    """The panel's data, or None for a report with too many cells.

    A cell is found by one number: the positions of its values, read as digits of a number with mixed bases.
    """
    table = report.described_rule
    cells = table.cells
    if len(cells) > MAX_CELLS:
        return None
    attributes = cells.process.attributes
    key = np.zeros(len(cells), dtype=object)
    for column, attribute in enumerate(attributes):
        key = key * len(attribute.values) + cells.codes[:, column]
    outcomes = _outcomes(table)
    bands = [outward(table.truth_of(outcome), table.scale) for outcome in outcomes]
    figures: dict[str, object] = {
        "scale": table.decimals,
        "key": [str(int(k)) for k in key],
        "announced": [table.announced_of(outcome).tolist() for outcome in outcomes],
        "low": [low.tolist() for low, _ in bands],
        "high": [high.tolist() for _, high in bands],
        "group": cells.group.tolist(),
        "beta": report.group_beta.tolist(),
        "prior": report.group_prior.tolist(),
    }
    if _shows_moves(table):
        figures["average"] = int(nearest(average_of(table), table.decimals).scaleb(table.decimals))
        figures["moved"] = moved_by(table, np.arange(len(cells))).tolist()
    return CaseLookup(
        outcomes=outcomes,
        choices=tuple(LookupChoice(name=a.name, label=a.title, values=a.values) for a in attributes),
        json=json.dumps(figures, separators=(",", ":")),
    )


def _shows_moves(table: RuleTable) -> bool:
    """What moved an outcome is shown where report.json has all it follows from, and the page stays small."""
    cells, attributes = table.cells.codes.shape
    return table.everybody_is_printed and attributes <= MAX_EXACT and cells * attributes <= MAX_MOVES


def _outcomes(table: RuleTable) -> tuple[str, ...]:
    outcome = table.cells.process.outcome
    others = tuple(value for value in outcome.values if value != outcome.favourable)
    return (outcome.favourable, *others) if len(others) > 1 else (outcome.favourable,)
