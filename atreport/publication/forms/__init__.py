"""The tables of regulators' forms, as the report has them: one module a form that has any, listed here.

A module has one function ``tables(table, form)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atreport.publication.forms import eeoc, ll144
from atreport.report.form import FormTable, PublishedForm
from atreport.rule_table import RuleTable
from atreport.spec.models.forms import Form

TABLES: dict[str, Callable[[RuleTable, Any], tuple[FormTable, ...]]] = {
    "ll144": ll144.tables,
    "eeoc": eeoc.tables,
}


def print_form(table: RuleTable, template: str, form: Form) -> PublishedForm:
    """A form with its fields, and its tables where it has any."""
    if template not in TABLES:
        return PublishedForm(template=template, fields=form)
    return PublishedForm(template=template, fields=form, tables=TABLES[template](table, form))
