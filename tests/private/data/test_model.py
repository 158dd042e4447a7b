"""A model as the rule: asked about cells or records, in a process of its own, and never as a pickle."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from atreport.errors import InvalidInput, UsageError
from atreport.private.data import model as asking
from atreport.private.data.run_options import RunOptions
from atreport.private.data.table import read_table
from atreport.spec.load import load_spec
from tests.private.data.test_records import CSV, NUMBERS, PEOPLE, write_spec

NUMBER_OF = "numbers: {gender: {F: 0, M: 1}, income: {'<100k': 1, '100k-200k': 2, '>200k': 3}}"
PYTHON = """
def rule(frame):
    return 0.1 * frame["income"] + 0.2 * frame["gender"]

def label(frame):
    return ["approved" if income == ">200k" else "denied" for income in frame["income"]]

def of_number(frame):
    return frame["income"] / 100

def frame_of(frame):
    import pandas
    return pandas.DataFrame({"approved": rule(frame), "denied": 1 - rule(frame)})

def array_of(frame):
    return frame_of(frame).to_numpy()

def wrong(frame):
    return frame["income"] * 7

def short(frame):
    return [0.5]

def broken(frame):
    raise RuntimeError("no such thing")

def endless(frame):
    while True:
        pass

def curious(frame):
    import pathlib
    return [0.25 if not list(pathlib.Path().glob("*.csv")) else 1.0] * len(frame)
"""


def linear_model(path: Path, *, external: bool = False) -> None:
    """Probability of approval 0.1·income + 0.2·gender, as an ONNX file with one input of two numbers."""
    weights = numpy_helper.from_array(np.array([[0.2], [0.1]], dtype=np.float32), "weights")
    if external:
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value="weights.bin")
    one = numpy_helper.from_array(np.array([1], dtype=np.float32), "one")
    nodes = [
        helper.make_node("MatMul", ["x", "weights"], ["yes"]),
        helper.make_node("Sub", ["one", "yes"], ["no"]),
        helper.make_node("Concat", ["no", "yes"], ["probabilities"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "rule",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [None, 2])],
        [weights, one],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(made.SerializeToString())
    if not external:
        onnx.checker.check_model(made)


def asked(folder: Path, model: str, text: str = CSV, more: str = "", *, allow: bool = True) -> list[float]:
    """The favourable probabilities that a model gives."""
    (folder / "cases.csv").write_text(text)
    (folder / "mine.py").write_text(PYTHON)
    records = f"{{files: cases.csv, estimate: {{model: {model}}}{more}}}"
    table = read_table(load_spec(write_spec(folder, records)), options=RunOptions(allow_python_model=allow))
    assert table.estimation is not None
    assert table.estimation.method == "model"
    assert table.cells.process.estimated_from is None
    return [float(x) for x in table.favourable]


EXPECTED = [0.1, 0.2, 0.3, 0.3, 0.4, 0.5]


def test_onnx_model_of_cells(tmp_path: Path) -> None:
    """Each cell is asked about once; 0.7 in single precision is 0.7 again."""
    linear_model(tmp_path / "rule.onnx")
    model = f"{{onnx: rule.onnx, inputs: [gender, income], classes: [denied, approved], {NUMBER_OF}}}"
    assert asked(tmp_path, model) == EXPECTED


def test_classes_that_are_not_named_must_be_listed(tmp_path: Path) -> None:
    """Two numbers without names could be either way round: nothing is guessed."""
    linear_model(tmp_path / "rule.onnx")
    with pytest.raises(InvalidInput, match=r"does not name its classes.*under 'classes'"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")


def test_a_model_read_the_wrong_way_round_is_refused(tmp_path: Path) -> None:
    """Exchanged classes agree with the recorded decisions less than chance would; without decisions nothing can be said."""
    linear_model(tmp_path / "rule.onnx")
    model = f"{{onnx: rule.onnx, inputs: [gender, income], classes: [approved, denied], {NUMBER_OF}}}"
    with pytest.raises(InvalidInput, match="less often than chance"):
        asked(tmp_path, model)
    undecided = "\n".join(line.rsplit(",", 1)[0] for line in CSV.splitlines())
    assert asked(tmp_path, model, undecided) == pytest.approx([1 - number for number in EXPECTED])


def fitted_model(folder: Path, answers: dict[str, Any], **options: bool) -> list[float]:
    """A logistic regression that calls the decisions otherwise, as skl2onnx writes it; its favourable probabilities."""
    skl2onnx = pytest.importorskip("skl2onnx")
    import pandas as pd
    from skl2onnx.common.data_types import StringTensorType
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rows = [line.split(",") for line in CSV.splitlines()[1:]]
    frame = pd.DataFrame(rows, columns=["gender", "income", "decision"])
    fitted = make_pipeline(OneHotEncoder(), LogisticRegression()).fit(
        frame[["gender", "income"]].to_numpy(dtype=object), frame["decision"].map(answers)
    )
    made = skl2onnx.to_onnx(
        fitted, initial_types=[("x", StringTensorType([None, 2]))], options=options or None
    )
    (folder / "rule.onnx").write_bytes(made.SerializeToString())
    cells = np.array([[g, i] for g, i, _, _ in PEOPLE], dtype=object)
    found = fitted.predict_proba(cells)[:, list(fitted.classes_).index(answers["approved"])]
    return [float(number) for number in found]


@pytest.mark.parametrize("options", [{}, {"zipmap": False}], ids=["as it comes", "without zipmap"])
@pytest.mark.parametrize(
    ("answers", "more"),
    [
        ({"approved": "approved", "denied": "denied"}, ""),
        (
            {"approved": "+", "denied": "-"},
            ", groups: {decision: {approved: [+, approved], denied: ['-', denied]}}",
        ),
        (
            {"approved": 1, "denied": 0},
            ", groups: {decision: {approved: ['1', approved], denied: ['0', denied]}}",
        ),
    ],
    ids=["names", "texts by groups", "numbers by groups"],
)
def test_classes_are_matched_by_name(
    tmp_path: Path, options: dict[str, bool], answers: dict[str, Any], more: str
) -> None:
    """In whatever order a model has its classes and the spec its outcomes, approval stays approval."""
    expected = fitted_model(tmp_path, answers, **options)
    found = asked(tmp_path, "{onnx: rule.onnx, inputs: [gender, income]}", more=more)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_classes_that_contradict_the_model_are_refused(tmp_path: Path) -> None:
    """Where the model names its classes, a list in another order is a mistake; numbers without a meaning need one."""
    fitted_model(tmp_path, {"approved": "approved", "denied": "denied"})
    with pytest.raises(InvalidInput, match="the model's own classes are approved, denied"):
        asked(tmp_path, "{onnx: rule.onnx, inputs: [gender, income], classes: [denied, approved]}")
    expected = fitted_model(tmp_path, {"approved": 1, "denied": 0})
    with pytest.raises(InvalidInput, match="calls its classes 0, 1"):
        asked(tmp_path, "{onnx: rule.onnx, inputs: [gender, income]}")
    found = asked(tmp_path, "{onnx: rule.onnx, inputs: [gender, income], classes: [denied, approved]}")
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_a_frame_of_a_python_function_names_its_outcomes(tmp_path: Path) -> None:
    """Columns by name, in any order; an array of two columns needs `classes`."""
    assert asked(
        tmp_path, f"{{python: 'mine:frame_of', inputs: [gender, income], {NUMBER_OF}}}"
    ) == pytest.approx(EXPECTED)
    with pytest.raises(InvalidInput, match="does not name its classes"):
        asked(tmp_path, f"{{python: 'mine:array_of', inputs: [gender, income], {NUMBER_OF}}}")


def endless_model(path: Path) -> None:
    """A few hundred bytes that ask for tens of gigabytes."""
    shape = numpy_helper.from_array(np.array([200_000, 50_000], dtype=np.int64), "shape")
    nodes = [
        helper.make_node("ConstantOfShape", ["shape"], ["much"]),
        helper.make_node("ReduceSum", ["much"], ["sum"], keepdims=0),
        helper.make_node("Add", ["x", "sum"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "much",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 2])],
        [shape],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(made.SerializeToString())


def test_a_small_model_cannot_take_all_memory(tmp_path: Path) -> None:
    """The process of the model has a limit of its own, and what comes back is words."""
    endless_model(tmp_path / "rule.onnx")
    with pytest.raises(InvalidInput, match=r"memory|onnxruntime can run|ended with code"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")


def test_operators_from_elsewhere_are_not_run(tmp_path: Path) -> None:
    """Only operators that ONNX defines."""
    linear_model(tmp_path / "rule.onnx")
    made = onnx.load(tmp_path / "rule.onnx")
    made.graph.node[0].domain = "com.example"
    (tmp_path / "rule.onnx").write_bytes(made.SerializeToString())
    with pytest.raises(InvalidInput, match=r"an operator of 'com\.example'"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")


def test_model_that_wants_other_files_is_refused(tmp_path: Path) -> None:
    """Numbers kept outside the model's file are never read."""
    linear_model(tmp_path / "rule.onnx", external=True)
    (tmp_path / "weights.bin").write_bytes(np.array([0.2, 0.1], np.float32).tobytes())
    with pytest.raises(InvalidInput, match="keeps numbers in other files"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")
    hidden = (tmp_path / "rule.onnx").read_bytes()
    key, value = b"\n\x08location", b"\x12\x0bweights.bin"
    assert key + value in hidden
    (tmp_path / "rule.onnx").write_bytes(hidden.replace(key + value, value + key))  # a value before its key
    with pytest.raises(InvalidInput, match="keeps numbers in other files"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("{onnx: rule.onnx, inputs: [gender, income]}", "some inputs are texts"),
        (
            "{onnx: rule.onnx, inputs: [income], numbers: {income: {'<100k': 1}}}",
            "'numbers' has none for the value",
        ),
        (
            "{onnx: rule.onnx, output: x, inputs: [gender, income], " + NUMBER_OF + "}",
            "no output 'x'; its outputs: prob",
        ),
        ("{onnx: none.onnx, inputs: [income]}", "not a model that onnxruntime can run"),
    ],
)
def test_onnx_model_that_does_not_fit(tmp_path: Path, model: str, words: str) -> None:
    """The message says what is wrong between spec and model, at the model's place."""
    linear_model(tmp_path / "rule.onnx")
    (tmp_path / "none.onnx").write_bytes(b"nonsense")
    with pytest.raises(InvalidInput, match=words) as caught:
        asked(tmp_path, model)
    assert caught.value.problems[0].location.line == 15


def test_large_model_is_refused(tmp_path: Path, monkeypatch) -> None:
    """There is a limit on the size of a model."""
    linear_model(tmp_path / "rule.onnx")
    monkeypatch.setattr(asking, "MAX_BYTES", 10)
    with pytest.raises(InvalidInput, match="larger than"):
        asked(tmp_path, f"{{onnx: rule.onnx, inputs: [gender, income], {NUMBER_OF}}}")


def test_python_function_needs_the_flag(tmp_path: Path) -> None:
    """A spec alone never runs a program."""
    with pytest.raises(UsageError, match="--allow-python-model"):
        asked(tmp_path, "{python: 'mine:rule', inputs: [gender, income]}", allow=False)


def test_python_function(tmp_path: Path) -> None:
    """Allowed, it is given a frame of inputs, and answers probabilities or decisions."""
    found = asked(tmp_path, f"{{python: 'mine:rule', inputs: [gender, income], {NUMBER_OF}}}")
    assert found == pytest.approx(EXPECTED)
    assert asked(tmp_path, "{python: 'mine:label', inputs: [income]}") == [0, 0, 1, 0, 0, 1]
    assert asked(tmp_path, "{python: 'mine:curious', inputs: [income]}") == [0.25] * 6  # it runs elsewhere


def test_model_of_records(tmp_path: Path) -> None:
    """Asked about the numbers in the records, a cell is the average of its records' answers."""
    model = "{python: 'mine:of_number', of: records, inputs: [income]}"
    found = asked(tmp_path, model, NUMBERS, ", bins: {income: [10, 40]}")
    women = [
        np.mean([i / 100 for i in range(0, 60, 2) if low <= i < high])
        for low, high in ((0, 10), (10, 40), (40, 60))
    ]
    assert found[:3] == pytest.approx(women)


@pytest.mark.parametrize(
    ("function", "words"),
    [("wrong", "no probabilities"), ("short", "1 answers to 6 questions"), ("broken", "RuntimeError: no such thing"),
     ("absent", "AttributeError")],
)  # fmt: skip
def test_python_function_that_fails(tmp_path: Path, function: str, words: str) -> None:
    """Nonsense and failures are answered in words."""
    with pytest.raises(InvalidInput, match=words):
        asked(tmp_path, f"{{python: 'mine:{function}', inputs: [gender, income], {NUMBER_OF}}}")


def test_model_without_end_is_stopped(tmp_path: Path) -> None:
    """There is a limit on the time of a model."""
    with pytest.raises(InvalidInput, match="within 2 seconds"):
        asked(tmp_path, "{python: 'mine:endless', inputs: [income], time_limit: 2}")
