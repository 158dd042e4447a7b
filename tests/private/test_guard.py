"""The guard on small cells: the number of records that were left out is guarded like any other."""

from dataclasses import replace

import numpy as np
import pytest

from atreport.core.cells import EstimationAccount
from atreport.core.suppression import FormGroup
from atreport.errors import Refused
from atreport.private import protect
from atreport.private.data.table import read_table
from atreport.private.protect import guard_small_cells
from tests.example import example_spec


def guarded(number: int, policy: str) -> tuple[int, int]:
    """What is published of so many records left out."""
    spec = example_spec(("decimals: 4", f"decimals: 4\n  small_cells: {policy}"))
    found = EstimationAccount(method="frequency", population="records", excluded=(number, number))
    table, _ = guard_small_cells(spec, replace(read_table(spec), estimation=found))
    assert table.estimation is not None
    assert table.estimation.excluded is not None
    return table.estimation.excluded


@pytest.mark.parametrize(
    "policy", ["round", "{policy: suppress, under: 5}", "{policy: suppress, under: 5, protection: 8}"]
)
def test_records_left_out_are_as_open_as_any_small_number(policy: str) -> None:
    """Whatever is published alike leaves at least the promised interval, and contains the number."""
    promised = 9 if policy == "round" else 8 if "protection" in policy else 5
    alike: dict[tuple[int, int], list[int]] = {}
    for number in range(60):
        fewest, most = guarded(number, policy)
        assert fewest <= number <= most
        alike.setdefault((fewest, most), []).append(number)
    for (fewest, most), numbers in alike.items():
        if fewest < most and numbers[-1] < 55:
            assert (numbers[0], numbers[-1]) == (fewest, most)
            assert most - fewest >= promised
    assert policy == "round" or guarded(9, policy) == (9, 9)


@pytest.mark.parametrize("policy", ["warn", "round", "suppress"])
def test_without_records_there_is_nothing_to_guard(policy: str) -> None:
    """A table that was given has no records that could be left out."""
    spec = example_spec(("decimals: 4", f"decimals: 4\n  small_cells: {{policy: {policy}, under: 5}}"))
    assert guard_small_cells(spec, read_table(spec))[0].estimation is None


def test_one_small_cell_is_enough_to_refuse() -> None:
    """Cells of 3 to 12 people: under 3 none is small, under 4 one is, under 100 all are."""
    for under, is_refused in ((3, False), (4, True), (100, True)):
        spec = example_spec(
            ("decimals: 4", f"decimals: 4\n  small_cells: {{policy: refuse, under: {under}}}")
        )
        table = read_table(spec)
        if not is_refused:
            assert guard_small_cells(spec, table)[0] is table
            continue
        with pytest.raises(Refused, match=f"fewer than {under} people"):
            guard_small_cells(spec, table)


def test_a_refusal_counts_the_categories_of_the_form_with_few_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """One person is few, and nobody is none: an empty category tells nothing about anybody."""
    spec = example_spec(("decimals: 4", "decimals: 4\n  small_cells: {policy: refuse, under: 5}"))
    table = read_table(spec)
    people = table.cells.population.copy()
    people[0] = 1
    table = replace(table, cells=replace(table.cells, population=people))
    place = np.arange(len(people))
    categories = [
        FormGroup(values={"a": str(size)}, cells=place < size, unknown=False) for size in (0, 1, len(people))
    ]
    monkeypatch.setattr(protect, "form_groups", lambda *_: categories)
    with pytest.raises(Refused, match=r"1 of 3 categories of the form"):
        guard_small_cells(spec, table)
