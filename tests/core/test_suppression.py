"""Hidden counts cannot be worked out: not by subtraction, and not by running the program on every table that fits."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.optimize import linprog

from atreport.core.cells import IntArray
from atreport.core.suppression import CannotSuppress, Mask, Suppression, suppress
from tests.core.attacking import Output, asked_once, margins, output, tables_of

UNDER = 10

pytestmark = pytest.mark.usefixtures(asked_once.__name__)


def narrowest(cells: int, people: int, tables: Sequence[IntArray], under: int, protection: int) -> int | None:
    """How far apart, at least, are the values of a hidden cell or sum over all tables that are published alike."""
    alike: defaultdict[Output, list[IntArray]] = defaultdict(list)
    for table in tables_of(cells, people):
        seen = output(table, tables, under, protection)
        if seen is not None:
            alike[seen].append(table)
    widths = []
    for seen, found in alike.items():
        stack = np.array(found)
        known = {members for members, _ in seen[1]}  # type: ignore[attr-defined]
        counts = [np.arange(cells) == c for c in range(cells)]
        counts += [table == category for table in tables for category in np.unique(table)]
        for count in counts:
            members = tuple(np.flatnonzero(count).tolist())
            small = stack[:, count].sum(axis=1).min() < under
            if members not in known and (any(seen[0][cell] == 0 for cell in members)):  # type: ignore[index]
                numbers = stack[:, count].sum(axis=1)
                if small or len(members) == 1:
                    widths.append(int(numbers.max() - numbers.min()))
            else:
                assert not small, "a small number is published"
    return min(widths) if widths else None


@pytest.mark.parametrize(
    ("cells", "most", "tables", "under", "protection"),
    [
        (2, 30, [], 4, 4),
        (3, 22, [], 4, 4),
        (4, 18, [], 4, 4),
        (5, 14, [], 3, 3),
        (4, 11, margins(2, 2), 3, 3),
        pytest.param(4, 11, margins(2, 2), 4, 2, marks=pytest.mark.slow),
        pytest.param(6, 11, margins(2, 3), 3, 2, marks=pytest.mark.slow),
        (5, 12, [np.array([0, 0, 1, 1, 1])], 3, 3),
    ],
)
def test_whoever_runs_the_program_on_every_table_learns_no_more(
    cells: int, most: int, tables: list[IntArray], under: int, protection: int
) -> None:
    """All tables up to some size, exhaustively: those published alike leave every hidden count its interval."""
    found = [narrowest(cells, people, tables, under, protection) for people in range(cells, most + 1)]
    widths = [width for width in found if width is not None]
    assert len(widths) >= 3
    assert min(widths) >= protection


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cells", "most", "tables", "under", "protection"),
    [
        (4, 40, [], 5, 5),
        (6, 20, [], 4, 4),
        (4, 30, margins(2, 2), 4, 4),
        (6, 17, margins(2, 3), 3, 3),
        (6, 17, [*margins(3, 2), margins(6)[0]], 3, 3),
        (8, 14, margins(2, 2, 2), 3, 3),
        (8, 13, [*margins(2, 2, 2)[:2], np.repeat(np.arange(4), 2)], 3, 3),
        (6, 18, [np.array([0, 0, 1, 1, 2, 2])], 4, 4),
    ],
)
def test_nor_on_every_larger_table(
    cells: int, most: int, tables: list[IntArray], under: int, protection: int
) -> None:
    """The same on some hundred thousand tables."""
    test_whoever_runs_the_program_on_every_table_learns_no_more(cells, most, tables, under, protection)


@pytest.mark.parametrize("people", [[11, 11, 9, 40], [10, 9, 9, 9]])
def test_tables_that_were_once_given_away(people: list[int]) -> None:
    """Two tables of which only one would have been hidden as it was: now others are hidden alike."""
    seen = output(np.array(people), [], UNDER, 10)
    hidden = np.array(seen[0]) == 0  # type: ignore[index]
    alike = []
    for part in tables_of(int(hidden.sum()), int(np.array(people)[hidden].sum())):
        table = np.array(people)
        table[hidden] = part
        alike += [table] if output(table, [], UNDER, 10) == seen else []
    stack = np.array(alike)
    assert hidden[np.array(people) < UNDER].all()
    assert (np.ptp(stack, axis=0)[hidden] >= 10).all()


def random_table(rng: np.random.Generator) -> tuple[IntArray, list[IntArray]]:
    """Cells of two or three attributes, with the sums a form prints: of each attribute and of their crossing."""
    shape = (int(rng.integers(2, 4)), int(rng.integers(2, 7)), int(rng.integers(1, 3)))
    codes = np.array(list(np.ndindex(*shape)))
    codes = codes[np.sort(rng.permutation(len(codes))[: max(2, int(len(codes) * rng.uniform(0.6, 1)))])]
    people = np.maximum(1, rng.lognormal(rng.uniform(1.5, 5), 1.2, len(codes)).astype(np.int64))
    return people, [codes[:, 0], codes[:, 1], codes[:, 0] * 10 + codes[:, 1]]


def attack(people: IntArray, found: Suppression, target: Mask) -> tuple[float, float]:
    """The least and the most that a number can be, given everything published and that no cell is empty."""
    places = np.flatnonzero(found.hidden)
    known = float(people[~found.hidden & target].sum())
    if not len(places):
        return known, known
    sums = np.array([group[places] for group in found.sums], dtype=float)
    totals = np.array([people[group & found.hidden].sum() for group in found.sums], dtype=float)
    ends = []
    for sign in (1, -1):
        result = linprog(sign * target[places].astype(float), A_eq=sums, b_eq=totals, bounds=(1, None))
        assert result.fun is not None
        ends.append(sign * float(result.fun))
    return ends[0] + known, ends[1] + known


def check(people: IntArray, tables: list[IntArray], protection: int) -> bool:
    """Attack every small number of a table by subtraction; False where the table was refused."""
    try:
        found = suppress(people, tables, UNDER, protection)
    except CannotSuppress:
        assert int(people.sum()) < UNDER + protection + len(people)
        return False
    cells = [np.arange(len(people)) == cell for cell in range(len(people))]
    categories = [table == category for table in tables for category in np.unique(table)]
    for mask in [*cells, *categories]:
        least, most = attack(people, found, mask)
        if int(people[mask].sum()) < UNDER or (mask.sum() == 1 and found.hidden[mask].all()):
            assert most - least >= protection - 1e-6
    # what is said to follow from the published numbers holds for every table that agrees with them
    for cell in np.flatnonzero(found.hidden):
        least, most = attack(people, found, cells[cell])
        assert found.fewest[cell] <= least + 1e-6
        assert most - 1e-6 <= found.most[cell]
    # the population that stands in agrees with everything published
    assert (found.stand_in[~found.hidden] == people[~found.hidden]).all()
    assert (found.stand_in >= 1).all()
    for group in found.sums:
        assert found.stand_in[group].sum() == people[group].sum()
    return True


@pytest.mark.parametrize("protection", [10, pytest.param(25, marks=pytest.mark.slow)])
def test_no_small_number_is_had_by_subtraction(protection: int) -> None:
    """On random tables with sums over every attribute, no attack gets closer than the protection interval."""
    rng = np.random.default_rng(protection)
    assert sum(check(*random_table(rng), protection) for _ in range(12)) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("protection", [5, 10, 25])
def test_no_small_number_is_had_by_subtraction_from_many_tables(protection: int) -> None:
    """The same on 450 tables in all."""
    rng = np.random.default_rng(1000 + protection)
    assert sum(check(*random_table(rng), protection) for _ in range(150)) >= 110


def test_with_the_total_alone_no_linear_program_is_needed() -> None:
    """Many cells, and nothing but their sum beside them: others are hidden until nobody can subtract."""
    rng = np.random.default_rng(7)
    for _ in range(10):
        people = np.maximum(1, rng.lognormal(3, 1.2, int(rng.integers(2, 30))).astype(np.int64))
        assert check(people, [], 10) or int(people.sum()) < 60


def test_sums_are_kept_where_cells_can_be_hidden_instead() -> None:
    """Of a table of two by four with one small cell, a rectangle is hidden and both margins stay."""
    people = np.array([314, 229, 100, 3, 106, 157, 122, 419])
    found = suppress(people, margins(2, 4), UNDER, 10)
    assert len(found.sums) == 7
    assert np.flatnonzero(found.hidden).tolist() == [2, 3, 6, 7]


def test_a_small_sum_is_hidden_with_its_neighbour() -> None:
    """A category of seven people in two cells: neither its sum nor that of the category beside it is published."""
    people = np.array([90, 80, 3, 4, 300, 200, 70, 60])
    tables = [np.array([0, 0, 1, 1, 2, 2, 3, 3])]
    found = suppress(people, tables, UNDER, 10)
    shown = [set(np.flatnonzero(group).tolist()) for group in found.sums]
    assert shown == [set(range(8)), {4, 5}, {6, 7}]
    assert found.hidden[:4].tolist() == [True] * 4


def test_a_large_table_publishes_no_sum_but_the_total() -> None:
    """Where the search would be long, fewer sums are published rather than fewer people protected."""
    rng = np.random.default_rng(3)
    people = np.maximum(1, rng.lognormal(2, 1, 5000).astype(np.int64))
    found = suppress(people, [(np.arange(5000) < 2500).astype(np.int64)], UNDER, 10)
    assert len(found.sums) == 1
    assert found.stand_in.sum() == people.sum()
    assert found.hidden[people < UNDER].all()


def test_nobody_can_be_hidden_in_a_tiny_population() -> None:
    """A handful of people in all: no choice protects them."""
    with pytest.raises(CannotSuppress):
        suppress(np.array([3, 4, 5]), [], UNDER, 10)


def test_one_cell_is_published_or_refused() -> None:
    """Of a single cell everything is known from the number of all people: hiding it would hide nothing."""
    assert not suppress(np.array([40]), [], UNDER, 10).hidden.any()
    with pytest.raises(CannotSuppress):
        suppress(np.array([9]), [], UNDER, 10)
