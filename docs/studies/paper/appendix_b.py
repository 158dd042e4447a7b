"""Appendix B: two answers about influence give a rule away; the same answers on an announced rule do not.

The paper trains a neural network on the credit approval data of UCI and lets an agency answer questions about it. The data is
not part of this repository. Public attributes are A4 to A7; Alice (approved) and Tom (denied) both have (y, p, k, v).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from atreport import make_report

PUBLIC = ["A4", "A5", "A6", "A7"]
ALICE = ("y", "p", "k", "v")
NUMBERS = ["A2", "A3", "A8", "A11", "A14", "A15"]
BANDS = ["0 or 1", "2 to 9", "10 and more"]


def read_cases(path: Path) -> pd.DataFrame:
    """The cases in which nothing is missing."""
    cases = pd.read_csv(path, dtype=str, keep_default_na=False)
    cases = cases[~cases.isin(["N/A", "?", ""]).any(axis=1)].reset_index(drop=True)
    return cases.astype(dict.fromkeys(NUMBERS, float))


def network(cases: pd.DataFrame) -> Pipeline:
    """A classifier with the paper's two hidden layers (its dropout is not offered here)."""
    categories = [name for name in cases.columns if name not in (*NUMBERS, "A16")]
    inputs = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), categories), (StandardScaler(), NUMBERS)
    )
    return make_pipeline(inputs, MLPClassifier((147, 85), alpha=1.0, max_iter=100, random_state=0))


@dataclass(frozen=True)
class AppendixB:
    """What the study found."""

    cases: int
    accuracy: float  # mean of three folds
    alike: int  # people with Alice's public record
    influence_high: float  # of all private attributes, on those with a high A11
    influence_low: float
    influence_a9: float  # of A9 alone, on those with a high A11
    share_f: float  # how often A9 is f
    sure_true: float  # that an approved person of Alice's record has a high A11, the true answers given
    sure_announced: float  # the announced rule given
    prior: float
    beta: float  # the certified confidence of that group


def appendix_b(cases: pd.DataFrame) -> AppendixB:
    """Train, ask, attack; then announce and attack again."""
    inputs, positive = cases.drop(columns="A16"), (cases["A16"] == "+").to_numpy()
    model = network(cases)
    accuracy = float(
        cross_val_score(model, inputs, positive, cv=StratifiedKFold(3, shuffle=True, random_state=0)).mean()
    )
    model.fit(inputs, positive)
    alike = (cases[PUBLIC] == list(ALICE)).all(axis=1)
    high, low = (inputs[alike & cases["A11"].between(*ends)] for ends in ((10, np.inf), (0, 1)))
    private = [name for name in inputs.columns if name not in PUBLIC]
    decided = cases.assign(decision=np.where(model.predict(inputs), "approved", "denied"))
    frequency = _confidence(decided[alike])
    announced, beta = _announced(decided)
    return AppendixB(
        cases=len(cases),
        accuracy=accuracy,
        alike=int(alike.sum()),
        influence_high=influence(model, high, inputs, private),
        influence_low=influence(model, low, inputs, private),
        influence_a9=influence(model, high, inputs, ["A9"]),
        share_f=float((cases["A9"] == "f").mean()),
        sure_true=frequency,
        sure_announced=announced,
        prior=float((cases["A11"][alike] >= 10).mean()),
        beta=beta,
    )


def influence(model: Pipeline, people: pd.DataFrame, everybody: pd.DataFrame, attributes: list[str]) -> float:
    """The rate of some people, less their rate after some attributes are those of each other person in turn: exact."""
    as_it_is = float(model.predict(people).mean())
    redrawn = people.loc[people.index.repeat(len(everybody))].reset_index(drop=True)
    others = pd.concat([everybody[attributes]] * len(people), ignore_index=True)
    redrawn[attributes] = others
    return as_it_is - float(model.predict(redrawn).mean())


def _band(values: pd.Series) -> pd.Series:
    return pd.cut(values, [-1, 1, 9, np.inf], labels=BANDS)


def _confidence(decided: pd.DataFrame) -> float:
    """How many of the approved have a high A11: what the true rule tells."""
    approved = decided["decision"] == "approved"
    return float((decided["A11"][approved] >= 10).mean())


def _announced(decided: pd.DataFrame) -> tuple[float, float]:
    """The same from the announced rule, and what the report promises for that group."""
    frame = decided[[*PUBLIC, "A9", "decision"]].assign(A11=_band(decided["A11"]).astype(str))
    made = make_report(
        frame,
        outcome="decision",
        favourable="approved",
        public=PUBLIC,
        private="A9",
        sensitive="A11",
        values={"A11": BANDS},
        delta=0.9,
        date="2026-01-15",
    )
    cells = made.cells()
    group = cells[(cells[PUBLIC] == list(ALICE)).all(axis=1)]
    joint = group["share"] * group["announced: approved"]
    high = group["A11"] == BANDS[2]
    alice = dict(zip(PUBLIC, ALICE, strict=True))
    beta = next(float(each.beta) for each in made.report.privacy.groups if each.qid == alice)
    return float(joint[high].sum() / joint.sum()), beta
