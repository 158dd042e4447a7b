"""How far the promise moves where an observer's idea of the population is wrong. Confidential.

An observer rarely knows the population of the process; they take a census, or a guess. Let every count they believe in be
off by at most a share e of the true one, in any direction. A confidence c = m / (m + r) then is at most

    m (1 + e) / (m (1 + e) + r (1 - e)),

which grows with c. So the same formula turns the largest confidence c of a group into the largest after the error, and no
search is needed. The observer is then mistaken about the population; the figure says how sure they may feel.

An observer who believes anything at all is bounded by the odds factor R: who was π sure of a statement is at most
πR / (1 - π + πR) sure after one decision, and at least π / (π + (1 - π)R).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from atreport.private.attacks.exclusion import rule_out
from atreport.private.attacks.finding import Case, Part
from atreport.private.true_rule import rounded, share
from atreport.text.tables import Column, Space, tabulate

ERRORS = (Fraction(1, 100), Fraction(5, 100), Fraction(10, 100), Fraction(25, 100))
"""The errors of population counts that are tried."""


BELIEFS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
"""How sure somebody may be beforehand."""


def confidence_with_error(confidence: Fraction, error: Fraction) -> Fraction:
    """The most a confidence can be if each population count may be off by a share `error` of it."""
    inside, others = confidence * (1 + error), (1 - confidence) * (1 - error)
    return inside / (inside + others) if confidence else confidence


def sure_after(before: Fraction, odds: Fraction | None) -> tuple[Fraction, Fraction]:
    """How sure one can be at least and at most who was so sure before; an odds factor of None is unbounded."""
    if odds is None:
        return (Fraction(0), Fraction(1)) if 0 < before < 1 else (before, before)
    return before / (before + (1 - before) * odds), before * odds / (1 - before + before * odds)


@dataclass(frozen=True, kw_only=True)
class SideKnowledge:
    """How far the report's β moves where the population an observer believes in is wrong, and any belief."""

    beta: Fraction
    odds: Fraction | None  # the largest odds factor of a group; None: unbounded
    exceeding: int = 0  # the promise is about those who know the population

    def _records(self) -> list[dict[str, float]]:
        return [
            {"population_error": float(error), "beta": rounded(confidence_with_error(self.beta, error))}
            for error in ERRORS
        ]

    def _beliefs(self) -> list[dict[str, float]]:
        rows = []
        for before in BELIEFS:
            least, most = sure_after(before, self.odds)
            rows.append({"before": float(before), "least": rounded(least), "most": rounded(most)})
        return rows

    def as_json(self, most: int | None) -> dict[str, Any]:  # noqa: ARG002
        """A row for each error, and for each belief."""
        return {"side_knowledge": self._records(), "any_belief": self._beliefs()}

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
                tabulate(
                    "any-belief",
                    "An observer who believed anything before, and takes the announced rule for the truth",
                    [
                        (Column("Sure before", names_row=True), lambda row: f"{row['before']:.0%}"),
                        (Column("Sure after: at least", numeric=True), lambda row: share(row["least"])),
                        (Column("At most", numeric=True), lambda row: share(row["most"])),
                    ],
                    self._beliefs(),
                ),
            ),
        )


def mistake_population(case: Case) -> SideKnowledge:
    """Let an observer of a draft be wrong about its population."""
    exclusion = case.result_of(rule_out)
    factors = [exclusion.odds_factor(group) for group in range(len(exclusion.largest))]
    bounded = [factor for factor in factors if factor is not None]
    return SideKnowledge(
        beta=Fraction(case.announcement.beta),
        odds=max(bounded) if len(bounded) == len(factors) else None,
    )
