"""The annex's section on attacks: what each of them gave, on this draft and beside it."""

from __future__ import annotations

from atreport.confidential.annex.annex import Annex
from atreport.confidential.annex.as_json import belief_rows, side_knowledge_rows
from atreport.confidential.annex.words import figure, group_name, group_rows, share
from atreport.kit.numbers import count, counted
from atreport.kit.tables import Cell, Column, Table, table
from atreport.pages.wording import named_values

MOST_BELIEFS = 6
"""So many conclusions are printed, the most confident first."""


def belief_table(annex: Annex) -> Table:
    """Bayes' rule on the announced rule: the most confident conclusions."""
    process = annex.spec.process
    total = len(annex.audit.beliefs)
    rows = belief_rows(annex.audit, annex.release, MOST_BELIEFS)
    return table(
        "beliefs",
        "What an observer concludes who takes the announced rule for the truth",
        [
            Column("Seen", names_row=True),
            Column("Concluded", names_row=True),
            Column("Before any report", numeric=True),
            Column("Confidence", numeric=True),
            Column("Promised at most", numeric=True),
        ],
        [
            [
                " · ".join(
                    filter(None, [named_values(process, row["qid"]) if row["qid"] else "", row["outcome"]])
                ),
                f"{process.attribute(row['attribute']).title}: {row['value']}",
                share(row["before"]),
                share(row["confidence"]),
                share(row["promised"]),
            ]
            for row in rows
        ],
        f"The {count(len(rows))} most confident of {count(total)} conclusions; annex.json has more."
        if total > len(rows)
        else "",
    )


def equation_table(annex: Annex) -> Table:
    """What can be calculated from printed figures, on a negligent report and on this one."""
    return table(
        "equations",
        "Learning the rule from printed figures",
        [
            Column("What is printed", names_row=True),
            Column("Of the true rule: sure confidence", numeric=True),
            Column("True cells found", numeric=True),
            Column("Of the announced rule: sure confidence", numeric=True),
            Column("Announced cells found", numeric=True),
        ],
        [
            [
                way.way,
                share(way.of_negligent.confidence),
                f"{count(way.of_negligent.cells)} of {count(way.attacked_cells)}",
                share(way.of_release.confidence),
                f"{count(way.of_release.cells)} of {count(way.attacked_cells)}",
            ]
            for way in annex.audit.equations
        ],
    )


def adversary_table(annex: Annex) -> Table:
    """The observers the public promise does not cover, group by group."""
    rows, left_out = group_rows(annex)
    return table(
        "adversaries",
        "Observers the public promise does not cover",
        [
            Column("Group", names_row=True),
            Column("Promised (β)", numeric=True),
            Column("Believes evenly in the band", numeric=True),
            Column("Worst rule in the band", numeric=True),
            Column("Knows the mechanism", numeric=True),
            Column("Cells read back", numeric=True),
        ],
        [
            [
                group_name(annex, g),
                figure(g.beta),
                figure(g.band_aware),
                figure(g.worst_consistent),
                figure(g.inverting),
                f"{count(g.cells_read_back)} of {count(g.cells_attacked)}"
                if g.cells_attacked
                else "not tried",
            ]
            for g in rows
        ],
        left_out,
    )


def mechanism_table(annex: Annex) -> Table:
    """Both mechanisms, measured with the same attacks."""
    return table(
        "mechanisms",
        "Both mechanisms at this fidelity, measured with the same attacks",
        [
            Column("Mechanism", names_row=True),
            Column("β", numeric=True),
            Column("Believes evenly in the band", numeric=True),
            Column("Knows the mechanism", numeric=True),
            Column("Cells read back", numeric=True),
            Column("Mean change", numeric=True),
            Column("Chosen"),
        ],
        [
            [
                result.mechanism,
                share(result.beta),
                share(result.band_aware),
                share(result.inverting),
                f"{count(result.read_back_cells)} of {count(result.attacked_cells)}"
                if result.attacked_cells
                else "not tried",
                share(result.mean_change),
                Cell("This report", "good") if result.chosen else Cell("No"),
            ]
            for result in annex.audit.mechanisms
        ],
    )


def side_knowledge_table(annex: Annex) -> Table:
    """How far β moves where an observer's idea of the population is wrong."""
    rows = side_knowledge_rows(annex.release)
    return table(
        "side-knowledge",
        "An observer whose population figures are wrong",
        [Column("Each count off by at most", names_row=True), Column("β at most", numeric=True)],
        [[f"{row['population_error']:.0%}", share(row["beta"])] for row in rows],
    )


def inversion_words(annex: Annex) -> str:
    """What an observer who knows the method can read back, in a sentence."""
    attacked, found = int(annex.audit.attacked.sum()), int(annex.audit.read_back.sum())
    if not attacked:
        return "Running the method backwards was not tried: it takes many rounds, and here each is too long."
    tried = counted(attacked, "cell")
    whole = (
        ""
        if attacked == len(annex.cells)
        else f", those of the most exposed groups out of {count(len(annex.cells))}"
    )
    if not found:
        return f"Running the method backwards was tried for {tried}{whole}: no true value could be read back."
    return (
        f"Running the method backwards was tried for {tried}{whole}: for {count(found)} of them no other true value, "
        "further away than a tenth of the allowed distortion, gives the same report, so who knows the method and the other "
        "cells can read those true values back."
    )
