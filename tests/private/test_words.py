"""How confidential figures are written for people: few digits, and never on the wrong side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atreport.private.true_rule import at_least, at_most, exact_figure, figure


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.771296296, "0.7713"),
        (0.5, "0.5"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (0.000000123, "0.000000123"),
        (0.999999321, "0.999999321"),
        (0.000543219, "0.000543219"),
        (12.3456789, "12.34568"),
    ],
)
def test_true_figures_have_few_digits_and_lose_nothing_that_matters(number: float, written: str) -> None:
    """Nine digits are noise to a reader; but what is nearly certain must not look certain, nor what is small be gone."""
    assert figure(number) == written


@given(st.floats(0, 100, allow_nan=False))
def test_bounds_are_rounded_to_their_own_side(number: float) -> None:
    """A bound that is rounded to the nearest is no bound any more."""
    assert float(at_least(number)) <= number + 1e-9
    assert float(at_most(number)) >= number - 1e-9
    assert float(at_most(number)) - float(at_least(number)) <= 1.01e-5


def test_figures_of_the_report_stay_as_they_are_printed_there() -> None:
    """An announced figure with many decimals is not another one in the annex."""
    assert exact_figure(0.12345678) == "0.12345678"
