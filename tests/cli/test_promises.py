"""`atreport check` and `build` on the promises: lift, odds, rates, each ceiling, and loud words where nobody is protected."""

import json
from pathlib import Path

from tests.command_line import atreport
from tests.example import write_example

EXACT = ("{delta: 0.9}", "{delta: 1}")
NO_CEILING = ("  privacy: {beta: 0.7}\n", "")


def test_check_shows_every_promise(tmp_path: Path) -> None:
    """β, lift, odds and rates, and each ceiling with whether it is kept."""
    spec = write_example(
        tmp_path,
        ("{delta: 0.9}", "{delta: 0.9, rates: 0.99}"),
        ("{beta: 0.7}", "{beta: 0.9, lift: 2, odds: 40}"),
        ('">200k"]}', '">200k"], ceilings: {">200k": 0.2}}'),
    )
    shown = atreport("check", str(spec), "--details")
    assert shown.returncode == 3
    for words in (
        "rates      of every group of the table below: within 1.00 points",
        "lift       ",
        "odds       ",
        "ceiling    beta 0.9: kept",
        "ceiling    lift 2: NOT kept in 2 groups; a build would be refused",
        "ceiling    income: >200k 0.2: NOT kept in 2 groups",
    ):
        assert words in shown.stdout, words
    (entry,) = json.loads(atreport("check", "--json", str(spec)).stdout)["results"]
    assert entry["ceilings_not_kept"] == {"lift": 2, "income: >200k": 2}
    assert entry["rates"] == 0.99
    assert entry["lift"] == max(group["lift"] for group in entry["groups"])


def test_no_protection_is_said_loudly(tmp_path: Path) -> None:
    """Where somebody can be certain, check and build say so, with groups and people."""
    spec = write_example(tmp_path, EXACT, NO_CEILING)
    words = "no protection: someone can be certain in 1 group (20 people)"
    checked = atreport("check", str(spec), "--details")
    assert f"WARNING {words}" in " ".join(checked.stderr.split())
    assert "no limit: an outcome can rule something out for certain" in checked.stdout
    built = atreport("build", str(spec), "-o", str(tmp_path / "out"), "--formats", "json")
    assert words in built.stderr
    assert built.returncode == 0


def test_prior_of_guarded_counts_is_what_cannot_be_ruled_out(tmp_path: Path) -> None:
    """Where counts are rounded, `before` is what the published counts leave open, and check says so."""
    spec = write_example(
        tmp_path,
        NO_CEILING,
        ("decimals: 4", "decimals: 4\n  small_cells: round"),
        ("population: shares", "population: counts"),
    )
    shown = atreport("check", str(spec), "--details").stdout
    assert "before: the most that the published counts cannot rule out" in shown
