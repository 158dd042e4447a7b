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

from atreport.private.attacks.exclusion import rule_out
from atreport.private.attacks.finding import Case, Finding
from atreport.private.true_rule import rounded, share
from atreport.text.tables import Table, named, numeric, tabulate

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


@dataclass(frozen=True, kw_only=True, eq=False)
class SideKnowledge(Finding):
    """How far the report's β moves where the population an observer believes in is wrong, and any belief."""

    heading = "Wrong side knowledge"
    text = (
        "An observer who takes a census for the population of this process is wrong about it. The table says how "
        "confident they may feel at most, if each count they believe in is off by so much."
    )
    beta: Fraction
    odds: Fraction | None  # the largest odds factor of a group; None: unbounded

    def tables(self) -> dict[str, Table]:
        """A row for each error, and for each belief."""
        errors = [(float(error), rounded(confidence_with_error(self.beta, error))) for error in ERRORS]
        beliefs = [(float(before), *map(rounded, sure_after(before, self.odds))) for before in BELIEFS]
        return {
            "side_knowledge": tabulate(
                "side-knowledge",
                "An observer whose population figures are wrong",
                [
                    named("Each count off by at most", "population_error", "{:.0%}".format),
                    numeric("β at most", "beta", share),
                ],
                [dict(zip(("population_error", "beta"), row, strict=True)) for row in errors],
            ),
            "any_belief": tabulate(
                "any-belief",
                "An observer who believed anything before, and takes the announced rule for the truth",
                [
                    named("Sure before", "before", "{:.0%}".format),
                    numeric("Sure after: at least", "least", share),
                    numeric("At most", "most", share),
                ],
                [dict(zip(("before", "least", "most"), row, strict=True)) for row in beliefs],
            ),
        }


def mistake_population(case: Case) -> SideKnowledge:
    """Let an observer of a draft be wrong about its population."""
    exclusion = case.result_of(rule_out)
    factors = [exclusion.odds_factor(group) for group in range(len(exclusion.largest))]
    bounded = [factor for factor in factors if factor is not None]
    return SideKnowledge(
        beta=Fraction(case.announcement.beta),
        odds=max(bounded) if len(bounded) == len(factors) else None,
    )
