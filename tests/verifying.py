"""Public folders as readers have them, and the verifier that is shipped beside reports."""

import contextlib
import io
import shutil
from collections.abc import Mapping
from pathlib import Path

from atreport.verification.recalculation import _verifier
from tests.command_line import Done

ACCEPT = "--accept=figures"
"""Said by a reader who leaves to `atreport verify` what the shipped verifier does not calculate."""


def files_in(folder: Path) -> dict[str, bytes]:
    """The files in a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def public_files_of(folder: Path) -> dict[str, bytes]:
    """Every public file of a build."""
    return files_in(folder / "public")


def written(files: Mapping[str, bytes], folder: Path) -> Path:
    """A folder with these files, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def shipped(path: object, *options: str) -> Done:
    """What `verify.py` says, and its exit code: it imports nothing of ours, so this process is as good as one of its own.

    `test_verify.py` and `test_style.py` run it as a reader does, `test_hostile.py` with its limits of time and memory.
    """
    out, err = io.StringIO(), io.StringIO()
    arguments = [*options, str(path)]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _verifier().main(arguments)
    return Done(arguments, code, out.getvalue(), err.getvalue())
