"""Who works on what the tabs ask, and what they are told meanwhile.

Work is done in processes of their own, so that the page answers whatever they do. Of what one tab asks of one process only
the latest counts: what waits is dropped, and what has been running for long is stopped.
"""

import asyncio
import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from time import monotonic
from typing import Any

import yaml

from atreport.errors import AtreportError, UsageError
from atreport.processes import AnsweringStep, Notify, WorkerGone, WorkerProcess
from atreport.spec.yaml import parse_document
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

    def __init__(self, step: AnsweringStep) -> None:
        self._step = step
        self._process: WorkerProcess | None = None
        self._turn = asyncio.Lock()
        self._latest: dict[str, int] = {}
        self._running: tuple[str, float] | None = None

    async def ask(self, tab: str, question: Any, told: Notify) -> Any:
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


class Session:
    """The workers, the reports they made, and the news for the tabs."""

    def __init__(self, spec: Path) -> None:
        self.spec = spec
        self.page, self.figures, self.exact_figures = (
            Worker(make_page),
            Worker(try_policy),
            Worker(try_policy),
        )
        self.attacks, self.folder = Worker(attack), Worker(build_folder)
        self._pages: OrderedDict[str, str] = OrderedDict()
        self._news: deque[dict[str, Any]] = deque(maxlen=MOST_TOLD)
        self.latest_news = 0  # the number of the last thing that was told
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
            self.latest_news += 1
            self._news.append({"number": self.latest_news, **news})
            self._something_new.notify_all()

    def teller(self, job: str, tab: str) -> Notify:
        """Tells a tab of the stages of a job; may be called from another thread."""
        loop = asyncio.get_running_loop()

        def told(stage: str) -> None:
            asyncio.run_coroutine_threadsafe(self.tell(kind="stage", job=job, tab=tab, stage=stage), loop)

        return told

    async def news_after(self, number: int, patience: float) -> dict[str, Any]:
        """What was told after a number, as soon as there is something; nothing after some seconds without."""
        async with self._something_new:
            if number >= self.latest_news:
                try:
                    await asyncio.wait_for(
                        self._something_new.wait_for(lambda: self.latest_news > number), patience
                    )
                except TimeoutError:
                    return {"number": self.latest_news, "news": []}
            return {
                "number": self.latest_news,
                "news": [each for each in self._news if each["number"] > number],
            }

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


# Write a policy into the text of a spec, and leave every other character, comments included, where it is.
#
# Guarantee: the text that is returned reads as the one before it, but for the policy's fidelity and ceilings,
# which are those asked for; and every comment is still there. Where that cannot be had, nothing is returned
# but an error.

Chosen = Mapping[str, Decimal | None]
"""Keys of ``fidelity`` or ``privacy`` with their numbers; None: the key is not there."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COMMENT = re.compile(r"(?:^|\s)#.*$")


def write_policy(text: str, fidelity: Chosen, privacy: Chosen) -> str:
    """The text with another policy; keys that are not named stay as they are."""
    wanted, changed = _root(text), text
    for key, number in fidelity.items():
        changed = _with(changed, ("policy", "fidelity"), key, number)
    if any(number is not None for number in privacy.values()) and not _has(changed, ("policy", "privacy")):
        ceilings = ", ".join(f"{key}: {number}" for key, number in privacy.items() if number is not None)
        changed = _added(changed, _node(changed, ("policy",)), "privacy", f"{{{ceilings}}}")
    elif _has(changed, ("policy", "privacy")):
        kept = {**_root(changed)["policy"]["privacy"], **{key: str(each) for key, each in privacy.items()}}
        if all(each == "None" for each in kept.values()):
            changed = _without(changed, ("policy",), "privacy")
        else:  # what is set first, then what is taken away: a mapping is never empty in between
            for key, number in sorted(privacy.items(), key=lambda item: item[1] is None):
                changed = _with(changed, ("policy", "privacy"), key, number)
    # refuse a change that did anything else than it should
    for section, numbers in (("fidelity", fidelity), ("privacy", privacy)):
        mapping = dict(wanted["policy"].get(section) or {})
        for key, number in numbers.items():
            mapping.pop(key, None)
            if number is not None:
                mapping[key] = str(number)
        wanted["policy"].pop(section, None)
        if mapping:
            wanted["policy"][section] = mapping
    if wanted != _root(changed) or _comments(text) != _comments(changed):
        raise UsageError(
            "The policy could not be written into this text by itself: please change it by hand."
        )
    return changed


def _root(text: str) -> Any:
    return parse_document(text, Path("spec.yaml")).root


def _comments(text: str) -> list[str]:
    """What looks like a comment, line by line, in order."""
    return [found[0].strip() for line in text.splitlines() if (found := _COMMENT.search(line))]


def _node(text: str, path: tuple[str, ...]) -> yaml.MappingNode:
    node: Any = yaml.compose(text, Loader=_LOADER)
    for step in path:
        node = next(value for key, value in node.value if key.value == step)
    if not isinstance(node, yaml.MappingNode):
        raise UsageError(f"{'.'.join(path)} is no list of keys: please change it by hand.")
    return node


def _has(text: str, path: tuple[str, ...]) -> bool:
    node = _node(text, path[:-1])
    return any(key.value == path[-1] and isinstance(value, yaml.MappingNode) for key, value in node.value)


def _with(text: str, path: tuple[str, ...], key: str, number: Decimal | None) -> str:
    """The text with a key of a mapping set, or taken away."""
    mapping = _node(text, path)
    value = next((value for name, value in mapping.value if name.value == key), None)
    if number is None:
        return text if value is None else _without(text, path, key)
    if value is None:
        return _added(text, mapping, key, str(number))
    return text[: value.start_mark.index] + str(number) + text[value.end_mark.index :]


def _added(text: str, mapping: yaml.MappingNode, key: str, value: str) -> str:
    """The text with one more key at the end of a mapping."""
    if mapping.flow_style:
        end = mapping.end_mark.index - 1
        inside = text[mapping.start_mark.index + 1 : end].rstrip()
        comma = ", " if mapping.value and not inside.endswith(",") else ""
        last = mapping.value[-1][1].end_mark.index if mapping.value else mapping.start_mark.index + 1
        return f"{text[:last]}{comma}{key}: {value}{text[last:]}"
    column = mapping.value[0][0].start_mark.column
    last_value = mapping.value[-1][1]
    # a block ends after its comments, at the next key: the new line stands right after the last line with a value
    place = _end_of_line(text, _last_place(last_value))
    return f"{text[:place]}\n{' ' * column}{key}: {value}{text[place:]}"


def _last_place(node: yaml.Node) -> int:
    """The last character of a value."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _last_place(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _last_place(node.value[-1])
    return int(node.end_mark.index)


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _without(text: str, path: tuple[str, ...], key: str) -> str:
    """The text without a key of a mapping; comments beside it stay."""
    mapping = _node(text, path)
    place = next(index for index, (name, _) in enumerate(mapping.value) if name.value == key)
    name, value = mapping.value[place]
    start, end = name.start_mark.index, _last_place(value)
    if mapping.flow_style:
        if place + 1 < len(mapping.value):
            end = mapping.value[place + 1][0].start_mark.index
        elif place:
            start = mapping.value[place - 1][1].end_mark.index
        return text[:start] + _only_comments(text[start:end]) + text[end:]
    rest = text[end : _end_of_line(text, end)]
    left = "\n".join(filter(None, [*_comments(text[start:end]), rest.strip()]))
    line_start = text.rfind("\n", 0, start) + 1
    if left:
        return text[:start] + left.replace("\n", "\n" + " " * (start - line_start)) + text[end + len(rest) :]
    return text[:line_start] + text[min(end + len(rest) + 1, len(text)) :]


def _only_comments(text: str) -> str:
    """What must stay of a part that is taken out of a mapping written in one line."""
    return "".join(f" {comment}\n" for comment in _comments(text))
