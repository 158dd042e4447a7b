"""What the studio's processes do: each function is a step of a :class:`~atreport.kit.worker_process.WorkerProcess`.

Questions and answers are plain data. An error that a user can meet is raised as it is; the app turns it into an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any

from atreport.announcement.ceilings import ceiling_on_beta
from atreport.commands.build import build
from atreport.confidential.attacks.audit import Audit, audit_draft, refuse_broken_promise
from atreport.confidential.data.run_options import RunOptions
from atreport.confidential.mechanism.refusal import refuse_above_ceiling
from atreport.confidential.prepare import Prepared, Progress, n_of_m, prepare_spec
from atreport.confidential.words import warn_of_certainty
from atreport.errors import Refused, UsageError
from atreport.kit.tables import Space, Table
from atreport.pages.documents import lay_out
from atreport.publication import compose_report
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from atreport.spec.models.spec import Spec
from atreport.studio.policy_figures import HeldTable, figures_of, hold_table, policy_with

SCREEN = Space(whole=20, cut=10, few=10, all_in="the annex.json of a build", more="annex.json has more")
"""How much of a long table the page shows."""


@dataclass(frozen=True, kw_only=True)
class AskedText:
    """The text of an editor, and where its file is: data files are looked for beside it."""

    text: str
    path: Path
    options: RunOptions


@dataclass(frozen=True, kw_only=True)
class AskedPolicy:
    """A policy to try on a text."""

    of: AskedText
    chosen: dict[str, Decimal | None] | None  # None: the spec's own
    exactly: bool = False  # as a build prints it, which takes as long as a draft


@dataclass(frozen=True, kw_only=True)
class AskedBuild:
    """A folder to build from the file."""

    path: Path
    output: Path
    formats: tuple[str, ...] | None
    options: RunOptions


def make_page(asked: AskedText, progress: Progress) -> dict[str, Any]:
    """The report of a text as one page, what stands in its way, and the files it was made from."""
    progress("spec")
    spec = parse_spec(asked.text, asked.path)
    prepared = prepare_spec(spec, progress, asked.options, in_spite_of_small_cells=True)
    announcement, refused = prepared.announcement, [prepared.refusal] if prepared.refusal else []
    progress("announcement")
    try:
        refuse_above_ceiling(spec, announcement, prepared.table, prepared.draft.enough_decimals)
    except Refused as refusal:
        refused.append(str(refusal))
    report = compose_report(announcement, prepared.public, None, progress)
    progress("pages")
    return {
        "html": lay_out(report, prepared.public.style_files).html({"report.json": report_json(report)}),
        "cells": len(announcement.cells),
        "beta": str(announcement.beta),
        "refused": refused,
        "warnings": [warning] if (warning := warn_of_certainty(announcement)) else [],
        "files": [str(file) for file in data_files(spec)],
    }


def policy_of(spec: Spec) -> dict[str, Any]:
    """The numbers of a policy, as the sliders show them."""
    fidelity, privacy = spec.policy.fidelity, spec.policy.privacy
    numbers: dict[str, Any] = {
        "delta": fidelity.delta,
        "alpha": fidelity.alpha,
        "rates": None if fidelity.rates == "best" else fidelity.rates,
        "beta": ceiling_on_beta(privacy),
        **{key: getattr(privacy, key, None) for key in ("lift", "odds")},
    }
    found: dict[str, Any] = {key: None if number is None else str(number) for key, number in numbers.items()}
    found["gamma"] = privacy is not None and privacy.gamma is not None
    found["best"] = fidelity.rates == "best"
    found["objective"] = spec.policy.objective
    return found


def data_files(spec: Spec) -> list[Path]:
    """The files that the table is read from."""
    folder, source = spec.document.path.parent, spec.source
    names = [source.cells] if source.cells else list(source.cases.files or ()) if source.cases else []
    return [path for name in names for path in sorted(folder.glob(str(name)))]


_held: dict[AskedText, tuple[HeldTable, tuple[tuple[str, int, int], ...]]] = {}
"""The table of the last text that a policy was tried on; one process asks about one text at a time."""


def try_policy(asked: AskedPolicy, progress: Progress) -> dict[str, Any]:
    """What a policy would give, and how long that took once the table was at hand."""
    held = _table_of(asked.of, progress)
    begun = perf_counter()
    own = held.spec.policy
    try:
        policy = own if asked.chosen is None else policy_with(own, asked.chosen)
    except ValueError as error:
        raise UsageError(_first_line(error)) from None
    found = figures_of(held, policy, exactly=asked.exactly)
    took = round(1000 * (perf_counter() - begun), 1)
    return found | {"policy": policy_of(held.spec), "milliseconds": took}


def _first_line(error: ValueError) -> str:
    details: Any = getattr(error, "errors", list)()
    return str(details[0]["msg"]).removeprefix("Value error, ") if details else str(error)


def _table_of(asked: AskedText, progress: Progress) -> HeldTable:
    """The table of a text, read again where the text or one of its files is another by now."""
    if (held := _held.get(asked)) is not None and _stamps(held[0].spec) == held[1]:
        return held[0]
    _held.clear()
    spec = parse_spec(asked.text, asked.path)
    stamps = _stamps(spec)
    _held[asked] = hold_table(spec, asked.options, progress), stamps
    return _held[asked][0]


def _stamps(spec: Spec) -> tuple[tuple[str, int, int], ...]:
    """Of each file that the table is read from, what changes when it does."""
    return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in data_files(spec))


def attack(asked: AskedText, progress: Progress) -> dict[str, Any]:
    """Every attack on the draft of a text, and whether a build would refuse it."""
    progress("spec")
    prepared = prepare_spec(parse_spec(asked.text, asked.path), progress, asked.options)
    progress("attacks")
    audit = audit_draft(
        prepared.spec,
        prepared.public,
        prepared.table,
        prepared.draft,
        thorough=True,
        told=n_of_m(progress, "attacks"),
    )
    return {
        "beta": str(prepared.announcement.beta),
        "refused": _refusals(prepared, audit),
        "parts": [
            {
                "heading": part.heading,
                "text": part.text,
                "recommendation": part.recommendation,
                "tables": [_shown(table) for table in part.tables],
            }
            for part in audit.shown(SCREEN)
        ],
    }


def _refusals(prepared: Prepared, audit: Audit) -> list[str]:
    """Why a build would refuse a draft."""
    spec, found = prepared.spec, []
    try:
        refuse_above_ceiling(spec, prepared.announcement, prepared.table, prepared.draft.enough_decimals)
    except Refused as refusal:
        found.append(str(refusal))
    try:
        refuse_broken_promise(spec.document.title, audit, ceilings=not found)
    except Refused as refusal:
        found.append(str(refusal))
    return found


def _shown(table: Table) -> dict[str, Any]:
    return {
        "caption": table.caption,
        "columns": [{"heading": column.heading, "numeric": column.numeric} for column in table.columns],
        "rows": [[cell.text for cell in row] for row in table.rows],
        "left_out": table.left_out,
    }


def build_folder(asked: AskedBuild, progress: Progress) -> dict[str, Any]:
    """Build the folder of a spec, as ``atreport build`` does."""
    result = build(asked.path, asked.output, asked.formats, progress, asked.options)
    return {
        "folder": str(result.folder),
        "files": [str(file.relative_to(result.folder)) for file in result.files],
        "beta": str(result.report.privacy.beta),
        "missing": result.missing,
        "warnings": [*result.warnings, *result.cautions],
    }
