"""Groups that cannot be protected: refuse, leave out, or join with others; and the account of it."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from atreport import build, verify
from atreport.core.cells import unprotectable_groups
from atreport.errors import Refused
from atreport.private import protect
from atreport.private.data.table import read_table
from atreport.private.protect import protect_groups
from atreport.report.writer import report_schema
from atreport.spec.load import parse_spec
from tests.example import random_table

SPEC = """\
atreport: 1
report: {title: Ages, publisher: P, version: 1, date: 2026-01-15}
process:
  name: Test
  outcome: {name: decision, values: [no, yes], favourable: yes}
  attributes:
    - name: age
      role: public
      values: [20s, 30s, 40s, 50s]
      hierarchy:
        - {under 40: [20s, 30s], over 40: [40s, 50s]}
        - {any age: [under 40, over 40]}
    - {name: region, role: public, values: [north, south]}
    - {name: illness, role: sensitive, values: [none, some]}
source:
  table:
    - {age: 20s, region: north, illness: none, population: 10, yes: 0.9}
    - {age: 20s, region: north, illness: some, population: 10, yes: 0.1}
    - {age: 30s, region: north, illness: none, population: 4, yes: 0.5}
    - {age: 40s, region: north, illness: none, population: 10, yes: 0.8}
    - {age: 40s, region: north, illness: some, population: 12, yes: 0.3}
    - {age: 50s, region: north, illness: none, population: 10, yes: 0.7}
    - {age: 50s, region: north, illness: some, population: 9, yes: 0.2}
    - {age: 20s, region: south, illness: none, population: 7, yes: 0.9}
    - {age: 20s, region: south, illness: some, population: 8, yes: 0.1}
policy:
  fidelity: {delta: 0.9}
  privacy: {beta: 0.9}
  unprotectable: merge
fairness:
  - {measure: statistical_parity, groups: age}
disclosure: {population: counts}
"""


def outcome(policy: str | None, **edits: str) -> tuple[Any, Any]:
    """The protected table and the account, under a policy."""
    text = SPEC.replace("  unprotectable: merge\n", f"  unprotectable: {policy}\n" if policy else "")
    for old, new in edits.items():
        text = text.replace(old, new)
    spec = parse_spec(text)
    return protect_groups(spec, read_table(spec))


def labels(table: Any) -> list[tuple[str, str]]:
    """(age, region) of every group."""
    public = table.cells.process.of_role("public")
    return [tuple(table.cells.labels(int(start), public).values()) for start in table.cells.group_starts]


def test_merge_joins_the_exposed_group_with_its_neighbours_only() -> None:
    """The thirties of the north are joined with their twenties; everybody else keeps their age."""
    table, account = outcome("merge")
    assert labels(table) == [("20s", "south"), ("40s", "north"), ("50s", "north"), ("under 40", "north")]
    assert (account.groups, account.people, account.everybody) == (1, 4, 80)
    assert account.merged == (("age", "under 40"),)
    joined = table.cells.population[table.cells.group == 3].tolist()
    assert joined == [14, 10]
    assert table.favourable[table.cells.group == 3][0] == pytest.approx((10 * 0.9 + 4 * 0.5) / 14)


def test_merge_climbs_to_the_next_level() -> None:
    """If the first level does not help, the second is taken, finer neighbours included."""
    spec = parse_spec(SPEC.replace("illness: some, population: 10, yes: 0.1", "illness: some, population: 0"))
    table, account = protect_groups(spec, read_table(spec))
    assert labels(table) == [("20s", "south"), ("any age", "north")]
    assert account.merged == (("age", "any age"),)
    assert table.cells.population.sum() == 70


def test_named_groups_keep_exactly_their_people(tmp_path: Path) -> None:
    """A group that names all values that were joined has them under the coarser one; a group that names some is refused."""
    path = tmp_path / "ages.yaml"
    named = "  - {measure: statistical_parity, groups: {young: {age: [20s, 30s]}, old: {age: [40s, 50s]}}}\n"
    path.write_text(SPEC.replace("  - {measure: statistical_parity, groups: age}\n", named))
    folder = build(path, tmp_path / "out", formats=["json"]).folder
    report = json.loads((folder / "public" / "report.json").read_text())
    assert report["measures"][0]["groups"]["young"] == {"age": ["20s", "under 40"]}
    young = next(r for r in report["fairness"][0]["rates"] if r["group"] == "young")
    cells = [cell for cell in report["cells"] if cell["age"] in ("20s", "under 40")]
    people = sum(cell["population"] for cell in cells)
    rate = sum(cell["population"] * cell["announced"]["yes"] for cell in cells) / people
    assert people == 39
    assert young["value"] == pytest.approx(rate, abs=1e-4)
    assert verify(folder / "public").holds
    split = "{young: {age: 20s}, old: {age: [30s, 40s, 50s]}}"
    path.write_text(path.read_text().replace("{young: {age: [20s, 30s]}, old: {age: [40s, 50s]}}", split))
    with pytest.raises(
        Refused, match="names '20s' of 'age', which had to be joined with '30s' under 'under 40'"
    ):
        build(path, tmp_path / "out")


def test_distances_between_joined_values_are_refused(tmp_path: Path) -> None:
    """Steps along a scale mean nothing once values of it were joined; a plain weight still does."""
    path = tmp_path / "ages.yaml"
    for distance, fine in (("{scale: 0.1}", False), ("0.1", True)):
        measure = f"  - {{measure: individual, distance: {{age: {distance}, region: 1, illness: 1}}}}\n"
        path.write_text(SPEC.replace("  - {measure: statistical_parity, groups: age}\n", measure))
        if fine:
            assert build(path, tmp_path / "out", formats=["json"]).folder.exists()
        else:
            with pytest.raises(Refused, match="distances between values of 'age'"):
                build(path, tmp_path / "out")


def test_merge_that_does_not_help_is_refused() -> None:
    """When the coarsest values do not help either, nothing is published."""
    text = SPEC.replace("illness: some", "illness: none").replace(
        "region: north, illness: none, population: 12", "region: south, illness: none, population: 12"
    )
    rows = [line for line in text.splitlines() if not line.strip().startswith("- {age:")]
    place = rows.index("  table:") + 1
    rows[place:place] = ["    - {age: 20s, region: north, illness: none, population: 5, yes: 0.5}"]
    spec = parse_spec("\n".join(rows) + "\n")
    with pytest.raises(Refused, match="coarsest values"):
        protect_groups(spec, read_table(spec))


def test_suppress_leaves_the_group_out_everywhere(tmp_path: Path) -> None:
    """No cell, group or measure is about the people left out, and the report says how many there were."""
    path = tmp_path / "ages.yaml"
    path.write_text(SPEC.replace("unprotectable: merge", "unprotectable: suppress"))
    folder = build(path, tmp_path / "out", formats=["json"]).folder
    report = json.loads((folder / "public" / "report.json").read_text())
    jsonschema.Draft202012Validator(report_schema()).validate(report)
    assert all(cell["age"] != "30s" for cell in report["cells"])
    assert report["privacy"]["unprotectable"] == {
        "policy": "suppress",
        "groups": 1,
        "share": 0.05,
        "merged": [],
        "left_out": report["privacy"]["unprotectable"]["left_out"],
    }
    (left_out,) = report["privacy"]["unprotectable"]["left_out"]
    assert left_out["of"]["age"] == "30s"
    assert "illness" not in left_out["of"], "how they split by what is sensitive is why they are left out"
    note = next(note for note in report["notes"] if note["id"] == "unprotectable")
    assert "left out" in note["text"]
    assert report["privacy"]["beta"] <= 0.9


def test_merge_through_the_whole_build(tmp_path: Path) -> None:
    """The coarser value is in the published process, its cells and its groups; the note names it."""
    path = tmp_path / "ages.yaml"
    path.write_text(SPEC)
    folder = build(path, tmp_path / "out", formats=["json", "html"]).folder
    report = json.loads((folder / "public" / "report.json").read_text())
    jsonschema.Draft202012Validator(report_schema()).validate(report)
    assert {"age": "under 40", "region": "north"} in [group["qid"] for group in report["privacy"]["groups"]]
    assert "under 40" in report["process"]["attributes"][0]["values"]
    assert "“under 40”" in next(note["text"] for note in report["notes"] if note["id"] == "unprotectable")
    assert report["process"]["attributes"][0]["joined"] == {"under 40": ["20s", "30s"]}
    assert not any("under 40" in measure["groups"] for measure in report["fairness"])


def test_refuse_says_what_to_do() -> None:
    """A refusal with the population's own reason, and the ways out."""
    with pytest.raises(Refused, match="suppress") as caught:
        outcome("refuse")
    assert caught.value.exit_code == 3
    assert "1 of 5 groups" in str(caught.value)


def test_without_a_policy_nothing_is_changed_and_everything_is_said(tmp_path: Path) -> None:
    """Left alone, exposed groups are published with the confidence they have, and the headline shows it."""
    table, account = outcome(None)
    assert len(table.cells.group_starts) == 5
    assert account.groups == 1
    path = tmp_path / "ages.yaml"
    path.write_text(SPEC.replace("  unprotectable: merge\n", "").replace("  privacy: {beta: 0.9}\n", ""))
    result = build(path, tmp_path / "out", formats=["json"])
    assert result.report.privacy.beta == 1
    report = json.loads((result.folder / "public" / "report.json").read_text())
    assert "cannot be protected" in next(n["title"] for n in report["notes"] if n["id"] == "unprotectable")


def test_who_is_exposed_is_exact() -> None:
    """A prior equal to the ceiling is allowed; one person more is not."""
    spec = parse_spec(SPEC)
    cells = read_table(spec).cells
    assert unprotectable_groups(cells, Decimal(12) / Decimal(22)).sum() == 1 + 0
    assert unprotectable_groups(cells, None).sum() == 1
    assert unprotectable_groups(cells, Decimal("0.5")).sum() == 4
    assert np.asarray(unprotectable_groups(cells, Decimal(1))).sum() == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("under 40: [20s, 30s]", "under 40: [20s]", "'30s' is missing at level 1"),
        ("under 40: [20s, 30s]", "under 40: [20s, 30s, 40s]", "'40s' is joined twice"),
        ("under 40: [20s, 30s]", "under 40: [20s, 30s, 35s]", "'35s' is not a value of the level below"),
        ("any age: [under 40", "20s: [under 40", "'20s' is already a value"),
        ("role: sensitive, values: [none, some]", "role: sensitive, values: [none, some], hierarchy: [{a: [none, some]}]", "only public"),
    ],
)  # fmt: skip
def test_broken_hierarchies_are_answered_at_their_place(old: str, new: str, words: str) -> None:
    """Each level must join every value of the level below exactly once."""
    from atreport.errors import InvalidInput

    with pytest.raises(InvalidInput) as caught:
        parse_spec(SPEC.replace(old, new))
    assert any(words in problem.message for problem in caught.value.problems), str(caught.value)
    assert all(problem.location.line for problem in caught.value.problems)


CEILINGS = ["beta: 0.7", "lift: 1.4", "odds: 3"]


@pytest.mark.parametrize("ceiling", CEILINGS)
def test_a_ceiling_that_the_rule_breaks_is_mended_by_joining(ceiling: str, tmp_path: Path) -> None:
    """The population allows it and the rule does not, at this fidelity: the groups are joined, and the ceiling is kept."""
    rows = [
        ("20s", "north", "none", 50, 1), ("20s", "north", "some", 50, 0), ("30s", "north", "none", 50, 0), ("30s", "north", "some", 50, 1),
        ("40s", "south", "none", 50, 0.5), ("40s", "south", "some", 50, 0.5),
    ]  # fmt: skip
    table = "".join(
        f"    - {{age: {age}, region: {region}, illness: {illness}, population: {people}, yes: {yes}}}\n"
        for age, region, illness, people, yes in rows
    )
    start, end = SPEC.index("    - {age: 20s, region: north"), SPEC.index("policy:")
    text = (SPEC[:start] + table + SPEC[end:]).replace("beta: 0.9", ceiling)
    path = tmp_path / "ages.yaml"
    path.write_text(text.replace("  unprotectable: merge\n", ""), encoding="utf-8")
    with pytest.raises(Refused, match="ceiling"):
        build(path, tmp_path / "out", formats=["json"])
    path.write_text(text, encoding="utf-8")
    report = build(path, tmp_path / "out", formats=["json"]).report
    assert [each.value for each in report.privacy.unprotectable.merged] == ["under 40"]
    assert report.privacy.unprotectable.groups == 0
    assert any("could not be kept" in note.text for note in report.notes if note.id == "joined")
    assert verify(tmp_path / "out" / "ages" / "public").holds


def test_a_value_with_a_ceiling_of_its_own_can_be_exposed() -> None:
    """Its share of a group must not exceed its own ceiling, whatever β allows."""
    spec = parse_spec(SPEC.replace("values: [none, some]}", "values: [none, some], ceilings: {some: 0.5}}"))
    table = read_table(spec)
    exposed = protect._unprotectable(spec, table)
    assert {name for name, found in zip(labels(table), exposed, strict=True) if found} == {
        ("20s", "south"),  # 8 of 15
        ("30s", "north"),  # everybody has the same value
        ("40s", "north"),  # 12 of 22
    }


def test_joined_bounds_are_averages_rounded_outward() -> None:
    """Weighted by people, to nine decimals: a bound that moved inward would promise more than the data do."""
    table = random_table(np.random.default_rng(3), groups=3, values=3)
    rng = np.random.default_rng(4)
    lower = rng.random(len(table.cells)) * 0.4
    table = replace(table, lower=lower, upper=lower + 0.5)
    labels = np.full(len(table.cells), "all", dtype=object)
    public, *others = table.cells.process.attributes
    coarser = public.model_copy(update={"hierarchy": ({"all": public.values},)})
    process = table.cells.process.model_copy(update={"attributes": (coarser, *others)})
    table = replace(table, cells=replace(table.cells, process=process))
    found = protect._relabelled(table, 0, labels, "all")
    assert len(found.cells) < len(table.cells)
    assert found.lower is not None
    assert found.upper is not None
    secrets, people = table.cells.column("secret"), table.cells.population
    for row, code in enumerate(found.cells.column("secret").tolist()):
        own = secrets == code
        average = sum(
            Fraction(x) * int(n) for x, n in zip(lower[own].tolist(), people[own].tolist(), strict=True)
        ) / int(people[own].sum())
        assert 0 <= average - Fraction(found.lower[row]) < Fraction(2, 10**9)
        assert 0 <= Fraction(found.upper[row]) - average - Fraction(1, 2) < Fraction(2, 10**9)
