"""Which column says how cases were decided, and which of its values people hope for: candidates with their reasons.

Points are given for a column's name, its place, the number of its values and what they look like. They rank; whether the
first is taken without asking depends on how far ahead it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atreport.confidential.proposal import vocabulary
from atreport.confidential.proposal.column_profile import FileProfile, Profile
from atreport.confidential.proposal.dependence import Dependences
from atreport.confidential.proposal.question import Choice, Question
from atreport.confidential.proposal.vocabulary import end_of, is_yes_and_no, names, protected_as
from atreport.spec.models.process import MAX_OUTCOMES

ENOUGH, AHEAD = 6, 3
"""A column is taken for the outcome without asking where it has so many points, and so many more than the next one."""

MOST_SHOWN = 5
"""So many candidates are shown."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A column that may say how cases were decided."""

    column: Profile
    points: int
    reasons: tuple[str, ...]


def rank_outcomes(profile: FileProfile) -> tuple[Candidate, ...]:
    """The columns that may be the outcome, the likeliest first."""
    usable = profile.usable
    places = [column.place for column in usable]
    found = [
        _candidate(column, first=column.place == min(places), last=column.place == max(places))
        for column in usable
        if (column.is_category and column.distinct <= MAX_OUTCOMES) or column.place == max(places)
    ]
    return tuple(sorted(found, key=lambda each: (-each.points, each.column.place)))


def _candidate(column: Profile, *, first: bool, last: bool) -> Candidate:
    said = [
        *_by_name(column.name, last=last),
        *([(2, "it is the last column")] if last else [(1, "it is the first column")] if first else []),
        *_by_values(column),
    ]
    return Candidate(
        column=column, points=sum(points for points, _ in said), reasons=tuple(why for _, why in said)
    )


def _by_name(name: str, *, last: bool) -> list[tuple[int, str]]:
    if protected_as(name) or names(vocabulary.NEAR_PROTECTED, name):
        return [(-4, "its name is that of something about a person")]
    if names(vocabulary.DECISIONS, name) or (last and names(vocabulary.USUAL_LAST, name)):
        return [(4, "its name is that of a decision")]
    if names(vocabulary.LIKELY_DECISIONS, name):
        return [(3, "its name is often that of an outcome")]
    if names(vocabulary.PERHAPS_DECISIONS, name):
        return [(2, "its name is sometimes that of an outcome")]
    return []


def _by_values(column: Profile) -> list[tuple[int, str]]:
    if column.is_measure:
        return [(-1, f"it is a number with {column.distinct:,} values, which would have to be cut")]
    listed = ", ".join(column.values[:4]) + (", …" if column.distinct > 4 else "")
    points = 2 if column.distinct == 2 else 1 if column.distinct <= 4 else 0
    said = [(points, f"it has {column.distinct} values: {listed}")]
    ends = {end_of(value) for value in column.values}
    if ends == {"good", "bad"} or set(column.values) == {"+", "-"}:
        said.append((3, "they look like the ends of a decision"))
    elif is_yes_and_no(column.values) or any(value[:1] in "<>" for value in column.values):
        said.append((1, "they look like an answer"))
    return said


def outcome_question(ranked: Sequence[Candidate], dependences: Dependences) -> Question:
    """Which column is the outcome. Sure where the first is well ahead of every column that does not say the same.

    Of columns that say the same, the first is the one whose favourable value is known.
    """
    first = ranked[0]
    same = dependences.same(first.column.name) | {first.column.name}
    twins = [each for each in ranked if each.column.name in same and each.points >= first.points]
    best = next((each for each in twins if known_favourable(each.column.name, each.column.values)), first)
    others = [each for each in ranked if each.column.name not in same]
    ahead = best.points - max((each.points for each in others), default=0)
    shown = [best, *(each for each in ranked if each is not best)][:MOST_SHOWN]
    return Question(
        about="outcome",
        text="Which column says how each case was decided?",
        choices=tuple(Choice(answer=each.column.name, reasons=each.reasons) for each in shown),
        likely=(best.column.name,),
        also=tuple(each.column.name for each in ranked),
        sure=best.points >= ENOUGH and ahead >= AHEAD,
    )


def known_favourable(name: str, values: Sequence[str]) -> tuple[str, str] | None:
    """The value that people hope for, and why; None where neither the values nor the column's name say it."""
    ends = {value: end_of(value) for value in values}
    good = [value for value, end in ends.items() if end == "good"]
    if len(good) == 1 and all(end == "bad" for value, end in ends.items() if value != good[0]):
        return good[0], "what the outcomes are called says it"
    if not is_yes_and_no(values) or names(vocabulary.NEGATED, name):
        return None
    yes = next(value for value in values if value.lower() in vocabulary.YES)
    no = next(value for value in values if value != yes)
    hoped, feared = names(vocabulary.HOPED_FOR, name), names(vocabulary.FEARED, name)
    if hoped == feared:
        return None
    why = f"'{name}' is what people {'hope for' if hoped else 'fear'}"
    return (yes, why) if hoped else (no, why)


def favourable_question(name: str, values: Sequence[str]) -> Question:
    """Which value of the outcome is the favourable one. Sure only where a word says it of all values there are."""
    known = known_favourable(name, values)
    return Question(
        about="favourable",
        text=f"Which value of '{name}' do people hope for?",
        choices=tuple(
            Choice(answer=value, reasons=(known[1],) if known and value == known[0] else ())
            for value in values
        ),
        likely=() if known is None else (known[0],),
        sure=known is not None,
    )
