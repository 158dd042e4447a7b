"""Forms: each mandatory field is asked for at its line, and each may be withheld, with the reason."""

import pickle
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from pydantic import BaseModel

from atreport.errors import InvalidInput
from atreport.forms import FORMS
from atreport.forms.fields import Surroundings, WithheldField
from atreport.forms.written import WrittenSection
from atreport.spec.load import parse_spec
from tests.forms import FORM_SPECS, HAND_WORKED


def mandatory(model: type[BaseModel], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every mandatory field of a form, those of its sections included: of optional ones too, which are whole or absent."""
    for name, field in model.model_fields.items():
        several = get_args(field.annotation)
        kinds = several if type(None) in several else (field.annotation,)
        sections = [each for each in kinds if isinstance(each, type) and issubclass(each, BaseModel)]
        section = next((each for each in sections if each is not WithheldField), None)
        if section is not None and (field.is_required() or issubclass(section, WrittenSection)):
            yield from mandatory(section, (*path, name))
        if (section is None and field.is_required()) or name in getattr(model, "asked_since", ()):
            yield (*path, name)


EVERY_FIELD = [(template, path) for template, model in FORMS.items() for path in mandatory(model)]


def text_of(template: str) -> str:
    """An example spec without the data files it may name."""
    return FORM_SPECS[template].read_text(encoding="utf-8")


def edited(text: str, path: tuple[str, ...], replacement: str | None) -> tuple[str, int]:
    """The spec with one field of the form replaced, or without it; and the line of the section it belongs to."""
    lines = text.splitlines()
    start = lines.index("form:")
    section = start
    for depth, key in enumerate(path, start=1):
        heading = "  " * depth + key + ":"
        start = next(i for i in range(start + 1, len(lines)) if lines[i].startswith(heading))
        if depth < len(path):
            section = start
    end = start + 1
    indent = "  " * len(path)
    while end < len(lines) and (not lines[end] or lines[end].startswith(indent + " ")):
        end += 1
    lines[start:end] = [] if replacement is None else [f"{indent}{path[-1]}: {replacement}"]
    return "\n".join(lines) + "\n", section + 1


@pytest.mark.parametrize(("template", "path"), EVERY_FIELD, ids=lambda value: str(value))
def test_a_missing_field_is_an_error_at_its_section(template: str, path: tuple[str, ...]) -> None:
    """One problem, at the line of the section that lacks the field, saying what to add."""
    text, line = edited(text_of(template), path, None)
    with pytest.raises(InvalidInput) as error:
        parse_spec(text, FORM_SPECS[template])
    (problem,) = error.value.problems
    assert problem.location.line == line
    assert f"'{path[-1]}' is missing" in problem.message
    assert f"add '{path[-1]}: …'" in (problem.hint or "")


CHOICES = {
    "sex",
    "race_ethnicity",
    "rate",
    "data",
    "groups",
    "datasets",
    "impact_level",
    "front",
    "model_specification",
    "provider_entry",
}  # what the figures are made from, and sections as a whole, cannot be withheld


NAMES = {("model", "name"), ("model", "version")}  # what a card is about
NEEDS_ALL = {
    "algoritmeregister",
    "adverse_action",
}  # an entry or a notice without its mandatory fields is none


@pytest.mark.parametrize(
    ("template", "path"),
    [(t, p) for t, p in EVERY_FIELD if p[-1] not in CHOICES and p not in NAMES and t not in NEEDS_ALL],
    ids=lambda value: str(value),
)
def test_every_field_may_be_withheld_with_a_reason(template: str, path: tuple[str, ...]) -> None:
    """The reason is kept, and printed as "Withheld, because …"."""
    text, _ = edited(text_of(template), path, "{withheld: because the law forbids it}")
    field: object = parse_spec(text, FORM_SPECS[template]).form
    for key in path:
        field = getattr(field, key)
    assert isinstance(field, WithheldField)
    assert str(field) == "Withheld, because the law forbids it"


@pytest.mark.parametrize("template", FORMS)
def test_a_form_is_the_same_in_another_process(template: str) -> None:
    """Files are made there, of models that stand in no module; a report with a form would not get across."""
    form = parse_spec(text_of(template), FORM_SPECS[template]).form
    assert form is not None
    assert pickle.loads(pickle.dumps(form)) == form


@pytest.mark.parametrize("template", FORMS)
def test_without_the_section_every_field_is_asked_for_at_the_template(template: str) -> None:
    """All at once, at the line that chose the form."""
    text = text_of(template)
    text = text[: text.index("\nform:") + 1]
    line = next(i for i, each in enumerate(text.splitlines(), start=1) if each.startswith("  template:"))
    with pytest.raises(InvalidInput) as error:
        parse_spec(text, FORM_SPECS[template])
    form = FORMS[template]
    required = [
        name for name, field in form.model_fields.items() if field.is_required() or name in form.asked_since
    ]
    assert {p.location.line for p in error.value.problems} == {line}
    assert {re.findall(r"needs '(\w+)'", p.message)[0] for p in error.value.problems} == set(required)


# name: (edits of the hand-worked spec, line, words of the message)
BROKEN = {
    "form without a template": ((", template: ll144", ""), 21, "the standard report has no form"),
    "unknown template": (("template: ll144", "template: ll145"), 2, "'ll145' is not allowed here"),
    "unknown attribute": (("  sex: sex\n", "  sex: gender\n"), 22, "no attribute 'gender'"),
    "one attribute twice": (("race_ethnicity: race", "race_ethnicity: sex"), 23, "already holds the sex"),
    "numbers not published": (("population: counts", "population: shares"), 20, "prints numbers of people"),
    "test data unexplained": (("data: historical", "data: test"), 21, "'test_data' is missing"),
    "unknown value": (
        ("[F, M, unknown], unknown: unknown", "[F, M, unknown], unknown: U"),
        8,
        "'U' is not a value",
    ),
    "bad date": (("audit_date: 2026-01-01", "audit_date: soon"), 26, "'soon' is not a date"),
    "withheld without a reason": (("auditor: Auditor", "auditor: {withheld: }"), 28, "a text is missing"),
    "small cells": (("decimals: 4}", "decimals: 4, small_cells: hide}"), 19, "'hide' is not allowed here"),
    "threshold": (("decimals: 4}", "decimals: 4, small_cells: {under: 1}}"), 19, "at least 2"),
    "suppressed twice": (
        ("decimals: 4}", "decimals: 4, small_cells: suppress, unprotectable: merge}"),
        19,
        "cannot be had together",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_misuse_is_answered_at_its_line(name: str) -> None:
    """What makes no sense is said where it stands."""
    (old, new), line, words = BROKEN[name]
    assert old in HAND_WORKED
    with pytest.raises(InvalidInput) as error:
        parse_spec(HAND_WORKED.replace(old, new, 1))
    assert any(p.location.line == line and words in p.message for p in error.value.problems), str(error.value)


INVOLVED = ('third_party_involvement: "Yes"', 'third_party_involvement: "No"')
LESS_IMPACT = ("impact_level: II", "impact_level: I")


@pytest.mark.parametrize(
    ("template", "path", "otherwise"),
    [
        ("atrs", ("owner_and_responsibility", "third_party_role"), INVOLVED),
        ("canada_adm", ("bias", "gba_plus"), LESS_IMPACT),
        ("canada_adm", ("bias", "peer_review"), LESS_IMPACT),
    ],
)
def test_some_fields_are_asked_for_where_another_says_so(
    template: str, path: tuple[str, ...], otherwise: tuple[str, str]
) -> None:
    """Who the third party is, where one is involved; a review, and a gender-based analysis, from impact level II on."""
    text, line = edited(text_of(template), path, None)
    with pytest.raises(InvalidInput) as error:
        parse_spec(text, FORM_SPECS[template])
    (problem,) = error.value.problems
    assert problem.location.line == line
    assert f"'{path[-1]}' is missing" in problem.message
    assert otherwise[0] in text
    assert parse_spec(text.replace(*otherwise), FORM_SPECS[template]).form is not None


@pytest.mark.parametrize("template", ["ll144", "eeoc"])
def test_a_rule_is_about_a_field_that_exists(template: str) -> None:
    """A misspelt path would never be warned of; of forms that are written down, a rule stands with its field."""
    assert FORMS[template].required_by.keys() <= FORMS[template].model_fields.keys()


@pytest.mark.parametrize(
    ("template", "path", "asks"),
    [
        ("ai_act", "impact_assessment.risks", "Article 27(1)(d) of the AI Act"),
        ("ai_act", "registration.submitted_by", "Annex VIII, section C, point 2, of the AI Act"),
        ("canada_adm", "explanation.data.fr", "Appendix C, explanation, of the directive"),
        ("gdpr15", "recipients", "Article 15(1)(c) of the GDPR (by name, as a rule: C-154/21)"),
        ("atrs", "deployment_context.human_review", "the template of the standard (mandatory for the bodies and tools in its scope)"),
    ],
)  # fmt: skip
def test_withholding_what_a_rule_asks_for_is_warned_of(template: str, path: str, asks: str) -> None:
    """By its place in the form; and nothing else in the example is warned of."""
    text, _ = edited(text_of(template), tuple(path.split(".")), "{withheld: because it is secret}")
    form, example = (parse_spec(each, FORM_SPECS[template]).form for each in (text, text_of(template)))
    around = Surroundings.__new__(Surroundings)
    assert form is not None
    assert example is not None
    warned = set(form.warnings(around)) - set(example.warnings(around))
    assert warned == {f"form.{path} is withheld, and {asks} asks for it"}
