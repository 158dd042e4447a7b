"""The annex's section on what the protection costs and gives: a row for each group."""

from __future__ import annotations

from atreport.confidential.annex.annex import Annex
from atreport.confidential.annex.words import group_name, group_rows
from atreport.confidential.words import TERM_NAMES, at_least, at_most, exact_figure, figure
from atreport.kit.numbers import count
from atreport.kit.tables import Column, Table, make_table


def group_table(annex: Annex) -> Table:
    """What each group gives away, and what was changed."""
    rows, left_out = group_rows(annex)
    return make_table(
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
                group_name(annex, g),
                count(g.people),
                exact_figure(g.prior),
                figure(g.true_confidence),
                exact_figure(g.beta),
                at_most(g.largest_distortion),
                figure(g.mean_distortion),
            ]
            for g in rows
        ],
        left_out,
    )


def term_table(annex: Annex) -> Table:
    """The four terms of the optimum, and which of them binds."""
    rows, left_out = group_rows(annex)
    # The four terms exist where the optimum has a closed form: two outcomes and one sensitive attribute.
    names = [name for name in TERM_NAMES if all(name in group.terms for group in annex.groups)]
    # several sensitive attributes: each has the least that the worse protected ones leave it
    process = annex.announcement.cells.process
    attributes = {name: process.attribute(name).title for name in annex.groups[0].attributes}
    return make_table(
        "terms",
        "What keeps the optimum from being lower" if names else "The optimum and how much of it is proven",
        [
            Column("Group", names_row=True),
            *(Column(TERM_NAMES[name][0].upper() + TERM_NAMES[name][1:], numeric=True) for name in names),
            Column("Optimum (β*)", numeric=True),
            *(Column(f"Least β and lift of {title}", numeric=True) for title in attributes.values()),
            Column("Binding") if names else Column("Proven at least", numeric=True),
        ],
        [
            [
                group_name(annex, g),
                *(figure(g.terms[name]) for name in names),
                figure(g.optimum),
                *(f"{figure(least['optimum'])} · {figure(least['lift'])}" for least in g.attributes.values()),
                ", ".join(TERM_NAMES[name] for name in g.binding) if names else at_least(g.proven),
            ]
            for g in rows
        ],
        left_out,
    )
