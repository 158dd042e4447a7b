"""Turn a published report and one record into what the report announces for it: no other data is needed or used.

Guarantee: everything here is a function of report.json and the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from atreport.analysis.assessment import Interval, rounded_down, rounded_up
from atreport.errors import UsageError
from atreport.population.band import Closeness, bands_around
from atreport.spec.problems import did_you_mean

Record = Mapping[str, str]
"""The value of each attribute."""


@dataclass(frozen=True, kw_only=True)
class ChangedCase:
    """The same record with one value changed, and what is announced for that."""

    attribute: str
    value: str
    announced: Interval | None  # of the favourable outcome; None: nobody has this combination of values


@dataclass(frozen=True, kw_only=True)
class OwnCase:
    """What a report announces for one record."""

    record: Record
    announced: Mapping[str, Interval]  # outcome → its probability, and where the true one lies
    changed: tuple[ChangedCase, ...]
    prior: Decimal  # how sure others can be of a sensitive value of this group before any report
    beta: Decimal  # and after this one


def parse_record(document: Mapping[str, Any], text: str) -> Record:
    """A record written as ``gender=F,income=<100k``, checked against the report; every problem at once."""
    attributes = {a["name"]: list(a["values"]) for a in document["process"]["attributes"]}
    problems: list[str] = []
    record: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            problems.append(f"'{part}' is not of the form attribute=value")
        elif name not in attributes:
            problems.append(
                f"there is no attribute '{name}'; {did_you_mean(name, attributes, listing='the attributes')}"
            )
        elif name in record:
            problems.append(f"'{name}' is given twice")
        elif value not in attributes[name]:
            hint = did_you_mean(value, attributes[name], listing="its values")
            problems.append(f"'{value}' is not a value of '{name}'; {hint}")
            record[name] = value
        else:
            record[name] = value
    problems += [
        f"'{name}' is missing; its values: {', '.join(values)}"
        for name, values in attributes.items()
        if name not in record and f"'{name}'" not in " ".join(problems)
    ]
    if problems:
        example = ",".join(f"{name}={values[0]}" for name, values in attributes.items())
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise UsageError(f"--record does not fit this report:\n{lines}\n  Write it as --record '{example}'.")
    return {name: record[name] for name in attributes}


def own_case(document: Mapping[str, Any], record: Record) -> OwnCase:
    """Look the record up, and what is announced for its neighbours."""
    cells = {tuple(cell[name] for name in record): cell for cell in document["cells"]}
    own = cells.get(tuple(record.values()))
    if own is None:
        named = ", ".join(f"{name}={value}" for name, value in record.items())
        raise UsageError(
            f"this report announces nothing for {named}: nobody in it has this combination of values"
        )
    favourable = document["process"]["outcome"]["favourable"]
    changed = []
    for attribute in document["process"]["attributes"]:
        for value in attribute["values"]:
            if value != record[attribute["name"]] and value != attribute.get("unknown"):
                cell = cells.get(tuple({**record, attribute["name"]: value}.values()))
                announced = None if cell is None else announced_for(document, cell)[favourable]
                changed.append(ChangedCase(attribute=attribute["name"], value=value, announced=announced))
    group = next(
        group
        for group in document["privacy"]["groups"]
        if all(record[name] == value for name, value in group["qid"].items())
    )
    return OwnCase(
        record=record,
        announced=announced_for(document, own),
        changed=tuple(changed),
        prior=_decimal(group["prior"]),
        beta=_decimal(group["beta"]),
    )


def announced_for(document: Mapping[str, Any], cell: Mapping[str, Any]) -> dict[str, Interval]:
    """The announced probability of each outcome in a cell, and where the true one lies, rounded outward."""
    decimals = int(document["policy"]["decimals"])
    outcomes = document["process"]["outcome"]
    steps = [int(_decimal(cell["announced"][value]).scaleb(decimals)) for value in outcomes["values"]]
    fidelity = document["policy"]["fidelity"]
    if "bounds" in fidelity:
        low, high = (Fraction(_decimal(end)) for end in cell["bounds"])
        two = len(steps) == 2
        ends = [
            (low, high) if value == outcomes["favourable"] else (1 - high if two else Fraction(0), 1 - low)
            for value in outcomes["values"]
        ]
    else:
        closeness = Closeness(**{name: _decimal(number) for name, number in fidelity.items()})
        bands = bands_around(np.array([steps], dtype=np.int64), 10**decimals, closeness)
        ends = [
            (Fraction(int(b.lower[0]), b.denominator), Fraction(int(b.upper[0]), b.denominator))
            for b in bands
        ]
    return {
        value: Interval(
            value=Decimal(step).scaleb(-decimals),
            low=rounded_down(low, decimals),
            high=rounded_up(high, decimals),
        )
        for value, step, (low, high) in zip(outcomes["values"], steps, ends, strict=True)
    }


def _decimal(number: Any) -> Decimal:
    """A number of report.json as it was printed, however it was read."""
    return number if isinstance(number, Decimal) else Decimal(repr(number))
