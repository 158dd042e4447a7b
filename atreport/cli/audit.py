"""``atreport audit``: attack the draft as an adversary would."""

from pathlib import Path
from typing import Any

from atreport.api.check import AuditResult
from atreport.api.check import audit as audit_spec
from atreport.cli.show import progress_of, show_table, show_text
from atreport.cli.talk import AsJson, Quiet, SpecPath, error_entry, print_json, say, with_run_options
from atreport.errors import EXIT_FINE, EXIT_REFUSED, AtreportError
from atreport.private.data.run_options import RunOptions
from atreport.text.tables import TERMINAL


@with_run_options
def audit(
    spec: SpecPath,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    options: RunOptions,
) -> int:
    """Attack the draft of a report as an adversary would. Writes nothing; what it prints is confidential."""
    try:
        with progress_of(spec, quiet=quiet) as progress:
            result = audit_spec(spec, progress, options)
    except AtreportError as error:
        if not as_json:
            raise
        print_json(error_entry(spec, error))
        return error.exit_code
    if as_json:
        entry: dict[str, Any] = {"spec": str(spec), "ok": True}
        if result.refusals:
            entries = [error_entry(spec, refusal) for refusal in result.refusals]
            entry = {**entries[0], "problems": [each for found in entries for each in found["problems"]]}
        print_json({**entry, "beta": float(result.announcement.beta), **result.audit.as_json(most=None)})
    else:
        _show(spec, result)
        for refusal in result.refusals:
            say(str(refusal))
        if not quiet:
            say("What is printed here is confidential: it depends on the true rule.")
    return EXIT_REFUSED if result.refusals else EXIT_FINE


def _show(path: Path, result: AuditResult) -> None:
    """Every attack of the registry, as the annex has it."""
    announcement = result.announcement
    kept = "is refused" if result.refusals else "keeps its promise"
    print(f"{path}: the draft {kept}, β = {announcement.beta}, mechanism {announcement.mechanism}")
    for number, part in enumerate(result.audit.shown(TERMINAL), start=1):
        print(f"\n{number}. {part.heading}")
        if part.text:
            show_text(part.text)
        print()
        for table in part.tables:
            show_table(table)
        if part.recommendation:
            show_text(f"Recommendation. {part.recommendation}")
