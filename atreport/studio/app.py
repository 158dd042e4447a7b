"""What can be asked of the studio: a page, its files, and a few questions, each at an address of its own.

No address names a file: what is served is in memory by its exact name, so there is no path to play tricks with.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from atreport.confidential.data.run_options import RunOptions
from atreport.errors import AtreportError, InvalidInput, Refused, visible
from atreport.kit.resources import templates_folder
from atreport.spec.yaml import MAX_BYTES
from atreport.studio.desk import Desk, Superseded, Worker
from atreport.studio.guard import PAGE_POLICY
from atreport.studio.policy_text import write_policy
from atreport.studio.spec_file import FileChanged, read_text, save_text
from atreport.studio.work import AskedBuild, AskedPolicy, AskedText

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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What a studio is opened on."""

    spec: Path
    output: Path
    options: RunOptions
    editor: bool = True  # without it: a preview, which writes nothing


def make_app(setting: Setting) -> Starlette:
    """The app; it is for a :class:`~atreport.studio.guard.Guard` to decide who may ask it."""
    desk = Desk(setting.spec, setting.output, setting.options)
    answers = Answers(setting, desk)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(desk.watch())
        try:
            yield
        finally:
            watching.cancel()
            desk.close()

    questions: dict[str, Answered] = {
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


def _careful(answer: Answered) -> Answered:
    """What a user can meet becomes an answer with its problems; anything else one sentence without any detail."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except Superseded:
            return JSONResponse({"superseded": True})
        except AtreportError as error:
            return JSONResponse(_problems(error))
        except HTTPException:
            raise
        except Exception as error:
            sentence = (
                f"Internal error ({type(error).__name__}). This is a bug in atreport, not in your spec."
            )
            return JSONResponse({"ok": False, "problems": [_problem(sentence)]}, status_code=500)

    return answered


def _problems(error: AtreportError) -> dict[str, Any]:
    if isinstance(error, InvalidInput):
        found = [
            _problem(each.message, each.location.line, each.location.column, each.hint, each.location.file)
            for each in error.problems
        ]
        return {"ok": False, "problems": found}
    return {"ok": False, "refused": isinstance(error, Refused), "problems": [_problem(str(error))]}


def _problem(
    message: str, line: int | None = None, column: int | None = None, hint: str | None = None, file: str = ""
) -> dict[str, Any]:
    return {
        "line": line,
        "column": column,
        "file": Path(file).name,
        "message": visible(message),
        "hint": visible(hint or ""),
    }


async def _question(request: Request) -> dict[str, Any]:
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


def _text(question: dict[str, Any], key: str) -> str:
    value = question.get(key)
    if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
        raise HTTPException(400, f"'{key}' must be a text.")
    return value


def _tab(question: dict[str, Any]) -> str:
    return _text(question, "tab")[:40]


def _numbers(question: dict[str, Any]) -> dict[str, Decimal | None]:
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

    def __init__(self, setting: Setting, desk: Desk) -> None:
        self.setting, self.desk = setting, desk

    def _asked(self, question: dict[str, Any]) -> AskedText:
        return AskedText(text=_text(question, "text"), path=self.setting.spec, options=self.setting.options)

    async def _work(self, worker: Worker, job: str, tab: str, asked: Any) -> dict[str, Any]:
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

    async def draft(self, request: Request) -> Response:
        """The report of a text, or what is wrong with it."""
        question = await _question(request)
        found = await self._work(self.desk.page, "report", _tab(question), self._asked(question))
        self.desk.watch_also(found.pop("files"))
        return JSONResponse({"ok": True, "page": self.desk.keep_page(found.pop("html")), **found})

    async def policy(self, request: Request) -> Response:
        """What a policy would give."""
        question = await _question(request)
        chosen = None if question.get("policy") is None else _numbers(question)
        exactly = question.get("exactly") is True
        asked = AskedPolicy(of=self._asked(question), chosen=chosen, exactly=exactly)
        worker, job = (self.desk.exact_figures, "exact policy") if exactly else (self.desk.figures, "policy")
        return JSONResponse({"ok": True, **await self._work(worker, job, _tab(question), asked)})

    async def attacks(self, request: Request) -> Response:
        """What attacks on the draft of a text give."""
        question = await _question(request)
        found = await self._work(self.desk.attacks, "attacks", _tab(question), self._asked(question))
        return JSONResponse({"ok": True, **found})

    async def take_over(self, request: Request) -> Response:
        """The text with another policy."""
        question = await _question(request)
        text, chosen = _text(question, "text"), _numbers({"policy": {}, **question})
        given = question.get("policy") or {}
        privacy = {key: chosen[key] for key in ("beta", "lift", "odds") if key in given}
        fidelity = {key: chosen[key] for key in ("delta", "alpha", "rates") if key in given}
        if "beta" in privacy:  # the same ceiling, which can be written in one way only
            privacy["gamma"] = None
        changed = await asyncio.to_thread(write_policy, text, fidelity, privacy)
        return JSONResponse({"ok": True, "text": changed})

    async def save(self, request: Request) -> Response:
        """Save the text, unless the file has changed; `overwrite` saves over any."""
        question = await _question(request)
        seen = None if question.get("overwrite") is True else _text(question, "version")
        try:
            saved = await asyncio.to_thread(save_text, self.setting.spec, _text(question, "text"), seen)
        except FileChanged:
            return JSONResponse({"ok": False, "changed": True}, status_code=409)
        return JSONResponse({"ok": True, "version": saved.version})

    async def build(self, request: Request) -> Response:
        """Build the folder from the file, which must be what the editor shows."""
        question = await _question(request)
        found = await asyncio.to_thread(read_text, self.setting.spec)
        if found.version != _text(question, "version"):
            return JSONResponse({"ok": False, "changed": True}, status_code=409)
        formats = ("html", "json") if question.get("pdf") is False else None
        asked = AskedBuild(
            path=self.setting.spec, output=self.setting.output, formats=formats, options=self.setting.options
        )
        return JSONResponse(
            {"ok": True, **await self._work(self.desk.folder, "build", _tab(question), asked)}
        )

    async def stop(self, request: Request) -> Response:
        """Stop attacks or a build; a build that is stopped leaves the previous one whole."""
        question = await _question(request)
        workers = {"attacks": self.desk.attacks, "build": self.desk.folder}
        worker = workers.get(_text(question, "job"))
        if worker is None:
            raise HTTPException(400, "'job' is attacks or build.")
        with suppress(ProcessLookupError):
            worker.stop()
        return JSONResponse({"ok": True})
