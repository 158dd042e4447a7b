"""Libraries of an extra: imported when they are used, and a helpful word where they are not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from atreport.errors import MissingLibrary


def load_library(module: str, extra: str, purpose: str) -> Any:
    """A module of an optional library; `purpose` says what needs it ("signatures"), `extra` how it is installed."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise MissingLibrary(
            f"{purpose[0].upper()}{purpose[1:]} need the Python package {name}, which is not installed.\n"
            f"  pip install 'atreport[{extra}]'"
        ) from None
