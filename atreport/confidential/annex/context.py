"""Turn the annex into text, ready to print. Confidential: what comes out of here is not for publication.

Each section has a module of its own beside this one.
"""

from __future__ import annotations

from dataclasses import dataclass

from atreport.confidential.annex.annex import Annex
from atreport.confidential.annex.cost import group_table, term_table
from atreport.confidential.annex.estimate_tables import case_table, leaf_table
from atreport.confidential.annex.tradeoff import curve_chart, evening_out_chart
from atreport.confidential.annex.truth import (
    cell_table,
    chance_table,
    measure_table,
    settling_table,
    small_cell_table,
)
from atreport.confidential.attacks.finding import Part
from atreport.confidential.tradeoff.outlook import verdict_ranges
from atreport.confidential.tradeoff.tables import outlook_table, rate_table, suggestion_table, verdict_table
from atreport.confidential.words import at_most, exact_figure
from atreport.kit.numbers import counted
from atreport.kit.panels import Chart
from atreport.kit.tables import ANNEX, Table
from atreport.pages.cover import Cover, make_cover

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
