"""What each value adds, in a linear model, a logistic one, or both."""

from collections.abc import Iterator, Sequence

from atreport.pages.explanations.blocks import Block, closeness_text, furthest, left_out, rules_of, titled
from atreport.pages.panels import Dots, Mark, Plot
from atreport.report.explanation import RuleSet, Scheme
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import gettext, message, ngettext
from atreport.text.numbers import signed, signed_hundredths
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

TERMS: dict[str, dict[str, str]] = {
    "linear": {
        message("Linear model"): message("A rule that adds a fixed amount for each value of a person.")
    },
    "logistic": {
        message("Logistic model"): message(
            "A rule that adds a fixed amount for each value of a person, on the scale of log odds: log(probability / "
            "(1 − probability)). That scale has no ends."
        )
    },
}

_NAMES: dict[Scheme, str] = {"linear": message("Linear model"), "logistic": message("Logistic model")}
_HEADINGS: dict[Scheme, str] = {
    "linear": message("Linear model"),
    "logistic": message("Logistic model (log odds)"),
}
_TITLES: dict[Scheme, str] = {
    "linear": message("What each value adds in a linear model"),
    "logistic": message("What each value adds in a logistic model"),
}
_AXES: dict[Scheme, str] = {
    "linear": message("Linear model: percentage points"),
    "logistic": message("Logistic model: log odds"),
}


def blocks(report: Report) -> Iterator[Block]:
    """The models side by side."""
    process, models = report.process, rules_of(report, "linear", "logistic")
    if not models:
        return
    yield Block(
        id="models",
        title=gettext("What each value adds"),
        paragraphs=(
            gettext(
                "A simple model gives every value a fixed amount: start from the base and add the amounts of a person’s "
                "values. An amount above 0 speaks for “{favourable}”, one below 0 against it.",
                favourable=process.outcome.favourable,
            ),
            " ".join(closeness_text(report, model, gettext(_NAMES[model.scheme])) for model in models),
        ),
        tables=(_table(process, models),),
    )


def _table(process: Process, models: Sequence[RuleSet]) -> Table:
    amounts = [model.coefficients or () for model in models]
    return make_table(
        "models",
        gettext(
            "What each value adds, compared with the first value of its attribute; linear in percentage points"
        ),
        [
            Column(gettext("Attribute"), names_row=True),
            Column(gettext("Value"), names_row=True),
            *(Column(gettext(_HEADINGS[model.scheme]), numeric=True) for model in models),
        ],
        [
            [
                gettext("Base") if place.attribute is None else process.attribute(place.attribute).title,
                gettext("first values") if place.value is None else place.value,
                *(
                    signed_hundredths(of_model[i].amount)
                    if model.scheme == "linear"
                    else signed(of_model[i].amount)
                    for model, of_model in zip(models, amounts, strict=True)
                ),
            ]
            for i, place in enumerate(amounts[0][:MAX_ROWS])
        ],
        left_out(
            len(amounts[0]), message("{shown} of {total} values are shown. report.json has all of them.")
        ),
    )


def plots(report: Report) -> Iterator[Plot]:
    """A chart for each model that adds anything."""
    for model in rules_of(report, "linear", "logistic"):
        if each := _marks(report.process, model):
            yield _plot(model, each)


def _plot(model: RuleSet, each: Sequence[Mark]) -> Plot:
    marks = furthest(each)
    shows = ngettext(
        len(marks),
        "Dot plot of what {number} value adds: left of 0 speaks against, right of 0 in favour. The highest amount is that "
        "of {highest}.",
        "Dot plot of what {number} values add: left of 0 speaks against, right of 0 in favour. The highest amount is that "
        "of {highest}.",
        highest=max(marks, key=lambda mark: mark.value).label,
    )
    return Plot(
        id=f"chart-model-{model.scheme}",
        title=titled(gettext(_TITLES[model.scheme]), marks, each),
        alt=shows,
        panels=(
            Dots(
                marks=marks,
                axis=gettext(_AXES[model.scheme]),
                band="",
                dot=gettext("compared with the first value"),
                signed=True,
                logarithm=model.scheme == "logistic",
            ),
        ),
    )


def _marks(process: Process, model: RuleSet) -> list[Mark]:
    return [
        Mark(
            gettext("{attribute}: {value}", attribute=process.attribute(c.attribute).title, value=c.value),
            amount,
            amount,
            amount,
        )
        for c in model.coefficients or ()
        if c.attribute is not None
        for amount in [float(c.amount)]
    ]
