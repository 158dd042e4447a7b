"""Turn a report into a model card: a document, a CycloneDX 1.6 modelCard, and a Hugging Face card with its metadata block.

Both formats have one field for an interval and mean a confidence interval. Ours are certain, and each file says so.
"""

import uuid
from collections.abc import Iterator
from typing import Any

import yaml

from atreport.pages.forms.form_context import (
    CERTAIN,
    FormContext,
    FormField,
    GroupFigure,
    ShownSection,
    filled_in,
    form_field,
    group_figures,
    written_document,
    written_fields,
)
from atreport.pages.layout import paragraphs
from atreport.report.model import Report
from atreport.report.writer import json_bytes
from atreport.text.language import gettext, use_locale
from atreport.text.numbers import digits, interval

CYCLONEDX = "modelcard.cdx.json"
HUGGING_FACE = "modelcard.md"


def files(report: Report) -> dict[str, bytes]:
    """The card for programs, in both formats. Only that of the hub names its language, and is in the report's."""
    with use_locale("en"):
        inventory = json_bytes(cyclonedx_json(report))
    return {CYCLONEDX: inventory, HUGGING_FACE: hugging_face_text(report).encode()}


def cyclonedx_json(report: Report) -> dict[str, Any]:
    """The card as a bill of materials with one component: the model."""
    form, info = filled_in(report), report.report
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


def _model_card(report: Report, form: Any) -> dict[str, Any]:
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


def _dataset(dataset: Any) -> dict[str, Any]:
    described = {"type": "dataset", "name": dataset.name, "description": str(dataset.description)}
    return described if dataset.url is None else {**described, "contents": {"url": dataset.url}}


def _metric(figure: GroupFigure) -> dict[str, Any]:
    return {
        "type": figure.metric,
        "value": f"{figure.value:f}",
        "slice": figure.group,
        "confidenceInterval": {"lowerBound": f"{figure.low:f}", "upperBound": f"{figure.high:f}"},
    }


def _considerations(asked: Any) -> dict[str, Any]:
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
    form, info = filled_in(report), report.report
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
    form = filled_in(report)
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
    form = filled_in(report)
    model, datasets, considerations = (form.asks[key] for key in ("model", "datasets", "considerations"))
    sections = (
        ShownSection(id="model", title=gettext(model.label), fields=written_fields(form.model, model.fields)),
        ShownSection(
            id="datasets",
            title=gettext(datasets.label),
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
        ShownSection(
            id="considerations",
            title=gettext(considerations.label),
            fields=(
                *written_fields(form.considerations, considerations.fields),
                *_risks(form.considerations),
            ),
        ),
    )
    return written_document(report, sections, name=form.model.name, version=form.model.version)


def _risks(asked: Any) -> Iterator[FormField]:
    for each in asked.ethical_considerations:
        yield form_field(gettext("Risk: {name}", name=each.name), each.mitigation)
    for each in asked.fairness_assessments:
        yield FormField(
            label=gettext("Group at risk: {group}", group=each.group_at_risk),
            text=(
                gettext("Benefits: {text}", text=each.benefits),
                gettext("Harms: {text}", text=each.harms),
                gettext("What is done about the risk: {text}", text=each.mitigation),
            ),
        )
