"""The registries of the spec: whoever adds a measure or a form is told which part is still missing."""

import inspect
import re
from importlib import import_module
from inspect import isclass
from pathlib import Path
from pkgutil import walk_packages
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from atreport import forms
from atreport.errors import InvalidInput
from atreport.forms import FORMS, Template
from atreport.forms.fields import RegulatorForm
from atreport.forms.written import WrittenForm, every_field
from atreport.spec import fairness
from atreport.spec.fairness import MEASURES
from atreport.spec.load import load_spec, parse_spec
from atreport.spec.values import Section
from tests.example import changed
from tests.finding import found
from tests.forms import FORM_SPECS

DOCS = (Path(__file__).parents[2] / "docs" / "spec.md").read_text(encoding="utf-8")

# For each measure, the keys that name an attribute, here one that does not exist.
NAMES_A_STRANGER = {
    "statistical_parity": "groups: stranger",
    "conditional_statistical_parity": "groups: gender, given: stranger",
    "p_percent_rule": "groups: {all: {stranger: F}, men: {gender: M}}",
    "impact_ratio": "groups: [gender, stranger]",
    "odds_ratio": "groups: stranger",
    "group_disparity": "groups: stranger",
    "error_rates": "groups: gender, label: stranger",
    "individual": "distance: {stranger: 1}",
}


@pytest.mark.parametrize("name", MEASURES)
def test_measure_is_documented(name: str) -> None:
    """A measure has a row in docs/spec.md, with all its keys but those that every measure has."""
    row = found(rf"^\| `{name}` \|.*$", DOCS, re.M)
    assert all(
        f"`{key}`" in row.group() for key in {*MEASURES[name].model_fields} - {"measure", "title", "headline"}
    )


@pytest.mark.parametrize("name", FORMS)
def test_form_is_documented(name: str) -> None:
    """A form has an example, and a chapter in docs/spec.md with all its keys, those in its sections too."""
    chapter, model = found(rf"^### {name}: .*?(?=^##|\Z)", DOCS, re.M | re.S), FORMS[name]
    inner = every_field(model.written.fields) if issubclass(model, WrittenForm) else ()
    assert all(
        f"`{key}`" in chapter.group() for key in {*model.model_fields, *(path[-1] for path, _ in inner)}
    )
    assert name in FORM_SPECS


def test_every_file_is_listed() -> None:
    """A measure or form that is there but is not in the list would be refused as unknown."""
    entries = [each for each in vars(fairness).values() if isclass(each) and issubclass(each, Section)]
    entries = [each for each in entries if "measure" in each.model_fields]
    named = {get_args(each.model_fields["measure"].annotation) for each in entries} - {()}
    assert named == {(name,) for name in MEASURES}
    files = {path.stem for path in Path(forms.__file__).parent.glob("*.*")}
    assert files - {"__init__", "fields", "written"} == {*FORMS}
    assert get_args(Template) == ("standard", *FORMS)


@pytest.mark.parametrize("name", MEASURES)
def test_measure_refuses_attributes_that_do_not_exist(name: str) -> None:
    """Every measure looks at the attributes it names; one that did not would crash in the analysis."""
    entry = f"{{measure: {name}, {NAMES_A_STRANGER[name]}}}"
    with pytest.raises(InvalidInput) as caught:
        parse_spec(changed(("{measure: statistical_parity, groups: gender, threshold: 0.3}", entry)))
    assert [problem.message for problem in caught.value.problems] == ["there is no attribute 'stranger'"]
    assert caught.value.problems[0].location.line == 27


@pytest.mark.parametrize("name", MEASURES)
def test_measure_is_published_as_written_where_no_values_were_joined(name: str) -> None:
    """The way to the announced values changes nothing where there is nothing to change."""
    known = NAMES_A_STRANGER[name].replace("given: stranger", "given: income").replace("stranger", "gender")
    known = known.replace("[gender, gender]", "[gender, income]")
    known = known.replace("label: gender", "label: repaid, positive: yes")
    entry = f"{{measure: {name}, {known}}}"
    label = "- {name: repaid, role: private, values: [no, yes]}\n    - {name: gender"
    more = [("- {name: gender", label)] if name == "error_rates" else []
    text = changed(("{measure: statistical_parity, groups: gender, threshold: 0.3}", entry), *more)
    spec = parse_spec(text.replace("- {gender: ", "- {repaid: yes, gender: ") if more else text)
    assert isinstance(spec.fairness[0], MEASURES[name])
    assert spec.public.fairness == spec.fairness


@pytest.mark.parametrize("name", FORMS)
def test_form_prints_tables_of_attributes_that_exist(name: str) -> None:
    """The groups that a form prints are known before any figure, so that small ones can be guarded."""
    spec = load_spec(FORM_SPECS[name])
    assert isinstance(spec.form, FORMS[name])
    names = {attribute.name for attribute in spec.process.attributes}
    assert {each for table in spec.form.tables_of_groups for each in table} <= names
    overridden = inspect.getattr_static(FORMS[name], "tables_of_groups") is not inspect.getattr_static(
        RegulatorForm, "tables_of_groups"
    )
    assert bool(spec.form.tables_of_groups) == overridden


FAMILIES = "atreport.pages.explanations."
"""Each module there has the words of a few methods; that every method has some is a test of its own."""


def words_missing(name: str) -> set[str]:
    """Of the tables of a module that are looked up by a word of a closed list: words that have no entry."""
    module = import_module(name)
    tables = {
        variable: get_type_hints(SimpleNamespace(__annotations__={variable: kind}), vars(module))[variable]
        for variable, kind in getattr(module, "__annotations__", {}).items()
        if str(kind).startswith("dict[")
    }
    return {
        f"{name}: {variable}[{word!r}]"
        for variable, kind in tables.items()
        for word in words_of(get_args(kind)[0]) - getattr(module, variable).keys()
    }


def words_of(kind: Any) -> set[Any]:
    """The words of a closed list, such as Literal["a", "b"] | None."""
    if get_origin(kind) is Literal:
        return {*get_args(kind)}
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else ()
    return {None if part is NoneType else word for part in parts for word in words_of(part) or {part}}


def test_tables_that_are_looked_up_by_a_word_have_an_entry_for_each() -> None:
    """A table by the words of a closed list would end a build in a KeyError where one word has no entry."""
    import atreport

    modules = [each.name for each in walk_packages(atreport.__path__, "atreport.")]
    missing = set().union(*(words_missing(name) for name in modules if not name.startswith(FAMILIES)))
    assert missing == {
        "atreport.pages.sections.summary: _WORSE['certain']",  # which has words of its own
        "atreport.measures.error_rates: _PARTS['predictive_parity']",  # no difference of parts
        "atreport.private.proposal.column_profile: WHY_LEFT_OUT['category']",  # these two are not left out
        "atreport.private.proposal.column_profile: WHY_LEFT_OUT['number']",
    }
