"""What holds however many people there are is checked of a report that does not say how many, also by who accepts the rest."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from atreport.cli.verify import show_verification
from atreport.compose import with_notes
from atreport.errors import AtreportError
from atreport.export.files import public_files
from atreport.private.prepare import prepare_spec
from atreport.report.model import Report
from atreport.report.reader import parse_json, read_report
from atreport.report.writer import json_bytes, report_json
from atreport.spec.load import load_spec
from atreport.verification import verify
from atreport.verification.files import statement_findings
from atreport.verification.recalculation import (
    Recalculation,
    _verifier,
    any_population_findings,
    is_for_any_population,
    measure_findings,
    privacy_findings,
)
from tests.assessing import published, report_case
from tests.command_line import atreport
from tests.example import write_example
from tests.verifying import ACCEPT, shipped, written

ROOT = Path(__file__).parents[2]
Edit = Callable[[Any], None]


def made(document: Any, folder: Path) -> Path:
    """A public folder that our own program makes of a report.json, with notes that follow from it."""
    report = with_notes(read_report(json_bytes(document), "report.json"))
    return written(public_files(report, ["json"]), folder)


def withheld(folder: Path) -> Any:
    """The report.json of the example, its population withheld."""
    spec = load_spec(write_example(folder, ("population: shares", "population: withheld")))
    return json.loads(report_json(published(prepare_spec(spec))))


def test_a_report_that_withholds_its_population_turns_no_check_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Broken: the case of issue 31: the population taken out, β from 0.675 to 0.36, verdicts to “meets”: exit 0."""
    document = json.loads(report_json(report_case("credit_card")))
    document["policy"]["population"] = "withheld"
    del document["policy"]["share_decimals"]
    for cell in document["cells"]:
        del cell["share"]
    honest = json.loads(json.dumps(document))
    privacy = document["privacy"]
    privacy |= {"beta": 0.36, "gamma": 1.0216, "contribution": 0.0}
    for group in privacy["groups"]:
        group |= {"beta": 0.36, "prior": 0.36}
    for attribute in privacy["attributes"]:
        attribute["beta"] = 0.36
        for value in attribute["values"]:
            value |= {"before": 0.36, "after": 0.36}
            value["rise"] |= {"before": 0.36, "after": 0.36}
    for entry in document["fairness"]:
        if entry["verdict"] is not None:
            entry["verdict"] = "meets"
            entry["value"] = 1.0 if entry["measure"] == "p_percent_rule" else 0.0
            entry["interval"] = [entry["value"], entry["value"]]
    folder = tmp_path / "public"
    for each in (honest, document):
        made(each, folder)
        assert [missed.part for missed in verify(folder).not_checked] == ["figures"]
        assert not verify(folder).passed
        assert shipped(folder).returncode == 1
    found = verify(folder, accept=["figures"])
    assert {check.id for check in found.checks if not check.holds} >= {"privacy", "measures"}
    assert not any("calculated a second time, by this program" in check.what for check in found.checks)
    folder = made(honest, tmp_path / "honest")
    assert verify(folder, accept=["figures"]).passed
    capsys.readouterr()
    show_verification(verify(folder))
    said = capsys.readouterr().out
    assert "NOT CHECKED" in said
    assert "--accept figures" in said


def test_both_programs_take_what_a_reader_accepts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Broken: a reader would have to learn two ways to say that a part need not be checked."""
    folder = made(withheld(tmp_path), tmp_path / "public")
    for options, code in (
        ((), 1),
        (("--accept", "figures"), 0),
        (("--accept", "pages"), 1),
        (("--accept", "x"), 2),
    ):
        assert atreport("verify", folder, *options).returncode == code
        assert shipped(folder, *options).returncode == code
    assert shipped(folder, ACCEPT).returncode == 0
    capsys.readouterr()
    assert _verifier().main(["--help"]) == 0
    assert "--accept figures" in capsys.readouterr().out


def rate(end: int | None, to: float) -> Edit:
    """A group's rate moved, with its interval as far as needed; or an end of its interval."""

    def edit(document: Any) -> None:
        of = document["fairness"][0]["rates"][0]
        low, high = of["interval"]
        if end is None:
            of |= {"value": to, "interval": [min(low, to), max(high, to)]}
        else:
            of["interval"][end] = to

    return edit


def figure(key: str, to: Any) -> Edit:
    """A figure of the first measure."""
    return lambda document: document["fairness"][0].update({key: to})


def group(key: str, to: Any) -> Edit:
    """A figure of the first group's privacy."""
    return lambda document: document["privacy"]["groups"][0].update({key: to})


FORGED: dict[str, Edit] = {
    "a rate above that of every cell": rate(None, 0.95),
    "a rate below that of every cell": rate(None, 0.0),
    "an interval that begins at its rate": rate(0, 0.2),
    "an interval narrower than a band": rate(1, 0.23),
    "an interval wider than any band": rate(1, 1.0),
    "a figure that is not that of its rates": figure("value", 0.05),
    "an interval that is narrower than its rates give": figure("interval", [0.16, 0.17]),
    "a verdict that its interval does not give": figure("verdict", "does_not_meet"),
    "other groups": figure("groups", ["F", "F"]),
    "no attributes": lambda document: document["fairness"][0].pop("by"),
    "another odds factor": group("odds", 2.0),
    "a confidence below that before": group("beta", 0.1),
    "a confidence that the odds do not allow": group("prior", 0.01),
    "a lift above the odds": group("lift", 1000.0),
    "a logarithm of nothing": lambda d: d["fairness"][4]["log_ratio"].update(
        value=0.0, interval=[0.0, 0.0001]
    ),
    "a logarithm some steps off": lambda d: d["fairness"][4]["log_ratio"].update(value=0.6021),
    "a logarithm in a narrower interval": lambda d: d["fairness"][4]["log_ratio"].update(interval=[0.0, 1.2]),
    "a logarithm in a wider interval": lambda d: d["fairness"][4]["log_ratio"].update(interval=[0.0, 1.4]),
    "no logarithm": lambda d: d["fairness"][4]["log_ratio"].update(value=None, interval=None),
    "a rate of nobody else": lambda d: d["fairness"][1]["rates"][1].update(group="F"),
    "a rate less": lambda d: d["fairness"][1]["rates"].pop(),
    "another probability": lambda document: document["cells"][0]["announced"].update(approved=0.2),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_no_population_gives_is_found_though_figures_are_accepted(what: str, tmp_path: Path) -> None:
    """Broken: who accepts that figures are not checked would accept any figure."""
    document = withheld(tmp_path)
    assert verify(made(document, tmp_path / "public"), accept=["figures"]).passed
    FORGED[what](document)
    folder = made(document, tmp_path / "public")
    assert not verify(folder, accept=["figures"]).passed
    assert shipped(folder, ACCEPT).returncode == 1


def of_few_digits(folder: Path) -> Any:
    """The report.json of the example among 35 million million people, of whom one has a high income: 3 units of a share."""
    edits = [(f"population: {n},", f"population: {n}{'0' * 12},") for n in (12, 5, 3, 9, 7)]
    edits += [("population: 4,", "population: 1,"), ("  privacy: {beta: 0.7}\n", "")]
    spec = load_spec(write_example(folder, *edits))
    return json.loads(report_json(published(prepare_spec(spec))))


def of_small_parts(folder: Path) -> Any:
    """The same among 33 million, keeping the rates of women and of men, compared by income: four have a high one."""
    edits = [(f"population: {n},", f"population: {n}{'0' * 6},") for n in (12, 5, 9, 7)]
    kept = (
        ("{delta: 0.9}", "{delta: 0.9, rates: 0.99}"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("groups: gender", "groups: income"),
        ("  - {measure: conditional_statistical_parity, groups: gender, given: income}\n", ""),
    )
    spec = load_spec(write_example(folder, *edits, *kept))
    return json.loads(report_json(published(prepare_spec(spec))))


def widened(document: Any, place: int, group: str, rate: list[float], figure: list[float]) -> Any:
    """The same, with other intervals of a measure and of a rate in it, and the verdict that follows."""
    forged = json.loads(json.dumps(document))
    entry = forged["fairness"][place]
    of = next(each for each in entry["rates"] if each["group"] == group)
    for wider, interval in ((rate, of["interval"]), (figure, entry["interval"])):
        assert wider[0] < interval[0] - 0.01 or wider[1] > interval[1] + 0.01
    of["interval"], entry["interval"] = rate, figure
    entry["verdict"] = "cannot_tell" if figure[0] <= entry["threshold"] < figure[1] else entry["verdict"]
    return forged


WIDER: list[tuple[Callable[[Path], Any], int, str, list[float], list[float]]] = [
    (of_few_digits, 0, "M", [0.05, 0.45], [0.0, 0.33]),
    (of_small_parts, 1, "<100k", [0.0, 0.19], [0.61, 1.0]),
]


@pytest.mark.parametrize(("of", "place", "group", "rate", "figure"), WIDER)
def test_shares_of_few_digits_are_not_called_checked(
    of: Callable[[Path], Any], place: int, group: str, rate: list[float], figure: list[float], tmp_path: Path
) -> None:
    """Broken: where rounded shares leave a figure more room than a hundredth, a forged one passed as calculated."""
    honest = of(tmp_path)
    some_population_gives = widened(honest, place, group, rate, figure)
    for document in (honest, some_population_gives):
        folder = made(document, tmp_path / "public")
        assert verify(folder, accept=["figures"]).passed
        assert {missed.part for missed in verify(folder).not_checked} == {"figures"}
        assert (shipped(folder).returncode, shipped(folder, ACCEPT).returncode) == (1, 0)
    none_gives = widened(honest, place, group, [rate[0], 1.0], [0.0, 1.0])
    folder = made(none_gives, tmp_path / "public")
    assert not verify(folder, accept=["figures"]).passed
    assert shipped(folder, ACCEPT).returncode == 1


def hidden(seeds: range) -> list[tuple[int, Report]]:
    """Random reports that do not say how many people there are."""
    found = []
    for seed in seeds:
        try:
            report = report_case(f"random {seed}")
        except AtreportError:  # a spec that is refused
            continue
        if is_for_any_population(report):
            found.append((seed, report))
    return found


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 600), marks=pytest.mark.slow)])
def test_no_honest_report_is_doubted(seeds: range) -> None:
    """Broken: the worst that any population allows would be drawn too narrow, and honest publishers accused."""
    reports = hidden(seeds)
    assert len(reports) >= len(seeds) // 8
    for seed, report in reports:
        found = Recalculation(report)
        told = [*privacy_findings(report), *measure_findings(found), *any_population_findings(found)]
        assert [*told, *statement_findings(report)] == [], seed


STATED: dict[str, Edit] = {
    "share of people left out": lambda d: d["privacy"]["unprotectable"].update(share=0.5),
    "groups left out": lambda d: d["privacy"]["unprotectable"].update(groups=3),
    "values that were not merged": lambda d: d["privacy"]["unprotectable"].update(
        merged=[{"attribute": "gender", "value": "F"}]
    ),
    "cells suppressed": lambda d: d["policy"]["small_cells"].update(suppressed=2),
    "protection": lambda d: d["policy"]["small_cells"].update(protection=5),
    "refused, with few": lambda d: d["policy"]["small_cells"].update(policy="refuse", under=10**6),
    "hidden as version 0.1 did": lambda d: d["policy"]["small_cells"].pop("hidden_in"),
    "a sum twice": lambda d: d["policy"]["small_cells"]["known_sums"].extend(
        d["policy"]["small_cells"]["known_sums"]
    ),
    "decimals of shares": lambda d: d["policy"].update(share_decimals=4),
    "an ordered attribute": lambda d: d.update(sections={"transparency": {"ordered": ["nobody"]}}),
    "a ledger of nothing": lambda d: d.update(ledger={"size": 0, "root": "0" * 64}),
    "a range of nothing": lambda d: d.update(
        estimation={"method": "frequency", "population": "records", "ranges": [range_of("nobody", "F", 1, 2)]}
    ),
    "a range backwards": lambda d: d.update(
        estimation={"method": "frequency", "population": "records", "ranges": [range_of("gender", "F", 2, 1)]}
    ),
    "a gap": lambda d: d.update(
        estimation={
            "method": "frequency",
            "population": "records",
            "ranges": [range_of("gender", "F", 1, 2), range_of("gender", "M", 3, 4)],
        }
    ),
}


def range_of(attribute: str, value: str, low: int, high: int) -> dict[str, Any]:
    """The numbers that a value stands for."""
    return {"attribute": attribute, "value": value, "from": low, "below": high}


@pytest.mark.parametrize("what", STATED)
def test_what_is_stated_beside_figures_fits_them(what: str, tmp_path: Path) -> None:
    """Broken: a page could tell of people left out, of ranges or of releases what nothing bears out."""
    edits = [("population: shares", "population: counts")] if what.startswith("refused") else []
    if what in ("hidden as version 0.1 did", "a sum twice"):
        guard = "decimals: 4\n  small_cells: {policy: suppress, under: 5}"
        counts = ("population: shares", "population: counts")
        edits = [counts, ("decimals: 4", guard), ("  privacy: {beta: 0.7}\n", "")]
    report = published(prepare_spec(load_spec(write_example(tmp_path, *edits))))
    assert list(statement_findings(report)) == []
    document = json.loads(report_json(report))
    STATED[what](document)
    if what == "decimals of shares":
        for cell in document["cells"]:
            cell["share"] = round(cell["share"], 4)
    assert list(statement_findings(read_report(json_bytes(document), "report.json")))


def test_a_form_is_its_section() -> None:
    """Broken: the section that says what was asked for could name another form than the one that is published."""
    document = json.loads(report_json(report_case("ll144_hiring")))
    document["sections"]["form"]["tool"] = "Another"
    without = {key: part for key, part in document.items() if key != "form"}
    for changed in (document, without):
        (finding,) = islice(statement_findings(read_report(json_bytes(changed), "report.json")), 2)
        assert finding.startswith("sections, form")


@pytest.mark.parametrize("name", ["random 95", "random 330"])
def test_a_disparity_is_not_over_all_outcomes(name: str) -> None:
    """Broken: with three outcomes the shipped verifier would doubt an honest interval for chance ("parity" in "disparity")."""
    found = _verifier().Report(parse_json(report_json(report_case(name)), "report.json"))
    found.check()
    assert found.findings == []
