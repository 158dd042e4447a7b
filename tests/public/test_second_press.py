"""The annex is printed in a process of its own: the same bytes, and no way to fail that the first press has not."""

from __future__ import annotations

import pytest

from atreport.public import second_press
from atreport.public.render import render_annex_beside, render_annex_pdf
from tests.documents import make_report
from tests.example import example_spec


def test_both_presses_print_the_same_bytes() -> None:
    """Whichever process prints the annex, its bytes are the same."""
    annex = make_report(example_spec()).annex
    with render_annex_beside(annex) as fetch:
        beside = fetch()
    assert beside == render_annex_pdf(annex)


def test_a_failing_press_is_replaced(monkeypatch) -> None:
    """A process that ends early, prints nothing or cannot start leaves the work to this one."""
    for worker in ("raise SystemExit(1)", "import sys; sys.stdin.buffer.read()"):
        monkeypatch.setattr(second_press, "_WORKER", worker)
        with second_press.printing(b"1" * 10**6, lambda: b"here") as fetch:
            assert fetch() == b"here"
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with second_press.printing(b"page", lambda: b"here") as fetch:
        assert fetch() == b"here"


def test_the_other_process_ends_with_an_error_here(monkeypatch) -> None:
    """Nobody waits for a page that is no longer wanted."""
    monkeypatch.setattr(second_press, "_WORKER", "import time; time.sleep(600)")
    with pytest.raises(RuntimeError), second_press.printing(b"page", lambda: b"here"):
        raise RuntimeError
