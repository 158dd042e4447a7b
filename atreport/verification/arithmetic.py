"""Recalculate the figures of a report by this program.

It finds what the verifier that is shipped beside reports leaves out, such as individual fairness over all pairs of cells,
and what chance may have done.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from atreport.pages.explanations.document import influence_entries, rule_entries
from atreport.verification.restore import Restored


def program_findings(restored: Restored) -> Iterator[str]:
    """Where this program finds other figures: all of them where counts are published, else what needs no population."""
    if len(restored.recalculated) != len(restored.assessments):
        yield "fairness: not the comparisons that were asked for"
        return
    whole = restored.release.population == "counts"
    for place, (stated, found) in enumerate(zip(restored.assessments, restored.recalculated, strict=True), 1):
        if stated.groups != found.groups and (
            whole or stated.measure not in ("impact_ratio", "group_disparity")
        ):
            yield f"fairness {place}, {stated.measure}: not the groups that are compared"
        if (whole or stated.measure == "individual") and stated.result != found.result:
            yield f"fairness {place}, {stated.measure}: not the figure and interval of the announced rule"
        if stated.value_at_most != found.value_at_most:
            yield f"fairness {place}, {stated.measure}: not the limit that the search gives"
        if whole and (stated.unknown, stated.outcome) != (found.unknown, found.outcome):
            yield f"fairness {place}, {stated.measure}: not what people of unknown group could make of it"
        if whole and stated.sampling != found.sampling:
            yield f"fairness {place}, {stated.measure}: not the interval for chance"
        if whole and [(r.group, r.rate, r.sampling) for r in stated.rates] != [
            (r.group, r.rate, r.sampling) for r in found.rates
        ]:
            yield f"fairness {place}, {stated.measure}: not the rates of the groups"


def explanation_findings(restored: Restored, document: Mapping[str, Any]) -> Iterator[str]:
    """Where this program finds other influences, curves or rules than stated."""
    made = {
        "influence": influence_entries(restored.explanation),
        "rules": rule_entries(restored.explanation),
    }
    for part, entries in made.items():
        stated = document[part]
        if len(entries) != len(stated):
            yield f"{part}: {len(stated)} entries, where what was asked for gives {len(entries)}"
        for place, (entry, again) in enumerate(zip(stated, entries, strict=False), start=1):
            if entry != exactly(again):
                kind = entry.get("kind") or entry.get("scheme")
                yield f"{part} {place}, {kind}: {_differing(entry, exactly(again))}"


def rules_can_be_made_again(restored: Restored, document: Mapping[str, Any]) -> bool:
    """Whether all rules follow from the announced probabilities alone."""
    return bool(exactly(rule_entries(restored.explanation)) == document["rules"])


def exactly(entry: Any) -> Any:
    """An entry of a document as it is read back: numbers as the decimals that are written."""
    return json.loads(json.dumps(entry), parse_float=Decimal)


def _differing(stated: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    keys = [key for key in {**stated, **found} if stated.get(key) != found.get(key)]
    shown = [f"{key} {stated.get(key)} is stated; recalculated {found.get(key)}" for key in keys[:2]]
    return "; ".join(text if len(text) <= 200 else f"{text[:200]}…" for text in shown)
