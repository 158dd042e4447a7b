"""Ask an ONNX model; run as ``python -m atreport.private.data.onnx_model FOLDER``.

The folder holds nothing but the request and the model, so that a model finds no other file beside it. It is parsed before it
is run, and runs with limits on memory and time.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import Message
from onnx import numpy_helper

from atreport.private.data.model_process import (
    Answer,
    CannotAnswer,
    answer_request,
    first_line,
    limit_process,
    write_reply,
)

try:
    import onnxruntime
except ModuleNotFoundError:  # an extra; said in the answer
    onnxruntime = None

_MAPS = ("seq(map(string,tensor(float)))", "seq(map(int64,tensor(float)))")
"""Probabilities with the name of each class, as skl2onnx writes them unless told otherwise."""

_NUMBERS = ("tensor(float)", "tensor(double)")


def ask_onnx(folder: Path, request: dict[str, Any], columns: dict[str, Any]) -> Answer:
    """What the model in the folder answers to columns of inputs, in their order."""
    content = (folder / "model.onnx").read_bytes()
    limit_process(request["time_limit"], len(content))
    named = read_classes(content)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.intra_op_num_threads = options.inter_op_num_threads = (
        1  # sums in one order: the same bytes anywhere
    )
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        output = _output(session.get_outputs(), request["output"])
        (found,) = session.run([output], _feed(session.get_inputs(), columns))
    except CannotAnswer:
        raise
    except Exception as error:
        raise CannotAnswer(f"the file is not a model that onnxruntime can run: {first_line(error)}") from None
    if isinstance(found, list):
        return _from_maps(found)
    width = found.shape[1] if found.ndim == 2 else 0
    return Answer(array=found, classes=next((names for names in named if len(names) == width), None))


def _output(outputs: list[Any], wanted: str | None) -> str:
    """The output to read: the one asked for; else the first of probabilities, else the first array."""
    fitting = [output for output in outputs if output.type.startswith("tensor(") or output.type in _MAPS]
    names = [output.name for output in fitting]
    if wanted is not None and wanted not in names:
        raise CannotAnswer(f"the model has no output '{wanted}'; its outputs: {', '.join(names)}")
    if not names:
        raise CannotAnswer("the model answers neither an array nor probabilities by class")
    likely = [output.name for output in fitting if output.type in (*_NUMBERS, *_MAPS)]
    return wanted or (likely or names)[0]


def _from_maps(found: list[dict[Any, float]]) -> Answer:
    """Probabilities by class, as an array with a column a class."""
    keys = list(found[0]) if found else []
    if any(row.keys() != found[0].keys() for row in found):
        raise CannotAnswer("the model answers other classes from one question to the next")
    array = np.array([[row[key] for key in keys] for row in found], dtype=np.float32)
    return Answer(array=array, classes=[str(key) for key in keys])


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
        problem = (
            "a model as ONNX needs onnxruntime and onnx; install them with: pip install 'atreport[onnx]'"
        )
        write_reply(folder, {"problem": problem, "missing": True})
    else:
        answer_request(folder, ask_onnx)


# Read an ONNX model as data before it is run: refuse what reaches beyond the file, and find the names of its
# classes.

_DOMAINS = {"", "ai.onnx", "ai.onnx.ml"}
_CLASSES = ("classlabels_strings", "classlabels_int64s", "classlabels_ints")
"""What operators that classify call their classes."""


def read_classes(content: bytes) -> list[list[str]]:
    """The lists of classes that the model's operators name, the last first; :class:`CannotAnswer` if it may not be run."""
    try:
        model = onnx.load_model_from_string(content)
    except Exception:  # protobuf has errors of its own
        raise CannotAnswer("the file is not a model that onnxruntime can run: it is no ONNX") from None
    own = {function.domain for function in model.functions}
    for part in _parts(model):
        if isinstance(part, onnx.TensorProto) and (
            part.external_data or part.data_location == onnx.TensorProto.EXTERNAL
        ):
            raise CannotAnswer(
                "the model keeps numbers in other files, which are never read; export it as one file"
            )
        if isinstance(part, onnx.NodeProto) and part.domain not in _DOMAINS | own:
            raise CannotAnswer(
                f"the model has an operator of '{part.domain}', which is not run; use those of ONNX"
            )
    return [*_labels_of_operators(model), *_labels_picked(model)]


def _parts(message: Any) -> Iterator[Any]:
    """The message and every message inside it, however deep."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in [value] if isinstance(value, Message) else value:
            yield from _parts(inner)


def _labels_of_operators(model: Any) -> Iterator[list[str]]:
    for node in reversed(model.graph.node):
        for attribute in node.attribute:
            if attribute.name in _CLASSES and (attribute.strings or attribute.ints):
                texts = [text.decode("utf-8", errors="replace") for text in attribute.strings]
                yield texts or [str(number) for number in attribute.ints]


def _labels_picked(model: Any) -> Iterator[list[str]]:
    """Classes kept as an array from which the likeliest is picked."""
    arrays = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in reversed(model.graph.node):
        if node.op_type == "ArrayFeatureExtractor" and node.input and node.input[0] in arrays:
            labels = numpy_helper.to_array(arrays[node.input[0]]).ravel().tolist()
            yield [
                text.decode("utf-8", errors="replace") if isinstance(text, bytes) else str(text)
                for text in labels
            ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
