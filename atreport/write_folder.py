"""Write a finished report to its folder: all of it or nothing.

Guarantee: whatever happens (an error, a full disk, a kill), the folder holds either the previous build, whole, or the
new one, whole. Files that atreport did not write are kept, but never in the public folder, which holds what was
published and nothing else. Confidential files are readable by their owner only, from their first byte on.
"""

import contextlib
import ctypes
import errno
import glob
import os
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from atreport.errors import OutputError

CONFIDENTIAL = "confidential"
PUBLIC = "public"
ADDED_LATER = (
    "SHA256SUMS",
    "SHA256SUMS.sig",  # by `atreport sign`
    "attestation.intoto.json",  # likewise
    "SHA256SUMS.tsr",  # by `atreport stamp`
)
"""What no checksum can name: the list itself, and what is made after it. A new build takes them away."""

SET_ASIDE = "set aside"
"""Where files go that somebody put into the public folder: a build does not publish them, and does not lose them."""
OWN_FILES = {
    PUBLIC: (
        "report.html",
        "report.pdf",
        "report.json",
        "report.ods",
        "report.xlsx",
        "cells.csv",
        "measures.csv",
        "cells.csv-metadata.json",
        "measures.csv-metadata.json",
        "dcat.jsonld",
        "atrs.json",
        "algoritmeregister.json",
        "modelcard.cdx.json",
        "modelcard.md",
        "canada-adm.json",
        "ai-act.json",
        "style-logo.svg",
        "style-logo.png",
        "verify.py",
        *ADDED_LATER,
    ),
    CONFIDENTIAL: ("annex.html", "annex.pdf", "annex.json", "commitment.json"),
}
"""What a build writes. In a further language a file has that in its name: report.fr.html."""

_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")


def named_in(name: str, language: str) -> str:
    """The name of a file in another language than the main one of its report: report.html in French is report.fr.html."""
    stem, _, ending = name.rpartition(".")
    return f"{stem}.{language}.{ending}"


def language_of(name: str) -> tuple[str, str | None]:
    """What a public file would be called in the main language of its report, and its own language; None: that one."""
    stem, _, ending = name.rpartition(".")
    before, _, tag = stem.rpartition(".")
    main = f"{before}.{ending}"
    return (main, tag) if main in OWN_FILES[PUBLIC] and _TAG.fullmatch(tag) else (name, None)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace the folder's report by `files` ("public/report.html" → its bytes) in one step."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        target = folder.parent.resolve() / folder.name
        if target.is_symlink():
            target = target.resolve()
        _recover(target)
        staging = target.with_name(f".{target.name}.{os.getpid()}.partial")
        shutil.rmtree(staging, ignore_errors=True)
        try:
            _fill(staging, files)
            _keep_foreign_files(target, staging)
            _swap(staging, target)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        what = error.filename or folder
        raise OutputError(
            f"{folder}: the report could not be written: {error.strerror} ({Path(os.fsdecode(what)).name}).\n"
            "  The previous build, if there was one, is untouched. Choose another folder with -o."
        ) from None


def clear_unfinished(folder: Path) -> None:
    """Undo what a build that was killed left beside the folder of its report; the next build would do so too."""
    with contextlib.suppress(OSError):
        _recover(folder.parent.resolve() / folder.name)


def replace_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write public files into a folder, over those of the same names; other files are kept.

    All are written beside their places first, so that a full disk changes nothing, and then put there one by one, the last
    one last.
    """
    staged: dict[Path, Path] = {}
    try:
        with _writing_to(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                if (folder / name).is_symlink():
                    raise OutputError(
                        f"{folder / name}: this is a link to another place; nothing is written through it."
                    )
                staging = folder / f".{name}.{os.getpid()}.partial"
                staging.unlink(missing_ok=True)
                staged[staging] = folder / name
                write_new_file(staging, content)
            for staging, target in staged.items():
                staging.replace(target)
    finally:
        for staging in staged:
            with contextlib.suppress(OSError):
                staging.unlink(missing_ok=True)
    return [folder / name for name in files]


@contextlib.contextmanager
def _writing_to(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot write there: {error.strerror}. Choose another folder with -o."
        ) from None


def write_new_file(path: Path, content: bytes, mode: int = 0o644, *, lasting: bool = False) -> None:
    """A file that is not there yet, of this mode from its first byte on; on the disk before this returns where `lasting`."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
        stream.write(content)
        if lasting:
            stream.flush()
            os.fsync(stream.fileno())


def _put(target: Path, content: bytes, mode: int) -> None:
    """A file in its place, whole or not at all, over one that is there."""
    staging = target.with_name(f".{target.name}.{os.getpid()}.partial")
    staging.unlink(missing_ok=True)
    try:
        write_new_file(staging, content, mode)
        staging.replace(target)
    finally:
        staging.unlink(missing_ok=True)


def write_private(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files about one person into a folder, readable by their owner only, each as a whole; other files are kept."""
    with _writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _put(folder / name, content, 0o600)
    return [folder / name for name in files]


def write_private_folders(folder: Path, people: Iterable[tuple[str, Mapping[str, bytes]]]) -> list[Path]:
    """Write a new folder with a folder for each of several people, readable by their owner only: all of them or none.

    The files are made one person after the other while this writes, beside the target, which appears when all are there.
    """
    staging = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        with _writing_to(folder):
            if folder.exists() or folder.is_symlink():
                raise OutputError(
                    f"{folder} exists already; nothing was written.\n  Choose another folder with -o, or move it away."
                )
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir(mode=0o700)
            written: list[Path] = []
            for name, files in people:
                write_private(staging / name, files)
                written += [folder / name / file for file in files]
            staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return written


def write_new(folder: Path, files: Mapping[str, bytes], private: Collection[str] = ()) -> list[Path]:
    """Write files that are not there yet into a folder, which may be new: all of them or none, and none over another.

    Those named in `private` are readable by their owner only.
    """
    made: list[Path] = []
    staging = folder / f".new.{os.getpid()}.partial"
    try:
        made += _make_folders(staging)
        for place, (name, content) in enumerate(files.items()):
            write_new_file(staging / str(place), content, 0o600 if name in private else 0o644)
        for place, name in enumerate(files):
            target = folder / name
            made += _make_folders(target.parent)
            if target.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
            (staging / str(place)).rename(target)
            made.append(target)
        shutil.rmtree(staging)
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        for path in reversed(made):
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise OutputError(f"{folder}: cannot write there: {error.strerror}. Nothing was written.") from None
    return [folder / name for name in files]


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; the ones that were not there, the outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()][::-1]
    for path in missing:
        path.mkdir()
    return missing


def add_file(folder: Path, name: str, content: bytes) -> Path:
    """Put one file into a published folder, whole or not at all, and never through a link to somewhere else."""
    target = folder / name
    if target.is_symlink() or folder.is_symlink():
        raise OutputError(f"{target}: this is a link to another place; nothing is written through it.")
    try:
        _put(target, content, 0o644)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}.") from None
    return target


def _fill(staging: Path, files: Mapping[str, bytes]) -> None:
    staging.mkdir()
    for name, content in files.items():
        path = staging / name
        secret = path.parent.name == CONFIDENTIAL
        path.parent.mkdir(exist_ok=True, mode=0o700 if secret else 0o755)
        write_new_file(path, content, 0o600 if secret else 0o644, lasting=True)


def _keep_foreign_files(target: Path, staging: Path) -> None:
    """Carry over what a user put into the folder, but never into what is published: that holds this build alone."""
    if not target.is_dir():
        return
    for entry in sorted(target.iterdir(), key=lambda entry: entry.name in OWN_FILES):
        if entry.name not in OWN_FILES:
            _copy(entry, staging / entry.name)
            continue
        if entry.is_symlink() or not entry.is_dir():
            continue
        aside = staging / (SET_ASIDE if entry.name == PUBLIC else entry.name)
        for inner in entry.iterdir():
            if language_of(inner.name)[0] not in OWN_FILES[entry.name]:
                aside.mkdir(exist_ok=True, mode=0o700 if entry.name == CONFIDENTIAL else 0o755)
                _copy(inner, aside / inner.name)


def _copy(source: Path, destination: Path) -> None:
    if source.is_dir() and not source.is_symlink():
        shutil.copytree(source, destination, symlinks=True, dirs_exist_ok=True)
    else:
        shutil.copy2(source, destination, follow_symlinks=False)


def _swap(staging: Path, target: Path) -> None:
    """Put the new folder in the place of the old one; afterwards `staging` holds the old one, if any."""
    if not target.exists():
        staging.rename(target)
    elif not _exchange(staging, target):
        # No atomic exchange on this system: between these two steps the old build waits under another name, from
        # which the next build brings it back if this one is killed.
        waiting = _waiting(target)
        target.rename(waiting)
        try:
            staging.rename(target)
        except OSError:
            waiting.rename(target)
            raise
        shutil.rmtree(waiting, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step, where the system can (Linux renameat2, macOS renamex_np)."""
    with contextlib.suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None, use_errno=True)
        names = os.fsencode(one), os.fsencode(other)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(*names, 2) == 0)
        here = -100  # AT_FDCWD
        return bool(libc.renameat2(here, names[0], here, names[1], 2) == 0)
    return False


def _waiting(target: Path) -> Path:
    return target.with_name(f".{target.name}.previous")


def _recover(target: Path) -> None:
    """Undo what a killed build left behind: bring the previous build back, remove half-written ones."""
    waiting = _waiting(target)
    if waiting.exists():
        if target.exists():
            shutil.rmtree(waiting, ignore_errors=True)
        else:
            waiting.rename(target)
    for leftover in target.parent.glob(f".{glob.escape(target.name)}.*.partial"):
        owner = leftover.name.split(".")[-2]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(leftover, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
