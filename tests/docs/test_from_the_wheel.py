"""From the wheel to a verified PDF: the tutorial in a new environment, away from the checkout, and an installation by pipx.

Everything is installed from the index that pip is set up for. The transcript of the tutorial is kept in output/.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import ROOT
from tests.docs.walkthrough import Walkthrough
from tests.test_wheel import build_wheel

TRANSCRIPT = ROOT / "output" / "tutorial_from_the_wheel.txt"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source tree."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def new_environment(folder: Path, *packages: str) -> Path:
    """A new environment with these packages, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "pip"), "--disable-pip-version-check", "--no-input", "-qq"]
    subprocess.run([*pip, "install", *packages], check=True)
    return folder


def test_the_tutorial_goes_from_the_wheel_to_a_verified_pdf(wheel: Path, tmp_path: Path) -> None:
    """A newcomer who installs the wheel and types what the tutorial says would not arrive."""
    environment = new_environment(tmp_path / "venv", f"{wheel}[signature]")
    (package,) = environment.glob("lib/python3*/site-packages/atreport")
    place = tmp_path / "elsewhere"
    place.mkdir()
    reader = Walkthrough(place, with_pdf=True, installation=environment, examples=package / "examples")
    try:
        reader.read(ROOT / "docs" / "tutorial.md")
        pdf = place / "housing" / "output" / "report" / "public" / "report.pdf"
        shown = reader.run(f"atreport verify {pdf.relative_to(place)}")
    finally:
        TRANSCRIPT.write_text(reader.transcript, encoding="utf-8")
    assert "Everything that was checked holds." in shown


def test_pipx_installs_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """`pipx install`, as the README says, would leave no program that can be run."""
    environment = new_environment(tmp_path / "venv", "pipx")
    home = {"PIPX_HOME": str(tmp_path / "home"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    subprocess.run(
        [environment / "bin" / "pipx", "install", wheel], env={**os.environ, **home}, cwd=tmp_path, check=True
    )
    done = subprocess.run(
        [tmp_path / "bin" / "atreport", "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith(wheel.name.split("-")[1])
