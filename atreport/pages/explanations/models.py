"""What each value adds, in a linear model, a logistic one, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atreport.kit.numbers import counted, signed, signed_hundredths
from atreport.kit.panels import MAX_MARKS, Dots, Mark, Plot
from atreport.kit.tables import MAX_ROWS, Column, Table, make_table
from atreport.pages.explanations.blocks import Block, closeness_text, rules_of
from atreport.pages.explanations.tables import left_out
from atreport.report.explanation import RuleSet
from atreport.report.model import Report
from atreport.spec.models.process import Process

TERMS: dict[str, dict[str, str]] = {
    "linear": {"Linear model": "A rule that adds a fixed amount for each value of a person."},
    "logistic": {
        "Logistic model": "The same on the scale of log odds, log(probability / (1 − probability)), which has no ends."
    },
}

_HEADINGS = {"linear": "Linear model", "logistic": "Logistic model (log odds)"}


def blocks(report: Report) -> Iterator[Block]:
    """The models side by side."""
    process, models = report.process, rules_of(report, "linear", "logistic")
    if not models:
        return
    close = " ".join(closeness_text(report, model, f"The {model.scheme} model") for model in models)
    yield Block(
        id="models",
        title="What each value adds",
        paragraphs=(
            "A simple model gives every value a fixed amount: start from the base and add the amounts of a person’s "
            f"values. Above 0 speaks for “{process.outcome.favourable}”, below 0 against it. {close}",
        ),
        charts=("chart-models",),
        tables=(_table(process, models),),
    )


def _table(process: Process, models: Sequence[RuleSet]) -> Table:
    amounts = [model.coefficients or () for model in models]
    return make_table(
        "models",
        "What each value adds, compared with the first value of its attribute; linear in percentage points",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            *(Column(_HEADINGS[model.scheme], numeric=True) for model in models),
        ],
        [
            [
                "Base" if place.attribute is None else process.attribute(place.attribute).title,
                "first values" if place.value is None else place.value,
                *(
                    signed_hundredths(of_model[i].amount)
                    if model.scheme == "linear"
                    else signed(of_model[i].amount)
                    for model, of_model in zip(models, amounts, strict=True)
                ),
            ]
            for i, place in enumerate(amounts[0][:MAX_ROWS])
        ],
        left_out(len(amounts[0]), "values"),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A panel for each model."""
    models = rules_of(report, "linear", "logistic")
    if not models:
        return
    panels = [panel for model in models if (panel := _panel(report.process, model)).marks]
    alt = "; ".join(
        f"{panel.axis.split(':')[0].lower()}, {counted(len(panel.marks), 'value')}, the highest for "
        f"{max(panel.marks, key=lambda mark: mark.value).label}"
        for panel in panels
    )
    yield Plot(
        id="chart-models",
        title="What each value adds in a simple model",
        alt=f"Dot plots of what each value adds, left of 0 against and right of 0 in favour: {alt}.",
        panels=tuple(panels),
    )


def _panel(process: Process, model: RuleSet) -> Dots:
    marks = [
        Mark(f"{process.attribute(c.attribute).title}: {c.value}", amount, amount, amount)
        for c in model.coefficients or ()
        if c.attribute is not None
        for amount in [float(c.amount)]
    ]
    linear = model.scheme == "linear"
    return Dots(
        marks=tuple(marks[:MAX_MARKS]),
        axis="Linear model: percentage points" if linear else "Logistic model: log odds",
        band="",
        dot="compared with the first value",
        signed=True,
        logarithm=not linear,
    )
