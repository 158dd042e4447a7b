"""The tables of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from atreport.analysis.categories import count_unknown, measure_categories
from atreport.analysis.recorded_numbers import recorded_numbers
from atreport.population.form_groups import form_groups
from atreport.publication.forms.rows import print_category, print_people
from atreport.report.form import FormTable
from atreport.rule_table import RuleTable
from atreport.spec.models.forms import LL144Form


def tables(table: RuleTable, form: LL144Form, recorded: bool = True) -> tuple[FormTable, ...]:
    """Sex, race/ethnicity, and their intersections, each compared by itself; of a classification, for every class."""
    if form.rate != "classification":
        return tuple(_tables(table, form, None, recorded=recorded))
    outcomes = table.cells.process.outcome.values
    return tuple(t for each in outcomes for t in _tables(table, form, each, recorded=recorded))


def _tables(table: RuleTable, form: LL144Form, outcome: str | None, *, recorded: bool) -> Iterator[FormTable]:
    """The three tables of one class, or of being selected."""
    groups = list(form_groups(form, table.cells))
    numbers = recorded_numbers(table, outcome) if recorded else None
    stated: dict[str, Any] = {} if outcome is None else {"outcome": outcome}
    if numbers is not None:
        stated["recorded"] = True
    names = {
        "sex": (form.sex,),
        "race": (form.race_ethnicity,),
        "intersections": (form.sex, form.race_ethnicity),
    }
    for name, attributes in names.items():
        mine = [group for group in groups if group.attributes == attributes]
        rows = measure_categories(
            table,
            [group for group in mine if not group.unknown],
            may_leave_out=lambda group: form.why_left_out(group.attributes, group.name) is not None,
            outcome=outcome,
            recorded=numbers,
        )
        unknown = count_unknown(table, [group for group in mine if group.unknown])
        yield FormTable(
            table=name,
            attributes=attributes,
            categories=tuple(print_category(row, table.decimals) for row in rows),
            unknown_people=print_people(unknown),
            **stated,
        )
