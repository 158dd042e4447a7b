"""What can be inferred is recalculated by both verifiers, however the population is published; forged figures are found."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from atreport.errors import NotAReport
from atreport.report.reader import read_report
from atreport.report.writer import json_bytes, report_json
from atreport.verification.recalculation import privacy_findings, read_again
from tests.assessing import report_of
from tests.example import example_spec

NO_CEILING = ("  privacy: {beta: 0.7}\n", "")
GUARD = ("decimals: 4", "decimals: 4\n  small_cells: {policy: round, under: 5}")
COUNTS = ("population: shares", "population: counts")
WITHHELD = ("population: shares", "population: withheld")


def document(*edits: tuple[str, str]) -> dict[str, Any]:
    """The report.json of the example, changed."""
    found: dict[str, Any] = json.loads(report_json(report_of(example_spec(*edits))))
    return found


def findings(stated: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What the shipped verifier finds of the promises, and what this program does."""
    content = json_bytes(stated)
    shipped = [f for f in read_again(content).findings if not f.startswith("notes")]
    try:
        return shipped, list(privacy_findings(read_report(content, "report.json")))
    except (ValueError, NotAReport) as error:
        return shipped, [str(error)]


def test_honest_reports_pass() -> None:
    """However the population is published, nothing is found where nothing was forged."""
    for edits in ((), (COUNTS,), (WITHHELD,), (GUARD, NO_CEILING), (GUARD, NO_CEILING, COUNTS)):
        assert findings(document(*edits)) == ([], [])


@pytest.mark.parametrize("guard", [(), (GUARD, NO_CEILING)])
def test_every_figure_is_recalculated_from_counts(guard: tuple[tuple[str, str], ...]) -> None:
    """Each figure a printed step lower, left out or null, alone, is found by both verifiers; also where counts are rounded."""
    for path, forged in forged_promises(document(COUNTS, *guard)):
        shipped, own = findings(forged)
        assert shipped, path
        assert own, path


def forged_promises(honest: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Reports in which one figure of a promise is lower by a printed step, left out or null; and where it stands."""
    privacy = honest["privacy"]
    paths: list[tuple[Any, ...]] = [
        ("groups", g, key) for g in range(len(privacy["groups"])) for key in ("lift", "odds")
    ]
    for v in range(len(privacy["attributes"][0]["values"])):
        place = ("attributes", 0, "values", v)
        paths += [(*place, key) for key in ("before", "after", "lift")]
        paths += [(*place, "rise", key) for key in ("before", "after")]
    for path in paths:
        for edit in (_lower, _left_out, _null):
            forged = _edited(honest, path, edit)
            if forged != honest:  # it was null before
                yield path, forged


def test_odds_need_no_population() -> None:
    """Where the population is withheld, the odds factors still follow from the rule alone."""
    honest = document(WITHHELD)
    for value in (8.9999, None):
        forged = json.loads(json.dumps(honest))
        forged["privacy"]["groups"][1]["odds"] = value
        shipped, own = findings(forged)
        assert shipped
        assert own


def test_ceilings_are_held_against_the_figures() -> None:
    """A ceiling that the stated figures do not keep is found, for the report and for single values."""
    honest = document()
    for ceiling in ({"beta": 0.67}, {"lift": 4.4}, {"odds": 44}, {"gamma": 0.4}):
        forged = json.loads(json.dumps(honest))
        forged["policy"]["privacy"] = ceiling
        assert any("ceiling" in finding for finding in findings(forged)[0]), ceiling
    forged = json.loads(json.dumps(honest))
    forged["process"]["attributes"][1]["ceilings"] = {">200k": 0.6}
    assert any("ceiling" in finding for finding in findings(forged)[0])


def test_a_report_cannot_leave_its_promises_out() -> None:
    """Only version 0.1 stated none of them."""
    forged = document()
    for part in (forged["privacy"], *forged["privacy"]["groups"]):
        del part["lift"], part["odds"]
    del forged["privacy"]["attributes"]
    assert any("left out" in finding for finding in findings(forged)[0])


def _lower(part: Any, key: Any) -> None:
    part[key] = 1000 if part[key] is None else round(part[key] - 0.0001, 4)


def _left_out(part: Any, key: Any) -> None:
    del part[key]


def _null(part: Any, key: Any) -> None:
    part[key] = None


def _edited(
    honest: dict[str, Any], path: tuple[Any, ...], edit: Callable[[Any, Any], None]
) -> dict[str, Any]:
    forged: dict[str, Any] = json.loads(json.dumps(honest))
    part: Any = forged["privacy"]
    for key in path[:-1]:
        part = part[key]
    edit(part, path[-1])
    return forged
