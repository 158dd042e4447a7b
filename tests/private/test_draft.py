"""The other direction: the least distortion that keeps the ceiling."""

import contextlib
from decimal import Decimal

import numpy as np
import pytest

from atreport.core.band import Closeness, rounding
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement, draft_at, refuse_above_ceiling
from tests.example import example_spec, random_table

OBJECTIVE = ("  decimals: 4", "  objective: fidelity\n  decimals: 4")


def _draft(beta: str, fidelity: str = "delta: 0.5"):
    spec = example_spec(("{beta: 0.7}", f"{{beta: {beta}}}"), ("delta: 0.9", fidelity), OBJECTIVE)
    return spec, draft_announcement(spec, read_table(spec))


@pytest.mark.parametrize("beta", ["0.61", "0.7", "0.9", "1"])
@pytest.mark.parametrize("kind", ["delta", "alpha"])
def test_returned_fidelity_is_the_best_that_keeps_the_ceiling(beta: str, kind: str) -> None:
    """The ceiling holds at the returned fidelity, and a printed step closer to the truth it would not."""
    _, draft = _draft(beta, f"{kind}: 0.01")
    fidelity = draft.announcement.fidelity
    assert isinstance(fidelity, Closeness)
    found = getattr(fidelity, kind)
    if draft.announcement.beta > Decimal(beta):
        assert found == Decimal("0.01")  # not even the floor keeps it: it is refused later
        return
    if found < 1 and fidelity != rounding(4, 2):
        closer = example_spec(
            ("delta: 0.9", f"{kind}: {found + Decimal('0.0001')}"), ("  privacy: {beta: 0.7}\n", "")
        )
        assert draft_announcement(closer, read_table(closer)).announcement.beta > Decimal(beta)


def test_private_groups_are_announced_unchanged() -> None:
    """At β = 0.72 the men's rule is private enough as it is; only the women's is changed."""
    _, draft = _draft("0.72")
    announced = draft.announcement.announced / draft.announcement.scale
    assert announced[3:].tolist() == [0, 0.5, 1]
    assert announced[:3].tolist() != [0, 0, 1]
    assert draft.announcement.beta <= Decimal("0.72")


def test_ceiling_of_one_changes_nothing() -> None:
    """Who asks for no privacy gets the truth, rounded, at the fidelity of rounding."""
    _, draft = _draft("1")
    assert draft.announcement.fidelity == rounding(4, 2)
    np.testing.assert_array_equal(
        draft.announcement.announced / draft.announcement.scale, [0, 0, 1, 0, 0.5, 1]
    )


def test_floor_is_respected() -> None:
    """If the ceiling needs more distortion than the spec accepts, the report is refused."""
    spec, draft = _draft("0.61", "delta: 0.95")
    with pytest.raises(Refused):
        refuse_above_ceiling(spec, draft.announcement, read_table(spec))


def _check_target_direction(seed: int) -> None:
    """The ceiling holds at the returned δ, and at one printed step more it would not."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, groups=2, values=3)
    ceiling = Decimal(int(rng.integers(4, 10))) / 10
    spec = example_spec(
        ("{beta: 0.7}", f"{{beta: {ceiling}}}"), ("delta: 0.9", "delta: 0"), ("decimals: 4", "decimals: 3")
    )
    spec = spec.model_copy(update={"policy": spec.policy.model_copy(update={"objective": "fidelity"})})
    announcement = draft_announcement(spec, table).announcement
    assert isinstance(announcement.fidelity, Closeness)
    found = announcement.fidelity.delta
    assert found is not None
    if announcement.beta > ceiling:
        assert found == 0  # the population alone gives more away
        return
    if announcement.fidelity != rounding(3, 2):
        closer = Closeness(delta=found + Decimal("0.001"))
        # perhaps nothing that close to the truth could be printed
        with contextlib.suppress(PolicyCannotBeMet):
            assert draft_at(spec, table, closer, near=True).announcement.beta > ceiling


@pytest.mark.parametrize("batch", range(5))
def test_target_direction_on_random_tables(batch: int) -> None:
    """A quick slice: a hundred random tables."""
    for seed in range(20):
        _check_target_direction(20 * batch + seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_target_direction_on_many_random_tables(batch: int) -> None:
    """A thousand random tables."""
    for seed in range(100):
        _check_target_direction(1000 + 100 * batch + seed)
