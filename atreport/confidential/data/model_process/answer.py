"""Answer the request that :mod:`atreport.confidential.data.estimate.model` left in a folder."""

from __future__ import annotations

import json
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
