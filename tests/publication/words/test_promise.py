"""The privacy promise in words: every sentence holds for every group and value, checked with fractions by another way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest

from atreport.errors import AtreportError
from atreport.pages.documents import lay_out
from atreport.publication.words.odds import odds_words, prior_words, sure_after
from atreport.publication.words.promise import certain_groups, confidence_words, no_protection_words
from atreport.publication.words.rise import lift_words, rise_words
from atreport.publication.words.scope import promised_words, uncovered_words
from atreport.report.model import Report
from atreport.spec.load import parse_spec
from tests.assessing import CASES, report_case, report_of
from tests.documents import MadeReport, make_report
from tests.example import example_spec
from tests.random_specs import parsed_random_spec
from tests.thoroughness import THOROUGH

NOTHING = "adds nothing"


def rises(made: MadeReport) -> Iterator[tuple[Fraction, Fraction]]:
    """Before and after of every sensitive value in every group and after every outcome, on exact numbers of people."""
    report, cells = made.report, made.announcement.cells
    process = report.process
    people = [int(n) for n in cells.population]
    for group in range(len(cells.group_starts)):
        members = [i for i in range(len(cells)) if cells.group[i] == group]
        for attribute in process.of_role("sensitive"):
            values = {i: report.cells[i].values[attribute.name] for i in members}
            for value in set(values.values()):
                own = [i for i in members if values[i] == value]
                before = Fraction(sum(people[i] for i in own), sum(people[i] for i in members))
                for outcome in process.outcome.values:
                    weight = {i: people[i] * Fraction(report.cells[i].announced[outcome]) for i in members}
                    if total := sum(weight.values()):
                        yield before, sum(weight[i] for i in own) / total


@cache
def random_report(seed: int) -> MadeReport | None:
    """The report of a random spec; None where it is refused."""
    try:
        return make_report(parsed_random_spec(seed))
    except AtreportError:
        return None


@pytest.mark.parametrize("seed", range(500 if THOROUGH else 15))
def test_nothing_is_added_only_where_no_confidence_rises(seed: int) -> None:
    """The sentence stands in a report if and only if no value becomes more likely, in any group, after any outcome."""
    made = random_report(seed)
    if made is None:
        return
    said = NOTHING in rise_words(made.report)
    if said:
        assert all(after <= before for before, after in rises(made))
    elif made.report.policy.small_cells.is_exact and made.report.policy.population == "counts":
        assert any(after > before for before, after in rises(made))


@pytest.mark.parametrize("name", CASES)
def test_certain_groups_are_those_where_one_value_is_left(name: str) -> None:
    """Found by going through cells, one by one; a group's printed confidence is then 100%."""
    report = report_case(name)
    found = certain_groups(report)
    for group, entry in enumerate(report.privacy.groups):
        members = [cell for cell in report.cells if all(cell.values[k] == v for k, v in entry.qid.items())]
        left = [
            {cell.values[attribute.name] for cell in members if cell.announced[outcome] > 0}
            for attribute in report.process.of_role("sensitive")
            for outcome in report.process.outcome.values
        ]
        assert found[group] == any(len(values) == 1 for values in left)
        assert not found[group] or entry.beta == 1
    assert bool(no_protection_words(report)) == (report.privacy.beta == 1)


ONE_VALUE = (
    '    - {gender: F, income: "100k-200k", population: 5, approved: 0}\n'
    '    - {gender: F, income: ">200k", population: 3, approved: 1}\n',
    "",
)
NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
EXACT = ("delta: 0.9", "delta: 1")


def test_no_protection_is_said_loudly() -> None:
    """How many groups, how many people where that is published, which of them no report can hide, how the others fare."""
    counts = ("population: shares", "population: counts")
    plain = no_protection_words(report_of(example_spec(NO_CEILING, EXACT)))
    assert plain.startswith(
        "No protection in 1 group: there someone can be certain of a sensitive value. In the other group someone can be at "
    )
    counted = no_protection_words(report_of(example_spec(NO_CEILING, EXACT, counts)))
    assert "of a sensitive value. This affects 20 people." in counted
    single = no_protection_words(report_of(example_spec(NO_CEILING, ONE_VALUE, counts)))
    assert "in 1 group: there" in single
    assert "This affects 12 people. Everybody in it has the same value." in single
    assert "no report can hide it. In the other group someone can be at most" in single
    assert no_protection_words(report_of(example_spec())) == ""


def test_no_protection_is_on_the_page_and_first_in_the_answer() -> None:
    """In the summary, in the section on privacy, and in the note."""
    made = make_report(example_spec(NO_CEILING, EXACT))
    words = no_protection_words(made.report)
    assert made.context.headlines[2].answer[0] == words
    assert made.document.html().count(words) == 3


@pytest.mark.parametrize("odds", ["1.0001", "1.5", "9", "45", "123456.7891"])
def test_how_sure_after_is_never_too_low(odds: str) -> None:
    """πR/(1 − π + πR) is what Bayes gives where the likelihoods differ by R; the printed figure is rounded up."""
    rng = random.Random(odds)
    factor = Fraction(Decimal(odds))
    for _ in range(200):
        before = Fraction(rng.randint(1, 999), 1000)
        likely = Fraction(rng.randint(1, 1000), 1000)
        posterior = before * likely / (before * likely + (1 - before) * likely / factor)
        assert sure_after(before, Decimal(odds)) == posterior


def with_privacy(report: Report, **privacy: object) -> Report:
    """The report with some other figures on privacy."""
    return report.model_copy(update={"privacy": report.privacy.model_copy(update=privacy)})


def test_the_odds_factor_in_words() -> None:
    """Limited, one, without limit, without limit because of the kind of fidelity, not stated."""
    report = report_of(example_spec())
    nine = with_privacy(report, odds=Decimal("9.0000"))
    assert odds_words(nine).startswith(
        "Somebody who is 50% sure of something about your “Annual income” before the decision is at most 90% sure after it."
    )
    assert "No value is ever ruled out" in odds_words(nine)
    assert "can change odds by a factor of 81, three by a factor of 729" in " ".join(uncovered_words(nine))
    assert "the odds factor does" in " ".join(uncovered_words(nine))
    one = with_privacy(report, odds=Decimal("1.0000"))
    assert odds_words(one) == (
        "Whatever somebody believed about your “Annual income” before, the decision tells them nothing."
    )
    assert "factor of" not in " ".join(uncovered_words(one))
    hard = report_of(example_spec(NO_CEILING, EXACT))
    assert "there is no limit: in 2 groups an outcome rules" in odds_words(hard)
    assert "stays zero" not in odds_words(hard)
    assert "the odds factor does" not in " ".join(uncovered_words(hard))
    alpha = report_of(example_spec(NO_CEILING, ("delta: 0.9", "alpha: 0.9")))
    assert odds_words(alpha).endswith(
        "At this kind of fidelity a probability of zero stays zero, so no announced rule could prevent that."
    )
    old = report.model_copy(
        update={"privacy": type(report.privacy).model_construct(
            {"beta", "gamma", "contribution", "unprotectable", "groups"},
            **{name: getattr(report.privacy, name) for name in ("beta", "gamma", "contribution", "unprotectable", "groups")},
        )}
    )  # fmt: skip
    assert odds_words(old) == lift_words(old) == rise_words(old) == ""
    assert "67.5%" in confidence_words(old)
    assert "odds factor" not in " ".join(uncovered_words(old))
    assert "Value by value" not in lay_out(old).html()


def test_every_attribute_has_its_own_lift() -> None:
    """With several sensitive attributes each is named; a value that rises is found in whichever it is."""
    report = report_of(parse_spec(TWO_SENSITIVE))
    stated = report.privacy.attributes
    assert stated is not None
    assert [a.name for a in stated] == ["illness", "origin"]
    assert lift_words(report).startswith("No statement about your “Illness” becomes more than")
    assert lift_words(report).endswith(
        " No statement about your “Origin” becomes more likely than the population alone makes it."
    )
    assert NOTHING not in rise_words(report)
    assert "of “Illness”" in rise_words(report)


TWO_SENSITIVE = """\
atreport: 1
report: {title: Care, publisher: Agency, version: 1.0.0, date: 2026-03-01}
process:
  name: Care
  outcome: {name: decision, values: [no, yes], favourable: yes}
  attributes:
    - {name: illness, label: Illness, role: sensitive, values: [a, b, c]}
    - {name: origin, label: Origin, role: sensitive, values: [here]}
source:
  table:
    - {illness: a, origin: here, population: 100, yes: 1}
    - {illness: b, origin: here, population: 100, yes: 0}
    - {illness: c, origin: here, population: 100, yes: 0}
policy: {fidelity: {delta: 0.8}, decimals: 4}
fairness: []
"""


def test_calibrated_does_not_say_that_nothing_is_added() -> None:
    """Its β can equal the prior's while a rare value becomes likelier."""
    report = report_of(
        example_spec(NO_CEILING, ("  decimals: 4\n", "  decimals: 4\n  mechanism: calibrated\n"))
    )
    assert report.privacy.lift is not None
    assert report.privacy.lift > 1
    assert NOTHING not in rise_words(report)


def test_a_constant_rule_adds_nothing() -> None:
    """Where everybody is treated alike, the sentence is true and said."""
    edits = [(f"population: {n}, approved: {p}}}", f"population: {n}, approved: 0.5}}") for n, p in (
        (12, 0), (5, 0), (3, 1), (9, 0), (7, 0.5), (4, 1))]  # fmt: skip
    report = report_of(example_spec(*edits))
    assert rise_words(report) == (
        "This report adds nothing to what the population alone tells. That holds for every value, in every group."
    )


@pytest.mark.parametrize("name", CASES)
def test_before_is_worded_by_how_people_are_published(name: str) -> None:
    """Where numbers are rounded or hidden, it is what they cannot rule out."""
    report = report_case(name)
    assert ("do not rule out" in prior_words(report)) != report.policy.small_cells.is_exact


def test_ceilings_that_were_promised_are_shown() -> None:
    """Each of them, in the section on privacy."""
    made = make_report(
        example_spec(
            ("privacy: {beta: 0.7}", "privacy: {beta: 0.7, lift: 20, odds: 100}"),
            (
                'values: ["<100k", "100k-200k", ">200k"]',
                'values: ["<100k", "100k-200k", ">200k"], ceilings: {">200k": 0.69}',
            ),
        )
    )
    assert promised_words(made.report) == (
        "confidence in any sensitive value at most 70% (β ≤ 0.7)",
        "no sensitive value more than 20 times as likely as before",
        "nobody’s odds changed by more than a factor of 100",
        "confidence in “>200k” of “Annual income” at most 69%",
    )
    assert made.context.privacy.promised == promised_words(made.report)
    gamma = report_of(example_spec(("privacy: {beta: 0.7}", "privacy: {gamma: 0.35}")))
    assert promised_words(gamma) == ("uncertainty about any sensitive value at least 0.35 (γ ≥ 0.35)",)
