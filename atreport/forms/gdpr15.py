"""``template: gdpr15``: letters to data subjects."""

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from atreport.forms.fields import RegulatorForm, Stated


class GDPR15Form(RegulatorForm):
    """What a letter to a data subject says beside their own record: Article 15 of the GDPR."""

    template: ClassVar[str] = "gdpr15"
    stands_in_the_report: ClassVar[bool] = True
    asked_since: ClassVar[tuple[str, ...]] = ("automated_decision_making", "copy_of_data")
    required_by: ClassVar[Mapping[str, str]] = {
        "purposes": "Article 15(1)(a) of the GDPR",
        "data_categories": "Article 15(1)(b) of the GDPR",
        "recipients": "Article 15(1)(c) of the GDPR (by name, as a rule: C-154/21)",
        "storage_period": "Article 15(1)(d) of the GDPR",
        "rights": "Article 15(1)(e) of the GDPR",
        "complaint_authority": "Article 15(1)(f) of the GDPR",
        "data_source": "Article 15(1)(g) of the GDPR",
        "automated_decision_making": "Article 15(1)(h) of the GDPR",
        "procedure": "Article 15(1)(h) of the GDPR",
        "consequences": "Article 15(1)(h) of the GDPR",
        "transfers": "Article 15(2) of the GDPR",
        "copy_of_data": "Article 15(3) of the GDPR",
    }

    controller: Stated = Field(description="Who is responsible for the processing.")
    contact: Stated = Field(description="Where to turn to.")
    data_protection_officer: Stated | None = Field(None, description="Where there is one.")
    purposes: Stated = Field(description="What the data is processed for: Article 15(1)(a).")
    data_categories: Stated = Field(description="Which personal data: Article 15(1)(b).")
    recipients: Stated = Field(description="Who receives it, by name: Article 15(1)(c).")
    storage_period: Stated = Field(description="For how long it is kept: Article 15(1)(d).")
    rights: Stated = Field(
        description="Rectification, erasure, restriction, objection: Article 15(1)(e), and those of Article 22(3)."
    )
    complaint_authority: Stated = Field(description="The supervisory authority: Article 15(1)(f).")
    data_source: Stated = Field(description="Where the data was not had from the person: Article 15(1)(g).")
    automated_decision_making: Stated | None = Field(
        None, description="That there is automated decision-making, and what it decides: Article 15(1)(h)."
    )
    procedure: Stated = Field(
        description="The procedure and principles actually applied in the decision: Article 15(1)(h)."
    )
    consequences: Stated = Field(description="What the decision means for the person: Article 15(1)(h).")
    transfers: Stated = Field(description="Safeguards for transfers to other countries: Article 15(2).")
    copy_of_data: Stated | None = Field(
        None, description="Which copy of the person's data is enclosed, or how they get it: Article 15(3)."
    )
