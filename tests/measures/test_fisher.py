"""Fisher's exact test: the library's p-values, for few cases and for millions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from atreport.measures.chance import fisher_test


@given(st.integers(0, 60), st.integers(0, 60), st.data())
@settings(max_examples=150, deadline=None)
def test_fisher_agrees_with_scipy(first: int, second: int, data: st.DataObject) -> None:
    """The same p-value as the library gives, groups without anybody included."""
    a, b = data.draw(st.integers(0, first)), data.draw(st.integers(0, second))
    expected = fisher_exact(np.array([[a, first - a], [b, second - b]])).pvalue
    assert fisher_test((a, first), (b, second)) == pytest.approx(expected, rel=1e-9)


def test_fisher_of_millions_is_quick_and_right() -> None:
    """Of millions of records only counts with a chance to speak of are looked at; the p-value is the library's."""
    first, second = (1_667_000, 3_333_333), (1_669_000, 3_333_334)
    table = np.array([[favourable, people - favourable] for favourable, people in (first, second)])
    assert fisher_test(first, second) == pytest.approx(fisher_exact(table).pvalue, rel=1e-6)
    assert fisher_test((0, 3_333_333), second) == 0
