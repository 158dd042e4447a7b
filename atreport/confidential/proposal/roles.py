"""Which columns people are compared by, and which must not be inferred: ranked, with reasons.

Sex, race, age and disability come first. Columns that say the same, or of which one tells the other, are used once: the
coarser of two, since it gives less away.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from atreport.confidential.proposal import vocabulary
from atreport.confidential.proposal.column_profile import MOST_VALUES, FileProfile, Profile
from atreport.confidential.proposal.dependence import Dependences
from atreport.confidential.proposal.question import Choice, Question
from atreport.confidential.proposal.vocabulary import PROTECTED, names, protected_as, words_of

MOST_PUBLIC = 3
"""So many public attributes are proposed: each multiplies the groups, and small groups cannot be protected."""

MOST_SHOWN = 8


def usable_beside(profile: FileProfile, outcome: Profile, dependences: Dependences) -> list[Profile]:
    """The columns that can be attributes: not the outcome, nor the outcome under another name or cut into ranges."""
    same = dependences.same(outcome.name) | dependences.told_by(outcome.name)
    return [column for column in profile.usable if column is not outcome and column.name not in same]


def public_question(usable: Sequence[Profile], dependences: Dependences) -> Question:
    """Which columns others may know of a person. Sure for sex, race and age; disability is for the author to say."""
    protected = [
        (column, f"{kind}: people are compared by it first")
        for kind in PROTECTED
        for column in usable
        if protected_as(column.name) == kind
    ]
    known = [
        (column, why)
        for pattern, why in (
            (vocabulary.NEAR_PROTECTED, "a law may protect it, and others can often see it"),
            (vocabulary.KNOWN_TO_OTHERS, "others may know it of a person"),
        )
        for column in usable
        if column.is_category and not protected_as(column.name) and names(pattern, column.name)
    ]
    ranked = _once([*protected, *known], dependences)
    chosen = [column for column, _ in ranked if protected_as(column.name) != "disability"]
    # beside columns that a law protects no others are proposed: each makes the groups smaller
    first = [column for column in chosen if protected_as(column.name)]
    likely = tuple(column.name for column in (first or chosen[:1])[:MOST_PUBLIC])
    rest = [column for column in usable if column.is_category and column not in [c for c, _ in ranked]]
    return Question(
        about="public",
        text="Which columns may others know of a person?",
        choices=tuple(
            [
                *(Choice(answer=column.name, reasons=(why,)) for column, why in ranked),
                *(Choice(answer=column.name) for column in rest),
            ][:MOST_SHOWN]
        ),
        also=tuple(column.name for column in usable),
        likely=likely,
        sure=bool(first),
        several=True,
    )


def sensitive_question(
    usable: Sequence[Profile], public: Collection[str], dependences: Dependences
) -> Question:
    """Which column must not be inferred. Sure where its name is that of something people keep to themselves."""
    related = frozenset[str]().union(*(dependences.related(name) for name in public))
    others_than_public = [column for column in usable if column.name not in public]
    left = [column for column in others_than_public if column.name not in related] or others_than_public
    named = [
        (column, "people would not want it to be inferred of them")
        for pattern in vocabulary.MUST_NOT_BE_INFERRED
        for column in sorted(left, key=lambda each: not _ends_with(pattern, each.name))
        if names(pattern, column.name)
    ]
    disabled = [(c, "a law protects it") for c in left if protected_as(c.name) == "disability"]
    ranked = _once([*named, *disabled], dependences)
    measures = [column for column in left if column.is_measure]
    others = [c for c in [*measures, *left] if c not in [column for column, _ in ranked]]
    choices = [
        *(Choice(answer=column.name, reasons=(why,)) for column, why in ranked),
        *(Choice(answer=name) for name in dict.fromkeys(column.name for column in others)),
    ]
    return Question(
        about="sensitive",
        text="Which column must not be inferred from the report and a person's outcome?",
        choices=tuple(choices[:MOST_SHOWN]),
        also=tuple(column.name for column in usable),
        likely=tuple(choice.answer for choice in choices[:1]),
        sure=bool(named),
        several=True,
    )


def role_question(name: str) -> Question:
    """Which role a column has by which people should be compared. Never sure."""
    return Question(
        about="role",
        text=f"People are compared by '{name}' too. What is it?",
        choices=(
            Choice(answer="public", reasons=("others may know it of a person",)),
            Choice(
                answer="sensitive", reasons=("must not be inferred from the report and a person's outcome",)
            ),
            Choice(answer="private", reasons=("neither",)),
        ),
        likely=("sensitive",),
    )


def _ends_with(pattern: str, name: str) -> bool:
    """Whether the last word of a name is one that a pattern knows: what a column is comes last in its name."""
    return re.fullmatch(pattern, words_of(name)[-1]) is not None if words_of(name) else False


def _once(ranked: Iterable[tuple[Profile, str]], dependences: Dependences) -> list[tuple[Profile, str]]:
    """Each column once; of columns of which one tells the other, the coarser, in the place of the first."""
    given = list({column.name: (column, why) for column, why in reversed(list(ranked))}.values())[::-1]
    kept: list[tuple[Profile, str]] = []
    for column, why in given:
        finer = next((i for i, (c, _) in enumerate(kept) if c.name in dependences.telling(column.name)), None)
        coarser = any(c.name in dependences.told_by(column.name) for c, _ in kept)
        if coarser:
            continue
        if finer is None:
            kept.append((column, why))
        elif column.distinct <= MOST_VALUES:
            kept[finer] = (column, why)
    return kept
