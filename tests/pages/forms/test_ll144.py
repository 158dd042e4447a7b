"""The bias audit summary on a table worked by hand: ratios, the retained denominator, notes, unknowns."""

import datetime as dt
import json
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from atreport import build, verify
from atreport.compose import compose_report
from atreport.compose.forms import print_form
from atreport.errors import InvalidInput, Refused
from atreport.forms.fields import Surroundings
from atreport.pages.forms import form_context
from atreport.pages.forms.form_context import people_text
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.private.prepare import prepare_spec
from atreport.private.protect import guard_small_cells
from atreport.report.form import Category, CertifiedShare, FormTable
from atreport.report.model import Report
from atreport.resources import templates_folder
from atreport.spec.load import load_spec, parse_spec
from atreport.spec.spec import Spec
from atreport.verification.recalculation import Recalculation
from tests.documents import make_report
from tests.forms import FORM_SPECS, HAND_WORKED, edited_spec

SUPPRESS = ("decimals: 4}", "decimals: 4, small_cells: suppress}")


def reported(*edits: tuple[str, str]) -> Report:
    """The report of the hand-worked spec, changed."""
    spec = edited_spec(HAND_WORKED, *edits)
    table, account = guard_small_cells(spec, read_table(spec))
    return compose_report(draft_announcement(spec, table, small_cells=account).announcement, spec.public)


def tables(*edits: tuple[str, str]) -> dict[str, FormTable]:
    """The three tables by name."""
    form = reported(*edits).form
    assert form is not None
    return {table.table: table for table in form.tables or ()}


def words(*edits: tuple[str, str]) -> str:
    """Everything the document says."""
    context = form_context(reported(*edits))
    assert context is not None
    return str(context)


# Worked by hand: people, selected, rate and impact ratio of each category.
BY_HAND = {
    "sex": {"F": ("110", "43", "0.3909", "0.7473"), "M": ("130", "68", "0.5231", "1.0000")},
    # C has 3 of 250 people (1.2%) and the highest rate: it is left out, and A is what B is divided by.
    "race": {
        "A": ("150", "83", "0.5533", "1.0000"),
        "B": ("90", "30", "0.3333", "0.6024"),
        "C": ("3", "3", "1.0000", None),
    },
    # Each divided by the highest retained, M · A. Nobody is M · C.
    "intersections": {
        "F · A": ("60", "30", "0.5000", "0.8333"),
        "F · B": ("40", "10", "0.2500", "0.4167"),
        "F · C": ("3", "3", "1.0000", None),
        "M · A": ("80", "48", "0.6000", "1.0000"),
        "M · B": ("50", "20", "0.4000", "0.6667"),
        "M · C": ("0", "0", None, None),
    },
}


def figures(table: FormTable) -> dict[str, tuple[str | None, ...]]:
    """What is printed of each category: people, selected, rate and impact ratio."""
    return {
        row.category: (
            people_text(row.people),
            people_text(row.selected),
            *(None if share is None else f"{share.value:.4f}" for share in (row.rate, row.impact_ratio)),
        )
        for row in table.categories
    }


def test_figures_are_those_worked_by_hand() -> None:
    """Of each table by itself; a small category keeps its number and its rate, and is no denominator."""
    found = tables()
    assert {name: figures(table) for name, table in found.items()} == BY_HAND
    unknown = {name: people_text(table.unknown_people) for name, table in found.items()}
    assert unknown == {"sex": "10", "race": "7", "intersections": "17"}
    highest = [row.category for table in found.values() for row in table.categories if row.highest]
    assert highest == ["M", "A", "M · A"]
    assert [row.category for row in found["race"].categories if row.under_two_percent] == ["C"]


def test_without_the_exception_the_small_category_is_the_denominator() -> None:
    """Leaving out is the auditor's choice; without it, C's rate of 1 is the highest."""
    found = figures(tables((LEFT_OUT, ""))["race"])
    assert [ratio for *_, ratio in found.values()] == ["0.5533", "0.3333", "1.0000"]


def test_notes_say_what_was_left_out_and_where_duties_conflict() -> None:
    """The justification, the number of unknowns, and the conflict over three people are printed."""
    text = words()
    assert "C: this category is under 2% of the data and is left out of the impact ratio" in text
    assert "Justification: three people say little" in text
    assert "People who are not in this table because their sex is unknown: 10." in text
    assert "not in this table because their sex or their race/ethnicity is unknown: 17." in text
    assert "Two duties conflict here" in text
    assert "exactly 0% or 100%" in text


def test_unknown_people_could_change_the_ratio_this_much() -> None:
    """At worst and at best over all ways to tell 10 people of rate 1/2 apart."""
    women, _ = tables()["sex"].categories
    values = []
    for k in range(11):
        rate_f, rate_m = Fraction(86 + k, 2 * (110 + k)), Fraction(136 + 10 - k, 2 * (140 - k))
        values.append(rate_f / rate_m)
    assert women.unknown is not None
    low, high = women.unknown
    assert low <= min(values) < low + Decimal("0.0001")
    assert high - Decimal("0.0001") < max(values) <= high
    assert women.unknown_attained


def holds(announced: CertifiedShare | None, exact: CertifiedShare | None) -> bool:
    """Whether an exact figure lies in the interval of what is announced for it."""
    return announced is None or exact is None or announced.low <= exact.value <= announced.high


@pytest.mark.parametrize("delta", ["0.9", "0.98"])
def test_certified_intervals_hold_the_exact_figures(delta: str) -> None:
    """Announced at a lower fidelity, each interval still holds what was worked by hand."""
    exact, announced = tables(), tables(("delta: 1}", f"delta: {delta}}}"))
    for name, table in announced.items():
        for row, true in zip(table.categories, exact[name].categories, strict=True):
            assert holds(row.rate, true.rate)
            assert holds(row.impact_ratio, true.impact_ratio)


def test_suppressed_numbers_are_ranges() -> None:
    """Three people are not printed, nor what gives them away; sums that are safe stay exact, and intervals hold."""
    exact, guarded = tables(), tables(SUPPRESS)
    few = next(row.people for row in guarded["intersections"].categories if row.category == "F · C")
    assert few.published is None
    assert few.most - few.fewest >= 10
    assert "suppressed" in people_text(few)
    for name, table in guarded.items():
        for row, true in zip(table.categories, exact[name].categories, strict=True):
            assert row.people.fewest <= true.people.fewest <= row.people.most
            assert holds(row.rate, true.rate)
    assert "The publisher has chosen to protect them" in words(SUPPRESS)


def test_a_suppressed_category_is_left_out_only_if_what_is_published_shows_it_small() -> None:
    """Saying that C is under 2% of 250 people would tell that it has at most four: so it takes part."""
    guarded, everything = tables(SUPPRESS)["race"].categories, tables((LEFT_OUT, ""))["race"].categories
    assert not guarded[2].under_two_percent
    for row, true in zip(guarded, everything, strict=True):
        assert row.impact_ratio
        assert holds(row.impact_ratio, true.impact_ratio)


LEFT_OUT = "  under_two_percent: {because: three people say little}\n"


def left_out(*entries: str) -> tuple[str, str]:
    """An edit that leaves out the categories of these entries."""
    return LEFT_OUT, "  under_two_percent:\n" + "".join(f"    - {entry}\n" for entry in entries)


def test_categories_are_left_out_one_by_one_with_their_reasons() -> None:
    """Only those that the auditor names, each in its own table and with its own reason."""
    edit = left_out("{sex: F, race_ethnicity: C, because: only three}")
    assert tables(edit)["race"].categories[2].impact_ratio is not None, "named in another table"
    crossed = {row.category: row for row in tables(edit)["intersections"].categories}
    assert crossed["F · C"].impact_ratio is None
    assert crossed["F · C"].rate
    assert crossed["M · A"].highest
    assert "Justification: only three" in words(edit)
    both = words(
        left_out("{race_ethnicity: C, because: few}", "{sex: F, race_ethnicity: C, because: only three}")
    )
    assert "Justification: few" in both
    assert "Justification: only three" in both


def test_a_category_that_is_not_small_stays_and_the_document_says_so() -> None:
    """Naming B, which has 90 of 250 people, changes no ratio."""
    edit = left_out("{race_ethnicity: B, because: so it would look better}")
    assert tables(edit)["race"].categories[1].impact_ratio is not None
    assert "B: the auditor named this category to be left out, but" in words(edit)
    assert "it is not under 2% of the data. So it is compared like all others." in words(edit)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{race_ethnicity: D, because: x}", "'D' is not a value of 'race'"),
        ("{because: x}", "this names no category"),
        ("{sex: unknown, because: x}", "'unknown' is not a value of 'sex'"),
        ("{sex: F}", "'because' is missing"),
    ],
)
def test_who_is_left_out_must_exist(entry: str, said: str) -> None:
    """An entry names a category that there is, and the auditor's reason."""
    with pytest.raises(InvalidInput) as error:
        reported(left_out(entry))
    assert said in str(error.value)


def test_a_classification_has_rates_for_every_class() -> None:
    """Each outcome is a class with three tables of its own; of two classes, rates add up to 1."""
    found = reported(("rate: selection", "rate: classification")).form
    assert found is not None
    assert [(t.outcome, t.table) for t in found.tables or ()] == [
        (outcome, table) for outcome in ("no", "yes") for table in ("sex", "race", "intersections")
    ]
    no, _, _, yes, *_ = map(figures, found.tables or ())
    rates = [[Decimal(rate) for _, _, rate, _ in each.values() if rate] for each in (no, yes)]
    assert list(map(sum, zip(*rates, strict=True))) == [1, 1]
    assert [ratio for *_, ratio in no.values()] == ["1.0000", "0.7830"]  # (62/130) / (67/110)
    assert all(row.unknown for row in (found.tables or ())[0].categories), "told apart for every class"
    text = words(("rate: selection", "rate: classification"))
    assert "Class “no”: Sex categories" in text
    assert "§ 5-301 (b) (4)" in text


def test_nothing_divided_by_nothing_is_no_ratio() -> None:
    """Where nobody of any category is selected, there is no ratio of 1."""
    rows = [line for line in HAND_WORKED.splitlines() if line.startswith("    - {sex:")]
    edits = [(row, row[: row.index('"yes":')] + '"yes": 0}') for row in rows]
    found = tables(*edits)
    assert all(row.impact_ratio is None and not row.highest for t in found.values() for row in t.categories)
    text = words(*edits)
    assert "none (no rate above 0)" in text
    assert "What the unknown could change" not in text


@pytest.mark.parametrize(("audited", "old"), [("2025-02-02", False), ("2025-02-01", True)])
def test_an_audit_older_than_a_year_is_said_so(audited: str, old: bool) -> None:
    """On the day of the document, which is 2 February 2026."""
    text = words(("audit_date: 2026-01-01", f"audit_date: {audited}"))
    assert ("more than a year before the date of this document" in text) == old


def test_protected_editions_say_that_the_rules_ask_for_more() -> None:
    """With suppressed numbers or changed rates; the exact edition does not say so."""
    sentence = "does not by itself satisfy §"
    assert sentence in words(SUPPRESS)
    assert sentence in words(("delta: 1}", "delta: 0.98}"))
    assert sentence not in words()


def test_the_exact_edition_has_no_ranges() -> None:
    """Where nothing is changed or guarded, numbers and rates stand as the rules ask for them, without columns of ranges."""
    assert "lies in" not in str(table_columns())
    assert "Exact rate lies in" in table_columns(("delta: 1}", "delta: 0.98}"))
    assert "Exact ratio lies in" in table_columns(SUPPRESS)


@pytest.mark.parametrize("template", ["ll144", "eeoc"])
def test_tables_of_results_stack_on_narrow_screens(template: str) -> None:
    """Each entry carries the heading of its column, so that no ratio is out of sight on a phone."""
    html = make_report(load_spec(FORM_SPECS[template])).document.html()
    tables_of_form = re.findall(r"<table[^>]*>.*?</table>", html, re.DOTALL)
    assert len(tables_of_form) >= 4
    assert all(re.match(r'<table class="stacks( wide)?" role="table">', each) for each in tables_of_form)
    assert all('data-heading="' in each for each in tables_of_form)


def table_columns(*edits: tuple[str, str]) -> list[str]:
    """The columns of the tables of results."""
    context = form_context(reported(*edits))
    assert context is not None
    results = next(section for section in context.sections if section.id == "results")
    return [column.heading for each in results.tables for column in each.table.columns]


def test_figures_from_records_are_those_of_the_data(tmp_path: Path) -> None:
    """5,000 applicants in a file: rates and ratios as pandas gives them, no ranges, and both verifiers agree."""
    rng = np.random.default_rng(5)
    people = pd.DataFrame(
        {
            "sex": rng.choice(["F", "M", "unknown"], 5000, p=[0.48, 0.5, 0.02]),
            "race": rng.choice(["A", "B", "C", "unknown"], 5000, p=[0.6, 0.3, 0.08, 0.02]),
        }
    )
    people["screening"] = np.where(rng.random(5000) < 0.3 + 0.1 * (people["sex"] == "M"), "yes", "no")
    people.to_csv(tmp_path / "applicants.csv", index=False)
    start, end = HAND_WORKED.index("  table:"), HAND_WORKED.index("policy:")
    path = tmp_path / "audit.yaml"
    path.write_text(HAND_WORKED[:start] + "  records: {files: applicants.csv}\n" + HAND_WORKED[end:])
    public = build(path, tmp_path / "out", ["html", "json"]).folder / "public"

    page = (public / "report.html").read_text(encoding="utf-8")
    assert "those of the true rule, rounded to 4 decimals: nothing was changed" in page
    assert "a half is rounded to the even digit" in page
    assert "does not by itself satisfy" not in page
    assert "lies in</th>" not in page
    document = json.loads((public / "report.json").read_text(encoding="utf-8"))
    assert document["policy"]["fidelity"] == {"delta": 0.99995}
    for table in document["form"]["tables"]:
        known = people[~people[table["attributes"]].eq("unknown").any(axis=1)]
        rates = known["screening"].eq("yes").groupby([known[name] for name in table["attributes"]]).mean()
        assert table["recorded"]
        for row in table["categories"]:
            key = tuple(row["category"].split(" · "))
            rate = rates[key if len(key) > 1 else key[0]]
            assert row["rate"]["value"] == round(rate, 4)
            assert row["impact_ratio"]["value"] == round(rate / rates.max(), 4)
    assert verify(public).findings == ()
    standalone = [
        sys.executable,
        "-I",
        str(templates_folder() / "verify.py"),
        "--accept=figures",
        str(public),
    ]
    assert subprocess.run(standalone, capture_output=True, check=False).returncode == 0


def test_a_form_of_an_earlier_version_keeps_the_figures_of_the_rule() -> None:
    """It does not state recorded numbers, so its rates are averages of printed probabilities, with their ranges."""
    report = reported(*COUNTED)
    assert report.form is not None
    fields = report.form.fields
    now = print_form(report.rule_table, "ll144", fields)
    before = print_form(report.rule_table, "ll144", fields, recorded=False)
    assert now == report.form
    assert before.tables is not None
    assert now.tables is not None
    assert [table.recorded for table in (*now.tables, *before.tables)] == [True] * 3 + [None] * 3
    older = report.model_copy(update={"form": before})
    assert Recalculation(older).report.form == before
    assert "Exact rate lies in" in str(form_context(older))


COUNTED = (('population: 60, "yes": 0.5', f'population: 61, "yes": {20 / 61}'),)
"""One of the frequencies has no end."""


def test_too_many_people_for_the_decimals_leave_ranges_and_satisfy_the_rules() -> None:
    """Two decimals leave several numbers open in a cell of 280: ranges of a few steps, and § 5-303 is not denied."""
    edits = (*COUNTED, ("population: 80", "population: 280"), ("decimals: 4}", "decimals: 2}"))
    assert "Exact rate lies in" in table_columns(*edits)
    text = words(*edits)
    assert "does not by itself satisfy" not in text
    assert "rounded to 2 decimals: nothing was changed" in text
    assert "a half is rounded" not in text


def warned(*edits: tuple[str, str], today: dt.date = dt.date(2026, 2, 3)) -> str:
    """What a check says about the form."""
    return warnings_of(edited_spec(HAND_WORKED, *edits), today)


def warnings_of(spec: Spec, today: dt.date) -> str:
    """What a check says about the form of a spec."""
    assert spec.form is not None
    around = Surroundings(process=spec.process, policy=spec.policy, report_date=spec.report.date, today=today)
    return "\n".join(spec.form.warnings(around))


def test_a_check_warns_of_what_the_rules_would_not_take() -> None:
    """Suppression, an old audit, other names of categories, and withheld fields, each with its rule."""
    assert "'race' has categories that the rules call otherwise: A, B, C" in warned()
    assert "§ 5-303 (a) (1) asks for the number and the rate" in warned(SUPPRESS)
    assert "more than a year before today (2027-01-02)" in warned(today=dt.date(2027, 1, 2))
    assert "more than a year" not in warned(today=dt.date(2027, 1, 1))
    assert "more than a year before the date of the report" in warned(("2026-01-01", "2024-02-29"))
    withheld = warned(("audit_date: 2026-01-01", "audit_date: {withheld: because}"))
    assert "form.audit_date is withheld, and 6 RCNY § 5-303 (a) (1) asks for it" in withheld


def test_the_shipped_example_is_as_the_rules_ask() -> None:
    """Nothing to warn of, but on a day long after it."""
    spec = load_spec(FORM_SPECS["ll144"])
    assert warnings_of(spec, spec.report.date) == ""


def test_scoring_rates_have_no_number_selected() -> None:
    """A scoring tool selects nobody: the rate is the share above the sample median."""
    text = words(("rate: selection", "rate: scoring"))
    assert "above the median score of the sample" in text
    assert "Scoring rate" in text
    assert "Selected, as announced" not in text
    assert "Above the median" in text


def audited(rng: np.random.Generator, guard: str) -> Report:
    """A bias audit of random people and rates, made as a build makes it; some categories are small, some unknown."""
    document = yaml.safe_load(FORM_SPECS["ll144"].read_text(encoding="utf-8"))
    for row in document["source"]["table"]:
        row["population"] = int(10 ** rng.uniform(0, 3.5))
        row["selected"] = float(rng.choice([0, 1, *rng.random(2).round(2)]))
    document["policy"] = {
        "fidelity": {"delta": float(rng.choice([0.95, 1]))},
        "decimals": 3,
        "small_cells": guard,
    }
    document["fairness"].append({"measure": "impact_ratio", "groups": ["sex", "race"]})
    document["fairness"].append(
        {"measure": "impact_ratio", "groups": "sex", "p": 0.8, "title": "four fifths"}
    )
    if rng.random() < 0.5:
        document["form"]["under_two_percent"] = {"because": "too few"}
    prepared = prepare_spec(parse_spec(yaml.safe_dump(document, allow_unicode=True)))
    return compose_report(prepared.announcement, prepared.public)


@pytest.mark.parametrize("guard", ["warn", "round", "suppress"])
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))]
)
def test_measures_say_what_the_tables_say(guard: str, seed: int) -> None:
    """The same categories, the same highest one and the same ratios in report.json, measures.csv and on the page."""
    report = audited(np.random.default_rng(seed), guard)
    assert report.form is not None
    ratios = {name: row for name, row in ratios_of(report).items() if row.impact_ratio}
    for a in report.fairness:
        if a.groups is None:
            continue
        name, best = a.groups
        row = ratios_of(report)[name] if a.title else ratios.pop(name)
        assert row.impact_ratio is not None
        assert ratios_of(report)[best].highest
        if not any(table.recorded for table in report.form.tables or ()):
            assert (a.value, a.interval) == (row.impact_ratio.value, row.impact_ratio.interval)
        stated = (Decimal("0.8"), True) if a.title else (None, False)
        assert (a.threshold, a.verdict is not None) == stated
    assert not ratios  # every category that is compared on the page
    assert Recalculation(report).assessments == report.fairness


def ratios_of(report: Report) -> dict[str, Category]:
    """The categories of all tables, by their names."""
    assert report.form is not None
    return {row.category: row for table in report.form.tables or () for row in table.categories}


@pytest.mark.parametrize(
    ("under", "small"),
    [
        (10, "1 of 18 cells and 1 of 35 categories of the form have"),
        (11, "2 of 18 cells and 2 of 35 categories of the form have"),
        (
            13,
            "2 of 18 cells and 2 of 35 categories of the form have",
        ),  # thirteen people of one category are not fewer
        (14, "2 of 18 cells and 3 of 35 categories of the form have"),
    ],
)
def test_a_refusal_counts_the_small_categories_of_the_form(under: int, small: str) -> None:
    """Not cells alone: the form prints a number for each of its categories, and few people in one are told apart."""
    document = yaml.safe_load(FORM_SPECS["ll144"].read_text(encoding="utf-8"))
    document["policy"]["small_cells"] = {"policy": "refuse", "under": under}
    with pytest.raises(Refused, match=f"{small} fewer than {under} people"):
        prepare_spec(parse_spec(yaml.safe_dump(document, allow_unicode=True)))
