"""Every sentence that the program makes is one that a person could have written: for none, one, two and many."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from atreport import build, verify
from atreport.api.check import check
from atreport.cli.check import conclusion, summary
from atreport.cli.verify import _conclusion
from atreport.errors import InvalidInput
from atreport.pages.documents import lay_out
from atreport.pages.layout import Layout
from atreport.pages.sections.fairness import verdict_summary
from atreport.pages.sections.summary import headlines
from atreport.report.model import Report
from atreport.spec.load import spec_of
from atreport.verification.findings import Check, Verification
from tests.assessing import SPECS, report_case
from tests.command_line import atreport
from tests.documents import make_report
from tests.sentences import faults, of_page, of_terminal, unended

GAP = {"measure": "statistical_parity", "groups": "gender"}


def spec(
    *,
    public: int = 1,
    sensitive: int = 1,
    people: tuple[int, ...] = (12, 5, 3, 9, 7, 4),
    approved: tuple[float, ...] = (0, 0, 1, 0, 0.5, 1),
    policy: dict[str, Any] | None = None,
    fairness: list[dict[str, Any]] | None = None,
    population: str = "shares",
    **sections: Any,
) -> dict[str, Any]:
    """A spec with so many attributes of each role, and two values each; labels are plain words."""
    names = [("gender", "region", "trade")[i] for i in range(public)] + [
        ("income", "debt", "health")[i] for i in range(sensitive)
    ]
    roles = ["public"] * public + ["sensitive"] * sensitive
    rows = list(product(("low", "high"), repeat=len(names)))
    return {
        "atreport": 1,
        "report": {"title": "Cards", "publisher": "Authority", "version": "1.0.0", "date": "2026-01-15"},
        "process": {
            "name": "Cards",
            "outcome": {"name": "decision", "values": ["denied", "approved"], "favourable": "approved"},
            "attributes": [
                {"name": name, "role": role, "values": ["low", "high"]}
                for name, role in zip(names, roles, strict=True)
            ],
        },
        "source": {
            "table": [
                {
                    **dict(zip(names, row, strict=True)),
                    "population": people[i % len(people)],
                    "approved": approved[i % len(approved)],
                }
                for i, row in enumerate(rows)
            ]
        },
        "policy": policy or {"fidelity": {"delta": 0.9}},
        "fairness": fairness or [],
        "disclosure": {"population": population},
        **sections,
    }  # fmt: skip


HIERARCHY = {"hierarchy": [{"any": ["low", "high"]}]}


def _merged(groups: int) -> dict[str, Any]:
    """A spec in which so many groups have one sensitive value only, and are left out or joined."""
    given = spec(public=2, policy={"fidelity": {"delta": 0.9}, "unprotectable": "suppress"}, fairness=[GAP])
    table = given["source"]["table"]
    given["source"]["table"] = [row for i, row in enumerate(table) if i % 2 == 0 or i // 2 >= groups]
    return given


VARIED: dict[str, dict[str, Any]] = {
    "plain": spec(fairness=[{**GAP, "threshold": 0.1}]),
    "nothing measured, nobody known": spec(public=0),
    "two measures, tie": spec(approved=(0.5,), fairness=[{**GAP, "threshold": 0.3}, {"measure": "p_percent_rule", "groups": "gender"}]),
    "two of each": spec(public=2, sensitive=2, fairness=[{"measure": "group_disparity", "groups": "region", "threshold": 0.9}]),
    "three of each": spec(public=3, sensitive=3, people=(40, 20), fairness=[{"measure": "conditional_statistical_parity", "groups": "gender", "given": "region", "threshold": 0.01}]),
    "exact": spec(policy={"fidelity": {"delta": 1}, "decimals": 1}, population="counts"),
    "truth rounded": spec(approved=(1 / 3, 0.25), policy={"fidelity": {"delta": 1}, "decimals": 3}, population="counts", fairness=[GAP]),
    "one person": spec(people=(1,), population="counts", policy={"fidelity": {"delta": 0.99}, "decimals": 2}, fairness=[GAP]),
    "alpha": spec(policy={"fidelity": {"alpha": 0.5}}, fairness=[GAP]),
    "rates": spec(policy={"fidelity": {"delta": 0.9, "rates": 0.99}}, fairness=[GAP]),
    "calibrated": spec(policy={"fidelity": {"delta": 0.9}, "mechanism": "calibrated"}),
    "odds first": spec(policy={"fidelity": {"delta": 0.9}, "minimise": ["odds", "beta", "lift"], "privacy": {"odds": 100, "lift": 9}}),
    "rounded": spec(policy={"fidelity": {"delta": 0.9}, "small_cells": {"policy": "round", "under": 5}}, population="counts", fairness=[GAP]),
    "suppressed": spec(public=2, people=(90, 3, 60, 70), policy={"fidelity": {"delta": 0.9}, "small_cells": {"policy": "suppress", "under": 5}}, population="counts", fairness=[GAP]),
    "withheld": spec(population="withheld", fairness=[GAP]),
    "one group left out": _merged(1),
    "two groups left out": _merged(2),
    "explained": spec(public=2, fairness=[GAP], transparency={"rules": {"tree": 1, "linear": True, "regions": 2}, "influence": {"shapley": True, "firm": True, "quantities": [{"title": "Low", "group": {"gender": "low"}}]}}),
    "from cases": spec(fairness=[{**GAP, "threshold": 0.1}], population="counts") | {},
}  # fmt: skip
VARIED["from cases"]["process"]["estimated_from"] = "records"
VARIED["unknown"] = spec(public=1, people=(20, 30), fairness=[GAP])
VARIED["unknown"]["process"]["attributes"][0]["unknown"] = "high"

QUICK = ("plain", "nothing measured, nobody known", "two measures, tie", "two of each", "exact", "one person", "one group left out")  # fmt: skip


@cache
def report_of(name: str) -> Report:
    """The report of a varied spec."""
    return make_report(spec_of(VARIED[name])).report


def sentences_of(report: Report) -> Iterator[str]:
    """Everything that a report says in sentences: its summary, its notes and every paragraph of its page."""
    for headline in headlines(report):
        yield from (headline.caption, *headline.answer)
    yield from (note.text for note in report.notes)
    yield from of_page(lay_out(report).html())


def _look_at(name: str) -> None:
    report = report_of(name)
    assert not [fault for sentence in sentences_of(report) for fault in faults(sentence)]
    assert not unended(text for headline in headlines(report) for text in headline.answer)
    assert not unended(note.text for note in report.notes)


@pytest.mark.parametrize("name", QUICK)
def test_a_report_says_nothing_wrong(name: str) -> None:
    """Singular and plural, doubled words, blanks and full stops, in reports with none, one and two of things."""
    _look_at(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(VARIED) - set(QUICK)))
def test_no_report_says_anything_wrong(name: str) -> None:
    """The same for every kind of policy, population and explanation."""
    _look_at(name)


@pytest.mark.slow
@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_shipped_report_says_anything_wrong(path: Path) -> None:
    """Nor do the reports and forms of the specs that are shipped."""
    report = report_case(path.stem)
    assert not [fault for sentence in of_page(lay_out(report).html()) for fault in faults(sentence)]


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIED)
def test_no_annex_says_anything_wrong(name: str) -> None:
    """Nor do the attacks, the trade-off and the rest of what only the publisher reads."""
    page = Layout("annex.html.j2", make_report(spec_of(VARIED[name])).annex).for_screen()
    assert not [fault for sentence in of_page(page) for fault in faults(sentence)]


def _written(folder: Path, name: str) -> Path:
    path = folder / "report.yaml"
    path.write_text(yaml.safe_dump(VARIED[name], sort_keys=False), encoding="utf-8")
    return path


REFUSED: dict[str, dict[str, Any]] = {
    "a ceiling": {"fidelity": {"delta": 0.9}, "privacy": {"beta": 0.5}},
    "two ceilings": {"fidelity": {"delta": 0.9}, "privacy": {"beta": 0.5, "lift": 1}},
    "one small cell": {"fidelity": {"delta": 0.9}, "small_cells": {"policy": "refuse", "under": 4}},
    "small cells": {"fidelity": {"delta": 0.9}, "small_cells": {"policy": "refuse", "under": 10}, "privacy": {"beta": 0.5}},
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_check_says_first_what_stands_in_the_way(tmp_path: Path, name: str) -> None:
    """A report that would be refused: that, why and what to do; then what it would have said."""
    people = (12, 5, 3, 9)
    path = tmp_path / "report.yaml"
    path.write_text(
        yaml.safe_dump(spec(people=people, policy=REFUSED[name]), sort_keys=False), encoding="utf-8"
    )
    result = check(path)
    number = "2 things stand" if name == "small cells" else "one thing stands"
    assert conclusion(result) == f"CANNOT be published: {number} in the way"
    lines = summary(result)
    assert lines[0][0] == "in the way"
    assert lines[0][1].startswith("refused")
    assert not [fault for label, text in lines for fault in faults(f"{label}: {text}")]
    shown = atreport("check", path)
    assert shown.returncode == 3
    assert shown.stdout.startswith(f"{path}: CANNOT be published")


@pytest.fixture
def no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of tables, a terminal shows only what stands above and below them."""
    monkeypatch.setattr("atreport.cli.show.Console.print", lambda *_: None)


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.usefixtures("no_tables")
def test_check_fits_a_screen_and_says_nothing_wrong(tmp_path: Path, name: str) -> None:
    """Can it be published, what would it say, what stands in the way: in 24 lines; details on request."""
    path = _written(tmp_path, name)
    shown = atreport("check", path, COLUMNS="100")
    first, *rest = shown.stdout.splitlines()
    assert first == f"{path}: can be published"
    assert len(rest) < 24
    assert any(line.startswith("  privacy ") for line in rest)
    assert any(line.startswith("  in the way  Nothing.") for line in rest)
    detailed = atreport("check", path, "--details", COLUMNS="100").stdout
    assert "β = " in detailed
    assert "β = " not in shown.stdout
    for output in (shown.stdout, shown.stderr, detailed):
        assert not [fault for sentence in of_terminal(output) for fault in faults(sentence)]


@pytest.mark.slow
@pytest.mark.usefixtures("no_tables")
@pytest.mark.parametrize("command", ["audit", "tradeoff"])
@pytest.mark.parametrize("name", VARIED)
def test_commands_say_nothing_wrong(tmp_path: Path, name: str, command: str) -> None:
    """What other commands print of every kind of report."""
    done = atreport(command, _written(tmp_path, name), COLUMNS="100")
    assert not [fault for sentence in of_terminal(done.stdout + done.stderr) for fault in faults(sentence)]


@pytest.mark.parametrize("counts", list(product(range(4), repeat=3)), ids=str)
def test_verdicts_are_counted_in_english(counts: tuple[int, int, int]) -> None:
    """None, one, two and three of each verdict: every verdict that occurs is told, and no other."""
    words: tuple[Any, ...] = ("meets", "does_not_meet", "cannot_tell")
    assessments: list[Any] = [
        SimpleNamespace(verdict=word, is_of_one_group=False)
        for word, number in zip(words, counts, strict=True)
        for _ in range(number)
    ]
    said = verdict_summary(assessments)
    assert not faults(said)
    assert bool(said) == bool(assessments)
    assert not unended([said] if said else [])
    if sum(number > 0 for number in counts) > 1:
        assert said.startswith(f"{sum(counts)} comparisons have a threshold.")
        met, missed, undecided = counts
        assert (f"{met} {'is' if met == 1 else 'are'} certain to meet it." in said) == (met > 0)
        assert (f"{missed} {'is' if missed == 1 else 'are'} certain not to meet it." in said) == (missed > 0)
        assert (f"For {undecided} it cannot be told at this fidelity." in said) == (undecided > 0)
    elif sum(counts) > 1 and not counts[2]:
        assert said.startswith(f"All {sum(counts)} comparisons with a threshold are certain ")
        assert ("not to meet it" in said) == (counts[1] > 0)


@pytest.mark.parametrize("number", [1, 2, 1000])
def test_findings_are_counted_in_english(number: int) -> None:
    """The verdict of a verification, in the program and in the verifier that is shipped with reports."""
    found = Check(id="x", what="x", findings=tuple(f"finding {i}" for i in range(number)))
    said = _conclusion(Verification(path=Path(), title="", checks=(found,), limits=()))
    assert not faults(said)
    assert said.startswith(f"{number:,} finding{'' if number == 1 else 's'}: ")
    assert said.endswith("explained it." if number == 1 else "explained them.")


@pytest.mark.parametrize("name", ["plain", "one person"])
def test_verify_says_nothing_wrong(tmp_path: Path, name: str) -> None:
    """One measure, one cell, one person: what was checked is counted in English."""
    folder = build(VARIED[name], tmp_path, ["json"]).folder / "public"
    result = verify(folder)
    assert result.holds
    for sentence in (*(each.what for each in result.checks), *result.limits):
        assert not faults(sentence)


def test_the_shipped_verifier_counts_in_english(tmp_path: Path) -> None:
    """One wrong figure in report.json is one finding, and the verifier that needs only Python says so."""
    folder = build(VARIED["plain"], tmp_path, ["json"], with_verifier=True).folder / "public"
    text = (folder / "report.json").read_text(encoding="utf-8")
    (tmp_path / "report.json").write_text(text.replace('"gamma": 0.', '"gamma": 1.', 1), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, folder / "verify.py", tmp_path / "report.json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "1 finding"


@pytest.mark.parametrize(
    "wrong",
    [
        {"bins": {"income": [1, 2]}},
        {"bins": {"income": [1]}, "values": ["a", "b", "c"]},
        {"bins": {"income": []}},
        {"bins": {"income": [1, 2]}, "values": ["a"]},
    ],
    ids=str,
)
def test_problems_of_a_spec_are_counted_in_english(wrong: dict[str, Any]) -> None:
    """Edges, values and entries: one, two and more."""
    given = spec()
    given["process"]["attributes"][1]["values"] = wrong.pop("values", ["low", "high"])
    given["source"] = {"records": {"files": "none.csv", **wrong}}
    with pytest.raises(InvalidInput) as raised:
        spec_of(given)
    for problem in raised.value.problems:
        assert not faults(f"{problem.message}; {problem.hint or ''}")


@pytest.mark.parametrize(
    "sentence",
    [
        "1 findings",
        "1 fairness measures were calculated.",
        "“a” and “b” is sensitive.",
        "“a”, “b” and “c” is unknown of 3 people.",
        "Of 3 comparisons, 1 is certain to meet it; for none it cannot be told.",
        "For every announced probability: it differs from the true one.",
        "The 1 groups with the highest confidence.",
        "1 of 6 cells; 1 cells are small.",
        "2 group were left out.",
        "It is is wrong.",
        "A  doubled blank.",
        "A blank before a mark .",
        "It is None of 3.",
    ],
)
def test_the_list_of_mistakes_finds_them(sentence: str) -> None:
    """A list that finds nothing would prove nothing: sentences that earlier versions said."""
    assert faults(sentence)
