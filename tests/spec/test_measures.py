"""Measures: what they need of the process, and what becomes of them where values had to be joined."""

import pytest

from atreport.errors import InvalidInput, Refused
from atreport.spec.fairness import MEASURES
from atreport.spec.load import parse_spec
from atreport.spec.process import Process
from tests.example import changed, example_spec

FIRST = "{measure: statistical_parity, groups: gender, threshold: 0.3}"
MANY = ", ".join(f"v{i}" for i in range(450))
GROUP_MEASURES = {
    "statistical_parity": "",
    "conditional_statistical_parity": ", given: income",
    "p_percent_rule": "",
    "impact_ratio": "",
    "odds_ratio": "",
    "group_disparity": "",
}


@pytest.mark.parametrize("name", GROUP_MEASURES)
def test_too_many_pairs_are_refused_by_measures_of_pairs(name: str) -> None:
    """101,025 pairs would fill thousands of pages; measures with one figure a group, or one for all, may have them."""
    text = changed(
        ("values: [F, M]}", f"values: [F, M]}}\n    - {{name: town, role: private, values: [{MANY}]}}"),
        (FIRST, f"{{measure: {name}, groups: town{GROUP_MEASURES[name]}}}"),
    )
    with pytest.raises(InvalidInput) as caught:
        parse_spec(text)
    found = [p for p in caught.value.problems if p.location.line == 28]
    if MEASURES[name].groups_asked == 2:
        (problem,) = found
        assert problem.message == "up to 450 groups make 101,025 pairs to compare, more than 100,000"
        assert (
            problem.hint == "use 'measure: group_disparity', which gives the largest difference of all pairs"
        )
    else:
        assert not found


def joined(process: Process) -> Process:
    """The process with the two lower incomes joined under a coarser value."""
    income = process.attribute("income")
    coarser = income.model_copy(
        update={
            "values": ("up to 200k", ">200k"),
            "hierarchy": ({"up to 200k": ("<100k", "100k-200k"), "more": (">200k",)},),
        }
    )
    return process.model_copy(update={"attributes": (process.attribute("gender"), coarser)})


def test_named_groups_keep_their_people() -> None:
    """A group named by all the values that were joined is named by the coarser one."""
    groups = "{low: {income: [<100k, 100k-200k]}, high: {income: '>200k'}}"
    spec = example_spec((FIRST, f"{{measure: statistical_parity, groups: {groups}}}"))
    announced = spec.fairness[0].in_values_of(spec.process, joined(spec.process))
    assert announced.groups == {  # type: ignore[union-attr]
        "low": {"income": ("up to 200k",)},
        "high": {"income": (">200k",)},
    }


@pytest.mark.parametrize("distance", ["{scale: 0.5}", "{matrix: [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}"])
def test_distances_between_joined_values_are_refused(distance: str) -> None:
    """Nobody said how far a joined value is from the others, so nothing is published."""
    spec = example_spec(("income: {scale: 0.5}", f"income: {distance}"))
    measure = spec.fairness[3]
    with pytest.raises(Refused) as caught:
        measure.in_values_of(spec.process, joined(spec.process))
    assert str(caught.value) == (
        "refused: individual fairness measures distances between values of 'income', and some had to be joined.\n"
        "  Give 'income' one number as its distance, give the attribute another hierarchy, "
        "or write 'unprotectable: suppress'.\n"
        "  Nothing was published."
    )


def test_one_distance_for_all_values_outlives_their_joining() -> None:
    """A number is the distance of any two different values, whichever those are."""
    spec = example_spec(("income: {scale: 0.5}", "income: 1"))
    measure = spec.fairness[3]
    assert measure.in_values_of(spec.process, joined(spec.process)) is measure
