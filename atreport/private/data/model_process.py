"""Answer the request that :mod:`atreport.private.data.model` left in a folder."""

import importlib
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What a model answers, and what it calls its classes, where it says so."""

    array: Any
    classes: list[str] | None = None


Model = Callable[[Path, dict[str, Any], dict[str, Any]], Answer]
"""What answers: the folder, the request, and the columns of inputs in their order."""


class CannotAnswer(Exception):
    """The model does not fit the question; the message says why."""


def answer_request(folder: Path, model: Model) -> None:
    """Ask the model, and write its answer, or why there is none, into the folder."""
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    with np.load(folder / "inputs.npz", allow_pickle=False) as arrays:
        columns = {name: arrays[str(i)] for i, name in enumerate(request["inputs"])}
    try:
        answer = model(folder, request, columns)
        array = answer.array.astype(str) if answer.array.dtype == object else answer.array
        np.savez(folder / "answer.npz", allow_pickle=False, answer=array)
    except CannotAnswer as error:
        write_reply(folder, {"problem": str(error)})
    except MemoryError:
        write_reply(folder, {"problem": "the model needs more memory than it may have"})
    else:
        write_reply(folder, {"classes": answer.classes})


def write_reply(folder: Path, reply: dict[str, Any]) -> None:
    """Say that the request was answered, or what the problem is."""
    (folder / "answer.json").write_text(json.dumps(reply), encoding="utf-8")


def first_line(error: Exception) -> str:
    """What an error says, short enough for a message."""
    return (str(error).splitlines() or ["no reason given"])[0][:200]


# Limits on the process in which a model runs: memory and time, kept by the operating system.

if sys.platform != "win32":
    import resource

MOST_BYTES = 1 << 30
"""How much memory a model may take beside the libraries that run it."""

_PER_MODEL_BYTE = 8
"""Each byte of a model's file may be kept so many times: as read, as parsed, as laid out to run."""


def limit_process(seconds: int, model_bytes: int = 0) -> None:
    """Keep this process, from here on, to a time on the processor and to so much more memory than it has.

    Where the system knows no such limits, the time limit of the one who waits remains.
    """
    if sys.platform == "win32":
        return
    _lower(resource.RLIMIT_CPU, seconds + 1)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, taken + MOST_BYTES + _PER_MODEL_BYTE * model_bytes)


def _lower(limit: int, to: int) -> None:
    _, hard = resource.getrlimit(limit)
    to = to if hard == resource.RLIM_INFINITY else min(to, hard)
    resource.setrlimit(limit, (to, to))


# Ask a Python function; run as ``python -m atreport.private.data.model_process FOLDER``.


def ask_python(_folder: Path, request: dict[str, Any], columns: dict[str, Any]) -> Answer:
    """What a Python function answers to a pandas frame of inputs."""
    import pandas as pd  # in this process alone: the one that starts it knows this module's limits, and needs no frames

    target = request["python"]
    sys.path.insert(0, request["search"])
    module, function = target.split(":", 1)
    try:
        call = getattr(importlib.import_module(module), function)
        answer = call(pd.DataFrame(columns))
    except Exception as error:
        raise CannotAnswer(f"{target} failed: {type(error).__name__}: {first_line(error)}") from None
    classes = [str(name) for name in answer.columns] if isinstance(answer, pd.DataFrame) else None
    return Answer(array=np.asarray(answer), classes=classes)


if __name__ == "__main__":
    answer_request(Path(sys.argv[1]), ask_python)
