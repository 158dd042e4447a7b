"""What a policy can ask for: fidelity of probabilities and of rates, ceilings, what is made least."""

from decimal import Decimal

import jsonschema
import pytest

from atreport.spec.validation import spec_schema
from tests.example import example_spec

CEILINGS = ('">200k"]}', '">200k"], ceilings: {">200k": 0.4}}')


def test_defaults() -> None:
    """A spec that says nothing of it has no promise of rates, and the least confidence, then lift, then odds."""
    policy = example_spec().policy
    assert (policy.fidelity.rates, policy.minimise, policy.grid_used) == (
        None,
        ("beta", "lift", "odds"),
        None,
    )
    assert example_spec(("decimals: 4", "mechanism: calibrated")).policy.grid_used == "wide"


@pytest.mark.parametrize(
    ("written", "read"), [("0.99", Decimal("0.99")), ("1", Decimal(1)), ("best", "best")]
)
def test_rates(written: str, read: object) -> None:
    """Rates are a number, exact, or the best there is."""
    spec = example_spec(("{delta: 0.9}", f"{{delta: 0.9, rates: {written}}}"))
    assert spec.policy.fidelity.rates == read


def test_any_ceilings() -> None:
    """Ceilings can be had together, and one for a single value is enough to look for the best fidelity."""
    privacy = example_spec(("{beta: 0.7}", "{gamma: 0.3, lift: 2, odds: 9.5}")).policy.privacy
    assert privacy is not None
    assert privacy.model_dump(exclude_none=True) == {
        "gamma": Decimal("0.3"), "lift": 2, "odds": Decimal("9.5")
    }  # fmt: skip
    spec = example_spec(CEILINGS, ("privacy: {beta: 0.7}", "objective: fidelity"))
    assert spec.process.attribute("income").ceilings == {">200k": Decimal("0.4")}


@pytest.mark.parametrize(
    ("policy", "valid"),
    [
        ({"fidelity": {"delta": 0.9, "rates": "best"}, "minimise": ["odds", "beta"]}, True),
        ({"fidelity": {"rates": 0.9}}, False),
        ({"fidelity": {"delta": 0.9, "alpha": 0.9}}, False),
        ({"fidelity": {"delta": 0.9, "rates": "worst"}}, False),
        ({"fidelity": {"delta": 0.9}, "privacy": {}}, False),
        ({"fidelity": {"delta": 0.9}, "privacy": {"beta": 0.9, "gamma": 0.1}}, False),
        ({"fidelity": {"delta": 0.9}, "privacy": {"lift": 2, "odds": 9}, "grid": "wide"}, True),
        ({"fidelity": {"delta": 0.9}, "mechanism": "calibrated", "grid": "even"}, False),
        ({"fidelity": {"delta": 0.9}, "minimise": ["beta", "beta"]}, False),
    ],
)
def test_schema_says_the_same(policy: dict[str, object], valid: bool) -> None:
    """An editor that knows the schema marks what the program refuses, as far as a schema can say it."""
    definition = {**spec_schema()["definitions"]["Policy"], "definitions": spec_schema()["definitions"]}
    assert jsonschema.Draft7Validator(definition).is_valid(policy) is valid
