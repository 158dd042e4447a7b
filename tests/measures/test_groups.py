"""What measures of groups share: who can be compared, why others cannot be, and groups that share people."""

from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atreport.core.band import Range
from atreport.core.cells import arrange
from atreport.measures import groups, measure_all
from atreport.measures.chance import chance_of_rate
from atreport.measures.groups import AllGroups, all_groups, measured_rate
from atreport.measures.measured import Measured
from atreport.measures.rates import RatedTable
from atreport.private.draft import draft_announcement
from tests.example import binary_table, example_spec, process_with
from tests.measures.test_fairness import public_spec
from tests.measures.test_individual import announcement_of, process_of

PROCESS = process_of({"area": ["north", "south", "west"], "secret": ["a", "b"]})
STEPS = [1000, 1000, 4000, 4000, 9000, 9000]


def rated(name: str, people: int, *, joined: bool = False) -> Any:
    """A group with so many people in it for certain."""
    return SimpleNamespace(name=name, people=people, joined=joined, left_out=False, is_empty=people == 0)


def compared(monkeypatch: pytest.MonkeyPatch, *found: Any) -> tuple[list[str] | None, dict[str, str]]:
    """Which of some groups are compared, and why the others are not."""
    monkeypatch.setattr(groups, "rated_groups", lambda *_: [(None, list(found))])
    monkeypatch.setattr(RatedTable, "of", lambda *_: None)
    monkeypatch.setattr(groups, "favourable_outcome", lambda _: [])
    table: Any = SimpleNamespace(cells=SimpleNamespace(left_out=()))
    every, missing = all_groups(table, SimpleNamespace(), "area")  # type: ignore[arg-type]
    names = None if every is None else [group.name for group in every.present]
    return names, {each.groups[0]: each.reason for each in missing if each.groups}


def test_groups_that_somebody_is_in_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those without anybody are named; one alone is compared with nobody."""
    assert compared(monkeypatch, rated("a", 9), rated("b", 5), rated("c", 0)) == (["a", "b"], {"c": "nobody"})
    assert compared(monkeypatch, rated("a", 9), rated("c", 0)) == (None, {"a": "nobody", "c": "nobody"})


def test_a_group_that_is_known_in_part_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval says who else may belong to it."""
    found = compared(monkeypatch, rated("a", 9), rated("b", 5, joined=True), rated("c", 0))
    assert found == (["a", "b"], {"c": "nobody"})


def test_none_is_compared_where_a_group_is_hidden_behind_another_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It might be the highest or the lowest of all; only a group that nobody is in is missing for that."""
    hidden = rated("b", 0, joined=True)
    found = compared(monkeypatch, rated("a", 9), hidden, rated("c", 0), rated("d", 4))
    assert found == (None, {"a": "joined", "b": "joined", "c": "nobody", "d": "joined"})


@pytest.mark.parametrize(
    ("masks", "shared"), [(["110", "011"], True), (["110", "001"], False), (["100", "010", "001"], False)]
)
def test_two_groups_with_one_person_in_common_share_people(masks: list[str], shared: bool) -> None:
    """Their rates move together."""
    present: Any = [SimpleNamespace(cells=np.array([one == "1" for one in mask])) for mask in masks]
    nothing: Any = None
    assert AllGroups(rated=nothing, present=present).share_people is shared


def test_chance_in_a_rate_is_that_of_the_people_it_was_counted_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one population that is published; not where others may belong to the group."""
    monkeypatch.setattr(groups, "counts_are_published", lambda _: True)
    table: Any = SimpleNamespace(cells=SimpleNamespace(process=PROCESS))
    rate = Range(Fraction(1, 4), Fraction(1, 5), Fraction(1, 3))
    group = rated("a", 60)
    group.ranges = {("yes",): [rate]}
    found = measured_rate(table, group)
    assert (found.group, found.people, found.ranges) == ("a", 60, (rate,))
    assert found.chance == chance_of_rate(rate, 60)
    group.joined = True
    assert measured_rate(table, group).chance is None


def test_the_disparity_of_groups_that_share_people_is_the_largest_of_any_two() -> None:
    """North and south 0.25, south and west 0.65, all 0.4667: the largest difference is 0.4."""
    codes = np.array([(area, secret) for area in range(3) for secret in range(2)])
    announcement = announcement_of(codes, PROCESS, np.array(STEPS), delta="1")
    named = {
        "ns": {"area": ["north", "south"]},
        "sw": {"area": ["south", "west"]},
        "all": {"area": ["north", "south", "west"]},
    }
    spec = public_spec(announcement.cells, [{"measure": "group_disparity", "groups": named}])
    (found,), _ = measure_all(announcement.rule, spec.fairness, unknown=False)
    assert isinstance(found, Measured)
    assert found.ranges is not None
    assert [of.value for of in found.ranges] == [Fraction(4, 10)]


@pytest.mark.parametrize(
    ("rates", "number", "together"),
    [(", rates: 0.97", 3, True), ("", 3, False), (", rates: 0.97", 6, True), (", rates: 0.97", 7, False)],
)
def test_several_groups_together_are_rated_where_their_rates_are_kept(
    rates: str, number: int, together: bool
) -> None:
    """Every two, three, … of up to six: where QID groups keep their rates, unions move less than each group may."""
    spec = example_spec(("  privacy: {beta: 0.7}\n", ""), ("{delta: 0.9}", f"{{delta: 0.9{rates}}}"))
    process, rng = process_with(2, number, 1), np.random.default_rng(1)
    codes = np.array(list(product(range(2), range(number), range(1))), dtype=np.int32)
    cells, _ = arrange(process, codes, rng.integers(5, 50, len(codes)))
    rule = draft_announcement(spec, binary_table(cells, rng.random(len(codes)).round(3))).announcement.rule
    nothing: Any = None
    every, _ = all_groups(rule, nothing, "secret")
    assert every is not None
    for of_population, weights in zip(every._unions(), rule.weights, strict=True):
        chosen = [frozenset(c) for size in range(2, number) for c in combinations(range(number), size)]
        assert set(of_population) == (set(chosen) if together else set())
        for union, found in of_population.items():
            inside = np.isin(cells.column("secret"), list(union))
            people = [int(n) for n in weights[inside]]
            rate = sum(n * int(x) for n, x in zip(people, rule.announced_of("yes")[inside], strict=True))
            assert found.value == Fraction(rate, sum(people) * rule.scale)
            alone = [every.present[k].ranges[("yes",)][0] for k in union]
            assert min(of.low for of in alone) <= found.low <= found.value <= found.high
            assert found.high <= max(of.high for of in alone)
