"""Attack the union of releases: what somebody who reads several reports on the same process learns that no single one tells.

Two things add up. *Rules*: each report says where the true probabilities lie, and those bands intersect. *People*: where
the population is published each time, somebody who knows who joined a group sees in which cells it grew.

A pair tells more than it should in three ways, all measured on published figures only, exactly:

certain     whatever rule is consistent with all releases, the confidence in a value is above what the new report states.
            One release alone never does this: its own announced rule is consistent with it, and keeps β.
middle      an observer who believes evenly in all that the releases leave open (so takes the middle of the intersection)
            is more confident than the new report states, and than the same observer was from any one of the releases.
joined      of the people who joined a group since an earlier release, so many went into cells of one value that a person
            known to have joined is given away with more confidence than the new report states for the group.

The same figures published again add nothing, in any of these ways.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, IntArray, run_starts
from atreport.core.exact import run_sums
from atreport.pages.wording import group_name
from atreport.report.rule import PublishedRule
from atreport.text.language import count, gettext, message
from atreport.text.numbers import full_percent, rounded_up, short

Numbers = NDArray[Any]
"""Whole numbers of any size."""

MOST_CELLS_TO_COUNT = 2000
MOST_PEOPLE_TO_COUNT = 20_000
"""Up to here, counts are worked out from rounded shares, as a reader could."""


_WAYS = {
    "certain": message(
        "{group}: whoever reads this report and earlier ones is certain to be at least {found} sure of a sensitive "
        "value; this report promises {stated}"
    ),
    "middle": message(
        "{group}: whoever weighs all that the reports together leave open is {found} sure of a sensitive value, more "
        "than any of them alone tells; this report promises {stated}"
    ),
    "joined": message(
        "{group}: the cells that grew since an earlier release give a person who joined away with {found}; this report "
        "promises {stated}"
    ),
}
"""What several releases tell about a group; to be said with `gettext`."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """One way in which the releases together tell more about a group than the new one states."""

    way: Literal["certain", "middle", "joined"]
    group: int  # in the new release
    confidence: Fraction
    stated: Fraction


@dataclass(frozen=True, kw_only=True, eq=False)
class _Bands:
    """Where the true probability of each outcome can lie; whole numbers over one denominator, (cells, outcomes)."""

    lower: Numbers
    upper: Numbers
    denominator: int


def attack_union(
    past: Sequence[PublishedRule], new: PublishedRule, population: IntArray | None = None
) -> list[Told]:
    """Everything that past releases and the new one tell together and the new one's β does not cover.

    `population` are the people in each cell of the new release, for a publisher who knows them exactly; when left out,
    they are those that the release publishes, and where it withholds them, what the rules tell is not measured.
    """
    alike = [release for release in past if same_questions(release, new)]
    found: list[Told] = []
    if population is None and new.policy.population != "withheld":
        population = new.arranged.population
    if alike and population is not None:
        found += _rules(alike, new, population)
    for release in alike:
        found += _joined(release, new)
    return found


def told_in_words(told: Told, new: PublishedRule) -> str:
    """What several releases tell about a group, for readers."""
    cells = new.arranged
    name = group_name(cells, int(cells.group_starts[told.group])) or gettext("Everybody")
    stated, found = (
        full_percent(Decimal(f"{float(number):.3f}")) for number in (told.stated, told.confidence)
    )
    return gettext(_WAYS[told.way], group=name, found=found, stated=stated)


def not_comparable(past: Sequence[PublishedRule], new: PublishedRule) -> int:
    """How many past releases ask about other attributes or outcomes, so that cells cannot be matched."""
    return sum(not same_questions(release, new) for release in past)


def same_questions(old: PublishedRule, new: PublishedRule) -> bool:
    """Whether two releases ask about the same attributes and outcomes, so that cells can be matched."""
    first, second = old.process, new.process
    names = [sorted(attribute.name for attribute in process.attributes) for process in (first, second)]
    return names[0] == names[1] and set(first.outcome.values) == set(second.outcome.values)


def _bands(release: PublishedRule) -> _Bands:
    bands = [release.rule_table.truth_of(outcome) for outcome in release.process.outcome.values]
    whole = math.lcm(*(band.denominator for band in bands))
    lower, upper = (
        np.column_stack([np.asarray(getattr(b, end), dtype=object) * (whole // b.denominator) for b in bands])
        for end in ("lower", "upper")
    )
    return _Bands(lower=lower, upper=upper, denominator=whole)


def _rules(past: Sequence[PublishedRule], new: PublishedRule, people: IntArray) -> Iterator[Told]:
    own, cells = _bands(new), new.arranged
    together = own
    alone = [_most_confident(cells, people, own.lower + own.upper, own.lower + own.upper)]
    for release in past:
        theirs = _aligned(_bands(release), release, new)
        middles = _middles_alone(theirs, own)
        alone.append(_most_confident(cells, people, middles, middles))
        together = _intersection(together, theirs)
    certain = _most_confident(cells, people, together.lower, together.upper)
    middles = together.lower + together.upper
    middle = _most_confident(cells, people, middles, middles)
    for group, stated in enumerate(_stated(new)):
        if certain[group] > stated:
            yield Told(way="certain", group=group, confidence=certain[group], stated=stated)
        elif middle[group] > max(stated, *(each[group] for each in alone)):
            yield Told(way="middle", group=group, confidence=middle[group], stated=stated)


def _stated(release: PublishedRule) -> list[Fraction]:
    """The confidence that a release promises not to exceed, for each group."""
    return [Fraction(group.beta) for group in release.privacy.groups]


def _aligned(bands: _Bands, old: PublishedRule, new: PublishedRule) -> tuple[_Bands, NDArray[np.bool_]]:
    """The bands of an old release for the cells of the new one; and which of those it knew."""
    place = {key: cell for cell, key in enumerate(_keys(old.arranged, new.arranged))}
    found = np.array([place.get(key, -1) for key in _keys(new.arranged, new.arranged)])
    columns = [old.process.outcome.values.index(o) for o in new.process.outcome.values]
    known = found >= 0
    lower, upper = (bound[np.where(known, found, 0)][:, columns] for bound in (bands.lower, bands.upper))
    return _Bands(lower=lower, upper=upper, denominator=bands.denominator), known


def _keys(cells: Cells, like: Cells) -> list[tuple[str, ...]]:
    """The values of every cell, attributes in the order of another release."""
    columns = []
    for attribute in like.process.attributes:
        values = cells.process.attribute(attribute.name).values
        columns.append([values[code] for code in cells.column(attribute.name).tolist()])
    return list(zip(*columns, strict=True))


def _intersection(one: _Bands, other: tuple[_Bands, NDArray[np.bool_]]) -> _Bands:
    """What both leave open; the first alone in cells that the other does not know, or where the rule has changed."""
    bands, known = other
    whole = math.lcm(one.denominator, bands.denominator)
    mine, theirs = whole // one.denominator, whole // bands.denominator
    lower, upper = one.lower * mine, one.upper * mine
    least, most = np.maximum(lower, bands.lower * theirs), np.minimum(upper, bands.upper * theirs)
    possible = known & (least <= most).all(axis=1)
    possible &= (least.sum(axis=1) <= whole) & (most.sum(axis=1) >= whole)
    least = np.where(possible[:, None], least, lower)
    most = np.where(possible[:, None], most, upper)
    # what an outcome may be, given what the others of its cell may be
    others_most = most.sum(axis=1, keepdims=True) - most
    others_least = least.sum(axis=1, keepdims=True) - least
    return _Bands(
        lower=np.maximum(least, whole - others_most),
        upper=np.minimum(most, whole - others_least),
        denominator=whole,
    )


def _middles_alone(theirs: tuple[_Bands, NDArray[np.bool_]], own: _Bands) -> Numbers:
    """What the observer in the middle knew from one old release alone; of cells it did not know, from the new one."""
    bands, known = theirs
    whole = math.lcm(own.denominator, bands.denominator)
    return np.where(
        known[:, None],
        (bands.lower + bands.upper) * (whole // bands.denominator),
        (own.lower + own.upper) * (whole // own.denominator),
    )


def _most_confident(cells: Cells, population: IntArray, own: Numbers, others: Numbers) -> list[Fraction]:
    """For each group the largest confidence, a value's cells having the probabilities `own`, all others `others`."""
    people = population.astype(object)
    best = [Fraction(0)] * len(cells.group_starts)
    for outcome in range(own.shape[1]):
        mine_of, rest_of = people * own[:, outcome], people * others[:, outcome]
        rest = run_sums(rest_of, cells.group_starts)
        for protected in cells.protected:
            mine = protected.sums(mine_of)
            total = mine + rest[protected.group] - protected.sums(rest_of)
            for group, part, whole in zip(protected.group.tolist(), mine, total, strict=True):
                if whole and part * best[group].denominator > best[group].numerator * whole:
                    best[group] = Fraction(int(part), int(whole))
    return best


def _joined(old: PublishedRule, new: PublishedRule) -> Iterator[Told]:
    """Groups in which the people who joined are given away by the cells that grew."""
    counts = [_counts(release) for release in (old, new)]
    if counts[0] is None or counts[1] is None:
        return
    before = dict(zip(_keys(old.arranged, new.arranged), counts[0].tolist(), strict=True))
    now, cells, promised = counts[1], new.arranged, _stated(new)
    grown = np.array(
        [
            n - before.get(key, 0)
            for key, n in zip(_keys(new.arranged, new.arranged), now.tolist(), strict=True)
        ]
    )
    people = run_sums(now, cells.group_starts)
    moved = run_sums(np.abs(grown), cells.group_starts)
    more = np.maximum(grown, 0)
    joined = run_sums(more, cells.group_starts)
    for protected in cells.protected:
        largest = np.maximum.reduceat(protected.sums(more), run_starts(protected.group))
        for group in np.flatnonzero(joined > 0).tolist():
            if 2 * moved[group] > people[group]:
                continue  # another population, not the same with some people more or fewer
            confidence = Fraction(int(largest[group]), int(joined[group]))
            if confidence > promised[group]:
                yield Told(way="joined", group=group, confidence=confidence, stated=promised[group])


def _counts(release: PublishedRule) -> IntArray | None:
    """The people in each cell as a reader knows them: as published, or worked out from shares of a small population."""
    policy = release.policy
    if not policy.small_cells.is_exact:
        return None
    if policy.population == "counts":
        return release.arranged.population
    if policy.share_decimals is None or len(release.cells) > MOST_CELLS_TO_COUNT:
        return None  # withheld, or too many
    whole, shares = 10**policy.share_decimals, release.arranged.population.astype(object)
    for total in range(len(shares), MOST_PEOPLE_TO_COUNT):
        first = round(Fraction(int(shares[0]) * total, whole))
        if (2 * first * whole + total) // (2 * total) != shares[0]:
            continue
        counts = (2 * shares * total + whole) // (2 * whole)
        if counts.sum() == total and ((2 * counts * whole + total) // (2 * total) == shares).all():
            return np.asarray(counts, dtype=np.int64)
    return None


# What several releases promise together to a person who was decided under each of them. Published figures
# only, exact.
#
# β of one report says nothing of two decisions. The odds factor does: decisions that are independent, once a
# person's record is given, multiply, so whoever takes each announced rule for the truth finds odds moved by
# at most the product of factors. Where a release does not state its factor, it follows from the announced
# rule.

MILLION = 1_000_000
"""Larger factors are not worth their digits."""

Factor = Fraction | None
"""An odds factor; None: unbounded."""


@dataclass(frozen=True, kw_only=True)
class Composed:
    """The group in which decisions under several releases can move odds most."""

    releases: int  # how many, the new one included
    group: int  # in the new release
    odds: Factor
    alone: Factor  # of the new release in that group


def compose_odds(past: Sequence[PublishedRule], new: PublishedRule) -> Composed | None:
    """The worst group for a person decided once under each release; None where no earlier one can be compared."""
    alike = [release for release in past if same_questions(release, new)]
    if not alike:
        return None
    alone = group_factors(new)
    products = list(alone)
    for release in alike:
        products = [
            None if one is None or other is None else one * other
            for one, other in zip(products, _aligned_factors(release, new), strict=True)
        ]
    worst = max(
        range(len(products)), key=lambda group: (products[group] is None, products[group] or Fraction(0))
    )
    return Composed(releases=len(alike) + 1, group=worst, odds=products[worst], alone=alone[worst])


def composed_in_words(composed: Composed, new: PublishedRule) -> str:
    """The same for readers."""
    cells = new.arranged
    name = group_name(cells, int(cells.group_starts[composed.group])) or gettext("Everybody")
    words = message(
        "A person decided once under each of these {releases} releases: whatever somebody who knows their group believed "
        "about them, its odds move by at most the factor {odds} ({group}; this report alone: {alone})"
    )
    if composed.odds is None:
        words = message(
            "A person decided once under each of these {releases} releases: no factor bounds how far odds move "
            "({group}), since an outcome rules something out"
        )
    elif composed.odds == 1:
        words = message(
            "A person decided once under each of these {releases} releases: to somebody who knows their group, the "
            "outcomes tell nothing more about them than was known before"
        )
    odds, alone = (_words(factor, new.policy.decimals) for factor in (composed.odds, composed.alone))
    return gettext(words, releases=count(composed.releases), odds=odds, group=name, alone=alone)


def _words(factor: Factor, decimals: int) -> str:
    """A factor, rounded up."""
    if factor is None:
        return gettext("unbounded")
    return short(rounded_up(factor, decimals)) if factor < MILLION else gettext("of over a million")


def group_factors(release: PublishedRule) -> list[Factor]:
    """The odds factor of every group of a release, from its announced rule."""
    rule = release.rule_table
    ends = [*rule.cells.group_starts.tolist()[1:], len(rule.cells)]
    found: list[Factor] = []
    for start, end in zip(rule.cells.group_starts.tolist(), ends, strict=True):
        here = rule.mapping[start:end]
        pairs = [
            (int(most), int(least)) for most, least in zip(here.max(axis=0), here.min(axis=0), strict=True)
        ]
        if any(most and not least for most, least in pairs):
            found.append(None)
        else:
            found.append(max((Fraction(most, least) for most, least in pairs if least), default=Fraction(1)))
    return found


def _aligned_factors(old: PublishedRule, new: PublishedRule) -> list[Factor]:
    """The factors of an old release for the groups of a new one: 1 where nobody of a group was decided under it."""
    factors = group_factors(old)
    names = {attribute.name for attribute in new.process.of_role("public")}
    if names != {attribute.name for attribute in old.process.of_role("public")}:
        # other groups: a person can have been in any of them
        worst = None if None in factors else max(factor for factor in factors if factor is not None)
        return [worst] * len(new.arranged.group_starts)
    before = dict(zip(_qids(old.arranged), factors, strict=True))
    return [before.get(qid, Fraction(1)) for qid in _qids(new.arranged)]


def _qids(cells: Cells) -> list[frozenset[tuple[str, str]]]:
    public = cells.process.of_role("public")
    return [frozenset(cells.labels(int(start), public).items()) for start in cells.group_starts]


def choices_changed(past: Sequence[tuple[str, PublishedRule]], new: PublishedRule) -> list[str]:
    """Warnings where an earlier release (by its version) chose among announcements in another way than the new one.

    The same truth is then announced a second time, and the two can be laid side by side. Most earlier choices can be kept.
    """
    words = []
    for version, old in past:
        if not same_questions(old, new) or old.policy.mechanism != new.policy.mechanism:
            continue
        key, was, now, advice = "grid", str(old.policy.grid or "even"), str(new.policy.grid or "even"), ""
        if new.policy.mechanism != "calibrated":
            key = "minimise"
            was, now = (f"[{', '.join(release.policy.minimise or ('beta',))}]" for release in (old, new))
            advice = f". Write '{key}: {was}' under policy to keep to it"
        if was != now:
            words.append(
                f"version {version} was announced with '{key}: {was}', this one with '{key}: {now}': the same truth "
                f"would be announced again in another way{advice}"
            )
    return words
