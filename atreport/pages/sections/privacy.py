"""Turn a report into its section on privacy: what could be learned before and after, by group."""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from atreport.compose.promise import (
    confidence_words,
    lift_words,
    no_protection_words,
    odds_words,
    prior_words,
    promised_words,
    rise_words,
    uncovered_words,
)
from atreport.compose.small_numbers import large_group_of, large_groups
from atreport.core.cells import IntArray
from atreport.pages.wording import named_values, row_names
from atreport.report.model import Report
from atreport.report.people import ValuePrivacy
from atreport.report.rule import steps
from atreport.text.language import count, gettext, message
from atreport.text.numbers import figure, full_percent, full_points, percent
from atreport.text.tables import Column, Table, Written, extremes, make_long_table, make_table

_SUREST_VALUES = message(
    "{shown} of {total} values are shown: those of which one can be surest after this report. report.json has all of them."
)
_SUREST_GROUPS = message(
    "{shown} of {total} groups are shown: those with the highest confidence after this report. report.json has all of them."
)
_SUREST_GROUPS_OF_LARGE = message(
    "{shown} of {total} groups are shown: those with the highest confidence after this report, among groups of at least "
    "{limit} people. report.json has all of them."
)


class PrivacyText:
    """What could be learned about people, in words: the promise, how far it goes, and where it ends; empty where nothing."""

    def __init__(self, report: Report) -> None:
        self.promise = str(confidence_words(report))  # one sentence
        self.no_protection = str(no_protection_words(report))
        self.rise = str(rise_words(report))
        self.lift = str(lift_words(report))
        self.odds = str(odds_words(report))
        self.prior = str(prior_words(report))
        self.promised = promised_words(report)  # the publisher's ceilings
        self.uncovered = [*map(str, uncovered_words(report))]


def value_table(report: Report) -> Table | None:
    """Every sensitive value: how sure anybody can be of it before and after; of many, those with the highest confidence."""
    each = [(a, v) for a in report.privacy.attributes or () for v in a.values]
    if not each:
        return None
    chosen = extremes(
        np.array([steps(v.after, report.policy.decimals) for _, v in each], dtype=np.int64), both_ends=False
    )
    several = len(report.privacy.groups) > 1
    columns = [
        Column(gettext("Attribute"), names_row=True, said_once=True),
        Column(gettext("Value"), names_row=True),
        Column(gettext("Before any report"), numeric=True),
        Column(gettext("After this report"), numeric=True),
        Column(gettext("Times as likely"), numeric=True),
        *([Column(gettext("Rises most for"))] if several else []),
    ]

    def write(rows: Sequence[int]) -> Written:
        return columns, [
            [
                report.process.attribute(a.name).title,
                v.value,
                full_percent(v.before),
                full_percent(v.after),
                figure(v.lift),
                *([_rise(report, v)] if several else []),
            ]
            for a, v in (each[i] for i in rows)
        ]

    caption = (
        gettext("How sure someone can be of each value, at most in any group")
        if several
        else gettext("How sure someone can be of each value, at most")
    )
    return make_long_table("values", caption, chosen, write, chosen.explained(_SUREST_VALUES))


def _rise(report: Report, value: ValuePrivacy) -> str:
    rise = value.rise
    if rise.before == rise.after:
        return gettext("no group")
    return gettext(
        "{group} ({before} to {after})",
        group=named_values(report.process, rise.qid)
        if large_group_of(report, rise.qid)
        else gettext("a small group"),
        before=percent(rise.before),
        after=percent(rise.after),
    )


def group_table(report: Report) -> Table:
    """What could be learned about each group's people, before and after; of many groups the most exposed."""
    cells, groups = report.rule_table.cells, report.privacy.groups
    large = large_groups(report)
    chosen = extremes(report.group_beta, both_ends=False, among=large)
    stated = report.privacy.lift is not None
    columns = [
        Column(gettext("Before any report"), numeric=True),
        Column(gettext("After this report (β)"), numeric=True),
        *(
            [Column(gettext("Times as likely"), numeric=True), Column(gettext("Odds factor"), numeric=True)]
            if stated
            else []
        ),
    ]

    def write(rows: Sequence[int]) -> Written:
        starts = [int(cells.group_starts[g]) for g in rows]
        names, name_columns = row_names(cells, starts, cells.process.of_role("public"))
        return [*name_columns, *columns], [
            [
                *name,
                full_percent(groups[g].prior),
                full_percent(groups[g].beta),
                *([figure(groups[g].lift), figure(groups[g].odds)] if stated else []),
            ]
            for name, g in zip(names, rows, strict=True)
        ]

    left_out = chosen.explained(
        _SUREST_GROUPS if large.all() else _SUREST_GROUPS_OF_LARGE,
        limit=count(report.policy.small_cells.under),
    )
    caption = gettext("Highest confidence in a sensitive value, by group")
    return make_long_table("groups", caption, chosen, write, left_out)


def spread_table(report: Report) -> Table | None:
    """The distribution over groups, where they are too many to print."""
    beta, prior = report.group_beta, report.group_prior
    if extremes(beta, both_ends=False).whole:
        return None
    added = beta - prior
    at = {
        gettext("The lowest"): 0.0,
        gettext("A quarter of the groups are at or below"): 0.25,
        gettext("Half of the groups are at or below"): 0.5,
        gettext("Three quarters of the groups are at or below"): 0.75,
        gettext("Nine in ten groups are at or below"): 0.9,
        gettext("The highest"): 1.0,
    }

    def quantile(of_groups: IntArray, share: float) -> Decimal:
        # The value of one group and no interpolation, so that it is a printed figure.
        return report.rule_table.printed(int(np.sort(of_groups)[round(share * (len(of_groups) - 1))]))

    return make_table(
        "spread",
        gettext(
            "How the highest confidence is spread over all {total} groups; each column is sorted by itself",
            total=count(len(added)),
        ),
        [
            Column(gettext("Groups"), names_row=True),
            Column(gettext("Before any report"), numeric=True),
            Column(gettext("After this report (β)"), numeric=True),
            Column(gettext("Added by this report"), numeric=True),
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
