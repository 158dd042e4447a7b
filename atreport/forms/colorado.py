"""``template: colorado``: letters after an adverse outcome of automated decision-making technology in Colorado."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from atreport.forms.fields import RegulatorForm, Stated, StatedDate


class ColoradoForm(RegulatorForm):
    """What a letter after an adverse outcome says beside the reasons: Colorado, SB 26-189, C.R.S. 6-1-1704 and 1705."""

    template: ClassVar[str] = "colorado"
    stands_in_the_report: ClassVar[bool] = True
    required_by: ClassVar[Mapping[str, str]] = {
        "decision": "C.R.S. 6-1-1704",
        "role": "C.R.S. 6-1-1704",
        "more_information": "C.R.S. 6-1-1704",
        "data": "C.R.S. 6-1-1704",
        "correction": "C.R.S. 6-1-1705",
        "human_review": "C.R.S. 6-1-1705",
    }

    deployer: Stated = Field(description="Who used the technology for the decision, and where to write to.")
    decision: Stated = Field(description="The consequential decision, in plain language: § 6-1-1704.")
    role: Stated = Field(description="The role that the technology played in it: § 6-1-1704.")
    more_information: Stated = Field(
        description="How to ask for more about the technology and its inputs: § 6-1-1704."
    )
    data: Stated = Field(description="Types, categories and sources of the personal data used: § 6-1-1704.")
    correction: Stated = Field(
        description="How to ask for the data and correct what is wrong in it: § 6-1-1705."
    )
    human_review: Stated = Field(description="How a person reviews and reconsiders the decision: § 6-1-1705.")
    applies_from: StatedDate = Field(
        description="From when you take the law to apply to your decisions. Rules may still change it; check."
    )
