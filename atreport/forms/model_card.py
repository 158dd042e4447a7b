"""``template: model_card``: a model card, also for software inventories and model hubs."""

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from atreport.errors import SpecProblem
from atreport.forms.fields import FormSection, RegulatorForm, Stated, WebAddress, check_groups_compared
from atreport.spec.process import Process
from atreport.spec.values import Code, Line
from atreport.spec.yaml import Document


class CardModel(FormSection):
    """The model: what it is and what it does."""

    name: Line
    version: Code
    description: Stated
    developer: Stated = Field(description="Who made it.")
    license: Stated = Field(description="The licence of the model, or that there is none.")
    task: Stated = Field(description="What it is asked, such as classification.")
    architecture_family: Stated = Field(description="Such as gradient-boosted trees.")
    architecture: Stated = Field(description="The model's own architecture.")
    inputs: Stated = Field(description="The form of what goes in.")
    outputs: Stated = Field(description="The form of what comes out.")


class CardDataset(FormSection):
    """Data that the model was made from, or was evaluated on."""

    name: Line
    description: Stated
    url: WebAddress | None = None


class EthicalConsideration(FormSection):
    """A risk, and what is done about it."""

    name: Line
    mitigation: Stated


class FairnessConsideration(FormSection):
    """A group at risk of being disadvantaged, and what the model does for and to it."""

    group_at_risk: Line
    benefits: Stated
    harms: Stated
    mitigation: Stated


class CardConsiderations(FormSection):
    """Who should use it for what, and what to beware of; a blank line parts entries."""

    users: Stated = Field(description="Who is meant to use it.")
    use_cases: Stated = Field(description="What for.")
    limitations: Stated = Field(description="Where it is known not to work well.")
    tradeoffs: Stated = Field(description="What was given up for what.")
    ethical_considerations: tuple[EthicalConsideration, ...] = ()
    fairness_assessments: tuple[FairnessConsideration, ...] = ()


class HuggingFace(FormSection):
    """What the metadata block of a Hugging Face model card names beside the figures."""

    task: Code = Field("tabular-classification", description="A task of the hub.")
    license: Code = Field(
        "other", description="A licence of the hub's list; other: the name given under model."
    )
    library: Line | None = Field(None, description="The library that the model is for.")
    tags: tuple[Line, ...] = ()


class ModelCardForm(RegulatorForm):
    """A model card: the CycloneDX modelCard and the metadata block of the Hugging Face hub, with figures of groups."""

    template: ClassVar[str] = "model_card"

    model: CardModel
    datasets: tuple[CardDataset, ...] = Field(
        min_length=1, description="The last one is what the figures are of."
    )
    considerations: CardConsiderations
    hugging_face: HuggingFace = HuggingFace()

    def find_problems(self, document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """A card without figures of any group says nothing about how the model treats people."""
        yield from check_groups_compared(document)
