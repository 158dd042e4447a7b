"""A studio to ask, without a port: the very app and guard that are served, and a browser that was let in."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from atreport.private.data.run_options import LOCAL
from atreport.studio.app import Setting, make_app
from atreport.studio.guard import KEY, Guard
from tests.command_line import ROOT

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"


class Studio:
    """The guarded app on the spec of six cells."""

    def __init__(self, folder: Path, *, editor: bool = True) -> None:
        self.spec = Path(shutil.copy(ROOT / "specs" / "credit_card.yaml", folder))
        self.output = folder / "output"
        setting = Setting(spec=self.spec, output=self.output, options=LOCAL, editor=editor)
        self.guard = Guard(make_app(setting), PORT)
        self.stranger = TestClient(self.guard, base_url=ORIGIN, follow_redirects=False)

    def enter(self) -> None:
        """Enter by the link, as a browser does: with the cookie, and the key that its page keeps."""
        answer = self.stranger.get(self.guard.link)
        assert answer.status_code == 200
        self.stranger.headers[KEY] = answer.text.partition('studio-key" content="')[2].partition('"')[0]

    def ask(self, address: str, **question: Any) -> Any:
        """What the page asks, as it asks it."""
        answer = self.stranger.post(address, json={"tab": "one", **question}, headers={"Origin": ORIGIN})
        return answer.json()

    def send_as_written(self, address: str) -> tuple[int, bytes]:
        """Ask for an address that a well-behaved client would tidy up before it is sent."""
        messages: list[dict[str, Any]] = []
        cookie = "; ".join(f"{name}={value}" for name, value in self.stranger.cookies.items())
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": unquote(address),
            "raw_path": address.encode(),
            "query_string": b"",
            "headers": [
                (b"host", f"127.0.0.1:{PORT}".encode()),
                (b"cookie", cookie.encode()),
                (KEY.encode(), self.stranger.headers[KEY].encode()),
            ],
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            messages.append(message)

        asyncio.run(self.guard(scope, receive, send))
        return messages[0]["status"], b"".join(message.get("body", b"") for message in messages[1:])

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.spec.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio, entered by its link: one for many tests, since its processes take seconds to start."""
    for studio in _running(tmp_path_factory.mktemp("studio"), editor=True):
        studio.enter()
        yield studio


@pytest.fixture
def studio(running: Studio) -> Studio:
    """That studio, with its spec as it was in the beginning."""
    running.spec.unlink(missing_ok=True)
    shutil.copy(ROOT / "specs" / "credit_card.yaml", running.spec)
    return running


def _running(folder: Path, *, editor: bool) -> Iterator[Studio]:
    studio = Studio(folder, editor=editor)
    with studio.stranger:
        yield studio


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Studio]:
    """A studio that nobody has entered yet."""
    yield from _running(tmp_path, editor=True)


@pytest.fixture
def preview(tmp_path: Path) -> Iterator[Studio]:
    """A preview, entered by its link."""
    for running in _running(tmp_path, editor=False):
        running.enter()
        yield running
