"""Turn the annex into text, ready to print. Confidential: what comes out of here is not for publication."""

from collections.abc import Mapping
from dataclasses import dataclass

from atreport.pages.layout import Cover, make_cover
from atreport.pages.measures import MEASURES, compared
from atreport.pages.panels import Chart
from atreport.pages.wording import VERDICTS, named_values
from atreport.private.annex import Annex, AnnexGroup
from atreport.private.annex.charts import curve_chart, evening_out_chart
from atreport.private.attacks.finding import Part
from atreport.private.tradeoff import outlook_table, rate_table, suggestion_table, verdict_table
from atreport.private.tradeoff.policy_sweep import verdict_ranges
from atreport.private.true_rule import TERM_NAMES, at_least, at_most, exact_figure, figure, most
from atreport.text.language import count
from atreport.text.numbers import counted
from atreport.text.tables import ANNEX, Cell, Column, Table, make_table

MOST_VERDICTS = 20
"""So many comparisons have their verdicts along the curve printed."""

CLASSIFICATION = "Confidential — not for publication"


@dataclass(frozen=True, kw_only=True)
class AnnexContext:
    """The whole annex, as text."""

    classification: str
    cover: Cover
    beta: str
    largest_distortion: str
    size: str
    mechanism: str
    groups: Table
    closed_form: bool  # the optimum is the largest of four terms
    terms: Table
    evening_out: Chart | None
    attacks: tuple[Part, ...]  # what every attack of the registry gave
    curve: Chart | None
    exact_curve: bool
    suggestions: Table | None
    outlook: Table | None
    rates: Table | None
    verdicts: Table | None
    cells: Table
    small_cells: Table | None
    measures: Table | None
    settling: Table | None  # verdicts that cannot be told, and what would settle them
    chance: Table | None  # where the rule was estimated from records
    cases: Table | None  # recorded decisions by cell, with exact binomial intervals
    leaves: Table | None  # the decision regions of a tree


def _size(annex: Annex) -> str:
    size = f"{counted(len(annex.cells), 'cell')} in {counted(len(annex.groups), 'group')}"
    guarded = annex.spec.policy.small_cells.policy in ("round", "suppress")
    return size + (", here too with numbers of people as published, not the exact ones" if guarded else "")


def make_annex_context(annex: Annex) -> AnnexContext:
    """The annex as text."""
    ranges = verdict_ranges(annex.assessments, annex.outlooks)[:MOST_VERDICTS]
    return AnnexContext(
        classification=CLASSIFICATION,
        cover=make_cover(annex.spec),
        beta=exact_figure(annex.beta),
        largest_distortion=at_most(annex.largest_distortion),
        size=_size(annex),
        mechanism=annex.announcement.mechanism,
        groups=group_table(annex),
        closed_form=all(group.terms for group in annex.groups),
        terms=term_table(annex),
        evening_out=evening_out_chart(annex),
        attacks=annex.audit.shown(ANNEX),
        curve=curve_chart(annex),
        exact_curve=annex.trade_off is not None and annex.trade_off.exact_everywhere,
        suggestions=None if annex.trade_off is None else suggestion_table(annex.trade_off),
        outlook=outlook_table(annex.outlooks) if annex.outlooks else None,
        rates=rate_table(annex.rate_outlooks, annex.announcement.rule.rates) if annex.rate_outlooks else None,
        verdicts=verdict_table(ranges, annex.spec.process) if ranges else None,
        cells=cell_table(annex),
        small_cells=small_cell_table(annex),
        measures=measure_table(annex),
        settling=settling_table(annex),
        chance=chance_table(annex),
        cases=case_table(annex),
        leaves=leaf_table(annex),
    )


# The annex's section on what the protection costs and gives: a row for each group.


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


# Turn the estimate's part of the annex into tables. Confidential: true counts.


def case_table(annex: Annex) -> Table | None:
    """Recorded decisions by cell: those about which the records say least are shown where there are too many."""
    if annex.estimate is None or not annex.estimate.cells:
        return None
    rows, left_out = most(
        annex.estimate.cells, lambda each: each.width, "cells", "those with the widest interval", ANNEX
    )
    return make_table(
        "cases",
        "Recorded decisions, and how far chance may have moved their share",
        [
            Column("Cell", names_row=True),
            Column("Records", numeric=True),
            Column("Favourable", numeric=True),
            Column("Share", numeric=True),
            Column("Exact binomial interval, 95%", numeric=True),
        ],
        [
            [
                named_values(annex.spec.process, each.values),
                count(each.cases),
                count(each.favourable),
                figure(each.share),
                f"{at_least(each.interval[0])} to {at_most(each.interval[1])}",
            ]
            for each in rows
        ],
        left_out,
    )


def leaf_table(annex: Annex) -> Table | None:
    """The decision regions of a surrogate tree."""
    if annex.estimate is None or not annex.estimate.leaves:
        return None
    rows, left_out = most(
        annex.estimate.leaves, lambda leaf: float(leaf.cases), "regions", "those with the most records", ANNEX
    )
    process = annex.spec.process
    return make_table(
        "leaves",
        "The decision regions that the tree found",
        [
            Column("Region", names_row=True),
            Column("Records", numeric=True),
            Column(f"Share of “{process.outcome.favourable}”", numeric=True),
        ],
        [
            [
                "; ".join(f"{process.attribute(n).title}: {', '.join(v)}" for n, v in leaf.values.items())
                or "everybody",
                count(leaf.cases),
                f"{leaf.favourable:.4f}",
            ]
            for leaf in rows
        ],
        left_out,
    )


# The annex's section on true and announced figures: cells, measures, open verdicts, chance, small cells.


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


# How the annex names groups and verdicts, and which groups it prints.


def group_name(annex: Annex, group: AnnexGroup) -> str:
    """A group by its public attributes."""
    return named_values(annex.spec.process, group.qid)


def group_rows(annex: Annex) -> tuple[list[AnnexGroup], str]:
    """The groups to print."""
    return most(
        annex.groups,
        lambda group: group.worst_consistent,
        "groups",
        "those with the highest worst case",
        ANNEX,
    )


def verdict_cell(verdict: str | None) -> Cell:
    """A verdict in words."""
    words = {name: Cell(*shown) for name, shown in VERDICTS.items()}
    return Cell("No threshold set") if verdict is None else words[verdict]  # type: ignore[index]
