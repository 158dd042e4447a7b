"""Turn what the transparency schemes found on a rule table into the report's parts on rules and influence."""

from collections.abc import Sequence
from typing import Any

from atreport.core.rule_table import RuleTable
from atreport.explain import explanation as found_parts
from atreport.report.explanation import (
    Anchor,
    Coefficient,
    Estimate,
    Faithfulness,
    Influence,
    PublishedQuantity,
    Region,
    Rule,
    RuleSet,
)
from atreport.report.figures import Condition, printed_interval, printed_value
from atreport.spec.transparency import Quantity
from atreport.text.numbers import rounded_down, rounded_up


def print_influences(table: RuleTable, found: Sequence[found_parts.Influence]) -> tuple[Influence, ...]:
    """Every influence and every point of a curve as printed."""
    return tuple(_influence(table, each) for each in found)


def print_rule_sets(table: RuleTable, found: Sequence[found_parts.RuleSet]) -> tuple[RuleSet, ...]:
    """Every set of rules as printed."""
    return tuple(_rule_set(table, each) for each in found)


def _influence(table: RuleTable, found: found_parts.Influence) -> Influence:
    decimals = table.decimals
    further: dict[str, Any] = {}
    if found.reach is not None:
        further["reach"] = rounded_down(found.reach, decimals)
    if found.estimate is not None:
        further["estimate"] = Estimate(
            orders=found.estimate.orders,
            error=rounded_up(found.estimate.error, decimals),
            level=found.estimate.level,
        )
    return Influence(
        kind=found.kind,
        attributes=found.attributes,
        quantity=_quantity(found.quantity),
        at=None if found.at is None else dict(found.at),
        value=printed_value(found.ranges, decimals),
        interval=printed_interval(found.ranges, decimals) if found.estimate is None else None,
        a_priori=rounded_up(found.bound, decimals),
        **further,
    )


def _quantity(quantity: Quantity | None) -> PublishedQuantity | None:
    if quantity is None:
        return None
    return PublishedQuantity(
        title=quantity.title,
        group=_condition(quantity.group or {}),
        minus=None if quantity.minus is None else _condition(quantity.minus),
    )


def _condition(condition: found_parts.Condition) -> Condition:
    return {name: tuple(values) for name, values in condition.items()}


def _stated(**parts: Any) -> dict[str, Any]:
    """What there is to state: neither None nor empty."""
    return {name: part for name, part in parts.items() if part is not None and part != ()}


def _rule_set(table: RuleTable, found: found_parts.RuleSet) -> RuleSet:
    faithful = found.faithfulness
    return RuleSet(
        scheme=found.scheme,
        **_stated(
            depth=found.depth,
            rules=tuple(map(_rule, found.rules)),
            regions=tuple(map(_region, found.regions)),
            coefficients=tuple(
                Coefficient(attribute=each.attribute, value=each.value, amount=each.amount)
                for each in found.coefficients
            ),
            faithfulness=None
            if faithful is None
            else Faithfulness(
                average_error=faithful.average_error,
                worst_error=faithful.worst_error,
                worst=dict(faithful.worst),
            ),
            anchor=None if found.anchor is None else _anchor(table, found.anchor),
        ),
    )


def _rule(found: found_parts.Rule) -> Rule:
    return Rule(
        condition=_condition(found.condition), probability=found.probability, **_stated(share=found.share)
    )


def _region(found: found_parts.Region) -> Region:
    return Region(
        condition=_condition(found.condition),
        attribute=found.attribute,
        rules=tuple(map(_rule, found.rules)),
        **_stated(share=found.share),
    )


def _anchor(table: RuleTable, found: found_parts.FoundAnchor) -> Anchor:
    return Anchor(
        record=dict(found.record),
        outcome=found.outcome,
        wanted=found.wanted,
        condition=None if found.condition is None else _condition(found.condition),
        precision=printed_value(found.precision, table.decimals),
        interval=printed_interval(found.precision, table.decimals),
        **_stated(coverage=found.coverage),
    )
