"""The registries of explanations: whoever adds a method is told which part is still missing."""

from pathlib import Path
from typing import Any, get_args

import pytest

from atreport import explain as analysis
from atreport.explain import INFLUENCES, RULES, Method, explain_rule
from atreport.pages.explanations import SHOWN
from atreport.report.explanation import KINDS, SCHEMES, Kind, Scheme
from atreport.spec.transparency import AskedInfluence, Dependence, RuleSchemes, Transparency
from tests.assessing import prepared_case

RECORD = {"gender": "F", "income": "<100k"}
ASKED_BY: dict[str, dict[str, Any]] = {
    "rules": {
        "exact": True,
        "tree": 2,
        "linear": True,
        "logistic": True,
        "regions": 2,
        "anchors": [{"record": RECORD}],
    },
    "influence": {
        "permutation": True,
        "firm": True,
        "qii": True,
        "shapley": True,
        "local_weights": [RECORD],
    },
}
"""For each key that asks for a method, a value that does."""

PARAMETERS = {"quantities", "sets", "samples"}
"""Keys that say how, and ask for nothing themselves."""

NOTHING: dict[str, dict[str, Any]] = {
    "rules": {"exact": False},
    "influence": {"permutation": False, "qii": False},
}

LISTED = {method.kind: method for family in (*RULES, *INFLUENCES) for method in family.methods}
BESIDE_METHODS = {"__init__", "explanation", "interventions"}


def asked(section: str, **entry: Any) -> Transparency:
    """A spec that asks for one thing alone."""
    return Transparency.model_validate({**NOTHING, section: {**NOTHING.get(section, {}), **entry}})


def kinds_asked(spec: Transparency) -> set[str]:
    """The kinds of the methods that a spec asks for."""
    return {kind for kind, method in LISTED.items() if method.is_asked(spec)}


def missing_parts(method: Method) -> list[str]:
    """What a method still lacks: the word of report.json, its words in the schema, the page."""
    described = SCHEMES if method.kind in get_args(Scheme) else KINDS
    parts = {
        "literal": method.kind in (*get_args(Kind), *get_args(Scheme)),
        "definition": f"{method.kind}: " in described,
        "page": sum(method.kind in shown.terms for shown in SHOWN) == 1,
    }
    return [part for part, there in parts.items() if not there]


@pytest.mark.parametrize("kind", LISTED)
def test_method_is_whole(kind: str) -> None:
    """A method has a definition in the schema of report.json, and one block that shows it."""
    assert missing_parts(LISTED[kind]) == []  # type: ignore[index]


def test_what_is_missing_is_found() -> None:
    """The walk is no formality: of a method that is nowhere else, it names every part."""
    nonsense = Method("nonsense", lambda _: (), lambda _: True)  # type: ignore[arg-type]
    assert missing_parts(nonsense) == ["literal", "definition", "page"]


def test_every_kind_is_listed() -> None:
    """What report.json may hold, what analysis finds and what pages show are the same kinds, each listed once."""
    listed = [method.kind for family in (*RULES, *INFLUENCES) for method in family.methods]
    assert len(listed) == len(LISTED)
    assert {m.kind for family in RULES for m in family.methods} == set(get_args(Scheme))
    assert {m.kind for family in INFLUENCES for m in family.methods} == set(get_args(Kind))
    shown = [kind for each in SHOWN for kind in each.terms]
    assert sorted(shown) == sorted(listed)


def test_every_file_is_listed() -> None:
    """A method whose file is there but is in no list would never be seen."""
    methods = {path.stem for path in Path(analysis.__file__).parent.glob("*.py")} - BESIDE_METHODS
    assert methods == {m.explain.__module__.rsplit(".", 1)[1] for m in LISTED.values()}


def test_every_key_of_the_spec_asks_for_one_method() -> None:
    """A key of the spec is a parameter or asks for exactly one method, and no method is asked for by nothing."""
    found: list[str] = []
    for section, model in (("rules", RuleSchemes), ("influence", AskedInfluence)):
        assert set(model.model_fields) - PARAMETERS == set(ASKED_BY[section])
        for key, value in ASKED_BY[section].items():
            (kind,) = kinds_asked(asked(section, **{key: value}))
            found.append(kind)
    (curves,) = (get_args(each)[0] for each in [Dependence.model_fields["curves"].annotation])
    for curve in get_args(curves):
        assert kinds_asked(asked("dependence", curves=[curve])) == {curve}
        found.append(curve)
    assert sorted(found) == sorted(LISTED)
    assert kinds_asked(Transparency.model_validate(NOTHING)) == set()


@pytest.mark.parametrize("section", ASKED_BY)
def test_a_method_finds_what_it_says(section: str) -> None:
    """Asked for alone, each method finds something on the example, of its own kind and of no other."""
    rule = prepared_case("credit_card").announcement.rule
    people = {"quantities": [{"title": "Women", "group": {"gender": "F"}}]} if section == "influence" else {}
    for key, value in ASKED_BY[section].items():
        spec = asked(section, **{key: value}, **people)
        found = explain_rule(rule, spec)
        kinds = {each.scheme for each in found.rules} | {each.kind for each in found.influence}
        assert kinds == kinds_asked(spec), key
