"""The wheel: complete by itself, away from the source tree."""

import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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


@pytest.mark.slow
def test_installed_wheel_builds_a_report_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own, away from the repository, with a spec copied elsewhere.

    The environment holds the wheel alone; its dependencies are borrowed from this one through a path file, which is
    read last, so that an installed copy of atreport here could never be used. `make wheel-check` installs everything.
    """
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=False, symlinks=True)
    packages = next((environment / "lib").glob("python3*/site-packages"))
    zipfile.ZipFile(wheel).extractall(packages)
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    spec = tmp_path / "elsewhere" / "card.yaml"
    spec.parent.mkdir()
    shutil.copy(ROOT / "specs" / "credit_card.yaml", spec)
    code = (
        "import atreport, sys; from atreport.cli import main\n"
        f"assert atreport.__file__.startswith({str(packages)!r}), atreport.__file__\n"
        "sys.argv = ['atreport', 'build', 'card.yaml', '-o', 'out']\nmain()"
    )
    command = [str(environment / "bin" / "python"), "-I", "-c", code]
    done = subprocess.run(command, cwd=spec.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    public = spec.parent / "out" / "card" / "public"
    assert {path.name for path in public.iterdir()} == {
        "report.html", "report.pdf", "report.json", "cells.csv", "measures.csv", "cells.csv-metadata.json",
        "measures.csv-metadata.json", "dcat.jsonld", "SHA256SUMS"
    }  # fmt: skip


@pytest.mark.slow
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
