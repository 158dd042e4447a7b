"""Turn a published report and one record into what the report announces for it: no other data is needed or used.

Guarantee: everything here is a function of the report and the record.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.core.band import outward
from atreport.core.cells import ExactArray, IntArray
from atreport.core.exact import class_sums, dot, product, widen
from atreport.core.rule_table import RuleTable
from atreport.errors import UsageError
from atreport.explain.explanation import cell_of
from atreport.explain.interventions import Resampled, WeightedSum, people, resample, sharing_out, value_counts
from atreport.report.figures import IntervalEstimate
from atreport.report.model import Report, own_words_of
from atreport.spec.yaml import did_you_mean
from atreport.text.numbers import rounded_down, rounded_up

Record = Mapping[str, str]
"""The value of each attribute."""


@dataclass(frozen=True, kw_only=True)
class ChangedCase:
    """The same record with one value changed, and what is announced for that."""

    attribute: str
    value: str
    announced: (
        IntervalEstimate | None
    )  # of the favourable outcome; None: nobody has this combination of values
    difference: IntervalEstimate | None  # by how much it is above that of the record itself


@dataclass(frozen=True, kw_only=True)
class OwnCase:
    """What a report announces for one record."""

    record: Record
    announced: Mapping[str, IntervalEstimate]  # outcome → its probability, and where the true one lies
    changed: tuple[ChangedCase, ...]
    prior: Decimal  # how sure others can be of a sensitive value of this group before any report
    beta: Decimal  # and after this one


def as_shown(report: Report, record: Record) -> Record:
    """A record in the words in which readers of the report are shown its values: the publisher's, or their translations."""
    shown = own_words_of(report)
    return {name: shown(value) for name, value in record.items()}


def parse_record(report: Report, text: str) -> Record:
    """A record written as ``gender=F,income=<100k``, checked against the report; every problem at once.

    Attributes go by their names or by their labels. Names and values may contain "=" and ",": the report says which there
    are. What can be read in two ways is refused.
    """
    attributes = report.described_rule.cells.process.attributes
    readings = _readings(text.strip(), {a.name: a.values for a in attributes}, attribute_names(report))
    if len(readings) == 1:
        return {attribute.name: readings[0][attribute.name] for attribute in attributes}
    if readings:
        ways = "\n".join(f"  {', '.join(f'{n} is {v!r}' for n, v in each.items())}" for each in readings)
        raise UsageError(
            f"--record can be read in more than one way:\n{ways}\n  Give the attributes in another order."
        )
    pieces = [piece for piece in (part.strip() for part in text.split(",")) if piece]
    problems = [f"'{piece}' is not of the form attribute=value" for piece in pieces if "=" not in piece]
    given = [
        (name.strip(), value.strip())
        for name, equals, value in (piece.partition("=") for piece in pieces)
        if equals
    ]
    record, found = check_record(report, given)
    problems += found
    if problems:
        example = ",".join(f"{a.name}={a.values[0]}" for a in attributes)
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise UsageError(f"--record does not fit this report:\n{lines}\n  Write it as --record '{example}'.")
    return record


def attribute_names(report: Report) -> dict[str, str]:
    """Every name and label that an attribute can be called by → its name; a label of two attributes calls neither."""
    attributes = report.described_rule.cells.process.attributes
    labels = [a.title for a in attributes]
    called = {a.title: a.name for a in attributes if labels.count(a.title) == 1}
    return called | {a.name: a.name for a in attributes}


def check_record(report: Report, given: Iterable[tuple[str, str]]) -> tuple[Record, list[str]]:
    """Pairs of attribute and value as a record, in the order of the spec; and everything that is wrong with them."""
    attributes = {a.name: a for a in report.described_rule.cells.process.attributes}
    called = attribute_names(report)
    problems: list[str] = []
    record: dict[str, str] = {}
    for written, value in given:
        name = called.get(written)
        if name is None:
            hint = did_you_mean(written, called, listing="the attributes")
            problems.append(f"there is no attribute '{written}'; {hint}")
            continue
        if name in record:
            problems.append(f"'{name}' is given twice")
            continue
        record[name] = value
        if value not in attributes[name].values:
            hint = did_you_mean(value, attributes[name].values, listing="its values")
            problems.append(f"'{value}' is not a value of '{name}'; {hint}")
    problems += [
        f"'{name}' is missing; its values: {', '.join(attribute.values)}"
        for name, attribute in attributes.items()
        if name not in record and f"'{name}'" not in " ".join(problems)
    ]
    return {name: record[name] for name in attributes if name in record}, problems


def _readings(text: str, attributes: Mapping[str, Sequence[str]], called: Mapping[str, str]) -> list[Record]:
    """The ways in which a text names a value of each of these attributes once, at most two of them."""
    if not attributes:
        return [{}] if not text else []
    found: list[Record] = []
    for written, name in called.items():
        start = _after(text, written, "=") if name in attributes else None
        for value in () if start is None else attributes[name]:
            rest = _after(start or "", value, ",")
            if rest is None or bool(rest) == (len(attributes) == 1):
                continue
            others = {other: attributes[other] for other in attributes if other != name}
            for reading in _readings(rest, others, called):
                if {name: value, **reading} not in found:
                    found.append({name: value, **reading})
            if len(found) > 1:
                return found[:2]
    return found


def _after(text: str, word: str, sign: str) -> str | None:
    """What follows a word and a sign, blanks aside; "" where the text ends with the word, None where it is another."""
    rest = text[len(word) :].strip()
    if not text.startswith(word) or (rest and not rest.startswith(sign)):
        return None
    return rest.removeprefix(sign).strip()


def own_case(report: Report, record: Record) -> OwnCase:
    """Look the record up, and what is announced for its neighbours."""
    table = report.described_rule
    attributes = table.cells.process.attributes
    place = {
        tuple(values[name] for name in record): index
        for index, values in enumerate(table.cells.all_labels(attributes))
    }
    own = place.get(tuple(record.values()))
    if own is None:
        named = ", ".join(f"{name}={value}" for name, value in record.items())
        raise UsageError(
            f"this report announces nothing for {named}: nobody in it has this combination of values"
        )
    neighbours = {
        (attribute.name, value): place.get(tuple({**record, attribute.name: value}.values()))
        for attribute in attributes
        for value in attribute.values
        if value != record[attribute.name] and value != attribute.unknown
    }
    favourable = announced_in(table, report.process.outcome.favourable, [own, *neighbours.values()])
    group = report.privacy.groups[int(table.cells.group[own])]
    return OwnCase(
        record=record,
        announced={
            outcome: announced_in(table, outcome, [own])[own] for outcome in report.process.outcome.values
        },
        changed=tuple(
            ChangedCase(
                attribute=name,
                value=value,
                announced=None if cell is None else favourable[cell],
                difference=None if cell is None else _difference(table, cell, own),
            )
            for (name, value), cell in neighbours.items()
        ),
        prior=group.prior,
        beta=group.beta,
    )


def announced_in(table: RuleTable, outcome: str, cells: list[int | None]) -> dict[int, IntervalEstimate]:
    """The announced probability of an outcome in some cells, and where the true one lies, rounded outward."""
    announced = table.announced_of(outcome)
    low, high = outward(table.truth_of(outcome), table.scale)
    return {
        cell: IntervalEstimate(
            value=table.printed(int(announced[cell])),
            interval=(table.printed(int(low[cell])), table.printed(int(high[cell]))),
        )
        for cell in cells
        if cell is not None
    }


def _difference(table: RuleTable, cell: int, own: int) -> IntervalEstimate:
    """By how much the favourable probability of a cell exceeds that of another, as one figure with one interval.

    Kept rates make it narrower where the people are published whose rates they are.
    """
    coefficients = np.zeros(len(table.cells), dtype=np.int64)
    coefficients[cell], coefficients[own] = 1, -1
    known = table if table.population_is_printed else replace(table, rates=None)
    found = WeightedSum(coefficients=coefficients, denominator=1).range(known, known.published_weights[0])
    return IntervalEstimate(
        value=table.printed(int(table.announced[cell] - table.announced[own])),
        interval=(rounded_down(found.low, table.decimals), rounded_up(found.high, table.decimals)),
    )


# Turn a published report into one person's view: which attributes moved their announced outcome, and by how
# much.
#
# A person's announced probability differs from everybody's average. The difference is shared out among the
# attributes by their Shapley values: what drawing an attribute anew changes, averaged over all orders in
# which the attributes can be drawn (:mod:`atreport.explain.interventions` says what a draw is).
# With more than twelve attributes, each is drawn anew by itself instead, and the amounts need not add up.
#
# Guarantee: a function of the report alone, in exact arithmetic. The amounts explain the announced rule, not
# the true one.


def explained_cell(table: RuleTable, record: Mapping[str, str]) -> int | None:
    """The cell of a record. None where nobody has it, or where readers do not have the people to explain it by."""
    attributes = table.cells.process.attributes
    if not table.everybody_is_printed or any(record.get(a.name) not in a.values for a in attributes):
        return None
    return cell_of(table.cells, {a.name: record[a.name] for a in attributes})


def average_of(table: RuleTable) -> Fraction:
    """Everybody's favourable rate as announced."""
    weights = table.published_weights[0]
    return Fraction(dot(weights, table.announced), people(weights) * table.scale)


def moved_by(table: RuleTable, cells: IntArray) -> IntArray:
    """What each attribute (a row) moved in each of some cells (a column), in whole printed steps, to the nearest."""
    weights, values = table.published_weights[0], value_counts(table.cells)
    shared = sharing_out(len(values))
    everybody = people(weights)
    most = (
        2 * everybody * table.scale * shared.orders
    )  # the sizes of an attribute's shares sum to twice the orders
    total: Any = widen(np.zeros((len(values), len(cells)), dtype=np.int64), most)
    for place, columns in enumerate(shared.drawn):
        draw = resample(table.cells.codes, values, weights, columns)
        influence: Any = _influence_on(table, draw, cells).astype(total.dtype)
        total = total + shared.shares[:, place][:, None] * influence[None, :]
    whole = everybody * shared.orders
    # halves go up: the sum of rounded amounts is about the printed difference, and needs no finer rule
    return np.asarray((2 * total + whole) // (2 * whole)).astype(np.int64)


def _influence_on(table: RuleTable, draw: Resampled, cells: IntArray) -> ExactArray:
    """By how much each cell's announced probability exceeds what a draw leads to, times everybody, in steps."""
    met = class_sums(product(table.announced, draw.drawn), draw.alike, draw.classes)
    return np.asarray(product(table.announced[cells], draw.possible[cells]) - met[draw.alike[cells]])
