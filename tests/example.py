"""The spec most tests start from, and ways to make others: the paper's numerical example."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.band import Closeness
from atreport.core.cells import Cells, arrange
from atreport.core.certify import Announcement, certify
from atreport.private.data.decision_table import DecisionTable
from atreport.spec.load import parse_spec
from atreport.spec.process import Process
from atreport.spec.spec import Spec

EXACTLY = Closeness(delta=Decimal(1))

EXAMPLE = """\
atreport: 1
report:
  title: Credit card applications
  publisher: Example Financial Authority
  version: 1.0.0
  date: 2026-01-15
process:
  name: Credit card approval
  description: How a bank decides on applications.
  outcome: {name: decision, values: [denied, approved], favourable: approved}
  attributes:
    - {name: gender, label: Gender, role: public, values: [F, M]}
    - {name: income, label: Annual income, role: sensitive, values: ["<100k", "100k-200k", ">200k"]}
source:
  table:
    - {gender: F, income: "<100k", population: 12, approved: 0}
    - {gender: F, income: "100k-200k", population: 5, approved: 0}
    - {gender: F, income: ">200k", population: 3, approved: 1}
    - {gender: M, income: "<100k", population: 9, approved: 0}
    - {gender: M, income: "100k-200k", population: 7, approved: 0.5}
    - {gender: M, income: ">200k", population: 4, approved: 1}
policy:
  fidelity: {delta: 0.9}
  privacy: {beta: 0.7}
  decimals: 4
fairness:
  - {measure: statistical_parity, groups: gender, threshold: 0.3}
  - {measure: conditional_statistical_parity, groups: gender, given: income}
  - {measure: p_percent_rule, groups: gender, p: 0.8}
  - {measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}
disclosure:
  population: shares
"""


def changed(*edits: tuple[str, str], text: str = EXAMPLE) -> str:
    """The example with some texts replaced; each must occur, so that a test cannot silently change nothing."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def example_spec(*edits: tuple[str, str]) -> Spec:
    """The example, changed, as a checked spec."""
    return parse_spec(changed(*edits))


def write_example(folder: Path, *edits: tuple[str, str], name: str = "example.yaml") -> Path:
    """The example, changed, as a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(changed(*edits), encoding="utf-8")
    return path


def process_with(public: int, sensitive: int, private: int = 1) -> Process:
    """A process with one attribute of each role and so many values."""
    attributes = [
        {"name": "group", "role": "public", "values": [f"g{i}" for i in range(public)]},
        {"name": "secret", "role": "sensitive", "values": [f"s{i}" for i in range(sensitive)]},
        {"name": "other", "role": "private", "values": [f"o{i}" for i in range(private)]},
    ]
    outcome = {"name": "decision", "values": ["no", "yes"], "favourable": "yes"}
    return Process.model_validate({"name": "test", "outcome": outcome, "attributes": attributes})


def random_table(
    rng: np.random.Generator, *, groups: int = 3, values: int = 4, others: int = 1, decimals: int = 3
) -> DecisionTable:
    """A table with some cells left out, hard and soft rules mixed, and now and then a dominating cell."""
    process = process_with(groups, values, others)
    codes = np.array(
        [(g, v, o) for g in range(groups) for v in range(values) for o in range(others)], dtype=np.int32
    )
    codes = codes[rng.permutation(len(codes))[: max(1, int(len(codes) * rng.uniform(0.6, 1)))]]
    population = rng.integers(1, 40, len(codes)) * rng.choice([1, 1, 1, 50], len(codes))
    hard: NDArray[np.float64] = rng.choice([0.0, 0.5, 1.0], len(codes))
    soft = rng.random(len(codes)).round(decimals)
    favourable = np.where(rng.random(len(codes)) < rng.random(), hard, soft)
    cells, order = arrange(process, codes, population.astype(np.int64))
    return binary_table(cells, favourable[order])


def binary_table(cells: Cells, favourable: NDArray[np.float64]) -> DecisionTable:
    """A table of two outcomes, the second of which is the favourable one."""
    return DecisionTable(cells=cells, probability=np.column_stack([1 - favourable, favourable]))


def announced(
    cells: Cells,
    steps: NDArray[np.int64],
    *,
    decimals: int = 4,
    fidelity: Closeness = EXACTLY,
    population: Any = "counts",
) -> Announcement:
    """These favourable probabilities as they are, in whole steps; or as if they were within a lower fidelity of the truth."""
    mapping = np.column_stack([10**decimals - steps, steps])
    return certify(
        cells,
        [mapping / 10**decimals],
        mapping,
        mapping,
        decimals=decimals,
        fidelity=fidelity,
        population=population,
    )
