"""What this program announces of the scene, and two readers of it.

Everything that a report prints follows from the rule that it announces, and the rule stands in it: so the three leaks are one.

at face value      takes the announced rule for the truth; the promise β is about this reader
knows the program  runs it on every rule thought possible, and keeps those that would be announced alike
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import numpy as np
import pandas as pd

from atreport import MadeReport, make_report, solve
from atreport.private.mechanisms import grid_of
from docs.studies.leaks.scene import GENDERS, INCOMES, RULE, Figures, FloatArray, Scene, figures_of

DELTA = 0.9
"""How close every announced chance is to the true one: within 10 percentage points."""

DECIMALS = 4

_ROUNDING = 0.001
"""How far the last rounding may move an announced chance: a few printed steps. Rules thought possible are farther apart."""


@dataclass(frozen=True)
class Way:
    """One way to announce."""

    mechanism: Literal["optimal", "calibrated"] = "optimal"
    rates: float | None = None  # 0.99: the approval rates of women and men are kept within one point


OPTIMAL, RATES_KEPT, CALIBRATED = Way(), Way(rates=0.99), Way("calibrated")


def report_of(scene: Scene, way: Way, approved: FloatArray | None = None) -> MadeReport:
    """The report on the scene, or on the same people with others approved."""
    chances = RULE if approved is None else approved / scene.sizes
    frame = pd.DataFrame(
        {
            "gender": [gender for gender in GENDERS for _ in INCOMES],
            "income": list(INCOMES) * 2,
            "people": list(scene.people),
            "approved": list(chances),
        }
    )
    return make_report(
        frame,
        outcome="decision",
        favourable="approved",
        probability="approved",
        public="gender",
        sensitive="income",
        count="people",
        values={"income": list(INCOMES)},
        delta=DELTA,
        rates=way.rates,
        decimals=DECIMALS,
        mechanism=way.mechanism,
        date="2026-01-15",
        fairness=[
            {"measure": "statistical_parity", "groups": "gender"},
            {"measure": "conditional_statistical_parity", "groups": "gender", "given": "income"},
            {"measure": "p_percent_rule", "groups": "gender", "p": 0.8},
        ],
    )


def announced(made: MadeReport) -> FloatArray:
    """The announced chance of approval of the six cells."""
    return np.asarray(made.cells()["announced: approved"], dtype=np.float64)


def read_at_face_value(scene: Scene, made: MadeReport) -> FloatArray:
    """The approved people that a reader expects who takes the announced rule for the truth."""
    return scene.sizes * announced(made)


def read_knowing_the_program(scene: Scene, way: Way, made: MadeReport) -> FloatArray:
    """The approved people that a reader expects who runs the program on every rule thought possible."""
    seen = announced(made).reshape(2, 3)
    expected = []
    for gender in (0, 1):
        rules = scene.rules_of(gender)
        alike = np.abs(_announced_for(scene, gender, rules, way) - seen[gender]).max(axis=1) < _ROUNDING
        expected.append(rules[alike].mean(axis=0))
    return np.concatenate(expected)


def _announced_for(scene: Scene, gender: int, rules: FloatArray, way: Way) -> FloatArray:
    """What the program would announce of each rule of one gender, before the last step of rounding."""
    sizes = scene.sizes[3 * gender : 3 * gender + 3]
    chances = rules / sizes
    if way.mechanism == "calibrated":
        grid = grid_of(Decimal(str(DELTA)), DECIMALS)
        steps = np.floor(chances * 10**DECIMALS + 1e-9).astype(np.int64)
        return np.asarray(grid.middle_of(steps) / 10**DECIMALS, dtype=np.float64)
    width = round(1 - DELTA, 12)
    found = solve(
        np.tile(sizes, len(rules)),
        chances.ravel(),
        np.clip(chances - width, 0, 1).ravel(),
        np.clip(chances + width, 0, 1).ravel(),
        np.repeat(np.arange(len(rules)), 3),
        minimise=("beta", "lift"),
        rates=way.rates,
        decimals=DECIMALS,
    )
    return found.announced.reshape(-1, 3)


def figures(scene: Scene, made: MadeReport) -> Figures:
    """The fairness figures of the announced rule."""
    return figures_of(scene.sizes * announced(made), scene.sizes)


@dataclass(frozen=True)
class OnePerson:
    """Of how many people a single change shows in the report."""

    decided_otherwise: int
    absent: int


def one_person(scene: Scene, way: Way) -> OnePerson:
    """Make the report again for each person, once decided otherwise and once absent, and see whether it differs.

    People of one cell with one decision are alike, so each such kind is tried once.
    """
    usual = report_of(scene, way).cells()
    decided_otherwise = absent = 0
    for cell in range(6):
        for approved in (True, False):
            people = int(scene.approved[cell] if approved else scene.sizes[cell] - scene.approved[cell])
            if not people:
                continue
            moved = np.zeros(6)
            moved[cell] = 1.0
            other = scene.approved + (-moved if approved else moved)
            decided_otherwise += people * (not report_of(scene, way, other).cells().equals(usual))
            left = Scene(tuple(n - int(m) for n, m in zip(scene.people, moved, strict=True)), scene.levels)
            without = scene.approved - (moved if approved else 0.0)
            absent += people * (not report_of(left, way, without).cells().equals(usual))
    return OnePerson(decided_otherwise, absent)
