"""Build the reports of many specs: one after the other in this process, or several at a time in processes of their own.

Guarantee: every report has the bytes that a build of its spec alone would write, since the same code makes it; a spec that
cannot be built, and a process that is killed, stop no other spec; nothing that was begun and not finished stays behind.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from time import perf_counter

from atreport.commands.batch.room import memory_at_its_peak
from atreport.commands.build import build
from atreport.commands.spec_paths import specs_named
from atreport.confidential.data.run_options import LOCAL, RunOptions
from atreport.errors import AtreportError, OutputError, UsageError, unexpected
from atreport.kit.worker_process import Told, WorkerGone, WorkerProcess
from atreport.publish import clear_unfinished

GROWN = 1_500_000_000
"""Bytes. A process that needed more for a spec is replaced before the next, so that what it holds on to is given back."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One spec to be built, and how; see :func:`atreport.commands.build.build`."""

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
class Built:
    """What there is to say of a finished report, without the report itself, which may be large."""

    folder: Path
    files: tuple[Path, ...]
    beta: Decimal
    missing: str | None
    warnings: tuple[str, ...]
    cautions: tuple[str, ...]
    recorded: Path | None


@dataclass(frozen=True, kw_only=True)
class Outcome:
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


def build_one(order: Order, told: Told) -> Outcome:
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
        result = Built(
            folder=made.folder,
            files=made.files,
            beta=made.report.privacy.beta,
            missing=made.missing,
            warnings=made.warnings,
            cautions=made.cautions,
            recorded=made.recorded,
        )
        del made
    except AtreportError as error:
        result = error
    except Exception as error:
        if os.environ.get("ATREPORT_DEBUG"):
            raise
        result = unexpected(error)
    gc.collect()  # this report is gone, and the next one needs the room
    return Outcome(
        spec=order.spec, result=result, seconds=perf_counter() - began, memory=memory_at_its_peak()
    )


ToldOf = Callable[[Path, str], None]
"""Called with a spec and the stage of its build that begins; by several threads at once."""


def build_many(orders: Sequence[Order], jobs: int, told: ToldOf) -> Iterator[tuple[int, Outcome]]:
    """Build each spec; gives the place of each order and how it ended, in the order in which they end.

    `jobs` at a time, each in a process of its own; one job is done in this process, which shares its imports.
    """
    if jobs == 1:
        for place, order in enumerate(orders):
            yield place, build_one(order, lambda stage, spec=order.spec: told(spec, stage))  # type: ignore[misc]
        return
    desks = [_Desk() for _ in range(jobs)]
    free = [*desks]  # lists are safe to take from and put back to by several threads

    def at_a_desk(order: Order) -> Outcome:
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

    def build(self, order: Order, told: Told) -> Outcome:
        """How the build of a spec ended, whatever happens to the process."""
        began = perf_counter()
        try:
            if self._worker is None:
                self._worker = WorkerProcess(build_one, alone=True)
            if self._over:  # ended while this process was starting
                self._worker.end()
            outcome: Outcome = self._worker.ask(order, told)
        except WorkerGone:
            self.close()
            clear_unfinished(order.folder)
            gone: AtreportError = OutputError(
                f"{order.spec}: the process that built it was ended before it was done: somebody stopped it, or the "
                "machine ran out of memory.\n  Nothing half-written is left. Build it again, alone or with fewer --jobs."
            )
            return Outcome(spec=order.spec, result=gone, seconds=perf_counter() - began)
        except OSError as error:
            none = OutputError(f"{order.spec}: no process could be started for it: {error.strerror}.")
            return Outcome(spec=order.spec, result=none, seconds=perf_counter() - began)
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
