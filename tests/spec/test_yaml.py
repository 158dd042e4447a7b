"""YAML as its authors mean it: labels stay as written, numbers are YAML 1.2 numbers."""

from decimal import Decimal

import pytest

from atreport.spec.load import parse_spec
from atreport.spec.yaml import parse_number
from tests.example import changed, example_spec


@pytest.mark.parametrize("label", ["no", "on", "010", "1:30", "1e3", "true", "2026-01-15", "0x1F", "1_000"])
def test_plain_label_is_the_text_as_written(label: str) -> None:
    """An unquoted label that YAML 1.1 would turn into something else stays what the author wrote."""
    spec = parse_spec(changed().replace("[F, M]", f"[{label}, M]").replace("gender: F,", f"gender: {label},"))
    assert spec.process.attribute("gender").values == (label, "M")
    assert spec.source.table is not None
    assert spec.source.table[0]["gender"] == label


def test_version_number_is_a_text() -> None:
    """`version: 1.10` is version 1.10, not 1.1."""
    assert example_spec(("version: 1.0.0", "version: 1.10")).report.version == "1.10"


@pytest.mark.parametrize(
    ("text", "number"),
    [("1e-3", "0.001"), ("010", "10"), (".5", "0.5"), ("+0.5", "0.5"), ("1.", "1"), ("1E2", "100")],
)
def test_number_is_read_by_yaml_1_2(text: str, number: str) -> None:
    """Numbers that YAML 1.1 reads as texts or octals."""
    assert parse_number(text) == Decimal(number)


@pytest.mark.parametrize(
    "text", ["1:30", "1_000", "0x10", "0o17", ".inf", ".nan", "1e", "--1", "1,5", "½", "१"]
)
def test_not_a_number(text: str) -> None:
    """What is not a decimal number is not taken for one."""
    assert parse_number(text) is None


def test_scientific_notation_in_the_policy() -> None:
    """`1e-3` is a number wherever a number is expected."""
    assert example_spec(("threshold: 0.3", "threshold: 1e-3")).fairness[0].threshold == Decimal("0.001")  # type: ignore[union-attr]


def test_quoted_label_equals_plain_label() -> None:
    """Quotes make no difference to a label."""
    assert example_spec(("gender: F,", 'gender: "F",')).source.table[0]["gender"] == "F"  # type: ignore[index]


def test_spec_cannot_be_changed() -> None:
    """Frozen data between stages."""
    spec = example_spec()
    with pytest.raises(ValueError, match="frozen"):
        spec.policy.decimals = 3  # type: ignore[misc]


def test_public_spec_has_no_source() -> None:
    """What crosses the wall does not hold the true decisions."""
    assert not hasattr(example_spec().public, "source")
