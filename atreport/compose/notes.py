"""The notes on the published rule, in plain words.

They say what was perturbed and by at most how much, how to read a figure, and what the guarantee does not cover.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal

from atreport.compose.estimation import DESCRIBES, estimation_words, is_described
from atreport.compose.message import (
    Message,
    Value,
    a_count,
    a_difference,
    a_number,
    a_share,
    a_text,
    an_attribute,
    attributes_listed,
    format_message,
    format_messages,
    in_paragraphs,
    make_note,
    numbered,
    together,
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
from atreport.core.rule_table import PublishedPopulation
from atreport.core.suppression import Mask
from atreport.forms import FORMS
from atreport.measures.chance import LEVEL, counts_are_published
from atreport.report.fairness import Assessment, NotAssessed, NotAssessedReason
from atreport.report.model import Argument, Note, PublisherNotes, Report
from atreport.report.rule import PublishedFidelity
from atreport.spec.disclosure import Law
from atreport.spec.fairness import MEASURES, ErrorRate
from atreport.spec.policy import Mechanism
from atreport.spec.process import Attribute, Process
from atreport.text.language import count, gettext, list_and, message, ngettext, plural, quote, use_locale

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
        return format_message(
            "Every announced probability stays between the bounds published for its cell, and so does the true one."
        )
    if is_unchanged(fidelity):
        return format_message("Every announced probability is the true one, unchanged.")
    if fidelity.delta is not None:
        return format_message(
            "Every announced probability differs from the true one by at most {distance}.",
            distance=a_difference(1 - fidelity.delta),
        )
    assert fidelity.alpha is not None
    return format_message(
        "Every announced probability, of each outcome, is at least {alpha} times and at most 1/{alpha} times the true one.",
        alpha=a_number(fidelity.alpha),
    )


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
        return (*_standard_notes(report), *_further_notes(report))


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


def _further_notes(report: Report) -> Iterator[Note]:
    """The publisher's own, and what catalogues are told besides, for readers of the page and the PDF."""
    own, info = report.disclosure or PublisherNotes(), report.report
    texts = {
        "publisher": [(note.title, note.text) for note in own.notes],
        "legal": [(gettext("Legal reference"), reference) for reference in own.legal],
        "withheld": [(gettext("Withheld: {what}", what=item.what), item.because) for item in own.withheld],
        "law": [(gettext("Published under"), _place_of(law)) for law in info.legislation or ()],
    }
    for key, each in texts.items():
        for index, (title, text) in enumerate(each, start=1):
            yield Note(id=f"{key}-{index}", title=title, text=text, key=key)
    if info.licence is not None:
        text = gettext("The terms on which others may use this report: {licence}", licence=info.licence)
        yield Note(id="licence", title=gettext("Licence"), text=text, key="licence")


def _place_of(law: Law) -> str:
    place = law.link if law.kind in ("eli", "url") else f"{law.identifier}, {law.link}"
    return place if law.title is None else gettext("{law}: {place}", law=law.title, place=place)


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


# Notes on people: how their numbers are published, and whose group is unknown.


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
        steps = Decimal(int(table.cells.population[mask].sum()))
        words = message("“{attribute}” is unknown of about {share} of all people.")
        if table.small_cells.is_exact:
            words = message("“{attribute}” is unknown of {share} of all people.")
        return format_message(
            words, share=a_share(steps.scaleb(-(report.policy.share_decimals or 0))), **about
        )
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


_DONE: dict[str, tuple[str, str]] = {
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
    "refuse": plural(
        "This group is published with the confidence it has, which the table of groups shows.",
        "These groups are published with the confidence they have, which the table of groups shows.",
    ),
}
"""What was done with groups that no change can protect."""


def unprotectable_words(report: Report) -> Message:
    """How many groups no change can protect, and what was done with them."""
    account = report.privacy.unprotectable
    policy = account.policy if account.policy in _DONE else "refuse"
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
