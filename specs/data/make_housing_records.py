"""Make the invented records of specs/housing_records.yaml: 1,600 applications for housing support.

Run it from anywhere: ``python specs/data/make_housing_records.py``. It always writes the same file.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path


def main() -> None:
    """Draw the applications and decide them by an invented rule with some chance in it."""
    draw = random.Random(1973)
    rows = []
    for number in range(1600):
        region = draw.choices(["north", "south"], [5, 4])[0]
        household = draw.choices(["single", "couple", "family"], [4, 2, 3])[0]
        debt = round(draw.lognormvariate(8.2 if region == "north" else 8.5, 0.9), 2)
        chance = 0.95 if debt < 3000 else 0.6 if debt < 9000 else 0.1
        chance += 0.05 if household == "family" and debt >= 3000 else 0.0
        decision = "granted" if draw.random() < chance else "refused"
        written = "" if draw.random() < 0.01 else f"{debt:.2f}"
        rows.append([f"A-{number + 10001}", region, household, written, decision])
    path = Path(__file__).with_name("housing_records.csv")
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["case", "region", "household", "debt_eur", "decision"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
