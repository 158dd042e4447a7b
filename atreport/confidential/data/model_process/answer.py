"""Answer the request that :mod:`atreport.confidential.data.estimate.model` left in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Model = Callable[[Path, dict[str, Any], dict[str, Any]], Any]
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
        if answer.dtype == object:
            answer = answer.astype(str)
        np.savez(folder / "answer.npz", allow_pickle=False, answer=answer)
    except CannotAnswer as error:
        write_reply(folder, {"problem": str(error)})
    else:
        write_reply(folder, {})


def write_reply(folder: Path, reply: dict[str, Any]) -> None:
    """Say that the request was answered, or what the problem is."""
    (folder / "answer.json").write_text(json.dumps(reply), encoding="utf-8")


def first_line(error: Exception) -> str:
    """What an error says, short enough for a message."""
    return (str(error).splitlines() or ["no reason given"])[0][:200]
