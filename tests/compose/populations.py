"""Populations that are published alike: what a guarded report must not tell apart."""

import copy
import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.suppression import SmallCellAccount, people_bounds
from atreport.errors import Refused
from atreport.private.data.table import read_table
from atreport.private.protect import guard_small_cells
from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec

Document = dict[str, Any]


def parsed(document: Document) -> Spec:
    """The spec, checked."""
    return parse_spec(json.dumps(document, ensure_ascii=False))


def with_people(document: Document, cells: Cells, people: IntArray) -> Document:
    """The same spec with other numbers of people in its cells."""
    changed = copy.deepcopy(document)
    names = [attribute["name"] for attribute in document["process"]["attributes"]]
    by_values = {
        tuple(cells.labels(cell, cells.process.attributes)[name] for name in names): int(people[cell])
        for cell in range(len(cells))
    }
    for row in changed["source"]["table"]:
        row["population"] = by_values[tuple(str(row[name]) for name in names)]
    return changed


def published_form(spec: Spec) -> tuple[Any, ...] | None:
    """All that may be known of the people: what is published, its ranges and its sums. None: refused."""
    try:
        table, account = guard_small_cells(spec, read_table(spec))
    except Refused:
        return None
    return (table.cells.population.tolist(), *_ranges(table.cells), *_account(account))


def _ranges(cells: Cells) -> tuple[list[int], list[int]]:
    fewest, most = people_bounds(cells)
    return fewest.tolist(), most.tolist()


def _account(account: SmallCellAccount) -> tuple[Any, ...]:
    hidden = None if account.suppressed is None else account.suppressed.tolist()
    return hidden, [(dict(known.values), known.people) for known in account.known]


def published_alike(document: Document, rng: np.random.Generator) -> Iterator[Document]:
    """Specs with other exact numbers of people, of which the very same is published."""
    spec = parsed(document)
    form = published_form(spec)
    if form is None:
        return
    exact = read_table(spec).cells
    for people in _other_people(exact.population, document["policy"]["small_cells"], form, rng):
        other = with_people(document, exact, people)
        if published_form(parsed(other)) == form:
            yield other


def _other_people(
    exact: IntArray, policy: str, form: tuple[Any, ...], rng: np.random.Generator
) -> Iterator[IntArray]:
    """Numbers that may be published alike: any that round alike; or some people who change places unseen."""
    fewest, most, hidden = (np.array(part) for part in form[1:4])
    if policy == "round":
        drawn = rng.integers(fewest, most + 1)
        if (drawn != exact).any():
            yield drawn
        return
    pairs = list(combinations(np.flatnonzero(hidden).tolist(), 2))
    for place in rng.permutation(len(pairs))[:12].tolist():
        one, two = pairs[place]
        people = exact.copy()
        people[one] += 1
        people[two] -= 1
        if people[two] > 0:
            yield people
