"""An interval that ends before it begins, or does not hold its own figure, is refused: in build and in both verifiers."""

import json
import runpy
import typing
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from pydantic import AfterValidator, ValidationError
from pydantic.fields import FieldInfo

from atreport import build
from atreport.errors import EXIT_COULD_NOT_RUN, Unexpected
from atreport.report import explanation, fairness, figures, form, model, people, rule
from atreport.report.fairness import GroupRate, UnknownRange
from atreport.report.figures import Enclosed, ReportModel, Sampling, printed_interval
from atreport.report.form import Category, People, Significance
from atreport.report.model import Estimation, Report
from atreport.report.people import Guarded, PublishedCell
from atreport.report.reader import parse_json, validate
from atreport.report.writer import report_json
from atreport.resources import templates_folder
from tests.assessing import CASES, report_case
from tests.example import write_example
from tests.finding import walk

MODULES: tuple[ModuleType, ...] = (explanation, fairness, figures, form, model, people, rule)
PARTS = {
    part
    for module in MODULES
    for part in vars(module).values()
    if isinstance(part, type) and issubclass(part, ReportModel)
}

ABOUT_OTHER_FIGURES = {Sampling, UnknownRange}
"""Of the rate in the long run, and of what the people of unknown group could make of a figure."""

OTHER_PAIRS = {
    (Estimation, "excluded_between"),
    (Guarded, "people"),
    (PublishedCell, "bounds"),
    (Category, "unknown"),
}
"""Intervals under other names, which stand beside no figure of theirs."""


def pairs_of_numbers() -> Iterator[tuple[type[ReportModel], str, FieldInfo]]:
    """Every field of a report that is two numbers."""
    for part in PARTS:
        hints = typing.get_type_hints(part, include_extras=True)
        for name, field in part.model_fields.items():
            hint = str(hints[name])
            numbers = "tuple[" in hint and ("Decimal" in hint or "int" in hint)
            if numbers and "tuple[str" not in hint and "..." not in hint:
                yield part, name, field


def checks(hint: Any) -> list[Any]:
    """What a type is checked by."""
    found = [each.func for each in getattr(hint, "__metadata__", ()) if isinstance(each, AfterValidator)]
    return found + [each for part in get_args(hint) for each in checks(part)]


def test_every_pair_of_numbers_is_an_interval() -> None:
    """A new interval that is typed as two numbers could end before it begins, and nobody would notice."""
    found = {(part, name) for part, name, _ in pairs_of_numbers()}
    assert {name for _, name in found} >= {"interval", "unknown", "people", "bounds", "excluded_between"}
    for part, name in found:
        hint = typing.get_type_hints(part, include_extras=True)[name]
        assert figures._in_order in checks(hint), (part, name)
        assert name == "interval" or (part, name) in OTHER_PAIRS, (part, name)


def test_every_interval_holds_its_figure_or_says_why_not() -> None:
    """A new part with an interval is enclosed, or named above with its reason."""
    with_interval = {part for part in PARTS if "interval" in part.model_fields}
    enclosed = {part for part in with_interval if issubclass(part, Enclosed)}
    assert with_interval - enclosed == ABOUT_OTHER_FIGURES
    assert all(part.enclosed in part.model_fields for part in enclosed)
    assert all("need not hold" in (part.__doc__ or "") for part in ABOUT_OTHER_FIGURES)


WRONG: dict[str, Callable[[], ReportModel]] = {
    "ends before it begins": lambda: GroupRate(
        group="a", value=Decimal("0.3"), interval=(Decimal("0.4"), Decimal("0.2"))
    ),
    "above": lambda: GroupRate(group="a", value=Decimal("0.5"), interval=(Decimal("0.2"), Decimal("0.4"))),
    "below": lambda: Significance(p=Decimal("0.1"), interval=(Decimal("0.2"), Decimal("0.4"))),
    "people": lambda: People(published=7, interval=(8, 9)),
    "chance": lambda: Sampling(interval=(Decimal("0.4"), Decimal("0.2")), level=Decimal("0.95"), method="m"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_contradicts_itself_cannot_be_made(name: str) -> None:
    """Whatever calculated it."""
    with pytest.raises(ValidationError, match="interval"):
        WRONG[name]()


@pytest.mark.parametrize("ends", ["turned around", "elsewhere"])
def test_a_report_that_contradicts_itself_is_not_published(
    ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build ends with exit code 2 and leaves nothing; the message says that this is a bug, and what to do."""

    def wrong(ranges: Any, decimals: int) -> tuple[Decimal, Decimal]:
        low, high = printed_interval(ranges, decimals)
        return (high, low) if ends == "turned around" else (high + 1, high + 1)

    monkeypatch.setattr("atreport.compose.fairness.printed_interval", wrong)
    with pytest.raises(Unexpected, match=r"Nothing was published\. Please report it") as caught:
        build(write_example(tmp_path), tmp_path / "out", ["json"])
    assert caught.value.exit_code == EXIT_COULD_NOT_RUN
    assert not (tmp_path / "out").exists()


def test_a_figure_at_an_end_and_none_at_all_are_fine() -> None:
    """A value may be an end of its interval, the interval a point, and either may be left out."""
    GroupRate(group="a", value=Decimal("0.2"), interval=(Decimal("0.2"), Decimal("0.2")))
    People(published=None, interval=(0, 3))


def spoiled(document: Any, tried: set[tuple[str | None, ...]]) -> Iterator[str]:
    """Turns one interval at a time around, or moves it away from its figure: of each kind that was not tried yet one."""
    for place, part in walk(document):
        if not isinstance(part, dict) or not isinstance(part.get("interval"), list):
            continue
        low, high = part["interval"]
        figure = next((k for k in ("value", "precision", "p", "published") if part.get(k) is not None), None)
        changes = {
            "turned around": [high, low] if low < high else None,
            "below its figure": [0, 0] if figure is not None and part[figure] > 0 else None,
        }
        for what, ends in changes.items():
            kind = (*(step for step in place if isinstance(step, str)), figure, what)
            if ends is not None and kind not in tried:
                tried.add(kind)
                part["interval"] = ends
                yield f"{place} {what}"
                part["interval"] = [low, high]


def test_both_verifiers_find_every_interval_that_is_spoiled() -> None:
    """Of every kind of interval in a report: one that ends before it begins, or misses its figure, is a finding of both."""
    shipped = runpy.run_path(str(templates_folder() / "verify.py"))
    tried: set[tuple[str | None, ...]] = set()
    for name in CASES:
        written = report_json(report_case(name))
        right = shipped["Report"](shipped["read_json"](written))
        right.check_intervals()
        assert not right.findings
        document = json.loads(written)
        for what in spoiled(document, tried):
            content = json.dumps(document).encode()
            found, why = validate(parse_json(content, name), Report)
            assert found is None, (name, what)
            assert any("interval" in each for each in why), (name, what)
            checked = shipped["Report"](shipped["read_json"](content))
            checked.check_intervals()
            assert checked.findings, (name, what)
            assert all("interval" in each for each in checked.findings), (name, what)
    assert {kind[0] for kind in tried} >= {"fairness", "influence", "rules", "form"}
