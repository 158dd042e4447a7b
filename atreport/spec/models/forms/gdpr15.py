"""``template: gdpr15``: letters to data subjects."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from atreport.spec.models.forms.fields import Stated
from atreport.spec.models.forms.regulator_form import RegulatorForm


class GDPR15Form(RegulatorForm):
    """What a letter to a data subject says beside their own record: Article 15 of the GDPR."""

    template: ClassVar[str] = "gdpr15"
    stands_in_the_report: ClassVar[bool] = True

    controller: Stated = Field(description="Who is responsible for the processing.")
    contact: Stated = Field(description="Where to turn to.")
    data_protection_officer: Stated
    purposes: Stated = Field(description="What the data is processed for: Article 15(1)(a).")
    data_categories: Stated = Field(description="Which personal data: Article 15(1)(b).")
    recipients: Stated = Field(description="Who receives it: Article 15(1)(c).")
    storage_period: Stated = Field(description="For how long it is kept: Article 15(1)(d).")
    rights: Stated = Field(
        description="Rectification, erasure, restriction, objection: Article 15(1)(e), and those of Article 22(3)."
    )
    complaint_authority: Stated = Field(description="The supervisory authority: Article 15(1)(f).")
    data_source: Stated = Field(description="Where the data was not had from the person: Article 15(1)(g).")
    procedure: Stated = Field(
        description="The procedure and principles actually applied in the decision: Article 15(1)(h)."
    )
    consequences: Stated = Field(description="What the decision means for the person: Article 15(1)(h).")
    transfers: Stated = Field(description="Safeguards for transfers to other countries: Article 15(2).")
