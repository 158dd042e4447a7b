"""Ask a trained model for the probability of each outcome. It runs in a process of its own, with limits.

An ONNX file is data: it is parsed, then run from memory in an empty folder, and one that wants other files is refused.
A Python function is a program of the spec's author: it runs only where the command line allows it. Pickles are never loaded.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.confidential.data.estimate.model_answer import NoProbabilities, read_answer
from atreport.confidential.data.model_process.process_limits import MOST_BYTES
from atreport.errors import InvalidInput, MissingLibrary, UsageError
from atreport.spec.checks.records import HERE
from atreport.spec.models.records import Model
from atreport.spec.models.spec import Spec
from atreport.spec.yaml import parse_number

MAX_BYTES = 512 * 1024 * 1024

Inputs = Mapping[str, NDArray[np.object_]]


def ask_model(spec: Spec, model: Model, inputs: Inputs, *, allow_python: bool) -> FloatArray:
    """The probability of each outcome (a column, in the order of the spec) for each row of inputs."""
    if model.python is not None and not allow_python:
        raise UsageError(
            f"{spec.document.title}: the spec wants to run the Python function '{model.python}', which can do anything "
            "you can do.\n  If you trust it, add --allow-python-model."
        )
    with TemporaryDirectory(prefix="atreport-model-") as name:
        folder = Path(name)
        request = {
            "python": model.python,
            "search": str(spec.document.path.parent.resolve()),
            "inputs": list(model.inputs),
            "output": model.output,
            "time_limit": model.time_limit,
        }
        if model.onnx is not None:
            (folder / "model.onnx").write_bytes(_onnx_bytes(spec, model.onnx))
        columns = {str(i): _column(spec, model, n, inputs[n]) for i, n in enumerate(model.inputs)}
        np.savez(folder / "inputs.npz", allow_pickle=False, **columns)
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        _run(spec, model, folder)
        answer = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
        if "problem" in answer:
            raise _failed(spec, answer["problem"], answer.get("missing", False))
        with np.load(folder / "answer.npz", allow_pickle=False) as arrays:
            array = arrays["answer"]
    try:
        return read_answer(spec, model, array, answer["classes"], len(next(iter(columns.values()))))
    except NoProbabilities as error:
        raise _failed(spec, str(error)) from None


def _onnx_bytes(spec: Spec, name: str) -> bytes:
    path = spec.document.path.parent / name
    if path.stat().st_size > MAX_BYTES:
        raise _failed(spec, f"the model is larger than {MAX_BYTES // 1024 // 1024} MiB")
    return path.read_bytes()


def _column(spec: Spec, model: Model, name: str, texts: NDArray[np.object_]) -> NDArray[Any]:
    """One input as numbers where all of it is, or is given as, numbers; else as texts."""
    given = {value: float(number) for value, number in model.numbers.get(name, {}).items()}
    distinct = set(texts.tolist())
    if None in distinct:
        raise _failed(spec, f"the input '{name}' is missing in some records; exclude them under 'missing'")
    if given and not distinct <= set(given):
        lacking = sorted(distinct - set(given))[0]
        raise _failed(spec, f"'numbers' has none for the value '{lacking}' of '{name}'")
    parsed = {text: parse_number(text.strip()) for text in distinct}
    numbers = given or {text: float(number) for text, number in parsed.items() if number is not None}
    if len(numbers) < len(distinct):
        return texts.astype(str)
    return np.array([numbers[text] for text in texts.tolist()], dtype=np.float64)


def _run(spec: Spec, model: Model, folder: Path) -> None:
    runner = "onnx_model" if model.python is None else "python_model"
    command = [sys.executable, "-m", f"atreport.confidential.data.model_process.{runner}", str(folder)]
    package = str(Path(__file__).parents[4])
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={"PATH": "", "PYTHONPATH": package, "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=model.time_limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failed(
            spec, f"the model did not answer within {model.time_limit} seconds (time_limit)"
        ) from None
    if not (folder / "answer.json").exists():
        raise _failed(
            spec,
            f"the model's process ended with code {done.returncode} and no answer; it may take "
            f"{MOST_BYTES >> 30} GiB of memory and {model.time_limit} seconds",
        )


def _failed(spec: Spec, reason: str, missing: bool = False) -> InvalidInput | MissingLibrary:
    if missing:
        return MissingLibrary(f"{spec.document.title}: {reason}")
    return InvalidInput([spec.document.problem((*HERE, "estimate", "model"), reason, at_key=True)])
