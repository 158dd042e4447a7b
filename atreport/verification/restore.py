"""Turn a published report.json back into what it was made from: the release, the spec's public text, the assessments.

The report is a function of the release, and the release can be read back from the report: so whoever has report.json can
make every other public file again, and compare. Two things cannot be read back and need not be: exact counts where only
shares (or nothing) are published, and the sections of the spec that never reach a reader. Figures that depend on exact
counts are taken from the report as stated; they are recalculated elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any

import numpy as np
from pydantic import ValidationError

from atreport.analysis.assessment import (
    Assessment,
    GroupRate,
    Interval,
    NotAssessed,
    OutcomeResult,
    Sampling,
    UnknownRange,
)
from atreport.analysis.explanations.explain import explain_rule
from atreport.analysis.explanations.figure import Explanation, Influence
from atreport.analysis.fairness import assess
from atreport.analysis.value_rates import ValueRate
from atreport.announcement import CellBounds, Release
from atreport.errors import NotAReport
from atreport.population.band import Closeness
from atreport.population.estimation import Estimation, ValueRange
from atreport.population.protection import Protection
from atreport.spec.models.process import Process
from atreport.spec.models.spec import PublicSpec
from atreport.verification.restore_people import restore_cells, restore_small_cells, steps


@dataclass(frozen=True, kw_only=True, eq=False)
class Restored:
    """What a report was made from, as far as it can be read back."""

    release: Release
    spec: PublicSpec
    assessments: Sequence[Assessment]  # as stated in the report
    recalculated: Sequence[Assessment]  # from the restored release; the same where counts are published
    explanation: Explanation  # recalculated, with the intervals as stated
    left_out: Sequence[NotAssessed]
    rates: Sequence[ValueRate] | None  # None: to be calculated


def restore(document: Mapping[str, Any]) -> Restored:
    """Read everything back from a report.json that satisfies its schema."""
    try:
        spec = _spec(document)
        release = _release(document, spec.process)
        recalculated, left_out = assess(release, spec)
        stated = [
            _assessment(entry, release.decimals, again)
            for entry, again in zip_longest(document["fairness"], recalculated)
            if entry is not None
        ]
        explanation = _explanation(document, release, spec)
        rates = [_value_rate(entry, release.decimals) for entry in document.get("value_rates", [])]
    except (
        ValidationError,
        ValueError,
        LookupError,
        ArithmeticError,
        AssertionError,
        StopIteration,
    ) as error:
        raise NotAReport(f"its parts do not fit together ({type(error).__name__})") from None
    return Restored(
        release=release,
        spec=spec,
        assessments=stated,
        recalculated=recalculated,
        explanation=explanation,
        left_out=left_out,
        rates=None if release.population == "counts" else rates,
    )


def restore_release(document: Mapping[str, Any]) -> Release:
    """The release alone: from the parts of a report.json on process, policy, privacy and cells."""
    return _release(document, Process.model_validate(document["process"]))


def _spec(document: Mapping[str, Any]) -> PublicSpec:
    """The spec's public text. Notes, references and what is withheld stand among the notes, each under its own kind."""
    policy = document["policy"]
    fidelity = {"bounds": {}} if "bounds" in policy["fidelity"] else policy["fidelity"]
    notes = document["notes"]
    return PublicSpec.model_validate(
        {
            "report": document["report"],
            "process": document["process"],
            "policy": {
                "fidelity": fidelity,
                "privacy": policy["privacy"],
                "unprotectable": document["privacy"]["unprotectable"]["policy"],
                "objective": policy["objective"],
                "mechanism": policy["mechanism"],
                "decimals": policy["decimals"],
                "small_cells": {
                    "policy": policy["small_cells"]["policy"],
                    "under": policy["small_cells"]["under"],
                },
            },
            "fairness": document["measures"],
            **document.get("sections", {}),
            "disclosure": {
                "population": policy["population"],
                "commitment": "salted_hash" if "commitment" in document else None,
                "notes": [{"title": n["title"], "text": n["text"]} for n in _of_kind(notes, "publisher")],
                "legal": [n["text"] for n in _of_kind(notes, "legal")],
                "withheld": [
                    {"what": n["title"].removeprefix("Withheld: "), "because": n["text"]}
                    for n in _of_kind(notes, "withheld")
                ],
            },
        }
    )


def _of_kind(notes: Sequence[Mapping[str, str]], kind: str) -> list[Mapping[str, str]]:
    return [note for note in notes if note["id"].startswith(f"{kind}-")]


def _release(document: Mapping[str, Any], process: Process) -> Release:
    policy, privacy = document["policy"], document["privacy"]
    decimals = policy["decimals"]
    cells = restore_cells(document, process)
    people = cells.population
    shares = people if policy["population"] == "shares" else np.ones_like(people)
    outcomes = process.outcome.values
    mapping = [[steps(cell["announced"][o], decimals) for o in outcomes] for cell in document["cells"]]
    account = privacy["unprotectable"]
    return Release(
        cells=cells,
        mapping=np.array(mapping, dtype=np.int64),
        decimals=decimals,
        fidelity=_fidelity(document),
        mechanism=policy["mechanism"],
        estimation=_estimation(document),
        small_cells=restore_small_cells(document, cells),
        population=policy["population"],
        shares=shares,
        share_decimals=policy.get("share_decimals", 0),
        group_beta=np.array([steps(g["beta"], decimals) for g in privacy["groups"]], dtype=np.int64),
        group_prior=np.array([steps(g["prior"], decimals) for g in privacy["groups"]], dtype=np.int64),
        contribution_steps=steps(privacy["contribution"], decimals),
        protection=Protection(
            policy=account["policy"],
            groups=account["groups"],
            people=steps(account["share"], decimals),
            everybody=10**decimals,
            merged=tuple((each["attribute"], each["value"]) for each in account["merged"]),
        ),
    )


def _fidelity(document: Mapping[str, Any]) -> Closeness | CellBounds:
    policy = document["policy"]
    if "bounds" not in policy["fidelity"]:
        return Closeness(**{name: Decimal(value) for name, value in policy["fidelity"].items()})
    decimals = policy["bound_decimals"]
    lower, upper = (
        np.array([steps(cell["bounds"][end], decimals) for cell in document["cells"]], dtype=np.int64)
        for end in (0, 1)
    )
    return CellBounds(lower=lower, upper=upper, decimals=decimals)


def _printed(number: Decimal | int, decimals: int) -> Decimal:
    """A figure with all its printed decimals."""
    return Decimal(steps(number, decimals)).scaleb(-decimals)


def _interval(entry: Mapping[str, Any], decimals: int) -> Interval | None:
    if entry["value"] is None or entry["interval"] is None:
        return None
    value, low, high = (_printed(number, decimals) for number in (entry["value"], *entry["interval"]))
    return Interval(value=value, low=low, high=high)


def _sampling(entry: Mapping[str, Any], decimals: int) -> Sampling | None:
    if "sampling" not in entry:
        return None
    chance = entry["sampling"]
    low, high = (_printed(number, decimals) for number in chance["interval"])
    return Sampling(low=low, high=high, level=chance["level"], method=chance["method"])


def _value_rate(entry: Mapping[str, Any], decimals: int) -> ValueRate:
    rate = _interval(entry, decimals)
    assert rate is not None
    return ValueRate(attribute=entry["attribute"], value=entry["of"], rate=rate)


def _explanation(document: Mapping[str, Any], release: Release, spec: PublicSpec) -> Explanation:
    """Recalculated; an interval that is wider than the shares give, by what their rounding allows, is as stated.

    Without a population nothing but the exact rules can be recalculated: then every influence is as stated.
    """
    found = explain_rule(release, spec)
    influence = list(found.influence)
    for place, (stated, again) in enumerate(zip(document["influence"], influence, strict=False)):
        if release.population == "withheld":
            influence[place] = _influence(stated, again, release.decimals)
            continue
        if stated["interval"] is None or not again.certified:
            continue
        low, high = (_printed(end, release.decimals) for end in stated["interval"])
        wider = again.result.low - low, high - again.result.high
        if release.population == "shares" and all(0 <= by * release.scale <= 1 for by in wider):
            influence[place] = replace(again, result=replace(again.result, low=low, high=high))
    return replace(found, influence=tuple(influence))


def _influence(stated: Mapping[str, Any], again: Influence, decimals: int) -> Influence:
    """An influence as stated, on what it was asked to be about."""
    value, *ends = (_printed(n, decimals) for n in (stated["value"], *(stated["interval"] or ())))
    low, high = ends or (value, value)
    return replace(
        again,
        result=Interval(value=value, low=low, high=high),
        a_priori=_printed(stated["a_priori"], decimals),
        certified=stated["interval"] is not None,
        reach=_printed(stated["reach"], decimals) if "reach" in stated else None,
    )


def _estimation(document: Mapping[str, Any]) -> Estimation | None:
    entry = document.get("estimation")
    if entry is None:
        return None
    return Estimation(
        method=entry["method"],
        population=entry["population"],
        excluded=entry.get("excluded"),
        faithfulness=None
        if "faithfulness" not in entry
        else Decimal(entry["faithfulness"]).quantize(Decimal("0.01")),
        ranges=tuple(
            ValueRange(
                attribute=each["attribute"],
                value=each["value"],
                low=_bound(each["from"]),
                high=_bound(each["below"]),
            )
            for each in entry.get("ranges", [])
        ),
        edges_from_decisions=tuple(entry.get("edges_from_decisions", [])),
    )


def _bound(number: Decimal | int | None) -> Decimal | None:
    return None if number is None else Decimal(number)


def _unknown(entry: Mapping[str, Any], decimals: int, again: Assessment | None) -> UnknownRange | None:
    if "unknown" not in entry:
        return None
    low, high = (_printed(end, decimals) for end in entry["unknown"]["interval"])
    people = again.unknown.people if again is not None and again.unknown is not None else 0
    return UnknownRange(people=people, low=low, high=high, is_exact=entry["unknown"]["attained"])


def _assessment(entry: Mapping[str, Any], decimals: int, again: Assessment | None = None) -> Assessment:
    def number(name: str) -> Decimal | None:
        return None if entry.get(name) is None else _printed(entry[name], decimals)

    rates = tuple(
        GroupRate(group=rate["group"], rate=found, people=0, sampling=_sampling(rate, decimals))
        for rate in entry.get("rates", [])
        if (found := _interval(rate, decimals))
    )
    by_outcome = tuple(
        OutcomeResult(outcome=each["outcome"], result=found)
        for each in entry.get("by_outcome", [])
        if (found := _interval(each, decimals))
    )
    return Assessment(
        measure=entry["measure"],
        title=entry["title"],
        groups=tuple(entry["groups"]) if entry["groups"] else None,
        given=entry["given"],
        result=_interval(entry, decimals),
        a_priori=number("a_priori"),
        threshold=None if entry["threshold"] is None else Decimal(entry["threshold"]),
        verdict=entry["verdict"],
        value_at_most=number("value_at_most"),
        rates=rates,
        log_ratio=_interval(entry["log_ratio"], decimals) if "log_ratio" in entry else None,
        outcome=entry.get("outcome"),
        by_outcome=by_outcome,
        unknown=_unknown(entry, decimals, again),
        sampling=_sampling(entry, decimals),
    )
