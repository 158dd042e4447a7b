"""What all tests share: reports that are built once a run, however many tests and processes look at them."""

import fcntl
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from atreport import build
from tests.example import write_example
from tests.made_once import attacked_once

SPECS_FOLDER = Path(__file__).parents[1] / "specs"
GALLERY_FOLDER = Path(__file__).parents[1] / "docs" / "gallery" / "specs"

BuiltOnce = Callable[[str], Path]
"""From the name of a spec in specs/ or of the gallery, or "example" for that of tests/example.py, to its report's folder."""


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> BuiltOnce:
    """Whole reports, every format, each built by the first test of the run that asks for it.

    Workers of pytest-xdist share them. They are for reading: a test that changes a file copies the
    folder first.
    """
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built_once"
    shared.mkdir(exist_ok=True)

    def folder_of(name: str) -> Path:
        with _alone(shared / f"{name}.lock"):
            folder = shared / "output" / name
            if not folder.exists():  # a build puts its folder in place whole, as its last step
                spec = write_example(shared) if name == "example" else _spec_of(name)
                assert build(spec, shared / "output").missing is None
            return folder

    return folder_of


@pytest.fixture(scope="session", autouse=True)
def _no_garbage() -> Iterator[None]:
    """All modules and thousands of tests stay to the end: a look for garbage, which every build takes, leaves them out."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def _attacked_once() -> Iterator[None]:
    """Builds of the same spec attack its draft once in a process."""
    with attacked_once():
        yield


def _spec_of(name: str) -> Path:
    spec = SPECS_FOLDER / f"{name}.yaml"
    return spec if spec.exists() else GALLERY_FOLDER / spec.name


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """No other process is inside at the same time."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
