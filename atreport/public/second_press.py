"""Print a page in a process of its own while this one prints another: two documents, two cores.

Guarantee: the bytes are those that this process would make, since it is the same code. Whatever goes wrong over there is
no error here: the page is then printed in this process, which says what is wrong. The page travels through a pipe and
touches no disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# The page is read before anything is imported, so that the one who sends it need not wait.
_WORKER = "import sys; page = sys.stdin.buffer.read(); from atreport.public.render import print_alone; print_alone(page)"


@contextmanager
def printing(page: bytes, here: Callable[[], bytes]) -> Iterator[Callable[[], bytes]]:
    """Begin to print a page (as :func:`atreport.public.render.print_alone` takes it), and give a way to fetch the PDF.

    `here` prints it in this process, for machines with one core and for when the other process fails.
    """
    if not sys.executable or (os.cpu_count() or 1) < 2:
        yield here
        return
    try:
        worker = subprocess.Popen(
            [sys.executable, "-c", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except OSError:
        yield here
        return
    with worker:
        try:
            assert worker.stdin is not None
            try:
                worker.stdin.write(page)
                worker.stdin.close()
            except OSError:  # it ended before it had read the page; `fetch` finds that out
                pass

            def fetch() -> bytes:
                assert worker.stdout is not None
                printed = worker.stdout.read()
                return printed if worker.wait() == 0 and printed else here()

            yield fetch
        finally:
            worker.kill()
