"""The transparency section: every mistake is answered at its place, with what to write instead."""

import pytest

from atreport.errors import InvalidInput
from atreport.spec.load import parse_spec
from atreport.spec.transparency import Transparency
from tests.example import EXAMPLE


def section(text: str) -> str:
    """The example with a transparency section."""
    return f"{EXAMPLE}transparency:\n{text}"


def test_it_may_be_left_out() -> None:
    """A spec without the section gets the short explanation."""
    assert parse_spec(EXAMPLE).transparency == Transparency()
    assert parse_spec(EXAMPLE).public.transparency.rules.exact


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("  ordred: [income]\n", (1, 3), "unknown key 'ordred'", "did you mean 'ordered'?"),
        ("  ordered: [incom]\n", (1, 13), "there is no attribute 'incom'", "did you mean 'income'?"),
        ("  ordered: [income, income]\n", (1, 21), "'income' is listed twice", "remove one"),
        ("  rules: {exact: maybe}\n", (1, 18), "'maybe' is neither true nor false", None),
        ('  rules: {linear: "true"}\n', (1, 19), '"true" is a text; write true without quotes', None),
        ("  rules: {tree: 12}\n", (1, 17), "must be a whole number from 1 to 8, not 12", None),
        ("  rules: {regions: 1}\n", (1, 20), "must be a whole number from 2 to 20, not 1", None),
        (
            "  rules: {anchors: [{record: {gender: F}}]}\n",
            (1, 30),
            "this record has no value of 'income'",
            "add 'income: …'; a record has a value of every attribute",
        ),
        (
            '  rules: {anchors: [{record: {gender: X, income: ">200k"}}]}\n',
            (1, 39),
            "'X' is not a value of 'gender'",
            "its values: F, M",
        ),
        (
            "  influence: {shapley: true}\n",
            (1, 15),
            "'shapley' is about quantities, and there are none",
            "add 'quantities: [{title: …, group: …}]' beside it",
        ),
        (
            "  influence: {quantities: [{title: a}, {title: a}]}\n",
            (1, 48),
            "'a' is the title of another quantity",
            "choose another",
        ),
        (
            "  influence: {quantities: [{title: a, minus: {sex: F}}]}\n",
            (1, 47),
            "there is no attribute 'sex'",
            "the attributes: gender, income",
        ),
        (
            "  dependence: {curves: [lime]}\n",
            (1, 25),
            "'lime' is not allowed here",
            "allowed here: pdp, ice, ale",
        ),
    ],
)
def test_mistakes_are_answered(text: str, place: tuple[int, int], message: str, hint: str | None) -> None:
    """File, line, column, what is wrong, and what to write."""
    before = EXAMPLE.count("\n") + 1
    with pytest.raises(InvalidInput) as caught:
        parse_spec(section(text))
    (problem,) = caught.value.problems
    assert problem.location.line is not None
    assert (problem.location.line - before, problem.location.column) == place
    assert (problem.message, problem.hint) == (message, hint)


def test_all_mistakes_at_once() -> None:
    """A wrong name does not hide another."""
    with pytest.raises(InvalidInput) as caught:
        parse_spec(section("  ordered: [a, b]\n  dependence: {attributes: [c]}\n"))
    assert len(caught.value.problems) == 3
