"""The notes on the published rule, in plain words.

They say what was perturbed and by at most how much, how to read a figure, and what the guarantee does not cover.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.compose.estimation import DESCRIBES, estimation_words
from atreport.compose.message import (
    Message,
    a_difference,
    a_number,
    a_share,
    attributes_listed,
    format_message,
    format_messages,
    in_paragraphs,
    make_note,
    together,
)
from atreport.compose.people import (
    joined_words,
    left_out_words,
    population_kind,
    population_words,
    small_cells_words,
    unknown_words,
    unprotectable_words,
)
from atreport.compose.promise import (
    confidence_words,
    lift_words,
    no_protection_words,
    odds_words,
    prior_words,
    rise_words,
    uncovered_words,
)
from atreport.core.band import Closeness
from atreport.core.rule_table import BETWEEN_BOUNDS
from atreport.forms import FORMS
from atreport.measures.chance import LEVEL, counts_are_published
from atreport.report.fairness import Assessment, NotAssessed, NotAssessedReason
from atreport.report.model import Argument, Note, Report
from atreport.report.rule import PublishedFidelity
from atreport.spec.fairness import MEASURES, ErrorRate
from atreport.spec.policy import Mechanism
from atreport.spec.process import Process
from atreport.spec.spec import ReportInfo
from atreport.text.language import count, gettext, message, ngettext, plural, quote, use_locale

CHOSEN: dict[Mechanism, str] = {
    "optimal": message(
        "Within that limit they were chosen to tell an observer as little as possible about any one person."
    ),
    "calibrated": message(
        "All possible probabilities were divided into intervals that are fixed in advance by that limit. Each announced "
        "probability is the middle of the interval in which the true one lies."
    ),
}
"""How each mechanism chooses the announced probabilities; to be said with `gettext`."""

OBSERVERS: dict[Mechanism, str] = {
    "optimal": message(
        "The promise is about an observer who takes the announced rule for the truth. It does not limit what observers "
        "learn who reason about how the announced rule was made. They may believe evenly in all rules within the stated "
        "fidelity, may assume the worst of them, or may know the method and run it backwards, which can give true "
        "probabilities back."
    ),
    "calibrated": message(
        "The promise is about an observer who takes the announced rule for the truth. It also holds for one who knows "
        "the method and believes evenly in every value of the interval behind an announced probability: this report "
        "tells in which interval the true probability lies, and nothing more. It does not limit what an observer learns "
        "who assumes the worst value of each interval, or who has reasons to believe in some values more than in others."
    ),
}
"""Which observers the promise is about, and what knowing each mechanism gives to others; to be said with `gettext`."""


def rule_notes(report: Report) -> Iterator[Note]:
    """The notes on the published rule and on what it promises: every report has them."""
    choice = _choice(report)
    yield make_note(f"perturbed.{choice}", _perturbed_title(choice), _perturbed(report, choice))
    yield make_note("reading", gettext("How to read a figure"), _reading(report))
    yield make_note("promise", gettext("What the privacy promise says"), _promise(report))
    title = gettext("What the privacy promise does not cover")
    yield make_note(f"limits.{choice}", title, _limits(report, choice))


def distance_sentence(fidelity: PublishedFidelity) -> Message:
    """How far announced probabilities may be from the true ones, in a sentence."""
    if fidelity.bounds is not None:
        return format_message(BETWEEN_BOUNDS)
    words = Closeness(delta=fidelity.delta, alpha=fidelity.alpha).in_words
    if is_unchanged(fidelity):
        return Message(words)
    if fidelity.delta is not None:
        return Message(words, {"distance": 1 - fidelity.delta})
    assert fidelity.alpha is not None
    return Message(words, {"alpha": fidelity.alpha})


def rates_kept(report: Report) -> Message:
    """How close the announced rates of groups are to the true ones; empty where nothing is promised."""
    rates = report.policy.fidelity.rates
    if rates is None:
        return Message("")
    within = a_difference(1 - rates)
    if not report.process.of_role("public"):
        return format_message(
            "The announced rate of each outcome is within {within} of the true one.", within=within
        )
    return format_message(
        "In every group of people with the same public attributes, the announced rate of each outcome is within {within} of "
        "the true one.",
        within=within,
    )


def is_unchanged(fidelity: PublishedFidelity) -> bool:
    """Whether the policy leaves no room to change anything."""
    return 1 in (fidelity.delta, fidelity.alpha)


def is_only_rounded(report: Report) -> bool:
    """Whether the announced rule is the true one, rounded to the printed decimals: no other change was allowed."""
    closeness = Closeness(delta=report.policy.fidelity.delta)
    return closeness.only_rounds(report.policy.decimals, len(report.process.outcome.values))


def rounded_sentence(report: Report) -> Message:
    """That the announced rule is the true one but for rounding."""
    return format_messages(
        "decimals",
        report.policy.decimals,
        "The rule in this report is the true one, rounded to {number} decimal.",
        "The rule in this report is the true one, rounded to {number} decimals.",
    )


def _choice(report: Report) -> str:
    """How the announced probabilities were chosen, in a word: a key of texts."""
    if is_unchanged(report.policy.fidelity):
        return "exact"
    if is_only_rounded(report):
        return "rounded"
    if report.policy.mechanism == "optimal" and report.policy.objective == "fidelity":
        return "closest"
    return report.policy.mechanism


def _perturbed_title(choice: str) -> str:
    if choice == "exact":
        return gettext("The published rule is the true rule")
    if choice == "rounded":
        return gettext("The published rule is the true rule, rounded")
    return gettext("The published rule was changed on purpose")


def _perturbed(report: Report, choice: str) -> Message:
    if choice == "exact":
        return format_message(
            "The probabilities in this report are the true ones, as printed. Every rate and measure is calculated from them "
            "and the population alone."
        )
    chosen: Message | str = ""
    if choice == "rounded":
        why = together(rounded_sentence(report), format_message("Nothing was changed to protect people."))
    else:
        why = format_message(
            "Publishing the exact rule could tell others something private about the people it decides on. So the "
            "probabilities in this report are announced ones: they are close to the true ones."
        )
        chosen = format_message(CHOSEN[report.policy.mechanism])
    if choice == "closest":
        chosen = format_message(
            "They were changed as little as the publisher’s limits on what can be inferred allow."
        )
    return together(
        why,
        distance_sentence(report.policy.fidelity),
        rates_kept(report),
        chosen,
        format_message(
            "Every rate and measure in this report is calculated from the announced probabilities and the population alone."
        ),
    )


def _reading(report: Report) -> Message:
    return together(
        _reading_of_measures(report) if report.fairness else "",
        format_messages(
            "decimals",
            report.policy.decimals,
            "Figures are printed to {number} decimal, so percentages are printed in steps of {step}. The ends of intervals "
            "are rounded outward, so that nothing is cut off. Confidence is rounded up.",
            "Figures are printed to {number} decimals, so percentages are printed in steps of {step}. The ends of intervals "
            "are rounded outward, so that nothing is cut off. Confidence is rounded up.",
            step=a_share(Decimal(1).scaleb(-report.policy.decimals)),
        ),
    )


def _reading_of_measures(report: Report) -> Message:
    """What stands beside a fairness figure; nothing does where neither the rule nor the numbers of people were changed."""
    policy, counted = report.policy, report.policy.small_cells.is_exact
    everybody = counted and policy.population == "counts" and not report.privacy.unprotectable.left_out
    if is_unchanged(policy.fidelity) and everybody:
        return format_message("Each fairness figure is the true one, rounded: nothing was changed.")
    return format_message(
        "Beside each fairness figure stands an interval. The figure is what the announced rule gives. The true "
        "figure lies inside the interval for certain, not just with some probability. Whether a threshold is met is "
        "said only where the whole interval lies on one side of it."
    )


def _promise(report: Report) -> Message:
    return in_paragraphs(
        together(
            no_protection_words(report),
            confidence_words(report, "a person"),
            format_message(
                "Part of that comes from the population alone and would exist without any report."
            ),
            prior_words(report),
        ),
        together(rise_words(report), lift_words(report, "a person")),
        odds_words(report, "a person"),
        _where_groups_are(report),
    )


def _where_groups_are(report: Report) -> Message:
    public, form = report.process.of_role("public"), FORMS.get(report.report.template)
    if not public:
        return Message("")
    listed = message(
        "The list of groups in report.json shows for people with the same {public} how sure someone can be before and after "
        "this report (the confidence)."
    )
    if form is None or form.stands_in_the_report:
        listed = message(
            "The table of groups shows for people with the same {public} how sure someone can be before and after this "
            "report (the confidence)."
        )
    return format_message(listed, public=attributes_listed(public))


def _observer(report: Report, choice: str) -> Message:
    """Whom the promise is about."""
    if choice == "exact":
        return format_message("The promise is about an observer who knows this report and the population.")
    if choice == "rounded":
        return format_message(
            "The promise is about an observer who takes the announced rule for the truth. It does not limit what observers "
            "learn who find the figures behind the rounded ones, for example because only one whole number of people "
            "fits."
        )
    return format_message(OBSERVERS[report.policy.mechanism])


def _limits(report: Report, choice: str) -> Message:
    return in_paragraphs(
        together(
            _observer(report, choice),
            format_message(
                "The promise does not cover an observer who already knows the rule, who is sure that the rule leaves "
                "nothing to chance, or who combines this report with another one on the same process."
            ),
        ),
        together(*uncovered_words(report)),
        format_message(
            "The publisher has measured what stronger observers could learn. The results are in a confidential annex."
        ),
    )


# Which disclosure notes a report has: the standard ones, the publisher's own, and what catalogues are told.
#
# Title and text are in the report's language; a note's key says which of its texts it has, and its arguments
# are the figures and names that fill it: both are the same in every language.


def disclosure_notes(report: Report) -> tuple[Note, ...]:
    """The notes that belong to a report: the standard ones first, then the publisher's own.

    A function of everything else in the report, so that anybody can make them again.
    """
    with use_locale(report.report.language):
        return (*_standard_notes(report), *_publisher_notes(report), *_catalogue_notes(report.report))


def _standard_notes(report: Report) -> Iterator[Note]:
    yield from rule_notes(report)
    kind = population_kind(report)
    yield make_note(
        f"population.{kind}", gettext("How numbers of people are published"), population_words(report)
    )
    if report.fairness:
        yield make_note(
            "fairness", gettext("What the fairness figures are for"), fairness_words(report.fairness)
        )
    if report.estimation is not None:
        words = estimation_words(report.estimation, report.process)
        yield make_note(
            f"estimation.{report.estimation.method}", gettext("How the rule was estimated"), words
        )
    if report.process.estimated_from == "records":
        title = (
            gettext("Chance in the records")
            if report.estimation
            else gettext("The rule was estimated from records")
        )
        yield make_note("sampling", title, chance_words(report))
    if any(attribute.unknown for attribute in report.process.attributes):
        yield make_note("unknown", gettext("People whose group is unknown"), unknown_words(report))
    if not report.policy.small_cells.is_exact:
        key = f"small-cells.{report.policy.small_cells.policy}"
        yield make_note(key, gettext("How small numbers of people are protected"), small_cells_words(report))
    if report.privacy.unprotectable.groups:
        key = f"unprotectable.{report.privacy.unprotectable.policy or 'published'}"
        yield make_note(key, gettext("Groups that cannot be protected"), unprotectable_words(report))
    if report.privacy.unprotectable.left_out:
        yield make_note("left-out", gettext("People who are left out"), left_out_words(report))
    if report.process.has_joined(attribute.name for attribute in report.process.attributes):
        yield make_note("joined", gettext("Values that stand for several others"), joined_words(report))
    if report.not_assessed:
        words = not_assessed_words(report.not_assessed, report.process)
        yield make_note("not-assessed", gettext("Comparisons that could not be made"), words)


def _publisher_notes(report: Report) -> Iterator[Note]:
    own = report.disclosure
    if own is None:
        return
    for index, note in enumerate(own.notes, start=1):
        yield Note(id=f"publisher-{index}", title=note.title, text=note.text, key="publisher")
    for index, reference in enumerate(own.legal, start=1):
        yield Note(id=f"legal-{index}", title=gettext("Legal reference"), text=reference, key="legal")
    for index, item in enumerate(own.withheld, start=1):
        title = gettext("Withheld: {what}", what=item.what)
        yield Note(id=f"withheld-{index}", title=title, text=item.because, key="withheld")


def _catalogue_notes(info: ReportInfo) -> Iterator[Note]:
    """What catalogues are told besides, for readers of the page and the PDF."""
    for index, law in enumerate(info.legislation or (), start=1):
        place = law.link if law.kind in ("eli", "url") else f"{law.identifier}, {law.link}"
        text = place if law.title is None else gettext("{law}: {place}", law=law.title, place=place)
        yield Note(id=f"law-{index}", title=gettext("Published under"), text=text, key="law")
    if info.licence is not None:
        text = gettext("The terms on which others may use this report: {licence}", licence=info.licence)
        yield Note(id="licence", title=gettext("Licence"), text=text, key="licence")


# Notes on fairness figures: what they are for, what chance adds to them, and which comparisons could not be
# made.

MOST_NAMED = 10
"""So many comparisons that could not be made are named; the report lists all."""

FOUR_FIFTHS = Decimal("0.8")

_RATES: dict[ErrorRate, str] = {
    "equal_opportunity": message("equal opportunity"),
    "equalised_odds": message("equalised odds"),
    "false_positive": message("false positive rate"),
    "false_negative": message("false negative rate"),
    "predictive_parity": message("predictive parity"),
}


def fairness_words(assessments: Sequence[Assessment]) -> Message:
    """What fairness figures can tell and what not."""
    return together(
        format_message(
            "The measures help to assess how the process treats groups of people. None of them proves or disproves that "
            "it is fair, and which of them matters depends on the case."
        ),
        format_message(
            "There are too many cells to compare all people with each other one by one. So the figure for individual "
            "fairness is the largest difference that a limited search found. Its interval is certain all the same."
        )
        if any(a.value_at_most is not None for a in assessments)
        else "",
        format_message(
            "The four-fifths rule (a ratio of at least {four_fifths}) is a screening rule: it tells where to look "
            "closer. It is not a legal finding.",
            four_fifths=a_number(FOUR_FIFTHS),
        )
        if any(MEASURES[a.measure].screened_by_four_fifths for a in assessments)
        else "",
    )


def chance_words(report: Report) -> Message:
    """What chance adds; and, where no other note says it, what a rule that was found in records does not show."""
    return together(
        format_message(
            "The probabilities behind this report are frequencies among recorded cases. Other cases of the same process "
            "would have given somewhat different ones, by chance alone."
        ),
        format_message(
            "So a second interval stands beside the certified one. It covers both what was changed and chance in the "
            "records. Of intervals made in this way, at least {level} hold the figure that the process has in the long run, "
            "however the announced rule was chosen. (They are exact binomial intervals by Clopper and Pearson, for the "
            "fewest and the most cases that the certified interval leaves; for comparisons with a correction by Bonferroni "
            "for the number of rates.) The certified interval is about the recorded cases and holds for certain. The second "
            "one is about the process behind them and holds with that confidence.",
            level=a_share(LEVEL),
        )
        if counts_are_published(report.rule_table)
        else format_message(
            "How different depends on the number of cases. That is not published, so no interval for it can be given."
        ),
        "" if report.estimation else format_message(DESCRIBES),
    )


_NOT_MADE: dict[NotAssessedReason | None, tuple[str, str, tuple[str, str]]] = {
    None: (
        "nobody",
        "nobody_in",
        plural(
            "{number} comparison could not be made, because nobody is in at least one of its groups.",
            "{number} comparisons could not be made, because nobody is in at least one of their groups.",
        ),
    ),
    "joined": (
        "joined",
        "joined_in",
        plural(
            "{number} comparison could not be made, because values were joined: the report does not say who is in its "
            "groups, or it says only what the people of a coarser value get on average.",
            "{number} comparisons could not be made, because values were joined: the report does not say who is in their "
            "groups, or it says only what the people of a coarser value get on average.",
        ),
    ),
    "left_out": (
        "left_out",
        "left_out_of",
        plural(
            "{number} comparison could not be made, because people are left out of this report: nobody in it is known to "
            "be in one of the groups, and somebody who is left out may be.",
            "{number} comparisons could not be made, because people are left out of this report: nobody in it is known to "
            "be in one of the groups, and somebody who is left out may be.",
        ),
    ),
}
"""By the reason: what the number of such comparisons and they themselves are called among the arguments; and the words."""


def not_assessed_words(left_out: Sequence[NotAssessed], process: Process) -> Message:
    """Which comparisons could not be made, by the reason why."""
    told: list[Message] = []
    for reason, (counted, name, words) in _NOT_MADE.items():
        if alike := [each for each in left_out if each.reason == reason]:
            told += [format_messages(counted, len(alike), *words), _named(name, alike, process)]
    return together(*told)


def _named(name: str, left_out: Sequence[NotAssessed], process: Process) -> Message:
    """The first of some comparisons, by their groups."""
    first = left_out[:MOST_NAMED]
    comparisons = "; ".join(_written(each, process) for each in first)
    filled: dict[str, Argument] = {name: tuple(map(_in_no_language, first))}
    if len(left_out) > MOST_NAMED:
        text = gettext("The first {shown}: {comparisons}.", shown=count(MOST_NAMED), comparisons=comparisons)
        return Message(text, {f"{name}_first": MOST_NAMED, **filled})
    text = ngettext(
        len(left_out),
        "The comparison: {comparisons}.",
        "The comparisons: {comparisons}.",
        comparisons=comparisons,
    )
    return Message(text, filled)


def _written(each: NotAssessed, process: Process) -> str:
    """The two groups of a comparison, which rate is compared and among whom."""
    groups = (
        " / ".join(map(quote, each.groups)) if each.groups else gettext("people with each other, one by one")
    )
    about = [
        *([gettext(_RATES[each.rate])] if each.rate else []),
        *(
            quote(gettext("{attribute}: {value}", attribute=process.attribute(name).title, value=value))
            for name, value in (each.given or {}).items()
        ),
    ]
    return f"{groups} ({', '.join(about)})" if about else groups


def _in_no_language(each: NotAssessed) -> str:
    given = (f"{name}={value}" for name, value in (each.given or {}).items())
    return "; ".join(filter(None, (each.measure, each.rate, " / ".join(each.groups or ()), *given)))
