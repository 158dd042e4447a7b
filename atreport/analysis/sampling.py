"""Turn announced rates and published counts into intervals for what chance may have done, beside the certified ones.

Only for a rule that was estimated from records, and only where the counts are published: the number of cases is what an
interval rests on. For each rate the exact binomial (Clopper-Pearson) interval; for a comparison of k rates the extreme
comparisons of their intervals, each at a level of 1 - α/k.

Guarantee: if the announced rates are the frequencies in the records, at least the stated share of such intervals holds
the value of the process behind the records. For one rate by Clopper and Pearson (1934), also where the cases of a group
differ in their probability (Hoeffding 1956: that makes extreme counts rarer); for a comparison because all k rates
are inside their intervals at once with at least 1 - k·α/k (Bonferroni), however the groups overlap. An announced rate
that is no whole number of cases is rounded down for the lower end and up for the upper end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from atreport.analysis.binomial import lower_end
from atreport.analysis.comparisons import Rates
from atreport.analysis.ranges import Range
from atreport.rule_table import RuleTable

LEVEL = Decimal("0.95")
RATE_METHOD = "Clopper-Pearson"
COMPARISON_METHOD = "Clopper-Pearson for each rate, Bonferroni over the rates compared"


def counts_are_published(table: RuleTable) -> bool:
    """Whether there is chance to speak of, and the counts to do so."""
    return (
        table.cells.process.estimated_from == "records"
        and table.population == "counts"
        and table.small_cells.is_exact
    )


def chance_of_rate(rate: Fraction, cases: int) -> Range:
    """The interval of one rate."""
    return Range(rate, *clopper_pearson(rate, cases, 1 - Fraction(LEVEL)))


def chance_rates(groups: Sequence[Rates], cases: Sequence[int], outcomes: int) -> list[Rates]:
    """Intervals for all rates of some groups that hold all of them at once. Two outcomes of a group are one rate."""
    rates = sum(1 if outcomes == 2 else len(group) for group in groups)
    error = (1 - Fraction(LEVEL)) / rates
    return [
        {
            outcome: Range(rate.value, *clopper_pearson(rate.value, count, error))
            for outcome, rate in group.items()
        }
        for group, count in zip(groups, cases, strict=True)
    ]


@lru_cache(maxsize=1 << 14)
def clopper_pearson(rate: Fraction, cases: int, error: Fraction) -> tuple[Fraction, Fraction]:
    """The exact binomial interval of a rate at the level 1 - error; never too narrow."""
    fewest, most = math.floor(rate * cases), math.ceil(rate * cases)
    half = float(error / 2)
    low, others = (float(lower_end(count, cases, half)) for count in (fewest, cases - most))
    return Fraction(low), 1 - Fraction(others)
