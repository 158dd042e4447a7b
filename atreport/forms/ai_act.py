"""``template: ai_act``: what a deployer of a high-risk AI system says under Regulation (EU) 2024/1689."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.forms.fields import (
    FormSection,
    RegulatorForm,
    Stated,
    StatedDate,
    WebAddress,
    check_groups_compared,
)
from atreport.spec.process import Process
from atreport.spec.yaml import Document


class AIActSystem(FormSection):
    """The system, and from when which duties are taken to apply."""

    name: Stated
    provider: Stated = Field(description="Who placed it on the market or put it into service.")
    area: Stated = Field(description="The point of Annex III under which it is high-risk.")
    first_use: StatedDate = Field(
        description="From when it is used; the assessment is made before: Article 27(2)."
    )
    applies_from: StatedDate = Field(
        description="From when you take the duties below to apply to you. Dates of application have moved; check them."
    )


class AIActImpactAssessment(FormSection):
    """The fundamental rights impact assessment: Article 27."""

    processes: Stated = Field(description="The processes in which the system is used: Article 27(1)(a).")
    period_and_frequency: Stated = Field(description="For how long, and how often: Article 27(1)(b).")
    affected_groups: Stated = Field(description="Who is likely to be affected: Article 27(1)(c).")
    risks: Stated = Field(description="The specific risks of harm to them: Article 27(1)(d).")
    human_oversight: Stated = Field(description="How human oversight is carried out: Article 27(1)(e).")
    measures: Stated = Field(description="What is done if the risks materialise: Article 27(1)(f).")
    governance: Stated = Field(description="Arrangements for internal governance: Article 27(1)(f).")
    complaints: Stated = Field(description="How to complain: Article 27(1)(f).")
    notification: Stated = Field(
        description="When which market surveillance authority was notified: Article 27(3)."
    )
    data_protection: Stated | None = Field(
        None, description="The data protection impact assessment that this one complements: Article 27(4)."
    )


class AIActRegistration(FormSection):
    """What a deployer that is a public authority registers: Article 49(3), Annex VIII, section C."""

    deployer: Stated = Field(description="Name, address and contact details of the deployer: point 1.")
    submitted_by: Stated = Field(
        description="Of the person who submits it on the deployer's behalf: point 2."
    )
    provider_entry: WebAddress = Field(description="The provider's entry in the EU database: point 3.")
    impact_assessment_summary: Stated = Field(
        description="Findings of the fundamental rights impact assessment: point 4."
    )
    data_protection_summary: Stated = Field(
        description="Summary of the data protection impact assessment, where there is one: point 5."
    )


class AIActPerformance(FormSection):
    """What the figures of groups are of: Annex IV, point 3, and Article 13(3)(b)."""

    accuracy: Stated = Field(description="What is called accurate here, and how it was tested.")
    persons: Stated = Field(description="The persons or groups on which the system is meant to be used.")
    limitations: Stated = Field(
        description="Known limits of its performance, and circumstances that change it."
    )


class AIActExplanation(FormSection):
    """What a letter to an affected person says beside their own data: Article 86."""

    deployer: Stated = Field(description="Who took the decision.")
    contact: Stated = Field(description="Where to turn to, and where a person looks at it again.")
    role: Stated = Field(description="The role of the system in the decision-making procedure.")
    elements: Stated = Field(description="The main elements of a decision beside the system's output.")
    complaint_authority: Stated = Field(description="The market surveillance authority: Article 85.")


class AIActForm(RegulatorForm):
    """A deployer's fundamental rights impact assessment, registration summary and annex on the performance for groups."""

    template: ClassVar[str] = "ai_act"
    required_by: ClassVar[Mapping[str, str]] = {
        f"{section}.{name}": f"{rule} of the AI Act"
        for section, fields in {
            "impact_assessment": {
                "processes": "Article 27(1)(a)",
                "period_and_frequency": "Article 27(1)(b)",
                "affected_groups": "Article 27(1)(c)",
                "risks": "Article 27(1)(d)",
                "human_oversight": "Article 27(1)(e)",
                "measures": "Article 27(1)(f)",
                "governance": "Article 27(1)(f)",
                "complaints": "Article 27(1)(f)",
                "notification": "Article 27(3)",
            },
            "registration": {
                "deployer": "Annex VIII, section C, point 1,",
                "submitted_by": "Annex VIII, section C, point 2,",
                "impact_assessment_summary": "Annex VIII, section C, point 4,",
                "data_protection_summary": "Annex VIII, section C, point 5,",
            },
            "explanation": {"role": "Article 86(1)", "elements": "Article 86(1)"},
        }.items()
        for name, rule in fields.items()
    }

    system: AIActSystem
    impact_assessment: AIActImpactAssessment
    registration: AIActRegistration | None = Field(
        None, description="Where the deployer is a public authority."
    )
    performance: AIActPerformance
    explanation: AIActExplanation | None = Field(
        None, description="For letters to persons: `atreport letter`."
    )

    def find_problems(self, document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """An annex on the performance for groups needs groups."""
        yield from check_groups_compared(document)
