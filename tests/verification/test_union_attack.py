"""The union of releases: a linear program that attacks it never beats β without a warning."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.compose.rule import published_cells, published_policy, published_privacy
from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.core.certify import Announcement, certify
from atreport.errors import Refused
from atreport.private.data.decision_table import DecisionTable
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import solve_table
from atreport.report.rule import FORMAT, PublishedRule
from atreport.spec.policy import Policy
from atreport.verification import union_attack
from atreport.verification.ledger import Ledger, RecordedRelease, RecordedReport, attack_earlier_releases
from atreport.verification.union_attack import (
    Told,
    _Bands,
    _counts,
    _intersection,
    _joined,
    _middles_alone,
    attack_union,
)
from tests.example import binary_table, example_spec, process_with, random_table


def released(table: DecisionTable, delta: Decimal, population: str = "withheld") -> Announcement:
    """An announcement as a build makes it."""
    closeness = Closeness(delta=delta)
    bounds = fidelity_bounds(table, closeness, 4)
    return certify(
        table.cells,
        [solve_table(table, bounds, Objective(minimise=("beta",))).mapping],
        bounds.lowest_step,
        bounds.highest_step,
        decimals=4,
        fidelity=closeness,
        population=population,  # type: ignore[arg-type]
    )


def published(announcement: Announcement) -> RecordedRelease:
    """What a report would publish of it, as the ledger keeps it."""
    policy = Policy.model_validate({"fidelity": {"delta": 0.9}})  # what is announced keeps its own
    return RecordedRelease(
        format=FORMAT,
        report=RecordedReport(title="Test", version="1", date=dt.date(2026, 1, 15)),
        process=announcement.cells.process,
        policy=published_policy(announcement, policy),
        privacy=published_privacy(announcement),
        cells=published_cells(announcement),
        previous=None,
    )


def attacked(past: list[Announcement], new: Announcement) -> list[Told]:
    """What the published parts tell together, to somebody who knows how many people there are in each cell."""
    return attack_union([published(each) for each in past], published(new), new.cells.population)


def program_attack(releases: list[Announcement], group: int) -> float:
    """The largest confidence in some value that every rule consistent with all releases gives: a linear program each.

    Written from the definition: unknown is the rule itself, scaled so that the confidence is a linear function of it.
    """
    new = releases[-1]
    members = np.flatnonzero(new.cells.group == group)
    people = new.cells.population[members] / new.cells.population[members].sum()
    outcomes, number = new.mapping.shape[1], len(members)
    size = number * outcomes + 1  # the rule times t, and t
    same, upper = [], []
    for cell in range(number):  # the outcomes of a cell make one
        row = np.zeros(size)
        row[cell * outcomes : (cell + 1) * outcomes], row[-1] = 1, -1
        same.append(row)
    for release in releases:
        for o, outcome in enumerate(release.cells.process.outcome.values):
            band = release.rule.truth_of(outcome)
            for place, cell in enumerate(members.tolist()):
                for sign, bound in ((1, band.upper[cell]), (-1, band.lower[cell])):
                    row = np.zeros(size)
                    row[place * outcomes + o], row[-1] = sign, -sign * int(bound) / band.denominator
                    upper.append(row)
    best = 0.0
    values = new.cells.value[members]
    for o in range(outcomes):
        total = np.zeros(size)
        total[o : number * outcomes : outcomes] = people
        for value in np.unique(values):
            goal = total * np.append(np.repeat(values == value, outcomes), False)
            found = linprog(
                goal,
                A_ub=np.array(upper),
                b_ub=np.zeros(len(upper)),
                A_eq=np.array([*same, total]),
                b_eq=np.append(np.zeros(number), 1),
                bounds=(0, None),
                method="highs",
            )
            if found.status == 0 and found.fun is not None:
                best = max(best, float(found.fun))
    return best


def pair(seed: int) -> tuple[Announcement, Announcement]:
    """Two versions of a report: other fidelity, and now and then another rule in a cell or a person more."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=2, values=3, decimals=2)
    deltas = [Decimal(int(d)).scaleb(-2) for d in rng.integers(60, 100, 2)]
    later = table
    if rng.random() < 0.3:  # people join
        population = table.cells.population + rng.integers(0, 2, len(table.cells))
        later = replace(table, cells=replace(table.cells, population=population))
    return released(table, deltas[0]), released(later, deltas[1])


def assert_covered(seed: int) -> bool:
    """The program never beats what is stated without a warning; returns whether it beat it."""
    old, new = pair(seed)
    told = attacked([old], new)
    beaten = False
    for group in range(len(new.group_beta)):
        attack = program_attack([old, new], group)
        stated = int(new.group_beta[group]) / new.scale
        warned = [each for each in told if each.group == group]
        if attack > stated + 1e-9:
            beaten = True
            assert warned, (seed, group, attack, stated)
        for each in warned:
            if each.way == "certain":
                assert float(each.confidence) == pytest.approx(attack, abs=1e-6)
    if told:
        spec = example_spec(("decimals: 4", "decimals: 4\n  releases: refuse"))
        with pytest.raises(Refused):
            attack_earlier_releases(spec, ledger_of(old), published(new), new.cells.population)
        assert attack_earlier_releases(example_spec(), ledger_of(old), published(new), new.cells.population)
    return beaten


def ledger_of(*releases: Announcement) -> Ledger:
    """A ledger with some releases, as far as an attack reads it."""
    return Ledger(path=Path("x.releases.jsonl"), lines=(), releases=tuple(map(published, releases)))


def test_the_union_is_covered() -> None:
    """A quick slice of the pairs."""
    assert sum(assert_covered(seed) for seed in range(25)) > 0


@pytest.mark.slow
def test_the_union_is_covered_for_many_pairs() -> None:
    """600 random pairs of versions; the attack beats β in many of them, and never without a warning."""
    assert sum(assert_covered(seed) for seed in range(600)) >= 50


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
def test_the_same_report_again_tells_nothing(population: str) -> None:
    """Harmless by construction: the same figures, however often."""
    for seed in range(20):
        table = random_table(np.random.default_rng(seed), groups=2, values=3)
        release = released(table, Decimal("0.9"), population)
        assert attacked([release, release], release) == []
        if population != "withheld":  # what is published is then enough
            again = published(release)
            assert attack_union([again, again], again) == []


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
def test_people_are_those_that_the_publisher_knows_or_the_report_publishes(
    population: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exact numbers where they are given, whatever is published; without any, what the rules tell is not measured."""
    measured: list[list[int]] = []

    def rules(_: object, __: object, people: np.ndarray) -> list[Told]:
        measured.append(people.tolist())
        return []

    monkeypatch.setattr(union_attack, "_rules", rules)
    new = published(released(three_cells(), Decimal("0.9"), population))
    attack_union([new], new)
    assert measured == ([] if population == "withheld" else [new.arranged.population.tolist()])
    measured.clear()
    attack_union([new], new, np.array([7, 8, 9]))
    assert measured == [[7, 8, 9]]
    measured.clear()
    attack_union([], new, np.array([7, 8, 9]))
    assert measured == []  # nothing to combine with


def three_cells() -> DecisionTable:
    """The women of the example."""
    codes = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0]], dtype=np.int32)
    cells, _ = arrange(process_with(1, 3), codes, np.array([12, 5, 3]))
    return binary_table(cells, np.array([0.0, 0.0, 1.0]))


def test_intersecting_bands_give_a_rule_away() -> None:
    """Two fidelities of a plain yes-or-no rule: the bands meet in less than either, and the value shows."""
    table = three_cells()
    releases = [released(table, Decimal(delta)) for delta in ("0.7", "0.99")]
    assert attacked(releases[1:], releases[0])  # the finer report first: the coarser one's promise is void
    told = attacked(releases[:1], releases[1])
    assert all(each.confidence > each.stated for each in told)


def test_people_who_joined_are_given_away_by_the_cells_that_grew() -> None:
    """One person joined a group, and one cell of it grew: the sensitive value is certain, whatever is announced."""
    table = three_cells()
    grown = table.cells.population.copy()
    grown[0] += 1
    later = replace(table, cells=replace(table.cells, population=grown))
    for population in ("counts", "shares"):
        old, new = (released(each, Decimal("0.9"), population) for each in (table, later))
        told = [each for each in attacked([old], new) if each.way == "joined"]
        assert told == [Told(way="joined", group=0, confidence=Fraction(1), stated=told[0].stated)]
    withheld = [released(each, Decimal("0.9")) for each in (table, later)]
    assert not [each for each in attacked(withheld[:1], withheld[1]) if each.way == "joined"]


def test_a_changed_rule_is_not_combined() -> None:
    """Where the bands do not meet, the rule has changed, and the old release says nothing about the new rule."""
    process = process_with(1, 2)
    codes = np.array([[0, 0, 0], [0, 1, 0]], dtype=np.int32)
    cells, _ = arrange(process, codes, np.array([10, 10]))
    old = released(binary_table(cells, np.array([0.1, 0.1])), Decimal("0.99"))
    new = released(binary_table(cells, np.array([0.9, 0.9])), Decimal("0.99"))
    assert attacked([old], new) == []


def exactly_open(own: _Bands, theirs: _Bands, known: np.ndarray) -> list[list[tuple[Fraction, Fraction]]]:
    """What two releases leave open of each cell and outcome, from the definition, in fractions."""
    found = []
    for cell in range(len(own.lower)):
        mine, other = (
            [
                (Fraction(int(low), b.denominator), Fraction(int(high), b.denominator))
                for low, high in zip(b.lower[cell], b.upper[cell], strict=True)
            ]
            for b in (own, theirs)
        )
        both = [(max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(mine, other, strict=True)]
        sums = [sum(end) for end in zip(*both, strict=True)]
        possible = all(low <= high for low, high in both) and sums[0] <= 1 <= sums[1]
        taken = both if known[cell] and possible else mine
        least, most = (sum(end) for end in zip(*taken, strict=True))
        found.append([(max(low, 1 - (most - high)), min(high, 1 - (least - low))) for low, high in taken])
    return found


def random_bands(rng: np.random.Generator, rule: np.ndarray, denominator: int) -> _Bands:
    """Bands of whole steps, some of them of no width, that hold a rule given in tenths."""
    at = rule * (denominator // 10)
    below, above = (rng.integers(0, 3, rule.shape) * (denominator // 10) for _ in range(2))
    return _Bands(
        lower=np.maximum(at - below, 0).astype(object),
        upper=np.minimum(at + above, denominator).astype(object),
        denominator=denominator,
    )


@pytest.mark.parametrize("seed", range(5))
def test_what_two_releases_leave_open_is_their_intersection(seed: int) -> None:
    """Each outcome no more than the others leave it; the new release alone where the rule has changed or is unknown."""
    rng = np.random.default_rng(seed)
    rules = [rng.multinomial(10, np.ones(3) / 3, 40) for _ in range(2)]
    rules[1][::2] = rules[0][::2]  # the same rule in every other cell
    own, theirs = random_bands(rng, rules[0], 10), random_bands(rng, rules[1], 30)
    known = rng.random(40) < 0.8
    found = _intersection(own, (theirs, known))
    for cell, expected in enumerate(exactly_open(own, theirs, known)):
        for outcome, (low, high) in enumerate(expected):
            assert Fraction(int(found.lower[cell, outcome]), found.denominator) == low
            assert Fraction(int(found.upper[cell, outcome]), found.denominator) == high
    middles = _middles_alone((theirs, known), own)
    for cell, outcome in np.ndindex(40, 3):
        bands = theirs if known[cell] else own
        ends = int(bands.lower[cell, outcome] + bands.upper[cell, outcome])
        assert Fraction(int(middles[cell, outcome]), 30) == Fraction(ends, bands.denominator)


def test_bands_that_meet_in_one_rule_are_combined() -> None:
    """The most that is left open makes exactly one: that is the rule, and no sign of a change."""
    own = _Bands(
        lower=np.array([[0, 4]], dtype=object), upper=np.array([[5, 9]], dtype=object), denominator=10
    )
    theirs = _Bands(
        lower=np.array([[1, 0]], dtype=object), upper=np.array([[4, 6]], dtype=object), denominator=10
    )
    found = _intersection(own, (theirs, np.array([True])))
    assert (found.lower.tolist(), found.upper.tolist()) == ([[4, 6]], [[4, 6]])
    theirs = _Bands(
        lower=np.array([[1, 9]], dtype=object), upper=np.array([[4, 9]], dtype=object), denominator=10
    )
    found = _intersection(own, (theirs, np.array([True])))
    assert (found.lower.tolist(), found.upper.tolist()) == ([[1, 9]], [[1, 9]])


@pytest.mark.parametrize("seed", range(6))
def test_counts_follow_from_shares_as_a_reader_can_work_them_out(seed: int) -> None:
    """The smallest population that has these shares: the true one, unless all counts have a common factor."""
    table = random_table(np.random.default_rng(seed), groups=2, values=3)
    population = np.random.default_rng(seed).integers(1, 60, len(table.cells))
    table = replace(table, cells=replace(table.cells, population=population))
    release = published(released(table, Decimal("0.9"), "shares"))
    found = _counts(release)
    assert found is not None
    np.testing.assert_array_equal(found, population // np.gcd.reduce(population))
    assert _counts(published(released(table, Decimal("0.9"), "withheld"))) is None
    counted = _counts(published(released(table, Decimal("0.9"), "counts")))
    assert counted is not None
    np.testing.assert_array_equal(counted, population)


def growing(before: list[int], after: list[int]) -> list[Told]:
    """What is told of people who joined the one group of a table, as counts are published."""
    table = three_cells()
    old, new = (
        published(
            released(
                replace(table, cells=replace(table.cells, population=np.array(n))), Decimal("0.9"), "counts"
            )
        )
        for n in (before, after)
    )
    return list(_joined(old, new))


def test_of_those_who_joined_the_largest_part_gives_them_away() -> None:
    """Four in five who joined went into one cell; people who left another cell are no part of it."""
    (told,) = growing([120, 50, 30], [124, 51, 27])
    assert told.confidence == Fraction(4, 5)
    assert told.confidence > told.stated
    assert growing([120, 50, 30], [121, 51, 31]) == []  # evenly: less than is stated
    assert growing([120, 50, 30], [110, 40, 20]) == []  # nobody joined


def test_another_population_is_no_growth() -> None:
    """Up to half of a group may have moved; where more did, these are other people, and nothing is said."""
    assert growing([12, 5, 3], [28, 5, 3])  # 16 of 36
    assert growing([18, 5, 13], [36, 5, 13])[0].confidence == 1  # 18 of 54
    assert growing([12, 5, 3], [32, 5, 3])  # 20 of 40: exactly half
    assert growing([12, 5, 3], [33, 5, 3]) == []  # 21 of 41


def test_growth_is_seen_only_where_both_releases_publish_counts() -> None:
    """One of the two withheld: nothing can be subtracted."""
    table = three_cells()
    later = replace(table, cells=replace(table.cells, population=np.array([13, 5, 3])))
    for kinds, seen in ((("counts", "counts"), 1), (("withheld", "counts"), 0), (("counts", "withheld"), 0)):
        old, new = (
            published(released(each, Decimal("0.9"), kind))
            for each, kind in zip((table, later), kinds, strict=True)
        )
        assert len(list(_joined(old, new))) == seen


def test_people_are_worked_out_from_shares_up_to_twenty_thousand() -> None:
    """A reader could do so for any population; the check does it where it takes moments, and says nothing beyond."""

    def counted(people: tuple[int, int]) -> list[int] | None:
        shares = np.array([round(10**9 * number / sum(people)) for number in people])
        release = SimpleNamespace(
            policy=SimpleNamespace(
                small_cells=SimpleNamespace(is_exact=True), population="shares", share_decimals=9
            ),
            cells=people,
            arranged=SimpleNamespace(population=shares),
        )
        found = _counts(cast(PublishedRule, release))
        return None if found is None else found.tolist()

    assert counted((1, 19_998)) == [1, 19_998]
    assert counted((1, 19_999)) is None
    assert counted((1, 2)) == [1, 2]
