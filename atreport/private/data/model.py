"""Ask a trained model for the probability of each outcome. It runs in a process of its own, with limits.

An ONNX file is data: it is parsed, then run from memory in an empty folder, and one that wants other files is refused.
A Python function is a program of the spec's author: it runs only where the command line allows it. Pickles are never loaded.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import IntArray
from atreport.errors import InvalidInput, MissingLibrary, UsageError
from atreport.private.data.decision_table import FloatArray
from atreport.private.data.model_process import MOST_BYTES
from atreport.spec.check_records import HERE
from atreport.spec.source import Model
from atreport.spec.spec import Spec
from atreport.spec.yaml import parse_number
from atreport.text.numbers import counted

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
    runner = "onnx_model" if model.python is None else "model_process"
    command = [sys.executable, "-m", f"atreport.private.data.{runner}", str(folder)]
    package = str(Path(__file__).parents[3])
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


# Turn what a model answers into the probability of each outcome. Its classes are matched by name, never by
# hope.
#
# A model that lists its classes in another order than the spec its outcomes would otherwise be inverted
# without a word.


class NoProbabilities(Exception):
    """The answer cannot be read as probabilities of the outcomes; the message says why."""


def read_answer(
    spec: Spec, model: Model, answer: NDArray[Any], named: list[str] | None, rows: int
) -> FloatArray:
    """The answer as probabilities in the order of the spec's outcomes; nonsense is refused."""
    if answer.ndim == 2 and answer.shape[1] == 1:
        answer = answer[:, 0]
    if answer.ndim not in (1, 2) or len(answer) != rows:
        raise NoProbabilities(
            f"the model gave {len(answer) if answer.ndim else 1} answers to {rows} questions"
        )
    if answer.ndim == 1 and answer.dtype.kind in "USiu":  # the decision itself
        return _decisions(spec, model, answer)
    if answer.dtype.kind not in "fiub":
        raise NoProbabilities("the model answers texts where probabilities were expected")
    # as many decimals as single precision carries, so that 0.7 is 0.7 again
    numbers = np.round(answer.astype(np.float64), 7 if answer.dtype.itemsize <= 4 else 15)
    if not np.isfinite(numbers).all() or (numbers < 0).any() or (numbers > 1).any():
        raise NoProbabilities("the model answers numbers that are no probabilities (0 to 1)")
    if numbers.ndim == 1:
        return _favourable(spec, numbers)
    return _by_class(spec, numbers, _outcomes(spec, model, numbers.shape[1], named))


def _decisions(spec: Spec, model: Model, answer: NDArray[Any]) -> FloatArray:
    """Outcomes themselves: by name, by what `groups` says, or, with `classes`, by number."""
    outcome = spec.process.outcome
    names = [str(label).strip() for label in answer.tolist()]
    if answer.dtype.kind in "iu" and model.classes is not None:
        if not np.isin(answer, range(len(model.classes))).all():
            raise NoProbabilities("the model answers class numbers that 'classes' does not have")
        names = [model.classes[number] for number in answer.tolist()]
    meaning = _meaning(spec)
    unknown = sorted({name for name in names if name not in meaning})
    if unknown:
        raise NoProbabilities(
            f"the model answers '{unknown[0]}', which is not an outcome; say under 'groups' which outcome it stands for"
        )
    decided = np.array([meaning[name] for name in names], dtype=object)
    return np.column_stack([(decided == value).astype(np.float64) for value in outcome.values])


def _favourable(spec: Spec, numbers: FloatArray) -> FloatArray:
    """One number: the favourable probability."""
    outcome = spec.process.outcome
    if len(outcome.values) != 2:
        raise NoProbabilities(f"the model answers one number, but there are {len(outcome.values)} outcomes")
    other = np.round(1 - numbers, 15)
    return np.column_stack([numbers if v == outcome.favourable else other for v in outcome.values])


def _by_class(spec: Spec, numbers: FloatArray, outcomes: list[str]) -> FloatArray:
    """A column a class; classes that stand for the same outcome are added."""
    outcome = spec.process.outcome
    if (np.abs(numbers.sum(axis=1) - 1) > 1e-5).any():
        raise NoProbabilities("the probabilities that the model answers do not sum to 1")
    table: FloatArray = np.column_stack(
        [
            numbers[:, [place for place, name in enumerate(outcomes) if name == value]].sum(axis=1)
            for value in outcome.values
        ]
    )
    # what rounding left goes to the first outcome that is not the favourable one
    spare = next(i for i, value in enumerate(outcome.values) if value != outcome.favourable)
    table = np.round(np.clip(table, 0, 1), 15).astype(np.float64)
    table[:, spare] = np.round(np.clip(1 - np.delete(table, spare, axis=1).sum(axis=1), 0, 1), 15)
    return table


def _outcomes(spec: Spec, model: Model, columns: int, named: list[str] | None) -> list[str]:
    """The outcome that each column of the answer stands for."""
    outcome, meaning = spec.process.outcome, _meaning(spec)
    names = [name.strip() for name in named or ()]
    if model.classes is not None:
        if len(model.classes) != columns:
            raise NoProbabilities(
                f"the model answers {counted(columns, 'number')} for {len(model.classes)} outcomes"
            )
        if all(name in meaning for name in names) and names:
            found = [meaning[name] for name in names]
            if found != list(model.classes):
                raise NoProbabilities(
                    f"'classes' says {', '.join(model.classes)}, but the model's own classes are {', '.join(names)}"
                )
        return list(model.classes)
    if len(names) == columns and all(name in meaning for name in names):
        found = [meaning[name] for name in names]
        if {*found} == {*outcome.values}:
            return found
    own = f"calls its classes {', '.join(names[:10])}" if names else "does not name its classes"
    raise NoProbabilities(
        f"the model {own}, so which outcome a number belongs to is not known; list the outcomes in the order of its "
        f"{columns} numbers under 'classes', or say under 'groups' what each class stands for"
    )


def _meaning(spec: Spec) -> dict[str, str]:
    """What each name of a class stands for: an outcome's own name, or what `groups` says."""
    outcome, records = spec.process.outcome, spec.source.cases
    groups = records.groups.get(outcome.name, {}) if records is not None else {}
    return {value: value for value in outcome.values} | {
        text: value for value, texts in groups.items() for text in texts
    }


def agreement(probability: FloatArray, decided: IntArray) -> tuple[float, float]:
    """How often the model's answer is the recorded decision, and how often by chance: with the same shares, unrelated.

    Rows are cells; `decided` are records by outcome.
    """
    total = decided.sum()
    of_row = decided.sum(axis=1) / total
    chance = (decided.sum(axis=0) / total) @ (of_row @ probability)
    return float((decided * probability).sum() / total), float(chance)
