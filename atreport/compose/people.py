"""Notes on people: how their numbers are published, and whose group is unknown."""

from decimal import Decimal
from typing import Literal

from atreport.compose.estimation import is_described
from atreport.compose.message import (
    Message,
    Value,
    a_count,
    a_share,
    a_text,
    an_attribute,
    format_message,
    format_messages,
    numbered,
    together,
)
from atreport.core.rule_table import PublishedPopulation
from atreport.core.suppression import Mask
from atreport.report.model import Report
from atreport.spec.process import Attribute
from atreport.text.language import list_and, message, plural, quote

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


def population_words(report: Report) -> Message:
    """How the numbers of people are published."""
    return together(
        format_message(_PUBLISHED[population_kind(report)]),
        format_message("Nobody in this report has a combination of attributes that is not listed."),
    )


def small_cells_words(report: Report) -> Message:
    """What was done with counts of few people, and what that means for every figure."""
    return together(_guarded(report), _guarded_figures(report), _hints(report))


def _guarded(report: Report) -> Message:
    account = report.policy.small_cells
    under = a_count(account.under)
    if account.policy == "round":
        return format_message(
            "The exact number of people in a cell is not published. Numbers are in steps of {under}, and never zero.",
            under=under,
        )
    hidden = plural(
        "Cells of fewer than {under} people are published without their size, and so are others from which it could be "
        "worked out: {number} cell in all. Which cells are left out together was fixed before anybody was counted.",
        "Cells of fewer than {under} people are published without their size, and so are others from which it could be "
        "worked out: {number} cells in all. Which cells are left out together was fixed before anybody was counted.",
    )
    apart = message(
        "Of each number that is left out, what is published allows values that are at least {apart} people apart, "
        "also to somebody who runs this program to find out."
    )
    if account.hidden_in is None:  # as version 0.1 hid them
        hidden = plural(
            "Cells of fewer than {under} people are published without their size, and so are others from which it "
            "could be worked out by subtraction: {number} cell in all.",
            "Cells of fewer than {under} people are published without their size, and so are others from which it "
            "could be worked out by subtraction: {number} cells in all.",
        )
        apart = message(
            "Of each small number, what is published allows values that are at least {apart} people apart."
        )
    return together(
        format_messages("suppressed", account.suppressed or 0, *hidden, under=under),
        format_message(apart, apart=a_count(account.protection or 0)),
    )


def _guarded_figures(report: Report) -> Message:
    return together(
        format_message(
            "Everything in this report is calculated from the numbers as published, the announced rule included, so that no "
            "figure gives more away. The intervals and the promise hold for every population that agrees with those "
            "numbers, and so for the exact one."
        ),
        format_message(
            "The section “What goes with the outcome” and simpler rules that come close are left out: they depend on how "
            "many people there are of each kind."
        )
        if is_described(report)
        else format_message(
            "The section “What moves the decision” and simpler rules that come close are left out: they depend on how many "
            "people there are of each kind."
        ),
    )


def _hints(report: Report) -> Message:
    """What a rule that was counted in the records of the same people can tell beside their number."""
    account = report.policy.small_cells
    as_version_0_1 = account.policy == "suppress" and account.hidden_in is None
    if as_version_0_1 or report.process.estimated_from != "records":
        return Message("")
    return format_message(
        "The rule was found by counting the decisions of these people. So an announced probability can hint at how many "
        "there are: what is said here is about what the numbers tell."
    )


def unknown_words(report: Report) -> Message:
    """How many people's group is unknown, as far as numbers of people are published, and what that does to measures."""
    with_unknown = [a for a in report.process.attributes if a.unknown is not None]
    return together(
        numbered(_how_many(report, attribute) for attribute in with_unknown),
        format_message(
            "For the announced rule, unknown is a value like any other. In comparisons it is no group."
        ),
        _unknown_ranges(report),
    )


def _unknown_ranges(report: Report) -> Message:
    found = [a.unknown for a in report.fairness if a.unknown]
    if not found:
        return Message("")
    return together(
        format_message(
            "Beside each measure stands what its announced value could be, at worst and at best, whichever groups these "
            "people belong to."
        ),
        ""
        if all(each.attained for each in found)
        else format_message(
            "Where there are too many possibilities to go through, no value is outside, but an end may not be reached."
        ),
    )


def _how_many(report: Report, attribute: Attribute) -> Message:
    table, about = report.rule_table, {"attribute": an_attribute(attribute)}
    mask: Mask = table.cells.column(attribute.name) == attribute.values.index(attribute.unknown or "")
    if report.policy.population == "withheld":
        return format_message("“{attribute}” is unknown of some people; their number is withheld.", **about)
    if report.policy.population == "shares":
        steps = int(table.cells.population[mask].sum())
        share = a_share(Decimal(steps).scaleb(-(report.policy.share_decimals or 0)))
        words = message("“{attribute}” is unknown of about {share} of all people.")
        if table.small_cells.is_exact:
            words = message("“{attribute}” is unknown of {share} of all people.")
        return format_message(words, share=share, **about)
    fewest, most = table.small_cells.people_between(table.cells, mask)
    if fewest == most:
        return format_messages(
            "people",
            fewest,
            "“{attribute}” is unknown of {number} person.",
            "“{attribute}” is unknown of {number} people.",
            **about,
        )
    return format_message(
        "“{attribute}” is unknown of at least {fewest} and at most {most} people.",
        fewest=a_count(fewest),
        most=a_count(most),
        **about,
    )


# Notes on groups that cannot be protected, and on values that stand for several others.


_DONE: dict[str | None, tuple[str, str]] = {
    "left out": plural(
        "This group is left out: it is in no cell of this report.",
        "These groups are left out: they are in no cell of this report.",
    ),
    "suppress": plural(  # as earlier versions left them out
        "This group is left out of this report: no figure is about it or includes it.",
        "These groups are left out of this report: no figure is about them or includes them.",
    ),
    "merge": plural(
        "This group was joined with others under coarser values: {coarser}.",
        "These groups were joined with others under coarser values: {coarser}.",
    ),
    None: plural(
        "This group is published with the confidence it has, which the table of groups shows.",
        "These groups are published with the confidence they have, which the table of groups shows.",
    ),
}
"""What was done with groups that no change can protect."""


def unprotectable_words(report: Report) -> Message:
    """How many groups no change can protect, and what was done with them."""
    account = report.privacy.unprotectable
    policy: str | None = account.policy if account.policy in _DONE else None
    coarser = Value(
        written=list_and(quote(each.value) for each in account.merged),
        argument=tuple(each.value for each in account.merged),
    )
    return together(
        format_messages(
            "groups",
            account.groups,
            "In {number} group (at most {share} of all people) the population alone gives a sensitive value away with more "
            "confidence than the policy allows, or for certain.",
            "In {number} groups (at most {share} of all people) the population alone gives a sensitive value away with more "
            "confidence than the policy allows, or for certain.",
            share=a_share(account.share),
        ),
        format_message("No change to the announced rule can mend that."),
        format_messages(
            "groups",
            account.groups,
            *_DONE["left out" if policy == "suppress" and account.left_out else policy],
            **({"coarser": coarser} if policy == "merge" else {}),
        ),
        _joined(report) if policy == "merge" else "",
    )


def left_out_in_short(report: Report) -> Message:
    """How many people no cell counts, as numbers of people are published, and what that does to figures."""
    left_out, policy = report.privacy.unprotectable.left_out, report.policy
    if not left_out:
        return Message("")
    if policy.population == "withheld":
        number = format_message("Some people who are in the data are in no cell of this report.")
    elif policy.population == "shares":
        number = format_message(
            "Some people who are in the data are in no cell of this report: at most {left_out} of the number who are.",
            left_out=a_share(sum((each.share or Decimal(0) for each in left_out), Decimal(0))),
        )
    elif policy.small_cells.is_exact:
        number = format_messages(
            "left_out",
            sum(each.people or 0 for each in left_out),
            "{number} person who is in the data is in no cell of this report.",
            "{number} people who are in the data are in no cell of this report.",
        )
    else:
        number = format_message(
            "At most {left_out} people who are in the data are in no cell of this report.",
            left_out=a_count(sum(each.people or 0 for each in left_out)),
        )
    return together(
        number,
        format_message(
            "Nothing is announced about them, and every interval and verdict about groups allows for any decisions about "
            "them."
        ),
    )


def left_out_words(report: Report) -> Message:
    """Whom no cell counts, and what every kind of figure says of them."""
    return together(
        left_out_in_short(report),
        format_message(
            "So what is announced for a group is about those of its people who are in this report. The interval beside it "
            "holds for everybody in the group. A group of which nobody is in this report is not compared."
        ),
        format_message(
            "Whatever explains the rule by how many people there are of each kind is left out: it would not hold for "
            "everybody."
        ),
    )


def _joined(report: Report) -> Message:
    return together(
        format_message(
            "What is announced for a coarser value is about the average of the people it stands for, and so is the stated "
            "fidelity."
        )
        if report.policy.small_cells.is_exact
        else format_message(
            "What is announced for a coarser value is about the average of the people it stands for, by their numbers as "
            "published, and so is the stated fidelity."
        ),
        format_message(
            "The promise holds for an observer who knows the population as it is published here, not at the finer values."
        ),
    )


def joined_words(report: Report) -> Message:
    """Which values stand for several, and what that means for every kind of figure."""
    stands_for = numbered(
        (
            format_message(
                "“{value}” of “{attribute}” stands for: {finer}.",
                value=a_text(value),
                attribute=an_attribute(attribute),
                finer=Value(written=list_and(map(quote, finer)), argument=tuple(finer)),
            )
            for attribute in report.process.attributes
            for value, finer in (attribute.joined or {}).items()
        ),
    )
    return together(
        format_message("Some values stand for several others."),
        stands_for,
        format_message(
            "Whoever is published under such a value belongs to one of the groups it stands for, and the report does not "
            "say to which. So the value is no group of its own in any comparison. The announced rate of a group is that "
            "of the people who are published under their own value. The interval beside it, and that of every "
            "comparison, holds however the others are divided among the groups and however differently they are treated. "
            "Explanations of the rule describe people by the values they are published under."
        ),
        format_message(
            "Groups were joined where a ceiling of the publisher could not be kept in one of them otherwise."
        )
        if report.privacy.unprotectable.merged and report.policy.privacy is not None
        else "",
    )
