"""Turn numbers in records into the values of an attribute: edges as given, by equal shares, or by a tree's splits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Literal

import numpy as np

from atreport.core.cells import IntArray, NumberRange
from atreport.errors import InvalidInput
from atreport.private.data.data_files import literal, name_in_sql
from atreport.private.data.decision_table import FloatArray
from atreport.private.data.record_source import Counting, RecordSource
from atreport.private.data.tree import new_classifier
from atreport.spec.check_records import HERE, bin_labels
from atreport.spec.source import Records
from atreport.spec.spec import Spec
from atreport.text.numbers import counted

BIN, NO_NUMBER = "#", "?"
"""How a key of a binned column begins: the number of its bin, or a text that is no number."""


@dataclass(frozen=True, kw_only=True)
class Binned:
    """An attribute made of a number: `edges[i]` is where value i ends and value i + 1 begins."""

    attribute: str
    labels: tuple[str, ...]
    edges: tuple[Decimal, ...]
    decimal: Literal["point", "comma"] = "point"  # what stands before the decimals of a number

    def ranges(self) -> tuple[NumberRange, ...]:
        """What each value stands for."""
        ends = (None, *self.edges, None)
        return tuple(
            NumberRange(attribute=self.attribute, value=label, low=ends[i], high=ends[i + 1])
            for i, label in enumerate(self.labels)
        )

    def key(self, column: str, marks: Sequence[str]) -> str:
        """SQL for the key of a record: its bin, NULL where nothing is written, or the text that is no number."""
        number = number_in_sql(column, self.decimal)
        position = " + ".join(f"({number} >= {literal(str(edge))}::DOUBLE)::INT" for edge in self.edges)
        return (
            f"CASE WHEN {is_missing(column, marks)} THEN NULL "
            f"WHEN isfinite({number}) THEN '{BIN}' || ({position})::VARCHAR "
            f"ELSE '{NO_NUMBER}' || {name_in_sql(column)}::VARCHAR END"
        )


def number_in_sql(column: str, decimal: Literal["point", "comma"]) -> str:
    """SQL for the number that a text is; NULL where it is none."""
    # by way of text, so that 0.1 is the same number in CSV and in any type of Parquet
    text = f"{name_in_sql(column)}::VARCHAR"
    # then a point parts thousands, or is a mistake: "1.234" is two numbers, so it is none
    if decimal == "comma":
        text = f"translate({text}, ',.', '.;')"
    return f"TRY_CAST({text} AS DOUBLE)"


def is_missing(column: str, marks: Sequence[str]) -> str:
    """SQL for "nothing is written there"."""
    listed = ", ".join(literal(mark) for mark in ("", *marks))
    return f"coalesce(trim({name_in_sql(column)}::VARCHAR) IN ({listed}), true)"


def find_bins(spec: Spec, records: Records, source: RecordSource, engine: Counting) -> Mapping[str, Binned]:
    """The edges of every binned attribute, and of the outcome; those not given are looked for in the records."""
    outcome, found = spec.process.outcome, dict[str, Binned]()
    if outcome.bins is not None:
        cut = (_median(spec, records, source, engine),) if outcome.bins == "median" else outcome.bins
        found[outcome.name] = Binned(
            attribute=outcome.name, labels=outcome.values, edges=cut, decimal=records.csv.decimal
        )
    for name in records.bins:
        labels = bin_labels(records, spec.process, name)
        edges = records.edges(name)
        if edges is None:
            decided = outcome_key(records, outcome.name, found)
            edges = _searched(spec, records, source, engine, name, len(labels), decided)
        found[name] = Binned(attribute=name, labels=labels, edges=edges, decimal=records.csv.decimal)
    return found


def outcome_key(records: Records, outcome: str, binned: Mapping[str, Binned]) -> str:
    """SQL for what was decided: the text that is written there, or the bin of a number."""
    column = records.column(outcome)
    if outcome in binned:
        return binned[outcome].key(column, records.when_missing.marks)
    return f"{name_in_sql(column)}::VARCHAR"


def _finite(records: Records, name: str) -> str:
    """SQL for the number that is written there; NULL where there is none."""
    column = records.column(name)
    missing = is_missing(column, records.when_missing.marks)
    number = number_in_sql(column, records.csv.decimal)
    return f"CASE WHEN NOT {missing} AND isfinite({number}) THEN {number}::VARCHAR END"


def _median(spec: Spec, records: Records, source: RecordSource, engine: Counting) -> Decimal:
    """Where the numbers begin that are above the median of all records that have one.

    The median of an even number of records is the middle of the two in the middle. Behind the wall: it is a statistic of
    confidential numbers, and the report says no more than that it was taken.
    """
    name = spec.process.outcome.name
    counted = engine.count_by(source, {"number": _finite(records, name)})
    written = np.array([text is not None for text in counted.keys["number"]], dtype=bool)
    numbers, place = np.unique(counted.keys["number"][written].astype(np.float64), return_inverse=True)
    up_to = np.cumsum(np.bincount(place, weights=counted.records[written]))
    # the median is below a number where at least half of all records are: of exactly half, it lies between two numbers
    above = [i for i in range(1, len(numbers)) if 2 * up_to[i - 1] >= up_to[-1]]
    if not above:
        message = f"no record has a '{name}' above the median: more than half of them have the highest one"
        raise InvalidInput(spec.document.problem(("process", "outcome", "bins"), message, "write the edges"))
    return shortest_between(numbers[above[0] - 1], numbers[above[0]])


def _searched(
    spec: Spec,
    records: Records,
    source: RecordSource,
    engine: Counting,
    name: str,
    bins: int,
    decided: str,
) -> tuple[Decimal, ...]:
    """Edges from the numbers that occur, each as short a decimal as parts the same records."""
    how = records.bins[name]
    keys = {"number": _finite(records, name)}
    if how == "tree":
        keys["outcome"] = f"trim({decided})"
    tally = engine.count_by(source, keys)
    written = np.array([text is not None for text in tally.keys["number"]], dtype=bool)
    numbers, place = np.unique(tally.keys["number"][written].astype(np.float64), return_inverse=True)
    cases = tally.records[written]
    cuts = (
        _tree_cuts(place, tally.keys["outcome"][written], cases, bins)
        if how == "tree"
        else _even_cuts(np.bincount(place, weights=cases).astype(np.float64), bins)
    )
    if len(cuts) != bins - 1:
        message = f"the numbers of '{name}' can be parted into {len(cuts) + 1} by {how}, not into {bins}"
        hint = f"list {counted(len(cuts) + 1, 'value')} for '{name}', or write the edges"
        raise InvalidInput(spec.document.problem((*HERE, "bins", name), message, hint))
    return tuple(shortest_between(numbers[cut - 1], numbers[cut]) for cut in cuts)


def _even_cuts(cases: FloatArray, bins: int) -> list[int]:
    """Positions of numbers at which a new bin begins, so that the bins' shares of records are as even as can be."""
    if len(cases) < 2:
        return []
    below = np.cumsum(cases)[:-1]  # records below each number but the first
    wanted = below[-1] + cases[-1]
    return sorted({int(np.abs(below - wanted * i / bins).argmin()) + 1 for i in range(1, bins)})


def _tree_cuts(place: IntArray, outcomes: object, cases: IntArray, bins: int) -> list[int]:
    """Positions at which a tree on this number alone splits; numbers count by rank, so none is rounded."""
    tree = new_classifier(max_leaf_nodes=bins)
    order = np.lexsort((np.asarray(outcomes).astype(str), place))
    labels = np.asarray(outcomes).astype(str)[order]
    tree.fit(place[order, None].astype(np.float64), labels, sample_weight=cases[order].astype(np.float64))
    splits = tree.tree_.threshold[tree.tree_.feature >= 0]
    return sorted(int(np.floor(split)) + 1 for split in splits)


def shortest_between(below: float, first: float) -> Decimal:
    """The shortest decimal above `below` and not above `first`: parts the same numbers, and is easy to read."""
    low, high = Decimal(repr(float(below))), Decimal(repr(float(first)))
    for decimals in range(-high.adjusted() - 1 if high else 0, 18):
        step = Decimal(1).scaleb(-decimals)
        candidate = high.quantize(step, rounding=ROUND_FLOOR)
        if candidate > low:
            return candidate if decimals > 0 else Decimal(int(candidate))
    return high
