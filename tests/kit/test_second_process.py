"""One step in a process of its own: the same result, and no way to fail that doing it here has not."""

from __future__ import annotations

import pytest

from atreport.kit import second_process
from atreport.kit.render import render_annex_beside, render_annex_pdf
from atreport.kit.second_process import beside
from tests.documents import example_report


def doubled(given: bytes) -> bytes:
    """A step that tests can take, though another process cannot: it does not find this module."""
    return given * 2


def test_both_processes_print_the_same_bytes() -> None:
    """Whichever process prints the annex, its bytes are the same."""
    annex = example_report().annex
    with render_annex_beside(annex) as fetch:
        elsewhere = fetch()
    assert elsewhere == render_annex_pdf(annex)


def test_a_failing_process_is_replaced(monkeypatch) -> None:
    """A process that ends early, prints nothing or cannot start leaves the work to this one."""
    for worker in ("raise SystemExit(1)", "import sys; sys.stdin.buffer.read()"):
        monkeypatch.setattr(second_process, "_WORKER", worker)
        with beside(doubled, b"1" * 10**6) as fetch:
            assert fetch() == b"1" * 2 * 10**6
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with beside(doubled, b"page") as fetch:
        assert fetch() == b"pagepage"


def test_the_other_process_ends_with_an_error_here(monkeypatch) -> None:
    """Nobody waits for a result that is no longer wanted."""
    monkeypatch.setattr(second_process, "_WORKER", "import time; time.sleep(600)")
    with pytest.raises(RuntimeError), beside(doubled, b"page"):
        raise RuntimeError
