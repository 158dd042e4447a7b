"""Turn an explanation into tables: rules, models, influences and curves."""

from __future__ import annotations

from collections.abc import Sequence

from atreport.analysis.assessment import Interval
from atreport.analysis.explanations.figure import Influence, Kind, RuleSet
from atreport.kit.numbers import (
    full_percent,
    full_percent_interval,
    hundredths,
    signed,
    signed_hundredths,
    signed_hundredths_interval,
)
from atreport.kit.tables import MAX_ROWS, Column, Table, table
from atreport.pages.explanations.wording import (
    attributes_text,
    condition_text,
    quantity_text,
    record_text,
)
from atreport.spec.models.process import Process

NOTHING = "–"
"""What stands in a field that has no figure."""

ALL = "All of them are in report.json."


def rules_table(process: Process, rule_set: RuleSet) -> Table:
    """If–then rules, or the leaves of a tree."""
    shares = all(rule.share is not None for rule in rule_set.rules)
    exact = rule_set.scheme == "exact"
    return table(
        f"rules-{rule_set.scheme}",
        f"The {'announced rule' if exact else 'tree'}: if … then “{process.outcome.favourable}” with probability …",
        [
            Column("If", names_row=True),
            Column("Announced" if exact else "Announced rate", numeric=True),
            *([Column("Share of all people", numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for rule in rule_set.rules[:MAX_ROWS]
        ],
        _left_out(len(rule_set.rules), "rules"),
    )


def _left_out(number: int, things: str) -> str:
    return "" if number <= MAX_ROWS else f"{MAX_ROWS} of {number:,} {things} are shown. {ALL}"


def model_table(process: Process, models: Sequence[RuleSet]) -> Table:
    """What each value adds, in a linear model, a logistic one, or both."""
    headings = {"linear": "Linear model", "logistic": "Logistic model (log odds)"}
    first = models[0].coefficients
    return table(
        "models",
        "What each value adds, compared with the first value of its attribute; linear in percentage points",
        [
            Column("Attribute", names_row=True),
            Column("Value", names_row=True),
            *(Column(headings[model.scheme], numeric=True) for model in models),
        ],
        [
            [
                "Base" if place.attribute is None else process.attribute(place.attribute).title,
                "first values" if place.value is None else place.value,
                *(
                    signed_hundredths(model.coefficients[i].amount)
                    if model.scheme == "linear"
                    else signed(model.coefficients[i].amount)
                    for model in models
                ),
            ]
            for i, place in enumerate(first[:MAX_ROWS])
        ],
        _left_out(len(first), "values"),
    )


def region_table(process: Process, rule_set: RuleSet) -> Table:
    """Each region with its rule."""
    rows = [(region, rule) for region in rule_set.regions for rule in region.rules]
    shares = all(rule.share is not None for _, rule in rows)
    return table(
        "regions",
        "Regions, and the rule in each",
        [
            Column("Region", names_row=True),
            Column("Rule in it", names_row=True),
            Column("Announced rate", numeric=True),
            *([Column("Share of all people", numeric=True)] if shares else []),
        ],
        [
            [
                condition_text(process, region.condition),
                "no difference made" if region.attribute is None else condition_text(process, rule.condition),
                full_percent(rule.probability),
                *([full_percent(rule.share)] if shares else []),
            ]
            for region, rule in rows[:MAX_ROWS]
        ],
        _left_out(len(rows), "rules"),
    )


def anchor_table(process: Process, anchors: Sequence[RuleSet]) -> Table:
    """For each record what is enough to know."""
    found = [rule_set.anchor for rule_set in anchors if rule_set.anchor is not None]
    coverage = all(anchor.coverage is not None for anchor in found)
    return table(
        "anchors",
        "What is enough to know of a record",
        [
            Column("Record", names_row=True),
            Column("Likeliest outcome"),
            Column("Enough to know"),
            Column("Outcome follows in", numeric=True),
            Column("True figure lies in", numeric=True),
            *([Column("Holds for", numeric=True)] if coverage else []),
        ],
        [
            [
                record_text(process, anchor.record),
                f"“{anchor.outcome}”",
                f"nothing reaches {full_percent(anchor.wanted)}"
                if anchor.condition is None
                else condition_text(process, anchor.condition),
                full_percent(anchor.precision.value),
                full_percent_interval(anchor.precision.low, anchor.precision.high),
                *([full_percent(anchor.coverage)] if coverage else []),
            ]
            for anchor in found
        ],
    )


def importance_table(process: Process, figures: Sequence[Influence]) -> Table:
    """How much each attribute matters over all people."""
    headings: dict[Kind, str] = {"permutation": "Average change", "firm": "Spread of rates (FIRM)"}
    kinds = [kind for kind in headings if any(figure.kind == kind for figure in figures)]
    by_attribute = {(figure.kind, figure.attributes): figure for figure in figures}
    attributes = list(dict.fromkeys(figure.attributes for figure in figures))
    columns = [Column("Attribute", names_row=True)]
    for kind in kinds:
        columns += [
            Column(headings[kind], numeric=True),
            Column("True figure lies in", numeric=True),
            Column("Can move by at most", numeric=True),
        ]
    return table(
        "importance",
        "How much each attribute matters, in percentage points",
        columns,
        [
            [
                attributes_text(process, names),
                *(
                    text
                    for kind in kinds
                    for figure in [by_attribute[kind, names]]
                    for text in (
                        hundredths(figure.result.value),
                        f"{hundredths(figure.result.low)} to {hundredths(figure.result.high)}",
                        hundredths(figure.a_priori),
                    )
                ),
            ]
            for names in attributes[:MAX_ROWS]
        ],
        _left_out(len(attributes), "attributes"),
    )


def influence_table(process: Process, figures: Sequence[Influence]) -> Table:
    """What happens to each quantity when attributes are drawn anew, and what is owed to each."""
    keys = list(dict.fromkeys((quantity_text(figure), figure.attributes) for figure in figures))
    found = {(figure.kind, quantity_text(figure), figure.attributes): figure for figure in figures}
    headings: dict[Kind, str] = {"qii": "Influence (QII)", "shapley": "Shapley value"}
    kinds = [kind for kind in headings if any(figure.kind == kind for figure in figures)]
    columns = [Column("Of what", names_row=True), Column("Attribute", names_row=True)]
    for kind in kinds:
        columns += [
            Column(headings[kind], numeric=True),
            Column("True figure lies in", numeric=True),
            Column("Can move by at most", numeric=True),
        ]
    rows = []
    for title, attributes in keys[:MAX_ROWS]:
        row = [title, attributes_text(process, attributes)]
        for kind in kinds:
            row += _figure_cells(found.get((kind, title, attributes)))
        rows.append(row)
    return table(
        "influence",
        "What moves each quantity, in percentage points",
        columns,
        rows,
        _left_out(len(keys), "influences"),
    )


def _figure_cells(figure: Influence | None) -> list[str]:
    if figure is None:
        return [NOTHING, NOTHING, NOTHING]
    inside = signed_hundredths_interval(figure.result.low, figure.result.high)
    if figure.estimate is not None:
        inside = f"estimate, ±{hundredths(figure.estimate.error)} (95%)"
    return [signed_hundredths(figure.result.value), inside, hundredths(figure.a_priori)]


def local_table(process: Process, figures: Sequence[Influence]) -> Table:
    """The weight of each attribute near some records."""
    return table(
        "local-weights",
        "What having the record’s value adds, among people like it, in percentage points",
        [
            Column("Record", names_row=True),
            Column("Attribute", names_row=True),
            Column("Adds", numeric=True),
            Column("True figure lies in", numeric=True),
            Column("Can move by at most", numeric=True),
        ],
        [
            [
                record_text(process, figure.at or {}),
                attributes_text(process, figure.attributes),
                *_figure_cells(figure),
            ]
            for figure in figures[:MAX_ROWS]
        ],
        _left_out(len(figures), "weights"),
    )


def dependence_table(process: Process, figures: Sequence[Influence]) -> Table:
    """Partial dependence and accumulated effects at every value."""
    found: dict[tuple[Kind, str, str | None], Influence] = {
        (f.kind, f.attributes[0], (f.at or {}).get(f.attributes[0])): f for f in figures
    }
    keys = list(dict.fromkeys((attribute, value) for _, attribute, value in found))
    curves: tuple[Kind, ...] = ("pdp", "ale")
    kinds = [kind for kind in curves if any(figure.kind == kind for figure in figures)]
    columns = [Column("Attribute", names_row=True), Column("Value", names_row=True)]
    for kind in kinds:
        heading = "If everybody had it (PDP)" if kind == "pdp" else "Local effect (ALE)"
        columns += [
            Column(heading, numeric=True),
            Column("True figure lies in", numeric=True),
            Column("Can move by at most", numeric=True),
        ]
    rows = []
    for attribute, value in keys[:MAX_ROWS]:
        row = [process.attribute(attribute).title, str(value)]
        for kind in kinds:
            row += _curve_cells(found.get((kind, attribute, value)))
        rows.append(row)
    return table(
        "dependence",
        "How the rate depends on each value; effects and moves in percentage points",
        columns,
        rows,
        _left_out(len(keys), "values"),
    )


def _curve_cells(figure: Influence | None) -> list[str]:
    if figure is None or figure.kind == "ale":
        return _figure_cells(figure)
    result: Interval = figure.result
    return [
        full_percent(result.value),
        full_percent_interval(result.low, result.high),
        hundredths(figure.a_priori),
    ]
