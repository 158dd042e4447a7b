"""Give hostile input to the program, each case in a process of its own, and log what it does: `make fuzz MINUTES=60`.

A case fails if it ends in anything but a result or an error that users can meet, takes longer than 20 seconds of
processor time, or more than 1 GB of memory: processes that it starts counted with it (`family.py`).
"""

import json
import os
import random
import resource
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from atreport.errors import AtreportError
from tests.fuzz.family import held, watch
from tests.fuzz.targets import TARGETS

MOST_SECONDS = 20
MOST_BYTES = 1_000_000_000


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a case ended."""

    case: str
    how: str  # fine, error, INTERNAL, TOO LONG, TOO LARGE
    seconds: float
    megabytes: int
    words: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is a finding."""
        return self.how.isupper()


def run_case(target: str, seed: int) -> Ended:
    """One case, in a child of this process."""
    case = f"{target} {seed}"
    with tempfile.TemporaryDirectory(prefix="atreport-fuzz-") as name:
        return limited(case, lambda: TARGETS[target](random.Random(case), Path(name)))


def limited(case: str, do: Callable[[], object]) -> Ended:
    """Do something in a child of this process, which is ended where it takes too long."""
    with tempfile.NamedTemporaryFile(prefix="atreport-fuzz-") as notes:
        before = held()
        child = os.fork()
        if not child:
            _answer(do, Path(notes.name))
        used = watch(child)
        words = notes.read().decode("utf-8")
    how = {0: "fine", 1: "error"}.get(used.code, "INTERNAL")
    if used.seconds > MOST_SECONDS:
        how = "TOO LONG"
    elif used.bytes - before > MOST_BYTES:
        how = "TOO LARGE"
    return Ended(
        case=case,
        how=how,
        seconds=round(used.seconds, 2),
        megabytes=max(used.bytes - before, 0) // 1_000_000,
        words=words if how.isupper() else "",
    )


def _answer(do: Callable[[], object], notes: Path) -> None:
    """What the child does; it never returns."""
    code = 2
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS + 1, MOST_SECONDS + 2))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        do()
        code = 0
    except AtreportError:
        code = 1
    except BaseException:
        notes.write_text(traceback.format_exc()[-3000:], encoding="utf-8")
    os._exit(code)


def run_cases(
    targets: Sequence[str], seeds: Iterable[int], minutes: float | None = None, log: Path | None = None
) -> list[Ended]:
    """Run cases until there are no more or the time is over; a line a finding in the log, and at last the sums."""
    end = None if minutes is None else time.monotonic() + 60 * minutes
    counts: Counter[str] = Counter()
    most: dict[str, tuple[float, int]] = {}
    failed = []
    for target, seed in ((target, seed) for seed in seeds for target in targets):
        if end is not None and time.monotonic() > end:
            break
        ended = run_case(target, seed)
        counts[f"{target}: {ended.how}"] += 1
        seconds, megabytes = most.get(target, (0.0, 0))
        most[target] = max(seconds, ended.seconds), max(megabytes, ended.megabytes)
        if ended.failed:
            failed.append(ended)
            _note(log, asdict(ended))
    _note(log, {"sums": dict(sorted(counts.items())), "most seconds and megabytes": most})
    return failed


def _note(log: Path | None, entry: dict[str, Any]) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
