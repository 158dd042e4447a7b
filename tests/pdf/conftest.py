"""What the tests of finished PDF files share."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker of tests that need Java and veraPDF."""
    config.addinivalue_line(
        "markers", "verapdf: checks PDF files with veraPDF; needs Java (leave out with -m 'not verapdf')"
    )
