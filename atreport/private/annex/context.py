"""Turn the annex into text, ready to print. Confidential: what comes out of here is not for publication."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from atreport.pages.layout import Cover, make_cover
from atreport.pages.measures import MEASURES, compared
from atreport.pages.panels import Chart
from atreport.pages.wording import named_values, verdict_cell
from atreport.private.annex import Annex, AnnexGroup, AnnexMeasure
from atreport.private.annex.charts import curve_chart, evening_out_chart
from atreport.private.attacks.finding import Part
from atreport.private.data.decision_table import Leaf
from atreport.private.tradeoff import outlook_table, rate_table, suggestion_table, verdict_table
from atreport.private.tradeoff.policy_sweep import verdict_ranges
from atreport.private.true_rule import TERM_NAMES, Item, at_least, at_most, exact_figure, figure, most
from atreport.text.language import count
from atreport.text.numbers import counted
from atreport.text.tables import ANNEX, Shown, Table, named, numeric, tabulate, worded

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
    small_cells: Table
    measures: Table
    settling: Table  # verdicts that cannot be told, and what would settle them
    chance: Table  # where the rule was estimated from records
    cases: Table  # recorded decisions by cell, with exact binomial intervals
    leaves: Table  # the decision regions of a tree


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
    return tabulate(
        "groups",
        "What each group gives away, and what the protection cost",
        [
            group_column(annex),
            numeric("People", "people", count),
            numeric("Before any report", "prior", exact_figure),
            numeric("True rule published (C*)", "true_confidence", figure),
            numeric("As announced (β)", "beta", exact_figure),
            numeric("Largest change", "largest_distortion", at_most),
            numeric("Mean change", "mean_distortion", figure),
        ],
        rows,
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
    binding = worded("Binding", lambda g: ", ".join(TERM_NAMES[name] for name in g.binding))
    return tabulate(
        "terms",
        "What keeps the optimum from being lower" if names else "The optimum and how much of it is proven",
        [
            group_column(annex),
            *(
                numeric(TERM_NAMES[name][0].upper() + TERM_NAMES[name][1:], partial(_term, name))
                for name in names
            ),
            numeric("Optimum (β*)", "optimum", figure),
            *(
                numeric(f"Least β and lift of {title}", partial(_least, name))
                for name, title in attributes.items()
            ),
            binding if names else numeric("Proven at least", "proven", at_least),
        ],
        rows,
        left_out,
    )


def _term(name: str, group: AnnexGroup) -> str:
    return figure(group.terms[name])


def _least(attribute: str, group: AnnexGroup) -> str:
    least = group.attributes[attribute]
    return f"{figure(least['optimum'])} · {figure(least['lift'])}"


# Turn the estimate's part of the annex into tables. Confidential: true counts.


def case_table(annex: Annex) -> Table:
    """Recorded decisions by cell: those about which the records say least are shown where there are too many."""
    return table_of_most(
        "cases",
        "Recorded decisions, and how far chance may have moved their share",
        [
            cell_column(annex),
            numeric("Records", "cases", count),
            numeric("Favourable", "favourable", count),
            numeric("Share", "share", figure),
            numeric(
                "Exact binomial interval, 95%",
                lambda each: f"{at_least(each.interval[0])} to {at_most(each.interval[1])}",
            ),
        ],
        annex.estimate.cells if annex.estimate else (),
        lambda each: each.width,
        "cells",
        "those with the widest interval",
    )


def leaf_table(annex: Annex) -> Table:
    """The decision regions of a surrogate tree."""
    process = annex.spec.process

    def region(leaf: Leaf) -> str:
        texts = (f"{process.attribute(n).title}: {', '.join(v)}" for n, v in leaf.values.items())
        return "; ".join(texts) or "everybody"

    return table_of_most(
        "leaves",
        "The decision regions that the tree found",
        [
            named("Region", region),
            numeric("Records", "cases", count),
            numeric(f"Share of “{process.outcome.favourable}”", "favourable", "{:.4f}".format),
        ],
        annex.estimate.leaves if annex.estimate else (),
        lambda leaf: float(leaf.cases),
        "regions",
        "those with the most records",
    )


# The annex's section on true and announced figures: cells, measures, open verdicts, chance, small cells.


def cell_table(annex: Annex) -> Table:
    """Every cell: what is true and what is announced."""
    return table_of_most(
        "cells",
        f"True and announced probability of “{annex.spec.process.outcome.favourable}”",
        [
            cell_column(annex),
            numeric("People", "people", count),
            numeric("True", "true", figure),
            numeric("Announced", "announced", exact_figure),
            numeric("Change", "change", _signed),
        ],
        annex.cells,
        lambda cell: abs(cell.change),
        "cells",
        "those that were changed the most",
    )


def _signed(change: float) -> str:
    return ("+" if change > 0 else "−" if change < 0 else "") + figure(abs(change))


def measure_table(annex: Annex) -> Table:
    """Every measure: what is true and what is announced."""
    process, left_out = annex.spec.process, ""
    if annex.announcement.cells.left_out and not process.has_joined(a.name for a in process.attributes):
        left_out = "People are left out of the report. The true figures here are those of the others."
    return table_of_most(
        "measures",
        "True and announced fairness measures",
        [
            *measure_columns(annex),
            numeric("True", "true", lambda true: "unbounded" if true is None else figure(true)),
            numeric(
                "Announced", "value", lambda value: "unbounded" if value is None else exact_figure(value)
            ),
            numeric("Published interval", "interval", _interval),
            worded("Published verdict", "verdict", verdict_cell),
        ],
        annex.measures,
        _off,
        "comparisons",
        "those whose announced value is furthest from the true one",
        left_out,
    )


def _off(measure: AnnexMeasure) -> float:
    return abs((measure.true or 0.0) - (measure.value or 0.0))


def _interval(ends: tuple[float, float] | None) -> str:
    return "unbounded" if ends is None else " to ".join(exact_figure(end) for end in ends)


def settling_table(annex: Annex) -> Table:
    """Open verdicts: what the truth is, and the least fidelity at which publishing it would settle the matter."""
    return table_of_most(
        "settling",
        "Verdicts that cannot be told, and what would settle them",
        [
            *measure_columns(annex),
            numeric("Threshold", "threshold", lambda limit: "" if limit is None else exact_figure(limit)),
            worded("True verdict", "true_verdict", verdict_cell),
            worded("Settled at", "settled_at", _settled_at),
        ],
        [measure for measure in annex.measures if measure.verdict == "cannot_tell"],
        _off,
        "comparisons",
        "the furthest off",
    )


def _settled_at(fidelity: Mapping[str, float] | None) -> str:
    if fidelity is None:
        return "Not looked for"
    words = [f"{name} {exact_figure(number)}" for name, number in fidelity.items()]
    return words[0] if words else "No fidelity settles it"


def chance_table(annex: Annex) -> Table:
    """Two checks on small numbers, where the rule was estimated from records."""
    changes = {True: "Yes", False: "No", None: "No threshold set"}
    return table_of_most(
        "chance",
        "Could chance explain it?",
        [
            *measure_columns(annex),
            numeric("Fisher's exact test (p)", lambda m: figure(m.chance.fisher)),
            numeric(
                "With two more persons",
                lambda m: "" if m.chance.two_more is None else figure(m.chance.two_more),
            ),
            worded("Would that change the verdict?", lambda m: changes[m.chance.two_more_changes]),
        ],
        [measure for measure in annex.measures if measure.chance is not None],
        lambda m: m.chance.fisher if m.chance else 0.0,
        "comparisons",
        "those most easily explained by chance",
    )


def small_cell_table(annex: Annex) -> Table:
    """Cells with few people, in which a rate says much about each of them."""
    few = annex.announcement.small_cells.under
    return table_of_most(
        "small-cells",
        f"Cells with fewer than {few} people",
        [
            cell_column(annex),
            numeric("People", "people", count),
            numeric("Announced", "announced", exact_figure),
        ],
        [cell for cell in annex.cells if cell.people < few],
        lambda cell: -cell.people,
        "small cells",
        "those with the fewest people",
    )


# How the annex names groups, cells and measures, and which rows it prints.


def table_of_most(
    id: str,
    caption: str,
    columns: Sequence[Shown],
    items: Sequence[Item],
    key: Callable[[Item], float],
    things: str,
    ends: str,
    besides: str = "",
) -> Table:
    """A table of those items that an annex has room for, and what is said of the others."""
    rows, left_out = most(items, key, things, ends, ANNEX)
    return tabulate(id, caption, columns, rows, " ".join(filter(None, (left_out, besides))))


def group_column(annex: Annex) -> Shown:
    """A group by its public attributes."""
    return named("Group", "qid", lambda qid: named_values(annex.spec.process, qid))


def cell_column(annex: Annex) -> Shown:
    """A cell by its values."""
    return named("Cell", "values", lambda values: named_values(annex.spec.process, values))


def measure_columns(annex: Annex) -> tuple[Shown, Shown]:
    """A measure, and whom it compares."""
    return (
        named("Measure", lambda m: MEASURES[m.measure].named_at(None, m.rate)),
        named("Compared", lambda m: compared(m.measure, m.groups, m.given, annex.spec.process)),
    )


def group_rows(annex: Annex) -> tuple[list[AnnexGroup], str]:
    """The groups to print."""
    ends = "those with the highest worst case"
    return most(annex.groups, lambda group: group.worst_consistent, "groups", ends, ANNEX)
