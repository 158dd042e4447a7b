"""Questions on the terminal: choices by number or by name, Enter for the default, and a question that stays open."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from atreport import load_spec
from atreport.cli.init import ask_on_terminal, read_answers
from atreport.private.proposal.vocabulary import PossibleAnswer, Question
from tests.command_line import ROOT
from tests.private.proposal.expected import TABLES

ONE = Question(
    about="outcome",
    text="Which?",
    choices=(
        PossibleAnswer(answer="y", reasons=("it is last",)),
        PossibleAnswer(answer="2"),
        PossibleAnswer(answer="a, b"),
    ),
    also=("other",),
    likely=("y",),
)
SEVERAL = Question(about="public", text="Which?", choices=ONE.choices, several=True)


@pytest.mark.parametrize(
    ("question", "typed", "answers"),
    [
        (ONE, "\n", ("y",)),
        (ONE, "?\n", None),
        (ONE, "", None),
        (ONE, "3\n", ("a, b",)),
        (ONE, "2\n", ("2",)),
        (ONE, "other\n", ("other",)),
        (ONE, "nobody\n0\n1\n", ("y",)),
        (SEVERAL, "\n", None),
        (SEVERAL, "a, b\n", ("a, b",)),
        (SEVERAL, "1, 3,1\n", ("y", "a, b")),
    ],
)
def test_what_is_typed(
    monkeypatch: pytest.MonkeyPatch, question: Question, typed: str, answers: tuple[str, ...] | None
) -> None:
    """Numbers and names, defaults, what is none of them asked again, and the end of the input leaves it open."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert ask_on_terminal(question) == answers


def test_commas_alone_are_no_answer() -> None:
    """Nothing named is nothing answered."""
    assert read_answers(SEVERAL, ",") == ((), ",")


def test_on_a_terminal_it_asks(tmp_path: Path) -> None:
    """As a user sees it: four questions, answered with Enter, a number and a name; the spec then has no question left."""
    path = TABLES["bank marketing"].write(tmp_path)
    keeper, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "atreport", "init", str(tmp_path / "new"), "--from", str(path)],
        stdin=side, stdout=subprocess.PIPE, stderr=side, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(side)
    os.write(keeper, b"\nyes\nmarital, job\n1\n")
    out, _ = process.communicate(timeout=120)
    said = os.read(keeper, 1 << 16).decode()
    os.close(keeper)
    assert process.returncode == 0, said
    assert "Which column says how each case was decided?" in said
    assert "its name is that of a decision" in said
    assert out.decode().splitlines()[0] == str(tmp_path / "new" / "report.yaml")
    spec = load_spec(tmp_path / "new" / "report.yaml")
    assert (spec.process.outcome.name, spec.process.outcome.favourable) == ("y", "yes")
    assert [a.name for a in spec.process.attributes] == ["marital", "job", "balance"]
