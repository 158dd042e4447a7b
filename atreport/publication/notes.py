"""The notes on the published rule, in plain words.

They say what was perturbed and by at most how much, how to read a figure, and what the guarantee does not cover.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from atreport.kit.language import message, say
from atreport.population.band import Closeness
from atreport.publication.words.odds import odds_of_a_person, prior_told
from atreport.publication.words.promise import confidence_in_a_person, no_protection_told
from atreport.publication.words.rise import lift_of_a_person, rise_told
from atreport.publication.words.scope import uncovered_told
from atreport.publication.words.told import (
    Told,
    a_difference,
    a_share,
    as_text,
    attributes_listed,
    in_paragraphs,
    tell,
    tell_many,
    together,
    told_note,
)
from atreport.report.model import Note, Report
from atreport.report.rule import PublishedFidelity
from atreport.rule_table import BETWEEN_BOUNDS
from atreport.spec.models.forms import FORMS
from atreport.spec.models.policy import Mechanism

CHOSEN: dict[Mechanism, str] = {
    "optimal": message(
        "Within that limit they were chosen to tell an observer as little as possible about any one person."
    ),
    "calibrated": message(
        "All possible probabilities were divided into intervals that are fixed in advance by that limit. Each announced "
        "probability is the middle of the interval in which the true one lies."
    ),
}
"""How each mechanism chooses the announced probabilities; to be said with `say`."""

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
"""Which observers the promise is about, and what knowing each mechanism gives to others; to be said with `say`."""


def rule_notes(report: Report) -> Iterator[Note]:
    """The notes on the published rule and on what it promises: every report has them."""
    yield told_note(f"perturbed.{_choice(report)}", _perturbed_title(report), _perturbed(report))
    yield told_note("reading", say("How to read a figure"), _reading(report))
    yield told_note("promise", say("What the privacy promise says"), _promise(report))
    yield told_note(
        f"limits.{_choice(report)}", say("What the privacy promise does not cover"), _limits(report)
    )


def distance_told(fidelity: PublishedFidelity) -> Told:
    """How far announced probabilities may be from the true ones, in a sentence."""
    if fidelity.bounds is not None:
        return tell(BETWEEN_BOUNDS)
    words = Closeness(delta=fidelity.delta, alpha=fidelity.alpha).in_words
    if is_unchanged(fidelity):
        return Told(words)
    if fidelity.delta is not None:
        return Told(words, {"distance": 1 - fidelity.delta})
    assert fidelity.alpha is not None
    return Told(words, {"alpha": fidelity.alpha})


def rates_told(report: Report) -> Told:
    """How close the announced rates of groups are to the true ones; empty where nothing is promised."""
    rates = report.policy.fidelity.rates
    if rates is None:
        return Told("")
    within = a_difference(1 - rates)
    if not report.process.of_role("public"):
        return tell("The announced rate of each outcome is within {within} of the true one.", within=within)
    return tell(
        "In every group of people with the same public attributes, the announced rate of each outcome is within {within} of "
        "the true one.",
        within=within,
    )


rates_kept = as_text(rates_told)
distance_sentence = as_text(distance_told)
"""The same as plain texts, for pages: what fills them stays here."""


def is_unchanged(fidelity: PublishedFidelity) -> bool:
    """Whether the policy leaves no room to change anything."""
    return 1 in (fidelity.delta, fidelity.alpha)


def is_only_rounded(report: Report) -> bool:
    """Whether the announced rule is the true one, rounded to the printed decimals: no other change was allowed."""
    closeness = Closeness(delta=report.policy.fidelity.delta)
    return closeness.only_rounds(report.policy.decimals, len(report.process.outcome.values))


def rounded_told(report: Report) -> Told:
    """That the announced rule is the true one but for rounding."""
    return tell_many(
        "decimals",
        report.policy.decimals,
        "The rule in this report is the true one, rounded to {number} decimal.",
        "The rule in this report is the true one, rounded to {number} decimals.",
    )


rounded_sentence = as_text(rounded_told)


def _choice(report: Report) -> str:
    """How the announced probabilities were chosen, in a word: a key of texts."""
    if is_unchanged(report.policy.fidelity):
        return "exact"
    if is_only_rounded(report):
        return "rounded"
    if report.policy.mechanism == "optimal" and report.policy.objective == "fidelity":
        return "closest"
    return report.policy.mechanism


def _perturbed_title(report: Report) -> str:
    if is_unchanged(report.policy.fidelity):
        return say("The published rule is the true rule")
    if is_only_rounded(report):
        return say("The published rule is the true rule, rounded")
    return say("The published rule was changed on purpose")


def _perturbed(report: Report) -> Told:
    if is_unchanged(report.policy.fidelity):
        return tell(
            "The probabilities in this report are the true ones, as printed. Every rate and measure is calculated from them "
            "and the population alone."
        )
    if is_only_rounded(report):
        return together(
            rounded_told(report),
            tell("Nothing was changed to protect people."),
            distance_told(report.policy.fidelity),
            rates_told(report),
            tell(
                "Every rate and measure in this report is calculated from the announced probabilities and the population "
                "alone."
            ),
        )
    chosen = (
        tell("They were changed as little as the publisher’s limits on what can be inferred allow.")
        if _choice(report) == "closest"
        else tell(CHOSEN[report.policy.mechanism])
    )
    return together(
        tell(
            "Publishing the exact rule could tell others something private about the people it decides on. So the "
            "probabilities in this report are announced ones: they are close to the true ones."
        ),
        distance_told(report.policy.fidelity),
        rates_told(report),
        chosen,
        tell(
            "Every rate and measure in this report is calculated from the announced probabilities and the population alone."
        ),
    )


def _reading(report: Report) -> Told:
    return together(
        _reading_of_measures(report) if report.fairness else "",
        tell_many(
            "decimals",
            report.policy.decimals,
            "Figures are printed to {number} decimal, so percentages are printed in steps of {step}. The ends of intervals "
            "are rounded outward, so that nothing is cut off. Confidence is rounded up.",
            "Figures are printed to {number} decimals, so percentages are printed in steps of {step}. The ends of intervals "
            "are rounded outward, so that nothing is cut off. Confidence is rounded up.",
            step=a_share(Decimal(1).scaleb(-report.policy.decimals)),
        ),
    )


def _reading_of_measures(report: Report) -> Told:
    """What stands beside a fairness figure; nothing does where neither the rule nor the numbers of people were changed."""
    policy, counted = report.policy, report.policy.small_cells.is_exact
    everybody = counted and policy.population == "counts" and not report.privacy.unprotectable.left_out
    if is_unchanged(policy.fidelity) and everybody:
        return tell("Each fairness figure is the true one, rounded: nothing was changed.")
    return tell(
        "Beside each fairness figure stands an interval. The figure is what the announced rule gives. The true "
        "figure lies inside the interval for certain, not just with some probability. Whether a threshold is met is "
        "said only where the whole interval lies on one side of it."
    )


def _promise(report: Report) -> Told:
    return in_paragraphs(
        together(
            no_protection_told(report),
            confidence_in_a_person(report),
            tell("Part of that comes from the population alone and would exist without any report."),
            prior_told(report),
        ),
        together(rise_told(report), lift_of_a_person(report)),
        odds_of_a_person(report),
        _where_groups_are(report),
    )


def _where_groups_are(report: Report) -> Told:
    public = report.process.of_role("public")
    if not public:
        return Told("")
    form = FORMS.get(report.report.template)
    if form is None or form.stands_in_the_report:
        return tell(
            "The table of groups shows for people with the same {public} how sure someone can be before and after this "
            "report (the confidence).",
            public=attributes_listed(public),
        )
    return tell(
        "The list of groups in report.json shows for people with the same {public} how sure someone can be before and after "
        "this report (the confidence).",
        public=attributes_listed(public),
    )


def _observer(report: Report) -> Told:
    """Whom the promise is about."""
    if is_unchanged(report.policy.fidelity):
        return tell("The promise is about an observer who knows this report and the population.")
    if is_only_rounded(report):
        return tell(
            "The promise is about an observer who takes the announced rule for the truth. It does not limit what observers "
            "learn who find the figures behind the rounded ones, for example because only one whole number of people "
            "fits."
        )
    return tell(OBSERVERS[report.policy.mechanism])


def _limits(report: Report) -> Told:
    return in_paragraphs(
        together(
            _observer(report),
            tell(
                "The promise does not cover an observer who already knows the rule, who is sure that the rule leaves "
                "nothing to chance, or who combines this report with another one on the same process."
            ),
        ),
        together(*uncovered_told(report)),
        tell(
            "The publisher has measured what stronger observers could learn. The results are in a confidential annex."
        ),
    )
