"""The explanation is true: its figures are those of its script, and its numbers those of the solver."""

import importlib.util
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest

from atreport import solve
from tests.command_line import ROOT


@pytest.fixture(scope="module")
def figures() -> ModuleType:
    """docs/figures.py, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs" / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_figures_are_what_the_script_draws(figures: ModuleType) -> None:
    """A figure that was changed by hand, or a script that was changed without drawing."""
    for name, draw in figures.FIGURES.items():
        assert (ROOT / "docs" / "images" / name).read_text(encoding="utf-8") == draw(), name


def test_the_belief_of_the_picture_is_that_of_the_report(figures: ModuleType) -> None:
    """The page says 67.5% and that it is the least, where the solver finds something else."""
    people = list(figures.WOMEN.values())
    true = [float(each) for each in figures.TRUE]
    assert max(figures.belief(people, figures.ANNOUNCED)) == Fraction(675, 1000)
    lower, upper = np.clip(np.array(true) - 0.1, 0, 1), np.clip(np.array(true) + 0.1, 0, 1)
    assert solve(people, true, lower, upper, [0, 0, 0]).beta == pytest.approx(0.675, abs=1e-9)


def test_the_smallest_counterexample_is_one(figures: ModuleType) -> None:
    """Three terms would be enough after all, or the page has the wrong figures for them."""
    terms = figures.terms(Fraction(9, 10))
    assert max(terms) == Fraction(9, 10)
    assert round(float(max(terms[:3])), 3) == 0.857
    worst = max(figures.belief([9, 1], [Fraction(6, 10), Fraction(4, 10)]))
    assert round(float(worst), 3) == 0.931
