"""A server that waits for nobody: whoever sends half a request, or none, keeps nobody else out."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from time import monotonic, sleep

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from atreport.studio import app

WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
HALVES = {
    "nothing": b"",
    "half a header": b"GET / HTTP/1.1\r\nHost:",
    "half a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhal",
}
SOON = 0.5


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    """What is served: it reads the whole request first."""
    if scope["type"] == "http":
        await Request(scope, receive).body()
        await PlainTextResponse("here")(scope, receive, send)


@contextmanager
def served(monkeypatch: pytest.MonkeyPatch, patience: float) -> Iterator[int]:
    """A server that answers all requests alike, and its port."""
    monkeypatch.setattr(app, "RECEIVED_WITHIN", patience)
    server = app.make_server(answer)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                sleep(0.01)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def connected(port: int, sent: bytes) -> socket.socket:
    """A connection on which something was sent."""
    found = socket.create_connection(("127.0.0.1", port), timeout=10)
    found.sendall(sent)
    return found


@pytest.mark.parametrize("half", HALVES)
def test_half_requests_keep_nobody_out(monkeypatch: pytest.MonkeyPatch, half: str) -> None:
    """With 60 connections open on which half a request came, the next whole one is answered at once."""
    with served(monkeypatch, 60) as port, ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(connected(port, HALVES[half]))
        begun = monotonic()
        with connected(port, WHOLE) as other:
            assert other.recv(1000).startswith(b"HTTP/1.1 200 OK")
        assert monotonic() - begun < 5


def test_half_requests_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection is closed where its request, or the next one on it, is not whole in time."""
    with served(monkeypatch, SOON) as port, ExitStack() as stack:
        first = [stack.enter_context(connected(port, half)) for half in HALVES.values()]
        assert [ends(each) for each in first] == [True] * 3
        second = [stack.enter_context(connected(port, WHOLE)) for _ in HALVES]
        assert [answered(each) for each in second] == [True] * 3
        for each, half in zip(second, HALVES.values(), strict=True):
            each.sendall(half or b"G")
        assert [ends(each) for each in second] == [True] * 3


def test_half_a_request_that_comes_with_a_whole_one_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Broken: half a body sent behind a whole request would hold its connection for ever; forty of them keep everybody out."""
    with served(monkeypatch, SOON) as port, ExitStack() as stack:
        held = []
        for _ in range(app.MOST_CONNECTIONS):
            held.append(stack.enter_context(connected(port, WHOLE + HALVES["half a body"])))
            assert answered(held[-1])
        assert ends(held[-1])
        with connected(port, WHOLE) as other:
            assert answered(other)


def test_whole_requests_are_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that asks again and again stays open, though it is older than a request may take."""
    with served(monkeypatch, SOON) as port, connected(port, WHOLE) as kept:
        for _ in range(4):
            assert answered(kept)
            sleep(SOON / 2)
            kept.sendall(WHOLE)
        assert answered(kept)


def ends(connection: socket.socket) -> bool:
    """Whether the other side closes it, within some seconds."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


def answered(connection: socket.socket) -> bool:
    """Whether a whole answer comes, in however many pieces."""
    found = b""
    while not found.endswith(b"here") and (piece := connection.recv(1000)):
        found += piece
    return found.endswith(b"here")
