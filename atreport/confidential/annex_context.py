"""Turn the annex into text, ready to print. Confidential: what comes out of here is not for publication."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from atreport.confidential.annex import TERM_NAMES, Annex, AnnexGroup
from atreport.confidential.true_measures import TRUE_DECIMALS
from atreport.public.context import Cover, make_cover
from atreport.public.numbers import count, counted
from atreport.public.tables import Cell, Column, Table, extremes, table
from atreport.public.wording import MEASURES, VERDICTS, compared, named_values

CLASSIFICATION = "Confidential — not for publication"

_UNIQUE = {
    True: Cell("Yes: can be read back", "bad"),
    False: Cell("No", "good"),
    None: Cell("Not known", "open"),
}

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class AnnexContext:
    """The whole annex, as text."""

    classification: str
    cover: Cover
    beta: str
    largest_distortion: str
    size: str
    inverting: str  # what an observer who knows the method can read back
    groups: Table
    closed_form: bool  # the optimum is the largest of four terms
    terms: Table
    adversaries: Table
    cells: Table
    measures: Table | None
    settling: Table | None  # verdicts that cannot be told, and what would settle them
    chance: Table | None  # where the rule was estimated from records


def make_annex_context(annex: Annex) -> AnnexContext:
    """The annex as text."""
    unique = sum(group.unique is True for group in annex.groups)
    at_edge = sum(group.cells_at_edge for group in annex.groups)
    return AnnexContext(
        classification=CLASSIFICATION,
        cover=make_cover(annex.spec),
        beta=_figure(annex.beta),
        largest_distortion=_figure(annex.largest_distortion),
        size=f"{counted(len(annex.cells), 'cell')} in {counted(len(annex.groups), 'group')}",
        inverting=(
            f"In {count(unique)} of {counted(len(annex.groups), 'group')} only one announced rule is optimal, and "
            f"{count(at_edge)} of {counted(len(annex.cells), 'cell')} are announced at the edge of the band around the "
            "true value. Someone who knows the method can read those true values back."
        ),
        groups=_groups(annex),
        closed_form=all(group.terms for group in annex.groups),
        terms=_terms(annex),
        adversaries=_adversaries(annex),
        cells=_cells(annex),
        measures=_measures(annex),
        settling=_settling(annex),
        chance=_chance(annex),
    )


def _figure(number: float) -> str:
    """A true figure, to as many digits as the annex states, without trailing zeros."""
    text = f"{number:.{TRUE_DECIMALS}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _group_name(annex: Annex, group: AnnexGroup) -> str:
    return named_values(annex.spec.process, group.qid)


def _most(
    items: Sequence[Item], key: Callable[[Item], float], things: str, ends: str
) -> tuple[list[Item], str]:
    """The items to print, and what is said of those left out."""
    chosen = extremes(
        np.array([round(key(item) * 10**TRUE_DECIMALS) for item in items], dtype=np.int64), both_ends=False
    )
    return [items[i] for i in chosen.rows], chosen.left_out(things, ends, "annex.json")


def _group_rows(annex: Annex) -> tuple[list[AnnexGroup], str]:
    return _most(
        annex.groups, lambda group: group.worst_consistent, "groups", "those with the highest worst case"
    )


def _groups(annex: Annex) -> Table:
    rows, left_out = _group_rows(annex)
    return table(
        "groups",
        "What each group gives away, and what the protection cost",
        [
            Column("Group", names_row=True),
            Column("People", numeric=True),
            Column("Before any report", numeric=True),
            Column("True rule published (C*)", numeric=True),
            Column("As announced (β)", numeric=True),
            Column("Largest change", numeric=True),
            Column("Mean change", numeric=True),
        ],
        [
            [
                _group_name(annex, g),
                count(g.people),
                _figure(g.prior),
                _figure(g.true_confidence),
                _figure(g.beta),
                _figure(g.largest_distortion),
                _figure(g.mean_distortion),
            ]
            for g in rows
        ],
        left_out,
    )


def _terms(annex: Annex) -> Table:
    rows, left_out = _group_rows(annex)
    # The four terms exist where the optimum has a closed form: two outcomes and one sensitive attribute.
    names = [name for name in TERM_NAMES if all(name in group.terms for group in annex.groups)]
    return table(
        "terms",
        "What keeps the optimum from being lower" if names else "The optimum and how much of it is proven",
        [
            Column("Group", names_row=True),
            *(Column(TERM_NAMES[name][0].upper() + TERM_NAMES[name][1:], numeric=True) for name in names),
            Column("Optimum (β*)", numeric=True),
            Column("Binding") if names else Column("Proven at least", numeric=True),
        ],
        [
            [
                _group_name(annex, g),
                *(_figure(g.terms[name]) for name in names),
                _figure(g.optimum),
                ", ".join(TERM_NAMES[name] for name in g.binding) if names else _figure(g.proven),
            ]
            for g in rows
        ],
        left_out,
    )


def _adversaries(annex: Annex) -> Table:
    rows, left_out = _group_rows(annex)
    return table(
        "adversaries",
        "Observers the public promise does not cover",
        [
            Column("Group", names_row=True),
            Column("Promised (β)", numeric=True),
            Column("Believes evenly in the band", numeric=True),
            Column("Worst rule in the band", numeric=True),
            Column("Optimum unique"),
            Column("Cells at the edge", numeric=True),
        ],
        [
            [
                _group_name(annex, g),
                _figure(g.beta),
                _figure(g.band_aware),
                _figure(g.worst_consistent),
                _UNIQUE[g.unique],
                f"{count(g.cells_at_edge)} of {count(g.cells)}",
            ]
            for g in rows
        ],
        left_out,
    )


def _cells(annex: Annex) -> Table:
    rows, left_out = _most(
        annex.cells, lambda cell: abs(cell.change), "cells", "those that were changed the most"
    )
    process = annex.spec.process
    return table(
        "cells",
        f"True and announced probability of “{process.outcome.favourable}”",
        [
            Column("Cell", names_row=True),
            Column("People", numeric=True),
            Column("True", numeric=True),
            Column("Announced", numeric=True),
            Column("Change", numeric=True),
        ],
        [
            [
                named_values(process, cell.values),
                count(cell.people),
                _figure(cell.true),
                _figure(cell.announced),
                ("+" if cell.change > 0 else "−" if cell.change < 0 else "") + _figure(abs(cell.change)),
            ]
            for cell in rows
        ],
        left_out,
    )


def _measures(annex: Annex) -> Table | None:
    if not annex.measures:
        return None
    rows, left_out = _most(
        annex.measures,
        lambda m: abs((m.true or 0.0) - (m.value or 0.0)),
        "comparisons",
        "those whose announced value is furthest from the true one",
    )
    process = annex.spec.process
    return table(
        "measures",
        "True and announced fairness measures",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("True", numeric=True),
            Column("Announced", numeric=True),
            Column("Published interval", numeric=True),
            Column("Published verdict"),
        ],
        [
            [
                MEASURES[m.measure],
                compared(m.measure, m.groups, m.given, process),
                "unbounded" if m.true is None else _figure(m.true),
                "unbounded" if m.value is None else _figure(m.value),
                "unbounded" if m.interval is None else " to ".join(_figure(end) for end in m.interval),
                _verdict(m.verdict),
            ]
            for m in rows
        ],
        left_out,
    )


def _settling(annex: Annex) -> Table | None:
    """Open verdicts: what the truth is, and the least fidelity at which publishing it would settle the matter."""
    found = [measure for measure in annex.measures if measure.verdict == "cannot_tell"]
    if not found:
        return None
    rows, left_out = _most(
        found, lambda m: abs((m.true or 0.0) - (m.value or 0.0)), "comparisons", "the furthest off"
    )
    return table(
        "settling",
        "Verdicts that cannot be told, and what would settle them",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("Threshold", numeric=True),
            Column("True verdict"),
            Column("Settled at"),
        ],
        [
            [
                MEASURES[m.measure],
                compared(m.measure, m.groups, m.given, annex.spec.process),
                "" if m.threshold is None else _figure(m.threshold),
                _verdict(m.true_verdict),
                _settled_at(m.settled_at),
            ]
            for m in rows
        ],
        left_out,
    )


def _settled_at(fidelity: Mapping[str, float] | None) -> str:
    if fidelity is None:
        return "Not looked for"
    words = [f"{name} {_figure(number)}" for name, number in fidelity.items()]
    return words[0] if words else "No fidelity settles it"


def _chance(annex: Annex) -> Table | None:
    """Two checks on small numbers, where the rule was estimated from records."""
    found = [(measure, measure.chance) for measure in annex.measures if measure.chance is not None]
    if not found:
        return None
    rows, left_out = _most(
        found, lambda pair: pair[1].fisher, "comparisons", "those most easily explained by chance"
    )
    return table(
        "chance",
        "Could chance explain it?",
        [
            Column("Measure", names_row=True),
            Column("Compared", names_row=True),
            Column("Fisher's exact test (p)", numeric=True),
            Column("With two more persons", numeric=True),
            Column("Would that change the verdict?"),
        ],
        [
            [
                MEASURES[m.measure],
                compared(m.measure, m.groups, m.given, annex.spec.process),
                _figure(chance.fisher),
                "" if chance.two_more is None else _figure(chance.two_more),
                {True: "Yes", False: "No", None: "No threshold set"}[chance.two_more_changes],
            ]
            for m, chance in rows
        ],
        left_out,
    )


def _verdict(verdict: str | None) -> Cell:
    words = {name: Cell(*shown) for name, shown in VERDICTS.items()}
    return Cell("No threshold set") if verdict is None else words[verdict]  # type: ignore[index]
