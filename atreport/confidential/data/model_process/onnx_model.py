"""Ask an ONNX model; run as ``python -m atreport.confidential.data.model_process.onnx_model FOLDER``.

The folder holds nothing but the request and the model, so that a model finds no other file beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from atreport.confidential.data.model_process.answer import (
    CannotAnswer,
    answer_request,
    first_line,
    write_reply,
)

try:
    import onnxruntime
except ModuleNotFoundError:  # an extra; said in the answer
    onnxruntime = None


def ask_onnx(folder: Path, request: dict[str, Any], columns: dict[str, Any]) -> Any:
    """What the model in the folder answers to columns of inputs, in their order."""
    content, wanted = (folder / "model.onnx").read_bytes(), request["output"]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = (
        1  # sums in one order: the same bytes anywhere
    )
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise CannotAnswer(f"the file is not a model that onnxruntime can run: {first_line(error)}") from None
    outputs = [output for output in session.get_outputs() if output.type.startswith("tensor(")]
    names = [output.name for output in outputs]
    if wanted is not None and wanted not in names:
        raise CannotAnswer(f"the model has no output '{wanted}'; its outputs: {', '.join(names)}")
    numeric = [output.name for output in outputs if output.type in ("tensor(float)", "tensor(double)")]
    if not names:
        raise CannotAnswer("the model answers no array; export it with zipmap=False")
    return session.run([wanted or (numeric or names)[0]], _feed(session.get_inputs(), columns))[0]


def _feed(inputs: list[Any], columns: dict[str, Any]) -> dict[str, Any]:
    """The columns in the shape the model wants: one matrix, or an array for each input."""
    if len(inputs) == 1 and (len(columns) > 1 or len(inputs[0].shape) == 2):
        return {inputs[0].name: _typed(inputs[0], np.column_stack([*columns.values()]))}
    if len(inputs) != len(columns):
        raise CannotAnswer(f"the model has {len(inputs)} inputs, and the spec names {len(columns)}")
    by_name = {one.name for one in inputs} == set(columns)
    ordered = [columns[one.name] for one in inputs] if by_name else [*columns.values()]
    return {
        one.name: _typed(one, values[:, None] if len(one.shape) == 2 else values)
        for one, values in zip(inputs, ordered, strict=True)
    }


def _typed(one: Any, values: Any) -> Any:
    kinds = {"float": np.float32, "double": np.float64, "int64": np.int64, "int32": np.int32}
    kind = one.type.removeprefix("tensor(").removesuffix(")")
    if kind == "string":
        return values.astype(str).astype(object)
    if kind not in kinds:
        raise CannotAnswer(f"the model wants {one.type}, which is not supported")
    if values.dtype.kind == "U":
        raise CannotAnswer(
            f"the model takes numbers for '{one.name}', and some inputs are texts; give each value a number with 'numbers'"
        )
    return values.astype(kinds[kind])


def main(folder: Path) -> None:
    """Answer the request in the folder."""
    if onnxruntime is None:
        problem = "a model as ONNX needs onnxruntime; install it with: pip install 'atreport[onnx]'"
        write_reply(folder, {"problem": problem, "missing": True})
    else:
        answer_request(folder, ask_onnx)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
