"""What several releases promise together to a person who was decided under each of them. Published figures only, exact.

β of one report says nothing of two decisions. The odds factor does: decisions that are independent, once a person's record
is given, multiply, so whoever takes each announced rule for the truth finds odds moved by at most the product of factors.
Where a release does not state its factor, it follows from the announced rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from atreport.kit.language import say
from atreport.kit.numbers import count, short
from atreport.kit.rounding import rounded_up
from atreport.pages.wording import group_name
from atreport.population.cells import Cells
from atreport.report.rule import PublishedRule
from atreport.verification.union_attack import same_questions

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
        products = [_product(one, other) for one, other in zip(products, _aligned(release, new), strict=True)]
    worst = max(
        range(len(products)), key=lambda group: (products[group] is None, products[group] or Fraction(0))
    )
    return Composed(releases=len(alike) + 1, group=worst, odds=products[worst], alone=alone[worst])


def composed_in_words(composed: Composed, new: PublishedRule) -> str:
    """The same for readers."""
    cells = new.arranged
    name = group_name(cells, int(cells.group_starts[composed.group])) or say("Everybody")
    releases, decimals = count(composed.releases), new.policy.decimals
    if composed.odds is None:
        return say(
            "A person decided once under each of these {releases} releases: no factor bounds how far odds move "
            "({group}), since an outcome rules something out",
            releases=releases,
            group=name,
        )
    if composed.odds == 1:
        return say(
            "A person decided once under each of these {releases} releases: to somebody who knows their group, the "
            "outcomes tell nothing more about them than was known before",
            releases=releases,
        )
    return say(
        "A person decided once under each of these {releases} releases: whatever somebody who knows their group believed "
        "about them, its odds move by at most the factor {odds} ({group}; this report alone: {alone})",
        releases=releases,
        odds=_words(composed.odds, decimals),
        group=name,
        alone=_words(composed.alone, decimals),
    )


def _words(factor: Factor, decimals: int) -> str:
    """A factor, rounded up."""
    if factor is None:
        return say("unbounded")
    return short(rounded_up(factor, decimals)) if factor < MILLION else say("of over a million")


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


def _aligned(old: PublishedRule, new: PublishedRule) -> list[Factor]:
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


def _product(one: Factor, other: Factor) -> Factor:
    return None if one is None or other is None else one * other


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
