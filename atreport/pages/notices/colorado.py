"""The letter after an adverse outcome in Colorado: SB 26-189, C.R.S. 6-1-1704 and 6-1-1705. Titles paraphrase."""

from __future__ import annotations

from atreport.kit.language import message, say
from atreport.pages.forms.form_context import FormContext
from atreport.pages.notices.parts import Letter
from atreport.spec.models.forms import ColoradoForm

LABELS = {
    "deployer": message("Who decided"),
    "decision": message("The decision"),
    "role": message("The role of the technology"),
    "more_information": message("How to learn more about the technology"),
    "data": message("Which data was used, and where it came from"),
    "correction": message("How to see and correct your data"),
    "human_review": message("Review by a person"),
    "applies_from": message("Taken to apply to decisions from"),
}
"""Every field of the form, as readers meet it; to be said."""


def context(letter: Letter, form: ColoradoForm) -> FormContext:
    """The letter as text."""
    process = letter.report.process.name
    return letter.composed(
        title=say("About the decision on you"),
        subtitle=say("Notice after an adverse outcome in “{process}”", process=process),
        law=say("Notice after an adverse outcome (Colorado, SB 26-189, C.R.S. 6-1-1704 and 6-1-1705)"),
        sender=form.deployer,
        opening=say(
            "Automated decision-making technology took part in a decision about you, in “{process}”.",
            process=process,
        ),
        sections=(
            letter.words("decision", say("The decision, and what the technology did"), "decision", "role"),
            letter.reasons(say("The principal reasons")),
            letter.data(say("The data about you")),
            letter.words(
                "data", say("Where the data came from, and how to correct it"), "data", "correction"
            ),
            letter.words("review", say("Review by a person"), "human_review"),
            letter.words("more", say("Where to turn"), "more_information", "deployer"),
        ),
    )
