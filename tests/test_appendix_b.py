"""The attack by influence answers (the paper's Appendix B): it reads the rule off a negligent report, and fails on an announcement.

Public attributes A4 to A7; Alice and Tom both have (y, p, k, v). A report that answers how much the private attributes
together influence the approval rate of two parts of that group tells the adversary the rule for both parts: drawing the
private attributes anew leads both to the same place, so the difference of the answers is the difference of the rates.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.core.certify import Announcement
from atreport.explain.explanation import Condition, members_of
from atreport.explain.qii import quantitative_input_influence
from atreport.private.data.decision_table import DecisionTable
from atreport.report.explanation import Influence
from atreport.spec.process import Process
from atreport.spec.transparency import Quantity
from tests.core.test_certify import released
from tests.example import binary_table

DATA = Path(__file__).parents[2] / "shared" / "data" / "credit_approval_crx.csv"
ALICE = {"A4": ("y",), "A5": ("p",), "A6": ("k",), "A7": ("v",)}
LOW, MIDDLE, HIGH = "0 or 1", "2 to 9", "10 and more"
PRIVATE = ["A9", "A11"]
NEGLIGENT, PROTECTED = Closeness(delta=Decimal(1)), Closeness(delta=Decimal("0.9"))


def table_of(rows: Sequence[tuple[tuple[str, ...], bool]]) -> DecisionTable:
    """Decided cases (A4, A5, A6, A7, A9, band of A11) as cells with their share of approvals."""
    values = [tuple(sorted({row[k] for row, _ in rows})) for k in range(6)]
    names = ["A4", "A5", "A6", "A7", *PRIVATE]
    roles = ["public"] * 4 + ["private", "sensitive"]
    attributes = [
        {"name": name, "role": role, "values": list(known)}
        for name, role, known in zip(names, roles, values, strict=True)
    ]
    outcome = {"name": "A16", "values": ["-", "+"], "favourable": "+"}
    process = Process.model_validate({"name": "credit", "outcome": outcome, "attributes": attributes})
    people = Counter(row for row, _ in rows)
    approved = Counter(row for row, positive in rows if positive)
    persons = sorted(people)
    codes = np.array([[v.index(x) for v, x in zip(values, row, strict=True)] for row in persons], np.int32)
    cells, order = arrange(process, codes, np.array([people[row] for row in persons], dtype=np.int64))
    share = np.array([round(approved[row] / people[row], 4) for row in persons])
    return binary_table(cells, share[order])


def crx_table() -> DecisionTable:
    """The credit approval data without the rows in which something is missing, as in the paper."""
    if not DATA.is_file():
        pytest.skip(f"the credit approval data is not there: {DATA.name}")
    rows = []
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "N/A" in row.values():
                continue
            years = int(row["A11"])
            band = LOW if years <= 1 else MIDDLE if years < 10 else HIGH
            rows.append(((*(row[f"A{k}"] for k in (4, 5, 6, 7, 9)), band), row["A16"] == "+"))
    return table_of(rows)


def synthetic_table() -> DecisionTable:
    """A small table of the same structure, in which every combination of private attributes occurs in Alice's group.

    Approved is who has a prior default of t and a high A11; in another group, who has t.
    """
    rows = []
    for alike, private in product([("y", "p", "k", "v"), ("u", "g", "c", "h")], product("tf", (LOW, HIGH))):
        prior, band = private
        positive = prior == "t" and (band == HIGH or alike[0] == "u")
        number = {(LOW, "f"): 8, (LOW, "t"): 1, (HIGH, "t"): 2, (HIGH, "f"): 1}[band, prior]
        rows += [((*alike, prior, band), positive)] * number
    return table_of(rows)


@dataclass(frozen=True)
class Answers:
    """What a report prints about the two parts of Alice's group."""

    high: Influence
    low: Influence

    @property
    def difference(self) -> Fraction:
        """The difference of the two rates, as the adversary works it out from the printed answers."""
        assert self.high.reach is not None
        assert self.high.reach == self.low.reach, "both parts are led to the same places"
        return Fraction(self.high.result.value - self.low.result.value) / Fraction(self.high.reach)


def ask(announcement: Announcement, high: Condition, low: Condition, attributes: list[str]) -> Answers:
    """The influence of some attributes on the approval rate of two parts of a group."""
    found = [
        next(
            quantitative_input_influence(
                announcement.rule, Quantity.model_validate({"title": "part", "group": part}), [attributes]
            )
        )
        for part in (high, low)
    ]
    return Answers(*found)


def group_of(announcement: Announcement) -> int:
    """Alice's group."""
    return int(announcement.cells.group[np.flatnonzero(members_of(announcement.cells, ALICE))[0]])


def confidence(announcement: Announcement, part: Condition, rates: dict[str, Fraction]) -> Fraction:
    """How sure the adversary is that an approved member is in a part, given the rate of each part."""
    joint = {
        name: int(
            announcement.cells.population[members_of(announcement.cells, {**ALICE, "A11": (name,)})].sum()
        )
        * rate
        for name, rate in rates.items()
    }
    (name,) = part["A11"]
    return joint[name] / sum(joint.values())


def announced_rate(announcement: Announcement, part: Condition) -> Fraction:
    """The announced approval rate of a part."""
    inside = members_of(announcement.cells, part)
    people = announcement.cells.population[inside]
    return Fraction(int(people @ announcement.announced[inside]), int(people.sum()) * announcement.scale)


def test_influence_answers_give_the_rule_away() -> None:
    """On the credit approval data: true answers differ by 1, so the rule is 1 and 0; announced ones keep β."""
    table = crx_table()
    assert int(table.cells.population.sum()) == 653
    inside = table.cells.population[members_of(table.cells, ALICE)]
    assert int(inside.sum()) == 11, "the group that the paper prints"
    parts = {**ALICE, "A11": (HIGH,)}, {**ALICE, "A11": (LOW,)}
    negligent = ask(released(table, NEGLIGENT), *parts, PRIVATE)
    assert abs(negligent.difference - 1) < Fraction(1, 100)
    # rates are between 0 and 1, so a difference of 1 leaves one possibility, and Alice has no secret
    assert confidence(released(table, NEGLIGENT), parts[0], {HIGH: Fraction(1), LOW: Fraction(0)}) == 1

    announcement = released(table, PROTECTED)
    protected = ask(announcement, *parts, PRIVATE)
    assert protected.difference < Fraction(9, 10)
    beta = Fraction(int(announcement.group_beta[group_of(announcement)]), announcement.scale)
    rates = {name: announced_rate(announcement, {**ALICE, "A11": (name,)}) for name in (HIGH, LOW)}
    step = Fraction(3, 10_000)  # three printed figures go into it
    assert abs(protected.difference - (rates[HIGH] - rates[LOW])) <= step / Fraction(
        protected.high.reach or 1
    )
    for name in (HIGH, LOW):
        assert confidence(announcement, {"A11": (name,)}, rates) <= beta
        denied = {each: 1 - rate for each, rate in rates.items()}
        assert confidence(announcement, {"A11": (name,)}, denied) <= beta


def test_the_same_on_a_small_table() -> None:
    """Both methods of the paper on a table made for it, where the data is absent."""
    table = synthetic_table()
    high = {**ALICE, "A9": ("t",), "A11": (HIGH,)}
    low = {**ALICE, "A9": ("f",), "A11": (LOW,)}
    # method one: all private attributes together
    assert abs(ask(released(table, NEGLIGENT), high, low, PRIVATE).difference - 1) < Fraction(1, 1000)
    # method two: A9 alone; only the draws of f change anything, and how often those come is known
    alone = ask(released(table, NEGLIGENT), high, low, ["A9"]).high
    cells = table.cells
    drawn_f = Fraction(
        int(cells.population[members_of(cells, {"A9": ("f",)})].sum()), int(cells.population.sum())
    )
    assert abs(Fraction(alone.result.value) / drawn_f - 1) < Fraction(1, 1000)

    announcement = released(table, PROTECTED)
    assert ask(announcement, high, low, PRIVATE).difference <= Fraction(9, 10)
    protected = ask(announcement, high, low, ["A9"]).high
    assert Fraction(protected.result.value) / drawn_f <= Fraction(9, 10)
    beta = Fraction(int(announcement.group_beta[group_of(announcement)]), announcement.scale)
    rates = {name: announced_rate(announcement, {**ALICE, "A11": (name,)}) for name in (HIGH, LOW)}
    assert confidence(announcement, {"A11": (HIGH,)}, rates) <= beta
    assert confidence(announcement, {"A11": (LOW,)}, {k: 1 - r for k, r in rates.items()}) <= beta
    truth = {HIGH: Fraction(2, 3), LOW: Fraction(0)}
    assert confidence(released(table, NEGLIGENT), {"A11": (HIGH,)}, truth) == 1
