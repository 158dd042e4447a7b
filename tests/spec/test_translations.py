"""The languages of a report, and the translations of the publisher's own texts: what is accepted, and what is refused where."""

import pytest

from atreport.errors import InvalidInput
from atreport.spec.checks import texts_of
from atreport.spec.disclosure import exchange_words, translation, words_of
from atreport.spec.load import load_spec, spec_of
from tests.assessing import CASES, SPECS, report_case
from tests.example import example_spec

DATE = "date: 2026-01-15\n"


def _with(languages: str, translations: str = "") -> tuple[tuple[str, str], ...]:
    edits = [(DATE, f"{DATE}  {languages}\n")]
    if translations:
        edits.append(("disclosure:\n", f"translations:\n{translations}disclosure:\n"))
    return tuple(edits)


def test_the_first_language_is_the_main_one() -> None:
    """Without it, report.html would be in no language that anybody chose."""
    spec = example_spec(*_with("languages: [fr-CA, en]"))
    assert (spec.report.language, spec.report.all_languages) == ("fr-CA", ("fr-CA", "en"))
    assert spec_of(spec.model_copy()).report == spec.report
    assert example_spec().report.all_languages == ("en",)


@pytest.mark.parametrize(
    ("languages", "column", "words"),
    [
        ("languages: [en]", 14, "write 'language: en'"),
        ("languages: []", 14, "name the languages"),
        ("languages: en", 14, "expected a list"),
        ("languages: [en, es]", 19, "do not exist in 'es'; write one of en (English), fr"),
        ("languages: [fr, fr-CA]", 14, "named twice"),
        ("language: fr-../x", 13, "no tag of a language"),
    ],
)
def test_wrong_languages_are_refused_at_their_place(languages: str, column: int, words: str) -> None:
    """A language that nobody can read, or a name that no file can have."""
    with pytest.raises(InvalidInput) as refused:
        example_spec(*_with(languages))
    (problem,) = refused.value.problems
    assert (problem.location.line, problem.location.column) == (7, column)
    assert words in problem.message


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_main_language_is_said_once(language: str) -> None:
    """Two keys that disagree would leave the reader to guess which holds."""
    with pytest.raises(InvalidInput, match=r"'language'"):
        example_spec(*_with(f"language: {language}\n  languages: [en, fr]"))


@pytest.mark.parametrize(
    ("translations", "line", "words"),
    [
        ("  fr: {Gander: Sexe}\n", 33, "no such text in this spec"),
        ("  de: {Gender: Geschlecht}\n", 33, "not made in 'de'"),
        (
            "  fr:\n    denied: non\n    approved: non\n",
            35,
            "'denied' and 'approved' would both be called 'non'",
        ),
        ("  fr:\n    M: F\n", 34, "'F' and 'M' would both be called 'F'"),
        (
            "  fr:\n    Annual income: Gender\n",
            34,
            "'Gender' and 'Annual income' would both be called 'Gender'",
        ),
        (f"  fr:\n    F: {'f' * 81}\n", 34, "at most 80 characters"),
        ("  fr: {}\n", 33, "at least 1 entry"),
        ("  fr: {gender: Sexe}\n", 33, "no such text"),  # its readers are told "Gender"
        ("  fr: {1.0.0: 2.0.0}\n", 33, "no such text"),  # a version is the same in every language
    ],
)
def test_wrong_translations_are_refused_at_their_place(translations: str, line: int, words: str) -> None:
    """A misspelt text would stay untranslated unseen, and two values of one name could not be told apart."""
    with pytest.raises(InvalidInput) as refused:
        example_spec(*_with("languages: [en, fr]", translations))
    (problem,) = refused.value.problems
    assert problem.location.line == line
    assert words in problem.message


def test_white_space_of_a_translated_text_does_not_matter() -> None:
    """A description may be folded over lines, and its translation written in one."""
    folded = (
        "description: How a bank decides on applications.",
        "description: |\n    How a bank\n    decides on applications.",
    )
    spec = example_spec(
        folded, *_with("languages: [en, fr]", "  fr: {How a bank decides on applications.: Comment}\n")
    )
    assert spec.translations is not None
    assert exchange_words(spec.process, translation(spec.translations["fr"])).description == "Comment"


@pytest.mark.parametrize("name", CASES)
def test_exchanged_words_can_be_exchanged_back(name: str) -> None:
    """Every text of the publisher is exchanged wherever it stands, in the cells as in the figures, and nothing else is."""
    report = report_case(name)
    there = {text: f"⟨{text}⟩" for text in words_of(report)}
    other = exchange_words(report, there.__getitem__)
    back = exchange_words(other, {new: old for old, new in there.items()}.__getitem__)
    labels = {attribute.name: attribute.label for attribute in report.process.attributes}
    assert back.as_json() | {"process": ""} == report.as_json() | {"process": ""}
    assert [attribute.values for attribute in back.process.attributes] == [
        attribute.values for attribute in report.process.attributes
    ]
    assert {attribute.name for attribute in other.process.attributes} == labels.keys()
    assert other.rule_table.mapping.tolist() == report.rule_table.mapping.tolist()
    assert other.policy.as_json().keys() == report.policy.as_json().keys()
    assert [(each.measure, each.verdict, each.value) for each in other.fairness] == [
        (each.measure, each.verdict, each.value) for each in report.fairness
    ]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_what_readers_are_shown_can_be_translated(path: object) -> None:
    """Title, publisher, labels, values and outcomes of every spec are among its texts; names of parts and versions are not."""
    spec = load_spec(str(path))
    found = texts_of({key: getattr(spec, key) for key in type(spec).model_fields})
    shown = {spec.report.title, spec.report.publisher, spec.process.name, *spec.process.outcome.values}
    shown |= {
        value for attribute in spec.process.attributes for value in (attribute.title, *attribute.values)
    }
    assert shown <= {*found}
    assert spec.report.version not in found or spec.report.version in shown


def test_a_group_of_several_attributes_is_named_by_its_translated_values() -> None:
    """“F · low” is no text of the spec, and its values are."""
    change = translation({"F": "Femmes", "low": "faible", "a · b": "c"})
    assert [change(text) for text in ("F · low", "F · other", "a · b", "x · F")] == [
        "Femmes · faible", "Femmes · other", "c", "x · Femmes",
    ]  # fmt: skip
