"""The second door: a report holds no exact number of people where that is withheld, rounded or suppressed."""

import json
import random
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from atreport.errors import Refused
from atreport.private.prepare import prepare_spec
from atreport.report.writer import report_json
from atreport.spec.load import parse_spec
from tests.assessing import CASES, prepared_case, published, report_case, report_of
from tests.example import example_spec
from tests.finding import walk
from tests.private.test_protect import SPEC as AGES
from tests.random_specs import random_spec

NOT_PEOPLE = re.compile(
    r"/(policy/(decimals|share_decimals|bound_decimals|small_cells/(under|protection|suppressed))"
    r"|privacy/unprotectable/groups|privacy/groups/\d+/cells|rules/\d+/depth|influence/\d+/estimate/orders"
    r"|(measures|sections)/.*|notes/\d+/arguments/(decimals|under|apart|suppressed|groups|unprotected|protected|known"
    r"|without_limit|nobody|joined|nobody_in_first|joined_in_first))"
)
"""Where whole numbers stand that count no people."""


def may_count_people(document: Any) -> list[str]:
    """Every place of a document at which there is a whole number that may be one of people."""
    places = (
        "".join(f"/{step}" for step in place)
        for place, part in walk(document)
        if isinstance(part, int) and not isinstance(part, bool)
    )
    return [place for place in places if not NOT_PEOPLE.fullmatch(place)]


@pytest.mark.parametrize("seed", range(200, 212))
def test_a_withheld_population_is_nowhere(seed: int) -> None:
    """No number or share of people in any part of the report, whatever it asks for; nor the digits of one."""
    document = random_spec(random.Random(seed))
    document["disclosure"]["population"] = "withheld"
    rng = np.random.default_rng(seed)
    for row in document["source"]["table"]:
        row["population"] = int(rng.integers(10**8, 10**9))  # digits that nothing else has
    try:
        report = report_of(parse_spec(json.dumps(document, ensure_ascii=False)))
    except Refused:
        pytest.skip("an honest refusal")
    written = json.loads(report_json(report))
    assert not {"population", "share", "guarded", "people", "known_sums", "share_decimals", "sampling"} & {
        key
        for part in ("cells", "fairness", "influence", "rules")
        for place, _ in walk(written[part])
        for key in place[-1:]
    }
    assert may_count_people(written) == []
    text = report_json(report).decode()
    for row in document["source"]["table"]:
        number = str(row["population"])
        assert number not in text
        assert f"{int(number):,}" not in text


@pytest.mark.parametrize("name", CASES)
def test_numbers_of_people_stand_only_where_counts_are_published(name: str) -> None:
    """In the report of every case: whole numbers that may count people occur with published counts only."""
    report = report_case(name)
    written = json.loads(report_json(report))
    places = may_count_people(written)
    if report.policy.population != "counts":
        assert places == []
        return
    assert any(re.fullmatch(r"/cells/\d+/population", place) for place in places) or all(
        cell.is_suppressed for cell in report.cells
    )
    exact = prepared_case(name).raw_table.cells.population
    if not report.policy.small_cells.is_exact:
        # of rates, and of those of unknown group, exact numbers are given with exact counts only
        assert not any(place.startswith("/fairness") for place in places)
        small = [cell for cell, people in zip(report.cells, exact, strict=True) if people < 10]
        if report.policy.small_cells.policy == "suppress":
            assert all(cell.population is None for cell in small)
        else:
            assert all(cell.population == 10 for cell in small)


def test_how_values_may_be_joined_is_not_published() -> None:
    """The hierarchies of the spec are no part of the report; the values that were announced are."""
    prepared = prepare_spec(parse_spec(AGES))
    report = published(prepared)
    assert any(attribute.hierarchy for attribute in prepared.spec.process.attributes)
    assert not any(attribute.hierarchy for attribute in report.process.attributes)
    assert b"hierarchy" not in report_json(report)
    merged = report.privacy.unprotectable.merged
    assert merged
    assert all(each.value in report.process.attribute(each.attribute).values for each in merged)


def test_sizes_are_published_as_the_spec_says() -> None:
    """Shares, counts or nothing, and never two of them."""
    for population, key in (("shares", "share"), ("counts", "population"), ("withheld", None)):
        report = report_of(example_spec(("population: shares", f"population: {population}")))
        stated = {
            name
            for cell in report.cells
            for name in ("share", "population")
            if getattr(cell, name) is not None
        }
        assert stated == ({key} if key else set())
        assert (report.policy.share_decimals is not None) == (population == "shares")


def test_shares_are_rounded_and_nearly_make_one() -> None:
    """Each to the decimals that are stated."""
    report = report_of(example_spec())
    shares = [cell.share for cell in report.cells if cell.share is not None]
    assert len(shares) == 6
    step = Decimal(1).scaleb(-(report.policy.share_decimals or 0))
    assert abs(sum(shares, Decimal(0)) - 1) <= 6 * step
    for share, people in zip(shares, (12, 5, 3, 9, 7, 4), strict=True):
        assert abs(share - Decimal(people) / 40) <= step


def test_guarded_cells_say_what_is_left_open() -> None:
    """A rounded count has a range; a suppressed one has a range and what it is counted as; an exact one has neither."""
    edits = (("population: shares", "population: counts"), ("  privacy: {beta: 0.7}\n", ""))
    small = "decimals: 4\n  small_cells: {policy: POLICY, under: 5}"
    rounded = report_of(example_spec(*edits, ("decimals: 4", small.replace("POLICY", "round"))))
    for cell, people in zip(rounded.cells, (12, 5, 3, 9, 7, 4), strict=True):
        assert cell.population is not None
        assert cell.population % 5 == 0
        assert cell.guarded is not None
        assert cell.guarded.counted_as is None
        assert cell.guarded.people is not None
        assert cell.guarded.people[0] <= people <= cell.guarded.people[1]
    hidden = report_of(example_spec(*edits, ("decimals: 4", small.replace("POLICY", "suppress"))))
    for cell, people in zip(hidden.cells, (12, 5, 3, 9, 7, 4), strict=True):
        assert (cell.population is None) == cell.is_suppressed == (cell.guarded is not None)
        if cell.guarded is not None:
            assert cell.guarded.people is not None
            assert cell.guarded.people[0] <= people <= cell.guarded.people[1]
            assert cell.size == cell.guarded.counted_as
    exact = report_of(example_spec(*edits))
    assert all(cell.guarded is None for cell in exact.cells)


def test_the_ceiling_is_published_as_it_was_written() -> None:
    """As a confidence or as an uncertainty; null where there is none."""
    assert report_of(example_spec()).policy.privacy == report_case("credit_card").policy.privacy
    gamma = report_of(example_spec(("{beta: 0.7}", "{gamma: 0.35}"))).policy.privacy
    assert gamma is not None
    assert (gamma.beta, gamma.gamma) == (None, Decimal("0.35"))
    without = report_of(example_spec(("  privacy: {beta: 0.7}\n", "")))
    assert without.policy.privacy is None
    assert json.loads(report_json(without))["policy"]["privacy"] is None
