"""Whatever a spec asks for, and whatever its texts look like, an honest report passes both verifiers."""

import json
import random
import warnings
from pathlib import Path

import pytest

from atreport import verify
from atreport.errors import Refused
from atreport.export.files import public_files
from atreport.private.audited import compose
from atreport.private.prepare import prepare_spec
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec
from tests.example import example_spec
from tests.random_specs import random_spec, with_every_option, with_name_everywhere
from tests.verifying import ACCEPT, shipped, written


def assert_passes(
    seed: int, folder: Path, formats: list[str], *, every_option: bool = False, name: str = ""
) -> bool:
    """Compose the report of a random spec; whether it could be. An honest refusal is fine, a doubt about it is not."""
    rng = random.Random(seed)
    document = random_spec(rng)
    if every_option:
        document = with_every_option(document, rng)
    if name:
        document = with_name_everywhere(document, name)
    spec = parse_spec(json.dumps(document, ensure_ascii=False))  # which is YAML too
    try:
        assert_holds(spec, folder, formats)
    except Refused:
        return False
    return True


def assert_holds(spec: Spec, folder: Path, formats: list[str]) -> None:
    """Neither verifier finds anything in a report as it was published."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # a user would see it on the terminal
        public = written(public_files(compose(prepare_spec(spec)).report, formats), folder / "public")
    assert verify(public).findings == ()
    done = shipped(public, ACCEPT)
    assert done.returncode == 0, done.stdout


NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
NOT_DRAWN = {
    "least distortion": [("decimals: 4", "decimals: 3\n  objective: fidelity")],
    "relative": [("metric: total_variation", "metric: relative"), ("{delta: 0.9}", "{alpha: 0.8}"), NO_CEILING],
    "groups of several attributes": [
        ("{measure: statistical_parity, groups: gender, threshold: 0.3}",
         "{measure: group_disparity, groups: {rich: {income: '>200k'}, women: {gender: F}, men: {gender: M}}, title: All}"),
    ],
}  # fmt: skip
"""What random specs never ask for, as edits of the example."""


@pytest.mark.parametrize("edits", NOT_DRAWN.values(), ids=NOT_DRAWN.keys())
def test_what_is_not_drawn_passes(edits: list[tuple[str, str]], tmp_path: Path) -> None:
    """Whatever a spec asks for, an honest report is never doubted."""
    assert_holds(example_spec(*edits), tmp_path, ["json"])


def test_some_specs_pass(tmp_path: Path) -> None:
    """A quick slice: one with pages and PDF, whose tables span pages and whose words are broken, others without."""
    formats = {seed: ["html", "pdf", "json"] if seed == 1 else ["json"] for seed in range(6)}
    assert sum(assert_passes(seed, tmp_path, wanted) for seed, wanted in formats.items()) >= 3
    assert sum(assert_passes(seed, tmp_path, ["json"], every_option=True) for seed in range(5000, 5004)) >= 2


def test_wide_open_counts_pass(tmp_path: Path) -> None:
    """Counts hidden in blocks leave the logarithm of a ratio open by more than ten."""
    assert assert_passes(103, tmp_path, ["json"])


@pytest.mark.slow
def test_some_specs_pass_with_their_pdf(tmp_path: Path) -> None:
    """The others of the quick slice, PDF included."""
    assert sum(assert_passes(seed, tmp_path, ["html", "pdf", "json"]) for seed in (0, 2)) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_specs_pass(part: int, tmp_path: Path) -> None:
    """A hundred and twenty random specs, pages and PDF included."""
    seeds = range(100 + 12 * part, 112 + 12 * part)
    passed = sum(assert_passes(seed, tmp_path, ["html", "pdf", "json"]) for seed in seeds)
    assert passed >= 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["W" * 74, "Mm " * 24 + "M", "M-W " * 18 + "M"], ids=["one word", "words", "hyphens"]
)
def test_wide_names_pass(name: str, tmp_path: Path) -> None:
    """Names of wide letters stay inside of the charts; a PDF whose words are cut off would be doubted."""
    assert sum(assert_passes(seed, tmp_path, ["html", "pdf", "json"], name=name) for seed in (1, 2)) >= 1


def formats_of(seed: int) -> list[str]:
    """Every format somewhere: PDF, which takes longest, of every sixth; spreadsheets of every third."""
    more = [["pdf"], ["ods"], [], ["xlsx"], [], []][seed % 6]
    return ["html", "json", *more]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_specs_with_every_option_pass(part: int, tmp_path: Path) -> None:
    """Two hundred and fifty random specs with options of every kind, so that at least two hundred are published."""
    seeds = range(5000 + 25 * part, 5025 + 25 * part)
    passed = sum(assert_passes(seed, tmp_path, formats_of(seed), every_option=True) for seed in seeds)
    assert passed >= 20
