"""What is the publisher's own word in a report: said on the page, where readers are told how to check the rest."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from atreport.report.model import Report
from atreport.text.language import gettext, list_and, message

IN_WORDS: Mapping[str, str] = {
    "who publishes what": message("title, publisher, version, dates and contact"),
    "what the process is": message(
        "the name of the process, and what it, its outcome and its attributes are called"
    ),
    "what was promised, and what counts as few people": message(
        "the ceilings, and what counts as few people"
    ),
    "how records became the rule": message("whom the population counts, and how numbers became ranges"),
    "which comparisons and explanations were asked for": message(
        "which comparisons and explanations were asked for"
    ),
    "what stands in the form": message("what stands in the fields of the form"),
    "notes and references to the law": message("the publisher's notes and references to the law"),
    "the house style": message("the words of the house style"),
    "translations": message("the translations of all these"),
}
"""What each kind of own words is called; to be said with `gettext`."""


def own_words(report: Report) -> str:
    """What the publisher alone vouches for in a report, in a sentence."""
    without_cells = report.model_copy(
        update={"cells": ()}
    )  # there may be a million, and none is a word of the publisher
    lines = {covering(key) for key in stated_keys(without_cells.as_json())}
    stated = {KEYS[line][1] for line in lines if line is not None and KEYS[line][0] == "own word"}
    return gettext(
        "What the publisher says besides follows from nothing, and is the publisher's own word: {things}.",
        things=list_and([gettext(words) for kind, words in IN_WORDS.items() if kind in stated]),
    )


# Of every key of report.json: who checks it, or whose word it is. The table of docs/trust.md is compared with
# this one.
#
# A key stands with the dots of its path; `.*` covers all below it. A key that has no line here fails a test,
# so that nobody adds one that reaches a page and is checked by nobody.

Check = Literal["both verifiers", "atreport verify", "with more", "own word"]
"""both verifiers: `atreport verify` and `verify.py`. with more: takes the data, the ledger or the files that made it."""

_KEYS: Mapping[Check, Mapping[str, str]] = {
    "both verifiers": {
        "recalculated from the published cells": "identifier privacy.beta privacy.gamma privacy.lift privacy.odds "
        "privacy.contribution privacy.attributes.* privacy.groups.* fairness.value fairness.interval fairness.a_priori "
        "fairness.rates.group fairness.rates.kind fairness.rates.value fairness.rates.interval fairness.log_ratio.* "
        "fairness.by_outcome.* fairness.sampling.interval fairness.sampling.level fairness.rates.sampling.interval "
        "fairness.rates.sampling.level fairness.verdict",
        "held against the share of people left out, and weighed in every interval": "privacy.unprotectable.left_out.*",
        "held against what was asked for": "fairness.measure fairness.title fairness.groups fairness.given "
        "fairness.threshold fairness.rate",
        "known values, probabilities that make one, inside their bounds": "cells.announced cells.share",
        "the ceilings that figures are held against": "process.attributes.ceilings",
        "the roles, values and joins that figures are calculated with": "process.outcome.values process.outcome.favourable "
        "process.attributes.name process.attributes.role process.attributes.values process.attributes.joined",
        "the precision that every figure has": "policy.decimals policy.share_decimals policy.bound_decimals",
        "the files that stand beside the report": "style.logo.file style.logo.sha256",
    },
    "atreport verify": {
        "recalculated from the published cells": "value_rates.* fairness.at_least fairness.value_at_most "
        "fairness.rates.people fairness.by fairness.outcome fairness.unknown.* fairness.sampling.method "
        "fairness.rates.sampling.method not_assessed.* influence.* rules.* unexplained form.tables.*",
        "follows from the counts that are published": "cells.population cells.guarded.* policy.small_cells.known_sums.* "
        "policy.small_cells.suppressed",
        "fits the other figures and names": "policy.population policy.small_cells.policy "
        "policy.small_cells.hidden_in privacy.unprotectable.merged.attribute privacy.unprotectable.merged.value "
        "privacy.unprotectable.policy estimation.ranges.attribute estimation.ranges.value "
        "estimation.outcome.ranges.attribute estimation.outcome.ranges.value estimation.outcome.at "
        "estimation.edges_from_decisions process.attributes.unknown process.estimated_from",
        "the form of the document": "format $schema form.template",
        "made again, word by word": "notes.*",
    },
    "with more": {
        "the data (`--with-data`)": "policy.fidelity.* cells.bounds policy.mechanism policy.objective policy.minimise "
        "policy.grid commitment.* estimation.faithfulness estimation.excluded estimation.excluded_between "
        "privacy.unprotectable.groups privacy.unprotectable.share estimation.method",
        "the ledger or a proof from it (`--ledger`)": "ledger.*",
        "the programs that it names, installed": "generator",
    },
    "own word": {
        "who publishes what": "report.*",
        "what the process is": "process.name process.description process.outcome.name process.outcome.label "
        "process.outcome.bins process.attributes.label process.attributes.description process.attributes.hierarchy",
        "what was promised, and what counts as few people": "policy.privacy.* policy.small_cells.under "
        "policy.small_cells.protection",
        "how records became the rule": "estimation.population estimation.ranges.from estimation.ranges.below "
        "estimation.outcome.ranges.from estimation.outcome.ranges.below",
        "which comparisons and explanations were asked for": "measures.* sections.transparency.*",
        "what stands in the form": "form.fields.* sections.form.*",
        "notes and references to the law": "disclosure.*",
        "the house style": "style.logo.alt style.colours.* style.cover style.sections.*",
        "translations": "translations",
    },
}

KEYS: Final[Mapping[str, tuple[Check, str]]] = MappingProxyType(
    {
        key: (check, how)
        for check, of_check in _KEYS.items()
        for how, keys in of_check.items()
        for key in keys.split()
    }
)
"""Key → who checks it, and how; or that it is the publisher's own word, and about what."""


def covering(key: str) -> str | None:
    """The line that stands for a key: its own, or one that covers all below another; None where there is none."""
    if key in KEYS:
        return key
    parts = key.split(".")
    wide = (".".join(parts[:length]) + ".*" for length in range(len(parts), 0, -1))
    return next((each for each in wide if each in KEYS), None)


def stated_keys(document: Any, key: str = "") -> Iterator[str]:
    """The keys of a report.json that hold something, with dots between them; entries of a list have that of the list."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from stated_keys(value, f"{key}.{name}" if key else str(name))
    elif isinstance(document, list):
        for value in document:
            yield from stated_keys(value, key)
    elif key:
        yield key
