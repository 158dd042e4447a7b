"""Whole reports against a reader who runs the program: every number, rate, form and interval is part of the attack."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, product
from math import comb
from typing import Any

import numpy as np
import pytest
import yaml

from atreport.core.cells import IntArray
from atreport.core.suppression import people_bounds
from atreport.errors import Refused
from atreport.private.data.table import read_table
from atreport.private.protect import guard_small_cells
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec
from tests.assessing import report_of
from tests.core.attacking import Output, asked_once, margins, output, tables_of
from tests.forms import HAND_WORKED

UNDER = PROTECTION = 10
SHAPES = [(1, 2), (1, 3), (2, 2), (1, 5), (2, 3), (3, 2)]
MOST_TRIED = 1500

pytestmark = pytest.mark.usefixtures(asked_once.__name__)


def spec_of(people: IntArray, shape: tuple[int, int], rng_rule: int, policy: str, *, form: bool) -> Spec:
    """A spec with so many people in its cells, of which there are sexes times races; with a form, both margins are sums."""
    document: dict[str, Any] = yaml.safe_load(HAND_WORKED)
    rows = list(product(range(shape[0]), range(shape[1])))
    rates = np.random.default_rng(rng_rule).integers(0, 5, len(rows)) / 4
    attributes = document["process"]["attributes"]
    for attribute, size in zip(attributes, shape, strict=True):
        attribute |= {"values": [f"{attribute['name'][0]}{code}" for code in range(max(size, 2))]}
        attribute.pop("unknown")
    document["source"]["table"] = [
        {"sex": f"s{a}", "race": f"r{b}", "population": int(number), "yes": float(rate)}
        for (a, b), number, rate in zip(rows, people, rates, strict=True)
    ]
    document["policy"] |= {"fidelity": {"delta": 0.9}, "small_cells": policy}
    document["fairness"] = [
        {"measure": "statistical_parity", "groups": "race"},
        {"measure": "impact_ratio", "groups": "race"},
    ]
    if not form:
        del document["form"], document["report"]["template"]
    return parse_spec(json.dumps(document, default=str))


def written(people: IntArray, shape: tuple[int, int], rule: int, policy: str, *, form: bool) -> bytes | None:
    """The whole of report.json; None: refused."""
    try:
        return report_json(report_of(spec_of(people, shape, rule, policy, form=form)))
    except Refused:
        return None


def candidates(seen: Output, shape: tuple[int, int], rng: np.random.Generator) -> Iterator[IntArray]:
    """Tables that agree with what is published: all of them, or (where there are too many) some of every kind.

    Of the two margins of a table of six cells at most, both are published, or one, or none.
    """
    people, hidden = np.array(seen[2]), np.array(seen[0]) == 0
    sums = [np.isin(np.arange(len(people)), members) for members, _ in seen[1]]  # type: ignore[attr-defined]
    if len(sums) == 1 + sum(shape):
        yield from _with_margins(people, shape)
        return
    parts = [group & hidden for group in (sums[1:] or sums) if (group & hidden).any()]
    places, totals = [np.flatnonzero(part) for part in parts], [int(people[part].sum()) for part in parts]
    if len(parts) == 1 and comb(totals[0] - 1, len(places[0]) - 1) <= MOST_TRIED:
        spreads: Iterable[tuple[IntArray, ...]] = (
            (part - 1,) for part in tables_of(len(places[0]), totals[0])
        )
    else:
        corners = [
            np.eye(len(place), dtype=np.int64) * (n - len(place))
            for place, n in zip(places, totals, strict=True)
        ]
        spreads = chain(
            product(*corners),
            (
                tuple(
                    rng.multinomial(n - len(place), rng.dirichlet(np.full(len(place), 0.2)))
                    for place, n in zip(places, totals, strict=True)
                )
                for _ in range(MOST_TRIED)
            ),
        )
    for spread in spreads:
        table = people.copy()
        for place, part in zip(places, spread, strict=True):
            table[place] = 1 + part
        yield table


def _with_margins(people: IntArray, shape: tuple[int, int]) -> Iterator[IntArray]:
    """Every table with the same sums of rows and columns (of up to two rows and three columns, or the reverse)."""
    table = people.reshape(shape)
    free = table[:-1, :-1].size
    tops = [
        int(min(table.sum(axis=1)[i], table.sum(axis=0)[j])) for i, j in np.ndindex(*table[:-1, :-1].shape)
    ]
    assert free <= 2
    for inner in product(*(range(1, top) for top in tops)):
        found = np.zeros(shape, dtype=np.int64)
        found[:-1, :-1] = np.array(inner).reshape(table[:-1, :-1].shape)
        found[:-1, -1] = table[:-1].sum(axis=1) - found[:-1, :-1].sum(axis=1)
        found[-1] = table.sum(axis=0) - found[:-1].sum(axis=0)
        if (found >= 1).all():
            yield found.reshape(-1)


def attack(seed: int) -> int:
    """Attack one random table under both policies; how many hidden counts there were."""
    rng = np.random.default_rng(seed)
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    people = rng.integers(1, 31, shape[0] * shape[1])
    form = min(shape) > 1 and bool(rng.integers(2))
    return _attack_hidden(people, shape, seed, rng, form=form) + _attack_rounded(
        people, shape, seed, rng, form=form
    )


def _attack_hidden(
    people: IntArray, shape: tuple[int, int], seed: int, rng: np.random.Generator, *, form: bool
) -> int:
    tables = margins(*shape) if form else []
    seen = output(people, tables, UNDER, PROTECTION)
    hidden = np.flatnonzero(np.array(seen[0]) == 0) if seen is not None else np.array([])
    if seen is None or not len(hidden):
        return 0
    tried = candidates(seen, shape, rng)
    alike = [people, *(table for table in tried if output(table, tables, UNDER, PROTECTION) == seen)]
    stack = np.array(alike)
    assert (np.ptp(stack[:, hidden], axis=0) >= PROTECTION).all(), (seed, people)
    ends = {tuple(stack[stack[:, cell].argmin()].tolist()) for cell in hidden}
    ends |= {tuple(stack[stack[:, cell].argmax()].tolist()) for cell in hidden}
    reports = {written(np.array(table), shape, seed, "suppress", form=form) for table in ends}
    assert len(reports) == 1, (seed, people, "the reports tell apart what is hidden alike")
    assert reports != {None}
    return len(hidden)


def _attack_rounded(
    people: IntArray, shape: tuple[int, int], seed: int, rng: np.random.Generator, *, form: bool
) -> int:
    """Each count by itself at both ends of what it can stand for, the others anywhere in theirs."""
    spec = spec_of(people, shape, seed, "round", form=form)
    fewest, most = people_bounds(guard_small_cells(spec, read_table(spec))[0].cells)
    assert ((fewest <= people) & (people <= most) & (most - fewest >= UNDER - 1)).all()
    cell = int(rng.integers(len(people)))
    report = written(people, shape, seed, "round", form=form)
    assert report is not None
    for end in (fewest[cell], most[cell]):
        other = rng.integers(fewest, most + 1)
        other[cell] = end
        assert written(other, shape, seed, "round", form=form) == report, (seed, people)
    return len(people)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 6))]
)
def test_an_attacker_with_the_program_learns_no_more_than_promised(seed: int) -> None:
    """Tables of up to six cells with up to 30 people: whoever tries every other table leaves every hidden count open."""
    attack(seed)


@pytest.mark.slow
def test_of_two_hundred_tables_none_is_broken() -> None:
    """The same on 200 tables."""
    assert sum(attack(seed) for seed in range(1000, 1200)) > 800
