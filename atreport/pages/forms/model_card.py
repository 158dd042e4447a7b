"""Turn a report into a model card: a document, a CycloneDX 1.6 modelCard, and a Hugging Face card with its metadata block.

Both formats have one field for an interval and mean a confidence interval. Ours are certain, and each file says so.
"""

import uuid
from typing import Any

import yaml

from atreport.forms.model_card import CardConsiderations, CardDataset, CardModel, ModelCardForm
from atreport.pages.forms.form_context import (
    CERTAIN,
    FormContext,
    FormField,
    FormSection,
    GroupFigure,
    announced_notice,
    checking_section,
    figures_section,
    filled_in,
    form_field,
    group_figures,
    notes_section,
)
from atreport.pages.layout import make_cover, paragraphs
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, message, use_locale
from atreport.text.numbers import digits, interval

CYCLONEDX = "modelcard.cdx.json"
HUGGING_FACE = "modelcard.md"
FILE_TITLES = {
    CYCLONEDX: message("This model card in CycloneDX 1.6, for inventories of software"),
    HUGGING_FACE: message("This model card with the metadata block of the Hugging Face hub"),
}

LABELS = {
    "name": message("Name"),
    "version": message("Version"),
    "description": message("What the model does"),
    "developer": message("Developer"),
    "license": message("Licence"),
    "task": message("Task"),
    "architecture_family": message("Family of models"),
    "architecture": message("Architecture"),
    "inputs": message("Input"),
    "outputs": message("Output"),
    "users": message("Meant for"),
    "use_cases": message("Intended uses"),
    "limitations": message("Known limitations"),
    "tradeoffs": message("Trade-offs"),
}
"""Every field that is a text, as readers meet it; to be said."""


def files(report: Report) -> dict[str, bytes]:
    """The card for programs, in both formats. Only that of the hub names its language, and is in the report's."""
    with use_locale("en"):
        inventory = json_bytes(cyclonedx_json(report))
    return {CYCLONEDX: inventory, HUGGING_FACE: hugging_face_text(report).encode()}


def cyclonedx_json(report: Report) -> dict[str, Any]:
    """The card as a bill of materials with one component: the model."""
    form, info = filled_in(report, ModelCardForm), report.report
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
            {"name": "atreport:intervals", "value": gettext(CERTAIN)},
            {
                "name": "atreport:report",
                "value": gettext(
                    "{title}, version {version}", title=report.report.title, version=report.report.version
                ),
            },
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
    form, info = filled_in(report, ModelCardForm), report.report
    source = gettext(
        "The figures are from the report “{title}”, version {version}, by {publisher}. Anyone can verify them.",
        title=info.title,
        version=info.version,
        publisher=info.publisher,
    )
    heading = gettext("Figures of groups")
    headings = (gettext("Figure"), gettext("Group"), gettext("Announced"), gettext("Exact figure lies in"))
    rows = [
        _row(each.title, each.group, digits(each.value), interval(each.low, each.high))
        for each in group_figures(report)
    ]
    lines = [
        f"---\n{block}---",
        f"# {form.model.name}",
        str(form.model.description),
        f"## {heading}",
        f"{gettext(CERTAIN)} {source}",
        "\n".join([_row(*headings), "|---|---|---|---|", *rows]),
    ]
    return "\n\n".join(lines) + "\n"


def _row(*texts: str) -> str:
    """A row in a table of Markdown, which ends a cell at a bar."""
    cells = (text.replace("\\", "\\\\").replace("|", "\\|") for text in texts)
    return f"| {' | '.join(cells)} |"


def hugging_face_metadata(report: Report) -> dict[str, Any]:
    """The metadata block: what the hub filters by, and its model index with a metric for each figure of a group."""
    form = filled_in(report, ModelCardForm)
    asked = form.hugging_face
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
    form = filled_in(report, ModelCardForm)
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Model card of {name} {version}", name=form.model.name, version=form.model.version),
        notice=announced_notice(report, gettext("A model card shows how a model treats groups of people.")),
        sections=(
            FormSection(id="model", title=gettext("The model"), fields=_fields(form.model)),
            FormSection(
                id="datasets",
                title=gettext("Data"),
                text=(
                    gettext(
                        "The model was made from these data sets and evaluated on them. The figures are of the last one."
                    )
                    if len(form.datasets) > 1
                    else gettext("The figures are of this data set."),
                ),
                fields=tuple(
                    FormField(
                        label=each.name,
                        text=(*paragraphs(str(each.description)), *((each.url,) if each.url else ())),
                    )
                    for each in form.datasets
                ),
            ),
            _considerations_section(form.considerations),
            figures_section(report, gettext("Figures of groups"), text=(gettext(CERTAIN),)),
            notes_section(report.notes),
            checking_section(report, (*FILE_TITLES, "cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _fields(section: CardModel | CardConsiderations) -> tuple[FormField, ...]:
    return tuple(
        form_field(gettext(LABELS[name]), getattr(section, name))
        for name in type(section).model_fields
        if name in LABELS
    )


def _considerations_section(asked: CardConsiderations) -> FormSection:
    return FormSection(
        id="considerations",
        title=gettext("What the model is for, and what to watch out for"),
        fields=(
            *_fields(asked),
            *(
                form_field(gettext("Risk: {name}", name=each.name), each.mitigation)
                for each in asked.ethical_considerations
            ),
            *(
                FormField(
                    label=gettext("Group at risk: {group}", group=each.group_at_risk),
                    text=(
                        gettext("Benefits: {text}", text=each.benefits),
                        gettext("Harms: {text}", text=each.harms),
                        gettext("What is done about the risk: {text}", text=each.mitigation),
                    ),
                )
                for each in asked.fairness_assessments
            ),
        ),
    )
