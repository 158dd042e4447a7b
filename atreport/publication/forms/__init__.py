"""The tables of regulators' forms, as the report has them: one module a form that has any, listed here.

A module has one function ``tables(table, form, recorded)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atreport.publication.forms import eeoc, ll144
from atreport.report.form import FormTable, PublishedForm
from atreport.rule_table import RuleTable
from atreport.spec.models.forms import Form

TABLES: dict[str, Callable[[RuleTable, Any, bool], tuple[FormTable, ...]]] = {
    "ll144": ll144.tables,
    "eeoc": eeoc.tables,
}


def print_form(table: RuleTable, template: str, form: Form, *, recorded: bool = True) -> PublishedForm:
    """A form with its fields, and its tables where it has any.

    Tables are of recorded numbers of cases where those follow from what is published; unless they are not `recorded`, as
    in forms of earlier versions.
    """
    if template not in TABLES:
        return PublishedForm(template=template, fields=form)
    return PublishedForm(template=template, fields=form, tables=TABLES[template](table, form, recorded))
