"""Turn a prepared draft into the document of its report, in memory: what a build writes and a comparison reads.

Nothing is handed out that a build would refuse to publish.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from atreport.analysis.assessment import Assessment, NotAssessed
from atreport.analysis.explanations.explain import explain_rule
from atreport.analysis.explanations.figure import Explanation
from atreport.analysis.fairness import assess
from atreport.commands.ledger import Ledger, attack_earlier_releases, read_ledger
from atreport.confidential.attacks.audit import Audit, audit_draft, refuse_broken_promise
from atreport.confidential.mechanism.draft import refuse_above_ceiling
from atreport.confidential.prepare import Prepared, Progress, keep_quiet
from atreport.pages.notes import Note, disclosure_notes
from atreport.report.document import report_document


@dataclass(frozen=True, kw_only=True, eq=False)
class Drafted:
    """A report that may be published: its document, what the document was made from, and what earlier reports add."""

    prepared: Prepared
    assessments: Sequence[Assessment]
    left_out: Sequence[NotAssessed]
    explanation: Explanation
    notes: Sequence[Note]
    document: dict[str, Any]  # report.json, without a commitment, which takes a salt
    audit: Audit
    ledger: Ledger
    warnings: Sequence[str]  # what this report and earlier ones tell together


def draft_document(prepared: Prepared, progress: Progress = keep_quiet) -> Drafted:
    """The document of a report.

    Raises:
        Refused: it would not keep the policy's ceiling, would with earlier releases tell more than the policy allows,
            or gives more away than it promises.
    """
    progress("release")
    spec, public, release = prepared.spec, prepared.public, prepared.release
    refuse_above_ceiling(spec, release)
    ledger = read_ledger(spec)
    warnings = attack_earlier_releases(spec, ledger, release)
    progress("fairness")
    assessments, left_out = assess(release, public)
    progress("transparency")
    explanation = explain_rule(release, public, progress)
    progress("notes")
    notes = disclosure_notes(release, public, assessments, left_out)
    progress("audit")
    audit = audit_draft(spec, public, prepared.table, prepared.draft)
    refuse_broken_promise(spec.document.path, audit, release)
    return Drafted(
        prepared=prepared,
        assessments=assessments,
        left_out=left_out,
        explanation=explanation,
        notes=notes,
        document=report_document(release, public, assessments, explanation, notes),
        audit=audit,
        ledger=ledger,
        warnings=warnings,
    )
