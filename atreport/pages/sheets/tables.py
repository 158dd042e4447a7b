"""The tables of a report, one sheet each: the rule, what it means for groups, what can be inferred, what decides.

A table that has no row has no sheet. Ends of intervals stand in columns of their own, shares and rates between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from atreport.kit.language import message, say, say_in
from atreport.kit.language.words import list_or
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
from atreport.report.explanation import Influence, Kind
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.report.people import PublishedCell
from atreport.spec.models.measures.error_rates import RateKind
from atreport.spec.models.process import Process

_CERTAIN = message("The true figure lies between the two ends for certain. They are rounded outward.")
_RATES: dict[RateKind | None, str] = {
    "true_positive": message("True positive rate"),
    "false_positive": message("False positive rate"),
    "false_negative": message("False negative rate"),
    "predictive": message("Predictive value"),
    None: message("Favourable rate"),
}
_KINDS: dict[Kind, str] = {
    "qii": message("Influence (QII)"),
    "shapley": message("Shapley value"),
    "permutation": message("Permutation importance"),
    "firm": message("Feature importance ranking measure"),
    "lime": message("Local weight"),
    "pdp": message("Partial dependence"),
    "ice": message("Individual curve"),
    "ale": message("Accumulated local effect"),
}


Rows = Iterator[list[Entry]]


def _ends() -> tuple[str, str]:
    """The headings of the ends of an interval."""
    return say("Least it can be"), say("Most it can be")


def _chance_ends() -> tuple[str, str, str]:
    """The headings of the interval that covers chance too."""
    return (
        say("Least with chance in the records"),
        say("Most with chance in the records"),
        say("Level of that interval"),
    )


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
    size = {"shares": [say("Share of people")], "counts": [say("People")], "withheld": []}[policy.population]
    outcomes = [
        say("Announced probability of “{outcome}”", outcome=outcome) for outcome in process.outcome.values
    ]
    bounds = list(_ends()) if policy.fidelity.bounds else []
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
    lines = [say("One row for each combination of attributes. Probabilities and shares are between 0 and 1.")]
    if bounds:
        favourable = process.outcome.favourable
        lines.append(
            say("Least and most are those of the true probability of “{outcome}”.", outcome=favourable)
        )
    title = say("The announced rule: {process}", process=process.name)
    return table_sheet(say_in("worksheet", "Rule"), title, lines, table)


def _size(cell: PublishedCell) -> Entry:
    size = cell.population if cell.population is not None else cell.share
    return CONFIDENTIAL if size is None else size


def _fairness(report: Report) -> Sheet:
    heading = [say("Measure"), say("First group"), say("Second group"), say("Among"), say("Announced value")]
    heading += [*_ends(), say("Most it can move at this fidelity"), say("Threshold"), say("Verdict")]
    heading += [say("Outcome that gives the value")]
    chance = any(a.sampling for a in report.fairness)
    unknown = any(a.unknown for a in report.fairness)
    heading += _chance_ends() if chance else ()
    heading += (say("Least for any unknown groups"), say("Most for any unknown groups")) if unknown else ()
    rows = (
        [
            measure_name(a),
            *(a.groups or (say(EVERYBODY_COMPARED), NOT_APPLICABLE)),
            _values(a.given, report.process),
            *_bounded(a),
            _or(a.a_priori, NOT_AVAILABLE),
            _or(a.threshold),
            say(VERDICTS[a.verdict][0]) if a.verdict else NOT_APPLICABLE,
            a.outcome or NOT_APPLICABLE,
            *(_chance(a) if chance else ()),
            *((a.unknown.interval if a.unknown else (NOT_APPLICABLE,) * 2) if unknown else ()),
        ]
        for a in report.fairness
    )
    lines = [
        say(_CERTAIN),
        say("A verdict compares the interval with the threshold. It is a screening, not a proof."),
    ]
    table = make_table("Fairness", heading, rows)
    return table_sheet(say_in("worksheet", "Fairness"), say("Fairness measures"), lines, table)


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
    heading = [say("Measure"), say("Among"), say("Group"), say("Rate"), say("Announced rate"), *_ends()]
    heading += [*([say("People")] if people else []), *(_chance_ends() if chance else ())]
    rows = dict.fromkeys(
        (
            measure_name(a),
            _values(a.given, report.process),
            rate.group,
            say(_RATES[rate.kind]),
            rate.value,
            *rate.interval,
            *([_or(rate.people, CONFIDENTIAL)] if people else []),
            *(_chance(rate) if chance else ()),
        )
        for a, rate in rates
    )
    favourable = say("The favourable outcome is: {outcome}.", outcome=report.process.outcome.favourable)
    table = make_table("Group_rates", heading, rows)
    return table_sheet(
        say_in("worksheet", "Group_rates"), say("Rates by group"), [say(_CERTAIN), favourable], table
    )


def _not_assessed(report: Report) -> Sheet:
    reasons = {
        None: say("Nobody is in at least one of the groups"),
        "joined": say("Published only under a joined value"),
    }
    rows = (
        [
            MEASURES[each.measure].named_at(None, each.rate),
            *(each.groups or (say(EVERYBODY_COMPARED), NOT_APPLICABLE)),
            _values(each.given, report.process),
            reasons[each.reason],
        ]
        for each in report.not_assessed or ()
    )
    heading = [say("Measure"), say("First group"), say("Second group"), say("Among")]
    heading += [say("Why it could not be compared")]
    table = make_table("Not_assessed", heading, rows)
    title = say("Comparisons that could not be made")
    return table_sheet(say_in("worksheet", "Not_assessed"), title, [], table)


def _value_rates(report: Report) -> Sheet:
    rows: Rows = (
        [report.process.attribute(rate.attribute).title, rate.of, rate.value, *rate.interval]
        for rate in report.value_rates or ()
    )
    heading = [say("Attribute"), say("Value"), say("Favourable rate"), *_ends()]
    table = make_table("Rates_by_value", heading, rows)
    title = say("Favourable rate by value of each attribute")
    return table_sheet(say_in("worksheet", "Rates_by_value"), title, [say(_CERTAIN)], table)


def _confidence(report: Report) -> Sheet:
    names = [a for a in report.process.attributes if a.role == "public"]
    groups = report.privacy.groups
    lift, odds = (any(key in group.model_fields_set for group in groups) for key in ("lift", "odds"))
    heading = [*(a.title for a in names), *(() if names else (say("People"),))]
    heading += [say("Highest confidence before"), say("Highest confidence after"), say("Cells")]
    heading += [say("At most so many times as likely")] if lift else []
    heading += [say("Odds change at most by a factor of")] if odds else []
    rows = (
        [
            *([group.qid[a.name] for a in names] or [say(EVERYBODY)]),
            group.prior,
            group.beta,
            group.cells,
            *([_or(group.lift)] if lift else []),
            *([_or(group.odds, NOT_AVAILABLE)] if odds else []),
        ]
        for group in groups
    )
    lines = [
        say(
            "Confidence is how sure someone who believes this report can be of a sensitive value of a person in the "
            "group. It is rounded up."
        )
    ]
    title = say("What can be inferred about people, by group")
    table = make_table("Confidence", heading, rows)
    return table_sheet(say_in("worksheet", "Confidence"), title, lines, table)


def _sensitive_values(report: Report) -> Sheet:
    heading = [say("Sensitive attribute"), say("Value"), say("Highest confidence before")]
    heading += [say("Highest confidence after"), say("At most so many times as likely")]
    heading += [say("Group with the largest rise"), say("Before in that group"), say("After in that group")]
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
    title = say("What can be inferred about people, by sensitive value")
    lines = [say("Figures are the highest over all groups and outcomes. They are rounded up.")]
    return table_sheet(say_in("worksheet", "Sensitive_values"), title, lines, table)


def _influence(report: Report) -> Sheet:
    process = report.process
    reach = any(each.reach is not None for each in report.influence)
    heading = [say("Kind"), say("Attributes"), say("Of"), say("At"), say("Announced value"), *_ends()]
    heading += [say("Most it can move at this fidelity")]
    heading += [say("Share of draws that occur")] if reach else []
    rows = (
        [
            say(_KINDS[each.kind]),
            ", ".join(process.attribute(name).title for name in each.attributes) or say("Base"),
            _quantity(each, process),
            _values(each.at, process) if each.at else NOT_APPLICABLE,
            each.value,
            *(each.interval or (NOT_AVAILABLE, NOT_AVAILABLE)),
            each.a_priori,
            *([_or(each.reach)] if reach else []),
        ]
        for each in report.influence
    )
    lines = [say(_CERTAIN), say("An influence can be negative: the attribute then lowers the rate.")]
    table = make_table("Influence", heading, rows)
    title = say("Influence of attributes on the announced rule")
    return table_sheet(say_in("worksheet", "Influence"), title, lines, table)


def _quantity(each: Influence, process: Process) -> str:
    if each.quantity is None:
        return say("Announced probability of “{outcome}”", outcome=process.outcome.favourable)
    title, group, minus = each.quantity.title, each.quantity.group, each.quantity.minus
    if minus is None:
        return say("{title}: {group}", title=title, group=_condition(group, process))
    return say(
        "{title}: {group}, less {other}",
        title=title,
        group=_condition(group, process),
        other=_condition(minus, process),
    )


def _condition(condition: Condition, process: Process) -> str:
    named = (
        say("{attribute}: {value}", attribute=process.attribute(name).title, value=list_or(values))
        for name, values in condition.items()
    )
    return "; ".join(named) or say(EVERYBODY)


def _values(values: Mapping[str, str] | None, process: Process) -> str:
    """People by their values, each with its attribute; or everybody."""
    return _condition({name: (value,) for name, value in (values or {}).items()}, process)


def _or(number: Decimal | int | None, mark: str = NOT_APPLICABLE) -> Entry:
    """A number, or the mark that says why there is none."""
    return mark if number is None else number
