"""Notes on people: how their numbers are published, whose group is unknown, and which groups cannot be protected."""

from __future__ import annotations

from decimal import Decimal

from atreport.kit.language import message
from atreport.kit.language.words import list_and, quote
from atreport.population.small_cells import Mask
from atreport.publication.estimation_words import is_described
from atreport.publication.told import (
    Told,
    Value,
    a_count,
    a_share,
    a_text,
    an_attribute,
    each_told,
    tell,
    tell_many,
    together,
)
from atreport.report.model import Report
from atreport.spec.models.process import Attribute

_PUBLISHED = {
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


def population_kind(report: Report) -> str:
    """How the numbers of people are published, in a word: a key of the words about it."""
    small_cells = report.policy.small_cells
    if report.policy.population == "withheld" or small_cells.is_exact:
        return report.policy.population
    return "rounded" if small_cells.policy == "round" else "suppressed"


def population_words(report: Report) -> Told:
    """How the numbers of people are published."""
    return together(
        tell(_PUBLISHED[population_kind(report)]),
        tell("A combination of attributes that is not listed does not occur."),
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
    if report.policy.small_cells.hidden_in is None or report.process.estimated_from != "records":
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


def unprotectable_words(report: Report) -> Told:
    """How many groups no change can protect, and what was done with them."""
    account = report.privacy.unprotectable
    number, share = account.groups, a_share(account.share)
    found = together(
        tell_many(
            "groups",
            number,
            "In {number} group (at most {share} of all people) the population alone gives a sensitive value away with more "
            "confidence than the policy allows, or for certain.",
            "In {number} groups (at most {share} of all people) the population alone gives a sensitive value away with more "
            "confidence than the policy allows, or for certain.",
            share=share,
        ),
        tell("No change to the announced rule can mend that."),
    )
    if account.policy == "suppress":
        return together(found, _left_out(report))
    return together(found, _joined(report) if account.policy == "merge" else _kept(report))


def _left_out(report: Report) -> Told:
    return tell_many(
        "groups",
        report.privacy.unprotectable.groups,
        "This group is left out of this report: no figure is about it or includes it.",
        "These groups are left out of this report: no figure is about them or includes them.",
    )


def _kept(report: Report) -> Told:
    return tell_many(
        "groups",
        report.privacy.unprotectable.groups,
        "This group is published with the confidence it has, which the table of groups shows.",
        "These groups are published with the confidence they have, which the table of groups shows.",
    )


def _joined(report: Report) -> Told:
    account = report.privacy.unprotectable
    coarser = Value(
        written=list_and(quote(each.value) for each in account.merged),
        argument=tuple(each.value for each in account.merged),
    )
    joined = tell_many(
        "groups",
        account.groups,
        "This group was joined with others under coarser values: {coarser}.",
        "These groups were joined with others under coarser values: {coarser}.",
        coarser=coarser,
    )
    if report.policy.small_cells.is_exact:
        average = tell(
            "What is announced for a coarser value is about the average of the people it stands for, and so is the stated "
            "fidelity."
        )
    else:
        average = tell(
            "What is announced for a coarser value is about the average of the people it stands for, by their numbers as "
            "published, and so is the stated fidelity."
        )
    observer = tell(
        "The promise holds for an observer who knows the population as it is published here, not at the finer values."
    )
    return together(joined, average, observer)


def joined_words(report: Report) -> Told:
    """Which values stand for several, and what that means for every kind of figure."""
    stands_for = each_told(
        (
            tell(
                "“{value}” of “{attribute}” stands for: {finer}.",
                value=a_text(value),
                attribute=an_attribute(attribute),
                finer=Value(written=list_and(map(quote, finer)), argument=tuple(finer)),
            )
            for attribute in report.process.attributes
            for value, finer in (attribute.joined or {}).items()
        ),
    )
    text = together(
        tell("Some values stand for several others."),
        stands_for,
        tell(
            "Whoever is published under such a value belongs to one of the groups it stands for, and the report does not "
            "say to which. So the value is no group of its own in any comparison. The announced rate of a group is that "
            "of the people who are published under their own value. The interval beside it, and that of every "
            "comparison, holds however the others are divided among the groups and however differently they are treated. "
            "Explanations of the rule describe people by the values they are published under."
        ),
    )
    if report.privacy.unprotectable.merged and report.policy.privacy is not None:
        ceiling = tell(
            "Groups were joined where a ceiling of the publisher could not be kept in one of them otherwise."
        )
        return together(text, ceiling)
    return text
