"""Turn a data file into a proposal for its spec: which column is the outcome, which are public, which is sensitive.

What words and figures make sure is taken; everything else is asked, and left in the spec as a question where nobody
answers. A build refuses the spec until it is answered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from atreport.confidential.data.counting import Talk
from atreport.confidential.proposal.column_profile import (
    MOST_ROWS,
    Profile,
)
from atreport.confidential.proposal.labels import propose_column
from atreport.confidential.proposal.outcome import favourable_question, outcome_question, rank_outcomes
from atreport.confidential.proposal.proposed_spec import NOT_NEEDED, Proposal, ProposedColumn
from atreport.confidential.proposal.question import Ask, Question
from atreport.confidential.proposal.reading import Reading
from atreport.confidential.proposal.roles import (
    public_question,
    role_question,
    sensitive_question,
    usable_beside,
)
from atreport.confidential.proposal.vocabulary import protected_as
from atreport.errors import UsageError
from atreport.spec.checks.process import RESERVED_NAMES
from atreport.spec.models.process import MAX_OUTCOMES
from atreport.spec.problems import did_you_mean

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
