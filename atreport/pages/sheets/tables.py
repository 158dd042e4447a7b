"""The tables of a report, one sheet each: the rule, what it means for groups, what can be inferred, what decides.

A table that has no row has no sheet. Ends of intervals stand in columns of their own, shares and rates between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from atreport.pages.measures import EVERYBODY_COMPARED, MEASURES, measure_name
from atreport.pages.sheets.workbook import (
    CONFIDENTIAL,
    NOT_APPLICABLE,
    NOT_AVAILABLE,
    Entry,
    Sheet,
    make_table,
    table_sheet,
)
from atreport.pages.wording import EVERYBODY, VERDICTS
from atreport.report.explanation import Influence
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.models.process import Process

_ENDS = ("Least it can be", "Most it can be")
_CHANCE = ("Least with chance in the records", "Most with chance in the records", "Level of that interval")
_CERTAIN = "The true figure lies between the two ends for certain; they are rounded outward."
_RATES = {
    "true_positive": "True positive rate",
    "false_positive": "False positive rate",
    "false_negative": "False negative rate",
    "predictive": "Predictive value",
    None: "Favourable rate",
}
_KINDS = {
    "qii": "Influence (QII)",
    "shapley": "Shapley value",
    "permutation": "Permutation importance",
    "firm": "Feature importance ranking measure",
    "lime": "Local weight",
    "pdp": "Partial dependence",
    "ice": "Individual curve",
    "ale": "Accumulated local effect",
}


Rows = Iterator[list[Entry]]


def table_sheets(report: Report) -> Iterator[Sheet]:
    """Every table of the report that has rows."""
    yield _rule(report)
    for sheet in (
        _fairness(report),
        _group_rates(report),
        _not_assessed(report),
        _value_rates(report),
        _confidence(report),
        _sensitive_values(report),
        _influence(report),
    ):
        if sheet.table is not None and sheet.table.rows:
            yield sheet


def _rule(report: Report) -> Sheet:
    process, policy = report.process, report.policy
    size = {"shares": ["Share of all people"], "counts": ["People"], "withheld": []}[policy.population]
    outcomes = [f"Announced probability of {outcome}" for outcome in process.outcome.values]
    bounds = list(_ENDS) if policy.fidelity.bounds else []
    rows = (
        [
            *(cell.values[a.name] for a in process.attributes),
            *([_size(cell)] if size else []),
            *(cell.announced[outcome] for outcome in process.outcome.values),
            *(cell.bounds or ()),
        ]
        for cell in report.cells
    )
    table = make_table("Rule", [*(a.title for a in process.attributes), *size, *outcomes, *bounds], rows)
    lines = ["One row for each combination of attributes. Probabilities and shares are between 0 and 1."]
    if bounds:
        favourable = process.outcome.favourable
        lines.append(f"Least and most are those of the true probability of {favourable}.")
    return table_sheet("Rule", f"The announced rule: {process.name}", lines, table)


def _size(cell: PublishedCell) -> Entry:
    size = cell.population if cell.population is not None else cell.share
    return CONFIDENTIAL if size is None else size


def _fairness(report: Report) -> Sheet:
    heading = ["Measure", "First group", "Second group", "Among", "Announced value", *_ENDS]
    heading += ["Most it can move at this fidelity", "Threshold", "Verdict", "Outcome that gives the value"]
    chance = any(a.sampling for a in report.fairness)
    unknown = any(a.unknown for a in report.fairness)
    heading += _CHANCE if chance else ()
    heading += ("Least for any unknown groups", "Most for any unknown groups") if unknown else ()
    rows = (
        [
            measure_name(a),
            *(a.groups or (EVERYBODY_COMPARED, NOT_APPLICABLE)),
            _values(a.given, report.process),
            *_bounded(a),
            _or(a.a_priori, NOT_AVAILABLE),
            _or(a.threshold),
            VERDICTS[a.verdict][0] if a.verdict else NOT_APPLICABLE,
            a.outcome or NOT_APPLICABLE,
            *(_chance(a) if chance else ()),
            *((a.unknown.interval if a.unknown else (NOT_APPLICABLE,) * 2) if unknown else ()),
        ]
        for a in report.fairness
    )
    lines = [_CERTAIN, "A verdict compares the interval with the threshold. It is a screening, not a proof."]
    return table_sheet("Fairness", "Fairness measures", lines, make_table("Fairness", heading, rows))


def _bounded(a: Assessment) -> tuple[Entry, Entry, Entry]:
    """The value and the ends of its interval; where nothing bounds it from above, the least that it can be."""
    if a.value is None or a.interval is None:
        return _or(a.value, NOT_AVAILABLE), _or(a.at_least, NOT_AVAILABLE), NOT_AVAILABLE
    return a.value, *a.interval


def _chance(figure: Assessment | GroupRate) -> tuple[Entry, ...]:
    found = figure.sampling
    return (NOT_APPLICABLE,) * 3 if found is None else (*found.interval, found.level)


def _group_rates(report: Report) -> Sheet:
    rates = [(a, rate) for a in report.fairness for rate in a.rates or ()]
    people, chance = (any(getattr(rate, key) for _, rate in rates) for key in ("people", "sampling"))
    heading = ["Measure", "Among", "Group", "Rate", "Announced rate", *_ENDS]
    heading += [*(["People"] if people else []), *(_CHANCE if chance else ())]
    rows = dict.fromkeys(
        (
            measure_name(a),
            _values(a.given, report.process),
            rate.group,
            _RATES[rate.kind],
            rate.value,
            *rate.interval,
            *([_or(rate.people, CONFIDENTIAL)] if people else []),
            *(_chance(rate) if chance else ()),
        )
        for a, rate in rates
    )
    lines = [_CERTAIN, f"The favourable outcome is: {report.process.outcome.favourable}."]
    return table_sheet("Group_rates", "Rates by group", lines, make_table("Group_rates", heading, rows))


def _not_assessed(report: Report) -> Sheet:
    reasons = {None: "Nobody is in one of the groups", "joined": "Published only under a joined value"}
    rows = (
        [
            MEASURES[each.measure].named_at(None, each.rate),
            *(each.groups or (EVERYBODY_COMPARED, NOT_APPLICABLE)),
            _values(each.given, report.process),
            reasons[each.reason],
        ]
        for each in report.not_assessed or ()
    )
    heading = ["Measure", "First group", "Second group", "Among", "Why it could not be compared"]
    table = make_table("Not_assessed", heading, rows)
    return table_sheet("Not_assessed", "Comparisons that could not be made", [], table)


def _value_rates(report: Report) -> Sheet:
    rows: Rows = (
        [report.process.attribute(rate.attribute).title, rate.of, rate.value, *rate.interval]
        for rate in report.value_rates or ()
    )
    table = make_table("Rates_by_value", ["Attribute", "Value", "Favourable rate", *_ENDS], rows)
    return table_sheet("Rates_by_value", "Favourable rate by value of each attribute", [_CERTAIN], table)


def _confidence(report: Report) -> Sheet:
    names = [a for a in report.process.attributes if a.role == "public"]
    groups = report.privacy.groups
    lift, odds = (any(key in group.model_fields_set for group in groups) for key in ("lift", "odds"))
    heading = [*(a.title for a in names), *(() if names else ("People",))]
    heading += ["Highest confidence before", "Highest confidence after", "Cells"]
    heading += [
        *(["At most so many times as likely"] if lift else []),
        *(["Odds change at most by"] if odds else []),
    ]
    rows = (
        [
            *([group.qid[a.name] for a in names] or [EVERYBODY]),
            group.prior,
            group.beta,
            group.cells,
            *([_or(group.lift)] if lift else []),
            *([_or(group.odds, NOT_AVAILABLE)] if odds else []),
        ]
        for group in groups
    )
    lines = ["How sure anybody can be of a sensitive value of a person in the group. Rounded up."]
    title = "What can be inferred about people, by group"
    return table_sheet("Confidence", title, lines, make_table("Confidence", heading, rows))


def _sensitive_values(report: Report) -> Sheet:
    heading = ["Sensitive attribute", "Value", "Highest confidence before", "Highest confidence after"]
    heading += [
        "At most so many times as likely",
        "Group with the largest rise",
        "Before in it",
        "After in it",
    ]
    rows: Rows = (
        [
            report.process.attribute(attribute.name).title,
            each.value,
            each.before,
            each.after,
            each.lift,
            _values(each.rise.qid, report.process),
            each.rise.before,
            each.rise.after,
        ]
        for attribute in report.privacy.attributes or ()
        for each in attribute.values
    )
    table = make_table("Sensitive_values", heading, rows)
    title = "What can be inferred about people, by sensitive value"
    return table_sheet(
        "Sensitive_values", title, ["Highest over all groups and outcomes. Rounded up."], table
    )


def _influence(report: Report) -> Sheet:
    process = report.process
    reach = any(each.reach is not None for each in report.influence)
    heading = [
        "Kind",
        "Attributes",
        "Of",
        "At",
        "Announced value",
        *_ENDS,
        "Most it can move at this fidelity",
    ]
    heading += ["Share of draws that occur"] if reach else []
    rows = (
        [
            _KINDS[each.kind],
            ", ".join(process.attribute(name).title for name in each.attributes) or "Base",
            _quantity(each, process),
            _values(each.at, process) if each.at else NOT_APPLICABLE,
            each.value,
            *(each.interval or (NOT_AVAILABLE, NOT_AVAILABLE)),
            each.a_priori,
            *([_or(each.reach)] if reach else []),
        ]
        for each in report.influence
    )
    lines = [_CERTAIN, "An influence can be negative: the attribute then lowers the rate."]
    table = make_table("Influence", heading, rows)
    return table_sheet("Influence", "Influence of attributes on the announced rule", lines, table)


def _quantity(each: Influence, process: Process) -> str:
    if each.quantity is None:
        return f"Announced probability of {process.outcome.favourable}"
    group, minus = each.quantity.group, each.quantity.minus
    less = "" if minus is None else f", less {_condition(minus, process)}"
    return f"{each.quantity.title}: {_condition(group, process)}{less}"


def _condition(condition: Condition, process: Process) -> str:
    named = (f"{process.attribute(name).title}: {' or '.join(values)}" for name, values in condition.items())
    return "; ".join(named) or EVERYBODY


def _values(values: Mapping[str, str] | None, process: Process) -> str:
    """People by their values, each with its attribute; or everybody."""
    return "; ".join(f"{process.attribute(k).title}: {v}" for k, v in (values or {}).items()) or EVERYBODY


def _or(number: Decimal | int | None, mark: str = NOT_APPLICABLE) -> Entry:
    """A number, or the mark that says why there is none."""
    return mark if number is None else number
