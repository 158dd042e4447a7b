"""From a data frame to a report: the same as from the spec it stands for, with errors at the names of arguments."""

import datetime as dt
import json
import pickle
import shutil
import sys
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport import MadeReport, build, load_spec, make_report, verify
from atreport.api.columns import label_of, labelled, read_frame
from atreport.api.make_report import FrameSpec, notebook_view, today
from atreport.errors import InvalidInput, MissingLibrary, OutputError, Refused
from atreport.report.writer import report_json
from atreport.spec.values import read_number
from atreport.spec.yaml import parse_document
from tests.example import EXAMPLE, example_spec

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "first_report.ipynb"

GAP = {"measure": "statistical_parity", "groups": "gender", "threshold": 0.1}
DAY = "2026-01-15"
SECRET = "Quicksilver"
"""A name in a column that no argument names."""


def counted_frame() -> pd.DataFrame:
    """Twelve rows that stand for 383 decided cases."""
    return pd.DataFrame(
        {
            "gender": list("FFFFFFMMMMMM"),
            "income": pd.Categorical(["low", "low", "mid", "mid", "high", "high"] * 2, ["low", "mid", "high", "unused"]),
            "decision": ["denied", "approved"] * 6,
            "people": [70, 10, 40, 30, 8, 25, 60, 14, 35, 45, 6, 40],
            "name": [SECRET] * 12,
        }
    )  # fmt: skip


@cache
def usual() -> MadeReport:
    """The report of the counted frame, made once."""
    return made(counted_frame())


def made(frame: object = None, **changes: Any) -> MadeReport:
    """A report of the counted frame, with some arguments changed."""
    if frame is None and not changes:
        return usual()
    arguments: dict[str, Any] = {
        "outcome": "decision",
        "favourable": "approved",
        "public": ["gender"],
        "sensitive": ["income"],
        "count": "people",
        "delta": 0.9,
        "fairness": [GAP],
        "date": DAY,
    }
    arguments |= changes
    return make_report(counted_frame() if frame is None else frame, **arguments)


def problems_of(frame: object = None, **changes: Any) -> dict[str, str]:
    """What is wrong, by the argument."""
    with pytest.raises(InvalidInput) as raised:
        made(frame, **changes)
    return {problem.location.file: f"{problem.message} / {problem.hint}" for problem in raised.value.problems}


def test_a_frame_becomes_the_report_of_the_same_cases() -> None:
    """Counted rows, the cases themselves, and a frame of another library give one and the same report."""
    frame = counted_frame()
    of_counts = made()
    assert of_counts.report.process.attribute("income").values == ("low", "mid", "high")
    cases = frame.loc[frame.index.repeat(frame["people"])].sample(frac=1, random_state=1)
    assert report_json(made(cases, count=None).report) == report_json(of_counts.report)
    texts = {name: frame[name].astype(str).tolist() for name in ("gender", "income", "decision")}
    polars = pl.DataFrame({**texts, "people": frame["people"].tolist()}).with_columns(
        pl.col("income").cast(pl.Enum(["low", "mid", "high"]))
    )
    assert report_json(made(polars).report) == report_json(of_counts.report)
    arrow = read_frame(pa.table(polars))
    pd.testing.assert_frame_equal(read_frame(polars), arrow)
    assert labelled(arrow["income"]).values == ("low", "mid", "high")
    assert of_counts.figures()["value"].between(0, 1).all()
    assert list(of_counts.rates()["group"]) == ["F", "M"]
    cells = of_counts.cells()
    assert len(cells) == 6
    assert list(cells["income"].cat.categories) == ["low", "mid", "high"]
    assert np.allclose(cells["announced: denied"] + cells["announced: approved"], 1)


def test_a_saved_spec_builds_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the arguments: `atreport build` of the saved spec gives the public files that `write` gives."""
    frame = counted_frame().assign(
        age=[19, 44, 19] * 4, member=pd.Series([True, None, True] * 4, dtype=object)
    )
    frame["income"] = frame["income"].astype(object).where(frame.index != 3, None)
    report = made(
        frame,
        private=["age", "member"],
        bins={"age": [30.5]},
        missing={"income": {"value": "not known"}, "member": {"value": "no answer"}},
        attributes={"income": {"label": "Annual income"}},
        rates=Decimal("0.95"),
        minimise=["beta"],
        small_cells={"policy": "round", "under": 5},
        population="counts",
        lift=np.float64(40),
        decimals=3,
        title="A title: with a colon",
        more={
            "disclosure": {"notes": [{"title": "Note", "text": "010"}]},
            "report": {"contact": "a@b.example"},
        },
    )
    written = report.write(tmp_path / "written", ["json"])
    path = report.save_spec(tmp_path / "saved" / "again.yaml")
    assert (path.stat().st_mode & 0o777, path.with_suffix(".csv").stat().st_mode & 0o777) == (0o600, 0o600)
    again = build(path, tmp_path / "again", ["json"])
    names = [file.name for file in written.files if file.parent.name == "public"]
    assert {"report.json", "cells.csv", "measures.csv", "dcat.jsonld", "SHA256SUMS"} <= {*names}
    for name in names:
        assert (written.folder / "public" / name).read_bytes() == (
            again.folder / "public" / name
        ).read_bytes()
    assert SECRET not in path.with_suffix(".csv").read_text()
    with pytest.raises(OutputError, match="overwrite=True"):
        report.save_spec(path)
    assert report.save_spec(path, overwrite=True) == path


@given(
    labels=st.lists(st.text("abN0179.+-eE~nul'\"#:{}[]&*!|>%@`? \té№", min_size=1, max_size=8).map(str.strip).filter(bool), min_size=2, max_size=4, unique=True),
    threshold=st.decimals("0", "1", places=12),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_a_saved_spec_means_the_same_whatever_its_labels_look_like(
    labels: list[str], threshold: Decimal
) -> None:
    """`no`, `010`, `~`, `1e5`, quotes and colons: YAML gives every label and number back as it was."""
    sections = {"a": labels, "b": dict.fromkeys(labels, threshold), "source": {"cells": "x"}}
    root = parse_document(FrameSpec(sections=sections, data=b"").text("data.csv"), Path("report.yaml")).root
    assert root["a"] == [str(label) for label in labels]
    assert [read_number(value) for value in root["b"].values()] == [threshold] * len(labels)
    assert root["source"] == {"cells": "data.csv"}


def test_cells_with_probabilities_and_bounds() -> None:
    """A row may be a cell: with the probability of the favourable outcome, or of each, and bounds of its own."""
    cells = pd.DataFrame(
        {
            "gender": list("FFFMMM"),
            "income": ["<100k", "100k-200k", ">200k"] * 2,
            "n": [12, 5, 3, 9, 7, 4],
            "p": [0, 0, 1, 0, 0.5, 1],
            "q": [1, 1, 0, 1, 0.5, 0],
        }
    )
    arguments = {
        "count": "n",
        "probability": "p",
        "values": {"decision": ["denied", "approved"]},
        "fairness": (),
    }
    given = made(cells, **arguments)
    assert given.report.privacy.beta == Decimal("0.6750")
    both = made(cells, **(arguments | {"probability": {"denied": "q", "approved": "p"}}))
    assert report_json(both.report) == report_json(given.report)
    bounded = cells.assign(low=(cells["p"] - 0.1).clip(0, 1), high=(cells["p"] + 0.1).clip(0, 1))
    assert made(bounded, **arguments, delta=None, bounds=("low", "high")).report.policy.fidelity.bounds
    wrong = problems_of(cells, **(arguments | {"count": None}), bounds=("low", "p"), missing="exclude")
    assert {"count", "bounds", "missing", "delta"} <= set(wrong)
    assert "is not a probability" in problems_of(cells.assign(p=2), **arguments)["frame"]


def test_a_number_may_be_the_outcome() -> None:
    """A score is cut at an edge, or at the median; its bins may have names."""
    frame = counted_frame().assign(score=[300, 700, 420, 640, 500, 610] * 2)
    scored = made(frame, outcome="score", favourable="600 and over", bins={"score": [600]})
    assert scored.report.process.outcome.values == ("under 600", "600 and over")
    halved = made(
        frame, outcome="score", favourable="high", bins={"score": "median"}, values={"score": ["low", "high"]}
    )
    assert halved.report.estimation is not None
    assert halved.report.estimation.outcome is not None


def test_every_problem_is_told_at_once_at_its_argument() -> None:
    """Columns, policy, measures and texts: nothing hides behind another problem, and each names its argument."""
    frame = counted_frame().assign(
        income=pd.Series(["low", None] * 6), id=range(12), other=pd.Series([[1]] * 12), people=0.5
    )
    wrong = problems_of(
        frame,
        outcome="decison",
        public=["gendr", "other"],
        private=["income"],
        delta=2,
        beta=0,
        date="tomorrow",
        decimals=99,
        fairness=[{"measure": "statistcal_parity", "groups": "gender"}],
        values={"gender": ["F"]},
        attributes={"income": {"lable": "x"}},
        more={"policy": {"decimals": 3}, "x": 1},
    )
    assert wrong["outcome"].endswith("did you mean 'decision'?")
    assert "did you mean 'gender'?" in wrong["public"] or "no labels" in wrong["public"]
    assert "missing in 6 of 12 rows" in wrong["sensitive"]
    assert "whole number of people" in wrong["count"]
    expected = {
        "private",
        "delta",
        "beta",
        "date",
        "decimals",
        "fairness[0].measure",
        "attributes['income']['lable']",
    }
    assert expected | {"more.policy.decimals", "more.x"} <= set(wrong)


@pytest.mark.parametrize(
    ("changes", "argument", "words"),
    [
        ({"favourable": "aproved"}, "favourable", "did you mean 'approved'?"),
        ({"favourable": object()}, "favourable", "is no label"),
        ({"delta": None}, "delta", "exactly one of delta, alpha, bounds"),
        ({"alpha": 0.5}, "delta", "exactly one of delta, alpha, bounds"),
        ({"values": {"income": ["low", "mid"]}}, "values['income']", "'high' occurs"),
        ({"values": ["low"]}, "values", "expected a dictionary"),
        ({"public": 3}, "public", "expected a list of columns"),
        ({"private": "people", "bins": {"people": "quantiles"}}, "bins['people']", "name them"),
        ({"bins": {"income": [3]}}, "frame", "is not a number"),
        ({"fairness": [{"measure": "statistical_parity", "groups": "age"}]}, "fairness[0].groups", "no attribute"),
        ({"date": dt.datetime(2026, 1, 15, 12, tzinfo=dt.UTC)}, "date", "time of day"),
        ({"small_cells": "hide"}, "small_cells", "not allowed here"),
        ({"bounds": ("a", "b"), "delta": None}, "bounds", "no columns of bounds"),
        ({"public": ["gender", "gender"]}, "public", "is named here already"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_a_wrong_argument_is_named(changes: dict[str, Any], argument: str, words: str) -> None:
    """A message says which argument is wrong, and what to write instead."""
    assert words in problems_of(**changes)[argument]


def test_columns_that_need_a_word() -> None:
    """Numbers without bins, names, dates and column names that appear twice are refused with the way out."""
    many = pd.DataFrame(
        {"decision": ["denied", "approved"] * 20, "gender": ["F", "M"] * 20, "income": range(40)}
    )
    assert "bins={'income': [13, 26]}" in problems_of(many, count=None)["sensitive"]
    named = many.assign(income=[f"n{i}" for i in range(40)])
    assert "40 different texts" in problems_of(named, count=None)["sensitive"]
    dated = many.assign(income=pd.Timestamp("2026-01-15"))
    assert "of type Timestamp" in problems_of(dated, count=None)["sensitive"]
    assert "appears twice" in problems_of(pd.concat([many, many], axis=1), count=None)["frame"]
    assert "no rows" in problems_of(many.head(0), count=None)["frame"]
    assert "is no data frame" in problems_of([1, 2])["frame"]
    assert "as a table" in problems_of(pl.Series([1, 2]))["frame"]
    with (
        mock.patch.dict(sys.modules, {"pyarrow": None}),
        pytest.raises(MissingLibrary, match=r"atreport\[arrow\]"),
    ):
        read_frame(pl.DataFrame({"a": [1]}))


def test_labels_are_what_a_reader_would_write() -> None:
    """Gaps make whole numbers floating; their labels stay whole. Values never stand in the order of the rows."""
    assert [label_of(value) for value in (True, np.int64(3), 3.0, 0.25, Decimal("1.50"), " a ", None, np.nan, pd.NA)] == [
        "True", "3", "3", "0.25", "1.5", "a", "", "", "",
    ]  # fmt: skip
    assert labelled(pd.Series([10, np.nan, 9])).values == ("9", "10")
    assert labelled(pd.Series([10, None, 9], dtype="Int64")).values == ("9", "10")
    ages = pd.Series([20, 35, 70])
    assert labelled(pd.cut(ages, [0, 30, 50.5, np.inf])).values == (
        "over 0 to 30",
        "over 30 to 50.5",
        "over 50.5",
    )
    assert labelled(pd.cut(ages, [-np.inf, 30, 80], right=False)).values == ("under 30", "30 to under 80")
    assert labelled(pd.Series(["b", "a", "", "b"])).values == ("a", "b")
    assert labelled(pd.Series(["b", "a", "", "b"])).missing == 1
    assert labelled(pd.Series([True, False])).values == ("False", "True")


def test_a_refusal_and_a_made_report_show_nothing_confidential() -> None:
    """Neither `repr` nor the notebook view holds a row, a name, a path or a true figure."""
    report = made()
    shown = [repr(report), str(report), report._repr_html_()]
    assert all(
        word not in text
        for text in shown
        for word in (SECRET, "/tmp", "atreport-", "FrameSpec", "Publishable")
    )
    title = report.report.report.model_copy(update={"title": "<script>alert(1)</script>"})
    assert "<script" not in notebook_view(report.report.model_copy(update={"report": title}))
    assert SECRET.encode() not in pickle.dumps(report)
    with pytest.raises(Refused) as refusal:
        made(beta=0.3)
    assert str(refusal.value).startswith("make_report: refused")
    assert "/" not in str(refusal.value)


def test_a_report_without_a_date_is_of_today_or_of_the_stated_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody said is not made up: a draft, by nobody, of the day on which it was made."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1768435200")
    about = made(date=None).report.report
    assert (about.date.isoformat(), about.version, about.publisher) == (DAY, "draft", "Publisher not named")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = dt.datetime.now(dt.UTC).date()
    assert before <= today() <= dt.datetime.now(dt.UTC).date()


def test_a_dictionary_and_a_changed_spec_build(tmp_path: Path) -> None:
    """A dictionary gives the bytes of the file that it stands for; a changed Spec is checked again."""
    of_file = build(load_spec(_written(tmp_path)), tmp_path / "a", ["json"])
    document = {
        "atreport": 1,
        **json.loads(
            json.dumps(
                load_spec(_written(tmp_path)).model_dump(exclude_unset=True, exclude_none=True),
                default=_plain,
            )
        ),
    }
    of_dictionary = build(document, tmp_path / "b", ["json"])
    assert of_dictionary.folder.name == "report"
    assert report_json(of_dictionary.report) == report_json(of_file.report)
    spec = example_spec()
    renamed = spec.model_copy(update={"report": spec.report.model_copy(update={"title": "Cards"})})
    assert build(renamed, tmp_path / "c", ["json"]).report.report.title == "Cards"
    other = spec.process.model_copy(update={"attributes": spec.process.attributes[1:]})
    with pytest.raises(InvalidInput, match=r"fairness\[0\]\.groups: there is no attribute 'gender'"):
        build(spec.model_copy(update={"process": other}), tmp_path)
    document["policy"]["fidelity"] = {"delta": 3, "alhpa": 1}
    document["source"] = {"table": object()}
    with pytest.raises(InvalidInput, match="no spec can hold a value of type object"):
        build(document, tmp_path)
    document["source"] = {"cells": "none.csv"}
    with pytest.raises(InvalidInput) as raised:
        build(document, tmp_path)
    places = {problem.location.file for problem in raised.value.problems}
    assert {"policy.fidelity.delta", "policy.fidelity.alhpa", "source.cells"} <= places


def _written(folder: Path) -> Path:
    path = folder / "report.yaml"
    path.write_text(EXAMPLE, encoding="utf-8")
    return path


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value.isoformat()


def _code_cells() -> list[str]:
    """The code of the notebook, which is stored without any output."""
    cells = [
        cell
        for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    assert sum(bool(line.strip()) for cell in cells for line in cell["source"]) < 15
    return ["".join(cell["source"]) for cell in cells]


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From DataFrame to figures in under 15 lines, as printed; without the PDF, what it writes is verified too."""
    monkeypatch.chdir(NOTEBOOK.parent)
    *cells, last = _code_cells()
    names: dict[str, Any] = {}
    for cell in cells:
        exec(cell, names)
    assert "write" in last
    assert verify(names["made"].write(tmp_path / "report", ["json"]).folder / "public").holds


@pytest.mark.slow
def test_the_notebook_makes_a_verified_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as printed, with the PDF, which is verified with all other files."""
    shutil.copy(NOTEBOOK.parent / "applications.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in _code_cells():
        exec(cell, names)
    assert (tmp_path / "first_report" / "public" / "report.pdf").read_bytes().startswith(b"%PDF")
