"""The explanation to an affected person: Article 86 of the AI Act, Regulation (EU) 2024/1689."""

from __future__ import annotations

from dataclasses import replace

from atreport.errors import NotAReport
from atreport.kit.language import message, say
from atreport.pages.forms.form_context import FormContext
from atreport.pages.notices.parts import Letter
from atreport.spec.models.forms import AIActForm

LABELS = {
    "deployer": message("Who decided"),
    "contact": message("Where to turn"),
    "role": message("The role of the system"),
    "elements": message("The main elements of the decision"),
    "complaint_authority": message("Where you can complain"),
}
"""Every field of the explanation, as readers meet it; to be said."""


def context(letter: Letter, form: AIActForm) -> FormContext:
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
        title=say("How the decision about you was made"),
        subtitle=say("Explanation of a decision in “{process}”", process=process),
        law=say("Explanation under Article 86 of Regulation (EU) 2024/1689"),
        sender=words.deployer,
        opening=say(
            "You asked for an explanation of the decision about you in “{process}”.", process=process
        ),
        sections=(
            letter.decision(),
            letter.words("role", say("The role of the AI system"), "role"),
            letter.words("elements", say("The main elements of the decision"), "elements"),
            letter.data(say("The data about you")),
            letter.reasons(say("What moved the result of the system")),
            letter.words("turn", say("Where to turn"), "deployer", "contact", "complaint_authority"),
        ),
    )
