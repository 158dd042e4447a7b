"""The disclosure notes: made of everything else in the report, and of nothing beside it."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from atreport.compose.notes import disclosure_notes, distance_sentence, is_unchanged, rates_kept
from atreport.pages.sections.method import MethodText
from atreport.pages.sections.summary import headlines
from atreport.report.model import Note, Report
from atreport.report.reader import read_report
from atreport.report.rule import PublishedFidelity
from atreport.report.writer import report_json
from tests.assessing import CASES, report_case, report_of
from tests.example import example_spec

OLD = sorted((Path(__file__).parents[1] / "data" / "v0.1.0").glob("*/report.json"))
OWN = ("publisher-", "legal-", "withheld-")
"""How the ids of the publisher's own notes begin."""


def own_notes(notes: tuple[Note, ...]) -> list[Note]:
    """Those that the publisher adds."""
    return [note for note in notes if note.id.startswith(OWN)]


@pytest.mark.parametrize("name", CASES)
def test_notes_follow_from_the_rest_of_the_report(name: str) -> None:
    """Made again, whatever the report says in their place, also by somebody who read the report: the same words."""
    report = report_case(name)
    other = (Note(id="perturbed", title="No", text="Nothing was changed."),)
    without = report.model_copy(update={"notes": other})
    assert disclosure_notes(without) == report.notes
    read = read_report(report_json(without), name)
    assert read.notes == other
    assert disclosure_notes(read) == report.notes


@pytest.mark.parametrize("name", CASES)
def test_ids_are_given_once(name: str) -> None:
    """Other documents refer to them; each begins its note's key."""
    notes = report_case(name).notes
    assert all(note.key and note.id.startswith(note.key.split(".")[0]) for note in notes)
    ids = [note.id for note in notes]
    assert len(set(ids)) == len(ids)
    assert ids[:6] == ["perturbed", "reading", "promise", "limits", "population", "fairness"]


NOTES = (
    "  population: shares\n",
    "  population: shares\n  notes: [{title: Own, text: Words}, {title: More, text: Of them}]\n"
    "  legal: [Article 22]\n  withheld: [{what: The model, because: It is not ours}]\n",
)


def test_the_publishers_notes_come_last() -> None:
    """Notes, legal references, and what is withheld, each with an id of its own."""
    report = report_of(example_spec(NOTES))
    assert [(note.id, note.title, note.text) for note in own_notes(report.notes)] == [
        ("publisher-1", "Own", "Words"),
        ("publisher-2", "More", "Of them"),
        ("legal-1", "Legal reference", "Article 22"),
        ("withheld-1", "Withheld: The model", "It is not ours"),
    ]
    assert report.notes[-4:] == tuple(own_notes(report.notes))


def test_without_a_disclosure_there_are_no_publishers_notes() -> None:
    """A report that does not state the key has none, however many it had; the standard notes stay."""
    report = report_of(example_spec(NOTES))
    silent = report.model_copy(update={"disclosure": None})
    assert own_notes(disclosure_notes(silent)) == []
    assert disclosure_notes(silent) == report.notes[:-4]
    plain = report_of(example_spec())
    assert plain.disclosure is None
    assert b'"disclosure"' not in report_json(plain)
    assert own_notes(plain.notes) == []


def test_no_word_is_read_back_from_a_note() -> None:
    """A publisher's note that looks like a standard one, or like something withheld, is a note and nothing else."""
    edit = (NOTES[0], '  population: shares\n  notes: [{title: "Withheld: nothing", text: Words}]\n')
    report = report_of(example_spec(edit))
    read = read_report(report_json(report), "here")
    assert read.disclosure is not None
    assert [note.title for note in read.disclosure.notes] == ["Withheld: nothing"]
    assert read.disclosure.withheld == ()
    assert disclosure_notes(read) == report.notes


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.parent.name)
def test_the_standard_notes_of_old_reports_are_made_again(path: Path) -> None:
    """0.1.0 did not state what the publisher added; all else follows, in the words of this version."""
    report = read_report(path.read_bytes(), path.name)
    kept = [note.id for note in report.notes if not note.id.startswith(OWN) and note.id != "not-assessed"]
    assert [note.id for note in disclosure_notes(report)] == kept


@pytest.mark.parametrize(
    ("fidelity", "unchanged", "words"),
    [
        (
            PublishedFidelity(delta=Decimal("0.9")),
            False,
            "differs from the true one by at most 10 percentage points",
        ),
        (PublishedFidelity(delta=Decimal(1)), True, "is the true one, unchanged"),
        (PublishedFidelity(alpha=Decimal("0.8")), False, "at least 0.8 times and at most 1/0.8 times"),
        (PublishedFidelity(alpha=Decimal(1)), True, "is the true one, unchanged"),
        (PublishedFidelity(bounds="cells"), False, "between the bounds published for its cell"),
    ],
)
def test_how_far_the_truth_may_be_is_said(fidelity: PublishedFidelity, unchanged: bool, words: str) -> None:
    """In plain words, for every kind of fidelity."""
    assert is_unchanged(fidelity) == unchanged
    assert words in distance_sentence(fidelity)


def test_no_note_speaks_of_measures_where_there_are_none() -> None:
    """A report without a measure does not explain intervals of measures, nor what they are for."""
    without = disclosure_notes(report_case("credit_card").model_copy(update={"fairness": ()}))
    assert "fairness" not in [note.id for note in without]
    assert not [note.text for note in without if "fairness" in note.text]


def test_exact_figures_have_no_interval_to_be_read() -> None:
    """Where nothing was changed and people are counted, the note does not send readers to look for intervals."""
    edits = (
        ("delta: 0.9", "alpha: 1"),
        ("  privacy: {beta: 0.7}\n", ""),
        ("population: shares", "population: counts"),
    )
    exact = {note.id: note.text for note in disclosure_notes(report_of(example_spec(*edits)))}
    assert exact["reading"].startswith("Each fairness figure is the true one, rounded")
    changed = {note.id: note.text for note in disclosure_notes(report_case("credit_card"))}
    assert changed["reading"].startswith("Beside each fairness figure stands an interval.")
    assert "printed to 4 decimals, so percentages are printed in steps of 0.01%" in changed["reading"]


def of(report: Report, note_id: str) -> str | None:
    """The text of one note, if there is one."""
    return next((note.text for note in report.notes if note.id == note_id), None)


@pytest.mark.parametrize("name", CASES)
def test_each_note_is_there_where_there_is_something_to_say(name: str) -> None:
    """Small numbers, estimates, chance, groups that cannot be protected, comparisons with nobody."""
    report = report_case(name)
    assert (of(report, "small-cells") is None) == report.policy.small_cells.is_exact
    assert (of(report, "estimation") is None) == (report.estimation is None)
    assert (of(report, "sampling") is None) == (report.process.estimated_from is None)
    assert (of(report, "unprotectable") is None) == (report.privacy.unprotectable.groups == 0)
    assert (of(report, "not-assessed") is None) == (report.not_assessed is None)
    assert (of(report, "unknown") is None) == (not any(a.unknown for a in report.process.attributes))


@pytest.mark.parametrize("population", ["shares", "counts", "withheld"])
def test_how_many_are_unknown_is_said_as_far_as_it_is_published(population: str) -> None:
    """A share, a number, or that it is withheld; never more than that."""
    report = report_of(
        example_spec(
            ("role: public, values: [F, M]", "role: public, values: [F, M, X], unknown: X"),
            ("policy:\n", '    - {gender: X, income: "<100k", population: 4, approved: 0.5}\npolicy:\n'),
            ("  privacy: {beta: 0.7}\n", ""),
            ("population: shares", f"population: {population}"),
        )
    )
    words = {"shares": "9.09091% of all people", "counts": "4 people", "withheld": "their number is withheld"}
    text = of(report, "unknown") or ""
    assert words[population] in text
    assert all(other not in text for name, other in words.items() if name != population)


def test_kept_rates_are_disclosed() -> None:
    """In the note on what was changed, in the summary and in the method; and only where they are promised."""
    kept = report_of(
        example_spec(("{delta: 0.9}", "{delta: 0.9, rates: 0.99}"), ("  privacy: {beta: 0.7}\n", ""))
    )
    words = (
        "In every group of people with the same public attributes, the announced rate of each outcome is within 1 "
        "percentage point of the true one."
    )
    assert rates_kept(kept) == words
    assert words in (of(kept, "perturbed") or "")
    assert words in headlines(kept)[1].answer[0]
    assert MethodText(kept).rates == words
    plain = report_of(example_spec())
    assert rates_kept(plain) == MethodText(plain).rates == ""
    assert "announced rate of each outcome" not in (of(plain, "perturbed") or "")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (
            ("  decimals: 4\n", "  decimals: 4\n"),
            ("confidence", "lift", "odds"),
        ),
        (
            ("  decimals: 4\n", "  decimals: 4\n  minimise: [beta]\n"),
            ("confidence",),
        ),
        (
            ("  decimals: 4\n", "  decimals: 4\n  minimise: [odds, beta, lift]\n"),
            ("odds", "confidence", "lift"),
        ),
    ],
)
def test_what_was_made_least_is_said(edit: tuple[str, str], words: tuple[str, ...]) -> None:
    """In the order in which it was."""
    report = report_of(example_spec(edit, ("  privacy: {beta: 0.7}\n", "")))
    aims = MethodText(report).aims
    assert len(aims) == len(words) == len(report.policy.minimise or ("beta",))
    assert all(word in aim for word, aim in zip(words, aims, strict=True))


def _several(report: Report, role: str) -> bool:
    return sum(attribute.role == role for attribute in report.process.attributes) > 1


def _guarded(report: Report) -> str:
    return "" if report.policy.small_cells.policy in ("warn", "refuse") else report.policy.small_cells.policy


def _found_in_cases(report: Report) -> bool:
    return report.estimation is not None or report.process.estimated_from is not None


def _alike(report: Report) -> bool:
    """Whether every cell of a group has the same announced rule, which is one of 1 in every group."""
    public = [attribute.name for attribute in report.process.attributes if attribute.role == "public"]
    rules: dict[tuple[str, ...], set[str]] = {}
    for cell in report.cells:
        rules.setdefault(tuple(cell.values[name] for name in public), set()).add(
            str(sorted(cell.announced.items()))
        )
    return all(len(each) == 1 for each in rules.values())


def _never(report: Report) -> bool:
    """Whether an outcome is impossible in one cell of a group and not in another."""
    public = [attribute.name for attribute in report.process.attributes if attribute.role == "public"]
    possible: dict[tuple[str, ...], set[tuple[bool, ...]]] = {}
    for cell in report.cells:
        key = tuple(cell.values[name] for name in public)
        possible.setdefault(key, set()).add(tuple(share > 0 for _, share in sorted(cell.announced.items())))
    return any(len(each) > 1 for each in possible.values())


def _changed(report: Report) -> bool:
    fidelity = report.policy.fidelity
    rounded = fidelity.delta is not None and 1 - fidelity.delta < Decimal(1).scaleb(-report.policy.decimals)
    return 1 not in (fidelity.delta, fidelity.alpha) and not rounded


SAID: dict[str, Callable[[Report], bool]] = {
    "is protected, not the decision itself": lambda r: not _several(r, "sensitive"),
    "are protected, not the decision itself": lambda r: _several(r, "sensitive"),
    "adds nothing to what is known without it": _alike,
    "learns nothing about": _alike,
    "the odds factor does": lambda r: not _never(r),
    "and the confidence does not bound them": _never,
    "Two independent decisions on the same record": lambda r: not _never(r) and not _alike(r),
    "there is no limit: in": _never,
    "a probability of zero stays zero": lambda r: _never(r) and r.policy.fidelity.alpha is not None,
    "are published within limits only": lambda r: bool(_guarded(r)),
    "Numbers are in steps of": lambda r: _guarded(r) == "round",
    "are published without their size": lambda r: _guarded(r) == "suppress",
    "also to somebody who runs this program to find out": lambda r: _guarded(r) == "suppress",
    "an announced probability can hint at how many": lambda r: (
        bool(_guarded(r)) and r.process.estimated_from == "records"
    ),
    "The section “What goes with the outcome” and": lambda r: bool(_guarded(r)) and _found_in_cases(r),
    "The section “What moves the decision” and": lambda r: bool(_guarded(r)) and not _found_in_cases(r),
    "share of all people is printed, rounded": lambda r: r.policy.population == "shares" and not _guarded(r),
    "The number of people in each cell is printed as it is": lambda r: (
        r.policy.population == "counts" and not _guarded(r)
    ),
    "The number of people in each cell is withheld": lambda r: r.policy.population == "withheld",
    "The rule was found by looking at cases, not read": lambda r: (
        r.process.estimated_from == "records" and not r.estimation
    ),
    "The four-fifths rule": lambda r: any(
        each.measure in ("p_percent_rule", "impact_ratio") for each in r.fairness
    ),
    "So a second interval stands beside the certified one": lambda r: (
        r.process.estimated_from == "records" and r.policy.population == "counts" and not _guarded(r)
    ),
    "How different depends on the number of cases": lambda r: (
        r.process.estimated_from == "records" and (r.policy.population != "counts" or bool(_guarded(r)))
    ),
    "so the ranges themselves tell": lambda r: bool(r.estimation and r.estimation.edges_from_decisions),
    "The probabilities in this report are the true ones": lambda r: (
        1 in (r.policy.fidelity.delta, r.policy.fidelity.alpha)
    ),
    "Publishing the exact rule could tell others": _changed,
    "chosen to tell an observer as little as possible": lambda r: (
        _changed(r) and r.policy.mechanism == "optimal" and r.policy.objective == "privacy"
    ),
    "divided into intervals that are fixed in advance": lambda r: (
        _changed(r) and r.policy.mechanism == "calibrated"
    ),
    "may know the method and run it backwards": lambda r: _changed(r) and r.policy.mechanism == "optimal",
    "an observer who knows this report and the population": lambda r: (
        1 in (r.policy.fidelity.delta, r.policy.fidelity.alpha)
    ),
}
"""Sentences of notes, and when they are true, by the figures and attributes of the report alone."""


def test_each_sentence_is_said_where_it_is_true_and_nowhere_else() -> None:
    """A condition turned round in what notes say would tell readers of protection, chance or choices that are not there."""
    reports = [report_case(name) for name in CASES]
    wrong = [
        (phrase, name)
        for phrase, is_true in SAID.items()
        for name, report in zip(CASES, reports, strict=True)
        if (phrase in " ".join(note.text for note in report.notes)) != is_true(report)
    ]
    assert not wrong
    told = [
        phrase
        for phrase, is_true in SAID.items()
        if any(map(is_true, reports)) and not all(map(is_true, reports))
    ]
    assert len(told) > len(SAID) - 6, set(SAID) - set(told)
