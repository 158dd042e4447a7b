"""Make the data of the comparison: 4,000 invented people before a judge, with a seed. Nobody real is in it.

Shaped like the well-known data on COMPAS: an automatic score decides who is held until trial, looks at age and earlier offences, and
is wrong for some groups more often than for others. Columns: race, sex, age, priors, reoffended, decision.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

RACES = ["African-American", "Caucasian", "Other"]
SEXES = ["Female", "Male"]
AGES = ["under 25", "25 to 45", "over 45"]
PRIORS = ["none", "1 to 3", "4 and more"]


def make_data(people: int = 4000, seed: int = 2016) -> pd.DataFrame:
    """The same people for the same seed."""
    rng = np.random.default_rng(seed)
    race = rng.choice(3, people, p=[0.5, 0.34, 0.16])
    sex = rng.choice(2, people, p=[0.2, 0.8])
    age = rng.choice(3, people, p=[0.22, 0.57, 0.21])
    more = np.array([0.16, 0.0, 0.0])[race]  # policed more, so more on record
    draw = rng.random(people)
    priors = (draw > 0.42 - more).astype(int) + (draw > 0.78 - more)
    reoffends = rng.random(people) < 0.2 + 0.12 * priors + 0.1 * (age == 0) - 0.08 * (sex == 0)
    detained = rng.random(people) < np.array([0.1, 0.4, 0.8])[priors] + 0.15 * (age == 0) - 0.05 * (age == 2)
    return pd.DataFrame(
        {
            "race": np.array(RACES)[race],
            "sex": np.array(SEXES)[sex],
            "age": np.array(AGES)[age],
            "priors": np.array(PRIORS)[priors],
            "reoffended": np.where(reoffends, "yes", "no"),
            "decision": np.where(detained, "detained", "released"),
        }
    )


if __name__ == "__main__":
    make_data().to_csv(Path(sys.argv[1]), index=False)
