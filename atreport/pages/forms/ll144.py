"""Turn a release into the summary of results of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from atreport.analysis.categories import Category, People, categories, entry, is_certain, people_in
from atreport.announcement import Release
from atreport.kit.numbers import counted, full_percent, full_percent_interval
from atreport.kit.tables import Cell, Column, Table, table
from atreport.pages.cover import make_cover, paragraphs
from atreport.pages.forms.form_context import (
    FormContext,
    FormSection,
    FormTable,
    announced_notice,
    checking_section,
    form_field,
    notes_section,
)
from atreport.pages.notes import Note
from atreport.population.form_groups import FormGroup, form_groups
from atreport.spec.models.forms import LL144Form
from atreport.spec.models.spec import PublicSpec


@dataclass(frozen=True, kw_only=True)
class AuditTable:
    """One of the three tables of the summary."""

    id: str
    title: str
    attributes: tuple[str, ...]
    rows: tuple[Category, ...]
    unknown: People


def audit_tables(release: Release, form: LL144Form) -> tuple[AuditTable, ...]:
    """Sex, race/ethnicity, and their intersections, each compared by itself."""
    groups = list(form_groups(form, release.cells))
    titles = {
        (form.sex,): ("sex", "Sex categories"),
        (form.race_ethnicity,): ("race", "Race/ethnicity categories"),
        (form.sex, form.race_ethnicity): ("intersections", "Intersectional categories"),
    }
    tables = []
    for attributes, (name, title) in titles.items():
        mine = [group for group in groups if group.attributes == attributes]
        known = [group for group in mine if not group.unknown]
        tables.append(
            AuditTable(
                id=name,
                title=title,
                attributes=attributes,
                rows=categories(release, known, leave_out_small=form.under_two_percent is not None),
                unknown=unknown_people(release, [group for group in mine if group.unknown]),
            )
        )
    return tuple(tables)


def unknown_people(release: Release, groups: Sequence[FormGroup]) -> People:
    """How many people are in an unknown category, as published."""
    if not groups:
        return People(published=0, fewest=0, most=0)
    mask = groups[0].cells.copy()
    for group in groups[1:]:
        mask |= group.cells
    return people_in(release, FormGroup(values={}, cells=mask, unknown=True))


def ll144_context(release: Release, spec: PublicSpec, notes: Sequence[Note]) -> FormContext:
    """The summary of results as text."""
    form = spec.form
    assert isinstance(form, LL144Form)
    tables = audit_tables(release, form)
    return FormContext(
        cover=make_cover(spec),
        subtitle=f"Summary of the results of a bias audit of “{form.tool}”"
        if isinstance(form.tool, str)
        else "Summary of the results of a bias audit",
        notice=announced_notice(release, "The rules of New York City ask for the rates of every category."),
        sections=(
            _audit(spec, form),
            FormSection(
                id="results",
                title="2. Results",
                text=(_how_to_read(form), *_conflict(release, tables)),
                tables=tuple(
                    FormTable(table=_table(release, form, each), remarks=_remarks(form, each))
                    for each in tables
                ),
            ),
            *_unknown_section(tables),
            notes_section(notes),
            checking_section(("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def ll144_entry(release: Release, form: LL144Form) -> list[dict[str, object]]:
    """The tables as report.json has them."""
    return [
        {
            "table": each.id,
            "attributes": list(each.attributes),
            "categories": [entry(row) for row in each.rows],
            "unknown_people": {
                "published": each.unknown.published,
                "interval": [each.unknown.fewest, each.unknown.most],
            },
        }
        for each in audit_tables(release, form)
    ]


def _audit(spec: PublicSpec, form: LL144Form) -> FormSection:
    kind = {"historical": "Historical data of the tool (§ 5-302 (a))", "test": "Test data (§ 5-302 (b))"}[
        form.data
    ]
    fields = [
        ("Automated employment decision tool", form.tool),
        ("Date of the most recent bias audit", form.audit_date),
        ("Distribution date of the tool", form.distribution_date),
        ("Independent auditor", form.auditor),
        ("Employer or employment agency", spec.report.publisher),
        ("Kind of data", kind),
        ("Source and explanation of the data", form.data_source),
    ]
    if form.test_data is not None:
        fields.append(("Why test data, and how it was generated and obtained", form.test_data))
    return FormSection(
        id="audit",
        title="1. The audit",
        text=paragraphs(spec.process.description),
        fields=tuple(form_field(label, value) for label, value in fields),
    )


def _how_to_read(form: LL144Form) -> str:
    rate = (
        "The selection rate is the share of a category’s applicants who were selected."
        if form.rate == "selection"
        else "The scoring rate is the share of a category’s applicants whose score is above the median score of the sample."
    )
    return (
        f"{rate} The impact ratio is a category’s rate divided by the highest rate of the categories in the same table "
        "that take part in the comparison. It is calculated separately for sex, for race/ethnicity, and for their "
        "intersections. It helps to assess the tool; it is no legal finding."
    )


def _conflict(release: Release, tables: Sequence[AuditTable]) -> tuple[str, ...]:
    """Where the rules ask for exact numbers of few people, what was decided."""
    account = release.small_cells
    rows = [row for each in tables for row in each.rows]
    guarded = [row for row in rows if not row.people.is_exact]
    small = guarded or [row for row in rows if 0 < row.people.fewest < account.under]
    if not small:
        return ()
    certain = sum(is_certain(row.rate) for row in small)
    told = (
        f" In {counted(certain, 'of these rows', 'of these rows')} the announced rate is exactly 0% or 100%, which may tell "
        "the outcome of everybody in it."
        if certain
        else ""
    )
    conflict = "Two duties conflict here: the rules ask for the number of applicants of every category, and"
    if not guarded:
        return (
            f"{conflict} {counted(len(small), 'row has', 'rows have')} fewer than {account.under} people, who could be "
            f"recognised.{told} The publisher has chosen to print the numbers as the rules ask.",
        )
    how = "rounded" if account.policy == "round" else "suppressed"
    return (
        f"{conflict} numbers of fewer than {account.under} people can give those people away. The publisher has chosen to "
        f"protect them: in {counted(len(small), 'row')} the number is {how}, with the range that is left open beside "
        f"it.{told}",
    )


def _table(release: Release, form: LL144Form, each: AuditTable) -> Table:
    titles = [release.cells.process.attribute(name).title for name in each.attributes]
    selection = form.rate == "selection"
    return table(
        f"ll144-{each.id}",
        each.title,
        [
            Column(" · ".join(titles), names_row=True),
            Column("Applicants", numeric=True),
            *([Column("Selected, as announced", numeric=True)] if selection else []),
            Column("Selection rate" if selection else "Scoring rate", numeric=True),
            Column("Exact rate lies in", numeric=True),
            Column("Impact ratio", numeric=True),
            Column("Exact ratio lies in", numeric=True),
        ],
        [
            [
                row.name,
                row.people.text,
                *(
                    [row.selected.text if row.people.published is not None else "suppressed"]
                    if selection
                    else []
                ),
                *(
                    (full_percent(row.rate.value), full_percent_interval(row.rate.low, row.rate.high))
                    if row.rate
                    else ("nobody", "–")
                ),
                *_ratio_cells(row),
            ]
            for row in each.rows
        ],
    )


def _ratio_cells(row: Category) -> tuple[str | Cell, str]:
    if row.ratio is None:
        return ("left out (under 2%)" if row.rate and row.under_two_percent else "none"), "–"
    best = " (highest)" if row.is_highest else ""
    return f"{row.ratio.value:f}{best}", f"{row.ratio.low:f} to {row.ratio.high:f}"


def _remarks(form: LL144Form, each: AuditTable) -> tuple[str, ...]:
    remarks = []
    left_out = [row.name for row in each.rows if row.ratio is None and row.rate and row.under_two_percent]
    if left_out and form.under_two_percent is not None:
        remarks.append(
            f"{', '.join(left_out)} {'is' if len(left_out) == 1 else 'are'} under 2% of the data and left out "
            "of the impact ratio, also as the highest rate; number and rate are printed all the same. "
            f"Justification: {form.under_two_percent.because}"
        )
    who = {"sex": "sex", "race": "race/ethnicity", "intersections": "sex or race/ethnicity"}[each.id]
    remarks.append(
        f"{each.unknown.text} {'person is' if each.unknown.text == '1' else 'people are'} not in this table "
        f"because their {who} is unknown."
    )
    return tuple(remarks)


def _unknown_section(tables: Sequence[AuditTable]) -> tuple[FormSection, ...]:
    rows = [(each, row) for each in tables for row in each.rows if row.unknown is not None]
    if not rows:
        return ()
    return (
        FormSection(
            id="unknown",
            title="3. What the unknown could change",
            text=(
                "Each person of unknown category belongs to one of the categories. The table shows the lowest and the "
                "highest impact ratio, of the announced figures, that any distribution of them would give.",
            ),
            tables=(
                FormTable(
                    remarks=_bounds_only(row for _, row in rows),
                    table=table(
                        "ll144-unknown",
                        "Impact ratio over all ways in which the unknown might be distributed",
                        [
                            Column("Table", names_row=True),
                            Column("Category", names_row=True),
                            Column("As announced", numeric=True),
                            Column("At worst", numeric=True),
                            Column("At best", numeric=True),
                        ],
                        [
                            [
                                each.title,
                                row.name,
                                f"{row.ratio.value:f}" if row.ratio else "–",
                                f"{row.unknown.low:f}",
                                f"{row.unknown.high:f}",
                            ]
                            for each, row in rows
                            if row.unknown is not None
                        ],
                    ),
                ),
            ),
        ),
    )


def _bounds_only(rows: Iterable[Category]) -> tuple[str, ...]:
    if all(row.unknown is None or row.unknown.is_exact for row in rows):
        return ()
    return (
        "Where the distributions are too many to go through, these are bounds: no distribution gives a ratio outside, but "
        "the ends may not be reached.",
    )
