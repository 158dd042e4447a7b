"""Check the ``form`` section against the template it is for: what a form must have, and attributes it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atreport.errors import Problem
from atreport.spec.models.forms import FORMS, ATRSForm, EEOCForm, Form, LL144Form
from atreport.spec.models.process import Process
from atreport.spec.problems import missing_key, unknown_attribute, validate_section
from atreport.spec.yaml import Document, KeyPath

_THIRD_PARTY = (
    "third_party",
    "companies_house_number",
    "third_party_role",
    "procurement_procedure_type",
    "third_party_data_access_terms",
)


def _template(document: Document) -> str:
    report = document.root.get("report")
    return str(report.get("template", "standard")) if isinstance(report, dict) else "standard"


def validate_form(document: Document, problems: list[Problem]) -> Form | None:
    """The form as the model of the template it is for, or None. Appends every problem found."""
    template = _template(document)
    if template in FORMS:
        found: Form | None = validate_section(FORMS[template], document, ("form",), problems)
        return found
    if template == "standard":
        hint = f"add 'template: {' | '.join(FORMS)}' to report, or remove 'form'"
        problems.append(document.problem(("form",), "the standard report has no form", hint, at_key=True))
    return None


def check_form(document: Document, form: Form | None, process: Process | None) -> Iterator[Problem]:
    """What is missing, and what makes no sense beside the process."""
    template = _template(document)
    if template in FORMS and "form" not in document.root:
        for name, field in FORMS[template].model_fields.items():
            if field.is_required():
                yield document.problem(
                    ("report", "template"),
                    f"template '{template}' needs '{name}', and there is no section 'form'",
                    f"add a section 'form' with '{name}: …'",
                )
    if isinstance(form, LL144Form) and form.data == "test" and form.test_data is None:
        yield missing_key(document, ("form",), "test_data")
    if isinstance(form, LL144Form | EEOCForm):
        yield from _numbers(document)
    if isinstance(form, ATRSForm):
        yield from _third_party(document, form)
    if process is not None:
        yield from _attributes(document, form, process)


def _numbers(document: Document) -> Iterator[Problem]:
    """Forms that print numbers of people need them published; small ones can be guarded."""
    disclosure = document.root.get("disclosure")
    population = disclosure.get("population") if isinstance(disclosure, dict) else None
    if population != "counts":
        path: KeyPath = ("report", "template") if population is None else ("disclosure", "population")
        yield document.problem(
            path,
            "this form prints numbers of people, so they must be published",
            "write 'population: counts' under disclosure; 'small_cells: suppress' under policy guards the small ones",
        )


def _third_party(document: Document, form: ATRSForm) -> Iterator[Problem]:
    owner = form.owner_and_responsibility
    if not str(owner.third_party_involvement).casefold().startswith("yes"):
        return
    for name in _THIRD_PARTY:
        if getattr(owner, name) is None:
            yield missing_key(document, ("form", "owner_and_responsibility"), name)


def _attributes(document: Document, form: Form | None, process: Process) -> Iterator[Problem]:
    """Attributes that a form names must exist, and have something to compare."""
    named: Iterable[tuple[str, KeyPath]] = ()
    if isinstance(form, LL144Form):
        named = [(form.sex, ("form", "sex")), (form.race_ethnicity, ("form", "race_ethnicity"))]
        if form.sex == form.race_ethnicity:
            yield document.problem(
                ("form", "race_ethnicity"),
                f"'{form.sex}' already holds the sex categories",
                "name another attribute",
            )
    elif isinstance(form, EEOCForm):
        several = isinstance(document.root["form"]["groups"], list)
        named = [
            (name, ("form", "groups", i) if several else ("form", "groups"))
            for i, name in enumerate(form.groups)
        ]
    for name, place in named:
        absent = list(unknown_attribute(document, process, name, place))
        yield from absent
        if not absent and len(process.attribute(name).known_values) < 2:
            yield document.problem(place, f"'{name}' has a single known value: there is nothing to compare")
