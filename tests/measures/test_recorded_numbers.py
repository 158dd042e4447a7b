"""Behind a true rule that is only rounded stand whole numbers of cases: they are found, or it is said that they are not."""

import json
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.compose.forms import print_form
from atreport.core.band import Closeness, rounding
from atreport.core.certify import Announcement
from atreport.errors import InvalidInput
from atreport.measures.unknowns import recorded_numbers
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.report.form import FormTable
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec
from tests.forms import HAND_WORKED
from tests.thoroughness import examples

SEXES, RACES = ("F", "M", "unknown"), ("A", "B", "unknown")

Counts = dict[tuple[str, str], tuple[int, int]]
"""Of each sex and race, how many were selected, and how many there are."""


def spec_of(counts: Counts, decimals: int = 4, policy: str = "") -> Spec:
    """A bias audit of these people, with the true rates and nothing changed."""
    rows = [
        {"sex": sex, "race": race, "population": people, "yes": selected / people}
        for (sex, race), (selected, people) in counts.items()
    ]
    text = HAND_WORKED.replace("[A, B, C, unknown]", "[A, B, unknown]")
    start, end = text.index("source:"), text.index("disclosure:")
    source = f"source: {{table: {json.dumps(rows)}}}\npolicy: {{fidelity: {{delta: 1}}, decimals: {decimals}{policy}}}\n"
    return parse_spec(text[:start] + source + text[end:])


def announced(spec: Spec) -> Announcement:
    """What is announced of it."""
    return draft_announcement(spec, read_table(spec)).announcement


def tables_of(counts: Counts, decimals: int) -> tuple[FormTable, ...]:
    """The tables of its summary."""
    spec = spec_of(counts, decimals)
    assert spec.form is not None
    return print_form(announced(spec).rule, "ll144", spec.form).tables or ()


def as_everybody_rounds(rate: Fraction, decimals: int) -> Decimal:
    """The rate of a spreadsheet: halves to the even digit, as pandas and Python round."""
    divided = Decimal(rate.numerator) / Decimal(rate.denominator)
    return divided.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)


@st.composite
def some_counts(draw: st.DrawFn) -> Counts:
    """Some people of every sex and race, and some of them selected; with shares that are halves of a printed step."""
    found = {}
    for sex in SEXES:
        for race in RACES:
            most = (
                6 if "unknown" in (sex, race) else 999
            )  # what the unknown could change takes long with many
            halves = [number for number in (2, 4, 5, 8, 16, 32, 64, 80, 160, 800) if number <= most]
            people = draw(st.one_of(st.integers(1, most), st.sampled_from(halves)))
            found[sex, race] = draw(st.integers(0, people)), people
    return found


@settings(max_examples=examples(60), deadline=None)
@given(some_counts(), st.integers(3, 4))
def test_every_rate_and_ratio_is_that_of_the_data_to_the_last_digit(counts: Counts, decimals: int) -> None:
    """By sex, by race and by both, for people of whatever number; those of unknown category only count as unknown."""
    sexes, races, both = tables_of(counts, decimals)

    def rates(table: FormTable, *which: int) -> dict[str, Fraction]:
        found = {}
        for row in table.categories:
            names = tuple(row.category.split(" · "))
            cells = [n for key, n in counts.items() if tuple(key[place] for place in which) == names]
            selected, people = (sum(column) for column in zip(*cells, strict=True))
            assert row.people.interval == (people, people)
            if table.recorded:
                assert row.selected.interval == (selected, selected)
            found[row.category] = Fraction(selected, people)
        return found

    for table, which in ((sexes, (0,)), (races, (1,)), (both, (0, 1))):
        true = rates(table, *which)
        compared = {row.category for row in table.categories if row.impact_ratio is not None}
        highest = max((true[name] for name in compared), default=Fraction(0))
        for row in table.categories:
            assert row.rate is not None
            assert row.rate.value == as_everybody_rounds(true[row.category], decimals)
            assert row.rate.low <= true[row.category] <= row.rate.high
            if row.impact_ratio is not None:
                assert row.impact_ratio.value == as_everybody_rounds(true[row.category] / highest, decimals)


@settings(max_examples=examples(100), deadline=None)
@given(some_counts())
def test_what_is_announced_is_the_truth_rounded(counts: Counts) -> None:
    """Within half a printed step in every cell: the fidelity that the report states, also where nothing was rounded."""
    announcement = announced(spec_of(counts, 3))
    fidelity = announcement.fidelity
    assert isinstance(fidelity, Closeness)
    assert fidelity == rounding(3, 2)
    table = read_table(spec_of(counts, 3))
    assert (abs(announcement.announced / 1000 - table.favourable) <= 0.0005 + 1e-12).all()


THIRDS: Counts = {
    ("F", "A"): (20, 60),
    ("F", "B"): (11, 40),
    ("M", "A"): (50, 80),
    ("M", "B"): (17, 51),
    ("unknown", "A"): (3, 9),
}


def test_numbers_are_said_to_be_known_only_where_they_are() -> None:
    """One whole number fits in a cell of 999 people at three decimals, and several in one of 2,000."""
    spec = spec_of(THIRDS, 3)
    found = recorded_numbers(announced(spec).rule)
    assert found is not None
    assert sorted(zip(found.cases, found.people, strict=True)) == sorted(THIRDS.values())
    many = {**THIRDS, ("F", "A"): (667, 2001)}
    assert recorded_numbers(announced(spec_of(many, 3)).rule) is None
    assert not tables_of(many, 3)[0].recorded
    assert recorded_numbers(announced(spec_of(many, 4)).rule) is not None


def test_nothing_is_worked_out_of_a_rule_that_was_changed() -> None:
    """At a lower fidelity a cell of few people may leave one number open too; whoever protects people does not print it."""
    rule = announced(spec_of(THIRDS, 3)).rule
    assert recorded_numbers(replace(rule, fidelity=Closeness(delta=Decimal("0.998")))) is None
    assert recorded_numbers(replace(rule, fidelity=Closeness(delta=Decimal(1)))) is None
    assert recorded_numbers(replace(rule, population="shares")) is None


def test_rules_that_are_no_frequencies_keep_the_figures_of_the_rule() -> None:
    """Where no whole number fits, the report cannot be one of recorded cases as it says; nothing is made up."""
    rule = announced(spec_of(THIRDS, 3)).rule
    assert recorded_numbers(replace(rule, mapping=rule.mapping + np.array([-7, 7]))) is None


@pytest.mark.parametrize(
    ("decimals", "outcomes", "delta"),
    [(4, 2, "0.99995"), (1, 2, "0.95"), (4, 3, "0.9999333"), (2, 4, "0.99249")],
)
def test_the_fidelity_of_rounding(decimals: int, outcomes: int, delta: str) -> None:
    """Half a printed step; of m outcomes, which must add up, just above (m - 1)/m. A wider band is no rounding, nor is none."""
    found = rounding(decimals, outcomes)
    assert found == Closeness(delta=Decimal(delta))
    assert found.only_rounds(decimals, outcomes)
    assert not found.only_rounds(decimals + 1, outcomes)
    assert not Closeness(delta=Decimal(1)).only_rounds(decimals, outcomes)
    assert not Closeness(alpha=Decimal(1)).only_rounds(decimals, outcomes)


def test_a_ceiling_refuses_the_truth_as_it_refuses_anything_else() -> None:
    """Rounding is no way around a ceiling: β of the rounded truth is certified, and compared."""
    spec = spec_of(THIRDS, 3, ", privacy: {beta: 0.55}")
    announcement = announced(spec)
    assert announcement.beta > Decimal("0.55")
    assert announcement.beta == announced(spec_of(THIRDS, 3)).beta


def test_the_nearest_to_the_truth_is_the_truth_rounded() -> None:
    """`objective: fidelity` finds no higher fidelity than 1, and rounds as well."""
    spec = spec_of(THIRDS, 3, ", objective: fidelity, privacy: {beta: 0.99}")
    assert announced(spec).fidelity == rounding(3, 2)
    assert announced(spec).announced.tolist() == announced(spec_of(THIRDS, 3)).announced.tolist()


def test_a_relative_fidelity_of_one_is_refused_with_what_to_write() -> None:
    """Nothing but the truth is within α = 1, printed or not; δ = 1 rounds it."""
    spec = spec_of(THIRDS, 3)
    fidelity = spec.policy.fidelity.model_copy(update={"delta": None, "alpha": Decimal(1)})
    relative = spec.model_copy(update={"policy": spec.policy.model_copy(update={"fidelity": fidelity})})
    with pytest.raises(InvalidInput, match=r"write 'fidelity: \{delta: 1\}'"):
        announced(relative)
