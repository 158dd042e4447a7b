"""Turn people of unknown group into the lowest and highest value a measure could have, whoever they are.

Each of them may belong to any of the groups that are compared (of crossed groups: to any that agrees with what is known of
them) and keeps the announced probability of their cell. People are whole, so there are finitely many distributions.

Guarantee: no distribution gives a value outside the range, and where `is_exact` both ends are attained by one. For two
groups the extremes are found without trying all distributions. Say r(A) - r(B) is to be largest. Given how many of the
unknown join A and how many join B, it is best that those with the highest probabilities join A and those with the lowest
join B. Filling A from the top, its rate grows exactly as long as the next person is above it; B likewise from the bottom. If
the two fillings do not meet, the rest belongs elsewhere (where there is a third group); if they do, or if there is no
third group, everybody joins A or B, and what is left to try is where to cut the sorted list. Where rates can cross, how
near each other they come is found by going through all distributions that differ, if those are not too many; otherwise
the range ends where they are equal. `tests/measures/test_unknowns.py` compares all of it with brute force.

Where numbers of people are not published, people are not taken for whole: how near two rates can come would tell how many
there are. The range is then wider, and depends on no more than how many each part is of all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import lcm

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Range
from atreport.core.cells import Cells, ExactArray
from atreport.core.rule_table import RuleTable
from atreport.measures.chance import counts_are_published
from atreport.measures.comparisons import share_of_larger
from atreport.measures.rates import named_groups

# The numbers of cases behind a rule that is published as it is, rounded.
#
# Where a rule stands for frequencies among recorded cases, their numbers are published as they are and
# nothing but rounding was allowed, the number of cases with an outcome is a whole one close to people ×
# probability. In a cell of fewer people than printed steps make one (of three outcomes three quarters, of
# more at least half as many) only one whole number is close enough. So figures of the data themselves follow
# from what is published, and not only figures of rounded probabilities.
#
# Guarantee: the numbers found are those of the data, if the report's promise of fidelity holds. No true value
# is asked.


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordedNumbers:
    """How many cases each cell has, and how many of them have one outcome."""

    people: tuple[int, ...]
    cases: tuple[int, ...]

    def rate(self, cells: NDArray[np.bool_]) -> Range | None:
        """The rate of all people of some cells, exactly; None where nobody is."""
        members = np.flatnonzero(cells).tolist()
        people = sum(self.people[cell] for cell in members)
        if not people:
            return None
        rate = Fraction(sum(self.cases[cell] for cell in members), people)
        return Range(rate, rate, rate)

    @property
    def in_steps(self) -> tuple[list[int], int]:
        """The frequency of each cell in whole steps, and how many of these make one."""
        scale = lcm(*self.people)
        return [
            cases * (scale // people) for cases, people in zip(self.cases, self.people, strict=True)
        ], scale


def recorded_numbers(table: RuleTable, outcome: str | None = None) -> RecordedNumbers | None:
    """The number of cases with an outcome (the favourable one unless told) in every cell; None where one is left open.

    None also where people are left out, or published under a value that stands for several: cells are then not everybody.
    """
    everybody = not (table.cells.left_out or table.cells.joined.any())
    if not (everybody and table.is_only_rounded and counts_are_published(table)):
        return None
    band = table.truth_of(outcome or table.cells.process.outcome.favourable)
    people: ExactArray = table.cells.population.astype(object)
    fewest = -(-band.lower.astype(object) * people // band.denominator)
    most = band.upper.astype(object) * people // band.denominator
    if (fewest != most).any():
        return None
    return RecordedNumbers(people=tuple(people.tolist()), cases=tuple(fewest.tolist()))


MAX_STATES = 20_000
"""The most distributions that are gone through one by one."""

MAX_CUTS = 20_000
"""The most unknown people for whom every cut of the sorted list is tried."""

Tally = tuple[int, int]
"""People of a group, and the sum of their announced probabilities in printed steps."""

Found = tuple[Fraction, Fraction, bool]
"""The lowest and the highest value, and whether both are attained."""


@dataclass(frozen=True)
class UnknownCell:
    """People of unknown group who have the same announced probability."""

    people: int
    steps: int
    groups: tuple[int, ...]  # which they may belong to


@dataclass(frozen=True, kw_only=True)
class UnknownPool:
    """Groups as far as they are known, and the people who may belong to them."""

    names: tuple[str, ...]
    known: tuple[Tally, ...]
    cells: tuple[UnknownCell, ...]
    scale: int
    is_counted: bool = True  # whether numbers of people are published

    @property
    def people(self) -> int:
        """How many are unknown."""
        return sum(cell.people for cell in self.cells)

    @property
    def distributions(self) -> frozenset[tuple[Tally, ...]] | None:
        """Every different result of distributing the unknown; None where there are too many, or they would tell how many."""
        return _distributions(self) if self.is_counted else None

    def difference(self, a: str, b: str) -> Found:
        """The difference of the rates of two groups."""
        first, second = self.names.index(a), self.names.index(b)
        one_way, exact_one = self._largest(first, second, lambda high, low: high - low)
        other_way, exact_other = self._largest(second, first, lambda high, low: high - low)
        highest, is_exact = max(one_way, other_way), exact_one and exact_other
        if min(one_way, other_way) <= 0:  # one of them is never above the other
            return -min(one_way, other_way), highest, is_exact
        if self.distributions is None:
            return Fraction(0), highest, False
        nearest = min(abs(_rate(state[first]) - _rate(state[second])) for state in self.distributions)
        return nearest / self.scale, highest, is_exact

    def ratio(
        self, a: str, b: str, *, share: Callable[[Fraction, Fraction], Fraction] = share_of_larger
    ) -> Found:
        """The lower rate of two groups as a share of the higher; or another figure that is 1 where rates are equal.

        `share` must fall as two rates part, whichever is the higher.
        """
        first, second = self.names.index(a), self.names.index(b)

        def capped(rate: Fraction, other: Fraction) -> Fraction:
            return Fraction(1) if rate >= other else share(rate, other)

        lowest_one, exact_one = self._largest(first, second, lambda high, low: -capped(low, high))
        lowest_other, exact_other = self._largest(second, first, lambda high, low: -capped(low, high))
        lowest, is_exact = -max(lowest_one, lowest_other), exact_one and exact_other
        if self.distributions is not None:
            nearest = max(
                share(_rate(s[first]) / self.scale, _rate(s[second]) / self.scale) for s in self.distributions
            )
            return lowest, nearest, is_exact
        one_way, exact_one = self._largest(first, second, capped)
        other_way, exact_other = self._largest(second, first, capped)
        if min(one_way, other_way) >= 1:  # either can be the higher
            return lowest, Fraction(1), False
        return lowest, min(one_way, other_way), is_exact and exact_one and exact_other

    def impact(self, name: str, among: Sequence[str] | None = None) -> Found:
        """The rate of a group as a share of the highest of all, or of those `among` which it is taken."""
        own = self.names.index(name)
        others = [i for i, other in enumerate(self.names) if i != own and (among is None or other in among)]
        worst = [self._largest(other, own, lambda high, low: -_share(low, high)) for other in others]
        lowest = -max(found for found, _ in worst)
        is_exact = all(exact for _, exact in worst)
        if self.distributions is not None:
            best = max(
                min(_share(_rate(state[own]), _rate(state[other])) for other in others)
                for state in self.distributions
            )
            return lowest, best, is_exact
        bests = [self._largest(own, other, lambda high, low: _share(high, low)) for other in others]
        best = min(Fraction(1), *(found for found, _ in bests))
        return lowest, best, is_exact and len(others) == 1 and bests[0][1]

    def disparity(self) -> Found:
        """The largest difference between the rates of any two groups."""
        pairs = [self.difference(a, b) for a, b in combinations(self.names, 2)]
        highest = max(high for _, high, _ in pairs)
        if self.distributions is not None:
            nearest = min(max(map(_rate, state)) - min(map(_rate, state)) for state in self.distributions)
            return nearest / self.scale, highest, all(exact for *_, exact in pairs)
        return max(low for low, *_ in pairs), highest, len(pairs) == 1 and pairs[0][2]

    def _largest(
        self, high: int, low: int, value: Callable[[Fraction, Fraction], Fraction]
    ) -> tuple[Fraction, bool]:
        """The largest value of something that grows with one group's rate and falls with another's."""
        a, b = self.known[high], self.known[low]
        if all(set(cell.groups) == set(range(len(self.names))) for cell in self.cells):
            pool = sorted(((cell.steps, cell.people) for cell in self.cells), reverse=True)
            most_cuts = MAX_CUTS if self.is_counted else 0
            ends = _extreme_tallies(a, b, pool, most_cuts, elsewhere=len(self.names) > 2)
        elif self.distributions is not None:
            ends = [(state[high], state[low]) for state in self.distributions]
        else:
            ends = None
        if ends is not None:
            return max(value(_rate(x) / self.scale, _rate(y) / self.scale) for x, y in ends), True
        # each rate at its own extreme: not always possible together, so a bound
        into_a = sorted(((c.steps, c.people) for c in self.cells if high in c.groups), reverse=True)
        into_b = sorted((c.steps, c.people) for c in self.cells if low in c.groups)
        best_a, best_b = _filled(a, into_a, 1)[0], _filled(b, into_b, -1)[0]
        return value(_rate(best_a) / self.scale, _rate(best_b) / self.scale), False


def _rate(tally: Tally) -> Fraction:
    return Fraction(tally[1], tally[0])


def _share(a: Fraction, b: Fraction) -> Fraction:
    """The first as a share of the second, at most 1; of two rates of 0, 1: they are equal."""
    return Fraction(1) if a >= b else a / b


@lru_cache(maxsize=4)  # every measure and table on the same groups asks for it
def _distributions(pool: UnknownPool) -> frozenset[tuple[Tally, ...]] | None:
    states = {pool.known}
    for cell in pool.cells:
        following: set[tuple[Tally, ...]] = set()
        for state in states:
            for parts in _parts(cell.people, len(cell.groups)):
                tallies = list(state)
                for group, part in zip(cell.groups, parts, strict=True):
                    n, s = tallies[group]
                    tallies[group] = (n + part, s + part * cell.steps)
                following.add(tuple(tallies))
                if len(following) > MAX_STATES:
                    return None
        states = following
    return frozenset(states)


def _parts(people: int, groups: int) -> Iterator[tuple[int, ...]]:
    """Every way to part some people among some groups."""
    if groups == 1:
        yield (people,)
        return
    for first in range(people + 1):
        for rest in _parts(people - first, groups - 1):
            yield (first, *rest)


def _filled(tally: Tally, pool: Sequence[tuple[int, int]], sign: int) -> tuple[Tally, int]:
    """A group with as many of the sorted pool as raise (or lower) its rate, and how many those are."""
    (n, s), joined = tally, 0
    for steps, people in pool:
        if sign * (steps * n - s) <= 0:
            break
        n, s, joined = n + people, s + people * steps, joined + people
    return (n, s), joined


def _extreme_tallies(
    a: Tally, b: Tally, pool: Sequence[tuple[int, int]], most_cuts: int, *, elsewhere: bool
) -> list[tuple[Tally, Tally]] | None:
    """The distributions among which the largest r(a) - r(b) is; None where they are too many. `pool` is sorted downward."""
    everybody = sum(people for _, people in pool)
    (best_a, from_top), (best_b, from_bottom) = _filled(a, pool, 1), _filled(b, pool[::-1], -1)
    if elsewhere and from_top + from_bottom <= everybody:
        return [(best_a, best_b)]
    if everybody > most_cuts:
        return None
    n_a, s_a = a
    n_b, s_b = b[0] + everybody, b[1] + sum(steps * people for steps, people in pool)
    cuts = [((n_a, s_a), (n_b, s_b))]
    for steps, people in pool:
        for _ in range(people):
            n_a, s_a, n_b, s_b = n_a + 1, s_a + steps, n_b - 1, s_b - steps
            cuts.append(((n_a, s_a), (n_b, s_b)))
    return cuts


def unknown_pool(
    table: RuleTable,
    groups: str | Sequence[str],
    given: dict[str, str] | None = None,
    *,
    outcome: str | None = None,
    recorded: RecordedNumbers | None = None,
) -> UnknownPool | None:
    """The groups of some attributes in a stratum with those who may belong to them; None where all are known.

    By their rates of an outcome, the favourable one unless told: as announced, or as `recorded`.
    """
    cells = table.cells
    names = [groups] if isinstance(groups, str) else list(groups)
    if all(cells.process.attribute(name).unknown is None for name in names):
        return None
    stratum = _stratum(cells, given or {})
    unknown = np.zeros(len(cells), dtype=bool)
    for name in names:
        attribute = cells.process.attribute(name)
        if attribute.unknown is not None:
            unknown |= cells.column(name) == attribute.values.index(attribute.unknown)
    present = [(n, m & stratum) for n, m in named_groups(cells, groups) if (m & stratum).any()]
    places = np.flatnonzero(unknown & stratum)
    if not len(places) or len(present) < 2:
        return None
    people = cells.population.tolist()
    announced = table.announced_of(outcome or cells.process.outcome.favourable).tolist()
    steps, scale = (announced, table.scale) if recorded is None else recorded.in_steps
    pooled: dict[tuple[int, tuple[int, ...]], int] = {}
    for place in places.tolist():
        may_join = tuple(
            index
            for index, (_, mask) in enumerate(present)
            if _agrees(cells, names, place, int(mask.argmax()))
        )
        if may_join:
            key = (steps[place], may_join)
            pooled[key] = pooled.get(key, 0) + people[place]
    return UnknownPool(
        names=tuple(name for name, _ in present),
        known=tuple(
            (int(cells.population[mask].sum()), sum(people[i] * steps[i] for i in np.flatnonzero(mask)))
            for _, mask in present
        ),
        cells=tuple(UnknownCell(number, step, among) for (step, among), number in sorted(pooled.items())),
        scale=scale,
        is_counted=table.population == "counts",
    )


def _stratum(cells: Cells, given: dict[str, str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    mask = np.ones(len(cells), dtype=bool)
    for name, value in given.items():
        mask &= cells.column(name) == cells.process.attribute(name).values.index(value)
    return mask


def _agrees(cells: Cells, names: Sequence[str], unknown: int, member: int) -> bool:
    """Whether a cell of unknown group could belong to a member's group: all that is known of it agrees."""
    mine, theirs = (cells.labels(i, tuple(map(cells.process.attribute, names))) for i in (unknown, member))
    return all(mine[name] in (cells.process.attribute(name).unknown, theirs[name]) for name in names)
