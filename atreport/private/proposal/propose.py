"""Turn a data file into a proposal for its spec: which column is the outcome, which are public, which is sensitive.

What words and figures make sure is taken; everything else is asked, and left in the spec as a question where nobody
answers. A build refuses the spec until it is answered.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from atreport.errors import UsageError
from atreport.private.data.binning import shortest_between
from atreport.private.data.data_files import name_in_sql
from atreport.private.data.record_source import Counting, RecordSource, Talk
from atreport.private.proposal import vocabulary
from atreport.private.proposal.column_profile import (
    LONGEST_NAME,
    MOST_ROWS,
    MOST_VALUES,
    FileProfile,
    Profile,
    can_be_named,
)
from atreport.private.proposal.proposed_spec import NOT_NEEDED, Proposal, ProposedColumn
from atreport.private.proposal.reading import Dependences, Reading
from atreport.private.proposal.vocabulary import (
    PROTECTED,
    Ask,
    PossibleAnswer,
    Question,
    end_of,
    is_yes_and_no,
    names,
    protected_as,
    words_of,
)
from atreport.spec.checks import RESERVED_NAMES
from atreport.spec.process import MAX_OUTCOMES
from atreport.spec.yaml import did_you_mean

Answers = Mapping[str, tuple[str, ...]]
"""What the author has said already, by what it is about: outcome, favourable, public, sensitive."""


def propose(
    reading: Reading, ask: Ask, answers: Answers | None = None, talk: Talk = lambda _words: None
) -> Proposal:
    """Propose a spec for a file that was looked at. `answers` are not asked for again.

    Raises:
        UsageError: an answer does not fit the file, or nothing in it can be an outcome or an attribute.
    """
    given = answers or {}
    columns = {column.name: column for column in reading.profile.columns}
    outcome, outcome_open = _outcome(reading, ask, given, columns)
    usable = usable_beside(reading.profile, outcome, reading.dependences)
    if not usable:
        raise UsageError("beside the outcome no column of this file could be an attribute")
    talk("values")
    decided = propose_column(reading.source, outcome, "outcome")
    favourable, favourable_open = _answered(
        favourable_question(outcome.name, decided.values), ask, given, decided.values
    )
    attributes = _attributes(reading, ask, given, usable, decided, talk)
    used = {outcome.name, *(attribute.column for attribute in attributes)}
    shown = [columns[name] for name in used]
    missing = sum(column.missing for column in shown)
    return Proposal(
        looked_at=reading.profile.rows,
        outcome=decided,
        outcome_open=outcome_open,
        outcome_cut=outcome.is_measure,
        favourable=None if favourable_open else favourable[0],
        attributes=attributes,
        marks=tuple(sorted({mark for column in shown for mark in column.marks})),
        missing=missing,
        exclude=missing > 0 or reading.profile.rows >= MOST_ROWS,  # those not looked at may lack something
        decimal=reading.decimal,
        not_used=tuple(_not_used(reading, used)),
        warnings=tuple(_warnings(reading, outcome, used)),
    )


def _outcome(
    reading: Reading, ask: Ask, given: Answers, columns: Mapping[str, Profile]
) -> tuple[Profile, tuple[str, ...]]:
    """The outcome, and the candidates where it is still open which it is."""
    ranked = rank_outcomes(reading.profile)
    if not ranked:
        raise UsageError(
            f"no column of this file has from two to {MAX_OUTCOMES} different values, so none can be the outcome.\n"
            "  A file of records has a column that says how each case was decided."
        )
    question = outcome_question(ranked, reading.dependences)
    answer, is_open = _answered(question, ask, given, tuple(columns))
    column = columns[answer[0]]
    if not column.is_usable:
        raise UsageError(
            f"column '{column.name}' cannot be the outcome: it {dict(reading.left_out)[column.name]}"
        )
    if column.is_category and column.distinct > MAX_OUTCOMES:
        raise UsageError(
            f"column '{column.name}' cannot be the outcome: it has {column.distinct} different texts, and a process has at "
            f"most {MAX_OUTCOMES} outcomes"
        )
    return column, tuple(choice.answer for choice in question.choices) if is_open else ()


def _answered(
    question: Question,
    ask: Ask,
    given: Answers,
    allowed: Sequence[str],
    why_not: Mapping[str, str] | None = None,
) -> tuple[tuple[str, ...], bool]:
    """The answers to a question, and whether it is still open: then they are what would be likely.

    `why_not` says of columns that exist why they cannot be an answer.
    """
    said = given.get(question.about)
    if said is not None:
        for answer in said:
            if answer not in allowed and answer in (why_not or {}):
                raise UsageError(
                    f"--{question.about}: '{answer}' cannot be used: it {(why_not or {})[answer]}"
                )
            if answer not in allowed:
                hint = did_you_mean(answer, allowed, listing="there are")
                raise UsageError(
                    f"--{question.about}: there is no '{answer}'" + (f"; {hint}" if hint else "")
                )
        if len(said) != 1 and not question.several:
            raise UsageError(f"--{question.about} takes one answer")
        return said, False
    if not question.choices:
        return (), False
    told = ask(question)
    if told is not None:
        return told, False
    return question.likely or tuple(choice.answer for choice in question.choices[:1]), True


def _attributes(
    reading: Reading, ask: Ask, given: Answers, usable: Sequence[Profile], decided: ProposedColumn, talk: Talk
) -> tuple[ProposedColumn, ...]:
    """The public attributes, then the sensitive ones; those whose role is still open say so."""
    columns = {column.name: column for column in usable}
    found: list[ProposedColumn] = []
    for name, role in _roles(reading, ask, given, usable, decided.column):
        talk(f"values of {name}")
        taken = {*decided.values, decided.name, *RESERVED_NAMES, *(each.name for each in found)}
        found.append(propose_column(reading.source, columns[name], role, taken))
    return tuple(found)


def _roles(
    reading: Reading, ask: Ask, given: Answers, usable: Sequence[Profile], outcome: str
) -> list[tuple[str, str]]:
    """Columns and their roles: public, sensitive, or open."""
    known = [column.name for column in usable]
    why_not = {
        **{
            column.name: f"says the same as '{outcome}', or follows from it"
            for column in reading.profile.columns
        },
        **dict(reading.left_out),
        outcome: "is the outcome",
    }
    # who has said what is sensitive has said that it is not public
    offered = [column for column in usable if column.name not in given.get("sensitive", ())]
    asked = public_question(offered, reading.dependences)
    public, public_open = _answered(asked, ask, given, known, why_not)
    left = [column for column in usable if column.name not in public]
    sensitive: tuple[str, ...] = ()
    sensitive_open = False
    if left or "sensitive" in given:
        asked = sensitive_question(left, public, reading.dependences)
        sensitive, sensitive_open = _answered(asked, ask, given, known, why_not)
    elif "public" not in given:
        public_open = True  # the only column there is: somebody must say what it is
    return [
        *((name, "open" if public_open else "public") for name in public if name not in sensitive),
        *_role_of_disability(ask, given, [column for column in left if column.name not in sensitive]),
        *((name, "open" if sensitive_open else "sensitive") for name in sensitive),
    ]


def _role_of_disability(ask: Ask, given: Answers, left: Sequence[Profile]) -> list[tuple[str, str]]:
    """People are compared by it wherever it is known; which role it has only the author can say.

    Who has named the columns to use on the command line has not named this one.
    """
    disability = [column.name for column in left if protected_as(column.name) == "disability"][:1]
    if {"public", "sensitive"} & set(given):
        return []
    found = []
    for name in disability:
        told = ask(role_question(name))
        found.append((name, "open" if told is None else told[0]))
    return found


def _not_used(reading: Reading, used: Collection[str]) -> list[tuple[str, str]]:
    """Every column that the spec does not use, and why."""
    why = dict(reading.left_out)
    by_place = [column.name for column in reading.profile.columns]
    rest = [(name, why.get(name, NOT_NEEDED)) for name in by_place if name not in used]
    return [*((name, why[name]) for name in why if name not in by_place), *rest]


def _warnings(reading: Reading, outcome: Profile, used: Collection[str]) -> list[str]:
    """What its author should know of the columns used: which tell others, and which write one thing in several ways."""
    found = []
    for each in reading.dependences.found:
        if outcome.name in (each.one, each.other):
            follows = "one of them may be the decision under another name, or the whole rule"
            found.append(f"{each}; {follows}")
        elif each.one in used or each.other in used:
            both = each.one in used and each.other in used
            found.append(str(each) + ("" if both else "; only one of them is used"))
    for column in reading.profile.columns:
        alike = [v for v in column.values if sum(v.casefold() == w.casefold() for w in column.values) > 1]
        if column.name in used and alike:
            written = ", ".join(alike)
            found.append(
                f"'{column.name}' may say one thing in several ways: {written}; 'groups' can join them"
            )
    return found


# Turn columns into what a spec can name: their texts as labels, numbers as ranges, and nothing changed that
# need not be.

HALVES = ("not above the median", "above the median")
"""What the outcomes are called where a number is cut in two."""


def propose_column(
    source: RecordSource, column: Profile, role: str, taken: Collection[str] = ()
) -> ProposedColumn:
    """A column as an attribute or as the outcome, under a name that is not taken.

    Raises:
        UsageError: among all records it has texts that a spec cannot list.
    """
    name = _as_name(column.name)
    while name in taken:
        name = f"{name[: LONGEST_NAME - 1]}_"
    if column.is_measure and role == "outcome":
        return ProposedColumn(name=name, column=column.name, role=role, values=HALVES)
    if column.is_measure:
        edges = _edges(column)
        return ProposedColumn(
            name=name, column=column.name, role=role, values=_range_names(edges), edges=edges
        )
    labels: dict[str, str] = {}
    for text in _all_texts(source, column):
        labels[text] = _own_name(text, labels.values())
    return ProposedColumn(
        name=name,
        column=column.name,
        role=role,
        values=tuple(labels.values()),
        texts=tuple((label, text) for text, label in labels.items() if label != text),
    )


def _all_texts(source: RecordSource, column: Profile) -> tuple[str, ...]:
    """Every text of a column over all records, not just those looked at.

    In the order of numbers and letters: the order by frequency would tell something about the records.
    """
    counted = Counting().count_by(source, {"text": f"trim({name_in_sql(column.name)}::VARCHAR)"})
    texts = {text for text in counted.keys["text"].tolist() if text and text not in column.marks}
    if len(texts) > 4 * MOST_VALUES:
        raise UsageError(
            f"column '{column.name}' has {len(texts):,} different texts, too many to list; leave it out, or join some"
        )
    unnameable = sum(not can_be_named(text) for text in texts)
    if unnameable:  # in a record that was not looked at before
        raise UsageError(
            f"column '{column.name}' has texts that no label can be ({unnameable}); leave it out"
        )
    return tuple(sorted(texts, key=_as_number))


def _as_number(text: str) -> tuple[float, str]:
    try:
        return float(text.replace(",", ".")), text
    except ValueError:
        return float("inf"), text.casefold() + text


def _edges(column: Profile) -> tuple[Decimal, ...]:
    """Round numbers near the quartiles; fewer where many records have the same number, but at least one."""
    lowest, following = column.lowest
    distinct = sorted({number for number in column.quartiles if number > lowest})
    if not distinct:
        return (shortest_between(lowest, following),)
    near = 0.04 * (distinct[-1] - lowest)
    return tuple(sorted({shortest_between(max(number - near, lowest), number) for number in distinct}))


def _range_names(edges: tuple[Decimal, ...]) -> tuple[str, ...]:
    texts = [f"{edge:f}" for edge in edges]
    middle = [f"{one} to below {other}" for one, other in pairwise(texts)]
    return (f"below {texts[0]}", *middle, f"{texts[-1]} and more")


def _as_name(text: str) -> str:
    """A text as far as it can name an attribute or a value. No sign is changed; a long one is cut."""
    return text[:LONGEST_NAME].strip() or "value"


def _own_name(text: str, taken: Collection[str]) -> str:
    """A name that no other text has: two texts are never made one."""
    name, number = _as_name(text), 2
    while name in taken:
        name, number = f"{_as_name(text)[: LONGEST_NAME - 6]} ({number})", number + 1
    return name


# Which columns people are compared by, and which must not be inferred: ranked, with reasons.
#
# Sex, race, age and disability come first. Columns that say the same, or of which one tells the other, are
# used once: the coarser of two, since it gives less away.

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
                *(PossibleAnswer(answer=column.name, reasons=(why,)) for column, why in ranked),
                *(PossibleAnswer(answer=column.name) for column in rest),
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
        *(PossibleAnswer(answer=column.name, reasons=(why,)) for column, why in ranked),
        *(PossibleAnswer(answer=name) for name in dict.fromkeys(column.name for column in others)),
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
            PossibleAnswer(answer="public", reasons=("others may know it of a person",)),
            PossibleAnswer(
                answer="sensitive", reasons=("must not be inferred from the report and a person's outcome",)
            ),
            PossibleAnswer(answer="private", reasons=("neither",)),
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


# Which column says how cases were decided, and which of its values people hope for: candidates with their
# reasons.
#
# Points are given for a column's name, its place, the number of its values and what they look like. They
# rank; whether the first is taken without asking depends on how far ahead it is.

ENOUGH, AHEAD = 6, 3
"""A column is taken for the outcome without asking where it has so many points, and so many more than the next one."""

MOST_CANDIDATES = 5
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
    shown = [best, *(each for each in ranked if each is not best)][:MOST_CANDIDATES]
    return Question(
        about="outcome",
        text="Which column says how each case was decided?",
        choices=tuple(PossibleAnswer(answer=each.column.name, reasons=each.reasons) for each in shown),
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
            PossibleAnswer(answer=value, reasons=(known[1],) if known and value == known[0] else ())
            for value in values
        ),
        likely=() if known is None else (known[0],),
        sure=known is not None,
    )
