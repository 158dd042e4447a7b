"""Turn a release and what was computed from it into the machine-readable report: report.json and the CSV files.

Numbers are exactly the printed ones.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from typing import Any

from atreport.analysis.assessment import Assessment, Interval, Sampling, UnknownRange
from atreport.analysis.bounds import log_bound
from atreport.analysis.explanations.figure import Explanation
from atreport.analysis.value_rates import ValueRate, value_rates
from atreport.announcement import CellBounds, Release
from atreport.pages.estimation_text import estimation_entry
from atreport.pages.explanations.document import influence_entries, rule_entries
from atreport.pages.forms.form_document import form_entry
from atreport.pages.notes import Note, people_share
from atreport.population.band import Closeness
from atreport.spec.models.spec import PublicSpec
from atreport.spec.models.values import Section
from atreport.version import __version__

FORMAT = "atreport/1"


def report_document(
    release: Release,
    spec: PublicSpec,
    assessments: Sequence[Assessment],
    explanation: Explanation,
    notes: Sequence[Note],
    rates: Sequence[ValueRate] | None = None,
) -> dict[str, Any]:
    """The content of report.json. `rates` are those by value of each attribute; when left out, they are calculated."""
    by_value = value_rates(release) if rates is None else rates
    return {
        "format": FORMAT,
        "generator": generator(),
        "report": spec.report.model_dump(mode="json", exclude_none=True),
        "process": spec.process.model_dump(
            mode="json", exclude_none=True, exclude={"attributes": {"__all__": {"hierarchy"}}}
        ),
        **estimation_entry(release.estimation),
        "policy": _policy(release, spec),
        "privacy": _privacy(release, spec),
        "cells": _cells(release, spec),
        "measures": [_plain(measure.model_dump(exclude_none=True)) for measure in spec.fairness],
        **_sections(spec),
        **({"value_rates": [_value_rate(each) for each in by_value]} if by_value else {}),
        "fairness": [_assessment(release, assessment) for assessment in assessments],
        "influence": influence_entries(explanation),
        "rules": rule_entries(explanation),
        "notes": [{"id": note.id, "title": note.title, "text": note.text} for note in notes],
        **form_entry(release, spec),
    }


def _sections(spec: PublicSpec) -> dict[str, Any]:
    """What further sections of the spec ask for: with it, everything that follows from them can be made again."""
    known = {"report", "process", "policy", "fairness", "disclosure"}
    asked = {
        name: _plain(section.model_dump(exclude_unset=True, exclude_none=True))
        for name in type(spec).model_fields
        if name not in known and isinstance(section := getattr(spec, name), Section)
    }
    asked = {name: section for name, section in asked.items() if section}
    return {"sections": asked} if asked else {}


@cache
def generator() -> dict[str, str]:
    """What a report is made with, so that a checker knows whether the same bytes are to be expected."""
    return {"atreport": __version__} | {name: version(name) for name in ("matplotlib", "fonttools", "brotli")}


def _plain(value: Any) -> Any:
    """A section of the spec as JSON has it: numbers as numbers."""
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, dt.date):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else value


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """A document as it is written to disk: UTF-8, objects indented, one line for each entry of a list.

    So a change to one cell is a change to one line, and large reports are written quickly.
    """
    return (_indented(document, "") + "\n").encode()


def _indented(value: Any, margin: str) -> str:
    inner = margin + "  "
    if isinstance(value, Mapping) and value:
        entries = [f"{_compact(key)}: {_indented(entry, inner)}" for key, entry in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(entries) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value):
        return f"[\n{inner}" + f",\n{inner}".join(map(_compact, value)) + f"\n{margin}]"
    return _compact(value)


_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _policy(release: Release, spec: PublicSpec) -> dict[str, Any]:
    ceiling = spec.policy.privacy
    return {
        "fidelity": _fidelity(release.fidelity),
        "privacy": {k: float(v) for k, v in ceiling.model_dump(exclude_none=True).items()}
        if ceiling
        else None,
        "objective": spec.policy.objective,
        "mechanism": release.mechanism,
        "decimals": release.decimals,
        "population": release.population,
        "small_cells": _small_cells(release),
        **({"share_decimals": release.share_decimals} if release.population == "shares" else {}),
        **({"bound_decimals": bounds.decimals} if isinstance(bounds := release.fidelity, CellBounds) else {}),
    }


def _small_cells(release: Release) -> dict[str, Any]:
    """What was done with counts of few people."""
    account = release.small_cells
    done: dict[str, Any] = {"policy": account.policy, "under": account.under}
    if account.suppressed is not None:
        done |= {"protection": account.protection, "suppressed": int(account.suppressed.sum())}
        if release.population == "counts":
            done["known_sums"] = [
                {"of": dict(known.values), "people": known.people} for known in account.known
            ]
    return done


def _fidelity(fidelity: Closeness | CellBounds) -> dict[str, Any]:
    if isinstance(fidelity, CellBounds):
        return {"bounds": "cells"}
    if fidelity.delta is not None:
        return {"delta": float(fidelity.delta)}
    assert fidelity.alpha is not None
    return {"alpha": float(fidelity.alpha)}


def _privacy(release: Release, spec: PublicSpec) -> dict[str, Any]:
    cells = release.cells
    starts = cells.group_starts
    ends = [*starts[1:].tolist(), len(cells)]
    public = spec.process.of_role("public")
    columns = {attribute.name: cells.column(attribute.name)[starts] for attribute in public}
    groups = [
        {
            "qid": {a.name: a.values[int(columns[a.name][g])] for a in public},
            "beta": int(release.group_beta[g]) / release.scale,
            "prior": int(release.group_prior[g]) / release.scale,
            "cells": end - int(start),
        }
        for g, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    return {
        "beta": float(release.beta),
        "gamma": float(release.gamma),
        "contribution": float(release.contribution),
        "unprotectable": _unprotectable(release),
        "groups": groups,
    }


def _unprotectable(release: Release) -> dict[str, Any]:
    """How many groups cannot be protected, and what was done with them."""
    account = release.protection
    return {
        "policy": account.policy,
        "groups": account.groups,
        "share": float(people_share(release)),
        "merged": [{"attribute": attribute, "value": value} for attribute, value in account.merged],
    }


def _cells(release: Release, spec: PublicSpec) -> list[dict[str, Any]]:
    labels = release.cells.all_labels(spec.process.attributes)
    size, sizes = _sizes(release)
    bounds = release.fidelity if isinstance(release.fidelity, CellBounds) else None
    cells = []
    for cell, (values, steps) in enumerate(zip(labels, release.mapping.tolist(), strict=True)):
        entry: dict[str, Any] = {**values}
        if size is not None and not release.small_cells.is_suppressed(cell):
            entry[size] = sizes[cell]
        if guarded := _guarded(release, cell, sizes):
            entry["guarded"] = guarded
        entry["announced"] = {
            value: step / release.scale
            for value, step in zip(spec.process.outcome.values, steps, strict=True)
        }
        if bounds is not None:
            entry["bounds"] = [
                int(bounds.lower[cell]) / 10**bounds.decimals,
                int(bounds.upper[cell]) / 10**bounds.decimals,
            ]
        cells.append(entry)
    return cells


def _cell_labels(release: Release, spec: PublicSpec) -> dict[str, list[str]]:
    """For each attribute its value in every cell."""
    return {
        attribute.name: [attribute.values[code] for code in release.cells.column(attribute.name).tolist()]
        for attribute in spec.process.attributes
    }


def _guarded(release: Release, cell: int, sizes: Sequence[float]) -> dict[str, Any]:
    """What follows for a count that is not published exactly: the fewest and the most people, what figures count it as."""
    found: dict[str, Any] = {}
    if release.population != "withheld" and release.small_cells.is_suppressed(cell):
        found["counted_as"] = sizes[cell]
    if release.population == "counts" and release.cells.between is not None:
        fewest, most = (int(bound[cell]) for bound in release.cells.between)
        if fewest < most:
            found["people"] = [fewest, most]
    return found


def _sizes(release: Release) -> tuple[str | None, list[int] | list[float]]:
    """How the population is published, if it is; where a count is suppressed, what figures are calculated with."""
    if release.population == "counts":
        return "population", release.cells.population.tolist()
    if release.population == "shares":
        return "share", [steps / 10**release.share_decimals for steps in release.shares.tolist()]
    return None, []


def _assessment(release: Release, assessment: Assessment) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "measure": assessment.measure,
        "title": assessment.title,
        "groups": list(assessment.groups) if assessment.groups else None,
        "given": dict(assessment.given) if assessment.given else None,
        **_interval(assessment.result),
        "a_priori": _number(assessment.a_priori),
        "threshold": _number(assessment.threshold),
        "verdict": assessment.verdict,
    }
    if assessment.value_at_most is not None:
        entry["value_at_most"] = float(assessment.value_at_most)
    if assessment.rates:
        entry["rates"] = [
            {"group": rate.group, **_interval(rate.rate), **_sampling(rate.sampling)}
            for rate in assessment.rates
        ]
    if assessment.measure == "p_percent_rule":
        entry["log_ratio"] = {
            **_interval(assessment.log_ratio),
            "a_priori": _number(log_bound(release) if release.small_cells.is_exact else None),
        }
    if assessment.by_outcome:
        entry["outcome"] = assessment.outcome
        entry["by_outcome"] = [
            {"outcome": each.outcome, **_interval(each.result)} for each in assessment.by_outcome
        ]
    if assessment.unknown is not None:
        entry["unknown"] = _unknown(assessment.unknown)
    return {**entry, **_sampling(assessment.sampling)}


def _value_rate(rate: ValueRate) -> dict[str, Any]:
    return {"attribute": rate.attribute, "of": rate.value, **_interval(rate.rate)}


def _unknown(found: UnknownRange) -> dict[str, Any]:
    """What a measure could be, whoever the people of unknown group are."""
    return {"interval": [float(found.low), float(found.high)], "attained": found.is_exact}


def _sampling(sampling: Sampling | None) -> dict[str, Any]:
    """The interval for chance, where there is one; never part of the certified interval."""
    if sampling is None:
        return {}
    return {
        "sampling": {
            "interval": [float(sampling.low), float(sampling.high)],
            "level": float(sampling.level),
            "method": sampling.method,
        }
    }


def _interval(interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {"value": None, "interval": None}
    return {"value": float(interval.value), "interval": [float(interval.low), float(interval.high)]}


def _number(number: Decimal | None) -> float | None:
    return None if number is None else float(number)


def cells_csv(release: Release, spec: PublicSpec) -> bytes:
    """Every cell: its values, its size as published, the announced probability of each outcome."""
    columns: dict[str, Sequence[object]] = dict(_cell_labels(release, spec))
    if release.population == "counts":
        columns["population"] = _unless_suppressed(release, release.cells.population.tolist())
    elif release.population == "shares":
        shares = [_fixed(steps, release.share_decimals) for steps in release.shares.tolist()]
        columns["share"] = _unless_suppressed(release, shares)
    for value in spec.process.outcome.values:
        columns[value] = [_fixed(step, release.decimals) for step in release.announced_of(value).tolist()]
    if isinstance(release.fidelity, CellBounds):
        columns["lower"] = [
            _fixed(step, release.fidelity.decimals) for step in release.fidelity.lower.tolist()
        ]
        columns["upper"] = [
            _fixed(step, release.fidelity.decimals) for step in release.fidelity.upper.tolist()
        ]
    return _csv(list(columns), zip(*columns.values(), strict=True))


def _unless_suppressed(release: Release, column: Sequence[object]) -> list[object]:
    account = release.small_cells
    return ["" if account.is_suppressed(cell) else value for cell, value in enumerate(column)]


def measures_csv(assessments: Sequence[Assessment]) -> bytes:
    """Every fairness measure, one row each."""
    heading = ["measure", "group_a", "group_b", "given", "value", "interval_low", "interval_high"]
    heading += [
        "a_priori",
        "threshold",
        "verdict",
        "outcome",
        "sampling_low",
        "sampling_high",
        "sampling_level",
    ]
    unknown = any(a.unknown for a in assessments)
    heading += ["unknown_low", "unknown_high"] if unknown else []
    rows = (
        [
            a.measure,
            *(a.groups or ("", "")),
            "; ".join(f"{name}={value}" for name, value in (a.given or {}).items()),
            *((a.result.value, a.result.low, a.result.high) if a.result else ("", "", "")),
            "" if a.a_priori is None else a.a_priori,
            "" if a.threshold is None else a.threshold,
            a.verdict or "",
            a.outcome or "",
            *((a.sampling.low, a.sampling.high, a.sampling.level) if a.sampling else ("", "", "")),
            *(((a.unknown.low, a.unknown.high) if a.unknown else ("", "")) if unknown else ()),
        ]
        for a in assessments
    )
    return _csv(heading, rows)


def _fixed(steps: int, decimals: int) -> str:
    """Whole steps as a decimal number with all its decimals."""
    whole, rest = divmod(steps, 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"


def _csv(heading: Sequence[str], rows: Any) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue().encode()
