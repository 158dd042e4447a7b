"""What the tests in a real browser share."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests that need a browser."""
    config.addinivalue_line(
        "markers", "browser: opens a report in Chromium (leave out with -m 'not browser')"
    )
