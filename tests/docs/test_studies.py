"""The studies of docs/studies: their pages say what their scripts find, and their scripts calculate what they say."""

import re
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from docs.studies import differential_privacy, page, peers, the_paper
from docs.studies.leaks import announced, k_anonymity, noise
from docs.studies.leaks.scene import NUMERICAL, TABLE_1, Scene, high_income
from docs.studies.paper import appendix_b, corrections
from docs.studies.paper.theorem import confidence, terms, within_delta
from docs.studies.peer_jobs.data import make_data
from tests.finding import all_found

STUDIES = Path(page.__file__).parent
PAGES = sorted(STUDIES.glob("*.md"))
SMALL = Scene((12, 6, 4, 8, 6, 2), levels=3)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_and_figures_of_a_study_are_there(path: Path) -> None:
    """A link or figure of a study leads nowhere, or a figure is too large to commit."""
    for target in all_found(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
        assert not target.endswith(".svg") or (path.parent / target).stat().st_size < 200_000


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_made_part_has_both_marks_and_is_filled(path: Path) -> None:
    """A table of a page was never made, or its marks were broken by hand."""
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"<!-- made: (.+?) -->", text)
    assert names == re.findall(r"<!-- end: (.+?) -->", text)
    assert all(page.written(path.name, name).strip() for name in names)


@pytest.mark.slow
def test_rows_without_noise_are_those_of_the_page() -> None:
    """differential_privacy.md says something else of k-anonymity or of this program than its script finds."""
    found = page.table(["", "", "", ""], differential_privacy.certain_rows(TABLE_1)).splitlines()[2:]
    assert len(found) == 9
    assert set(found) <= set(page.written("differential_privacy.md", "confidence").splitlines())


def test_a_row_of_noise_is_that_of_the_page() -> None:
    """The same seeds no longer give the table of differential_privacy.md."""
    draws = differential_privacy.confidence_draws(
        TABLE_1, differential_privacy.draw_counts, 1.0, differential_privacy.SEEDS
    )
    words = differential_privacy.Spread.of(draws).words(differential_privacy.percent)
    rows = page.written("differential_privacy.md", "confidence").splitlines()
    assert any(row.startswith(f"| Laplace noise, ε = 1 | {words} |") for row in rows)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_reader_of_noisy_figures_weighs_every_rule(seed: int) -> None:
    """The quick sum over products of small tables is not the sum over all rules, one by one."""
    release = noise.noisy_figures(SMALL, 2.0)
    seen = release.figures(SMALL.approved, seed, absolute=noise.DIFFERENCES)
    total, weight = np.zeros(6), 0.0
    for rule in product(*SMALL.possible):
        figures = release.weights @ np.array(rule)
        figures[noise.DIFFERENCES] = np.abs(figures[noise.DIFFERENCES])
        likelihood = float(np.exp(-(np.abs(seen - figures) / release.scale).sum()))
        total, weight = total + likelihood * np.array(rule), weight + likelihood
    assert noise.read_figures(SMALL, release, seen) == pytest.approx(total / weight, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
def test_noise_is_enough_for_every_neighbour(epsilon: float) -> None:
    """A neighbouring data set changes a release by more than its noise covers, or less is added than ε allows."""
    releases = (
        noise.noisy_counts(epsilon),
        noise.noisy_figures(TABLE_1, epsilon),
        noise.noisy_influences(TABLE_1, epsilon),
    )
    moves = [move for c in range(6) for move in (np.eye(6)[c], -np.eye(6)[c])]
    moves += [np.eye(6)[i] - np.eye(6)[j] for g in (0, 3) for i, j in combinations(range(g, g + 3), 2)]
    for release in releases:
        costs = [float((np.abs(release.weights @ move) / release.scale).sum()) for move in moves]
        assert max(costs) == pytest.approx(epsilon)


def test_certain_readers_by_hand() -> None:
    """The exact rows differ from Bayes' rule written out in fractions."""
    truth = TABLE_1.posterior(TABLE_1.approved)
    assert high_income(truth) == 1.0
    assert high_income(truth, 1) == pytest.approx(float(Fraction(5, 14)))
    made = announced.report_of(TABLE_1, announced.OPTIMAL)
    face = high_income(TABLE_1.posterior(announced.read_at_face_value(TABLE_1, made)))
    assert face == pytest.approx(float(Fraction(18, 10) / (Fraction(139, 10) + Fraction(18, 10))))
    # gender left out: all above 200k are approved; of the 9 between, at most 2 are women, or the class had not been small
    pooled = high_income(TABLE_1.posterior(k_anonymity.read_generalised(TABLE_1, 5)))
    assert pooled == pytest.approx(2 / 3)


def test_the_promise_is_kept_at_face_value() -> None:
    """A reader who takes the announced rule for the truth becomes surer than the report promises."""
    for way in (announced.OPTIMAL, announced.CALIBRATED):
        made = announced.report_of(NUMERICAL, way)
        largest = NUMERICAL.posterior(announced.read_at_face_value(NUMERICAL, made)).max()
        assert largest <= float(made.report.privacy.beta) + 1e-12


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("table 1", the_paper.scene_rows),
        ("table 2", the_paper.figure_rows),
        ("leak 1", the_paper.leak_1_rows),
        ("mary", the_paper.mary_rows),
        ("bounds", the_paper.bound_rows),
        ("example", the_paper.example_rows),
        ("curves", the_paper.curve_rows),
    ],
)
def test_tables_of_the_paper_are_those_of_the_page(name, rows) -> None:
    """the_paper.md prints other figures than its script finds."""
    assert page.table([], rows()).splitlines()[2:] == page.written("the_paper.md", name).splitlines()[2:]


def test_the_counterexample_of_the_page() -> None:
    """The paper's promise of the smallest counterexample can be kept after all, or the page tells it wrongly."""
    group, found, rule, reached = corrections.counterexample()
    assert found.paper < Fraction(9, 10) == found.true
    assert reached == confidence(group.shares, rule) > found.paper
    assert corrections.least_confidence(group) == pytest.approx(0.9, abs=1e-6)
    assert page.written("the_paper.md", "counterexample") == the_paper.counterexample_words()


def test_four_terms_are_the_optimum_and_three_are_not() -> None:
    """Linear programming finds another optimum than the corrected theorem on random groups."""
    groups = corrections.random_groups(12, hard=False, seed=22)
    found = [terms(group.shares, within_delta(group.chances, corrections.FIDELITY)) for group in groups]
    programmed = [corrections.least_confidence(group) for group in groups]
    assert programmed == pytest.approx([float(each.true) for each in found], abs=2e-6)
    assert corrections.program_optimum(groups) == pytest.approx(
        [float(each.true) for each in found], abs=1e-9
    )
    assert any(each.paper < each.true for each in found)


def test_relative_measures_move_by_more_than_one() -> None:
    """The counterexample to the paper's cap is none."""
    assert corrections.relative_bias_moves_by() == pytest.approx(float(np.log(3)))


class _AllOf:
    """A model that approves whoever has t in A9 and a high A11."""

    def predict(self, people: pd.DataFrame) -> np.ndarray:
        return np.asarray((people["A9"] == "t") & (people["A11"] >= 10))


def test_influence_is_the_exact_mean_over_everybody() -> None:
    """Influence is not the rate less the rate after the attributes of each person in turn are put in."""
    everybody = pd.DataFrame({"A4": list("yyuu"), "A9": list("ttff"), "A11": [10, 0, 12, 1]})
    some = everybody.iloc[[0]]
    assert appendix_b.influence(_AllOf(), some, everybody, ["A9"]) == 0.5
    assert appendix_b.influence(_AllOf(), some, everybody, ["A9", "A11"]) == 0.75


def test_lines_of_the_jobs_are_those_of_the_page() -> None:
    """peers.md counts other lines than the scripts have."""
    rows = {name: lines for name, _, lines, *_ in peers.rows_of(page.written("peers.md", "measured"))}
    for tool in peers.TOOLS:
        assert rows[tool.name] == str(peers.lines_written(tool.script))


def test_the_invented_people_are_always_the_same() -> None:
    """The data of the comparison change from run to run, or their surest inference is not what the page says."""
    people = make_data()
    assert people.equals(make_data())
    assert f"{100 * peers.largest_confidence(people):.1f} %" in page.written("peers.md", "machine")


def test_figures_have_the_same_bytes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure that is drawn again differs, so that every run of the studies changes the repository."""
    monkeypatch.setattr(page, "HERE", tmp_path)
    the_paper.draw_flattening()
    first = (tmp_path / "the_paper_flattening.svg").read_bytes()
    the_paper.draw_flattening()
    assert (tmp_path / "the_paper_flattening.svg").read_bytes() == first
