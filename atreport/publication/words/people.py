"""Notes on people: how their numbers are published, and whose group is unknown."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from atreport.kit.language import message
from atreport.population.small_cells import Mask
from atreport.publication.words.estimation import is_described
from atreport.publication.words.told import (
    Told,
    a_count,
    a_share,
    an_attribute,
    each_told,
    tell,
    tell_many,
    together,
)
from atreport.report.model import Report
from atreport.rule_table import PublishedPopulation
from atreport.spec.models.process import Attribute

PopulationKind = Literal[PublishedPopulation, "rounded", "suppressed"]

_PUBLISHED: dict[PopulationKind, str] = {
    "shares": message(
        "Each cell’s share of all people is printed, rounded. The promise holds for the exact population and for the "
        "shares as printed. Of a small population, shares can let a reader work out the counts."
    ),
    "counts": message("The number of people in each cell is printed as it is."),
    "withheld": message(
        "The number of people in each cell is withheld. The promise and the rates are calculated from the exact "
        "population, so they cannot be recalculated from this report alone."
    ),
    "rounded": message(
        "The number of people in each cell is published rounded. The note on small numbers says how, and what the "
        "figures are calculated from."
    ),
    "suppressed": message(
        "The number of people is published where it is not small. The note on small numbers says how, and what the "
        "figures are calculated from."
    ),
}


def population_kind(report: Report) -> PopulationKind:
    """How the numbers of people are published, in a word: a key of the words about it."""
    small_cells = report.policy.small_cells
    if report.policy.population == "withheld" or small_cells.is_exact:
        return report.policy.population
    return "rounded" if small_cells.policy == "round" else "suppressed"


def population_words(report: Report) -> Told:
    """How the numbers of people are published."""
    return together(
        tell(_PUBLISHED[population_kind(report)]),
        tell("Nobody in this report has a combination of attributes that is not listed."),
    )


def small_cells_words(report: Report) -> Told:
    """What was done with counts of few people, and what that means for every figure."""
    return together(_guarded(report), _guarded_figures(report), _hints(report))


def _guarded(report: Report) -> Told:
    account = report.policy.small_cells
    if account.policy == "round":
        return tell(
            "The exact number of people in a cell is not published. Numbers are in steps of {under}, and never zero.",
            under=a_count(account.under),
        )
    values = {"under": a_count(account.under)}
    hidden = account.suppressed or 0
    apart = a_count(account.protection or 0)
    if account.hidden_in is None:  # as version 0.1 hid them
        return together(
            tell_many(
                "suppressed",
                hidden,
                "Cells of fewer than {under} people are published without their size, and so are others from which it "
                "could be worked out by subtraction: {number} cell in all.",
                "Cells of fewer than {under} people are published without their size, and so are others from which it "
                "could be worked out by subtraction: {number} cells in all.",
                **values,
            ),
            tell(
                "Of each small number, what is published allows values that are at least {apart} people apart.",
                apart=apart,
            ),
        )
    return together(
        tell_many(
            "suppressed",
            hidden,
            "Cells of fewer than {under} people are published without their size, and so are others from which it could be "
            "worked out: {number} cell in all. Which cells are left out together was fixed before anybody was counted.",
            "Cells of fewer than {under} people are published without their size, and so are others from which it could be "
            "worked out: {number} cells in all. Which cells are left out together was fixed before anybody was counted.",
            **values,
        ),
        tell(
            "Of each number that is left out, what is published allows values that are at least {apart} people apart, "
            "also to somebody who runs this program to find out.",
            apart=apart,
        ),
    )


def _guarded_figures(report: Report) -> Told:
    figures = tell(
        "Everything in this report is calculated from the numbers as published, the announced rule included, so that no "
        "figure gives more away. The intervals and the promise hold for every population that agrees with those numbers, "
        "and so for the exact one."
    )
    if is_described(report):
        left_out = tell(
            "The section “What goes with the outcome” and simpler rules that come close are left out: they depend on how "
            "many people there are of each kind."
        )
    else:
        left_out = tell(
            "The section “What moves the decision” and simpler rules that come close are left out: they depend on how many "
            "people there are of each kind."
        )
    return together(figures, left_out)


def _hints(report: Report) -> Told:
    """What a rule that was counted in the records of the same people can tell beside their number."""
    account = report.policy.small_cells
    as_version_0_1 = account.policy == "suppress" and account.hidden_in is None
    if as_version_0_1 or report.process.estimated_from != "records":
        return Told("")
    return tell(
        "The rule was found by counting the decisions of these people. So an announced probability can hint at how many "
        "there are: what is said here is about what the numbers tell."
    )


def unknown_words(report: Report) -> Told:
    """How many people's group is unknown, as far as numbers of people are published, and what that does to measures."""
    with_unknown = [a for a in report.process.attributes if a.unknown is not None]
    return together(
        each_told(_how_many(report, attribute) for attribute in with_unknown),
        tell("For the announced rule, unknown is a value like any other. In comparisons it is no group."),
        _unknown_ranges(report),
    )


def _unknown_ranges(report: Report) -> Told:
    found = [a.unknown for a in report.fairness if a.unknown]
    if not found:
        return Told("")
    ranges = tell(
        "Beside each measure stands what its announced value could be, at worst and at best, whichever groups these people "
        "belong to."
    )
    if all(each.attained for each in found):
        return ranges
    not_attained = tell(
        "Where there are too many possibilities to go through, no value is outside, but an end may not be reached."
    )
    return together(ranges, not_attained)


def _how_many(report: Report, attribute: Attribute) -> Told:
    table, about = report.rule_table, {"attribute": an_attribute(attribute)}
    mask: Mask = table.cells.column(attribute.name) == attribute.values.index(attribute.unknown or "")
    if report.policy.population == "withheld":
        return tell("“{attribute}” is unknown of some people; their number is withheld.", **about)
    if report.policy.population == "shares":
        steps = int(table.cells.population[mask].sum())
        share = a_share(Decimal(steps).scaleb(-(report.policy.share_decimals or 0)))
        if table.small_cells.is_exact:
            return tell("“{attribute}” is unknown of {share} of all people.", share=share, **about)
        return tell("“{attribute}” is unknown of about {share} of all people.", share=share, **about)
    fewest, most = table.small_cells.people_between(table.cells, mask)
    if fewest == most:
        return tell_many(
            "people",
            fewest,
            "“{attribute}” is unknown of {number} person.",
            "“{attribute}” is unknown of {number} people.",
            **about,
        )
    return tell(
        "“{attribute}” is unknown of at least {fewest} and at most {most} people.",
        fewest=a_count(fewest),
        most=a_count(most),
        **about,
    )
