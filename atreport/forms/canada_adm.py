"""``template: canada_adm``: explanation and bias testing under Canada's Directive on Automated Decision-Making."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Literal

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.forms.fields import FormSection, RegulatorForm, Stated, StatedDate, check_groups_compared
from atreport.spec.process import Process
from atreport.spec.yaml import Document, missing_key


class Bilingual(FormSection):
    """A text in both official languages."""

    en: Stated
    fr: Stated


class CanadaSystem(FormSection):
    """The system, and how much its decisions weigh."""

    institution: Bilingual
    name: Bilingual
    impact_level: Literal["I", "II", "III", "IV"] = Field(
        description="The impact level by the Algorithmic Impact Assessment."
    )
    assessment: Stated = Field(
        description="Where the results of the Algorithmic Impact Assessment are published."
    )
    directive_as_of: StatedDate = Field(
        description="The date of the version of the directive that this document was written for."
    )
    notice: Bilingual = Field(
        description="How clients are told that a decision is automated: Appendix C, notice."
    )
    human_involvement: Bilingual = Field(description="Where people decide: Appendix C, human involvement.")


class CanadaExplanation(FormSection):
    """What an explanation tells: Appendix C, explanation."""

    role: Bilingual = Field(description="The role of the system in the decision-making process.")
    data: Bilingual = Field(description="Training and client data, their source and method of collection.")
    criteria: Bilingual = Field(
        description="The criteria for client data, and the operations applied to them."
    )
    output: Bilingual = Field(description="The output, and what is needed to interpret it.")
    justification: Bilingual = Field(description="The principal factors that lead to a decision.")
    recourse: Bilingual = Field(description="How a decision can be challenged.")


class CanadaBias(FormSection):
    """How unfair outcomes are looked for: sections 6.3.1 and 6.3.2, and Appendix C."""

    testing: Bilingual = Field(description="How data and model were tested for unintended biases.")
    monitoring: Bilingual = Field(description="How outcomes are monitored.")
    gba_plus: Bilingual | None = Field(None, description="Gender-based Analysis Plus; from level II on.")
    peer_review: Bilingual | None = Field(
        None, description="Who reviewed it, and where that is published; from level II on."
    )


class CanadaADMForm(RegulatorForm):
    """Explanation and bias testing under the Directive on Automated Decision-Making, in English and French."""

    template: ClassVar[str] = "canada_adm"
    required_by: ClassVar[Mapping[str, str]] = {
        f"{path}.{language}": f"{rule} of the directive"
        for path, rule in {
            **{f"explanation.{name}": "Appendix C, explanation," for name in CanadaExplanation.model_fields},
            "system.notice": "Appendix C, notice,",
            "bias.testing": "section 6.3.1",
            "bias.monitoring": "section 6.3.2",
            "bias.gba_plus": "Appendix C, Gender-based Analysis Plus,",
            "bias.peer_review": "Appendix C, peer review,",
        }.items()
        for language in Bilingual.model_fields
    }

    system: CanadaSystem
    explanation: CanadaExplanation
    bias: CanadaBias

    def find_problems(self, document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """Groups are compared; and from impact level II on, a review and a gender-based analysis are told of."""
        yield from check_groups_compared(document)
        if self.system.impact_level == "I":
            return
        for name in ("gba_plus", "peer_review"):
            if getattr(self.bias, name) is None:
                yield missing_key(document, ("form", "bias"), name)
