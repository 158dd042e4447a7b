"""Notes on people: how their numbers are published, whose group is unknown, and which groups cannot be protected."""

from __future__ import annotations

from decimal import Decimal

from atreport.kit.numbers import count, counted, percent
from atreport.population.small_cells import Mask
from atreport.publication.estimation_words import by_source
from atreport.report.model import Report


def population_words(report: Report) -> str:
    """How the numbers of people are published."""
    people = {
        "shares": "Each cell's share of all people is printed, rounded; the promise holds for the exact population and "
        "for the shares as printed. Of a small population, shares can let a reader work out the counts.",
        "counts": "The number of people in each cell is printed as it is.",
        "withheld": "The number of people in each cell is withheld. The promise and the rates are calculated from the "
        "exact population, so they cannot be recalculated from this report alone.",
    }[report.policy.population]
    if report.policy.population != "withheld" and not report.policy.small_cells.is_exact:
        people = (
            "The number of people in each cell is published rounded."
            if report.policy.small_cells.policy == "round"
            else "The number of people is published where it is not small."
        )
        people += " The note on small numbers says how, and what the figures are calculated from."
    return f"{people} A combination of attributes that is not listed does not occur."


def small_cells_words(report: Report) -> str:
    """What was done with counts of few people, and what that means for every figure."""
    account = report.policy.small_cells
    section = by_source(report, given="What moves the decision", described="What goes with the outcome")
    everything_else = (
        "Everything in this report is calculated from the numbers as published, the announced rule included, so that no "
        "figure gives more away; the intervals and the promise hold for every population that agrees with them, and so "
        f"for the exact one. {section}, and simpler rules that come close, are left out: they depend on how "
        "many people there are of each kind."
    )
    if account.policy == "round":
        return (
            f"The exact number of people in a cell is not published. Numbers are in steps of {account.under}, never 0. "
            f"{everything_else}"
        )
    hidden = account.suppressed or 0
    if account.hidden_in is None:
        return (
            f"Cells of fewer than {account.under} people are published without their size, and so are others from which it "
            f"could be worked out by subtraction: {counted(hidden, 'cell')} in all. Of each small number, what is published "
            f"allows values that are at least {account.protection} people apart. {everything_else}"
        )
    return (
        f"Cells of fewer than {account.under} people are published without their size, and so are others from which it "
        f"could be worked out: {counted(hidden, 'cell')} in all. Which are left out together was fixed before anybody was "
        f"counted. Of each number that is left out, what is published allows values that are at least "
        f"{account.protection} people apart, also to somebody who runs this program to find out. {everything_else}"
    ) + _hints(report)


def _hints(report: Report) -> str:
    """What a rule that was counted in the records of the same people can tell beside their number."""
    if report.process.estimated_from != "records":
        return ""
    return (
        " The rule was found by counting the decisions of these people, so that an announced probability can hint at how "
        "many there are: this is about what the numbers tell."
    )


def unknown_words(report: Report) -> str:
    """How many people's group is unknown, as far as numbers of people are published, and what that does to measures."""
    parts = []
    for attribute in report.process.attributes:
        if attribute.unknown is not None:
            column = report.rule_table.cells.column(attribute.name)
            mask = column == attribute.values.index(attribute.unknown)
            parts.append(f"“{attribute.title}” is unknown of {_how_many(report, mask)}")
    text = f"{'; '.join(parts)}. For the announced rule that is a value like any other, and no group that is compared."
    found = [a.unknown for a in report.fairness if a.unknown]
    if found:
        text += (
            " Beside each measure stands what its announced value could be, at worst and at best, whichever groups these "
            "people belong to."
        )
        if not all(each.attained for each in found):
            text += (
                " Where there are too many possibilities to go through, no value is outside, but an end may not be "
                "reached."
            )
    return text


def _how_many(report: Report, mask: Mask) -> str:
    table = report.rule_table
    if report.policy.population == "withheld":
        return "some people (their number is withheld)"
    if report.policy.population == "shares":
        steps = int(table.cells.population[mask].sum())
        share = Decimal(steps).scaleb(-(report.policy.share_decimals or 0))
        about = "" if table.small_cells.is_exact else "about "
        return f"{about}{percent(share)} of all people"
    fewest, most = table.small_cells.people_between(table.cells, mask)
    if fewest == most:
        return counted(fewest, "person", "people")
    return f"{count(fewest)} to {count(most)} people"


def unprotectable_words(report: Report) -> str:
    """How many groups no change can protect, and what was done with them."""
    account = report.privacy.unprotectable
    found = (
        f"In {counted(account.groups, 'group')} (with {percent(account.share)} of all people) the population "
        "alone gives a sensitive value away with more confidence than the policy allows, or for certain. No change to "
        "the announced rule can mend that."
    )
    one = account.groups == 1
    they_are, they_were = ("It is", "It was") if one else ("They are", "They were")
    if account.policy == "suppress":
        them = "it" if one else "them"
        return (
            f"{found} {they_are} left out of this report: no figure in it is about {them} or includes {them}."
        )
    if account.policy == "merge":
        coarser = ", ".join(f"“{each.value}”" for each in account.merged)
        return (
            f"{found} {they_were} joined with others under coarser values ({coarser}). What is announced for a coarser "
            f"value is about the average of the people it stands for{_counted_how(report)}, and so is the stated fidelity. "
            "The promise holds for an observer who knows the population as it is published here, not at the finer values."
        )
    has = "it has" if one else "they have"
    return f"{found} {they_are} published with the confidence {has}, which the table of groups shows."


def _counted_how(report: Report) -> str:
    return "" if report.policy.small_cells.is_exact else ", by their numbers as guarded"


def joined_words(report: Report) -> str:
    """Which values stand for several, and what that means for every kind of figure."""
    stands = "; ".join(
        f"“{value}” of “{a.title}” for {', '.join(finer)}"
        for a in report.process.attributes
        for value, finer in (a.joined or {}).items()
    )
    return (
        f"Some values stand for several others: {stands}. Whoever is published under such a value belongs to one of the "
        "groups it stands for, and the report does not say which. So it is no group of its own in any comparison. The "
        "announced rate of a group is that of the people who are published under their own value; the interval "
        "beside it, and that of every comparison, holds however the others split and however differently they are treated. "
        "Explanations of the rule describe people by the values they are published under."
        + (
            " Groups were joined where a ceiling of the publisher could not be kept in one of them otherwise."
            if report.privacy.unprotectable.merged and report.policy.privacy is not None
            else ""
        )
    )
