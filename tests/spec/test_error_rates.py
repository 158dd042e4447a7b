"""Error rates in a spec: what may be a label, which side is right, and what else may speak of it."""

from pathlib import Path

import pytest

from atreport.errors import InvalidInput
from atreport.spec.fairness import ErrorRates
from atreport.spec.load import load_spec, parse_spec

SPEC = (Path(__file__).parents[2] / "specs" / "release_decisions.yaml").read_text(encoding="utf-8")
ASKED = "{measure: error_rates, groups: district, label: rearrested, positive: no, threshold: 0.1}"


def entry(text: str) -> str:
    """The example with another entry of error rates."""
    assert ASKED in SPEC
    return SPEC.replace(ASKED, f"{{measure: error_rates, threshold: 0.1, {text}}}")


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("groups: district, label: arrested", "there is no attribute 'arrested'", "did you mean 'rearrested'?"),
        ("groups: district, label: convictions, positive: none", "'convictions' cannot be a label: it is sensitive", "role: private"),
        ("groups: rearrested, label: rearrested", "'rearrested' already defines the groups", "another"),
        ("groups: district, label: rearrested, positive: never", "'never' is not a known value", "yes, no"),
        ("groups: district, label: rearrested, positive: [yes, no]", "every known value of 'rearrested' is positive", "leave"),
        ("groups: district, label: rearrested, rates: [equal_opportunity, equal_opportunity]", "is listed twice", "remove"),
        ("groups: district, label: rearrested, rates: equal_chances", "equal_chances", ""),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_answered_at_its_place(text: str, words: str, hint: str) -> None:
    """With the line, and what to write instead."""
    with pytest.raises(InvalidInput) as caught:
        parse_spec(entry(text))
    problems = [p for p in caught.value.problems if words in p.message]
    assert problems, str(caught.value)
    assert hint in (problems[0].hint or "")
    assert problems[0].location.line == SPEC[: SPEC.index(ASKED)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{measure: statistical_parity, groups: district,", "{measure: statistical_parity, groups: rearrested,", "no attribute to compare people by"),
        ("{measure: statistical_parity, groups: district,", "{measure: conditional_statistical_parity, groups: district, given: rearrested,", "no attribute to compare people by"),
        ("{measure: statistical_parity, groups: district,", "{measure: individual, distance: {rearrested: 1},", "no attribute to compare people by"),
        ("group: {district: South}", "group: {rearrested: yes}", "there is no attribute 'rearrested'"),
        ("population: counts", "population: withheld", "error rates need the population"),
        ("positive: no, threshold: 0.1}", "positive: no, threshold: 0.1, headline: true}\n  - {measure: impact_ratio, groups: district, headline: true}", "can begin with one measure only"),
    ],
)  # fmt: skip
def test_nothing_else_may_speak_of_the_label(old: str, new: str, words: str) -> None:
    """It counts in cells and error rates; there is one headline at most."""
    assert old in SPEC
    with pytest.raises(InvalidInput) as caught:
        parse_spec(SPEC.replace(old, new))
    assert any(words in problem.message for problem in caught.value.problems), str(caught.value)


def test_a_tree_does_not_know_what_really_happened(tmp_path: Path) -> None:
    """From records, decisions must be those that were recorded."""
    source = SPEC.index("source:"), SPEC.index("policy:")
    (tmp_path / "cases.csv").write_text("district,convictions,rearrested,decision\n", encoding="utf-8")
    text = SPEC[: source[0]] + "source:\n  records: {files: cases.csv, estimate: tree}\n" + SPEC[source[1] :]
    (tmp_path / "spec.yaml").write_text(text.replace("  estimated_from: records\n", ""), encoding="utf-8")
    with pytest.raises(InvalidInput, match="a tree or a model does not know what really happened"):
        load_spec(tmp_path / "spec.yaml")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("[yes, no]", ("no",)),
        ("[no, yes]", ("yes",)),
        ("[released, yes, no]", ("released",)),
        ("[no, yes, later]", ()),
    ],
)
def test_the_side_that_is_right_where_the_spec_does_not_say(values: str, expected: tuple[str, ...]) -> None:
    """The value named as the favourable outcome; of two, the one at its place; otherwise the spec must say."""
    text = entry("groups: district, label: rearrested").replace(
        "role: private, values: [yes, no]", f"role: private, values: {values}"
    )
    if not expected:
        with pytest.raises(InvalidInput, match=r"add 'positive: …'; its values: no, yes, later"):
            parse_spec(text)
        return
    spec = parse_spec(text)
    asked = spec.public.fairness[1]
    assert isinstance(asked, ErrorRates)
    assert asked.positive == expected
