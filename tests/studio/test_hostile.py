"""Requests that the studio must refuse: from other sites, other names, other methods, without or with a wrong secret."""

import asyncio
import stat
from typing import Any

import pytest

from atreport.studio.guard import KEY
from tests.studio.conftest import ORIGIN, PORT, Studio

QUESTIONS = ("/draft", "/policy", "/attacks", "/take-over", "/save", "/build", "/stop")
ADDRESSES = ("/", "/spec", "/news?after=0", "/studio.js", "/page/x", "/report/x")

HOSTS = (
    "evil.example",
    f"evil.example:{PORT}",
    f"localhost.evil.example:{PORT}",
    f"127.0.0.1.evil.example:{PORT}",
    "127.0.0.1",
    "127.0.0.1:1",
    f"localhost:{PORT}",
    f"[::1]:{PORT}",
    f"0.0.0.0:{PORT}",
    f"2130706433:{PORT}",
    "",
)
"""Names that point, or can be made to point, at this machine."""

ORIGINS = (
    "http://evil.example",
    "null",
    f"https://127.0.0.1:{PORT}",
    "http://127.0.0.1:1",
    f"http://localhost:{PORT}",
    f"http://127.0.0.1:{PORT}.evil.example",
    "file://",
)

TRICKS = (
    "/../spec",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/page/../../etc/passwd",
    "/page/..%2f..%2fetc%2fpasswd",
    "/report/%00",
    "//evil.example/",
    "/studio.css/../../colours.css",
    "/templates/studio/studio.js",
    "/credit_card.yaml",
    "/output/credit_card/confidential/annex.json",
    "/STUDIO.JS",
    "/studio.js%20",
)


METHODS = ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "FOO")
FORMS = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "text/json",
)
"""What a form of another site could send."""

BODIES = (
    b"",
    b"{",
    b"[]",
    b"1",
    b"[" * 100_000,
    b'{"tab": "t"}',
    b'{"tab": 1, "text": "x"}',
    b'{"tab": "t", "text": "\\ud800"}',
)
"""Broken JSON, other shapes, endless nesting and half characters."""

POLICIES: tuple[object, ...] = (
    {"delta": "x"},
    {"delta": "nan"},
    {"delta": "1e999999"},
    {"evil": 1},
    [],
    "x",
    {"delta": {}},
)
SAVE = {"tab": "t", "text": "x", "overwrite": True}
TWICE = (("Host", f"127.0.0.1:{PORT}", "evil.example"), ("Origin", ORIGIN, "http://evil.example"))

Request = tuple[str, str, dict[str, Any]]


def get(address: str, **options: Any) -> Request:
    """A request for a page."""
    return "GET", address, options


def post(address: str, *, headers: dict[str, str] | None = None, **options: Any) -> Request:
    """A question of the studio's own page, but for some headers."""
    return "POST", address, {"headers": {"Origin": ORIGIN, **(headers or {})}, **options}


REFUSED: dict[str, tuple[int, list[Request]]] = {
    "a site whose name was pointed at 127.0.0.1 (DNS rebinding)": (421, [
        *(get(address, headers={"Host": host}) for host in HOSTS for address in ADDRESSES),
        *(post("/save", headers={"Host": host}, json={}) for host in HOSTS),
    ]),
    "another site, also where the browser would send the cookie along": (403, [
        *(post(address, headers={"Origin": origin}, json=SAVE) for origin in ORIGINS for address in QUESTIONS),
        *(get("/spec", headers={"Origin": origin}) for origin in ORIGINS),
    ]),
    "pictures, frames and scripts of other pages, and of other ports, which count as the same site": (403, [
        get(address, headers={"Sec-Fetch-Site": site}) for site in ("cross-site", "same-site") for address in ADDRESSES
    ]),
    "a question that does not say where it comes from, as every browser does": (403, [("POST", "/save", {"json": SAVE})]),
    "two hosts or origins, of which none is believed": (421, [
        get("/spec", headers=[(name, value) for value in values]) for name, *values in TWICE
    ]),
    "another method; no answer to a preflight invites another site": (405, [
        (method, address, {"headers": {"Origin": ORIGIN}}) for method in METHODS for address in ("/", "/spec", "/save")
    ]),
    "a question asked by a link, a page fetched by a form": (405, [*map(get, QUESTIONS), post("/spec", json={})]),
    "another kind of content": (415, [
        post("/save", content=b'{"tab": "t", "text": "x"}', headers={"Content-Type": kind}) for kind in FORMS
    ]),
    "a body that is no question": (400, [
        post(address, content=body, headers={"Content-Type": "application/json"})
        for body in BODIES
        for address in ("/draft", "/save")
    ]),
    "a policy of numbers that are none, or of keys that nobody knows": (400, [
        post("/policy", json={"tab": "t", "text": "x", "policy": policy}) for policy in POLICIES
    ]),
    "news after what is no number": (400, [
        get("/news", params={"after": after}) for after in ("", "-1", "x", "9" * 40, "\u0663")
    ]),
}  # fmt: skip
"""What must be refused of one who was let in, cookie and key included: with which status, and the requests to try."""


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_request_of_our_page_is_refused(studio: Studio, what: str) -> None:
    """It is told nothing, changes nothing, and no other site is invited."""
    status, requests = REFUSED[what]
    before = studio.text
    for method, address, options in requests:
        answer = studio.stranger.request(method, address, **options)
        assert answer.status_code == status, (method, address, options)
        assert "access-control-allow-origin" not in answer.headers
    assert studio.text == before


@pytest.mark.parametrize("given", [None, "", "x", "0" * 43, "%e9"])
def test_no_secret_or_a_wrong_one(closed: Studio, given: str | None) -> None:
    """Nothing is told and nothing done for one who has not entered, whichever address is asked."""
    headers = {} if given is None else {"Cookie": f"{closed.guard.cookie}={given}"}
    for address in ADDRESSES:
        answer = closed.stranger.get(address, headers=headers)
        assert answer.status_code == 403
        assert "Credit" not in answer.text
    for address in QUESTIONS:
        assert (
            closed.stranger.post(address, json={}, headers={"Origin": ORIGIN, **headers}).status_code == 403
        )


@pytest.mark.parametrize("key", ["", "x", "0" * 43])
def test_a_cookie_without_the_key(closed: Studio, key: str) -> None:
    """A server on another port of this machine, which browsers send the cookie to, can do nothing with it."""
    closed.enter()
    closed.stranger.headers[KEY] = key
    for address in ("/spec", "/news?after=0", "/nothing", "/studio.js/x"):
        assert closed.stranger.get(address).status_code == 403
    for address in QUESTIONS:
        assert closed.stranger.post(address, json={}, headers={"Origin": ORIGIN}).status_code == 403


@pytest.mark.parametrize("token", ["", "x", "%00", "0" * 43])
def test_a_wrong_link(closed: Studio, token: str) -> None:
    """Guessing opens nothing, and does not use the link up."""
    answer = closed.stranger.get(f"/?token={token}")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert closed.stranger.get(closed.guard.link).status_code == 200


def test_a_link_works_once(closed: Studio) -> None:
    """Who reads the link later, in a history or a list of processes, cannot enter by it."""
    link = closed.guard.link
    first = closed.stranger.get(link)
    assert first.status_code == 200
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert link.partition("token=")[2] not in cookie
    assert closed.stranger.get(link).status_code == 403
    assert closed.stranger.get(f"{link}&token=y").status_code == 403


@pytest.mark.parametrize("address", TRICKS)
def test_tricks_with_paths(studio: Studio, address: str) -> None:
    """No address leads to a file of this machine."""
    status, body = studio.send_as_written(address)
    assert status == 404, "with cookie and key"
    assert b"root:" not in body
    assert b"atreport: 1" not in body


def test_endless_bodies(studio: Studio) -> None:
    """A body that never ends is read no further than the largest spec, whatever it says of its length."""
    sent = 0

    def endless() -> Any:
        nonlocal sent
        while True:
            sent += 1
            if sent > 200:
                return
            yield b"x" * 100_000

    headers = {"Origin": ORIGIN, "Content-Type": "application/json"}
    assert studio.stranger.post("/draft", content=endless(), headers=headers).status_code == 413
    for length in ("99999999999", "-1", "x"):
        said = {**headers, "Content-Length": length}
        assert studio.stranger.post("/draft", content=b"{}", headers=said).status_code == 413


def test_websockets(studio: Studio) -> None:
    """There are none: the door is shut before anything is said."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(studio.guard({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_every_answer_says_what_a_browser_may_do(studio: Studio) -> None:
    """No page can load anything from elsewhere, be framed by others, be kept, or be taken for another kind."""
    for address in ("/", "/spec", "/nothing"):
        headers = studio.stranger.get(address).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in studio.stranger.get("/").headers["content-security-policy"]


def test_a_preview_writes_nothing(preview: Studio) -> None:
    """What would write is not there at all."""
    before = preview.text
    for address in ("/save", "/build", "/take-over", "/stop"):
        answer = preview.stranger.post(
            address,
            json={"tab": "t", "text": "x", "overwrite": True, "version": ""},
            headers={"Origin": ORIGIN},
        )
        assert answer.status_code == 404
    assert preview.text == before


def test_saving_keeps_the_permissions(studio: Studio) -> None:
    """A spec that only its owner may read stays one."""
    studio.spec.chmod(0o600)
    version = studio.stranger.get("/spec").json()["version"]
    assert studio.ask("/save", text=studio.text + "# more\n", version=version)["ok"]
    assert stat.S_IMODE(studio.spec.stat().st_mode) == 0o600
    assert list(studio.spec.parent.glob(".*partial")) == []
