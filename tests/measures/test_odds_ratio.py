"""The odds ratio: a case by hand, its ends at rates of 0 and 1, its bound, and how a report prints it."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from atreport.core.band import Range
from atreport.measures.feasible_rules import apart
from atreport.measures.odds_ratio import odds_range, share_of_larger_odds
from atreport.pages.charts import plot_fairness
from atreport.pages.sections.fairness import measure_definitions, measure_table
from atreport.pages.sections.glossary import glossary
from atreport.report.writer import measures_csv
from tests.assessing import report_of
from tests.example import example_spec

P_RULE = "{measure: p_percent_rule, groups: gender, p: 0.8}"


def asked(more: str = "") -> tuple[str, str]:
    """The example's p% rule replaced by an odds ratio."""
    return P_RULE, f"{{measure: odds_ratio, groups: gender{more}}}"


def test_the_example_by_hand() -> None:
    """Announced rates 0.2 and 0.365: odds 1/4 and 73/127; the intervals' ends give the least and the most."""
    report = report_of(example_spec(asked(", p: 0.5"), ("population: shares", "population: counts")))
    (found,) = [each for each in report.fairness if each.measure == "odds_ratio"]
    assert found.rates is not None
    women, men = found.rates
    assert (women.value, men.value) == (Decimal("0.2000"), Decimal("0.3650"))
    assert (women.interval, men.interval) == (
        (Decimal("0.1200"), Decimal("0.3000")),
        (Decimal("0.2650"), Decimal("0.4650")),
    )
    # (1/4) / (73/127) = 127/292; (0.12/0.88) / (0.465/0.535); the intervals meet, so the odds may be equal
    assert found.value == Decimal("0.4349")
    assert found.interval == (Decimal("0.1568"), Decimal("1.0000"))
    assert (found.threshold, found.verdict, found.a_priori) == (Decimal("0.5"), "cannot_tell", Decimal(1))
    assert b"odds_ratio,F,M,,0.4349,0.1568,1.0000,1.0000,0.5,cannot_tell" in measures_csv(report.fairness)


def test_without_p_there_is_no_verdict() -> None:
    """No threshold for odds is customary, so none is assumed; and the four-fifths rule is not about odds."""
    report = report_of(example_spec(asked()))
    (found,) = [each for each in report.fairness if each.measure == "odds_ratio"]
    assert (found.threshold, found.verdict) == (None, None)
    (note,) = [note.text for note in report.notes if note.id == "fairness"]
    assert "four-fifths" not in note


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
@pytest.mark.parametrize("small_cells", ["warn", "round", "suppress"])
def test_however_people_are_published(population: str, small_cells: str) -> None:
    """The true value is inside the interval; there is an a-priori bound exactly where counts are not guarded."""
    report = report_of(
        example_spec(
            asked(),
            ("population: shares", f"population: {population}"),
            ("decimals: 4", f"decimals: 4\n  small_cells: {{policy: {small_cells}, under: 5}}"),
            ("  privacy: {beta: 0.7}\n", ""),
        )
    )
    (found,) = [each for each in report.fairness if each.measure == "odds_ratio"]
    true = Fraction(3, 17) / (Fraction(15, 2) / Fraction(25, 2))  # 3 of 20 women, 7.5 of 20 men
    assert found.interval is not None
    assert Fraction(found.interval[0]) <= true <= Fraction(found.interval[1])
    assert (found.a_priori is None) == (small_cells != "warn")


def test_rates_of_nobody_and_everybody() -> None:
    """Equal odds give 1, also where both are 0 or have no end; 0 against more, or less against no end, gives 0."""
    none, half, every = (Fraction(n, 2) for n in range(3))
    for rate in (none, half, every):
        assert share_of_larger_odds(rate, rate) == 1
    for a, b in ((none, half), (none, every), (half, every)):
        assert share_of_larger_odds(a, b) == share_of_larger_odds(b, a) == 0
    anything = Range(half, none, every)
    assert odds_range(apart(anything, anything)) == Range(Fraction(1), Fraction(0), Fraction(1))


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(4, 5), Fraction(19, 20)])
def test_bound_under_alpha(alpha: Fraction) -> None:
    """No two pairs of rates within alpha of each other have odds ratios further apart than 1 - α⁴; some come near it."""
    rates = [Fraction(k, 40) for k in range(41)]
    near = {
        rate: [
            other
            for other in rates
            if alpha * rate <= other <= rate / alpha and alpha * (1 - rate) <= 1 - other <= (1 - rate) / alpha
        ]
        for rate in rates
    }
    for a, b in product(rates, repeat=2):
        value = share_of_larger_odds(a, b)
        for x, y in product(near[a], near[b]):
            assert abs(share_of_larger_odds(x, y) - value) <= 1 - alpha**4
    report = report_of(
        example_spec(
            asked(), ("{delta: 0.9}", f"{{alpha: {float(alpha)}}}"), ("  privacy: {beta: 0.7}\n", "")
        )
    )
    (found,) = [each for each in report.fairness if each.measure == "odds_ratio"]
    assert found.a_priori is not None
    assert 0 <= Fraction(found.a_priori) - (1 - alpha**4) < Fraction(1, 10**4)


def test_it_has_a_chart_words_and_a_row_of_its_own() -> None:
    """Beside a ratio of rates: two charts, since their axes say different things."""
    report = report_of(
        example_spec((P_RULE, f"{P_RULE}\n  - {{measure: odds_ratio, groups: gender, p: 0.5}}"))
    )
    plots = {plot.id: plot for plot in plot_fairness(report)}
    assert list(plots) == ["chart-fairness-points", "chart-fairness-percent", "chart-fairness-odds"]
    assert plots["chart-fairness-odds"].title == "Ratios of odds"
    assert "odds of “approved”" in dict(measure_definitions(report))["Odds ratio"]
    assert "Odds ratio" in glossary(report)
    table = measure_table(report)
    assert table is not None
    row = next(row for row in table.rows if row[0].text == "Odds ratio")
    assert row[1].text == "Cannot be told at this fidelity (at least 50%)"
