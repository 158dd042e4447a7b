"""Numbers of people in lowest terms: what floats are made of, and no more than shares tell."""

import numpy as np

from tests.documents import example_report


def test_people_in_lowest_terms_keep_their_proportions_in_every_group() -> None:
    """Shares within a group are what they were, numbers have no divisor in common, and their scale is gone."""
    cells = example_report().report.rule_table.cells
    lowest = cells.in_lowest_terms
    starts = cells.group_starts
    assert (np.gcd.reduceat(lowest, starts) == 1).all()
    of_group, of_lowest = (
        np.add.reduceat(people, starts)[cells.group] for people in (cells.population, lowest)
    )
    assert (cells.population * of_lowest == lowest * of_group).all()
    assert (cells.population >= lowest).all()
