"""The tables of a bias audit: New York City Local Law 144, 6 RCNY §§ 5-300 to 5-304."""

from __future__ import annotations

from atreport.analysis.categories import count_unknown, measure_categories
from atreport.population.form_groups import form_groups
from atreport.publication.forms.rows import print_category, print_people
from atreport.report.form import FormTable
from atreport.rule_table import RuleTable
from atreport.spec.models.forms import LL144Form


def tables(table: RuleTable, form: LL144Form) -> tuple[FormTable, ...]:
    """Sex, race/ethnicity, and their intersections, each compared by itself."""
    groups = list(form_groups(form, table.cells))
    names = {
        "sex": (form.sex,),
        "race": (form.race_ethnicity,),
        "intersections": (form.sex, form.race_ethnicity),
    }
    found = []
    for name, attributes in names.items():
        mine = [group for group in groups if group.attributes == attributes]
        known = [group for group in mine if not group.unknown]
        rows = measure_categories(
            table, known, may_leave_out=lambda _group: form.under_two_percent is not None
        )
        unknown = count_unknown(table, [group for group in mine if group.unknown])
        found.append(
            FormTable(
                table=name,
                attributes=attributes,
                categories=tuple(print_category(row, table.decimals) for row in rows),
                unknown_people=print_people(unknown),
            )
        )
    return tuple(found)
