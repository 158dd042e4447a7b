"""The annex's section on true and announced figures: cells, measures, open verdicts, chance, small cells."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.confidential.annex.annex import Annex
from atreport.confidential.annex.words import verdict_cell
from atreport.confidential.words import exact_figure, figure, most
from atreport.kit.numbers import count
from atreport.kit.tables import ANNEX, Column, Table, make_table
from atreport.pages.measures import MEASURES, compared
from atreport.pages.wording import named_values


def cell_table(annex: Annex) -> Table:
    """Every cell: what is true and what is announced."""
    rows, left_out = most(
        annex.cells, lambda cell: abs(cell.change), "cells", "those that were changed the most", ANNEX
    )
    process = annex.spec.process
    return make_table(
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
                figure(cell.true),
                exact_figure(cell.announced),
                ("+" if cell.change > 0 else "−" if cell.change < 0 else "") + figure(abs(cell.change)),
            ]
            for cell in rows
        ],
        left_out,
    )


def measure_table(annex: Annex) -> Table | None:
    """Every measure: what is true and what is announced."""
    if not annex.measures:
        return None
    rows, left_out = most(
        annex.measures,
        lambda m: abs((m.true or 0.0) - (m.value or 0.0)),
        "comparisons",
        "those whose announced value is furthest from the true one",
        ANNEX,
    )
    process = annex.spec.process
    if annex.announcement.cells.left_out and not process.has_joined(a.name for a in process.attributes):
        left_out = " ".join(
            filter(
                None,
                (
                    left_out,
                    "People are left out of the report. The true figures here are those of the others.",
                ),
            )
        )
    return make_table(
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
                MEASURES[m.measure].named_at(None, m.rate),
                compared(m.measure, m.groups, m.given, process),
                "unbounded" if m.true is None else figure(m.true),
                "unbounded" if m.value is None else exact_figure(m.value),
                "unbounded" if m.interval is None else " to ".join(exact_figure(end) for end in m.interval),
                verdict_cell(m.verdict),
            ]
            for m in rows
        ],
        left_out,
    )


def settling_table(annex: Annex) -> Table | None:
    """Open verdicts: what the truth is, and the least fidelity at which publishing it would settle the matter."""
    found = [measure for measure in annex.measures if measure.verdict == "cannot_tell"]
    if not found:
        return None
    rows, left_out = most(
        found, lambda m: abs((m.true or 0.0) - (m.value or 0.0)), "comparisons", "the furthest off", ANNEX
    )
    return make_table(
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
                MEASURES[m.measure].named_at(None, m.rate),
                compared(m.measure, m.groups, m.given, annex.spec.process),
                "" if m.threshold is None else exact_figure(m.threshold),
                verdict_cell(m.true_verdict),
                _settled_at(m.settled_at),
            ]
            for m in rows
        ],
        left_out,
    )


def _settled_at(fidelity: Mapping[str, float] | None) -> str:
    if fidelity is None:
        return "Not looked for"
    words = [f"{name} {exact_figure(number)}" for name, number in fidelity.items()]
    return words[0] if words else "No fidelity settles it"


def chance_table(annex: Annex) -> Table | None:
    """Two checks on small numbers, where the rule was estimated from records."""
    found = [(measure, measure.chance) for measure in annex.measures if measure.chance is not None]
    if not found:
        return None
    rows, left_out = most(
        found, lambda pair: pair[1].fisher, "comparisons", "those most easily explained by chance", ANNEX
    )
    return make_table(
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
                MEASURES[m.measure].named_at(None, m.rate),
                compared(m.measure, m.groups, m.given, annex.spec.process),
                figure(chance.fisher),
                "" if chance.two_more is None else figure(chance.two_more),
                {True: "Yes", False: "No", None: "No threshold set"}[chance.two_more_changes],
            ]
            for m, chance in rows
        ],
        left_out,
    )


def small_cell_table(annex: Annex) -> Table | None:
    """Cells with few people, in which a rate says much about each of them."""
    few = annex.announcement.small_cells.under
    found = [cell for cell in annex.cells if cell.people < few]
    if not found:
        return None
    rows, left_out = most(
        found, lambda cell: -cell.people, "small cells", "those with the fewest people", ANNEX
    )
    process = annex.spec.process
    return make_table(
        "small-cells",
        f"Cells with fewer than {few} people",
        [
            Column("Cell", names_row=True),
            Column("People", numeric=True),
            Column("Announced", numeric=True),
        ],
        [
            [named_values(process, cell.values), count(cell.people), exact_figure(cell.announced)]
            for cell in rows
        ],
        left_out,
    )
