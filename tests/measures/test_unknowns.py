"""People of unknown group: the range of every measure equals brute force over all distributions."""

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.measures import unknowns
from atreport.measures.odds_ratio import share_of_larger_odds
from atreport.measures.unknowns import UnknownCell, UnknownPool, unknown_pool
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.report.writer import measures_csv, report_json, report_schema
from atreport.text.numbers import rounded_down, rounded_up
from tests.assessing import report_of
from tests.example import example_spec
from tests.thoroughness import examples

SCALE = 10


def brute_force(pool: UnknownPool) -> Iterator[list[Fraction]]:
    """The rates of all groups under every assignment of every single person."""
    persons = [(cell.steps, group) for cell in pool.cells for group in [cell.groups] * cell.people]
    for choice in product(*(groups for _, groups in persons)):
        tallies = [list(tally) for tally in pool.known]
        for (steps, _), group in zip(persons, choice, strict=True):
            tallies[group][0] += 1
            tallies[group][1] += steps
        yield [Fraction(s, n * SCALE) for n, s in tallies]


def ratio(a: Fraction, b: Fraction) -> Fraction:
    """The smaller as a share of the larger, 1 for two zeros."""
    return min(a, b) / max(a, b) if max(a, b) else Fraction(1)


@st.composite
def pools(draw: st.DrawFn, groups: int, *, crossed: bool = False) -> UnknownPool:
    """A few groups with few known people, and up to six unknown ones."""
    known = [
        (n, draw(st.integers(0, n * SCALE)))
        for n in draw(st.lists(st.integers(1, 6), min_size=groups, max_size=groups))
    ]
    everybody = tuple(range(groups))
    cells = []
    for people in draw(st.lists(st.integers(1, 3), min_size=1, max_size=2 if groups > 2 else 3)):
        among = draw(st.sets(st.sampled_from(everybody), min_size=1)) if crossed else everybody
        cells.append(UnknownCell(people, draw(st.integers(0, SCALE)), tuple(sorted(among))))
    return UnknownPool(names=tuple("abcd"[:groups]), known=tuple(known), cells=tuple(cells), scale=SCALE)


def check(pool: UnknownPool) -> None:
    """Every measure, against all assignments."""
    every = list(brute_force(pool))
    for (i, a), (j, b) in combinations(enumerate(pool.names), 2):
        gaps = [abs(rates[i] - rates[j]) for rates in every]
        shares = [ratio(rates[i], rates[j]) for rates in every]
        compare(pool.difference(a, b), gaps)
        compare(pool.ratio(a, b), shares)
        odds = [share_of_larger_odds(rates[i], rates[j]) for rates in every]
        compare(pool.ratio(a, b, share=share_of_larger_odds), odds)
    for i, name in enumerate(pool.names):
        compare(pool.impact(name), [Fraction(1) if r[i] == max(r) else r[i] / max(r) for r in every])
    compare(pool.disparity(), [max(r) - min(r) for r in every])


@settings(max_examples=examples(300), deadline=None)
@given(pools(2) | pools(3) | pools(3, crossed=True), st.integers(2, 5))
def test_where_numbers_are_not_published_the_range_tells_none(pool: UnknownPool, times: int) -> None:
    """It holds every distribution of whole people, and is the same for several times as many."""
    hidden = replace(pool, is_counted=False)
    check(hidden)
    more = replace(
        hidden,
        known=tuple((n * times, s * times) for n, s in pool.known),
        cells=tuple(replace(cell, people=cell.people * times) for cell in pool.cells),
    )
    for a, b in combinations(pool.names, 2):
        assert hidden.difference(a, b) == more.difference(a, b)
        assert hidden.ratio(a, b) == more.ratio(a, b)
    for name in pool.names:
        assert hidden.impact(name) == more.impact(name)
    assert hidden.disparity() == more.disparity()


def compare(found: tuple[Fraction, Fraction, bool], values: list[Fraction]) -> None:
    """No value is outside, and an exact range ends at values."""
    low, high, is_exact = found
    assert low <= min(values)
    assert high >= max(values)
    if is_exact:
        assert (low, high) == (min(values), max(values))


@given(pools(2))
def test_two_groups_equal_brute_force(pool: UnknownPool) -> None:
    """Both ends of every measure are attained, and nothing is beyond them."""
    check(pool)
    assert pool.difference("a", "b")[2]
    assert pool.impact("a")[2]


@settings(max_examples=40, deadline=None)
@given(pools(3))
def test_three_groups_equal_brute_force(pool: UnknownPool) -> None:
    """With a third group, unknown people may also belong to neither of the two compared."""
    check(pool)
    assert pool.difference("a", "b")[2]
    assert pool.disparity()[2]


@settings(max_examples=40, deadline=None)
@given(pools(3, crossed=True))
def test_crossed_groups_equal_brute_force(pool: UnknownPool) -> None:
    """Where something is known of the unknown, they can belong to some groups only."""
    check(pool)


@settings(max_examples=60, deadline=None)
@given(st.one_of(pools(2), pools(3), pools(3, crossed=True)))
def test_ranges_without_enumeration_hold_every_value(pool: UnknownPool) -> None:
    """The closed forms alone: the worst case is exact where they claim it, and nothing is ever outside."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unknowns, "MAX_STATES", 0)
        check(pool)


@settings(max_examples=60, deadline=None)
@given(pools(3))
def test_largest_difference_needs_no_enumeration(pool: UnknownPool) -> None:
    """The extreme assignments of the docstring give the largest difference of any two groups."""
    every = list(brute_force(pool))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unknowns, "MAX_STATES", 0)
        for (i, a), (j, b) in combinations(enumerate(pool.names), 2):
            assert pool.difference(a, b)[1] == max(abs(rates[i] - rates[j]) for rates in every)
            assert pool.ratio(a, b)[0] == min(ratio(rates[i], rates[j]) for rates in every)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(st.one_of(pools(2), pools(3), pools(3, crossed=True), pools(4)))
def test_many_pools_equal_brute_force(pool: UnknownPool) -> None:
    """The same on many more tables."""
    check(pool)


UNKNOWN_INCOME = (
    ("role: public, values: [F, M]", "role: public, values: [F, M, X], unknown: X"),
    ("policy:\n", '    - {gender: X, income: "<100k", population: 4, approved: 0.5}\npolicy:\n'),
    ("  privacy: {beta: 0.7}\n", ""),
)


def test_a_report_counts_the_unknown_and_says_what_they_could_change() -> None:
    """In the note, in report.json and in measures.csv; and X is compared with nobody."""
    spec = example_spec(*UNKNOWN_INCOME)
    in_shares = report_of(spec)
    spec = spec.model_copy(update={"disclosure": spec.disclosure.model_copy(update={"population": "counts"})})
    report, announcement = report_of(spec), draft_announcement(spec, read_table(spec)).announcement.rule
    parity, ratio_ = report.fairness[0], report.fairness[-2]
    assert parity.groups == ("F", "M")
    assert not any("X" in (a.groups or ()) for a in report.fairness)
    tallies = []
    for value in ("F", "M"):
        mask = announcement.cells.column("gender") == ["F", "M", "X"].index(value)
        weight = announcement.cells.population[mask]
        tallies.append((int(weight.sum()), int((weight * announcement.announced[mask]).sum())))
    steps = int(announcement.announced[announcement.cells.column("gender") == 2][0])
    pool = UnknownPool(
        names=("F", "M"),
        known=tuple(tallies),
        cells=(UnknownCell(4, steps, (0, 1)),),
        scale=announcement.scale,
    )
    every = [
        [
            Fraction(s + part * steps, (n + part) * announcement.scale)
            for (n, s), part in zip(tallies, (k, 4 - k), strict=True)
        ]
        for k in range(5)
    ]
    assert pool == unknown_pool(announcement, "gender")
    assert parity.unknown is not None
    gaps = [abs(a - b) for a, b in every]
    assert (parity.unknown.low, parity.unknown.high) == (rounded_down(min(gaps), 4), rounded_up(max(gaps), 4))
    assert ratio_.unknown is not None
    assert ratio_.unknown.low == rounded_down(min(ratio(a, b) for a, b in every), 4)
    low, high, _ = pool.difference("F", "M")
    assert (rounded_down(low, 4), rounded_up(high, 4)) == parity.unknown.interval
    document = json.loads(report_json(report))
    jsonschema.validate(document, report_schema())
    assert document["fairness"][0]["unknown"]["attained"] is True
    assert b"unknown_low" in measures_csv(report.fairness)
    wider = in_shares.fairness[0].unknown
    assert wider is not None
    assert wider.low <= parity.unknown.low
    assert parity.unknown.high <= wider.high
    note = next(note for note in report.notes if note.id == "unknown")
    assert "“Gender” is unknown of 4 people" in note.text
    note = next(note for note in in_shares.notes if note.id == "unknown")
    assert "“Gender” is unknown of 9.09091% of all people" in note.text
