"""How far the promise moves where an observer's idea of the population is wrong. Confidential.

An observer rarely knows the population of the process; they take a census, or a guess. Let every count they believe in be
off by at most a share e of the true one, in any direction. A confidence c = m / (m + r) then is at most

    m (1 + e) / (m (1 + e) + r (1 - e)),

which grows with c. So the same formula turns the largest confidence c of a group into the largest after the error, and no
search is needed. The observer is then mistaken about the population; the figure says how sure they may feel.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from atreport.confidential.attacks.finding import Case, Part
from atreport.confidential.words import rounded, share
from atreport.kit.tables import Column, Space, tabulate

ERRORS = (Fraction(1, 100), Fraction(5, 100), Fraction(10, 100), Fraction(25, 100))
"""The errors of population counts that are tried."""


def confidence_with_error(confidence: Fraction, error: Fraction) -> Fraction:
    """The most a confidence can be if each population count may be off by a share `error` of it."""
    inside, others = confidence * (1 + error), (1 - confidence) * (1 - error)
    return inside / (inside + others) if confidence else confidence


@dataclass(frozen=True, kw_only=True)
class SideKnowledge:
    """How far the report's β moves where the population an observer believes in is wrong."""

    beta: Fraction
    exceeding: int = 0  # the promise is about those who know the population

    def _records(self) -> list[dict[str, float]]:
        return [
            {"population_error": float(error), "beta": rounded(confidence_with_error(self.beta, error))}
            for error in ERRORS
        ]

    def as_json(self, most: int | None) -> dict[str, Any]:  # noqa: ARG002
        """A row for each error."""
        return {"side_knowledge": self._records()}

    def shown(self, space: Space) -> Part:  # noqa: ARG002
        """The same as a table."""
        return Part(
            heading="Wrong side knowledge",
            text="An observer who takes a census for the population of this process is wrong about it. The table says how "
            "confident they may feel at most, if each count they believe in is off by so much.",
            tables=(
                tabulate(
                    "side-knowledge",
                    "An observer whose population figures are wrong",
                    [
                        (
                            Column("Each count off by at most", names_row=True),
                            lambda row: f"{row['population_error']:.0%}",
                        ),
                        (Column("β at most", numeric=True), lambda row: share(row["beta"])),
                    ],
                    self._records(),
                ),
            ),
        )


def mistake_population(case: Case) -> SideKnowledge:
    """Let an observer of a draft be wrong about its population."""
    return SideKnowledge(beta=Fraction(case.announcement.beta))
