"""All that pages tell one person about their announced outcome, in one object: the look-up and the reasons each show a part."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import numpy as np

from atreport.explain.interventions import MAX_EXACT
from atreport.pages.own_case import average_of, explained_cell, moved_by
from atreport.report.model import Report
from atreport.text.numbers import nearest


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What one attribute's value moved."""

    attribute: str
    value: str
    amount: Decimal  # above 0: towards the favourable outcome


@dataclass(frozen=True, kw_only=True)
class PersonalView:
    """One record: the announced probability of the favourable outcome, everybody's, and what makes the difference."""

    record: Mapping[str, str]
    outcome: str
    announced: Decimal
    average: Decimal
    method: Literal["shapley", "single"]
    contributions: tuple[
        Contribution, ...
    ]  # in the order of the spec; they add up but for rounding (shapley)


def personal_view(report: Report, record: Mapping[str, str]) -> PersonalView | None:
    """The view of one record. None where nobody has it, or where the population is withheld, rounded or suppressed."""
    table = report.described_rule
    attributes, cell = table.cells.process.attributes, explained_cell(table, record)
    if cell is None:
        return None
    amounts = moved_by(table, np.array([cell]))
    return PersonalView(
        record={a.name: record[a.name] for a in attributes},
        outcome=report.process.outcome.favourable,
        announced=table.printed(int(table.announced[cell])),
        average=nearest(average_of(table), table.decimals),
        method="shapley" if len(attributes) <= MAX_EXACT else "single",
        contributions=tuple(
            Contribution(attribute=a.name, value=record[a.name], amount=table.printed(int(amounts[k, 0])))
            for k, a in enumerate(attributes)
        ),
    )
