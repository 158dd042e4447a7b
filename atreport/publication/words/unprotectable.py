"""Notes on groups that cannot be protected, and on values that stand for several others."""

from __future__ import annotations

from decimal import Decimal

from atreport.kit.language.words import list_and, quote
from atreport.publication.words.told import (
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


def left_out_in_short(report: Report) -> Told:
    """How many people no cell counts, as numbers of people are published, and what that does to figures."""
    left_out, policy = report.privacy.unprotectable.left_out, report.policy
    if not left_out:
        return Told("")
    if policy.population == "withheld":
        number = tell("Some people who are in the data are in no cell of this report.")
    elif policy.population == "shares":
        number = tell(
            "Some people who are in the data are in no cell of this report: at most {left_out} of the number who are.",
            left_out=a_share(sum((each.share or Decimal(0) for each in left_out), Decimal(0))),
        )
    elif policy.small_cells.is_exact:
        number = tell_many(
            "left_out",
            sum(each.people or 0 for each in left_out),
            "{number} person who is in the data is in no cell of this report.",
            "{number} people who are in the data are in no cell of this report.",
        )
    else:
        number = tell(
            "At most {left_out} people who are in the data are in no cell of this report.",
            left_out=a_count(sum(each.people or 0 for each in left_out)),
        )
    return together(
        number,
        tell(
            "Nothing is announced about them, and every interval and verdict about groups allows for any decisions about "
            "them."
        ),
    )


def left_out_words(report: Report) -> Told:
    """Whom no cell counts, and what every kind of figure says of them."""
    return together(
        left_out_in_short(report),
        tell(
            "So what is announced for a group is about those of its people who are in this report. The interval beside it "
            "holds for everybody in the group. A group of which nobody is in this report is not compared."
        ),
        tell(
            "Whatever explains the rule by how many people there are of each kind is left out: it would not hold for "
            "everybody."
        ),
    )


def _left_out(report: Report) -> Told:
    if report.privacy.unprotectable.left_out:
        return tell_many(
            "groups",
            report.privacy.unprotectable.groups,
            "This group is left out: it is in no cell of this report.",
            "These groups are left out: they are in no cell of this report.",
        )
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
