"""The straight line from a spec to a published report: prepare, compose, attack, files, folder.

Everything is made in memory first; only then is anything written. The public files are made by a process of their own, from
the report alone, while this one attacks it and makes the annex.
"""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any

from atreport.errors import AtreportError, OutputError, UsageError, unexpected
from atreport.export.files import FORMATS, MadePublic, WantedPublic, public_files_beside
from atreport.private.annex import make_annex
from atreport.private.annex.files import confidential_files
from atreport.private.audited import AuditedReport, audited, compose
from atreport.private.commitment import FILE as COMMITMENT
from atreport.private.commitment import fresh_salt, keep_earlier, read_salt
from atreport.private.data.run_options import LOCAL, RunOptions
from atreport.private.prepare import Prepared, Progress, keep_quiet, n_of_m, prepare
from atreport.private.true_rule import warn_of_certainty
from atreport.processes import Notify, WorkerGone, WorkerProcess
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.spec.load import specs_named
from atreport.spec.spec import Spec
from atreport.verification.ledger import record as add_release
from atreport.verification.ledger import refuse_lost_releases
from atreport.write_folder import CONFIDENTIAL, PUBLIC, clear_unfinished, write_folder


@dataclass(frozen=True, kw_only=True, eq=False)
class Built:
    """What there is to say of a finished report, without the report itself, which may be large."""

    folder: Path
    files: tuple[Path, ...]
    beta: Decimal
    missing: str | None = None  # why a format that was not insisted on is absent
    warnings: tuple[str, ...] = ()  # where nobody is protected; what reports tell together
    cautions: tuple[str, ...] = ()  # what those who know the method could learn; for the publisher alone
    recorded: Path | None = None  # the ledger, where this announcement was added to it


@dataclass(frozen=True, kw_only=True, eq=False)
class BuildResult(Built):
    """What a build left: where, and the report it published."""

    report: Report

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """Every fairness measure; `measures_frame` makes a table of them."""
        return self.report.fairness


def build(
    spec_path: str | Path | Mapping[str, Any] | Spec,
    output: str | Path = "output",
    formats: Sequence[str] | None = None,
    progress: Progress = keep_quiet,
    engine: RunOptions = LOCAL,
    *,
    with_verifier: bool = False,
    record: bool = False,
    salt: str | Path | None = None,
) -> BuildResult:
    """Build one report.

    Args:
        spec_path: The YAML spec; or a dictionary with the same keys, or a Spec. Data files that a dictionary names, and
            its ledger, are looked for in the working folder.
        output: The report goes to the folder of the spec's name below this one; of a dictionary, to `report`.
        formats: Any of html, pdf, json, ods, xlsx. When left out, the first three, and a PDF that cannot be made is left
            out with a word in the result; when given, it is an error.
        progress: Called with the name of each stage as it begins.
        engine: Where records are counted and groups solved. Changes no byte of the report.
        with_verifier: Put ``verify.py`` beside the report: a verifier that needs nothing but Python.
        record: Add this announcement to the ledger beside the spec, so that later builds can tell what both give away.
        salt: Where the spec asks for a commitment: the commitment.json of an earlier build, whose salt is used again, so
            that the same data give the same bytes. When left out, a fresh one is drawn.

    Returns:
        The paths written, and the report.
    """
    wanted = FORMATS if formats is None else tuple(formats)
    with public_files_beside(wanted) as begin:
        prepared = prepare(spec_path, progress, engine)
        folder = Path(output) / prepared.spec.name
        if salt is not None and prepared.spec.disclosure.commitment is None:
            title = prepared.spec.document.title
            raise UsageError(f"{title}: --salt is for a spec that asks for a commitment under disclosure.")
        composed = compose(prepared, fresh_salt() if salt is None else read_salt(Path(salt)), progress)
        refuse_lost_releases(composed.ledger, folder / PUBLIC / "report.json")
        fetch = begin(_wanted_public(prepared, composed.report, formats, with_verifier=with_verifier))
        publishable = audited(prepared, composed, progress)
        result = _write(publishable, folder, formats, fetch, progress)
    added = record and add_release(publishable.ledger, publishable.report)
    return replace(result, recorded=publishable.ledger.path if added else None)


def write_report(
    publishable: AuditedReport,
    folder: Path,
    formats: Sequence[str] | None = None,
    *,
    with_verifier: bool = False,
) -> BuildResult:
    """Write the public and the confidential files of a report into its folder, all of them or none. See :func:`build`."""
    refuse_lost_releases(publishable.ledger, folder / PUBLIC / "report.json")
    with public_files_beside(FORMATS if formats is None else tuple(formats)) as begin:
        wanted = _wanted_public(
            publishable.prepared, publishable.report, formats, with_verifier=with_verifier
        )
        return _write(publishable, folder, formats, begin(wanted))


def _wanted_public(
    prepared: Prepared, report: Report, formats: Sequence[str] | None, *, with_verifier: bool
) -> WantedPublic:
    return WantedPublic(
        report=report,
        formats=FORMATS if formats is None else tuple(formats),
        with_verifier=with_verifier,
        style_files=dict(prepared.public.style_files),
        insist_on_pdf=formats is not None,
    )


def _write(
    publishable: AuditedReport,
    folder: Path,
    formats: Sequence[str] | None,
    fetch: Callable[[], MadePublic],
    progress: Progress = keep_quiet,
) -> BuildResult:
    """Make the confidential files while the public ones are made beside, and write both."""
    prepared, commitment = publishable.prepared, publishable.commitment
    if commitment is not None:
        commitment = keep_earlier(commitment, folder / CONFIDENTIAL / COMMITMENT)
    progress("annex")
    annex = make_annex(
        prepared.spec,
        prepared.public,
        prepared.table,
        prepared.draft,
        publishable.audit,
        publishable.report.fairness,
        prepared.raw_table,
        n_of_m(progress, "annex: other policies"),
    )
    progress("pages")
    confidential = confidential_files(
        annex,
        FORMATS if formats is None else tuple(formats),
        commitment,
        do_without_pdf=None if formats is not None else lambda _: None,  # the public files say why
    )
    public = fetch()
    progress("write")
    files = {f"{PUBLIC}/{name}": content for name, content in public.files.items()}
    files |= {f"{CONFIDENTIAL}/{name}": content for name, content in confidential.items()}
    write_folder(folder, files)
    return BuildResult(
        folder=folder,
        files=tuple(folder / name for name in sorted(files)),
        beta=publishable.report.privacy.beta,
        report=publishable.report,
        missing=public.missing,
        warnings=warnings_of(publishable),
        cautions=publishable.cautions,
    )


def warnings_of(publishable: AuditedReport) -> tuple[str, ...]:
    """What may be published and yet should be known first: where nobody is protected, what reports tell together."""
    return tuple(filter(None, (warn_of_certainty(publishable.prepared.announcement), *publishable.warnings)))


# Build the reports of many specs: one after the other in this process, or several at a time in processes of
# their own.
#
# Guarantee: every report has the bytes that a build of its spec alone would write, since the same code makes
# it; a spec that cannot be built, and a process that is killed, stop no other spec; nothing that was begun
# and not finished stays behind.

GROWN = 1_500_000_000
"""Bytes. A process that needed more for a spec is replaced before the next, so that what it holds on to is given back."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One spec to be built, and how; see :func:`atreport.api.build.build`."""

    spec: Path
    output: Path
    formats: tuple[str, ...] | None = None
    options: RunOptions = LOCAL
    with_verifier: bool = False
    record: bool = False
    salt: Path | None = None

    @property
    def folder(self) -> Path:
        """Where the report goes."""
        return self.output / self.spec.stem


@dataclass(frozen=True, kw_only=True)
class SpecOutcome:
    """How one spec ended: built, or with the error that stopped it."""

    spec: Path
    result: Built | AtreportError
    seconds: float
    memory: int = 0  # what the process that built it has taken at most until then, in bytes; 0: unknown


def specs_in(paths: Sequence[Path]) -> list[Path]:
    """The specs that are meant, as :func:`specs_named` finds them, each with a place of its own to be written to.

    Raises :class:`UsageError` where two would be written to the same place.
    """
    found = specs_named(paths)
    seen: dict[str, Path] = {}
    for spec in found:
        if spec.stem in seen:
            raise UsageError(
                f"{seen[spec.stem]} and {spec} would both be written to the folder '{spec.stem}'.\n"
                "  Rename one, or build them into different folders with -o."
            )
        seen[spec.stem] = spec
    return found


def build_one(order: Order, told: Notify) -> SpecOutcome:
    """Build one spec, and say how it ended. Only where ATREPORT_DEBUG is set does a bug of this program come out of it."""
    began = perf_counter()
    result: Built | AtreportError
    try:
        made = build(
            order.spec,
            order.output,
            order.formats,
            told,
            order.options,
            with_verifier=order.with_verifier,
            record=order.record,
            salt=order.salt,
        )
        result = Built(**{each.name: getattr(made, each.name) for each in fields(Built)})
        del made
    except AtreportError as error:
        result = error
    except Exception as error:
        if os.environ.get("ATREPORT_DEBUG"):
            raise
        result = unexpected(error)
    gc.collect()  # this report is gone, and the next one needs the room
    return SpecOutcome(
        spec=order.spec, result=result, seconds=perf_counter() - began, memory=memory_at_its_peak()
    )


ToldOf = Callable[[Path, str], None]
"""Called with a spec and the stage of its build that begins; by several threads at once."""


def build_many(orders: Sequence[Order], jobs: int, told: ToldOf) -> Iterator[tuple[int, SpecOutcome]]:
    """Build each spec; gives the place of each order and how it ended, in the order in which they end.

    `jobs` at a time, each in a process of its own; one job is done in this process, which shares its imports.
    """
    if jobs == 1:
        for place, order in enumerate(orders):
            yield place, build_one(order, lambda stage, spec=order.spec: told(spec, stage))  # type: ignore[misc]
        return
    desks = [_Desk() for _ in range(jobs)]
    free = [*desks]  # lists are safe to take from and put back to by several threads

    def at_a_desk(order: Order) -> SpecOutcome:
        desk = free.pop()
        try:
            return desk.build(order, lambda stage: told(order.spec, stage))
        finally:
            free.append(desk)

    try:
        with ThreadPoolExecutor(max_workers=jobs) as threads:
            asked = {threads.submit(at_a_desk, order): place for place, order in enumerate(orders)}
            try:
                for finished in as_completed(asked):
                    yield asked[finished], finished.result()
            finally:
                for each in asked:
                    each.cancel()
                for desk in desks:
                    desk.end()
    finally:
        for desk in desks:
            desk.close()
        for order in orders:
            clear_unfinished(order.folder)


class _Desk:
    """A process that builds spec after spec; where it was killed or has grown too large, a new one takes over."""

    def __init__(self) -> None:
        self._worker: WorkerProcess | None = None
        self._over = False

    def build(self, order: Order, told: Notify) -> SpecOutcome:
        """How the build of a spec ended, whatever happens to the process."""
        began = perf_counter()
        try:
            if self._worker is None:
                self._worker = WorkerProcess(build_one, alone=True)
            if self._over:  # ended while this process was starting
                self._worker.end()
            outcome: SpecOutcome = self._worker.ask(order, told)
        except WorkerGone:
            self.close()
            clear_unfinished(order.folder)
            gone: AtreportError = OutputError(
                f"{order.spec}: the process that built it was ended before it was done: somebody stopped it, or the "
                "machine ran out of memory.\n  Nothing half-written is left. Build it again, alone or with fewer --jobs."
            )
            return SpecOutcome(spec=order.spec, result=gone, seconds=perf_counter() - began)
        except OSError as error:
            none = OutputError(f"{order.spec}: no process could be started for it: {error.strerror}.")
            return SpecOutcome(spec=order.spec, result=none, seconds=perf_counter() - began)
        if outcome.memory > GROWN:
            self.close()
        return outcome

    def end(self) -> None:
        """Stop the process, whatever it is doing; by any thread."""
        self._over = True
        if self._worker is not None:
            self._worker.end()

    def close(self) -> None:
        """Stop the process and let go of it, when nobody waits for it."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


# How many reports there is room for on this machine at a time: by its cores, and by the memory that is free.

MEMORY_OF_A_BUILD = 1_000_000_000
"""Bytes that a build is reckoned with. The largest example with its PDF takes less; see docs/register.md."""

FEW = 512
"""Megabytes that a build of records may use at least, however many there are: with less, every query goes to disk."""

_MEMINFO = Path("/proc/meminfo")
_LIMIT, _USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


def jobs_for(specs: int, *, cores: int, memory: int | None) -> int:
    """How many specs to build at a time: no more than cores, or than the free memory has room for; at least one."""
    room = cores if memory is None else memory // MEMORY_OF_A_BUILD
    return max(1, min(specs, cores, room))


def share_memory(options: RunOptions, jobs: int, memory: int | None) -> RunOptions:
    """The options of each of several builds at a time: what one alone may use for records is shared among them."""
    if jobs == 1 or memory is None or options.memory_limit is not None:
        return options
    return replace(options, memory_limit=f"{max(memory // jobs // 1_000_000, FEW)}MB")


def free_memory() -> int | None:
    """Bytes that are free on this machine, or in the container that this is; None where the system does not say."""
    known = [each for each in (_free_on_machine(), _free_in_container()) if each is not None]
    return min(known, default=None)


def _free_on_machine() -> int | None:
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _free_in_container() -> int | None:
    try:
        limit, used = (path.read_text(encoding="ascii").strip() for path in (_LIMIT, _USED))
        return None if limit == "max" else max(int(limit) - int(used), 0)
    except (OSError, ValueError):
        return None


def usable_processors() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_at_its_peak() -> int:
    """Bytes that this process has taken at most until now; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # no such thing on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
