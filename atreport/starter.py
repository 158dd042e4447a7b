"""Turn a folder's name into a first spec with data, ready to build and to edit."""

from __future__ import annotations

from pathlib import Path

from atreport.errors import OutputError
from atreport.resources import templates_folder
from atreport.spec.schema import SCHEMA_FILE_NAME, schema_text


def write_starter(folder: Path) -> list[Path]:
    """Write the starter files; refuse, before writing any, if one of them exists."""
    source = templates_folder() / "starter"
    contents = {
        path.relative_to(source).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(source.rglob("*"))
        if path.is_file()
    }
    contents[SCHEMA_FILE_NAME] = schema_text()
    targets = {folder / name: text for name, text in contents.items()}
    existing = [path for path in targets if path.exists()]
    if existing:
        raise OutputError(
            f"{existing[0]} exists already; nothing was written.\n  Choose another folder, or move it away."
        )
    try:
        for path, text in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{folder}: cannot write there: {error.strerror}.") from None
    return list(targets)
