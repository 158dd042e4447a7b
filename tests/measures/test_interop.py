"""Tidy pandas frames, and agreement with Fairlearn and with plain pandas where nothing was changed (δ = 1)."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import atreport
from atreport import measures_frame, rates_frame
from atreport.core.band import Range
from atreport.core.cells import arrange
from atreport.core.certify import Announcement
from atreport.measures.comparisons import disparity_range, impact_ranges
from atreport.measures.rates import named_groups, rates, strata_of
from atreport.report.fairness import Assessment
from tests.assessing import assess
from tests.example import announced, process_with, write_example
from tests.measures.test_fairness import public_spec

MEASURES: list[dict[str, Any]] = [
    {"measure": "group_disparity", "groups": "group"},
    {"measure": "group_disparity", "groups": ["group", "other"]},
    {"measure": "impact_ratio", "groups": "group"},
    {"measure": "impact_ratio", "groups": ["group", "other"]},
]
PRINTED = 9  # decimals


def decided_cases(seed: int) -> tuple[Announcement, pd.DataFrame]:
    """Random decided cases, and the announcement that announces their frequencies unchanged."""
    rng = np.random.default_rng(seed)
    codes = np.array(list(product(range(3), range(4), range(2))), dtype=np.int32)
    people = 2 ** rng.integers(1, 8, len(codes))  # frequencies over powers of two have few decimals
    favoured = rng.binomial(people, rng.random(len(codes)))
    cells, order = arrange(process_with(3, 4, 2), codes, people.astype(np.int64))
    steps = (favoured * 10**PRINTED // people)[order]
    rows = [
        {"group": f"g{g}", "secret": f"s{s}", "other": f"o{o}", "decided": int(case < yes)}
        for (g, s, o), n, yes in zip(codes.tolist(), people.tolist(), favoured.tolist(), strict=True)
        for case in range(n)
    ]
    return announced(cells, steps, decimals=PRINTED), pd.DataFrame(rows)


def exact_rates(announcement: Announcement, by: str | list[str]) -> list[Range]:
    """The exact rate of every group, each with the interval it lies in."""
    everybody = strata_of(announcement.cells, ())
    found = [
        rates(announcement.rule, mask, everybody).ranges[0][0]
        for _, mask in named_groups(announcement.cells, by)
    ]
    return [rate for rate in found if rate is not None]


def test_agrees_with_plain_pandas_to_the_last_digit() -> None:
    """An independent calculation on the cases themselves: rates, differences and ratios agree to 1e-12."""
    for seed in range(20):
        announcement, cases = decided_cases(seed)
        for by in ("group", ["group", "other"]):
            expected = cases.groupby(by)["decided"].mean()
            exact = exact_rates(announcement, by)
            assert [float(rate.value) for rate in exact] == pytest.approx(expected.tolist(), abs=1e-12)
            assert all(rate.low == rate.value == rate.high for rate in exact)
            disparity, impact = disparity_range(exact), impact_ranges(exact)[0]
            assert float(disparity.value) == pytest.approx(expected.max() - expected.min(), abs=1e-12)
            assert float(impact.value) == pytest.approx(expected.iloc[0] / expected.max(), abs=1e-12)
            assert (
                (disparity.low, impact.low)
                == (disparity.high, impact.high)
                == (disparity.value, impact.value)
            )


def test_agrees_with_fairlearn() -> None:
    """Fairlearn's rates, demographic parity difference and ratio on the cases, against ours on the announcement."""
    metrics = pytest.importorskip("fairlearn.metrics")
    for seed in range(20):
        announcement, cases = decided_cases(seed)
        assessments, _ = assess(announcement, public_spec(announcement.cells, MEASURES))
        for by, disparity in ((["group"], 0), (["group", "other"], 1)):
            given = {"y_true": cases["decided"], "y_pred": cases["decided"], "sensitive_features": cases[by]}
            frame = metrics.MetricFrame(metrics=metrics.selection_rate, **given)
            shown = {rate.group: rate for rate in assessments[disparity].rates or ()}
            for group, rate in frame.by_group.items():
                name = group if isinstance(group, str) else " · ".join(group)
                assert float(shown[name].value) == pytest.approx(rate, abs=0.51 * 10**-PRINTED)
            values = [rate.value for rate in exact_rates(announcement, by[0] if len(by) == 1 else by)]
            difference = metrics.demographic_parity_difference(**given)
            ratio = metrics.demographic_parity_ratio(**given)
            assert float(max(values) - min(values)) == pytest.approx(difference, abs=1e-12)
            assert float(min(values) / max(values)) == pytest.approx(ratio, abs=1e-12)
            smallest = _smallest_ratio(assessments, len(values))
            assert smallest == pytest.approx(ratio, abs=0.51 * 10**-PRINTED)


def _smallest_ratio(assessments: Sequence[Assessment], groups: int) -> float:
    """The smallest impact ratio among so many groups."""
    each = [a for a in assessments if a.measure == "impact_ratio"]
    chosen = each[:groups] if groups == 3 else each[3:]
    return min(float(a.result.value) for a in chosen if a.result)


def test_measures_as_a_tidy_frame(tmp_path: Path) -> None:
    """A build gives its measures; the frame has one row each, numbers as numbers, and the verdict beside them."""
    result = atreport.build(write_example(tmp_path), tmp_path / "out", formats=["json"])
    frame = measures_frame(result.assessments)
    assert len(frame) == len(result.assessments) == 6
    assert frame["measure"].tolist()[:2] == ["statistical_parity", "conditional_statistical_parity"]
    assert frame["value"].dtype == frame["interval_low"].dtype == np.float64
    assert (frame["interval_low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["interval_high"]).all()
    row = frame[frame["measure"] == "p_percent_rule"].iloc[0]
    assert (row["group_a"], row["group_b"], row["threshold"]) == ("F", "M", 0.8)
    by_group = rates_frame(result.assessments)
    assert by_group[by_group["given"].isna()]["group"].tolist() == ["F", "M"]
    assert by_group["sampling_low"].isna().all()
    assert measures_frame([]).empty
