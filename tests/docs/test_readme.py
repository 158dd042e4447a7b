"""The first page is true: its commands run, it has a picture, and it is short."""

import re
import subprocess
import sys
from pathlib import Path

from atreport.cli import COMMANDS
from tests.command_line import ROOT
from tests.docs.walkthrough import Walkthrough

README = ROOT / "README.md"
SETS_UP = re.compile(r"^(make \w+|pip install \.).*$", re.M)
"""Lines that make an environment, which a test has already."""

MOST_LINES, MOST_BYTES = 150, 150_000


def test_the_commands_run_as_written(tmp_path: Path) -> None:
    """Somebody who types what the first page says would meet an error."""
    page = tmp_path / "README.md"
    page.write_text(SETS_UP.sub("", README.read_text(encoding="utf-8")), encoding="utf-8")
    Walkthrough(tmp_path).read(page)


def test_the_commands_that_set_up_exist() -> None:
    """`make report`, `make test` and `pip install .` would fail at once; what they do is tested by itself."""
    lines = SETS_UP.findall(README.read_text(encoding="utf-8"))
    targets = [line.split()[1] for line in lines if line.startswith("make")]
    assert targets == ["report", "test"]
    subprocess.run(["make", "-n", *targets], cwd=ROOT, check=True, capture_output=True)
    assert "pip install ." in "\n".join(lines)
    dry = ["-m", "pip", "install", "--dry-run", "--no-deps", "--no-build-isolation", "--quiet", str(ROOT)]
    subprocess.run([sys.executable, *dry], check=True, capture_output=True)


def test_it_is_short_and_has_a_picture() -> None:
    """People decide in five minutes: the first page is read to its end, and the picture loads."""
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert all((ROOT / picture).stat().st_size < MOST_BYTES for picture in pictures)


def test_it_names_every_command() -> None:
    """A command that nobody finds."""
    text = README.read_text(encoding="utf-8")
    assert not [name for name in COMMANDS if f"`{name}`" not in text]
