"""Turn an explanation into its part of report.json. Numbers are exactly the printed ones."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from atreport.analysis.assessment import Interval
from atreport.analysis.explanations.figure import (
    Condition,
    Explanation,
    Faithfulness,
    FoundAnchor,
    Influence,
    Region,
    Rule,
    RuleSet,
)
from atreport.spec.models.transparency import Quantity


def influence_entries(explanation: Explanation) -> list[dict[str, Any]]:
    """Every influence and every point of a curve."""
    return [_influence(influence) for influence in explanation.influence]


def rule_entries(explanation: Explanation) -> list[dict[str, Any]]:
    """Every set of rules."""
    return [_rule_set(rule_set) for rule_set in explanation.rules]


def _influence(influence: Influence) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "kind": influence.kind,
        "attributes": list(influence.attributes),
        "quantity": _quantity(influence.quantity),
        "at": None if influence.at is None else dict(influence.at),
        "value": float(influence.result.value),
        "interval": _ends(influence.result) if influence.certified else None,
        "a_priori": float(influence.a_priori),
    }
    if influence.reach is not None:
        entry["reach"] = float(influence.reach)
    if influence.estimate is not None:
        entry["estimate"] = {
            "orders": influence.estimate.orders,
            "error": float(influence.estimate.error),
            "level": float(influence.estimate.level),
        }
    return entry


def _quantity(quantity: Quantity | None) -> dict[str, Any] | None:
    if quantity is None:
        return None
    return {
        "title": quantity.title,
        "group": _condition(quantity.group or {}),
        "minus": None if quantity.minus is None else _condition(quantity.minus),
    }


def _condition(condition: Condition) -> dict[str, list[str]]:
    return {name: list(values) for name, values in condition.items()}


def _ends(interval: Interval) -> list[float]:
    return [float(interval.low), float(interval.high)]


def _rule_set(rule_set: RuleSet) -> dict[str, Any]:
    entry: dict[str, Any] = {"scheme": rule_set.scheme}
    if rule_set.depth is not None:
        entry["depth"] = rule_set.depth
    if rule_set.rules:
        entry["rules"] = [_rule(rule) for rule in rule_set.rules]
    if rule_set.regions:
        entry["regions"] = [_region(region) for region in rule_set.regions]
    if rule_set.coefficients:
        entry["coefficients"] = [
            {"attribute": c.attribute, "value": c.value, "amount": float(c.amount)}
            for c in rule_set.coefficients
        ]
    if rule_set.faithfulness is not None:
        entry["faithfulness"] = _faithfulness(rule_set.faithfulness)
    if rule_set.anchor is not None:
        entry["anchor"] = _anchor(rule_set.anchor)
    return entry


def _rule(rule: Rule) -> dict[str, Any]:
    return {"if": _condition(rule.condition), "probability": float(rule.probability), **_share(rule.share)}


def _region(region: Region) -> dict[str, Any]:
    return {
        "if": _condition(region.condition),
        "attribute": region.attribute,
        "rules": [_rule(rule) for rule in region.rules],
        **_share(region.share),
    }


def _share(share: Decimal | None) -> dict[str, Any]:
    return {} if share is None else {"share": float(share)}


def _faithfulness(faithfulness: Faithfulness) -> dict[str, Any]:
    return {
        "average_error": float(faithfulness.average_error),
        "worst_error": float(faithfulness.worst_error),
        "worst": dict(faithfulness.worst),
    }


def _anchor(anchor: FoundAnchor) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "record": dict(anchor.record),
        "outcome": anchor.outcome,
        "wanted": float(anchor.wanted),
        "if": None if anchor.condition is None else _condition(anchor.condition),
        "precision": float(anchor.precision.value),
        "interval": _ends(anchor.precision),
    }
    if anchor.coverage is not None:
        entry["coverage"] = float(anchor.coverage)
    return entry
