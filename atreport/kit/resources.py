"""Find the files that are shipped with the program: templates, the starter spec and the example specs."""

from __future__ import annotations

from pathlib import Path

VERIFIER = "verify.py"


def templates_folder() -> Path:
    """The folder of templates: inside the package when installed, beside it in a source tree."""
    package = Path(__file__).parents[1]
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def examples_folder() -> Path:
    """The folder of example specs: inside the package when installed, beside it in a source tree."""
    package = Path(__file__).parents[1]
    inside = package / "examples"
    return inside if inside.is_dir() else package.parent / "specs"


def verifier_text() -> bytes:
    """The verifier as it is shipped beside a report: one file that needs nothing but Python."""
    return (templates_folder() / VERIFIER).read_bytes()
