"""Turn a data file into a proposal for its spec: which column is the outcome, which are public, which is sensitive."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from atreport.confidential.data.binning import shortest_between
from atreport.confidential.data.counting import Counting, Talk
from atreport.confidential.data.data_files import name_in_sql
from atreport.confidential.data.record_source import RecordSource, open_source
from atreport.confidential.proposal.column_profile import MOST_ROWS, FileProfile, Profile, look_at
from atreport.confidential.proposal.proposed_spec import Proposal, ProposedColumn
from atreport.errors import UsageError
from atreport.spec.models.records import Records

MOST_PUBLIC = 3
_GOOD = [
    "yes",
    "true",
    "approved",
    "accepted",
    "granted",
    "admitted",
    "hired",
    "selected",
    "1",
    "+",
    "good",
    "y",
    "t",
]
_BAD = ("den", "rej", "refus", "default", "fail")
_RESERVED = ("population", "share", "announced")


def propose(file: Path, data: str, talk: Talk = lambda _words: None) -> Proposal:
    """Look at a file of records and propose a spec that builds; `data` is how the spec names the file."""
    source = open_source(file.parent, Records(files=(file.name,)))
    talk("columns")
    profile = look_at(source)
    outcome, public, sensitive = _chosen(file, profile)
    talk("values")
    texts = _all_texts(source, [c for c in (outcome, *public, sensitive) if not c.is_measure])
    decided = _column(outcome, "outcome", texts, taken=())
    attributes = [
        *(_column(column, "public", texts, taken=decided.values) for column in public),
        _column(sensitive, "sensitive", texts, taken=decided.values),
    ]
    used = (outcome, *public, sensitive)
    missing = sum(column.missing for column in used)
    return Proposal(
        data=data,
        looked_at=profile.rows,
        outcome=decided,
        favourable=_favourable(outcome, decided.values),
        attributes=tuple(attributes),
        not_used=tuple(c.name for c in profile.columns if c not in used),
        marks=tuple(sorted({mark for column in used for mark in column.marks})),
        missing=missing,
        exclude=missing > 0 or profile.rows >= MOST_ROWS,  # those not looked at may lack something
        warnings=_warnings(profile, outcome),
    )


def _chosen(file: Path, profile: FileProfile) -> tuple[Profile, list[Profile], Profile]:
    """The columns to use: the outcome, the public ones, the sensitive one."""
    candidates = [c for c in profile.columns if c.is_category and c.distinct <= 4]
    two = [c for c in candidates if c.distinct == 2]
    named = [c for c in two if c.sounds_like("outcome")]
    outcome = next(iter([*named, *reversed(two), *reversed(candidates)]), None)
    if outcome is None:
        raise UsageError(
            f"{file}: no column has from two to four different values, so none can be the outcome.\n"
            "  A file of records has a column that says how each case was decided."
        )
    usable = [
        c
        for c in profile.columns
        if c is not outcome and not c.near_unique and (c.is_category or c.is_measure)
    ]
    sounding = [c for c in usable if c.sounds_like("sensitive")]
    measures = [c for c in usable if c.is_measure]
    sensitive = next(iter([*sounding, *measures, *usable]), None)
    if sensitive is None:
        raise UsageError(f"{file}: beside the outcome no column could be an attribute")
    same = {name for pair in profile.determined if outcome.name in pair for name in pair}
    rest = [c for c in usable if c is not sensitive and c.name not in same]
    public = [c for c in rest if c.sounds_like("public")] or [c for c in rest if c.is_category][:1]
    return outcome, public[:MOST_PUBLIC], sensitive


def _all_texts(source: RecordSource, columns: list[Profile]) -> dict[str, tuple[str, ...]]:
    """Every text of some columns over all records, not just those looked at; the most frequent first."""
    found = {}
    for column in columns:
        counted = Counting().count_by(source, {"text": f"trim({name_in_sql(column.name)}::VARCHAR)"})
        texts = {text for text in counted.keys["text"].tolist() if text and text not in column.marks}
        known = [text for text in column.values if text in texts]
        found[column.name] = (*known, *sorted(texts - set(known)))
    return found


def _column(
    column: Profile, role: str, texts: dict[str, tuple[str, ...]], taken: Collection[str]
) -> ProposedColumn:
    name = _as_name(column.name)
    name = f"{name}_" if name in taken or name in _RESERVED else name
    if column.name not in texts:
        edges = _edges(column)
        return ProposedColumn(
            name=name, column=column.name, role=role, values=_range_names(edges), edges=edges
        )
    written = texts[column.name]
    if column.is_number and role != "outcome":
        written = tuple(sorted(written, key=_as_number))
    return ProposedColumn(
        name=name,
        column=column.name,
        role=role,
        values=tuple(dict.fromkeys(_as_name(text) for text in written)),
        texts=tuple((_as_name(text), text) for text in written if _as_name(text) != text),
    )


def _as_number(text: str) -> tuple[float, str]:
    try:
        return float(text), text
    except ValueError:
        return float("inf"), text


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
    """A text as far as it can name an attribute or a value."""
    return " ".join(re.sub(r"[=,\x00-\x1f]", " ", text).split())[:80] or "value"


def _favourable(outcome: Profile, values: tuple[str, ...]) -> str:
    """The outcome that sounds good; of a column such as "denied", the other one."""
    good = [value for value in values if value.lower() in _GOOD]
    if not good:
        return values[-1]
    if any(word in outcome.name.lower() for word in _BAD):
        return next((value for value in values if value not in good), good[0])
    return good[0]


def _warnings(profile: FileProfile, outcome: Profile) -> tuple[str, ...]:
    warnings = [
        f"column '{c.name}' is nearly unique ({c.distinct:,} values in {c.filled:,} records): it would identify people, "
        "so it is left out"
        for c in profile.columns
        if c.near_unique
    ]
    for one, other in profile.determined:
        decides = outcome.name in (one, other)
        why = (
            "one of them may be the decision under another name"
            if decides
            else "who knows one knows the other"
        )
        warnings.append(f"column '{one}' determines '{other}': {why}")
    return tuple(warnings)
