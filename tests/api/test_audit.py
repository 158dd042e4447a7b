"""The commands audit, tradeoff and demo as a user meets them."""

import json
import stat
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import atreport as run
from tests.example import write_example
from tests.test_wall import THREE_OUTCOMES

atreport = partial(run, COLUMNS="140")
"""On a terminal so wide that it breaks no sentence that is looked for."""


def test_audit_shows_its_attacks_and_a_recommendation(tmp_path: Path) -> None:
    """Data on stdout, the warning that it is confidential on stderr, exit code 0."""
    done = atreport("audit", write_example(tmp_path))
    assert done.returncode == 0
    for part in (
        "1. Taking",
        "2. Promises, tried one by one",
        "3. Calculating",
        "4. Stronger",
        "5. Wrong side knowledge",
        "Choose calibrated",
    ):
        assert part in done.stdout
    assert "confidential" in done.stderr


def test_audit_as_json_lists_every_conclusion(tmp_path: Path) -> None:
    """Two groups, two outcomes, three values: twelve conclusions, worst first."""
    done = atreport("audit", write_example(tmp_path), "--json")
    found = json.loads(done.stdout)
    assert found["ok"]
    assert found["promise_kept"]
    assert len(found["beliefs"]["worst_first"]) == 12
    assert found["beliefs"]["worst_first"][0]["confidence"] == 0.675
    assert [m["mechanism"] for m in found["mechanisms"]] == ["optimal", "calibrated"]


def test_audit_of_a_report_above_its_ceiling_attacks_it_and_says_that_it_is_refused(tmp_path: Path) -> None:
    """Every attack is shown, the refusal stands on stderr, exit code 3 as of a build; with --json the same as data."""
    spec = write_example(tmp_path, ("{beta: 0.7}", "{beta: 0.61}"))
    done = atreport("audit", spec)
    assert done.returncode == 3
    assert "the draft is refused" in done.stdout
    assert "4. Stronger" in done.stdout
    assert "would not keep the policy's ceiling" in done.stderr
    assert "should not happen" not in done.stderr
    done = atreport("audit", spec, "--json")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert (found["ok"], found["exit_code"], found["promise_kept"]) == (False, 3, True)
    assert "would not keep the policy's ceiling" in found["problems"][0]["message"]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("small_cells: refuse", "refused by the policy on small cells"),
        ("unprotectable: refuse", "the population alone gives a sensitive value away"),
        ("unprotectable: merge", "the population alone gives a sensitive value away"),
    ],
)
def test_audit_of_a_refused_report_attacks_it_all_the_same(tmp_path: Path, policy: str, words: str) -> None:
    """Whatever a build refuses for, and for more than one reason at once: the attacks are shown, then every reason."""
    spec = write_example(tmp_path, ("privacy: {beta: 0.7}", f"privacy: {{beta: 0.55}}\n  {policy}"))
    done = atreport("audit", spec)
    assert done.returncode == 3
    assert "1. Taking the announced rule for the truth" in done.stdout
    assert words in done.stderr
    assert "would not keep the policy's ceiling" in done.stderr
    messages = [each["message"] for each in json.loads(atreport("audit", spec, "--json").stdout)["problems"]]
    assert [words in messages[0], "ceiling" in messages[1]] == [True, True]


def test_tradeoff_shows_the_curve_and_draws_it_for_its_owner_only(tmp_path: Path) -> None:
    """Breakpoints, C*, the prior, the knee, three policies, verdicts; SVG and PNG files with mode 0600."""
    spec = write_example(tmp_path)
    done = atreport("tradeoff", spec, "-o", tmp_path / "curve.svg")
    assert done.returncode == 0
    for part in (
        "C* = 1.0000",
        "0.6000 before",
        "knee at delta 0.9286",
        "0.888889",
        "Three policies",
        "Verdicts",
    ):
        assert part in done.stdout, part
    assert atreport("tradeoff", spec, "-o", tmp_path / "curve.png").returncode == 0
    for name, start in (("curve.svg", b"<?xml"), ("curve.png", b"\x89PNG")):
        path = tmp_path / name
        assert path.read_bytes().startswith(start)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_tradeoff_as_json_has_exact_breakpoints(tmp_path: Path) -> None:
    """Breakpoints are fractions; alphas are there beside deltas."""
    found = json.loads(atreport("tradeoff", write_example(tmp_path), "--json").stdout)
    assert [piece["delta"][0] for piece in found["report"]] == ["1", "13/14", "8/9", "8/11"]
    assert found["chosen"] == {
        "delta": "0.9",
        "mechanism": "optimal",
        "beta": 0.675,
        "lift": found["fidelities"][6]["lift"],
        "odds": found["fidelities"][6]["odds"],
        "ceiling": {"beta": "0.7"},
    }
    assert found["fidelities"][6]["delta"] == 0.9
    assert [row["rates"] for row in found["rates"]] == [None, 0.95, 0.98, 0.99, 1.0]
    assert len(found["groups"]) == 2
    assert found["alphas"][0] == {**found["alphas"][0], "alpha": 1.0, "beta": 1.0}
    assert len(found["suggestions"]) == 3


def test_tradeoff_above_the_ceiling_still_answers(tmp_path: Path) -> None:
    """Who was refused looks here for what would be accepted."""
    done = atreport("tradeoff", write_example(tmp_path, ("{beta: 0.7}", "{beta: 0.61}")))
    assert done.returncode == 0
    assert "Closest to the truth" in done.stdout


def test_tradeoff_refuses_other_endings(tmp_path: Path) -> None:
    """A curve is drawn as SVG or PNG."""
    done = atreport("tradeoff", write_example(tmp_path), "-o", tmp_path / "curve.pdf")
    assert done.returncode == 2
    assert ".svg or .png" in done.stderr
    missing = atreport("tradeoff", write_example(tmp_path), "-o", tmp_path / "nowhere" / "curve.svg")
    assert missing.returncode == 2
    assert "could not be written" in missing.stderr


def test_commands_answer_where_there_is_no_closed_form(tmp_path: Path) -> None:
    """Three outcomes and two sensitive attributes: the curve is left out in words, and everything else is there."""
    spec = tmp_path / "loans.yaml"
    spec.write_text(THREE_OUTCOMES)
    shown = atreport("tradeoff", spec)
    assert shown.returncode == 0
    assert "no exact curve" in shown.stdout
    assert atreport("tradeoff", spec, "-o", tmp_path / "curve.svg").returncode == 2
    audited = atreport("audit", spec)
    assert audited.returncode == 0
    assert "not tried" in audited.stdout


def test_demo_tells_the_three_leaks_in_plain_text() -> None:
    """The paper's figures, before and after; no colour where stdout is not a terminal."""
    done = atreport("demo")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    for part in (
        "100% sure",
        "36% sure",
        "Mary finds",
        "at most 67.5% and 63.8%",
        "read 5 of 6 true chances back",
    ):
        assert part in done.stdout
    assert done.stdout.count("Leak") == 3


def test_broken_spec_is_answered_at_its_place(tmp_path: Path) -> None:
    """Exit code 2, file, line and column, on stderr."""
    spec = write_example(tmp_path, ("delta: 0.9", "delta: 9"))
    for command in ("audit", "tradeoff"):
        done = atreport(command, spec)
        assert done.returncode == 2
        assert "example.yaml:23:21" in done.stderr
        assert not done.stdout
