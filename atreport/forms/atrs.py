"""``template: atrs``: an algorithmic transparency record."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import Discriminator, Field, Tag

from atreport.errors import SpecProblem
from atreport.forms.fields import FormSection, RegulatorForm, Stated
from atreport.spec.process import Process
from atreport.spec.yaml import Document, missing_key

_THIRD_PARTY = (
    "third_party",
    "companies_house_number",
    "third_party_role",
    "procurement_procedure_type",
    "third_party_data_access_terms",
)
"""What a record says about a third party that is involved."""


class ATRSFront(FormSection):
    """The front of a record: what the repository of records lists and filters by, beside title, organisation and date."""

    organisation_type: Stated
    phase: Stated = Field(description="Such as pre-deployment, pilot, beta, production or retired.")
    region: Stated = Field(description="Where the tool is used.")
    one_sentence_description: Stated


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


def _one_or_several(value: object) -> str:
    return "several" if isinstance(value, list | tuple) else "one"


ATRSModels = Annotated[
    Annotated[ATRSModel, Tag("one")] | Annotated[tuple[ATRSModel, ...], Field(min_length=1), Tag("several")],
    Discriminator(_one_or_several),
]
"""One model, or a list of several, each with all its fields."""


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


class ATRSForm(RegulatorForm):
    """A record of the UK Algorithmic Transparency Recording Standard, version 4."""

    template: ClassVar[str] = "atrs"
    asked_since: ClassVar[tuple[str, ...]] = ("front",)
    required_by: ClassVar[Mapping[str, str]] = dict.fromkeys(
        (
            "tier_1.name",
            "tier_1.description",
            "tier_1.contact_email",
            "owner_and_responsibility.organisation_or_department",
            "owner_and_responsibility.senior_responsible_owner",
            "deployment_context.human_review",
            "deployment_context.appeals_and_review",
            "risks_mitigations_and_impact_assessments.impact_assessments",
            "risks_mitigations_and_impact_assessments.risks_and_mitigations",
        ),
        "the template of the standard (mandatory for the bodies and tools in its scope)",
    )

    front: ATRSFront | None = None
    tier_1: ATRSTier1
    owner_and_responsibility: ATRSOwner
    description_and_rationale: ATRSDescription
    deployment_context: ATRSDeployment
    tool_specification: ATRSTool
    model_specification: ATRSModels
    development_data: ATRSDevelopmentData
    operational_data: ATRSOperationalData
    risks_mitigations_and_impact_assessments: ATRSRisks

    @property
    def models(self) -> tuple[ATRSModel, ...]:
        """Every model of the tool."""
        return (
            self.model_specification
            if isinstance(self.model_specification, tuple)
            else (self.model_specification,)
        )

    def find_problems(self, document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """Where a third party is involved, the record says who, in what role and on what terms."""
        owner = self.owner_and_responsibility
        if not str(owner.third_party_involvement).casefold().startswith("yes"):
            return
        for name in _THIRD_PARTY:
            if getattr(owner, name) is None:
                yield missing_key(document, ("form", "owner_and_responsibility"), name)
