"""Writing a policy into a spec: the numbers asked for, and not one comment or character else."""

from decimal import Decimal

import pytest

from atreport.errors import UsageError
from atreport.spec.yaml import parse_document
from atreport.studio.session import write_policy
from tests.command_line import ROOT

HEAD = "atreport: 1\nprocess: {name: a}  # who\n"

D = Decimal


def _written(policy: str, fidelity: dict[str, Decimal | None], privacy: dict[str, Decimal | None]) -> str:
    text = f"{HEAD}policy:\n{policy}fairness: []  # none yet\n"
    changed = write_policy(text, fidelity, privacy)
    assert changed.startswith(f"{HEAD}policy:\n")
    assert changed.endswith("fairness: []  # none yet\n")
    return changed.removeprefix(f"{HEAD}policy:\n").removesuffix("fairness: []  # none yet\n")


def test_a_number_in_one_line() -> None:
    """The number alone is replaced."""
    assert (
        _written("  fidelity: {delta: 0.9}  # close\n", {"delta": D("0.85")}, {})
        == "  fidelity: {delta: 0.85}  # close\n"
    )


def test_a_key_is_added_and_taken_away_in_one_line() -> None:
    """Commas come and go with the keys."""
    before = "  fidelity: {delta: 0.9}  # close\n  privacy: { beta: 0.7, lift: 2 } # most\n"
    added = _written(before, {"rates": D("0.99")}, {"odds": D(9)})
    assert (
        added
        == "  fidelity: {delta: 0.9, rates: 0.99}  # close\n  privacy: { beta: 0.7, lift: 2, odds: 9 } # most\n"
    )
    taken = _written(before, {}, {"beta": None})
    assert taken == "  fidelity: {delta: 0.9}  # close\n  privacy: { lift: 2 } # most\n"
    assert _written(before, {}, {"lift": None}).endswith("privacy: { beta: 0.7 } # most\n")


def test_a_mapping_over_several_lines() -> None:
    """A new key stands in a line of its own, below the last; one that goes leaves its comments behind."""
    before = "  fidelity:\n    delta: 0.9   # close\n  privacy:\n    beta: 0.7  # most\n    # about lift\n    lift: 2\n  decimals: 4\n"
    added = _written(before, {"rates": D("0.99")}, {"odds": D(9)})
    assert "    delta: 0.9   # close\n    rates: 0.99\n" in added
    assert "    lift: 2\n    odds: 9\n  decimals: 4\n" in added
    taken = _written(before, {}, {"beta": None})
    assert "    # most\n    # about lift\n    lift: 2\n" in taken


def test_ceilings_come_and_go_as_a_whole() -> None:
    """Where there were none, a section is added; where none is left, it goes."""
    before = "  fidelity: {delta: 0.9}\n  decimals: 4  # as printed\n"
    added = _written(before, {}, {"beta": D("0.7"), "lift": None, "odds": None})
    assert added == "  fidelity: {delta: 0.9}\n  decimals: 4  # as printed\n  privacy: {beta: 0.7}\n"
    assert _written(added, {}, {"beta": None, "lift": None, "odds": None}) == before


def test_gamma_gives_way_to_beta() -> None:
    """They say the same, so only one of them can stand there."""
    before = "  fidelity: {delta: 0.9}\n  privacy: {gamma: 0.3}\n"
    assert "privacy: {beta: 0.7}" in _written(before, {}, {"beta": D("0.7"), "gamma": None})


def test_best_rates_are_replaced() -> None:
    """A word gives way to a number."""
    assert "rates: 0.99}" in _written("  fidelity: {delta: 0.9, rates: best}\n", {"rates": D("0.99")}, {})


def test_what_cannot_be_kept_is_refused() -> None:
    """A comment in the middle of what has to go is not lost: the text is left alone, or the comment stays."""
    before = "  fidelity: {delta: 0.9}\n  privacy: {beta: 0.7, # why\n    lift: 2}\n"
    assert "# why\n" in _written(before, {}, {"beta": None})
    with pytest.raises(UsageError, match="by hand"):
        write_policy("atreport: 1\npolicy: {fidelity: 3}\n", {"delta": D(1)}, {})


@pytest.mark.parametrize("spec", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_spec_of_the_house(spec: object) -> None:
    """A number can be written into each of our specs, and lines that do not say it stay as they are."""
    text = spec.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    fidelity = parse_document(text, ROOT).root["policy"]["fidelity"]
    key = next((key for key in ("delta", "alpha") if key in fidelity), None)
    if key is None:
        return
    changed = write_policy(text, {key: D("0.77")}, {"beta": D("0.93"), "lift": None, "odds": D("40")})
    new = parse_document(changed, ROOT).root["policy"]
    assert (new["fidelity"][key], new["privacy"]["beta"], new["privacy"]["odds"]) == ("0.77", "0.93", "40")
    assert len(set(text.splitlines()) - set(changed.splitlines())) <= 3
