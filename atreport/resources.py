"""Find the files that are shipped with the program: templates, the starter spec and the example specs."""

from importlib import import_module
from pathlib import Path
from typing import Any

from atreport.errors import MissingLibrary

VERIFIER = "verify.py"

_PACKAGE = Path(__file__).parent


def templates_folder() -> Path:
    """The folder of templates: inside the package when installed, beside it in a source tree."""
    inside = _PACKAGE / "templates"
    return inside if inside.is_dir() else _PACKAGE.parent / "templates"


def examples_folder() -> Path:
    """The folder of example specs: inside the package when installed, beside it in a source tree."""
    inside = _PACKAGE / "examples"
    return inside if inside.is_dir() else _PACKAGE.parent / "specs"


def verifier_text() -> bytes:
    """The verifier as it is shipped beside a report: one file that needs nothing but Python."""
    return (templates_folder() / VERIFIER).read_bytes()


# Libraries of an extra: imported when they are used, and a helpful word where they are not installed.


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
