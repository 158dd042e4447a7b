"""Who works on what the tabs ask, and what they are told meanwhile.

Work is done in processes of their own, so that the page answers whatever they do. Of what one tab asks of one process only
the latest counts: what waits is dropped, and what has been running for long is stopped.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from pathlib import Path
from time import monotonic
from typing import Any

from atreport.confidential.data.run_options import RunOptions
from atreport.errors import AtreportError
from atreport.kit.worker_process import Step, Told, WorkerGone, WorkerProcess
from atreport.studio.work import attack, build_folder, make_page, try_policy

PATIENCE = 1.5
"""Seconds after which work that nobody waits for is stopped: starting a process anew takes about as long."""

MOST_PAGES = 8
"""So many reports are kept for the tabs that show them."""

MOST_TOLD = 500

WATCHED_EVERY = 0.4
"""Seconds between two looks at the files."""


class Superseded(Exception):
    """Something newer was asked, so there is no answer to this."""


class WorkStopped(AtreportError):
    """The process that worked on this ended by itself or was ended."""


class Worker:
    """One process, started when it is first asked, and anew when it was stopped."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._process: WorkerProcess | None = None
        self._turn = asyncio.Lock()
        self._latest: dict[str, int] = {}
        self._running: tuple[str, float] | None = None

    async def ask(self, tab: str, question: Any, told: Told) -> Any:
        """The answer. Raises :class:`Superseded` where the same tab asks something newer before it is there."""
        ticket = self._latest[tab] = self._latest.get(tab, 0) + 1
        if (
            self._running is not None
            and self._running[0] == tab
            and monotonic() - self._running[1] > PATIENCE
        ):
            self.stop()
        async with self._turn:
            if self._latest[tab] != ticket:
                raise Superseded
            self._running = (tab, monotonic())
            try:
                if self._process is None:
                    self._process = await asyncio.to_thread(WorkerProcess, self._step)
                answer = await asyncio.to_thread(self._process.ask, question, told)
            except WorkerGone:
                gone, self._process = self._process, None
                if gone is not None:
                    await asyncio.to_thread(gone.close)
                if self._latest[tab] != ticket:
                    raise Superseded from None
                raise WorkStopped("The work was stopped.") from None
            finally:
                self._running = None
        if self._latest[tab] != ticket:
            raise Superseded
        return answer

    def stop(self) -> None:
        """Stop what is running; whoever waits for it is told so."""
        if self._process is not None and self._running is not None:
            self._process.end()

    def close(self) -> None:
        """End the process for good."""
        if self._process is not None:
            self._process.close()


class Desk:
    """The workers, the reports they made, and the news for the tabs."""

    def __init__(self, spec: Path, output: Path, options: RunOptions) -> None:
        self.spec, self.output, self.options = spec, output, options
        self.page, self.figures, self.exact_figures = (
            Worker(make_page),
            Worker(try_policy),
            Worker(try_policy),
        )
        self.attacks, self.folder = Worker(attack), Worker(build_folder)
        self._pages: OrderedDict[str, str] = OrderedDict()
        self._news: deque[dict[str, Any]] = deque(maxlen=MOST_TOLD)
        self._number = 0
        self._something_new = asyncio.Condition()
        self._watched: set[Path] = {spec}

    def keep_page(self, html: str) -> str:
        """Keep a report for the tab that will ask for it; returns its name."""
        name = secrets.token_urlsafe(9)
        self._pages[name] = html
        while len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return name

    def kept_page(self, name: str) -> str | None:
        """A report by its name."""
        return self._pages.get(name)

    def watch_also(self, files: list[str]) -> None:
        """Tell when one of these files changes, too."""
        self._watched = {self.spec, *map(Path, files)}

    async def tell(self, **news: Any) -> None:
        """Tell every tab something."""
        async with self._something_new:
            self._number += 1
            self._news.append({"number": self._number, **news})
            self._something_new.notify_all()

    def teller(self, job: str, tab: str) -> Told:
        """Tells a tab of the stages of a job; may be called from another thread."""
        loop = asyncio.get_running_loop()

        def told(stage: str) -> None:
            asyncio.run_coroutine_threadsafe(self.tell(kind="stage", job=job, tab=tab, stage=stage), loop)

        return told

    async def news_after(self, number: int, patience: float) -> dict[str, Any]:
        """What was told after a number, as soon as there is something; nothing after some seconds without."""
        async with self._something_new:
            if number >= self._number:
                try:
                    await asyncio.wait_for(
                        self._something_new.wait_for(lambda: self._number > number), patience
                    )
                except TimeoutError:
                    return {"number": self._number, "news": []}
            return {"number": self._number, "news": [each for each in self._news if each["number"] > number]}

    @property
    def latest_news(self) -> int:
        """The number of the last thing that was told."""
        return self._number

    async def watch(self) -> None:
        """Look at the files for ever, and tell of every change."""
        before = {path: _stamp(path) for path in self._watched}
        while True:
            await asyncio.sleep(WATCHED_EVERY)
            now = {path: _stamp(path) for path in set(self._watched)}
            changed = [path for path, stamp in now.items() if before.get(path, stamp) != stamp]
            before = now
            if changed:
                await self.tell(kind="file" if self.spec in changed else "data")

    def close(self) -> None:
        """End every process."""
        for worker in (self.page, self.figures, self.exact_figures, self.attacks, self.folder):
            worker.close()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
