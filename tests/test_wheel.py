"""The wheel: complete, and the same each time. What it does where it is installed: `docs/test_from_the_wheel.py`, `make wheel-check`."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow

NOT_SOURCE = shutil.ignore_patterns(
    ".venv", ".git", "output", "dist", "site", "__pycache__", ".*_cache", ".hypothesis"
)


def build_wheel(folder: Path) -> Path:
    """The wheel, built in a folder from a copy of the source tree so that nothing is left behind in it."""
    source, out = folder / "atreport", folder / "dist"
    shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source tree."""
    return build_wheel(tmp_path_factory.mktemp("source"))


def test_wheel_holds_templates_and_schemas(wheel: Path) -> None:
    """What the program reads at run time is inside the package, and nothing else is shipped."""
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "atreport/py.typed",
        "atreport/templates/report.html.j2",
        "atreport/templates/starter/report.yaml",
        "atreport/templates/starter/data/cells.csv",
        "atreport/examples/ll144_hiring.yaml",
        "atreport/spec/atreport.schema.json",
    ):
        assert name in names
    assert any(name.endswith(".data/data/share/man/man1/atreport.1") for name in names)
    assert all(name.startswith(("atreport/", "atreport-")) for name in names)


def test_the_same_source_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """Nobody could check that a published wheel was made from the source it names."""
    source = tmp_path / "elsewhere"
    with zipfile.ZipFile(wheel) as built:
        dates = {entry.date_time for entry in built.infolist()}
    assert len(dates) == 1, "a file has the time at which it was written"
    shutil.copytree(ROOT, source, ignore=NOT_SOURCE)
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--wheel",
        "--outdir",
        str(tmp_path),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
