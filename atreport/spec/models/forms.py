"""The ``form`` section: what a regulator's form asks for beside the figures; which form, ``report.template`` says.

Every text and date of a form may be withheld, with the reason, which is then printed in its place:
``auditor: {withheld: because the contract forbids naming them}``.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

from atreport.spec.models.values import SCALAR_SCHEMA, Line, Name, Section, Text, read_date, single_or_list

Template = Literal["standard", "ll144", "eeoc", "atrs", "gdpr15"]


class FormSection(Section):
    """A part of a form. Its validator is built when it is needed: most reports have no form."""

    model_config = ConfigDict(defer_build=True)


class WithheldField(Section):
    """A field that the publisher does not fill in, and why."""

    withheld: Line = Field(description="Why: printed as “Withheld, because …”.")

    def __str__(self) -> str:
        reason = self.withheld.removeprefix("because ")
        return f"Withheld, because {reason}"


def _is_withheld(value: object) -> str:
    return "withheld" if isinstance(value, dict | WithheldField) else "stated"


_Day = Annotated[dt.date, BeforeValidator(read_date), WithJsonSchema({"type": "string", "format": "date"})]
Stated = Annotated[
    Annotated[Text, Tag("stated")] | Annotated[WithheldField, Tag("withheld")], Discriminator(_is_withheld)
]
"""A text, or why it is withheld."""

StatedDate = Annotated[
    Annotated[_Day, Tag("stated")] | Annotated[WithheldField, Tag("withheld")], Discriminator(_is_withheld)
]
"""A date, or why it is withheld."""

Names = Annotated[
    tuple[Name, ...],
    BeforeValidator(single_or_list),
    Field(min_length=1),
    WithJsonSchema({"anyOf": [SCALAR_SCHEMA, {"type": "array", "items": SCALAR_SCHEMA}]}),
]


class LeftOutOfRatio(FormSection):
    """Why categories under 2 % of the data take no part in the impact ratio."""

    because: Text


class LL144Form(FormSection):
    """The summary of a bias audit: New York City Local Law 144 of 2021, 6 RCNY §§ 5-300 to 5-304."""

    sex: Name = Field(description="The attribute that holds the sex categories.")
    race_ethnicity: Name = Field(description="The attribute that holds the race/ethnicity categories.")
    tool: Stated = Field(description="The automated employment decision tool that was audited.")
    rate: Literal["selection", "scoring"] = Field(
        description="selection: the favourable outcome is being selected; scoring: a score above the sample median."
    )
    audit_date: StatedDate = Field(description="The date of the most recent bias audit.")
    distribution_date: StatedDate = Field(
        description="The date from which the employer or employment agency used the tool."
    )
    auditor: Stated = Field(description="The independent auditor.")
    data: Literal["historical", "test"] = Field(description="What the audit was made on (§ 5-302).")
    data_source: Stated = Field(description="The source and explanation of the data.")
    test_data: Stated | None = Field(
        None,
        description="Of test data: why historical data was not used, and how the test data was generated and obtained.",
    )
    under_two_percent: LeftOutOfRatio | None = Field(
        None,
        description="Leave categories under 2 % of the data out of the impact ratio, with a justification.",
    )


class EEOCForm(FormSection):
    """Selection rates and adverse impact: Uniform Guidelines on Employee Selection Procedures, 29 CFR § 1607.4."""

    groups: Names = Field(description="The attributes whose groups are compared, each by itself.")
    job: Stated = Field(description="The job or group of jobs.")
    procedure: Stated = Field(description="The selection procedure.")
    period: Stated = Field(description="The period covered.")
    data_source: Stated = Field(description="Where the numbers of applicants and selections come from.")
    components: Stated = Field(
        description="The components of the total selection process, and whether each was evaluated (§ 1607.4 C)."
    )


class ATRSTier1(FormSection):
    """Tier 1: summary information for the general public."""

    name: Stated
    description: Stated
    website_url: Stated
    contact_email: Stated


class ATRSOwner(FormSection):
    """Tier 2: Owner and Responsibility."""

    organisation_or_department: Stated
    team: Stated
    senior_responsible_owner: Stated
    third_party_involvement: Stated
    third_party: Stated | None = None
    companies_house_number: Stated | None = None
    third_party_role: Stated | None = None
    procurement_procedure_type: Stated | None = None
    third_party_data_access_terms: Stated | None = None


class ATRSDescription(FormSection):
    """Tier 2: Description and Rationale."""

    detailed_description: Stated
    benefits: Stated
    previous_process: Stated
    alternatives_considered: Stated


class ATRSDeployment(FormSection):
    """Tier 2: Deployment Context."""

    integration_into_broader_operational_process: Stated
    human_review: Stated
    frequency_and_scale_of_usage: Stated
    required_training: Stated
    appeals_and_review: Stated


class ATRSTool(FormSection):
    """Tier 2: Tool Specification."""

    system_architecture: Stated
    system_level_input: Stated
    system_level_output: Stated
    maintenance: Stated
    models: Stated


class ATRSModel(FormSection):
    """Tier 2: Model Specification."""

    model_name: Stated
    model_version: Stated
    model_task: Stated
    model_input: Stated
    model_output: Stated
    model_architecture: Stated
    model_performance: Stated
    datasets_and_their_purposes: Stated


class ATRSDevelopmentData(FormSection):
    """Tier 2: Development Data."""

    development_data_description: Stated
    data_modality: Stated
    data_quantities: Stated
    sensitive_attributes: Stated
    data_completeness_and_representativeness: Stated
    data_cleaning: Stated
    data_collection: Stated
    data_access_and_storage: Stated
    data_sharing_agreements: Stated


class ATRSOperationalData(FormSection):
    """Tier 2: Operational Data."""

    data_sources: Stated
    sensitive_attributes: Stated
    data_processing_methods: Stated
    data_access_and_storage: Stated
    data_sharing_agreements: Stated


class ATRSRisks(FormSection):
    """Tier 2: Risks, Mitigations and Impact Assessments."""

    impact_assessments: Stated
    risks_and_mitigations: Stated


class ATRSForm(FormSection):
    """A record of the UK Algorithmic Transparency Recording Standard, version 4."""

    tier_1: ATRSTier1
    owner_and_responsibility: ATRSOwner
    description_and_rationale: ATRSDescription
    deployment_context: ATRSDeployment
    tool_specification: ATRSTool
    model_specification: ATRSModel
    development_data: ATRSDevelopmentData
    operational_data: ATRSOperationalData
    risks_mitigations_and_impact_assessments: ATRSRisks


class GDPR15Form(FormSection):
    """What a letter to a data subject says beside their own record: Article 15 of the GDPR."""

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


Form = LL144Form | EEOCForm | ATRSForm | GDPR15Form

FORMS: dict[str, type[Form]] = {
    "ll144": LL144Form,
    "eeoc": EEOCForm,
    "atrs": ATRSForm,
    "gdpr15": GDPR15Form,
}
"""The form that goes with each template but the standard one."""
