"""The answer to a request for access to ADMT in California: 11 CCR 7221 and 7222. Titles paraphrase."""

from __future__ import annotations

from atreport.kit.language import message, say
from atreport.pages.forms.form_context import FormContext
from atreport.pages.notices.parts import Letter
from atreport.spec.models.forms import CaliforniaForm

LABELS = {
    "business": message("Who used the technology"),
    "purpose": message("What the technology was used for"),
    "logic": message("How the technology works"),
    "outcome": message("What its output was used for"),
    "data": message("Which personal information was used, and where it came from"),
    "correction": message("How to correct your information"),
    "opt_out": message("How to opt out, or appeal to a person"),
    "rights": message("Your other rights"),
    "applies_from": message("Taken to apply to decisions from"),
}
"""Every field of the form, as readers meet it; to be said."""


def context(letter: Letter, form: CaliforniaForm) -> FormContext:
    """The letter as text."""
    process = letter.report.process.name
    return letter.composed(
        title=say("How a decision about you was made"),
        subtitle=say("Answer to a request for access on “{process}”", process=process),
        law=say(
            "Answer to a request for access to automated decisionmaking technology (California, 11 CCR 7222)"
        ),
        sender=form.business,
        opening=say(
            "You asked how automated decisionmaking technology was used on you in “{process}”.",
            process=process,
        ),
        sections=(
            letter.decision(),
            letter.words("purpose", say("What the technology was used for"), "purpose"),
            letter.words("logic", say("How the technology works"), "logic"),
            letter.data(say("The information about you")),
            letter.reasons(say("What moved the output for you")),
            letter.words("outcome", say("What the output was used for"), "outcome"),
            letter.words(
                "rights",
                say("Your rights, and where to turn"),
                *("data", "correction", "opt_out", "rights", "business"),
            ),
        ),
    )
