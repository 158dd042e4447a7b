"""The guard on small cells holds for the whole public folder, and every bound for every population it leaves open."""

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport import build
from atreport.api.check import check
from atreport.core.inference import confidence
from atreport.core.suppression import people_bounds
from atreport.errors import Refused
from atreport.measures.rates import highest_mean, named_groups, rates, strata_of
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.private.protect import guard_small_cells
from tests.assessing import assess
from tests.command_line import atreport
from tests.example import example_spec, random_table, write_example
from tests.forms import HAND_WORKED
from tests.thoroughness import examples
from tests.verifying import public_files_of as public_files

NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
COUNTS = ("population: shares", "population: counts")
SMALL = "decimals: 4\n  small_cells: {policy: POLICY, under: 5}"
ROUND = ("decimals: 4", SMALL.replace("POLICY", "round"))
SUPPRESS = ("decimals: 4", SMALL.replace("POLICY", "suppress"))


def people(spec: Path, **changes: str) -> Path:
    """The spec with other numbers of people."""
    spec.write_text(
        re.sub(
            r"population: (\d+),",
            lambda found: f"population: {changes.get('p' + found[1], found[1])},",
            spec.read_text(),
        )
    )
    return spec


# of shares and of nothing, random reports are compared in memory by publication/test_rule.py
@pytest.mark.parametrize(
    "published", ["counts", *(pytest.param(each, marks=pytest.mark.slow) for each in ("shares", "withheld"))]
)
@pytest.mark.parametrize(
    ("policy", "changes"),
    [
        (ROUND, {"p12": "10", "p3": "7", "p9": "8"}),  # 10, 5, 10 either way
        (SUPPRESS, {"p3": "4", "p4": "3"}),  # both are hidden, and their sum stays
    ],
    ids=["round", "suppress"],
)
def test_populations_published_alike_give_the_same_bytes(
    tmp_path: Path, policy: tuple[str, str], changes: dict[str, str], published: str
) -> None:
    """Nothing in the public folder, charts and the look-up panel included, tells exact numbers apart."""
    edits = (NO_CEILING, policy, ("population: shares", f"population: {published}"))
    formats = ["json", "html"] if published == "counts" else ["json"]
    one = build(write_example(tmp_path / "1", *edits), tmp_path / "out1", formats=formats)
    two = build(people(write_example(tmp_path / "2", *edits), **changes), tmp_path / "out2", formats=formats)
    assert public_files(one.folder) == public_files(two.folder)


def test_forms_published_alike_give_the_same_bytes(tmp_path: Path) -> None:
    """The same for a form with its tables of numbers: three people and two swap places unseen."""
    text = HAND_WORKED.replace("decimals: 4}", "decimals: 4, small_cells: suppress}")
    other = text.replace("race: C, population: 3", "race: C, population: 4").replace(
        "race: unknown, population: 7", "race: unknown, population: 6"
    )
    folders = []
    for name, content in (("one", text), ("two", other)):
        path = tmp_path / name / "audit.yaml"
        path.parent.mkdir()
        path.write_text(content)
        folders.append(build(path, tmp_path / name / "out", formats=["json", "html"]).folder)
    form = json.loads((folders[0] / "public" / "report.json").read_text())["form"]
    crossed = next(t for t in form["tables"] if t["table"] == "intersections")
    assert any(row["people"]["published"] is None for row in crossed["categories"])
    assert public_files(folders[0]) == public_files(folders[1])


def test_suppressed_numbers_are_nowhere(tmp_path: Path) -> None:
    """No cell under the threshold has a size in report.json or cells.csv, nor have those that would give it away."""
    result = build(write_example(tmp_path, NO_CEILING, SUPPRESS, COUNTS), tmp_path / "out", formats=["json"])
    document = json.loads((result.folder / "public" / "report.json").read_text())
    sizes = [cell.get("population") for cell in document["cells"]]
    assert None in sizes
    assert not any(size is not None and size < 5 for size in sizes)
    assert document["policy"]["small_cells"]["suppressed"] == sizes.count(None)
    rows = (result.folder / "public" / "cells.csv").read_text().splitlines()[1:]
    assert [row.split(",")[2] for row in rows] == ["" if size is None else str(size) for size in sizes]


@pytest.mark.parametrize("policy", [ROUND, SUPPRESS], ids=["round", "suppress"])
def test_every_bound_holds_for_every_population_left_open(policy: tuple[str, str]) -> None:
    """β of every group, and every rate's interval, for all corners of what the published numbers allow."""
    spec = example_spec(NO_CEILING, policy)
    exact = read_table(spec)
    table, account = guard_small_cells(spec, exact)
    announcement = draft_announcement(spec, table, small_cells=account).announcement
    fewest, most = people_bounds(announcement.cells)
    assert (fewest <= exact.cells.population).all()
    assert (exact.cells.population <= most).all()
    assessments, _ = assess(announcement, spec.public)
    parity = assessments[0]
    for corner in product(*zip(fewest.tolist(), most.tolist(), strict=True)):
        population = np.array(corner)
        assert (
            confidence(announcement.cells, announcement.mapping, population, 4) <= announcement.group_beta
        ).all()
        for code, rate in enumerate(parity.rates or ()):
            mask = announcement.cells.column("gender") == code
            value = Fraction(
                int((population * announcement.announced)[mask].sum()),
                int(population[mask].sum()) * announcement.scale,
            )
            if policy is ROUND:
                assert rate.low <= value <= rate.high


weights = st.lists(
    st.tuples(st.integers(-5, 5), st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=5
)


@settings(max_examples=examples(200), deadline=None)
@given(weights)
def test_highest_mean_equals_brute_force(items: list[tuple[int, int, int]]) -> None:
    """Over all whole weights; with a known sum of weights, over those that have it."""
    values, fewest = [v for v, _, _ in items], [f for _, f, _ in items]
    most = [f + room for _, f, room in items]
    choices = list(product(*(range(f, m + 1) for f, m in zip(fewest, most, strict=True))))
    means = [Fraction(sum(w * v for w, v in zip(c, values, strict=True)), sum(c)) for c in choices]
    assert highest_mean(values, fewest, most) == max(means)
    total = sum(choices[len(choices) // 2])
    with_total = [mean for c, mean in zip(choices, means, strict=True) if sum(c) == total]
    assert highest_mean(values, fewest, most, total) == max(with_total)


def test_refusal_names_no_number_of_people(tmp_path: Path) -> None:
    """Exit 3, nothing written, no true probability; `check` lists the cells and exits 3 too."""
    refuse = ("decimals: 4", SMALL.replace("POLICY", "refuse"))
    spec = write_example(tmp_path, refuse, ("approved: 0.5", "approved: 0.51739"))
    done = atreport("build", spec, "-o", tmp_path / "out")
    assert done.returncode == 3
    assert "refused by the policy on small cells: 2 of 6 cells have fewer than 5 people" in done.stderr
    assert "51739" not in done.stderr
    assert not (tmp_path / "out").exists()
    checked = atreport("check", spec, "--details")
    assert checked.returncode == 3
    assert "small cells: 2 with fewer than 5 people (a build would be refused)" in checked.stdout


def test_too_few_people_to_suppress_is_a_refusal(tmp_path: Path) -> None:
    """Where no choice of suppressed numbers protects the small ones, nothing is published."""
    spec = write_example(
        tmp_path, ("decimals: 4", "decimals: 4\n  small_cells: {policy: suppress, under: 40}")
    )
    with pytest.raises(Refused, match="too few people"):
        build(spec, tmp_path / "out")


def test_check_lists_what_is_small_and_what_exact_figures_cost(tmp_path: Path) -> None:
    """Cells under n, outcomes that are certain, shares under 2 %, and β at δ = 1 where the law wants that."""
    path = tmp_path / "audit.yaml"
    path.write_text(HAND_WORKED.replace("delta: 1}", "delta: 0.9}"))
    result = check(path)
    assert {row["population"] for row in result.small_cell_rows()} == {3, 7}
    assert {tuple(row)[-1] for row in result.small_share_rows()} == {"share"}
    assert {"race": "C", "share": 0.012} in result.small_share_rows()
    assert result.exact_beta is not None
    assert result.exact_beta > float(result.announcement.beta) - 1e-9
    shown = atreport("check", path, "--details").stdout
    assert "want exact figures: that is 'fidelity: {delta: 1}', with β = " in shown
    assert "certain outcomes" in atreport("check", _exact(tmp_path), "--details").stdout


def _exact(folder: Path) -> Path:
    path = folder / "exact.yaml"
    path.write_text(HAND_WORKED)
    return path


@pytest.mark.parametrize("policy", ["round", "suppress"])
def test_random_tables_keep_every_promise_under_the_guard(policy: str) -> None:
    """With the exact population and the true rule: β and the rate of every group, on random tables."""
    rng = np.random.default_rng(11)
    spec = example_spec(NO_CEILING, ("decimals: 4", f"decimals: 4\n  small_cells: {policy}"))
    for _ in range(12):
        exact = random_table(rng, groups=3, values=3)
        table, account = guard_small_cells(spec, exact)
        announcement = draft_announcement(spec, table, small_cells=account).announcement
        population = exact.cells.population
        assert (
            confidence(announcement.cells, announcement.mapping, population, 4) <= announcement.group_beta
        ).all()
        everybody = strata_of(announcement.cells, [])
        for _, mask in named_groups(announcement.cells, "group"):
            ranges = rates(announcement.rule, mask, everybody).in_stratum(0)
            if ranges is not None:
                true = float((population * exact.favourable)[mask].sum() / population[mask].sum())
                assert float(ranges[0].low) - 1e-9 <= true <= float(ranges[0].high) + 1e-9
