"""The disclosure notes of a report, in plain words.

They say what was perturbed and by at most how much, how to read a figure, and what the guarantee does not cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.analysis.sampling import LEVEL, counts_are_published
from atreport.kit.numbers import count, counted, percent, points
from atreport.population.band import Closeness
from atreport.population.small_cells import Mask
from atreport.publication.estimation_words import estimation_words
from atreport.report.fairness import Assessment, NotAssessed
from atreport.report.model import Note, Report
from atreport.report.rule import PublishedFidelity
from atreport.rule_table import CellBounds
from atreport.spec.models.forms import FORMS
from atreport.spec.models.measures import MEASURES
from atreport.spec.models.policy import Mechanism

CHOSEN: dict[Mechanism, str] = {
    "optimal": "Within that limit they were chosen to tell an observer as little as possible about any one person.",
    "calibrated": "The range from 0 to 100% was cut into intervals that are fixed in advance by that limit, and each "
    "announced probability is the middle of the interval in which the true one lies.",
}
"""How each mechanism chooses the announced probabilities, in one sentence."""

OBSERVERS: dict[Mechanism, str] = {
    "optimal": "It does not bound observers who reason about how the announced rule was made: one who spreads belief "
    "over all rules within the stated fidelity, one who assumes the worst rule within it, or one who knows the method "
    "and runs it backwards, which can give true probabilities back.",
    "calibrated": "It also holds for one who knows the method and believes evenly in every value of the interval behind "
    "an announced probability: this report tells in which interval the true probability lies, and nothing more. It does "
    "not bound an observer who assumes the worst value of each interval, or who has reasons to believe in some values "
    "more than in others.",
}
"""What knowing each mechanism gives to observers that the promise may not cover."""


def disclosure_notes(report: Report) -> tuple[Note, ...]:
    """The notes that belong to a report: the standard ones first, then the publisher's own.

    A function of everything else in the report, so that anybody can make them again.
    """
    notes = [
        Note(id="perturbed", title=_perturbed_title(report), text=_perturbed(report)),
        Note(id="reading", title="How to read a figure", text=_reading(report)),
        Note(id="promise", title="What the privacy promise says", text=_promise(report)),
        Note(id="limits", title="What the promise does not cover", text=_limits(report)),
        Note(id="population", title="The population", text=_population(report)),
        Note(id="fairness", title="What the fairness figures are for", text=_fairness(report.fairness)),
    ]
    if report.estimation is not None:
        words = estimation_words(report.estimation, report.process)
        notes.append(Note(id="estimation", title="How the rule was estimated", text=words))
    if report.process.estimated_from == "records":
        title = "Chance in the records" if report.estimation else "The rule was estimated from records"
        notes.append(Note(id="sampling", title=title, text=_sampling(report)))
    if any(attribute.unknown for attribute in report.process.attributes):
        notes.append(Note(id="unknown", title="People of unknown group", text=_unknown(report)))
    if not report.policy.small_cells.is_exact:
        notes.append(Note(id="small-cells", title="Small numbers of people", text=_small_cells(report)))
    if report.privacy.unprotectable.groups:
        title = "Groups that cannot be protected"
        notes.append(Note(id="unprotectable", title=title, text=_unprotectable(report)))
    if report.not_assessed:
        title = "Comparisons that could not be made"
        notes.append(Note(id="not-assessed", title=title, text=_not_assessed(report.not_assessed)))
    return (*notes, *_publisher_notes(report))


def _publisher_notes(report: Report) -> Iterator[Note]:
    own = report.disclosure
    if own is None:
        return
    for index, note in enumerate(own.notes, start=1):
        yield Note(id=f"publisher-{index}", title=note.title, text=note.text)
    for index, reference in enumerate(own.legal, start=1):
        yield Note(id=f"legal-{index}", title="Legal reference", text=reference)
    for index, item in enumerate(own.withheld, start=1):
        yield Note(id=f"withheld-{index}", title=f"Withheld: {item.what}", text=item.because)


def distance_allowed(fidelity: PublishedFidelity) -> str:
    """How far an announced probability may be from the true one, in plain words."""
    if fidelity.bounds is not None:
        return CellBounds.in_words
    return Closeness(delta=fidelity.delta, alpha=fidelity.alpha).in_words


def _perturbed_title(report: Report) -> str:
    return (
        "The published rule is the true rule"
        if is_unchanged(report.policy.fidelity)
        else "The published rule was changed on purpose"
    )


def _perturbed(report: Report) -> str:
    if is_unchanged(report.policy.fidelity):
        return (
            "The probabilities in this report are the true ones, as printed. Every other figure is calculated from them "
            "and the population alone."
        )
    return (
        "Publishing the exact rule could tell others something private about the people it decides on. The "
        f"probabilities in this report are therefore announced ones. For every announced probability: "
        f"{distance_allowed(report.policy.fidelity)}. {CHOSEN[report.policy.mechanism]} Every other figure in this "
        "report is calculated from the announced probabilities and the population alone."
    )


def is_unchanged(fidelity: PublishedFidelity) -> bool:
    """Whether the policy leaves no room to change anything."""
    return 1 in (fidelity.delta, fidelity.alpha)


def _reading(report: Report) -> str:
    return (
        "Beside each fairness figure stands an interval. The figure is what the announced rule gives; the true figure "
        "lies inside the interval for certain, not just with some probability. A verdict against a threshold is given "
        "only where the whole interval lies on one side of it. Figures are printed to "
        f"{counted(report.policy.decimals, 'decimal')}; interval ends are rounded outward, confidence is rounded up."
    )


def _promise(report: Report) -> str:
    sensitive = " and ".join(f"“{a.title}”" for a in report.process.of_role("sensitive"))
    public = ", ".join(f"“{a.title}”" for a in report.process.of_role("public"))
    known = f"a person's {public}, the person's outcome" if public else "a person's outcome"
    return (
        f"Somebody who knows {known}, the population and this report, and takes the "
        f"announced rule for the truth, can be at most {percent(report.privacy.beta)} confident of any value "
        f"of {sensitive}. "
        "Part of that confidence comes from the population alone and would exist without any report; the report itself "
        f"adds at most {points(report.privacy.contribution)}. {_where_groups_are(report)} shows both."
    )


def _where_groups_are(report: Report) -> str:
    form = FORMS.get(report.report.template)
    return (
        "The table of groups"
        if form is None or form.stands_in_the_report
        else "The list of groups in report.json"
    )


def _unprotectable(report: Report) -> str:
    account = report.privacy.unprotectable
    found = (
        f"In {counted(account.groups, 'group')} (with {percent(account.share)} of all people) the population "
        "alone gives a sensitive value away with more confidence than the policy allows, or for certain. No change to "
        "the announced rule can mend that."
    )
    if account.policy == "suppress":
        return f"{found} They are left out of this report: no figure in it is about them or includes them."
    if account.policy == "merge":
        coarser = ", ".join(f"“{each.value}”" for each in account.merged)
        return (
            f"{found} They were joined with others under coarser values ({coarser}). What is announced for a coarser "
            "value is about the average of the people it stands for, and so is the stated fidelity. The promise holds "
            "for an observer who knows the population as it is published here, not at the finer values."
        )
    return f"{found} They are published with the confidence they have, which the table of groups shows."


def _limits(report: Report) -> str:
    sensitive = " and ".join(f"“{a.title}”" for a in report.process.of_role("sensitive"))
    return (
        f"{_observers(report)} {'It does not' if is_unchanged(report.policy.fidelity) else 'Nor does it'} "
        "cover an observer who "
        "already knows the rule, or is sure that every decision is a plain yes or no, "
        "or who knows more about a person than the attributes marked public, or combines this report with another "
        f"report on the same process. Only {sensitive} is protected, not the decision itself. The publisher has "
        "measured the stronger observers in a confidential annex."
    )


def _observers(report: Report) -> str:
    """Which observers the promise is about, and what knowing the method gives to those it is not about."""
    if is_unchanged(report.policy.fidelity):
        return "The promise is about an observer who knows this report and the population."
    return (
        "The promise is about an observer who takes the announced rule for the truth. "
        + (OBSERVERS[report.policy.mechanism])
    )


def _unknown(report: Report) -> str:
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


def _small_cells(report: Report) -> str:
    account = report.policy.small_cells
    everything_else = (
        "Everything in this report is calculated from the numbers as published, the announced rule included, so that no "
        "figure gives more away; the intervals and the promise hold for every population that agrees with them, and so "
        "for the exact one. What moves the decision, and simpler rules that come close, are left out: they depend on how "
        "many people there are of each kind."
    )
    if account.policy == "round":
        return (
            f"The exact number of people in a cell is not published. Numbers are in steps of {account.under}, never 0. "
            f"{everything_else}"
        )
    hidden = account.suppressed or 0
    return (
        f"Cells of fewer than {account.under} people are published without their size, and so are others from which it "
        f"could be worked out by subtraction: {counted(hidden, 'cell')} in all. Of each small number, what is published "
        f"allows values that are at least {account.protection} people apart. {everything_else}"
    )


def _population(report: Report) -> str:
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


def _fairness(assessments: Sequence[Assessment]) -> str:
    text = (
        "The measures help to assess how the process treats groups of people; none of them proves or disproves that it "
        "is fair, and which of them matters depends on the case."
    )
    if any(a.value_at_most is not None for a in assessments):
        text += (
            " For individual fairness over this many cells the largest difference was searched for within a limit: the "
            "figure is the largest that was found; the interval is certain all the same."
        )
    if any(MEASURES[a.measure].screened_by_four_fifths for a in assessments):
        text += (
            " The four-fifths rule (a ratio of at least 0.8) is a screening rule that tells where to look closer; it "
            "is not a legal finding."
        )
    return text


def _sampling(report: Report) -> str:
    estimated = (
        "The probabilities behind this report are frequencies among recorded cases. Other cases of the same process would "
        "have given somewhat different ones, by chance alone."
    )
    if not counts_are_published(report.rule_table):
        return (
            f"{estimated} How different depends on the number of cases, which is not published, so no interval for it can "
            "be given."
        )
    return (
        f"{estimated} A separate sampling interval says how different: calculated from the announced rates and the "
        f"published counts, it holds the long-run figure in at least {percent(LEVEL)} of repetitions (exact binomial "
        "intervals by Clopper and Pearson for rates; for comparisons the same with a correction for the number of rates "
        "by Bonferroni). It stands beside the certified interval and is no part of it: the one is about chance in the "
        "records, the other about what was changed on purpose."
    )


def _not_assessed(left_out: Sequence[NotAssessed]) -> str:
    named = [
        f"{a.groups[0]} with {a.groups[1]}"
        + (f" among {', '.join(f'{k} = {v}' for k, v in a.given.items())}" if a.given else "")
        for a in left_out[:10]
    ]
    more = f" and {counted(len(left_out) - 10, 'more comparison')}" if len(left_out) > 10 else ""
    return f"Nobody is in at least one of the groups: {'; '.join(named)}{more}."
