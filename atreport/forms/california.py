"""``template: california``: answers to requests for access to automated decision-making technology in California."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from atreport.forms.fields import RegulatorForm, Stated, StatedDate


class CaliforniaForm(RegulatorForm):
    """What an answer to a request for access says beside the reasons: California, 11 CCR 7221 and 7222."""

    template: ClassVar[str] = "california"
    stands_in_the_report: ClassVar[bool] = True
    required_by: ClassVar[Mapping[str, str]] = {
        "purpose": "11 CCR 7222",
        "logic": "11 CCR 7222",
        "outcome": "11 CCR 7222",
        "opt_out": "11 CCR 7221",
        "rights": "11 CCR 7222",
    }

    business: Stated = Field(description="The business that used the technology, and where to write to.")
    purpose: Stated = Field(description="The specific purpose for which it was used: § 7222.")
    logic: Stated = Field(description="How it processed personal information to make its output: § 7222.")
    outcome: Stated = Field(
        description="What the output was used for, and the part of people in the decision: § 7222."
    )
    data: Stated = Field(description="Which personal information was processed, and where it came from.")
    correction: Stated = Field(description="How to correct personal information.")
    opt_out: Stated = Field(
        description="How to opt out, or how to appeal to a person where there is no opting out: § 7221."
    )
    rights: Stated = Field(
        description="How to use the other rights, and that nobody is treated worse for it: § 7222."
    )
    applies_from: StatedDate = Field(
        description="From when you take the rules to apply to your decisions; check them."
    )
