"""The disclosure notes of a report, in plain words.

They say what was perturbed and by at most how much, how to read a figure, and what the guarantee does not cover.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.analysis.sampling import LEVEL, counts_are_published
from atreport.kit.numbers import counted, percent, points
from atreport.kit.spoken import speaking
from atreport.population.band import Closeness
from atreport.publication.estimation_words import DESCRIBES, DOES_NOT_SHOW, estimation_words
from atreport.publication.people_notes import (
    joined_words,
    population_words,
    small_cells_words,
    unknown_words,
    unprotectable_words,
)
from atreport.publication.promise_words import (
    confidence_words,
    lift_words,
    no_protection_words,
    odds_words,
    prior_words,
    quoted,
    rise_words,
    uncovered_words,
)
from atreport.report.fairness import Assessment, NotAssessed
from atreport.report.model import Note, Report
from atreport.report.rule import PublishedFidelity
from atreport.rule_table import CellBounds
from atreport.spec.models.forms import FORMS
from atreport.spec.models.measures import MEASURES
from atreport.spec.models.policy import Mechanism
from atreport.spec.models.spec import ReportInfo

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
    with speaking(report.report.language):
        return _disclosure_notes(report)


def _disclosure_notes(report: Report) -> tuple[Note, ...]:
    notes = [
        Note(id="perturbed", title=_perturbed_title(report), text=_perturbed(report)),
        Note(id="reading", title="How to read a figure", text=_reading(report)),
        Note(id="promise", title="What the privacy promise says", text=_promise(report)),
        Note(id="limits", title="What the promise does not cover", text=_limits(report)),
        Note(id="population", title="The population", text=population_words(report)),
        Note(id="fairness", title="What the fairness figures are for", text=_fairness(report.fairness)),
    ]
    if report.estimation is not None:
        words = estimation_words(report.estimation, report.process)
        notes.append(
            Note(id="estimation", title="How the rule was estimated", text=f"{words} {DOES_NOT_SHOW}")
        )
    if report.process.estimated_from == "records":
        title = "Chance in the records" if report.estimation else "The rule was estimated from records"
        notes.append(Note(id="sampling", title=title, text=_chance(report)))
    if any(attribute.unknown for attribute in report.process.attributes):
        notes.append(Note(id="unknown", title="People of unknown group", text=unknown_words(report)))
    if not report.policy.small_cells.is_exact:
        notes.append(Note(id="small-cells", title="Small numbers of people", text=small_cells_words(report)))
    if report.privacy.unprotectable.groups:
        title = "Groups that cannot be protected"
        notes.append(Note(id="unprotectable", title=title, text=unprotectable_words(report)))
    if report.process.has_joined(attribute.name for attribute in report.process.attributes):
        notes.append(
            Note(id="joined", title="Values that stand for several others", text=joined_words(report))
        )
    if report.not_assessed:
        title = "Comparisons that could not be made"
        notes.append(Note(id="not-assessed", title=title, text=_not_assessed(report.not_assessed)))
    return (*notes, *_publisher_notes(report), *_catalogue_notes(report.report))


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


def _catalogue_notes(info: ReportInfo) -> Iterator[Note]:
    """What catalogues are told besides, for readers of the page and the PDF."""
    for index, law in enumerate(info.legislation or (), start=1):
        place = law.link if law.kind in ("eli", "url") else f"{law.identifier}, {law.link}"
        text = place if law.title is None else f"{law.title}: {place}"
        yield Note(id=f"law-{index}", title="Published under", text=text)
    if info.licence is not None:
        text = f"The terms on which others may use this report: {info.licence}"
        yield Note(id="licence", title="Licence", text=text)


def distance_allowed(fidelity: PublishedFidelity) -> str:
    """How far an announced probability may be from the true one, in plain words."""
    if fidelity.bounds is not None:
        return CellBounds.in_words
    return Closeness(delta=fidelity.delta, alpha=fidelity.alpha).in_words


def distance_sentence(fidelity: PublishedFidelity) -> str:
    """The same as a sentence of its own."""
    return f"Every announced probability {distance_allowed(fidelity).removeprefix('it ')}."


def rates_kept(report: Report) -> str:
    """How close the announced rates of groups are to the true ones; empty where nothing is promised."""
    rates = report.policy.fidelity.rates
    if rates is None:
        return ""
    where = "In every group of people with the same public attributes, the"
    return (
        f"{where if report.process.of_role('public') else 'The'} announced rate of each outcome is within "
        f"{points(1 - rates)} of the true one."
    )


def _chosen(report: Report) -> str:
    """How the announced probabilities were chosen."""
    if report.policy.mechanism == "optimal" and report.policy.objective == "fidelity":
        return (
            "They were changed as little as the limits allow that the publisher set on what can be inferred."
        )
    return CHOSEN[report.policy.mechanism]


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
    sentences = (
        "Publishing the exact rule could tell others something private about the people it decides on.",
        "The probabilities in this report are therefore announced ones.",
        distance_sentence(report.policy.fidelity),
        rates_kept(report),
        _chosen(report),
        "Every other figure in this report is calculated from the announced probabilities and the population alone.",
    )
    return " ".join(filter(None, sentences))


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
    public = quoted(report.process.of_role("public"))
    sentences = (
        no_protection_words(report),
        confidence_words(report, your="a person’s", you="the person", of="the person’s"),
        "Part of that comes from the population alone and would exist without any report. "
        + prior_words(report),
        rise_words(report),
        lift_words(report, your="a person’s"),
        odds_words(report, you="a person"),
        f"{_where_groups_are(report)} shows the confidence before and after, for people with the same {public}."
        if public
        else "",
    )
    return " ".join(sentence.strip() for sentence in sentences if sentence)


def _where_groups_are(report: Report) -> str:
    form = FORMS.get(report.report.template)
    return (
        "The table of groups"
        if form is None or form.stands_in_the_report
        else "The list of groups in report.json"
    )


def _limits(report: Report) -> str:
    does_not = "It does not" if is_unchanged(report.policy.fidelity) else "Nor does it"
    return " ".join(
        (
            f"{_observers(report)} {does_not} cover an observer who already knows the rule, is sure that every decision is "
            "a plain yes or no, or combines this report with another one on the same process.",
            *uncovered_words(report),
            "The publisher has measured stronger observers in a confidential annex.",
        )
    )


def _observers(report: Report) -> str:
    """Which observers the promise is about, and what knowing the method gives to those it is not about."""
    if is_unchanged(report.policy.fidelity):
        return "The promise is about an observer who knows this report and the population."
    return (
        "The promise is about an observer who takes the announced rule for the truth. "
        + (OBSERVERS[report.policy.mechanism])
    )


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


def _chance(report: Report) -> str:
    """What chance adds; and, where no other note says it, what a rule that was found in records does not show."""
    return _sampling(report) if report.estimation else f"{_sampling(report)} {DESCRIBES}"


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
        f"{estimated} Beside the certified interval therefore stands a second one, which covers what was changed and chance "
        f"in the records together. Of intervals made in this way at least {percent(LEVEL)} hold the figure that the process "
        "has in the long run, however the announced rule was chosen (exact binomial intervals by Clopper and Pearson for "
        "the fewest and the most cases that the certified interval leaves; for comparisons with a correction for the number "
        "of rates by Bonferroni). The certified interval is about the recorded cases and holds for certain; the second is "
        "about the process behind them and holds with that confidence."
    )


def _not_assessed(left_out: Sequence[NotAssessed]) -> str:
    why = {
        None: "Nobody is in at least one of the groups",
        "joined": "Left out because values were joined, so that the report does not say who is in the groups, or only what "
        "the people of a coarser value get on average",
    }
    return " ".join(
        f"{because}: {_named([a for a in left_out if a.reason == reason])}."
        for reason, because in why.items()
        if any(a.reason == reason for a in left_out)
    )


def _named(left_out: Sequence[NotAssessed]) -> str:
    """The first of some comparisons, and how many more there are."""
    named = [
        (f"{a.rate.replace('_', ' ')} of " if a.rate else "")
        + (f"{a.groups[0]} with {a.groups[1]}" if a.groups else "people with each other, one by one")
        + (f" among {', '.join(f'{k} = {v}' for k, v in a.given.items())}" if a.given else "")
        for a in left_out[:10]
    ]
    more = f" and {counted(len(left_out) - 10, 'more comparison')}" if len(left_out) > 10 else ""
    return f"{'; '.join(named)}{more}"
