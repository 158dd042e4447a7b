"""What only makes sense across sections of a spec."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from atreport.errors import SpecProblem
from atreport.forms import FORMS, Form
from atreport.spec.disclosure import one_line, translation, words_of
from atreport.spec.fairness import AnyMeasure, GroupMeasure, labels_of
from atreport.spec.policy import Policy
from atreport.spec.process import Attribute, Process, unknown_value
from atreport.spec.source import Source
from atreport.spec.spec import ReportInfo
from atreport.spec.style import COVER_TEXT, SECTION_TITLE, Style, too_long
from atreport.spec.transparency import Transparency
from atreport.spec.validation import validate_section
from atreport.spec.yaml import Document, KeyPath, did_you_mean, listed_twice

# Check the ``process`` section: names that are taken, values that stand twice, hierarchies that do not fit.

RESERVED_NAMES = ("population", "share", "announced")


def check_process(document: Document, process: Process, policy: Policy | None) -> Iterable[SpecProblem]:
    """Outcomes, attributes and values have names of their own, and something is to be protected."""
    outcome = process.outcome
    place: KeyPath = ("process", "outcome")
    if outcome.favourable not in outcome.values:
        yield document.problem(
            (*place, "favourable"),
            f"'{outcome.favourable}' is not an outcome",
            did_you_mean(outcome.favourable, outcome.values, listing="the outcomes"),
        )
    yield from listed_twice(document, (*place, "values"), outcome.values)
    taken = {
        **dict.fromkeys(_reserved_names(policy), "a column of every table"),
        **dict.fromkeys(outcome.values, "an outcome"),
    }
    for index, attribute in enumerate(process.attributes):
        path: KeyPath = ("process", "attributes", index)
        if attribute.name in taken:
            yield document.problem(
                (*path, "name"),
                f"the name '{attribute.name}' is taken: it is {taken[attribute.name]}",
                "choose another",
            )
        taken.setdefault(attribute.name, "another attribute")
        yield from listed_twice(document, (*path, "values"), attribute.values)
        yield from _check_unknown(document, attribute, path)
        yield from _check_hierarchy(document, attribute, path)
        yield from _check_ceilings(document, attribute, path)
        yield from _check_joined(document, attribute, path)
    sensitive = [index for index, attribute in enumerate(process.attributes) if attribute.role == "sensitive"]
    if not sensitive:
        yield document.problem(
            ("process", "attributes"),
            "no attribute is sensitive, so there is nothing to protect",
            "give the attribute that must not be inferred 'role: sensitive'",
            at_key=True,
        )


def _reserved_names(policy: Policy | None) -> Iterable[str]:
    """What stands beside the attributes in the published tables of cells."""
    yield from RESERVED_NAMES
    if policy is not None and policy.fidelity.bounds is not None:
        yield from ("bounds", "lower", "upper")
    if policy is not None and policy.small_cells.policy in ("round", "suppress"):
        yield "guarded"


def _check_unknown(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[SpecProblem]:
    """The value that means "unknown" is one of the values, beside at least one that is known."""
    place = (*path, "unknown")
    if attribute.unknown is not None:
        yield from unknown_value(document, attribute.unknown, attribute.values, attribute.name, place)
    if not attribute.known_values:
        message = f"'{attribute.name}' has no value but the unknown one"
        yield document.problem(place, message, "list the others too")


def _check_ceilings(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[SpecProblem]:
    """Ceilings are for values that exist, of an attribute that must not be inferred."""
    place = (*path, "ceilings")
    if attribute.ceilings and attribute.role != "sensitive":
        yield document.problem(
            place,
            f"'{attribute.name}' is {attribute.role}: only values of a sensitive attribute can have ceilings",
            "remove 'ceilings', or write 'role: sensitive'",
            at_key=True,
        )
    for value in attribute.ceilings:
        yield from unknown_value(
            document, value, attribute.values, attribute.name, (*place, value), at_key=True
        )


def _check_hierarchy(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[SpecProblem]:
    """Each level must join every value of the level below exactly once, under a new name, or alone under its own."""
    if attribute.hierarchy and attribute.role != "public":
        yield document.problem(
            (*path, "hierarchy"), "only public attributes can be made coarser", at_key=True
        )
    below = attribute.values
    seen = set(below)
    for level, parents in enumerate(attribute.hierarchy):
        place: KeyPath = (*path, "hierarchy", level)
        joined = [value for children in parents.values() for value in children]
        for value in below:
            if joined.count(value) != 1:
                often = "is missing at" if value not in joined else "is joined twice at"
                yield document.problem(place, f"'{value}' {often} level {level + 1} of the hierarchy")
        for parent, children in parents.items():
            if parent in seen and children != (parent,):
                message = f"'{parent}' is already a value below this level"
                alone = (
                    f"choose a new name; only a value that stays alone keeps its own: '{parent}: [{parent}]'"
                )
                yield document.problem((*place, parent), message, alone, at_key=True)
            for value in children:
                if value not in below:
                    hint = did_you_mean(value, below, listing="the level below")
                    yield document.problem(
                        (*place, parent), f"'{value}' is not a value of the level below", hint
                    )
        below = tuple(parents)
        seen |= set(below)


def _check_joined(document: Document, attribute: Attribute, path: KeyPath) -> Iterable[SpecProblem]:
    """A joined value is one of the values, and stands for at least two others that are not joined themselves."""
    if attribute.joined is not None and attribute.role == "sensitive":
        yield document.problem(
            (*path, "joined"),
            "of a sensitive attribute every value must be known: no promise can be made about one that stands for several",
            at_key=True,
        )
    if attribute.joined is not None and attribute.hierarchy:
        yield document.problem(
            (*path, "joined"), "an attribute has 'joined' values or a 'hierarchy', not both", at_key=True
        )
    for value, finer in (attribute.joined or {}).items():
        place: KeyPath = (*path, "joined", value)
        if value not in attribute.values or value == attribute.unknown:
            hint = did_you_mean(value, attribute.known_values, listing="its values")
            yield document.problem(
                place, f"'{value}' is not a known value of '{attribute.name}'", hint, at_key=True
            )
        if len(finer) < 2:
            yield document.problem(place, f"'{value}' must stand for two values or more", at_key=True)
        yield from listed_twice(document, place, finer)
        single = [each for each in attribute.known_values if not attribute.stands_for(each)]
        for each in finer:
            if each not in single:
                hint = did_you_mean(each, single, listing="the values that stand for themselves")
                yield document.problem(place, f"'{each}' is no value that stands for itself", hint)


# Check labels, the attributes that tell what really happened: they count in error rates, and are nothing to
# explain by.


def check_labels(
    document: Document, measures: Sequence[AnyMeasure | None], source: Source | None
) -> Iterable[SpecProblem]:
    """No other measure uses a label, decisions are recorded beside it, and people are published."""
    labels = set(labels_of(measure for measure in measures if measure is not None))
    for index, measure in enumerate(measures):
        for name in labels.intersection(() if measure is None else _explained_by(measure)):
            yield document.problem(
                ("fairness", index),
                f"'{name}' tells what really happened, so it is no attribute to compare people by",
                "only 'label' of 'measure: error_rates' may name it",
            )
    if not labels:
        return
    disclosure = document.root.get("disclosure")
    if isinstance(disclosure, dict) and disclosure.get("population") == "withheld":
        yield document.problem(
            ("disclosure", "population"),
            "error rates need the population: the rule is explained without the label, averaged over people",
            "write 'population: shares' or 'counts'",
        )
    if source is not None and source.cases is not None and source.cases.method != "frequency":
        yield document.problem(
            ("source", "records", "estimate"),
            "error rates need the recorded decisions themselves: a tree or a model does not know what really happened",
            "write 'estimate: frequency', or leave 'measure: error_rates' out",
            at_key=True,
        )


def _explained_by(measure: AnyMeasure) -> Iterable[str]:
    """The attributes by which a measure tells people apart, without its own label."""
    if not isinstance(measure, GroupMeasure):
        return measure.distance
    own = labels_of([measure])
    return [name for name in measure.attributes_used if name not in own]


# Read the ``form`` section as the template it is for, and ask for it where it is left out.
#
# What one form asks of the rest of the spec stands in that form's own file under models/forms.


def _template(document: Document) -> str:
    report = document.root.get("report")
    return str(report.get("template", "standard")) if isinstance(report, dict) else "standard"


def validate_form(document: Document, problems: list[SpecProblem]) -> Form | None:
    """The form as the model of the template it is for, or None. Appends every problem found."""
    template = _template(document)
    if template in FORMS:
        found: Form | None = validate_section(FORMS[template], document, ("form",), problems)
        return found
    if template == "standard":
        hint = f"add 'template: {' | '.join(FORMS)}' to report, or remove 'form'"
        problems.append(document.problem(("form",), "the standard report has no form", hint, at_key=True))
    return None


def check_form(document: Document, form: Form | None, process: Process | None) -> Iterator[SpecProblem]:
    """What is missing, and what makes no sense beside the process."""
    template = _template(document)
    if template in FORMS and "form" not in document.root:
        for name, field in FORMS[template].model_fields.items():
            if field.is_required() or name in FORMS[template].asked_since:
                yield document.problem(
                    ("report", "template"),
                    f"template '{template}' needs '{name}', and there is no section 'form'",
                    f"add a section 'form' with '{name}: …'",
                )
    if form is not None:
        yield from form.find_missing(document)
        yield from form.find_problems(document, process)


# Check the ``policy`` section: which of its promises cannot be had together, and what a mechanism needs.


def check_policy(document: Document, policy: Policy, process: Process | None) -> Iterable[SpecProblem]:
    """What the policy asks makes sense in itself, and beside the process (None where that is broken itself)."""
    yield from _check_objective(document, policy, process)
    yield from _check_rates(document, policy)
    yield from _check_small_cells(document, policy)
    if policy.mechanism == "calibrated":
        yield from _check_calibrated(document, policy, process)
    elif policy.grid is not None:
        yield document.problem(
            ("policy", "grid"),
            f"mechanism '{policy.mechanism}' has no grid",
            "remove 'grid', or write 'mechanism: calibrated'",
            at_key=True,
        )


def _check_objective(document: Document, policy: Policy, process: Process | None) -> Iterable[SpecProblem]:
    if policy.objective == "fidelity":
        ceilings = process is None or any(attribute.ceilings for attribute in process.attributes)
        if policy.privacy is None and not ceilings:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' needs a privacy ceiling to keep",
                "add 'privacy: {beta: …}' to policy (or lift, or odds), or 'ceilings' to a sensitive attribute",
            )
        if policy.fidelity.bounds is not None:
            yield document.problem(
                ("policy", "objective"),
                "objective 'fidelity' looks for the best delta or alpha, and bounds has neither",
                "write 'fidelity: {delta: …}' (the least fidelity you accept), or 'objective: privacy'",
            )


def _check_rates(document: Document, policy: Policy) -> Iterable[SpecProblem]:
    """How close rates are kept can be looked for, or the fidelity of single probabilities, but not both at once."""
    place: KeyPath = ("policy", "fidelity", "rates")
    if policy.fidelity.rates == "best" and policy.objective == "fidelity":
        yield document.problem(
            place,
            "'best' looks for the closest rates at one fidelity, and objective 'fidelity' looks for the fidelity",
            "write a number such as 0.99, or 'objective: privacy'",
        )
    if policy.fidelity.rates is not None and policy.mechanism == "calibrated":
        yield document.problem(
            place,
            "mechanism 'calibrated' announces the middle of a fixed interval in every cell, so it cannot keep the rates "
            "of groups",
            "remove 'rates', or write 'mechanism: optimal'",
            at_key=True,
        )


def _check_small_cells(document: Document, policy: Policy) -> Iterable[SpecProblem]:
    if policy.small_cells.policy == "suppress" and policy.unprotectable in ("suppress", "merge"):
        yield document.problem(
            ("policy", "small_cells"),
            f"'suppress' and 'unprotectable: {policy.unprotectable}' cannot be had together: leaving groups out would "
            "undo the suppression",
            "write 'small_cells: round', or 'unprotectable: refuse'",
        )


def _check_calibrated(document: Document, policy: Policy, process: Process | None) -> Iterable[SpecProblem]:
    """A grid that is fixed in advance needs one distance for all, and has no fidelity to look for."""
    place: KeyPath = ("policy", "mechanism")
    delta = policy.fidelity.delta
    if delta is None:
        written = "alpha" if policy.fidelity.alpha is not None else "bounds"
        yield document.problem(
            place,
            f"mechanism 'calibrated' cuts 0 to 1 into equal parts, so it needs delta, not {written}",
            "write 'fidelity: {delta: …}', or 'mechanism: optimal'",
        )
    elif (1 - delta).scaleb(policy.decimals) < 1:
        yield document.problem(
            place,
            f"mechanism 'calibrated' needs 1 - delta to be at least one printed step, 1e-{policy.decimals}",
            "write a lower delta or more 'decimals', or 'mechanism: optimal'",
        )
    if policy.objective == "fidelity":
        yield document.problem(
            ("policy", "objective"),
            "mechanism 'calibrated' has its grid fixed in advance, and a delta chosen by the data would not be",
            "write 'objective: privacy', or 'mechanism: optimal'",
        )
    if process is not None and len(process.outcome.values) > 2:
        yield document.problem(
            place,
            f"mechanism 'calibrated' works for two outcomes, and here are {len(process.outcome.values)}",
            "write 'mechanism: optimal'",
        )


# Check in which languages a report is made, and the ``translations`` of the spec's texts into them.

LONGEST_NAME = 80
TRANSLATED = ("report", "process", "fairness", "transparency", "disclosure", "form", "style")
"""The sections whose texts readers are shown."""


def check_languages(document: Document, info: ReportInfo | None) -> Iterator[SpecProblem]:
    """The main language is said once."""
    if info is not None and info.languages is not None and info.language != info.languages[0]:
        yield document.problem(
            ("report", "language"),
            f"the main language is the first of 'languages', '{info.languages[0]}'",
            "remove 'language', or put it first",
            at_key=True,
        )


def check_translations(document: Document, sections: Mapping[str, Any]) -> Iterator[SpecProblem]:
    """Every translation is into a language of the report, of a text of the spec, and keeps apart what is apart."""
    translations, info, process = (sections.get(key) for key in ("translations", "report", "process"))
    if not isinstance(translations, Mapping) or not isinstance(info, ReportInfo):
        return
    whole = all(sections.get(key) is not None for key in TRANSLATED if key in document.root)
    known = (
        [one_line(text) for text in texts_of(sections)] if whole and isinstance(process, Process) else None
    )
    for language, texts in translations.items():
        place: KeyPath = ("translations", language)
        if language not in info.all_languages:
            hint = f"it is made in {', '.join(info.all_languages)}; see 'languages' of report"
            yield document.problem(place, f"the report is not made in '{language}'", hint, at_key=True)
        if known is not None and isinstance(process, Process):
            for text in texts:
                if text not in known:
                    at, closest = _at(document, place, text), did_you_mean(text, known, listing="its texts")
                    yield document.problem(at, "no such text in this spec", closest, at_key=True)
            yield from _check_names(
                document, texts, [*_kept_apart(process), *_groups_kept_apart(sections)], place
            )
            if isinstance(style := sections.get("style"), Style):
                yield from _check_style(document, texts, style, place)


def texts_of(sections: Mapping[str, Any]) -> list[str]:
    """Every text of a spec that readers are shown and that may be translated, each once."""
    found: dict[str, None] = {}
    for key in TRANSLATED:
        section = sections.get(key)
        for part in section if isinstance(section, tuple) else (section,):
            if isinstance(part, BaseModel):
                found |= dict.fromkeys(words_of(part))
    return list(found)


def _check_names(
    document: Document, texts: Mapping[str, str], kept_apart: Iterable[Sequence[str]], place: KeyPath
) -> Iterator[SpecProblem]:
    """Names are short, and two names of the same kind stay two."""
    change = translation(texts)
    for names in kept_apart:
        seen: dict[str, str] = {}
        for name in names:
            new = change(name)
            at = _at(document, place, one_line(name))
            if name != new and (len(new) > LONGEST_NAME or "\n" in new or "\t" in new):
                message = f"a name may have at most {LONGEST_NAME} characters, and no tab or line break"
                yield document.problem(at, message)
            if seen.setdefault(new, name) != name:
                message = f"'{seen[new]}' and '{name}' would both be called '{new}'"
                yield document.problem(at, message, "readers could not tell them apart; choose another word")


def _check_style(
    document: Document, texts: Mapping[str, str], style: Style, place: KeyPath
) -> Iterator[SpecProblem]:
    """What has to fit into its place on the page has to do so in every language."""
    change = translation(texts)
    titles = [(section.title, SECTION_TITLE) for section in style.sections]
    for text, place_of_it in (*titles, *([(style.cover, COVER_TEXT)] if style.cover else ())):
        new = change(text)
        if new != text and (message := too_long(new, *place_of_it)):
            yield document.problem(_at(document, place, one_line(text)), message)


def _kept_apart(process: Process) -> Iterable[list[str]]:
    """Names that readers must be able to tell from one another."""
    yield [attribute.title for attribute in process.attributes]
    yield list(process.outcome.values)
    for attribute in process.attributes:
        coarser = [value for level in attribute.hierarchy for value in level]
        finer = [value for values in (attribute.joined or {}).values() for value in values]
        yield list(dict.fromkeys((*attribute.values, *coarser, *finer)))


def _groups_kept_apart(sections: Mapping[str, Any]) -> Iterable[list[str]]:
    """The same of the groups that a measure names, and of the quantities that are explained."""
    for measure in sections.get("fairness", ()):
        if isinstance(measure, GroupMeasure) and isinstance(measure.groups, dict):
            yield list(measure.groups)
    transparency = sections.get("transparency")
    if isinstance(transparency, Transparency):
        yield [quantity.title for quantity in transparency.influence.quantities]


def _at(document: Document, place: KeyPath, text: str) -> KeyPath:
    """The place of a translation, whatever white space its text was written with."""
    written = next(
        (key[-1] for key in document.key_places if key[:-1] == place and one_line(str(key[-1])) == text), text
    )
    return (*place, written)


# Questions that ``atreport init`` left in a spec for its author: until they are answered, nothing is made of
# it.
#
# A question is a text that begins with two question marks and a blank, in the place of its answer:
# ``favourable: "?? Fail or Pass"``.

MARK = "?? "
"""How an open question begins."""


def questions_first(document: Document, problems: Sequence[SpecProblem]) -> list[SpecProblem]:
    """A problem at each question that is still open, and the other problems with the spec.

    Where a question stands, and in what it is part of, nothing else is wrong that could be told before it is answered.
    """
    asked = list(_questions(document.root, ()))
    parts = {path[:length] for path, _ in asked for length in range(1, len(path) + 1)}
    places = {
        each[path] for each in (document.value_places, document.key_places) for path in parts if path in each
    }
    return [
        *(
            document.problem(
                path,
                f"a question is still open: {question}",
                "write your answer here, in the place of the question",
            )
            for path, question in asked
        ),
        *(p for p in problems if (p.location.line, p.location.column) not in places),
    ]


def _questions(value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _questions(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _questions(inner, (*path, index))
    elif isinstance(value, str) and value.startswith(MARK):
        yield path, " ".join(value.removeprefix(MARK).split())
