"""Read an ONNX model as data before it is run: refuse what reaches beyond the file, and find the names of its classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import onnx
from google.protobuf.message import Message
from onnx import numpy_helper

from atreport.confidential.data.model_process.answer import CannotAnswer

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
