"""Turn a report into its section on privacy: what could be learned before and after, by group."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from atreport.kit.numbers import count, figure, full_percent, full_points, percent
from atreport.kit.tables import Column, Table, extremes, make_table
from atreport.pages.wording import named_values, row_names
from atreport.population.cells import IntArray
from atreport.publication.promise_words import (
    confidence_words,
    lift_words,
    no_protection_words,
    odds_words,
    prior_words,
    promised_words,
    rise_words,
    uncovered_words,
)
from atreport.publication.small_numbers import among_large, large_group_of, large_groups
from atreport.report.model import Report
from atreport.report.people import ValuePrivacy
from atreport.report.rule import steps


@dataclass(frozen=True, kw_only=True)
class PrivacyText:
    """What could be learned about people, in words; empty where there is nothing to say."""

    promise: str  # one sentence
    no_protection: str
    rise: str
    lift: str
    odds: str
    prior: str
    promised: tuple[str, ...]  # the publisher's ceilings
    uncovered: tuple[str, ...]


def privacy_text(report: Report) -> PrivacyText:
    """The promise, how far it goes, and where it ends."""
    return PrivacyText(
        promise=confidence_words(report),
        no_protection=no_protection_words(report),
        rise=rise_words(report),
        lift=lift_words(report),
        odds=odds_words(report),
        prior=prior_words(report),
        promised=promised_words(report),
        uncovered=tuple(uncovered_words(report)),
    )


def value_table(report: Report) -> Table | None:
    """Every sensitive value: how sure anybody can be of it before and after; of many, those with the highest confidence."""
    each = [(a, v) for a in report.privacy.attributes or () for v in a.values]
    if not each:
        return None
    chosen = extremes(
        np.array([steps(v.after, report.policy.decimals) for _, v in each], dtype=np.int64), both_ends=False
    )
    several = len(report.privacy.groups) > 1
    return make_table(
        "values",
        "How sure someone can be of each value, at most" + (" in any group" if several else ""),
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            Column("Before any report", numeric=True),
            Column("After this report", numeric=True),
            Column("Times as likely", numeric=True),
            *([Column("Rises most for")] if several else []),
        ],
        [
            [
                report.process.attribute(a.name).title,
                v.value,
                full_percent(v.before),
                full_percent(v.after),
                figure(v.lift),
                *([_rise(report, v)] if several else []),
            ]
            for a, v in (each[i] for i in chosen.rows)
        ],
        chosen.left_out("values", "those with the highest confidence after this report", "report.json"),
    )


def _rise(report: Report, value: ValuePrivacy) -> str:
    rise = value.rise
    if rise.before == rise.after:
        return "no group"
    where = named_values(report.process, rise.qid) if large_group_of(report, rise.qid) else "a small group"
    return f"{where}: {percent(rise.before)} to {percent(rise.after)}"


def group_table(report: Report) -> Table:
    """What could be learned about each group's people, before and after; of many groups the most exposed."""
    cells, groups = report.rule_table.cells, report.privacy.groups
    large = large_groups(report)
    chosen = extremes(report.group_beta, both_ends=False, among=large)
    starts = cells.group_starts
    stated = report.privacy.lift is not None
    names, name_columns = row_names(
        cells, [int(starts[g]) for g in chosen.rows], cells.process.of_role("public")
    )
    return make_table(
        "groups",
        "Highest confidence in a sensitive value, by group",
        [
            *name_columns,
            Column("Before any report", numeric=True),
            Column("After this report (β)", numeric=True),
            *(
                [Column("Times as likely", numeric=True), Column("Odds factor", numeric=True)]
                if stated
                else []
            ),
        ],
        [
            [
                *name,
                full_percent(groups[g].prior),
                full_percent(groups[g].beta),
                *([figure(groups[g].lift), figure(groups[g].odds)] if stated else []),
            ]
            for name, g in zip(names, chosen.rows, strict=True)
        ],
        chosen.left_out(
            "groups",
            f"those with the highest confidence after this report{among_large(report, 'groups', large)}",
            "report.json",
        ),
    )


def spread_table(report: Report) -> Table | None:
    """The distribution over groups, where they are too many to print."""
    beta, prior = report.group_beta, report.group_prior
    if extremes(beta, both_ends=False).whole:
        return None
    added = beta - prior
    at = {
        "Lowest": 0.0,
        "A quarter of the groups at or below": 0.25,
        "Half": 0.5,
        "Three quarters": 0.75,
        "Nine in ten": 0.9,
        "Highest": 1.0,
    }

    def quantile(of_groups: IntArray, share: float) -> Decimal:
        # The value of one group and no interpolation, so that it is a printed figure.
        return report.rule_table.printed(int(np.sort(of_groups)[round(share * (len(of_groups) - 1))]))

    return make_table(
        "spread",
        f"The same for all {count(len(added))} groups, each column sorted by itself",
        [
            Column("Groups", names_row=True),
            Column("Before any report", numeric=True),
            Column("After this report (β)", numeric=True),
            Column("Added by this report", numeric=True),
        ],
        [
            [
                name,
                full_percent(quantile(prior, share)),
                full_percent(quantile(beta, share)),
                full_points(quantile(added, share)),
            ]
            for name, share in at.items()
        ],
    )
