"""The sliders' figures: quick on ten thousand cells, and at rest those of a build."""

import time
from decimal import Decimal
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from atreport.private.data.run_options import LOCAL
from atreport.private.prepare import prepare
from atreport.studio.work import AskedPolicy, AskedText, try_policy
from tests.command_line import ROOT

SPEC = """\
atreport: 1
report: {title: Large, publisher: Example Authority, version: 1.0.0, date: 2026-01-15}
process:
  name: Large
  outcome: {name: decision, values: ["no", "yes"], favourable: "yes"}
  attributes:
    - {name: sex, role: public, values: [f, m]}
    - {name: place, role: public, values: [PLACES]}
    - {name: income, role: sensitive, values: [BANDS]}
source: {cells: cells.csv}
policy: {fidelity: {delta: 0.9}}
fairness:
  - {measure: statistical_parity, groups: sex, threshold: 0.1}
  - {measure: p_percent_rule, groups: sex, p: 0.8}
"""


def _told(_stage: str) -> None:
    """Nobody listens."""


@pytest.mark.slow
def test_a_slider_on_ten_thousand_cells_takes_less_than_a_tenth_of_a_second(tmp_path: Path) -> None:
    """Of processor time, once the table is held; so the page follows the hand."""
    rng = np.random.default_rng(2)
    places, bands = [f"p{i}" for i in range(250)], [f"b{i}" for i in range(20)]
    rows = ["sex,place,income,population,yes"]
    rows += [
        f"{sex},{place},{band},{rng.integers(5, 200)},{rng.integers(0, 101) / 100}"
        for sex, place, band in product("fm", places, bands)
    ]
    (tmp_path / "cells.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = SPEC.replace("PLACES", ", ".join(places)).replace("BANDS", ", ".join(bands))
    asked = AskedText(text=text, path=tmp_path / "spec.yaml", options=LOCAL)
    try_policy(AskedPolicy(of=asked, chosen=None), _told)
    took = []
    for delta in ("0.8", "0.85", "0.95"):
        begun = time.process_time()
        found = try_policy(AskedPolicy(of=asked, chosen={"delta": Decimal(delta)}), _told)
        took.append(time.process_time() - begun)
        assert found["groups"] == 500
    assert min(took) < 0.1


@pytest.mark.parametrize("name", ["credit_card", "credit_card_full", "atrs_housing"])
def test_at_rest_the_figures_are_those_of_a_build(name: str) -> None:
    """Exactly asked, β, lift and odds are the draft's; at once, β is at most two printed steps more."""
    path = ROOT / "specs" / f"{name}.yaml"
    asked = AskedText(text=path.read_text(encoding="utf-8"), path=path, options=LOCAL)
    draft = prepare(path).announcement
    exact = try_policy(AskedPolicy(of=asked, chosen=None, exactly=True), _told)
    odds = None if draft.odds is None else str(draft.odds)
    assert (exact["beta"], exact["lift"], exact["odds"]) == (str(draft.beta), str(draft.lift), odds)
    at_once = Decimal(try_policy(AskedPolicy(of=asked, chosen=None), _told)["beta"])
    assert draft.beta <= at_once <= draft.beta + 2 / Decimal(draft.scale)
