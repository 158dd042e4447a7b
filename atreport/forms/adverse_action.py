"""``template: adverse_action``: notices of adverse action on credit."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.forms.fields import RegulatorForm, Stated
from atreport.spec.process import Process, unknown_attribute
from atreport.spec.values import Key, Text
from atreport.spec.yaml import Document


class AdverseActionForm(RegulatorForm):
    """What a notice of adverse action says beside the reasons: Regulation B, 12 CFR 1002.9.

    A notice that withholds one of these is none, so only what another act asks for may be withheld.
    """

    template: ClassVar[str] = "adverse_action"
    stands_in_the_report: ClassVar[bool] = True

    creditor: Text = Field(description="Name and address of the creditor: § 1002.9(a)(2).")
    action: Text = Field(description="The action taken, such as “We cannot approve your application”.")
    agency: Text = Field(
        description="Name and address of the federal agency that administers compliance: Appendix A to part 1002."
    )
    reasons: dict[Key, Text] = Field(
        min_length=1,
        description="For each attribute, the words in which it is told as a specific reason: § 1002.9(b)(2). An attribute "
        "that is left out is never told; where it weighs among the principal reasons, no notice is made.",
    )
    reasons_office: Text = Field(
        description="Name, address and telephone number from which a statement of reasons can be had: § 1002.9(a)(2)(ii)."
    )
    consumer_report: Stated | None = Field(
        None, description="What the Fair Credit Reporting Act asks for where a consumer report was used."
    )

    def find_problems(self, document: Document, process: Process | None) -> Iterator[SpecProblem]:
        """Reasons are attributes that exist."""
        if process is None:
            return
        for name in self.reasons:
            yield from unknown_attribute(document, process, name, ("form", "reasons", name))
