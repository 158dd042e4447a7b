"""Turn a prepared draft into the report that may be published: composed, attacked, and refused where it must be.

Nothing is handed out that a build would refuse to publish.
"""

from dataclasses import dataclass

from atreport.compose import compose_report
from atreport.private.attacks import Audit, audit_draft, refuse_broken_promise
from atreport.private.attacks.inversion import Inversion, caution
from atreport.private.commitment import SaltedDigest, commit
from atreport.private.draft import refuse_above_ceiling
from atreport.private.prepare import Prepared, Progress, keep_quiet, n_of_m
from atreport.report.model import Report
from atreport.verification.ledger import Ledger, attack_earlier_releases, read_ledger


@dataclass(frozen=True, kw_only=True, eq=False)
class DraftReport:
    """A report as it would be published, before it is attacked."""

    report: Report
    ledger: Ledger
    warnings: tuple[str, ...]  # what this report and earlier ones tell together
    commitment: SaltedDigest | None  # with its salt


@dataclass(frozen=True, kw_only=True, eq=False)
class AuditedReport(DraftReport):
    """A report that may be published, and what stays behind the wall. Confidential, but for the report."""

    prepared: Prepared
    audit: Audit
    cautions: tuple[str, ...]  # what those who know the method could learn; for the publisher alone


def compose(prepared: Prepared, salt: bytes | None = None, progress: Progress = keep_quiet) -> DraftReport:
    """The report of a draft that keeps the policy, by itself and beside earlier releases. Reads the ledger, no other file.

    Args:
        prepared: The spec and the draft of its report.
        salt: What the commitment is made with, where the spec asks for one. Without it there is none.
        progress: Called with the name of each stage as it begins.

    Raises:
        Refused: it would not keep the policy's ceiling, or would with earlier releases tell more than the policy allows.
    """
    spec = prepared.spec
    progress("announcement")
    refuse_above_ceiling(spec, prepared.announcement, prepared.table, prepared.draft.enough_decimals)
    commitment = None
    if spec.disclosure.commitment is not None and salt is not None:
        commitment = commit(prepared.table, salt)
    report = compose_report(
        prepared.announcement, prepared.public, commitment.public if commitment else None, progress
    )
    ledger = read_ledger(spec)
    report = report.model_copy(update={"ledger": ledger.head_before(report)})
    # the people as they are: where the population is withheld, the report does not say how many a cell has
    warnings = attack_earlier_releases(spec, ledger, report, prepared.announcement.cells.population)
    return DraftReport(report=report, ledger=ledger, warnings=tuple(warnings), commitment=commitment)


def make_publishable(
    prepared: Prepared, salt: bytes | None = None, progress: Progress = keep_quiet
) -> AuditedReport:
    """The report of a draft, attacked as an adversary would. See :func:`compose` for the arguments.

    Raises:
        Refused: as :func:`compose` does; or the report gives more away than it promises.
    """
    return audited(prepared, compose(prepared, salt, progress), progress)


def audited(prepared: Prepared, composed: DraftReport, progress: Progress = keep_quiet) -> AuditedReport:
    """A report that was attacked as an adversary would.

    Raises:
        Refused: the report gives more away than it promises.
    """
    spec = prepared.spec
    progress("attacks")
    audit = audit_draft(
        spec, prepared.public, prepared.table, prepared.draft, told=n_of_m(progress, "attacks")
    )
    refuse_broken_promise(spec.document.title, audit)
    read_back = caution(spec, audit.of(Inversion))
    cautions = () if read_back is None else (read_back,)
    return AuditedReport(**vars(composed), prepared=prepared, audit=audit, cautions=cautions)
