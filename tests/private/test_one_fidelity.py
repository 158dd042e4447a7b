"""Drafts at one fidelity: rates are kept exactly, ceilings as printed, and rounding of even groups costs next to nothing."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atreport.compose import compose_report
from atreport.core.cells import arrange
from atreport.core.certify import Announcement
from atreport.core.inference import UNBOUNDED, by_group
from atreport.errors import PolicyCannotBeMet, Refused
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import _in_steps, draft_announcement, refuse_above_ceiling
from atreport.private.prepare import prepare_spec
from atreport.spec.load import parse_spec
from atreport.text.numbers import shortest_decimal
from tests.example import binary_table, example_spec, process_with, random_table
from tests.many_outcomes import table_of
from tests.thoroughness import examples

ROOT = Path(__file__).parents[2]
NO_CEILING = ("  privacy: {beta: 0.7}\n", "")


def hard_table(seed: int, groups: int = 8, values: int = 4) -> DecisionTable:
    """Small groups in which everybody of a value gets the same outcome: where rounding costs most."""
    rng = np.random.default_rng(seed)
    codes = np.array([(g, v, 0) for g in range(groups) for v in range(values)], dtype=np.int32)
    cells, _ = arrange(process_with(groups, values), codes, rng.integers(1, 40, len(codes)))
    return binary_table(cells, rng.choice([0.0, 1.0], len(cells)))


@settings(max_examples=examples(200, part=10), deadline=None)
@given(
    st.integers(0, 2**32), st.sampled_from(["0.98", "0.995", "1"]), st.sampled_from([2, 3, 4]), st.booleans()
)
def test_rates_hold_for_every_union_of_groups(seed: int, rates: str, decimals: int, hard: bool) -> None:
    """With counts and with printed shares, the rate of every union of groups is within what is published, exactly."""
    table = (
        hard_table(seed, 3)
        if hard
        else random_table(np.random.default_rng(seed), groups=3, values=3, others=2)
    )
    spec = example_spec(
        NO_CEILING,
        ("{delta: 0.9}", f"{{delta: 0.9, rates: {rates}}}"),
        ("decimals: 4", f"decimals: {decimals}"),
    )
    announcement = draft_announcement(spec, table).announcement
    assert announcement.rule.rates is not None
    move = 1 - Fraction(announcement.rule.rates)
    assert move == max(1 - Fraction(rates), Fraction(1, 2 * 10**decimals))
    truth = [shortest_decimal(d) for d in table.favourable.tolist()]
    announced = [Fraction(int(a), announcement.scale) for a in announcement.announced]
    assert all(abs(a - d) <= Fraction(1, 10) for a, d in zip(announced, truth, strict=True))
    labels = sorted(set(table.cells.group.tolist()))
    for weights in (table.cells.population.tolist(), announcement.shares.tolist()):
        for number in range(1, len(labels) + 1):
            for union in combinations(labels, number):
                members = [k for k, group in enumerate(table.cells.group.tolist()) if group in union]
                change = sum(weights[k] * (announced[k] - truth[k]) for k in members)
                assert abs(change) <= move * sum(weights[k] for k in members)


@pytest.mark.parametrize("rates", ["", ", rates: 1"])
@pytest.mark.parametrize("decimals", [2, 3])
def test_rounding_of_even_groups_costs_at_most_a_printed_step(decimals: int, rates: str) -> None:
    """Measured on these groups, also at two decimals and with rates kept. No proof: of uneven groups it can be many steps."""
    spec = example_spec(
        NO_CEILING, ("{delta: 0.9}", f"{{delta: 0.9{rates}}}"), ("decimals: 4", f"decimals: {decimals}")
    )
    for seed in range(5):
        draft = draft_announcement(spec, hard_table(seed, 20))
        assert (draft.announcement.group_beta <= draft.solution.optimum * 10**decimals + 1 + 1e-7).all()


def test_rates_hold_whatever_guarded_counts_are() -> None:
    """Where counts are rounded, every probability of the group is as close as its rate: then no count can break it."""
    spec = example_spec(
        NO_CEILING,
        ("{delta: 0.9}", "{delta: 0.9, rates: 0.98}"),
        ("decimals: 4", "decimals: 4\n  small_cells: round"),
        ("population: shares", "population: counts"),
    )
    prepared = prepare_spec(spec)
    change = np.abs(prepared.announcement.announced / 10_000 - prepared.table.favourable)
    assert change.max() <= 0.02 + 1e-12
    assert change.max() > 0.01  # and the room is used


def test_calibrated_states_its_grid_and_optimal_what_is_made_least() -> None:
    """The policy of a report says how the announced rule was chosen."""
    for edits, stated in (
        ((), {"minimise": ["beta", "lift", "odds"]}),
        ((("decimals: 4", "minimise: [odds, beta]"),), {"minimise": ["odds", "beta"]}),
        ((("decimals: 4", "mechanism: calibrated"),), {"grid": "wide"}),
    ):
        prepared = prepare_spec(example_spec(*edits))
        policy = compose_report(prepared.announcement, prepared.public).policy.as_json()
        assert {key: policy[key] for key in ("minimise", "grid") if key in policy} == stated


@pytest.mark.parametrize("name", ["credit_card", "berkeley_admissions", "housing_records"])
def test_beta_alone_announces_what_version_0_1_did(name: str) -> None:
    """`minimise: [beta]`, and no rates kept, gives the very probabilities that version 0.1.0 announced."""
    path = ROOT / "specs" / f"{name}.yaml"
    text = path.read_text(encoding="utf-8").replace("policy:\n", "policy:\n  minimise: [beta]\n", 1)
    text = text.replace(", rates: 0.99}", "}")
    announcement = prepare_spec(parse_spec(text, path)).announcement
    old = json.loads((ROOT / "tests" / "data" / "v0.1.0" / name / "report.json").read_text(encoding="utf-8"))
    favourable = announcement.cells.process.outcome.favourable
    stated = [round(cell["announced"][favourable] * announcement.scale) for cell in old["cells"]]
    assert announcement.announced.tolist() == stated


@pytest.mark.parametrize(
    ("ceiling", "figure", "most"),
    [("{lift: 4.2}", "lift", 4.2), ("{odds: 12}", "odds", 12), ("{beta: 0.7, odds: 9}", "odds", 9)],
)
def test_ceilings_are_kept_as_printed(ceiling: str, figure: str, most: float) -> None:
    """Where some rule keeps the ceilings, the announced one does, though the least β would not."""
    spec = example_spec(("{beta: 0.7}", ceiling))
    announcement = draft_announcement(spec, read_table(spec)).announcement
    refuse_above_ceiling(spec, announcement, read_table(spec))
    assert float(getattr(announcement, figure)) <= most


def test_ceiling_of_one_value() -> None:
    """A single value's ceiling is kept where it can be, at the price of β; and refused by name where it cannot."""
    with_ceiling = ('">200k"]}', '">200k"], ceilings: {">200k": 0.62}}')
    spec = example_spec(with_ceiling, NO_CEILING)
    announcement = draft_announcement(spec, read_table(spec)).announcement
    refuse_above_ceiling(spec, announcement, read_table(spec))
    (income,) = announcement.attributes
    codes = announcement.cells.column("income")[income.protected.order[income.protected.starts]]
    assert income.after[codes == 2].max() <= 6200
    assert announcement.group_beta[0] > 6750
    spec = example_spec(('">200k"]}', '">200k"], ceilings: {">200k": 0.2}}'))
    with pytest.raises(Refused, match=r"income, ceilings: \{>200k: 0.2\}\) in 2 of 2 groups"):
        refuse_above_ceiling(spec, draft_announcement(spec, read_table(spec)).announcement, read_table(spec))


def test_refusal_names_every_ceiling() -> None:
    """Each ceiling that is not kept is named, and in how many groups."""
    spec = example_spec(("{beta: 0.7}", "{gamma: 0.5, lift: 2, odds: 1.5}"))
    announcement = draft_announcement(spec, read_table(spec)).announcement
    with pytest.raises(Refused) as refused:
        refuse_above_ceiling(spec, announcement, read_table(spec))
    for words in ("(gamma: 0.5) in 2 of 2", "(lift: 2) in 2 of 2", "(odds: 1.5) in 2 of 2"):
        assert words in str(refused.value)


def test_bounds_of_cells_are_published_exactly_or_not_at_all() -> None:
    """A bound of up to nine decimals becomes whole steps, in the order of the cells; one of ten is refused, not rounded."""
    assert _in_steps(np.array([0.25, 0.1, 0.123456789, 1.0, 0.1])).tolist() == [
        250_000_000,
        100_000_000,
        123_456_789,
        1_000_000_000,
        100_000_000,
    ]
    with pytest.raises(PolicyCannotBeMet, match="more than 9 decimals"):
        _in_steps(np.array([0.25, 0.1234567891]))
    with pytest.raises(PolicyCannotBeMet, match="more than 9 decimals"):
        _in_steps(np.array([0.25, 0.0000000005]))  # half a step


POLICIES = (
    "{delta: 0.9}",
    "{delta: 0.8}",
    "{delta: 0.9, rates: 0.99}",
    "{delta: 0.9, rates: 1}",
    "{delta: 0.9, rates: best}",
    "{alpha: 0.8}",
    "{delta: 1}",
)
CEILINGS = ("", "  privacy: {odds: 12}\n", "  privacy: {beta: 0.9, lift: 4}\n")


def two_orders(
    table: DecisionTable, fidelity: str, ceiling: str, decimals: int
) -> tuple[Announcement, Announcement]:
    """What is announced by default, where odds come third, and without them."""
    edits = (
        ("  privacy: {beta: 0.7}\n", ceiling),
        ("{delta: 0.9}", fidelity),
        ("decimals: 4", f"decimals: {decimals}"),
    )
    without = (*edits, (f"  decimals: {decimals}", f"  decimals: {decimals}\n  minimise: [beta, lift]"))
    by_default, first = (draft_announcement(example_spec(*each), table) for each in (edits, without))
    return by_default.announcement, first.announcement


def assert_costs_nothing(by_default: Announcement, without: Announcement) -> bool:
    """No confidence and no lift of any attribute is above that without odds, as printed; whether odds are below."""
    for now, was in zip(by_default.attributes, without.attributes, strict=True):
        for name in ("after", "lift"):
            figures = (by_group(each.protected, getattr(each, name)) for each in (now, was))
            assert np.less_equal(*figures).all()
    assert (by_default.group_odds <= without.group_odds).all()
    return bool((by_default.group_odds < without.group_odds).any())


@settings(max_examples=examples(100, part=10), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(POLICIES), st.sampled_from(CEILINGS), st.sampled_from([2, 4]))
def test_least_odds_third_cost_nothing(seed: int, fidelity: str, ceiling: str, decimals: int) -> None:
    """The default makes odds least where that moves no printed confidence and no printed lift, of any group."""
    if "rates: best" in fidelity and not ceiling:
        ceiling = CEILINGS[2]
    rng = np.random.default_rng(seed)
    table = hard_table(seed, 3) if seed % 3 else random_table(rng, groups=3, values=3, others=2)
    assert_costs_nothing(*two_orders(table, fidelity, ceiling, decimals))


def test_least_odds_third_rule_out_less() -> None:
    """Of many groups with several cells to a value, fewer leave something ruled out."""
    lower = unbounded = still = 0
    for seed in range(12):
        table = random_table(np.random.default_rng(seed), groups=6, values=3, others=3)
        by_default, without = two_orders(table, "{delta: 0.9}", "", 4)
        lower += assert_costs_nothing(by_default, without)
        unbounded += int((without.group_odds == UNBOUNDED).sum())
        still += int((by_default.group_odds == UNBOUNDED).sum())
    assert lower >= 10
    assert still * 3 <= unbounded * 2


@pytest.mark.parametrize(
    ("outcomes", "sensitive"), [(3, 1), (2, 2), pytest.param(3, 2, marks=pytest.mark.slow)]
)
def test_least_odds_third_cost_nothing_without_a_closed_form(outcomes: int, sensitive: int) -> None:
    """With more outcomes, or several sensitive attributes, of which each keeps its own confidence and lift."""
    fewer = 0
    for seed in range(6):
        table = table_of(np.random.default_rng(seed), outcomes, sensitive, groups=2)
        fewer += assert_costs_nothing(*two_orders(table, "{delta: 0.9}", "", 4))
    assert fewer
