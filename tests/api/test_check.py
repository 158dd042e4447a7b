"""The command check: what it says of groups, cells and people where the report announces other values than the data have."""

import datetime as dt
import json
from pathlib import Path

import pytest

from atreport.api.check import check
from atreport.export.files import public_files
from atreport.spec.load import load_spec
from tests.assessing import report_of
from tests.command_line import atreport
from tests.example import write_example

MERGED = """\
atreport: 1
report: {{title: Merged, publisher: P, version: 1.0.0, date: 2026-02-01}}
process:
  name: Benefit
  outcome: {{name: decision, values: [denied, approved], favourable: approved}}
  attributes:
    - {{name: gender, role: public, values: [F, M]}}
    - name: area
      role: public
      values: [a1, a2, b1, b2]
      hierarchy:
        - {{a: [a1, a2], b: [b1, b2]}}
    - {{name: illness, role: sensitive, values: [x, y]}}
source:
  table:
{rows}
policy: {{fidelity: {{delta: 0.9}}, unprotectable: merge, small_cells: {{policy: warn, under: 25}}}}
disclosure: {{population: counts}}
"""


def _spec(folder: Path, missing: set[tuple[str, str]]) -> Path:
    """A spec in which everybody in the `missing` groups has the illness x, so that they have to be joined."""
    rows = [
        f"    - {{gender: {gender}, area: {area}, illness: {illness}, population: {20 + 5 * place}, approved: 0.{place + 3}}}"
        for gender in "FM"
        for place, area in enumerate(("a1", "a2", "b1", "b2"))
        for illness in "xy"
        if illness == "x" or (gender, area) not in missing
    ]
    path = folder / "merged.yaml"
    path.write_text(MERGED.format(rows="\n".join(rows)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "missing",
    [
        {("F", "a1"), ("M", "a1")},  # for both: `a` takes the place of a1 and a2, and every later value moves
        {("F", "b1")},  # for women only: b1 and b2 stay for men, so there is one value more than in the spec
        {("F", "a1"), ("F", "b1"), ("M", "b2")},
    ],
)
def test_check_names_the_groups_as_announced(tmp_path: Path, missing: set[tuple[str, str]]) -> None:
    """The groups, with their values and β, are those of report.json; small cells keep the values of the data."""
    spec = _spec(tmp_path, missing)
    result = check(spec)
    report = report_of(load_spec(spec))
    announced = {tuple(group.qid.items()): float(group.beta) for group in report.privacy.groups}
    assert {tuple(row["qid"].items()): row["beta"] for row in result.group_rows()} == announced
    assert result.joined
    assert all(row["area"] not in ("a", "b") for row in result.small_cell_rows())


def test_small_cells_are_said_to_be_those_of_the_data(tmp_path: Path) -> None:
    """Their values may be ones that the report does not announce: a reader must not look for them there."""
    spec = _spec(tmp_path, {("F", "a1"), ("M", "a1")})
    spec.write_text(
        spec.read_text(encoding="utf-8").replace("under: 25", "under: 21"),
        encoding="utf-8",
    )
    shown = atreport("check", spec, "--details")
    assert shown.returncode == 0
    assert "area=a " in shown.stdout
    assert "small cells: 2 of the data, by their values before some were joined, with fewer" in shown.stdout
    assert "gender=F, area=a1, illness=x" in shown.stdout


def test_what_the_law_may_not_take_is_a_warning(tmp_path: Path) -> None:
    """A withheld field that a rule asks for, suppressed numbers: named with the rule, on the terminal and in JSON; no finding."""
    text = (Path(__file__).parents[2] / "specs" / "ll144_hiring_protected.yaml").read_text(encoding="utf-8")
    spec = tmp_path / "audit.yaml"
    spec.write_text(
        text.replace("audit_date: 2026-01-20", "audit_date: {withheld: it is being repeated}"),
        encoding="utf-8",
    )
    done = atreport("check", spec)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stderr.split())
    assert "WARNING form.audit_date is withheld, and 6 RCNY § 5-303 (a) (1) asks for it" in told
    assert "WARNING small_cells: suppress keeps numbers of people out" in told
    found = json.loads(atreport("check", spec, "--json").stdout)["results"][0]
    assert len(found["law"]) == 2
    assert check(spec, today=dt.date(2030, 1, 1)).law == tuple(found["law"]), "nobody knows how old it is"


def test_a_folder_is_checked_spec_by_spec(tmp_path: Path) -> None:
    """Every spec of a folder is told on, the broken ones too, and the worst decides the exit code."""
    write_example(tmp_path, name="a.yaml")
    (tmp_path / "b.yaml").write_text("atreport: 1\n", encoding="utf-8")
    write_example(tmp_path, ("privacy: {beta: 0.7}", "privacy: {beta: 0.61}"), name="c.yaml")
    done = atreport("check", str(tmp_path))
    assert "a.yaml: can be published" in done.stdout
    assert "c.yaml: CANNOT be published" in done.stdout
    assert done.stdout.endswith("1 of 3 specs can be published.\n")
    assert "b.yaml:1:1: 'policy' is missing" in done.stderr
    alone = [atreport("check", str(tmp_path / name)).returncode for name in ("a.yaml", "b.yaml", "c.yaml")]
    assert done.returncode == max(alone) > 0
    assert len(json.loads(atreport("check", "--json", str(tmp_path)).stdout)["results"]) == 3
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "there is no spec in this folder" in atreport("check", str(empty)).stderr


ALMOST_EVEN = [
    (f"population: {n}, approved: {p}}}", f"population: {n}, approved: {even}}}")
    for n, p, even in ((12, 0, 0.49), (5, 0, 0.51), (3, 1, 0.51), (9, 0, 0.49), (7, 0.5, 0.51), (4, 1, 0.51))
]
"""A rule that hardly tells people apart, on both sides of an edge between intervals."""


@pytest.mark.parametrize("command", ["check", "tradeoff"])
def test_less_protection_than_the_truth_gives_is_told(tmp_path: Path, command: str) -> None:
    """Calibrated intervals can pull apart what the true rule keeps together; the publisher should know, readers must not."""
    calibrated = ("policy:", "policy:\n  mechanism: calibrated")
    wide = ("fidelity: {delta: 0.9}", "fidelity: {delta: 0.75}")
    path = write_example(tmp_path, *ALMOST_EVEN, calibrated, wide, ("beta: 0.7", "beta: 0.9"))
    told = " ".join(atreport(command, str(path)).stderr.split())
    assert "which publishing the true rule itself would give" in told
    best = write_example(tmp_path, *ALMOST_EVEN, wide, name="optimal.yaml")
    assert "publishing the true rule itself" not in atreport(command, str(best)).stderr
    sharp = write_example(tmp_path, calibrated, name="sharp.yaml")
    assert "publishing the true rule itself" not in atreport(command, str(sharp)).stderr
    files = public_files(report_of(load_spec(path)), ["json"])
    assert not [name for name, content in files.items() if b"publishing the true rule itself" in content]


def test_long_warnings_are_as_wide_as_the_screen(tmp_path: Path) -> None:
    """A warning in one long line is cut or broken anywhere by a terminal."""
    path = write_example(tmp_path, ("report:\n", "report:\n  languages: [en, fr]\n"))
    done = atreport("check", str(path))
    assert "have no translation into fr" in " ".join(done.stderr.split())
    assert max(map(len, done.stderr.splitlines())) <= 80


@pytest.mark.parametrize("policy", ["warn", "refuse", "round", "suppress"])
def test_explanations_that_will_be_missing_are_a_warning(policy: str, tmp_path: Path) -> None:
    """A publisher who asks for a tree and rounds numbers would look for the tree in vain, and find why in a note."""
    asked = f"  small_cells: {{policy: {policy}, under: 3}}\n  decimals: 4\n"
    explained = "transparency: {rules: {tree: 2}}\ndisclosure:\n"
    path = write_example(
        tmp_path, ("  decimals: 4\n", asked), ("disclosure:\n", explained), ("  privacy: {beta: 0.7}\n", "")
    )
    result = check(path)
    told = [warning for warning in result.warnings if "'transparency'" in warning]
    assert len(told) == (policy in ("round", "suppress"))
    shown = {rules.scheme for rules in report_of(load_spec(path)).rules}
    assert ("tree" in shown) == (not told)
