"""Turn columns into what a spec can name: their texts as labels, numbers as ranges, and nothing changed that need not be."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from itertools import pairwise

from atreport.confidential.data.binning import shortest_between
from atreport.confidential.data.counting import Counting
from atreport.confidential.data.data_files import name_in_sql
from atreport.confidential.data.record_source import RecordSource
from atreport.confidential.proposal.column_profile import LONGEST_NAME, MOST_VALUES, Profile, can_be_named
from atreport.confidential.proposal.proposed_spec import ProposedColumn
from atreport.errors import UsageError

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
