"""Questions that init leaves in a spec: refused at their place until answered, and nothing else is said there."""

import pytest

from atreport.errors import InvalidInput
from atreport.spec.load import parse_spec
from tests.example import changed


def test_an_open_question_is_refused_at_its_place() -> None:
    """Two questions, each at its line and column, with what was asked; what follows from them is not said besides."""
    text = changed(
        ("favourable: approved", 'favourable: "?? denied or approved"'),
        ("role: sensitive", 'role: "?? public, sensitive or private"'),
    )
    with pytest.raises(InvalidInput) as found:
        parse_spec(text)
    messages = [problem.message for problem in found.value.problems]
    assert messages == [
        "a question is still open: denied or approved",
        "a question is still open: public, sensitive or private",
    ]
    lines = text.splitlines()
    for problem in found.value.problems:
        assert problem.location.line is not None
        assert problem.location.column is not None
        assert lines[problem.location.line - 1][problem.location.column :].startswith("?? ")


def test_other_problems_are_said_beside_a_question() -> None:
    """All problems at once: a question hides only what stands at its own place."""
    text = changed(("favourable: approved", 'favourable: "?? denied or approved"'), ("policy:", "polcy:"))
    with pytest.raises(InvalidInput, match="unknown key 'polcy'"):
        parse_spec(text)


def test_question_marks_alone_are_no_question() -> None:
    """Two question marks may be a mark of missing entries, or end a sentence: only with a blank behind them they ask."""
    parse_spec(changed(("title: ", "title: Why?? ")))
