"""Open the studio on a port of this machine, and keep it open until it is interrupted."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from atreport.errors import UsageError
from atreport.studio.app import Setting, make_app
from atreport.studio.guard import HOST, Guard

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
