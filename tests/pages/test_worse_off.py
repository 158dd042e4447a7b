"""The first answer of the summary: the largest disparity in words that are true whatever was compared."""

from decimal import Decimal

import pytest

from atreport.pages.sections.summary import WORST, Headline, fairness_headline
from atreport.report.figures import Sampling
from atreport.report.model import Estimation, Report
from atreport.spec.load import parse_spec
from tests.assessing import CASES, SPECS, report_case, report_of
from tests.example import example_spec
from tests.finding import found

GENDER = "- {measure: statistical_parity, groups: gender, threshold: 0.3}"
REST = """\
  - {measure: conditional_statistical_parity, groups: gender, given: income}
  - {measure: p_percent_rule, groups: gender, p: 0.8}
  - {measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}
"""


WITHHELD = ("population: shares", "population: withheld")
"""No size is published, so no group is too small to be singled out."""


def report_with(measures: str, *edits: tuple[str, str]) -> Report:
    """The example with other measures."""
    return report_of(example_spec((f"  {GENDER}\n{REST}", measures), *edits))


def only(measure: str, *edits: tuple[str, str]) -> Headline:
    """The answer where this is the only measure."""
    return fairness_headline(report_with(f"  {measure}\n", *edits))


def test_a_short_outcome_has_the_label_of_what_is_decided() -> None:
    """Readers were shown the name of a column, and in a translation the one word that was not translated."""
    report = report_with(f"  {GENDER}\n")
    outcome = report.process.outcome.model_copy(
        update={"label": "Card", "favourable": "given", "values": ("denied", "given")}
    )
    shown = report.model_copy(update={"process": report.process.model_copy(update={"outcome": outcome})})
    assert fairness_headline(shown).answer[0].startswith("Card “given”: ")


def test_both_rates_direction_and_the_true_gap() -> None:
    """The sentence a journalist copies, the figure beside it, and how sure it is."""
    found = only(GENDER)
    assert found.figure == "20 against 36.5"
    assert found.answer[0].startswith("Approved: ")
    assert "for Gender “M”" in found.answer[0]
    assert found.answer[0].index("“M”") < found.answer[0].index("“F”")
    assert found.answer[0].endswith(
        "The true gap is between 0 and 34.5 points. This report cannot tell which of the two is worse off."
    )
    assert found.table is None, "one comparison needs no list"


def test_no_measure_and_nobody_to_compare() -> None:
    """Nothing asked for, or nobody there: each is said as it is."""
    none = fairness_headline(report_of(example_spec((f"fairness:\n  {GENDER}\n{REST}", "fairness: []\n"))))
    assert (none.figure, none.caption) == ("not assessed", "no fairness measure was asked for")
    women = "".join(f"    - {{gender: M, income: \"{income}\", population: {n}, approved: {p}}}\n" for income, n, p in (
        ("<100k", 9, 0), ("100k-200k", 7, 0.5), (">200k", 4, 1)))  # fmt: skip
    nobody = only(GENDER, (women, ""))
    assert (nobody.figure, nobody.caption) == ("not assessed", "no comparison could be made")
    assert "no comparison that was asked for could be made" in nobody.answer[0]


def test_the_largest_gap_leads_and_five_are_listed() -> None:
    """Of many comparisons the first is the largest, and no more than five are in the list."""
    report = report_with(
        f"  {GENDER}\n"
        "  - {measure: statistical_parity, groups: [gender, income]}\n"
        "  - {measure: p_percent_rule, groups: gender, p: 0.8}\n",
        WITHHELD,
    )
    found = fairness_headline(report)
    assert found.table is not None
    assert len(found.table.rows) == WORST
    assert found.table.rows[0][0].text == "Gender and Annual income"
    assert found.table.rows[0][2].text == "F · 100k-200k: 2.00%"
    assert "“F · 100k-200k”" in found.answer[0]


def test_equal_rates() -> None:
    """Exactly alike: no direction is claimed; with the true rule published, not even rounded, the equality is."""
    rates = [(f"population: {n}, approved: {p}}}", f"population: {n}, approved: 0.5}}") for n, p in (
        (12, 0), (5, 0), (3, 1), (9, 0), (7, 0.5), (4, 1))]  # fmt: skip
    changed = only(GENDER, *rates)
    assert changed.figure == "50 each"
    assert changed.answer[0] == (
        "Approved: 50 of 100 both for Gender “F” and for Gender “M”. The true gap is between 0 and 20 points. "
        "This report cannot tell which of the two is worse off, or whether either is."
    )
    exact = only(GENDER, *rates, ("delta: 0.9", "alpha: 1"))
    assert exact.answer[0].endswith(
        "The true gap is exactly 0 points. Neither is worse off: the true rates are equal."
    )


def test_a_certain_order() -> None:
    """Where the intervals do not meet, it is said that it is certain."""
    found = only(GENDER, ("delta: 0.9", "delta: 0.97"), ("  privacy: {beta: 0.7}\n", ""))
    assert found.answer[0].endswith("It is certain that Gender “F” is worse off.")


def test_a_group_is_not_compared_with_itself() -> None:
    """The most favoured group has no line of its own, nor a verdict that it meets."""
    report = report_with("  - {measure: impact_ratio, groups: gender, p: 0.8}\n")
    assert len(report.fairness) == 2
    found = fairness_headline(report)
    assert found.table is None
    assert found.answer[1].startswith(
        "Whether the one comparison with a threshold meets it cannot be told at this fidelity."
    )


def test_individual_fairness_alone() -> None:
    """No two groups: the measure itself is the figure, and nobody is called worse off."""
    found = only(
        "- {measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}"
    )
    assert "points" in found.figure
    assert "worse off" not in " ".join(found.answer)
    relative = only("- {measure: individual, metric: relative, distance: {gender: 0, income: 0}}")
    assert relative.answer[0] == "Individual fairness: nothing bounds the figure."


def test_the_publishers_headline_comes_first() -> None:
    """Set on a measure, its largest comparison leads, whatever gap another one has."""
    report = report_with(
        f"  {GENDER}\n  - {{measure: conditional_statistical_parity, groups: gender, given: income}}\n",
        WITHHELD,
    )
    chosen = report.measures[0].model_copy(update={"headline": True})
    found = fairness_headline(report.model_copy(update={"measures": (chosen, *report.measures[1:])}))
    assert "among" not in found.answer[0]
    other = report.measures[1].model_copy(update={"headline": True})
    second = fairness_headline(report.model_copy(update={"measures": (report.measures[0], other)}))
    assert "among Annual income: 100k-200k" in second.answer[0]
    assert found.table == second.table


def test_small_groups_do_not_lead() -> None:
    """Where numbers are published, a group below the limit is not singled out, and that is said."""
    counts = ("population: shares", "population: counts")
    found = fairness_headline(report_with(f"  {GENDER}\n{REST}", counts))
    assert "among" not in found.answer[0]
    assert found.table is not None
    assert found.table.left_out == "3 comparisons with a group of fewer than 10 people are not listed here."
    alone = only("- {measure: conditional_statistical_parity, groups: gender, given: income}", counts)
    assert alone.figure == "small groups"
    shares = fairness_headline(report_with(f"  {GENDER}\n{REST}"))
    assert shares.table is not None
    assert (
        shares.table.left_out
        == "3 comparisons with a group of perhaps fewer than 10 people are not listed here."
    )
    assert "too few to be singled out" in alone.answer[0]


def test_rare_outcomes_are_counted_in_thousands() -> None:
    """Half a person of 100 is 5 of 1,000."""
    edits = [(f"population: {n}, approved: {p}}}", f"population: {n}, approved: {q}}}") for n, p, q in (
        (12, 0, 0.004), (5, 0, 0.004), (3, 1, 0.004), (9, 0, 0.02), (7, 0.5, 0.02), (4, 1, 0.02))]  # fmt: skip
    found = only(GENDER, *edits, ("delta: 0.9", "delta: 1"))
    assert found.answer[0].startswith("Approved: 20 of 1,000 for Gender “M”, 4 of 1,000 for Gender “F”")


def test_chance_comes_on_top() -> None:
    """Where the rule was estimated, the gap with chance stands beside the certified one, with its level."""
    report = report_with(f"  {GENDER}\n")
    chance = Sampling(interval=(Decimal("0.0000"), Decimal("0.6120")), level=Decimal("0.95"), method="any")
    estimated = report.fairness[0].model_copy(update={"sampling": chance})
    found = fairness_headline(report.model_copy(update={"fairness": (estimated,)}))
    assert found.answer[1] == (
        "Other cases of the same process would give other figures, by chance. With chance counted in, the gap in the long "
        "run is between 0 and 61.2 points, at a confidence of 95%."
    )


@pytest.mark.parametrize("name", CASES)
def test_the_first_answer_of_every_report(name: str) -> None:
    """However people are published, guarded, joined or left out: whole sentences, no more than five rows, no group twice."""
    found = fairness_headline(report_case(name))
    assert found.question == "Is it fair?"
    assert all(text[0].isupper() or not text[0].isalpha() for text in found.answer)
    assert all(text.endswith(".") for text in found.answer)
    assert found.table is None or 1 <= len(found.table.rows) <= WORST
    for row in found.table.rows if found.table else ():
        assert row[2].text.rpartition(":")[0] != row[3].text.rpartition(":")[0]


RELEASE = (SPECS[0].parent / "release_decisions.yaml").read_text(encoding="utf-8")
ERRORS = "{measure: error_rates, groups: district, label: rearrested, positive: no, threshold: 0.1}"


def errors_only(rates: str, *, headline: bool = False) -> Headline:
    """The answer where error rates are what is asked for, alone or as the publisher's headline."""
    start = RELEASE.index("fairness:\n")
    end = RELEASE.index("\n", RELEASE.index(ERRORS)) + 1
    asked = ERRORS.replace("threshold: 0.1", f"rates: [{rates}]" + (", headline: true" if headline else ""))
    parity = "  - {measure: statistical_parity, groups: district}\n" if headline else ""
    return fairness_headline(
        report_of(parse_spec(f"{RELEASE[:start]}fairness:\n{parity}  - {asked}\n{RELEASE[end:]}"))
    )


@pytest.mark.parametrize("headline", [False, True])
def test_error_rates_lead_where_nothing_else_is_compared_or_the_publisher_says_so(headline: bool) -> None:
    """Said as what they are the share of; worse off is who gets less of what was right, or misses more of it."""
    opportunity = errors_only("equal_opportunity", headline=headline)
    assert opportunity.answer[0].startswith("Got “released”, of those for whom it was right: ")
    missed = errors_only("false_negative", headline=headline)
    assert missed.answer[0].startswith("Did not get “released”, of those for whom it was right: ")
    named = [found(r"that (.*?) (is|was) worse off", each.answer[0])[1] for each in (opportunity, missed)]
    assert named == ["District “South”"] * 2, "both say the same of the same people"


def test_error_rates_that_make_nobody_worse_off() -> None:
    """A release that turned out wrong is no harm to who was released: only the rates are said. Two rates each: the measure."""
    wrong = errors_only("false_positive")
    assert "worse off" not in wrong.answer[0]
    assert "lower rate" in wrong.answer[0]
    both = errors_only("equalised_odds", headline=True)
    assert both.answer[0].startswith("Equalised odds: the announced rule gives")
    assert both.figure.endswith("points")


def test_what_is_certain_of_records_is_about_records() -> None:
    """Chance may still have made the gap, so no more is called certain than what happened."""
    edits = (("delta: 0.9", "delta: 0.97"), ("  privacy: {beta: 0.7}\n", ""))
    recorded = only(GENDER, *edits, ("process:\n", "process:\n  estimated_from: records\n"))
    assert recorded.answer[0].endswith("It is certain that Gender “F” was worse off in the recorded cases.")
    given = report_with(f"  {GENDER}\n", *edits)
    tree = given.model_copy(update={"estimation": Estimation(method="tree", population="records")})
    assert fairness_headline(tree).answer[0].endswith("is worse off by the rule that was found.")


def test_a_bare_yes_is_said_of_what_is_decided() -> None:
    """Yes: 42 of 100 would say nothing."""
    found = only(GENDER, ("values: [denied, approved], favourable: approved", "values: [denied, yes], favourable: yes"), *(
        (f"population: {n}, approved: {p}}}", f"population: {n}, yes: {p}}}") for n, p in (
            (12, 0), (5, 0), (3, 1), (9, 0), (7, 0.5), (4, 1))
    ))  # fmt: skip
    assert found.answer[0].startswith("Decision “yes”: 36.5 of 100 for Gender “M”")


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ("0.3", "0.3", "The true figure is certain to be the same."),
        ("0.2", "0.3", "The true figure is certain to lie between 20 points and 30 points."),
        ("0.3", "0.4", "The true figure is certain to lie between 30 points and 40 points."),
        ("0.2", "0.4", "The true figure is certain to lie between 20 points and 40 points."),
    ],
)
def test_a_figure_is_certain_to_be_the_same_only_where_both_ends_are_it(
    low: str, high: str, words: str
) -> None:
    """One end that is the announced value does not make the true figure the same."""
    individual = "{measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}"
    report = report_with(f"  - {individual}\n")
    (said,) = report.fairness
    ends = {"value": Decimal("0.3"), "interval": (Decimal(low), Decimal(high))}
    shown = fairness_headline(report.model_copy(update={"fairness": (said.model_copy(update=ends),)}))
    assert shown.answer[0].endswith(words)
