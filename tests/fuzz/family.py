"""How much a case takes, with every process that it starts: measured by other means than those that hold it in bounds.

Memory is the sum of what the processes of the case's session have in memory at one time, looked at every hundredth of a
second, or the peak that the system noted for the largest of them, whichever is more. Memory that several share counts for
each. What the case has from the tests' own process at its start does not count: other tests made it.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

LOOK = 0.01


@dataclass(frozen=True, kw_only=True)
class Used:
    """What a case has taken."""

    code: int
    seconds: float
    bytes: int


def held() -> int:
    """Bytes that this process has in memory, which a child begins with."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def watch(leader: int) -> Used:
    """Wait for a case, the leader of a session of its own, to end; meanwhile look at how much it takes."""
    most, status, used = 0, 0, None
    while used is None:
        most = max(most, _resident(leader))
        time.sleep(LOOK)
        ended, status, usage = os.wait4(leader, os.WNOHANG)
        used = usage if ended else None
    return Used(
        code=os.waitstatus_to_exitcode(status),
        seconds=used.ru_utime + used.ru_stime,
        bytes=max(most, used.ru_maxrss * 1024),
    )


def _resident(session: int) -> int:
    """Bytes that all processes of a session have in memory."""
    total = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) >= session:
            try:
                after_name = (process / "stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue  # it has ended in the meantime
            if int(after_name[3]) == session:
                total += int(after_name[21]) * os.sysconf("SC_PAGE_SIZE")
    return total
