"""Ask a trained model for the probability of each outcome. It runs in a process of its own, with limits.

An ONNX file is data: it is read from memory in an empty folder, and one that wants other files is refused. A Python
function is a program of the spec's author: it runs only where the command line allows it. Pickles are never loaded.
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
from atreport.errors import InvalidInput, MissingLibrary, UsageError
from atreport.spec.checks.records import HERE
from atreport.spec.models.records import Model
from atreport.spec.models.spec import Spec
from atreport.spec.yaml import parse_number

MAX_BYTES = 512 * 1024 * 1024
_EXTERNAL = b"\n\x08location\x12"
"""How a tensor names a file that holds its numbers: an entry with the key "location"."""

Inputs = Mapping[str, NDArray[np.object_]]


def ask_model(spec: Spec, model: Model, inputs: Inputs, *, allow_python: bool) -> FloatArray:
    """The probability of each outcome (a column, in the order of the spec) for each row of inputs."""
    if model.python is not None and not allow_python:
        raise UsageError(
            f"{spec.document.path}: the spec wants to run the Python function '{model.python}', which can do anything "
            "you can do.\n  If you trust it, add --allow-python-model."
        )
    with TemporaryDirectory(prefix="atreport-model-") as name:
        folder = Path(name)
        request = {
            "python": model.python,
            "search": str(spec.document.path.parent.resolve()),
            "inputs": list(model.inputs),
            "output": model.output,
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
            return _probabilities(spec, model, arrays["answer"], len(next(iter(columns.values()))))


def _onnx_bytes(spec: Spec, name: str) -> bytes:
    path = spec.document.path.parent / name
    if path.stat().st_size > MAX_BYTES:
        raise _failed(spec, f"the model is larger than {MAX_BYTES // 1024 // 1024} MiB")
    content = path.read_bytes()
    if _EXTERNAL in content:
        raise _failed(
            spec, "the model keeps numbers in other files, which are never read; export it as one file"
        )
    return content


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
        raise _failed(spec, f"the model's process ended with code {done.returncode} and no answer")


def _probabilities(spec: Spec, model: Model, answer: NDArray[Any], rows: int) -> FloatArray:
    """The answer as probabilities in the order of the spec's outcomes; nonsense is refused."""
    outcome = spec.process.outcome
    classes = model.classes or outcome.values
    if answer.ndim == 2 and answer.shape[1] == 1:
        answer = answer[:, 0]
    if len(answer) != rows:
        raise _failed(spec, f"the model gave {len(answer)} answers to {rows} questions")
    if answer.ndim == 1 and answer.dtype.kind in "US":  # the decision itself
        unknown = sorted(set(answer.tolist()) - set(outcome.values))
        if unknown:
            raise _failed(spec, f"the model answers '{unknown[0]}', which is not an outcome")
        return np.column_stack([(answer == value).astype(np.float64) for value in outcome.values])
    if answer.ndim == 1 and answer.dtype.kind in "iu" and not np.isin(answer, range(len(classes))).all():
        raise _failed(spec, "the model answers class numbers that 'classes' does not have")
    if answer.ndim == 1 and answer.dtype.kind in "iu":
        return np.column_stack([(answer == classes.index(v)).astype(np.float64) for v in outcome.values])
    # as many decimals as single precision carries, so that 0.7 is 0.7 again
    numbers = np.round(answer.astype(np.float64), 7 if answer.dtype.itemsize <= 4 else 15)
    if not np.isfinite(numbers).all() or (numbers < 0).any() or (numbers > 1).any():
        raise _failed(spec, "the model answers numbers that are no probabilities (0 to 1)")
    if numbers.ndim == 1:
        if len(outcome.values) != 2:
            raise _failed(spec, f"the model answers one number, but there are {len(outcome.values)} outcomes")
        other = np.round(1 - numbers, 15)
        return np.column_stack([numbers if v == outcome.favourable else other for v in outcome.values])
    if numbers.shape[1] != len(classes):
        raise _failed(spec, f"the model answers {numbers.shape[1]} numbers for {len(classes)} outcomes")
    if (np.abs(numbers.sum(axis=1) - 1) > 1e-5).any():
        raise _failed(spec, "the probabilities that the model answers do not sum to 1")
    table = np.column_stack([numbers[:, classes.index(value)] for value in outcome.values])
    # what rounding left goes to the first outcome that is not the favourable one
    spare = next(i for i, value in enumerate(outcome.values) if value != outcome.favourable)
    table[:, spare] = np.round(np.clip(1 - np.delete(table, spare, axis=1).sum(axis=1), 0, 1), 15)
    return table


def _failed(spec: Spec, reason: str, missing: bool = False) -> InvalidInput | MissingLibrary:
    if missing:
        return MissingLibrary(f"{spec.document.path}: {reason}")
    return InvalidInput([spec.document.problem((*HERE, "estimate", "model"), reason, at_key=True)])
