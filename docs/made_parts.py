"""Parts of a page that a script writes: they stand between two marks, and people write the words around them."""

import re
from pathlib import Path


def _between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- made: {re.escape(name)} -->\n)(.*?)(<!-- end: {re.escape(name)} -->)", re.S)


def written(path: Path, name: str) -> str:
    """What stands between the marks of a name."""
    found = _between(name).search(path.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{path.name} has no marks for '{name}'")
    return found.group(2).rstrip("\n")


def write(path: Path, parts: dict[str, str]) -> None:
    """Put each part between the marks of its name."""
    text = path.read_text(encoding="utf-8")
    for name, part in parts.items():
        text, number = _between(name).subn(lambda found, part=part: f"{found[1]}{part}\n{found[3]}", text)
        if number != 1:
            raise ValueError(f"{path.name} has the marks of '{name}' {number} times")
    path.write_text(text, encoding="utf-8")
