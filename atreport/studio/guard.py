"""Who may ask the studio anything: the browser that was let in by the link, from the studio's own pages, and nobody else.

Guarantee: a request reaches the studio only if it names this address as its host (so a foreign name that was pointed at
this machine does not), carries the secret of the session as a cookie, and, where a browser says which site it comes from,
comes from here. The link lets one browser in, once. Everything else is refused before any of it is read.

A browser sends cookies to every port of a host, so a server of somebody else on this machine may see this one. What tells or
does anything therefore takes a second secret, the key, which the page keeps where only pages of this very port can read it.
"""

import hmac
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"

ENTRANCE = "/"
"""Where the link leads, with the token as its only question."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the studio's own page may load: its own files, and nothing from anywhere else."""

ALWAYS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""The headers of every answer, unless it has its own."""

KEY = "x-studio-key"
"""The header with the key."""

WITHOUT_KEY = frozenset({"/", "/enter.js", "/studio.css", "/studio.js", "/colours.css"})
"""What says nothing of any spec."""

BY_NAME = ("/page/", "/report/")
"""Reports for a frame or a tab, which can send no header: each has a name that cannot be guessed."""

_ENTERED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>atreport studio</title>
<link rel="icon" href="data:,"><meta name="studio-key" content="{key}"><script src="/enter.js"></script>
<noscript><p>The studio needs JavaScript.</p></noscript></html>"""


_BY_THE_LINK = "Open the studio by the link that was printed when it was started."


class Guard:
    """Lets a request through to the app, or answers it with a refusal."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app, self.port = app, port
        self.origin = f"http://{HOST}:{port}"
        self.link_token: str | None = secrets.token_urlsafe(32)
        self._secret, self._key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.cookie = f"atreport_studio_{port}"  # cookies know no ports: two studios must not share a name

    @property
    def link(self) -> str:
        """The link that lets one browser in."""
        return f"{self.origin}{ENTRANCE}?token={self.link_token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no websockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._answer(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        await self.app(scope, receive, _with_headers(send))

    def _answer(self, scope: Scope) -> Response | None:
        """A refusal, or the way in; None where the request may go on."""
        headers = _headers(scope)
        if headers is None or headers.get("host") != f"{HOST}:{self.port}":
            return _refused("This is not the address of the studio.", 421)
        if scope["method"] not in ("GET", "POST"):
            return _refused("The studio knows no such method.", 405)
        question = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and scope["path"] == ENTRANCE and "token" in question:
            return self._enter(question["token"])
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _refused("Another site asked for this.", 403)
        origin = headers.get("origin")
        if origin != self.origin and (origin is not None or scope["method"] == "POST"):
            return _refused("Another site asked for this.", 403)
        given = cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        entered = hmac.compare_digest(given.encode(), self._secret.encode())
        if not (scope["path"] in WITHOUT_KEY or scope["path"].startswith(BY_NAME)):
            entered &= hmac.compare_digest(headers.get(KEY, "").encode(), self._key.encode())
        return None if entered else _refused(_BY_THE_LINK, 403)

    def _enter(self, tokens: list[str]) -> Response:
        """The cookie and the key for whoever has the link, once."""
        known, given = self.link_token, tokens[0]
        if known is None or len(tokens) != 1 or not hmac.compare_digest(given.encode(), known.encode()):
            return _refused(
                "This link has been used, or is not the one that was printed. "
                "End the studio with Ctrl-C and start it again.",
                403,
            )
        self.link_token = None
        # A page and not a redirect: a strict cookie is not sent along if another program or page led here.
        answer = HTMLResponse(
            _ENTERED.format(key=self._key), headers={"Content-Security-Policy": PAGE_POLICY}
        )
        answer.set_cookie(self.cookie, self._secret, httponly=True, samesite="strict", path="/")
        return answer


def _headers(scope: Scope) -> Mapping[str, str] | None:
    """The headers by their names; None where one that decides is given twice."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "cookie", "content-length", "content-type", KEY):
            return None
        found[key] = value.decode("latin-1")
    return found


def _refused(sentence: str, status: int) -> Response:
    return PlainTextResponse(sentence + "\n", status_code=status)


def _with_headers(send: Send) -> Send:
    """Add the headers that every answer has."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            always = ((name.encode(), value.encode()) for name, value in ALWAYS.items())
            added = [header for header in always if header[0].lower() not in given]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending
