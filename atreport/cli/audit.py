"""``atreport audit``: attack the draft as an adversary would."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from atreport.cli.talk import (
    AllowPythonModel,
    AsJson,
    EngineName,
    MemoryLimit,
    Scheduler,
    SpecPath,
    error_entry,
    print_json,
    progress_of,
    say,
    show_table,
)
from atreport.errors import EXIT_FINE, AtreportError

if TYPE_CHECKING:
    from atreport.commands.audit import AuditResult

MOST_ROWS = 10


def audit(
    spec: SpecPath,
    as_json: AsJson = False,
    engine: EngineName = "local",
    scheduler: Scheduler = None,
    memory_limit: MemoryLimit = None,
    allow_python_model: AllowPythonModel = False,
) -> int:
    """Attack the draft of a report as an adversary would. Writes nothing; what it prints is confidential."""
    from atreport.commands.audit import audit as audit_spec
    from atreport.confidential.annex.as_json import audit_json
    from atreport.confidential.data.engines.options import engine_of

    chosen = engine_of(engine, scheduler, memory_limit, allow_python_model=allow_python_model)
    try:
        with progress_of(spec, verbose=False) as progress:
            result = audit_spec(spec, progress, chosen)
    except AtreportError as error:
        if not as_json:
            raise
        print_json(error_entry(spec, error))
        return error.exit_code
    if as_json:
        found = audit_json(result.audit, result.release, most=None)
        print_json({"spec": str(spec), "ok": True, "beta": float(result.release.beta), **found})
    else:
        _show(spec, result)
        say("What is printed here is confidential: it depends on the true rule.")
    return EXIT_FINE


def _show(path: Path, result: AuditResult) -> None:
    from atreport.confidential.annex.as_json import belief_rows, side_knowledge_rows

    found, release = result.audit, result.release
    print(f"{path}: the draft keeps its promise, β = {release.beta}, mechanism {release.mechanism}")
    print()
    print("1. Taking the announced rule for the truth (Bayes' rule), the most confident conclusions")
    rows = belief_rows(found, release, MOST_ROWS)
    show_table(
        ["seen", "concluded", "before", "confidence", "promised"],
        [
            [
                ", ".join([*(f"{k}={v}" for k, v in row["qid"].items()), row["outcome"]]),
                f"{row['attribute']}={row['value']}",
                f"{row['before']:.2%}",
                f"{row['confidence']:.2%}",
                f"{row['promised']:.2%}",
            ]
            for row in rows
        ],
        words=2,
        left_out=f"{len(found.beliefs) - len(rows):,} more conclusions"
        if len(found.beliefs) > len(rows)
        else "",
    )
    print(
        "2. Calculating from printed figures: the confidence an observer is sure to have, and the cells found"
    )
    show_table(
        ["what is printed", "true figures", "cells", "this draft", "cells"],
        [
            [
                way.way,
                f"{way.of_negligent.confidence:.2%}",
                f"{way.of_negligent.cells}/{way.attacked_cells}",
                f"{way.of_release.confidence:.2%}",
                f"{way.of_release.cells}/{way.attacked_cells}",
            ]
            for way in found.equations
        ],
    )
    print("3. Stronger observers, whom the promise does not cover, in the most exposed groups")
    _show_groups(result)
    print("   Both mechanisms, measured with the same attacks")
    show_table(
        ["mechanism", "β", "even belief", "knows mechanism", "read back", "mean change"],
        [
            [
                f"{m.mechanism}{' (this draft)' if m.chosen else ''}",
                f"{m.beta:.2%}",
                f"{m.band_aware:.2%}",
                f"{m.inverting:.2%}",
                f"{m.read_back_cells}/{m.attacked_cells}" if m.attacked_cells else "not tried",
                f"{m.mean_change:.2%}",
            ]
            for m in found.mechanisms
        ],
    )
    print(f"   {found.recommendation}")
    print()
    print("4. Wrong side knowledge: β at most, if every population count is off by up to")
    show_table(
        ["error", "β at most"],
        [[f"{row['population_error']:.0%}", f"{row['beta']:.2%}"] for row in side_knowledge_rows(release)],
    )


def _show_groups(result: AuditResult) -> None:
    import numpy as np

    from atreport.pages.wording import group_name

    attacks, release = result.audit.attacks, result.release
    cells = release.cells
    worst = np.argsort(-attacks.worst_consistent, kind="stable")[:MOST_ROWS].tolist()
    tried, found = (
        np.add.reduceat(which.astype(np.int64), cells.group_starts)
        for which in (result.audit.attacked, result.audit.read_back)
    )
    show_table(
        ["group", "β", "even belief", "worst rule", "knows mechanism", "read back"],
        [
            [
                group_name(cells, int(cells.group_starts[g])),
                f"{int(release.group_beta[g]) / release.scale:.2%}",
                f"{attacks.band_aware[g]:.2%}",
                f"{attacks.worst_consistent[g]:.2%}",
                f"{attacks.inverting[g]:.2%}",
                f"{found[g]}/{tried[g]}" if tried[g] else "not tried",
            ]
            for g in worst
        ],
        left_out=f"{len(release.group_beta) - len(worst):,} more groups"
        if len(release.group_beta) > len(worst)
        else "",
    )
