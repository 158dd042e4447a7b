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


@pytest.mark.parametrize("host", HOSTS)
def test_other_names_of_this_machine(studio: Studio, host: str) -> None:
    """A site whose name was pointed at 127.0.0.1 (DNS rebinding) gets nothing, even with the cookie."""
    for address in ADDRESSES:
        assert studio.stranger.get(address, headers={"Host": host}).status_code == 421
    answer = studio.stranger.post("/save", json={}, headers={"Host": host, "Origin": ORIGIN})
    assert answer.status_code == 421


@pytest.mark.parametrize("origin", ORIGINS)
def test_other_sites(studio: Studio, origin: str) -> None:
    """What another site has a browser ask is refused, also where the browser would send the cookie along."""
    before = studio.text
    for address in QUESTIONS:
        answer = studio.stranger.post(
            address, json={"tab": "t", "text": "x", "overwrite": True}, headers={"Origin": origin}
        )
        assert answer.status_code == 403
    assert studio.stranger.get("/spec", headers={"Origin": origin}).status_code == 403
    assert studio.text == before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_sites_that_a_browser_names(studio: Studio, site: str) -> None:
    """Pictures, frames and scripts on other pages, and on other ports, which count as the same site."""
    for address in ADDRESSES:
        assert studio.stranger.get(address, headers={"Sec-Fetch-Site": site}).status_code == 403


def test_a_question_without_an_origin(studio: Studio) -> None:
    """Every browser says where a POST comes from; what does not is no page of ours."""
    assert studio.stranger.post("/save", json={"tab": "t", "text": "x", "overwrite": True}).status_code == 403


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


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "FOO"])
def test_other_methods(studio: Studio, method: str) -> None:
    """Only GET and POST are known; no answer to a preflight invites another site."""
    for address in ("/", "/spec", "/save"):
        answer = studio.stranger.request(method, address, headers={"Origin": ORIGIN})
        assert answer.status_code == 405
        assert "access-control-allow-origin" not in answer.headers


def test_the_right_methods_at_the_wrong_addresses(studio: Studio) -> None:
    """A question cannot be asked by a link, nor a page fetched by a form."""
    for address in QUESTIONS:
        assert studio.stranger.get(address).status_code == 405
    assert studio.stranger.post("/spec", json={}, headers={"Origin": ORIGIN}).status_code == 405


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "text/json"],
)
def test_other_kinds_of_content(studio: Studio, kind: str) -> None:
    """What a form of another site could send is not taken."""
    answer = studio.stranger.post(
        "/save", content=b'{"tab": "t", "text": "x"}', headers={"Origin": ORIGIN, "Content-Type": kind}
    )
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"[" * 100_000,
        b'{"tab": "t"}',
        b'{"tab": 1, "text": "x"}',
        b'{"tab": "t", "text": "\\ud800"}',
    ],
)
def test_bodies_that_are_no_question(studio: Studio, body: bytes) -> None:
    """Broken JSON, other shapes, endless nesting and half characters are refused, and change nothing."""
    before = studio.text
    headers = {"Origin": ORIGIN, "Content-Type": "application/json"}
    for address in ("/draft", "/save"):
        assert studio.stranger.post(address, content=body, headers=headers).status_code == 400
    assert studio.text == before


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


@pytest.mark.parametrize(
    "policy", [{"delta": "x"}, {"delta": "nan"}, {"delta": "1e999999"}, {"evil": 1}, [], "x", {"delta": {}}]
)
def test_policies_that_are_none(studio: Studio, policy: object) -> None:
    """Numbers that are none, and keys that nobody knows, are refused before any work is begun."""
    answer = studio.stranger.post(
        "/policy", json={"tab": "t", "text": "x", "policy": policy}, headers={"Origin": ORIGIN}
    )
    assert answer.status_code == 400


@pytest.mark.parametrize("after", ["", "-1", "x", "9" * 40, "\u0663"])
def test_news_after_nothing(studio: Studio, after: str) -> None:
    """News are asked for by a number."""
    assert studio.stranger.get("/news", params={"after": after}).status_code == 400


def test_a_decisive_header_given_twice(studio: Studio) -> None:
    """Of two hosts or origins none is believed."""
    for name, values in (
        ("Host", (f"127.0.0.1:{PORT}", "evil.example")),
        ("Origin", (ORIGIN, "http://evil.example")),
    ):
        headers = [(name, value) for value in values]
        assert studio.stranger.get("/spec", headers=headers).status_code == 421


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
