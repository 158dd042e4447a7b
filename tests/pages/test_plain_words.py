"""The words of a report: short enough to be read once, and all of them in the language that is spoken."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from atreport.compose.notes import disclosure_notes
from atreport.pages.documents import lay_out
from atreport.pages.sections.summary import headlines
from atreport.pages.wording import named_values
from atreport.report.model import Report
from atreport.spec.process import Process
from tests.assessing import SPECS, report_case
from tests.documents import large_report
from tests.pseudo import pseudo_language, publisher_texts, untold

HIGHEST_GRADE = 9.0
"""School years that the paragraphs of a summary may ask for, by Flesch and Kincaid: a reader of about 14."""

DAY = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}")
"""A date that a form states; dates are not messages."""


def syllables(word: str) -> int:
    """Groups of vowels, without a silent e at the end; at least one."""
    found = len(re.findall(r"[aeiouy]+", word.lower()))
    return max(1, found - (word.lower().endswith("e") and not word.lower().endswith("le") and found > 1))


def school_years(text: str) -> float:
    """The grade of Flesch and Kincaid: long sentences and long words make a text harder to read."""
    sentences = [part for part in re.split(r"[.:;!?](?:\s|$)", text) if re.search(r"\w", part)]
    words = re.findall(r"[A-Za-z’]+|\d[\d.,]*%?", text)
    spoken = sum(syllables(word) for word in words)
    return 0.39 * len(words) / len(sentences) + 11.8 * spoken / len(words) - 15.59


def without_labels(report: Report, text: str) -> str:
    """A text with a short word in the place of each label of the spec, which its author chose."""
    process = report.process
    labels = {value for a in process.attributes for value in (a.title, *a.values)}
    for label in sorted(labels | {*process.outcome.values, process.outcome.title}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(label)}(?!\w)", "it", text)
    return text


def paragraphs(report: Report) -> Iterator[str]:
    """The answers of the summary."""
    for headline in headlines(report):
        for paragraph in headline.answer:
            yield without_labels(report, paragraph)


def test_the_measure_of_reading_tells_easy_from_hard() -> None:
    """A measure that found everything easy would let any paragraph pass."""
    assert school_years("The cat sat on the mat. It was warm.") < 3
    hard = (
        "Notwithstanding considerable methodological heterogeneity, probabilistic certification necessitates "
        * 2
    )
    assert school_years(hard) > 20


@pytest.mark.parametrize("name", [path.stem for path in SPECS])
def test_the_summary_can_be_read_at_school(name: str) -> None:
    """No paragraph of a summary needs to be read twice: each stays below a stated reading age."""
    report = report_case(name)
    hard = {
        text: round(school_years(text), 1)
        for text in paragraphs(report)
        if school_years(text) > HIGHEST_GRADE
    }
    assert not hard


TRANSLATED = (
    "credit_card", "housing_records", "berkeley_admissions", "ll144_hiring", "housing_benefit", "release_decisions",
    "many groups",
)  # fmt: skip
"""Among them tables, charts and explanations of every kind; of many groups also distributions, and what is left out."""


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_word_of_a_page_can_be_translated(name: str, tmp_path: Path) -> None:
    """A word outside of the catalogue, in a text, a table, a chart or its description, would stay English in a French report."""
    report = large_report(tmp_path, 100).report if name == "many groups" else report_case(name)
    with pseudo_language():
        told = report.model_copy(update={"notes": disclosure_notes(report)})
        english = untold(lay_out(told).html(), publisher_texts(report))
    assert [text for text in english if not DAY.fullmatch(text)] == []


def test_a_value_never_stands_without_the_name_of_its_attribute() -> None:
    """However long a name gets: “yes · yes · no” tells nobody anything."""
    process: Process = report_case("housing_records").process
    everything = {a.name: a.values[0] for a in process.attributes}
    named = named_values(process, everything)
    assert all(f"{a.title}: {a.values[0]}" in named for a in process.attributes)
