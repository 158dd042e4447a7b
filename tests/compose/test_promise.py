"""The privacy promise in words: every sentence holds for every group and value, checked with fractions by another way."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import pytest

from atreport.compose.promise import (
    certain_groups,
    confidence_words,
    lift_words,
    no_protection_words,
    odds_in_short,
    odds_words,
    prior_words,
    promised_words,
    rise_words,
    sure_after,
    uncovered_words,
)
from atreport.errors import AtreportError
from atreport.pages.documents import lay_out
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.load import parse_spec
from tests.assessing import CASES, report_case, report_of
from tests.documents import make_report
from tests.example import example_spec
from tests.finding import all_found
from tests.random_specs import parsed_random_spec

NOTHING = "adds nothing"


def rise(report: Report, of: Iterable[str], known: Iterable[str]) -> Fraction:
    """The most by which any combination of values of some attributes becomes likelier, to who knows others; by people."""
    of, known = tuple(of), tuple(known)
    found = Fraction(0)
    for alike in {tuple(cell.values[name] for name in known) for cell in report.cells}:
        members = [cell for cell in report.cells if tuple(cell.values[name] for name in known) == alike]
        for values in {tuple(cell.values[name] for name in of) for cell in members}:
            own = [cell for cell in members if tuple(cell.values[name] for name in of) == values]
            before = Fraction(people(own), people(members))
            for outcome in report.process.outcome.values:
                if total := people(members, outcome):
                    found = max(found, people(own, outcome) / total - before)
    return found


def people(cells: Iterable[PublishedCell], outcome: str | None = None) -> Fraction:
    """The people in some cells, or how many of them get an outcome by the announced rule."""
    return sum(
        (Fraction(cell.size or 1) * Fraction(cell.announced[outcome] if outcome else 1) for cell in cells),
        Fraction(),
    )


def names(report: Report, *roles: str) -> list[str]:
    """The attributes with some roles."""
    return [attribute.name for role in roles for attribute in report.process.of_role(role)]


def random_reports(first: int) -> list[Report]:
    """The reports of 25 random specs, of which some are refused."""
    found = []
    for seed in range(first, first + 25):
        with suppress(AtreportError):
            found.append(make_report(parsed_random_spec(seed)).report)
    assert len(found) >= 8, "too many are refused for the property to be tried"
    return found


PAIR = """\
atreport: 1
report: {{title: Courts, publisher: Agency, version: 1.0.0, date: 2026-03-01}}
process:
  name: Courts
  outcome: {{name: decision, values: [no, yes], favourable: yes}}
  attributes:
    - {{name: town, label: Town, role: {town}, values: [A, B]}}
    - {{name: illness, label: Illness, role: sensitive, values: [ill, well]}}
    - {{name: convicted, label: Conviction, role: {other}, values: [once, never]}}
source:
  table:
{rows}
policy: {{fidelity: {{delta: 1}}, decimals: 4}}
fairness: []
disclosure: {{population: counts}}
"""


def pair_report(rule: Sequence[object], people: Sequence[int], *, town: str = "public", other: str) -> Report:
    """A report in which a court's decision follows from two attributes, in two towns."""
    cells = [(t, i, c) for t in "AB" for i in ("ill", "well") for c in ("once", "never")]
    rows = "\n".join(
        f"    - {{town: {t}, illness: {i}, convicted: {c}, population: {n}, yes: {p}}}"
        for (t, i, c), n, p in zip(cells, people, rule, strict=True)
    )
    return report_of(parse_spec(PAIR.format(town=town, other=other, rows=rows)))


def random_pairs(seed: int) -> Iterator[Report]:
    """Two attributes that decide together, alone, or not at all; evenly spread or not; in one group or two."""
    rng = random.Random(seed)
    together, first, second, alike = (0, 1, 1, 0), (0, 0, 1, 1), (1, 0, 1, 0), (0.3,) * 4
    for _ in range(40):
        rules = [rng.choice([together, first, second, alike, alike, (0.7,) * 4]) for _ in "AB"]
        size = rng.choice([[25] * 8, [rng.randint(1, 90) for _ in range(8)]])
        role = rng.choice(["sensitive", "private"])
        yield pair_report([*rules[0], *rules[1]], size, town=rng.choice(["public", "private"]), other=role)


@pytest.mark.parametrize(
    "seed", [31, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(32, 36))]
)
def test_nothing_is_added_only_where_nothing_is_learned_whatever_is_known(seed: int) -> None:
    """Said where a group's people are all treated alike, and nowhere else: not where two attributes decide together.

    Somebody who knows one of the two would be certain of the other, and read that the report adds nothing.
    """
    said = []
    for report in random_pairs(seed):
        known, rest = names(report, "public"), names(report, "sensitive", "private")
        # whoever knows more of a person learns more of the rest: each attribute may be what is known beside the public ones
        learned = [rise(report, (set(rest) - {more}) or rest, [*known, more]) for more in rest]
        said.append(NOTHING in rise_words(report))
        assert said[-1] == (max(rise(report, rest, known), *learned) == 0)
        assert ("learns nothing about" in odds_words(report)) == said[-1]
        one_by_one = max(rise(report, [name], known) for name in names(report, "sensitive"))
        assert ("Taken one by one" in rise_words(report)) == (one_by_one == 0 and not said[-1])
    assert {True, False} == set(said)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(25, 500, 25))]
)
def test_nothing_is_added_by_no_random_report_that_adds_something(first: int) -> None:
    """Of any shape, guarded or not, with two outcomes or three: by the numbers of people that figures are made with."""
    for report in random_reports(first):
        adds = rise(report, names(report, "sensitive", "private"), names(report, "public")) > 0
        assert (NOTHING in rise_words(report)) == (not adds)


@pytest.mark.parametrize("other", ["sensitive", "private"])
def test_who_knows_one_of_two_attributes_that_decide_together_is_certain_of_the_other(other: str) -> None:
    """Lift 1 and unbounded odds: nowhere on the page, in the notes or in `check` stands that nothing is added."""
    report = pair_report((0, 1, 1, 0) * 2, (25,) * 8, other=other)
    assert report.privacy.lift == 1
    assert rise(report, ["illness"], ["town", "convicted"]) == Fraction(1, 2)
    page = lay_out(report).html()
    assert "Taken one by one, no sensitive value becomes more likely" in page
    for words in (NOTHING, "learns nothing", "nobody more sure"):
        assert words not in page


def test_what_is_promised_within_a_group_is_promised_to_who_knows_the_group() -> None:
    """Two towns that are each treated alike: who does not know the town learns from the decision who is ill."""
    report = pair_report((0.9,) * 4 + (0.1,) * 4, (45, 45, 5, 5, 5, 5, 45, 45), other="private")
    assert rise(report, ["illness"], ["town"]) == 0
    assert rise(report, ["illness"], []) > Fraction(3, 10)
    texts: list[str] = [rise_words(report), lift_words(report), odds_words(report), odds_in_short(report)]
    texts += [note.text for note in report.notes if note.id == "promise"]
    sentences = [each for text in texts for each in re.split(r"(?<=\.)\s+", text)]
    claims = [each for each in sentences if re.search("adds nothing|becomes more|learns nothing", each)]
    assert len(claims) >= 7
    assert all("group" in claim for claim in claims), claims


JOINED = """\
atreport: 1
report: {title: Care, publisher: Agency, version: 1.0.0, date: 2026-03-01}
process:
  name: Care
  outcome: {name: decision, values: [no, yes], favourable: yes}
  attributes:
    - {name: town, label: Town, role: public, values: [A, B, A or B], joined: {A or B: [A, B]}}
    - {name: illness, label: Illness, role: sensitive, values: [ill, well]}
source:
  table:
    - {town: A, illness: ill, population: 50, yes: 0.4}
    - {town: A, illness: well, population: 50, yes: 0.6}
    - {town: B, illness: ill, population: 50, yes: 0.4}
    - {town: B, illness: well, population: 50, yes: 0.6}
    - {town: A or B, illness: ill, population: 50, yes: 0.5}
    - {town: A or B, illness: well, population: 50, yes: 0.5}
policy: {fidelity: {delta: 0.9}, decimals: 4}
fairness: []
"""


def test_where_towns_were_joined_the_promise_is_to_who_knows_what_is_published() -> None:
    """The joined people who are ill may all be of town A: who knows the town of one is surer than β."""
    report = report_of(parse_spec(JOINED))
    # of A: 50 ill and 50 well under their own value, and the 50 ill of those who are joined
    ill = 50 * Fraction(report.cells[0].announced["no"]) + 50 * Fraction(report.cells[4].announced["no"])
    well = 50 * Fraction(report.cells[1].announced["no"])
    assert ill / (ill + well) > Fraction(report.privacy.beta)
    assert "knows your “Town” (as published here) and the decision" in confidence_words(report)
    assert "knows a person’s “Town” (as published here) and" in confidence_words(report, "a person")
    page = lay_out(report).html()
    assert "knows your “Town” and" not in page
    assert "whoever the person is" not in page
    assert "as published here" not in confidence_words(report_of(example_spec()))


def test_where_people_were_left_out_the_promise_is_not_about_them() -> None:
    """A group in which all are alike is left out: of its people everybody is certain, and β is below one."""
    suppressed = report_of(
        example_spec(ONE_VALUE, ("  decimals: 4", "  decimals: 4\n  unprotectable: suppress"))
    )
    assert suppressed.privacy.beta < 1
    assert suppressed.privacy.unprotectable.groups == 1
    for words in (confidence_words(suppressed), confidence_words(suppressed, "a person")):
        assert words.endswith(
            "That holds for the people in this report, not for those who were left out of it."
        )
    assert "left out" not in confidence_words(report_of(example_spec()))


def test_the_method_says_what_goes_into_intervals() -> None:
    """Of a withheld population it said that only published figures go into them; and nothing of people in no cell."""
    left_out = ("  decimals: 4", "  decimals: 4\n  unprotectable: suppress")
    pages = {
        "counts": lay_out(report_of(example_spec(("population: shares", "population: counts")))).html(),
        "shares": lay_out(report_of(example_spec())).html(),
        "withheld": lay_out(report_of(example_spec(("population: shares", "population: withheld")))).html(),
        "left out": lay_out(report_of(example_spec(ONE_VALUE, left_out))).html(),
        "joined": lay_out(report_of(parse_spec(JOINED))).html(),
    }
    assert {name for name, page in pages.items() if "Only published figures go into it" in page} == {"counts"}
    assert {name for name, page in pages.items() if "People who are in no cell and may" in page} == {
        "left out"
    }
    assert {name for name, page in pages.items() if "both ends allow for every way to divide" in page} == {
        "joined"
    }


@pytest.mark.parametrize("odds", ["4885", "1.5"])
def test_a_large_odds_factor_is_said_as_what_it_does(odds: str) -> None:
    """From 50% to 99.98%, and not in words that sound like safety."""
    report = with_privacy(report_of(example_spec()), odds=Decimal(odds))
    after = Fraction(odds) / (1 + Fraction(odds))
    for words in (odds_words(report), odds_in_short(report)):
        stated = [Fraction(each) / 100 for each in all_found(r"([\d.]+)% sure", words)]
        assert stated[0] == Fraction(1, 2)
        assert after <= stated[1] <= after + Fraction(1, 10000)
        assert "ruled out" not in words
        assert "certain" not in words


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
        "Somebody who knows your group and is 50% sure of something about your “Annual income” before the decision is at most "
        "90% sure after it."
    )
    assert "can change odds by a factor of 81, three by a factor of 729" in " ".join(uncovered_words(nine))
    assert "the odds factor does" in " ".join(uncovered_words(nine))
    one = with_privacy(report, odds=Decimal("1.0000"))
    assert odds_words(one) == (
        "Somebody who knows your group learns nothing about your “Annual income” from the decision, whatever they believed."
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
        " No statement about your “Origin” becomes more likely than it is in your group."
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
    assert rise_words(report) == ("Within a group, this report adds nothing to what is known without it.")


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
        "odds changed by at most a factor of 100 for anybody who knows the group",
        "confidence in “>200k” of “Annual income” at most 69%",
    )
    assert made.context.privacy.promised == promised_words(made.report)
    gamma = report_of(example_spec(("privacy: {beta: 0.7}", "privacy: {gamma: 0.35}")))
    assert promised_words(gamma) == ("uncertainty about any sensitive value at least 0.35 (γ ≥ 0.35)",)
