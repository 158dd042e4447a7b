"""Turn a report into a model card: a document, a CycloneDX 1.6 modelCard, and a Hugging Face card with its metadata block.

Both formats have one field for an interval and mean a confidence interval. Ours are certain, and each file says so.
"""

from __future__ import annotations

import uuid
from typing import Any

import yaml

from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.figures import CERTAIN, GroupFigure, figures_section, group_figures
from atreport.pages.forms.form_context import (
    FormContext,
    FormField,
    FormSection,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.spec.models.forms import ModelCardForm
from atreport.spec.models.forms.model_card import CardConsiderations, CardDataset, CardModel

CYCLONEDX = "modelcard.cdx.json"
HUGGING_FACE = "modelcard.md"
FILE_TITLES = {
    CYCLONEDX: "This model card in CycloneDX 1.6, for inventories of software",
    HUGGING_FACE: "This model card with the metadata block of the Hugging Face hub",
}

LABELS = {
    "name": "Name",
    "version": "Version",
    "description": "What it does",
    "developer": "Developer",
    "license": "Licence",
    "task": "Task",
    "architecture_family": "Family of models",
    "architecture": "Architecture",
    "inputs": "Input",
    "outputs": "Output",
    "users": "Meant for",
    "use_cases": "Intended uses",
    "limitations": "Known limitations",
    "tradeoffs": "Trade-offs",
}


def files(report: Report) -> dict[str, bytes]:
    """The card for programs, in both formats."""
    return {
        CYCLONEDX: json_bytes(cyclonedx_json(report)),
        HUGGING_FACE: hugging_face_text(report).encode(),
    }


def cyclonedx_json(report: Report) -> dict[str, Any]:
    """The card as a bill of materials with one component: the model."""
    form, info = _form(report), report.report
    named = "\n".join((info.publisher, info.title, info.version))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'urn:atreport:model-card:' + named)}",
        "version": 1,
        "metadata": {
            "timestamp": f"{info.date.isoformat()}T00:00:00Z",
            "component": {
                "type": "machine-learning-model",
                "bom-ref": "model",
                "publisher": info.publisher,
                "manufacturer": {"name": str(form.model.developer)},
                "name": form.model.name,
                "version": form.model.version,
                "description": str(form.model.description),
                "licenses": [{"license": {"name": str(form.model.license)}}],
                "modelCard": _model_card(report, form),
            },
        },
    }


def _model_card(report: Report, form: ModelCardForm) -> dict[str, Any]:
    model = form.model
    return {
        "modelParameters": {
            "task": str(model.task),
            "architectureFamily": str(model.architecture_family),
            "modelArchitecture": str(model.architecture),
            "datasets": [_dataset(each) for each in form.datasets],
            "inputs": [{"format": str(model.inputs)}],
            "outputs": [{"format": str(model.outputs)}],
        },
        "quantitativeAnalysis": {"performanceMetrics": [_metric(each) for each in group_figures(report)]},
        "considerations": _considerations(form.considerations),
        "properties": [
            {"name": "atreport:intervals", "value": CERTAIN},
            {"name": "atreport:report", "value": f"{report.report.title}, version {report.report.version}"},
        ],
    }


def _dataset(dataset: CardDataset) -> dict[str, Any]:
    described = {"type": "dataset", "name": dataset.name, "description": str(dataset.description)}
    return described if dataset.url is None else {**described, "contents": {"url": dataset.url}}


def _metric(figure: GroupFigure) -> dict[str, Any]:
    return {
        "type": figure.metric,
        "value": f"{figure.value:f}",
        "slice": figure.group,
        "confidenceInterval": {"lowerBound": f"{figure.low:f}", "upperBound": f"{figure.high:f}"},
    }


def _considerations(asked: CardConsiderations) -> dict[str, Any]:
    texts = {
        "users": asked.users,
        "useCases": asked.use_cases,
        "technicalLimitations": asked.limitations,
        "performanceTradeoffs": asked.tradeoffs,
    }
    return {
        **{name: list(paragraphs(str(text))) for name, text in texts.items()},
        "ethicalConsiderations": [
            {"name": each.name, "mitigationStrategy": str(each.mitigation)}
            for each in asked.ethical_considerations
        ],
        "fairnessAssessments": [
            {
                "groupAtRisk": each.group_at_risk,
                "benefits": str(each.benefits),
                "harms": str(each.harms),
                "mitigationStrategy": str(each.mitigation),
            }
            for each in asked.fairness_assessments
        ],
    }


def hugging_face_text(report: Report) -> str:
    """The card as the hub reads it: a block of metadata, and a text that says what its figures are."""
    block = yaml.safe_dump(hugging_face_metadata(report), sort_keys=False, allow_unicode=True, width=1000)
    form = _form(report)
    figures = [
        f"| {_cell(each.title)} | {_cell(each.group)} | {each.value:f} | {each.low:f} to {each.high:f} |"
        for each in group_figures(report)
    ]
    lines = [
        f"---\n{block}---",
        f"# {form.model.name}",
        str(form.model.description),
        f"## Figures of groups\n\n{CERTAIN} They are of “{report.report.title}”, version {report.report.version}, by "
        f"{report.report.publisher}, which can be verified.",
        "\n".join(["| Figure | Group | Announced | Exact figure lies in |", "|---|---|---|---|", *figures]),
    ]
    return "\n\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """A text in a table of Markdown, which ends a cell at a bar."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def hugging_face_metadata(report: Report) -> dict[str, Any]:
    """The metadata block: what the hub filters by, and its model index with a metric for each figure of a group."""
    form, asked = _form(report), _form(report).hugging_face
    named = {"license_name": str(form.model.license)} if asked.license == "other" else {}
    library = {"library_name": asked.library} if asked.library else {}
    evaluated = form.datasets[-1].name
    return {
        "language": report.report.language,
        "license": asked.license,
        **named,
        **library,
        "pipeline_tag": asked.task,
        "tags": list(asked.tags),
        "model-index": [
            {
                "name": form.model.name,
                "results": [
                    {
                        "task": {"type": asked.task, "name": str(form.model.task)},
                        "dataset": {"type": evaluated, "name": evaluated},
                        "metrics": [
                            {
                                "type": each.metric,
                                "name": f"{each.title}; {each.group}",
                                "value": float(each.value),
                                "args": {"certain_low": float(each.low), "certain_high": float(each.high)},
                            }
                            for each in group_figures(report)
                        ],
                    }
                ],
            }
        ],
    }


def context(report: Report) -> FormContext:
    """The card as text."""
    form = _form(report)
    return FormContext(
        cover=make_cover(report),
        subtitle=f"Model card of {form.model.name} {form.model.version}",
        notice=announced_notice(
            report.policy.fidelity, "A model card shows how a model treats groups of people."
        ),
        sections=(
            FormSection(id="model", title="The model", fields=_fields(form.model)),
            FormSection(
                id="datasets",
                title="Data",
                text=(
                    "The model was made from these data and evaluated on them; the figures below are of the last.",
                )
                if len(form.datasets) > 1
                else ("The figures below are of these data.",),
                fields=tuple(
                    FormField(
                        label=each.name,
                        text=(*paragraphs(str(each.description)), *((each.url,) if each.url else ())),
                    )
                    for each in form.datasets
                ),
            ),
            _considerations_section(form.considerations),
            figures_section(report, "Figures of groups", text=(CERTAIN,)),
            notes_section(report.notes),
            checking_section((*FILE_TITLES, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _fields(section: CardModel | CardConsiderations) -> tuple[FormField, ...]:
    return tuple(
        form_field(LABELS[name], getattr(section, name))
        for name in type(section).model_fields
        if name in LABELS
    )


def _considerations_section(asked: CardConsiderations) -> FormSection:
    return FormSection(
        id="considerations",
        title="What it is for, and what to beware of",
        fields=(
            *_fields(asked),
            *(
                FormField(label=f"Risk: {each.name}", text=(str(each.mitigation),))
                for each in asked.ethical_considerations
            ),
            *(
                FormField(
                    label=f"Group at risk: {each.group_at_risk}",
                    text=(
                        f"Benefits: {each.benefits}",
                        f"Harms: {each.harms}",
                        f"What is done about it: {each.mitigation}",
                    ),
                )
                for each in asked.fairness_assessments
            ),
        ),
    )


def _form(report: Report) -> ModelCardForm:
    form = report.form.fields if report.form is not None else None
    assert isinstance(form, ModelCardForm)
    return form
