"""Which specs are meant by what was given: files, and folders of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from atreport.errors import UsageError

SPEC_ENDINGS = (".yaml", ".yml")


def specs_named(paths: Sequence[Path]) -> list[Path]:
    """Files as they are, and of a folder every YAML file that lies in it, by name.

    Raises :class:`UsageError` for a folder without any.
    """
    return [spec for path in paths for spec in (_specs_of_folder(path) if path.is_dir() else [path])]


def _specs_of_folder(folder: Path) -> list[Path]:
    try:
        specs = sorted(
            entry
            for entry in folder.iterdir()
            if entry.suffix in SPEC_ENDINGS and not entry.name.startswith(".") and entry.is_file()
        )
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}.") from None
    if not specs:
        raise UsageError(f"{folder}: there is no spec in this folder: no file that ends in .yaml or .yml.")
    return specs
