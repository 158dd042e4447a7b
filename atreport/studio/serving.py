"""Open the studio on a port of this machine, and keep it open until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from atreport.errors import UsageError
from atreport.studio.app import Setting, make_app
from atreport.studio.guard import HOST, Guard

MOST_CONNECTIONS = 40
"""Beyond so many at once, further ones are refused: a few tabs need a handful."""


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
        server = uvicorn.Server(
            uvicorn.Config(
                guard,
                log_level="critical",
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                ws="none",
                limit_concurrency=MOST_CONNECTIONS,
                h11_max_incomplete_event_size=16 * 1024,
                timeout_graceful_shutdown=1,
            )
        )
        opened(guard.link)
        with suppress(KeyboardInterrupt):  # how one ends it: no accident
            server.run(sockets=[listening])
