"""Turn what a user names (a published report, a spec, or a spec at a git revision) into a report.

A spec's report is made, so its data are read: that makes this confidential, though what comes out is public. The report
of a revision is made from everything the repository held at that revision, by the program that runs now.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from pathlib import Path

from atreport.confidential.prepare import prepare
from atreport.confidential.publishable import make_publishable
from atreport.errors import NotAReport, UsageError
from atreport.report.model import Report
from atreport.report.published import read_published_report

_SPECS = (".yaml", ".yml")


def report_of(name: str) -> Report:
    """A report: read where it is published, made where a spec is named."""
    path = Path(name)
    if not path.exists() and "@" in name:
        spec, _, revision = name.rpartition("@")
        return _at_revision(Path(spec), revision)
    return _made(path) if path.suffix.lower() in _SPECS else read_published_report(path)


def _made(spec: Path) -> Report:
    """The report of a spec, in memory; refused where a build would be."""
    return make_publishable(prepare(spec)).report


def _at_revision(spec: Path, revision: str) -> Report:
    folder = spec.parent.resolve()
    while not folder.is_dir():  # the spec's folder may be gone by now
        folder = folder.parent
    top = Path(_git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    inside = (spec.parent.resolve() / spec.name).relative_to(top)
    if revision.startswith("-"):
        raise UsageError(f"{revision}: no revision of git")
    commit = _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", revision=revision)
    tree = _git(top, "archive", "--format=tar", commit.decode().strip())
    with tempfile.TemporaryDirectory(prefix="atreport-") as place:
        with tarfile.open(fileobj=io.BytesIO(tree)) as archive:
            archive.extractall(place, filter="data")
        if not (Path(place) / inside).is_file():
            raise NotAReport(f"{spec}@{revision}: there is no such spec at that revision.")
        return _made(Path(place) / inside)


def _git(folder: Path, *arguments: str, revision: str | None = None) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("SPEC@revision needs git, which is not installed.") from None
    if done.returncode != 0:
        if revision is not None:
            raise UsageError(
                f"{revision}: git knows no such revision here. Write a tag, a branch or a commit."
            )
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"{folder}: git says: {said[-1] if said else 'failed'}")
    return done.stdout
