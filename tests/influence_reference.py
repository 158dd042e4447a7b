"""Influence from its definitions: plain loops over people and draws, in fractions. No code of the program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, permutations

Person = tuple[int, ...]


@dataclass(frozen=True)
class World:
    """Who is there, how many of them, and how likely each is favoured."""

    people: Mapping[Person, int]
    favoured: Mapping[Person, Fraction]

    @property
    def total(self) -> int:
        """All people."""
        return sum(self.people.values())

    def after(self, person: Person, drawn: Sequence[int], other: Person) -> Person:
        """The person with some attributes of another; unchanged where nobody is like that."""
        changed = tuple(other[k] if k in drawn else value for k, value in enumerate(person))
        return changed if changed in self.people else person

    def rate(self, group: Sequence[Person], drawn: Sequence[int] = ()) -> Fraction:
        """The favourable rate of a group when some attributes are drawn anew from the population."""
        number = sum(self.people[x] for x in group)
        total = Fraction(0)
        for x in group:
            for y, often in self.people.items():
                total += self.people[x] * often * self.favoured[self.after(x, drawn, y)]
        return total / (number * self.total)

    def qii(self, group: Sequence[Person], drawn: Sequence[int]) -> Fraction:
        """What a group's rate loses when attributes are drawn anew."""
        return self.rate(group) - self.rate(group, drawn)

    def shapley(self, group: Sequence[Person]) -> list[Fraction]:
        """The average over all orders of what each attribute adds to the influence of those before it."""
        attributes = len(next(iter(self.people)))
        orders = list(permutations(range(attributes)))
        influence = {}
        values = [Fraction(0)] * attributes
        for order in orders:
            for place, attribute in enumerate(order):
                for drawn in (order[:place], order[: place + 1]):
                    key = frozenset(drawn)
                    if key not in influence:
                        influence[key] = self.qii(group, sorted(drawn))
                added = influence[frozenset(order[: place + 1])] - influence[frozenset(order[:place])]
                values[attribute] += added / len(orders)
        return values

    def permutation(self, attribute: int) -> Fraction:
        """The average size of the change when an attribute is drawn anew."""
        total = Fraction(0)
        for x, number in self.people.items():
            for y, often in self.people.items():
                change = self.favoured[x] - self.favoured[self.after(x, [attribute], y)]
                total += number * often * abs(change)
        return total / self.total**2

    def variance_of_rates(self, attribute: int) -> Fraction:
        """The square of FIRM."""
        mean = self.rate(list(self.people))
        total = Fraction(0)
        for value in {x[attribute] for x in self.people}:
            group = [x for x in self.people if x[attribute] == value]
            total += sum(self.people[x] for x in group) * (self.rate(group) - mean) ** 2
        return total / self.total

    def partial_dependence(self, attribute: int, value: int) -> Fraction:
        """The rate if everybody had a value; those who cannot keep theirs."""
        total = Fraction(0)
        for x, number in self.people.items():
            moved = (*x[:attribute], value, *x[attribute + 1 :])
            total += number * self.favoured[moved if moved in self.people else x]
        return total / self.total

    def accumulated_effects(self, attribute: int) -> dict[int, Fraction] | None:
        """Local effects added up along the values that occur, centred; None where a step has nobody."""
        values = sorted({x[attribute] for x in self.people})
        level, curve = Fraction(0), {values[0]: Fraction(0)}
        for before, after in pairwise(values):
            effect, number = Fraction(0), 0
            for x, often in self.people.items():
                low, high = ((*x[:attribute], v, *x[attribute + 1 :]) for v in (before, after))
                if x[attribute] in (before, after) and low in self.people and high in self.people:
                    effect += often * (self.favoured[high] - self.favoured[low])
                    number += often
            if not number:
                return None
            level += effect / number
            curve[after] = level
        mean = sum((self.people[x] * curve[x[attribute]] for x in self.people), Fraction(0)) / self.total
        return {value: height - mean for value, height in curve.items()}
