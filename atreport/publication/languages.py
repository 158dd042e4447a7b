"""One report in each of its languages, and what the files of each are called.

Guarantee: two of them differ in the language that they name and in the titles and texts of their notes, and in nothing else.
"""

from __future__ import annotations

from atreport.publication.disclosure import disclosure_notes
from atreport.publish import named_in
from atreport.report.model import Report
from atreport.report.translated import translated
from atreport.spec.models.spec import ReportInfo

FOR_ALL = ("cells.csv", "measures.csv", "style-")
"""How the names of files begin that are the same for all languages: the tables, what describes them, the house style."""


def with_notes(report: Report) -> Report:
    """The report with the notes that belong to it, in its language and with its publisher's words in that language.

    What a note tells programs is the same in every language, so it keeps the publisher's words as they stand in the spec.
    """
    told, shown = disclosure_notes(report), disclosure_notes(translated(report))
    notes = tuple(
        note.model_copy(update={"title": said.title, "text": said.text})
        for note, said in zip(told, shown, strict=True)
    )
    return report.model_copy(update={"notes": notes})


def in_language(report: Report, language: str) -> Report:
    """The same report in another of its languages."""
    if language == report.report.language:
        return report
    info = report.report.model_copy(update={"language": language})
    return with_notes(report.model_copy(update={"report": info}))


def in_every_language(report: Report) -> tuple[Report, ...]:
    """The report in each of its languages, the main one first."""
    return tuple(in_language(report, language) for language in report.report.all_languages)


def published_name(name: str, info: ReportInfo) -> str:
    """What a file of a report is called in the folder where all its languages are: report.html, report.fr.html."""
    if info.language == info.all_languages[0] or name.startswith(FOR_ALL):
        return name
    return named_in(name, info.language)
