"""The explanation to an affected person: Article 86 of the AI Act, Regulation (EU) 2024/1689."""

from dataclasses import replace

from atreport.errors import NotAReport
from atreport.forms.ai_act import AIActForm
from atreport.forms.california import CaliforniaForm
from atreport.forms.colorado import ColoradoForm
from atreport.pages.forms.form_context import FormContext
from atreport.pages.notices.parts import Letter
from atreport.text.language import gettext, message

AI_ACT_LABELS = {
    "deployer": message("Who decided"),
    "contact": message("Where to turn"),
    "role": message("The role of the system"),
    "elements": message("The main elements of the decision"),
    "complaint_authority": message("Where you can complain"),
}
"""Every field of the explanation, as readers meet it; to be said."""


def ai_act_context(letter: Letter, form: AIActForm) -> FormContext:
    """The letter as text."""
    words = form.explanation
    if words is None:
        raise NotAReport(
            "this report has no texts for an explanation to a person (role, elements, contact …).\n"
            "  Add a section 'explanation' to its form and build it again; docs/spec.md lists the fields."
        )
    letter = replace(letter, form=words)
    process = letter.report.process.name
    return letter.composed(
        title=gettext("How the decision about you was made"),
        subtitle=gettext("Explanation of a decision in “{process}”", process=process),
        law=gettext("Explanation under Article 86 of Regulation (EU) 2024/1689"),
        sender=words.deployer,
        opening=gettext(
            "You asked for an explanation of the decision about you in “{process}”.", process=process
        ),
        sections=(
            letter.decision(),
            letter.words("role", gettext("The role of the AI system"), "role"),
            letter.words("elements", gettext("The main elements of the decision"), "elements"),
            letter.data(gettext("The data about you")),
            letter.reasons(gettext("What moved the result of the system")),
            letter.words("turn", gettext("Where to turn"), "deployer", "contact", "complaint_authority"),
        ),
    )


# The answer to a request for access to ADMT in California: 11 CCR 7221 and 7222. Titles paraphrase.

CALIFORNIA_LABELS = {
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


def california_context(letter: Letter, form: CaliforniaForm) -> FormContext:
    """The letter as text."""
    process = letter.report.process.name
    return letter.composed(
        title=gettext("How a decision about you was made"),
        subtitle=gettext("Answer to a request for access on “{process}”", process=process),
        law=gettext(
            "Answer to a request for access to automated decisionmaking technology (California, 11 CCR 7222)"
        ),
        sender=form.business,
        opening=gettext(
            "You asked how automated decisionmaking technology was used on you in “{process}”.",
            process=process,
        ),
        sections=(
            letter.decision(),
            letter.words("purpose", gettext("What the technology was used for"), "purpose"),
            letter.words("logic", gettext("How the technology works"), "logic"),
            letter.data(gettext("The information about you")),
            letter.reasons(gettext("What moved the output for you")),
            letter.words("outcome", gettext("What the output was used for"), "outcome"),
            letter.words(
                "rights",
                gettext("Your rights, and where to turn"),
                *("data", "correction", "opt_out", "rights", "business"),
            ),
        ),
    )


# The letter after an adverse outcome in Colorado: SB 26-189, C.R.S. 6-1-1704 and 6-1-1705. Titles paraphrase.

COLORADO_LABELS = {
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


def colorado_context(letter: Letter, form: ColoradoForm) -> FormContext:
    """The letter as text."""
    process = letter.report.process.name
    return letter.composed(
        title=gettext("About the decision on you"),
        subtitle=gettext("Notice after an adverse outcome in “{process}”", process=process),
        law=gettext("Notice after an adverse outcome (Colorado, SB 26-189, C.R.S. 6-1-1704 and 6-1-1705)"),
        sender=form.deployer,
        opening=gettext(
            "Automated decision-making technology took part in a decision about you, in “{process}”.",
            process=process,
        ),
        sections=(
            letter.words(
                "decision", gettext("The decision, and what the technology did"), "decision", "role"
            ),
            letter.reasons(gettext("The principal reasons")),
            letter.data(gettext("The data about you")),
            letter.words(
                "data", gettext("Where the data came from, and how to correct it"), "data", "correction"
            ),
            letter.words("review", gettext("Review by a person"), "human_review"),
            letter.words("more", gettext("Where to turn"), "more_information", "deployer"),
        ),
    )
