"""What can be asked of the studio: a page, its files, and a few questions, each at an address of its own.

No address names a file: what is served is in memory by its exact name, so there is no path to play tricks with.
"""

import asyncio
import hashlib
import json
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from atreport.errors import (
    AtreportError,
    InvalidInput,
    OutputError,
    Refused,
    Unexpected,
    UsageError,
    problems_of,
    visible,
)
from atreport.private.data.run_options import RunOptions
from atreport.resources import templates_folder
from atreport.spec.yaml import MAX_BYTES
from atreport.studio.guard import HOST, PAGE_POLICY, Guard
from atreport.studio.session import Session, Superseded, Worker, write_policy
from atreport.studio.work import AskedBuild, AskedPolicy, AskedText
from atreport.write_folder import write_new_file

MOST_BODY = MAX_BYTES + 64 * 1024
"""The longest question: a spec of the largest size, and what is said about it."""

PATIENCE = 20.0
"""Seconds that a tab waits for news before it asks again."""

REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; "
)
"""What a report may load: nothing that it does not carry."""

STILL = REPORT_POLICY + "sandbox allow-same-origin"
"""In the studio's frame no script of it runs, so the frame can keep its place."""

ALIVE = REPORT_POLICY + "script-src 'unsafe-inline'; sandbox allow-scripts"
"""In a tab of its own its scripts run, and belong to no site: they can ask the studio nothing."""

NUMBERS = ("delta", "alpha", "rates", "beta", "lift", "odds")

Answered = Callable[[Request], Awaitable[Response]]

Question = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a studio is opened on."""

    spec: Path
    output: Path
    options: RunOptions
    editor: bool = True  # without it: a preview, which writes nothing


def make_app(setting: Setting) -> Starlette:
    """The app; it is for a :class:`~atreport.studio.guard.Guard` to decide who may ask it."""
    desk = Session(setting.spec)
    answers = Answers(setting, desk)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(desk.watch())
        try:
            yield
        finally:
            watching.cancel()
            desk.close()

    questions: dict[str, Callable[[Question], Awaitable[dict[str, Any]]]] = {
        "/draft": answers.draft,
        "/policy": answers.policy,
        "/attacks": answers.attacks,
    }
    if setting.editor:
        questions |= {
            "/take-over": answers.take_over,
            "/save": answers.save,
            "/build": answers.build,
            "/stop": answers.stop,
        }
    return Starlette(
        routes=[
            *(Route(address, _asset(name, kind), methods=["GET"]) for address, name, kind in ASSETS),
            Route("/spec", answers.spec, methods=["GET"]),
            Route("/news", answers.news, methods=["GET"]),
            Route("/page/{name:str}", answers.still, methods=["GET"]),
            Route("/report/{name:str}", answers.alive, methods=["GET"]),
            *(Route(address, _careful(answer), methods=["POST"]) for address, answer in questions.items()),
        ],
        lifespan=lifespan,
    )


ASSETS = (
    ("/", "studio.html", "text/html; charset=utf-8"),
    ("/enter.js", "enter.js", "text/javascript; charset=utf-8"),
    ("/studio.css", "studio.css", "text/css; charset=utf-8"),
    ("/studio.js", "studio.js", "text/javascript; charset=utf-8"),
    ("/colours.css", "../colours.css", "text/css; charset=utf-8"),
)
"""Address, file, and what it is."""


def _asset(name: str, kind: str) -> Answered:
    content = (templates_folder() / "studio" / name).read_bytes()

    async def answer(_request: Request) -> Response:
        return Response(content, headers={"Content-Type": kind, "Content-Security-Policy": PAGE_POLICY})

    return answer


def _careful(answer: Callable[[Question], Awaitable[dict[str, Any]]]) -> Answered:
    """What a user can meet becomes an answer with its problems; anything else one sentence without any detail."""

    async def answered(request: Request) -> Response:
        try:
            return JSONResponse({"ok": True, **await answer(await _question(request))})
        except Superseded:
            return JSONResponse({"superseded": True})
        except FileChanged:
            return JSONResponse({"ok": False, "changed": True}, status_code=409)
        except AtreportError as error:
            return JSONResponse(_problems(error))
        except HTTPException:
            raise
        except Exception as error:
            sentence = (
                f"Internal error ({type(error).__name__}). This is a bug in atreport, not in your spec."
            )
            found = {"ok": False, "problems": _entries(Unexpected(sentence))}
            return JSONResponse(found, status_code=500)

    return answered


def _problems(error: AtreportError) -> dict[str, Any]:
    refused = {} if isinstance(error, InvalidInput) else {"refused": isinstance(error, Refused)}
    return {"ok": False, **refused, "problems": _entries(error)}


def _entries(error: AtreportError) -> list[dict[str, Any]]:
    return [
        {
            "line": each.location.line,
            "column": each.location.column,
            "file": Path(each.location.file).name,
            "message": visible(each.message),
            "hint": visible(each.hint or ""),
        }
        for each in problems_of(error, "")
    ]


async def _question(request: Request) -> Question:
    """The question of a POST: JSON of no more than the largest size, read no further than that."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "The studio takes application/json.")
    said = request.headers.get("content-length", "0")
    if not said.isdigit() or int(said) > MOST_BODY:
        raise HTTPException(413, "This is larger than any spec.")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY:
            raise HTTPException(413, "This is larger than any spec.")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "This is not JSON.") from None
    if not isinstance(found, dict):
        raise HTTPException(400, "The studio takes a JSON object.")
    return found


def _text(question: Question, key: str) -> str:
    value = question.get(key)
    if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
        raise HTTPException(400, f"'{key}' must be a text.")
    return value


def _numbers(question: Question) -> dict[str, Decimal | None]:
    """The numbers of a policy; None where one is not given."""
    given = question["policy"]
    if not isinstance(given, dict) or set(given) - set(NUMBERS):
        raise HTTPException(400, f"'policy' takes {', '.join(NUMBERS)}.")
    found: dict[str, Decimal | None] = dict.fromkeys(NUMBERS)
    for key, value in given.items():
        if value is None:
            continue
        try:
            number = Decimal(str(value)[:40])
        except InvalidOperation:
            raise HTTPException(400, f"'{key}' must be a number.") from None
        if not number.is_finite() or abs(number) > 10**9:
            raise HTTPException(400, f"'{key}' must be a number.")
        found[key] = number
    return found


class Answers:
    """The answer to each question, from a desk and its workers."""

    def __init__(self, setting: Setting, desk: Session) -> None:
        self.setting, self.desk = setting, desk

    def _asked(self, question: Question) -> AskedText:
        return AskedText(text=_text(question, "text"), path=self.setting.spec, options=self.setting.options)

    async def _work(self, worker: Worker, job: str, question: Question, asked: Any) -> dict[str, Any]:
        tab = _text(question, "tab")[:40]
        found: dict[str, Any] = await worker.ask(tab, asked, self.desk.teller(job, tab))
        return found

    async def spec(self, _request: Request) -> Response:
        """The text of the file."""
        try:
            found = await asyncio.to_thread(read_text, self.setting.spec)
        except AtreportError as error:
            return JSONResponse(_problems(error))
        return JSONResponse(
            {
                "ok": True,
                "text": found.text,
                "version": found.version,
                "name": self.setting.spec.name,
                "editor": self.setting.editor,
                "output": str(self.setting.output),
                "news": self.desk.latest_news,
            }
        )

    async def news(self, request: Request) -> Response:
        """What happened after the news that a tab has heard of; waits for some."""
        after = request.query_params.get("after", "")
        if not after.isascii() or not after.isdigit() or len(after) > 12:
            raise HTTPException(400, "'after' must be a number.")
        return JSONResponse(await self.desk.news_after(int(after), PATIENCE))

    async def still(self, request: Request) -> Response:
        """A report for the frame, without its scripts."""
        return self._report(request, STILL)

    async def alive(self, request: Request) -> Response:
        """A report for a tab of its own."""
        return self._report(request, ALIVE)

    def _report(self, request: Request, policy: str) -> Response:
        html = self.desk.kept_page(request.path_params["name"])
        if html is None:
            raise HTTPException(404)
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
        return Response(html.encode(), headers=headers)

    async def draft(self, question: Question) -> dict[str, Any]:
        """The report of a text, or what is wrong with it."""
        found = await self._work(self.desk.page, "report", question, self._asked(question))
        self.desk.watch_also(found.pop("files"))
        return {"page": self.desk.keep_page(found.pop("html")), **found}

    async def policy(self, question: Question) -> dict[str, Any]:
        """What a policy would give."""
        chosen = None if question.get("policy") is None else _numbers(question)
        exactly = question.get("exactly") is True
        asked = AskedPolicy(of=self._asked(question), chosen=chosen, exactly=exactly)
        worker, job = (self.desk.exact_figures, "exact policy") if exactly else (self.desk.figures, "policy")
        return await self._work(worker, job, question, asked)

    async def attacks(self, question: Question) -> dict[str, Any]:
        """What attacks on the draft of a text give."""
        return await self._work(self.desk.attacks, "attacks", question, self._asked(question))

    async def take_over(self, question: Question) -> dict[str, Any]:
        """The text with another policy."""
        text, chosen = _text(question, "text"), _numbers({"policy": {}, **question})
        given = question.get("policy") or {}
        privacy = {key: chosen[key] for key in ("beta", "lift", "odds") if key in given}
        fidelity = {key: chosen[key] for key in ("delta", "alpha", "rates") if key in given}
        if "beta" in privacy:  # the same ceiling, which can be written in one way only
            privacy["gamma"] = None
        return {"text": await asyncio.to_thread(write_policy, text, fidelity, privacy)}

    async def save(self, question: Question) -> dict[str, Any]:
        """Save the text, unless the file has changed; `overwrite` saves over any."""
        seen = None if question.get("overwrite") is True else _text(question, "version")
        text = _text(question, "text")
        return {"version": await asyncio.to_thread(save_text, self.setting.spec, text, seen)}

    async def build(self, question: Question) -> dict[str, Any]:
        """Build the folder from the file, which must be what the editor shows."""
        found = await asyncio.to_thread(read_text, self.setting.spec)
        if found.version != _text(question, "version"):
            raise FileChanged
        formats = ("html", "json") if question.get("pdf") is False else None
        asked = AskedBuild(
            path=self.setting.spec, output=self.setting.output, formats=formats, options=self.setting.options
        )
        return await self._work(self.desk.folder, "build", question, asked)

    async def stop(self, question: Question) -> dict[str, Any]:
        """Stop attacks or a build; a build that is stopped leaves the previous one whole."""
        workers = {"attacks": self.desk.attacks, "build": self.desk.folder}
        worker = workers.get(_text(question, "job"))
        if worker is None:
            raise HTTPException(400, "'job' is attacks or build.")
        with suppress(ProcessLookupError):
            worker.stop()
        return {}


# The spec as a file: read, saved as it stands in the editor, and never over somebody else's change.
#
# Guarantee: what is saved is the text of the editor, with the line ends and the byte-order mark that the file
# had; the file is replaced in one step, keeps its permissions, and is not replaced if it is no longer the one
# that the editor was given.

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class SavedText:
    """The text of a spec, and which state of its file it is."""

    text: str
    version: str  # a hash of the bytes


class FileChanged(Exception):
    """The file is not the one that the editor was given."""


def read_text(path: Path) -> SavedText:
    """The text as an editor shows it: every line ends with a newline character."""
    data = _bytes(path)
    text = data.removeprefix(_MARK).decode("utf-8", errors="replace")
    return SavedText(text=text.replace("\r\n", "\n").replace("\r", "\n"), version=_version(data))


def save_text(path: Path, text: str, seen: str | None) -> str:
    """Save the text; `seen` is the version that the editor was given, None to save over any. Returns the new version.

    Raises:
        FileChanged: the file is another one by now.
        OutputError: it cannot be written.
    """
    before = _bytes(path) if path.exists() else b""
    if seen is not None and _version(before) != seen:
        raise FileChanged
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    windows = before.count(b"\r\n") * 2 > before.count(b"\n")
    data = plain.replace("\n", "\r\n" if windows else "\n").encode("utf-8")
    if before.startswith(_MARK):
        data = _MARK + data
    _replace(path, data)
    return _version(data)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}.") from None


def _replace(path: Path, data: bytes) -> None:
    """The file with other contents, in one step; a link stays one."""
    target = path.resolve()
    staging = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        staging.unlink(missing_ok=True)
        try:
            write_new_file(staging, data, 0o600, lasting=True)
            staging.chmod(mode)
            staging.replace(target)
        finally:
            staging.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be saved: {error.strerror}. The file is as it was.") from None


# Open the studio on a port of this machine, and keep it open until it is interrupted.

MOST_CONNECTIONS = 40
"""Beyond so many at once, further ones are refused: a few tabs need a handful."""

MOST_WAITED_FOR = 20
"""So many connections may be without a whole request at once; one more, and the oldest of them is closed."""

RECEIVED_WITHIN = 5.0
"""Seconds from the start of a connection, or of a request on it, until the whole request must be there."""


class _Impatient(H11Protocol):
    """HTTP that closes connections whose request does not come: uvicorn would wait for them for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, and for no more than some others beside."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(RECEIVED_WITHIN, self._give_up)
        waited_for = {
            each: each._deadline.when()
            for each in self.connections
            if isinstance(each, _Impatient) and each._deadline is not None
        }
        if len(waited_for) > MOST_WAITED_FOR:
            min(waited_for, key=waited_for.__getitem__)._give_up()

    def data_received(self, data: bytes) -> None:
        """Stop waiting once the request is whole."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(RECEIVED_WITHIN, self._give_up)

    def on_response_complete(self) -> None:
        """Wait for the rest of a request that came with the one before it."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self._deadline is None:
            self._deadline = self.loop.call_later(RECEIVED_WITHIN, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        self._stop_waiting()
        self.connections.discard(self)  # it counts no longer, though it ends a little later
        self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def serve(setting: Setting, port: int, opened: Callable[[str], None]) -> None:
    """Serve until interrupted; `opened` is called with the link that lets a browser in.

    The port is bound before anything else, on 127.0.0.1 alone; 0 takes any that is free.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise UsageError(
            f"port {port} cannot be used ({error.strerror}): choose another with --port, or leave it out"
        ) from None
    with listening:
        guard = Guard(make_app(setting), listening.getsockname()[1])
        opened(guard.link)
        with suppress(KeyboardInterrupt):  # how one ends it: no accident
            make_server(guard).run(sockets=[listening])


def make_server(app: ASGIApp) -> uvicorn.Server:
    """A server that tells nothing of itself and waits for nobody long."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            http=_Impatient,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=16 * 1024,
            timeout_graceful_shutdown=1,
        )
    )
