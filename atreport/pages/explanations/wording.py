"""How conditions, records and quantities are named for readers, in tables and charts alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atreport.analysis.explanations.figure import Condition, Explanation, Influence
from atreport.pages.wording import EVERYBODY, named_values
from atreport.spec.models.process import Process

TOGETHER = " and "


TERMS: dict[str, dict[str, str]] = {
    "exact": {},
    "tree": {
        "Decision tree": "A rule that asks one question after another, and depends on the answers alone."
    },
    "regions": {},
    "linear": {"Linear model": "A rule that adds a fixed amount for each value of a person."},
    "logistic": {
        "Logistic model": "The same on the scale of log odds, log(probability / (1 − probability)), which has no ends."
    },
    "anchor": {
        "Anchor": "The smallest part of a record that leads to its announced outcome, whatever the rest is."
    },
    "permutation": {
        "Drawn anew": "Replaced by a value that is drawn the way values occur in the population. Where that makes a "
        "combination nobody has, nothing is replaced."
    },
    "firm": {"FIRM": "The standard deviation of the favourable rate over the values of an attribute."},
    "qii": {
        "Influence (QII)": "Quantitative input influence: a rate or gap as announced, less what it is when an attribute is "
        "drawn anew."
    },
    "shapley": {"Shapley value": "An attribute’s fair share of a difference: all shares add up to it."},
    "lime": {},
    "pdp": {"Partial dependence (PDP)": "The rate if everybody had a value and kept the rest."},
    "ice": {
        "Individual curve (ICE)": "The announced probabilities of people who are alike but for one attribute."
    },
    "ale": {
        "Accumulated local effect (ALE)": "Differences between neighbouring values, added up and centred on 0."
    },
}
"""Words of each scheme for the glossary."""


def explanation_terms(explanation: Explanation) -> dict[str, str]:
    """The words that an explanation uses, with their meaning."""
    used = [*(rule_set.scheme for rule_set in explanation.rules), *(f.kind for f in explanation.influence)]
    terms: dict[str, str] = {}
    for scheme in dict.fromkeys(used):
        terms |= TERMS[scheme]
    return terms


def condition_text(process: Process, condition: Condition) -> str:
    """A condition in words: Gender is F and Annual income is <100k or 100k-200k."""
    parts = []
    for name, values in condition.items():
        attribute = process.attribute(name)
        others = [value for value in attribute.values if value not in values]
        if len(values) > 2 and len(others) == 1:
            parts.append(f"{attribute.title} is not {others[0]}")
        else:
            parts.append(f"{attribute.title} is {one_of(values)}")
    return TOGETHER.join(parts) or EVERYBODY


def one_of(values: Sequence[str]) -> str:
    """One value, or several with commas and an “or”."""
    *most, last = values
    return f"{', '.join(most)} or {last}" if most else last


def attributes_text(process: Process, attributes: Sequence[str]) -> str:
    """Some attributes by their titles; none: the base of a model."""
    return TOGETHER.join(process.attribute(name).title for name in attributes) or "Base"


def record_text(process: Process, record: Mapping[str, str]) -> str:
    """A whole record."""
    return named_values(process, record)


def quantity_text(influence: Influence) -> str:
    """What is influenced."""
    assert influence.quantity is not None, "qii and shapley have a quantity"
    return influence.quantity.title
