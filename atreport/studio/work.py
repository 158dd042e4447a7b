"""What the studio's processes do: each function is a step of a :class:`~atreport.processes.WorkerProcess`.

Questions and answers are plain data. An error that a user can meet is raised as it is; the app turns it into an answer.
"""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from atreport.api.build import build
from atreport.api.check import audit
from atreport.compose import compose_report
from atreport.compose.fairness import verdict_of
from atreport.core.certify import Announcement, ceiling_on_beta, ceilings_of
from atreport.core.inference import factor_printed
from atreport.core.suppression import SmallCellAccount
from atreport.errors import AtreportError, InvalidInput, PolicyCannotBeMet, Refused, UsageError
from atreport.measures import measure_all
from atreport.pages.documents import lay_out
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.run_options import RunOptions
from atreport.private.data.table import read_table
from atreport.private.draft import (
    announcement_at,
    draft_announcement,
    refuse_above_ceiling,
)
from atreport.private.engines import open_engine
from atreport.private.prepare import Progress, prepare_spec
from atreport.private.protect import guard_small_cells, protect_groups
from atreport.private.solver.fidelity import closeness_of
from atreport.private.solver.solver import solve_table
from atreport.private.true_rule import warn_of_certainty
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from atreport.spec.policy import Fidelity, Policy, PrivacyCeiling
from atreport.spec.spec import Spec
from atreport.text.tables import Space, Table

# What a policy would give, at once: from the solver, on a table that is held in memory. Confidential.
#
# β, lift and odds are certified: exact, and for figures that could be printed. A build goes on to move single
# printed steps, so its own can differ: β by a step or two, odds by more. Asked exactly, they take as long as
# a draft, and are what a build prints.

MOST_BINDING = 5
"""So many of the groups that hold β up are named."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HeldTable:
    """A spec with its table, read once for many policies."""

    spec: Spec
    guarded: DecisionTable
    small_cells: SmallCellAccount


def policy_with(policy: Policy, chosen: dict[str, Decimal | None]) -> Policy:
    """The policy with other numbers. Raises ValueError, with what is wrong, where they make none."""
    rates = "best" if policy.fidelity.rates == "best" and chosen.get("rates") is None else chosen.get("rates")
    fidelity = policy.fidelity.model_dump() | {"rates": rates}
    fidelity |= {key: chosen.get(key) for key in ("delta", "alpha")}
    if policy.fidelity.bounds is not None:
        fidelity |= {"delta": None, "alpha": None}
    ceilings = {key: chosen[key] for key in ("beta", "lift", "odds") if chosen.get(key) is not None}
    return policy.model_copy(
        update={
            "fidelity": Fidelity.model_validate({k: v for k, v in fidelity.items() if v is not None}),
            "privacy": PrivacyCeiling.model_validate(ceilings) if ceilings else None,
        }
    )


def figures_of(held: HeldTable, policy: Policy, *, exactly: bool = False) -> dict[str, Any]:
    """β, lift and odds of a policy, which groups bind, which ceilings are not kept, and how many verdicts are decided."""
    spec = held.spec.model_copy(update={"policy": policy})
    try:
        table, protection = protect_groups(spec, held.guarded, solve_table)
        if exactly:
            announcement = draft_announcement(spec, table, protection, held.small_cells).announcement
        else:
            closeness = closeness_of(policy, table)
            announcement = announcement_at(spec, table, closeness, quick=closeness is not None)
            announcement = announcement.with_account(protection, held.small_cells, table.estimation)
    except PolicyCannotBeMet as error:
        return {"possible": False, "why": f"{error.message}; {error.hint}"}
    except InvalidInput as error:
        return {"possible": False, "why": " ".join(problem.message for problem in error.problems)}
    except AtreportError as error:
        return {"possible": False, "why": str(error)}
    public = held.spec.public_with(table.cells.process)
    measured, _ = measure_all(announcement.rule, public.fairness, unknown=False)
    verdicts = [v for each in measured if (v := verdict_of(each, announcement.decimals)) is not None]
    return {
        "possible": True,
        "beta": str(announcement.beta),
        "lift": str(announcement.lift),
        "odds": None if announcement.odds is None else str(announcement.odds),
        "before": str(announcement.printed(int(announcement.group_prior.max()))),
        "groups": len(announcement.group_beta),
        "binding": _binding(announcement),
        "above": {
            name: int(groups.sum())
            for name, groups in announcement.above(ceilings_of(policy, table.cells.process)).items()
        },
        "certain": len(announcement.certain_groups),
        "verdicts": {
            "all": len(verdicts),
            "decided": sum(verdict != "cannot_tell" for verdict in verdicts),
            "meets": verdicts.count("meets"),
            "does_not_meet": verdicts.count("does_not_meet"),
        },
    }


def _binding(announcement: Announcement) -> dict[str, Any]:
    """The groups whose confidence is the report's: how many, and the first few by name."""
    cells, public = announcement.cells, announcement.cells.process.of_role("public")
    groups = np.flatnonzero(announcement.group_beta == announcement.group_beta.max()).tolist()
    starts = cells.group_starts
    odds = factor_printed(int(announcement.group_odds[groups[0]]), announcement.decimals)
    return {
        "number": len(groups),
        "names": [
            " · ".join(cells.labels(int(starts[g]), public).values()) or "everybody"
            for g in groups[:MOST_BINDING]
        ],
        "at_prior": bool((announcement.group_beta[groups] == announcement.group_prior[groups]).all()),
        "odds": None if odds is None else str(odds),
    }


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
    prepared = prepare_spec(spec, progress, asked.options, allow_small_cells=True)
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
    progress("data")
    with open_engine(asked.options, progress) as workers:
        exact = read_table(spec, workers, asked.options)
    guarded, small_cells = guard_small_cells(spec, exact)
    _held[asked] = HeldTable(spec=spec, guarded=guarded, small_cells=small_cells), stamps
    return _held[asked][0]


def _stamps(spec: Spec) -> tuple[tuple[str, int, int], ...]:
    """Of each file that the table is read from, what changes when it does."""
    return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in data_files(spec))


def attack(asked: AskedText, progress: Progress) -> dict[str, Any]:
    """Every attack on the draft of a text, and why a build would refuse it."""
    found = audit(parse_spec(asked.text, asked.path), progress, asked.options)
    return {
        "beta": str(found.announcement.beta),
        "refused": [str(refusal) for refusal in found.refusals],
        "parts": [
            {
                "heading": part.heading,
                "text": part.text,
                "recommendation": part.recommendation,
                "tables": [_shown(table) for table in part.tables],
            }
            for part in found.audit.shown(SCREEN)
        ],
    }


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
