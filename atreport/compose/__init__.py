"""Stage 6, **compose**: the second door in the wall, through which an announcement becomes a Report.

Only what is in a Report is printed.

Guarantee: a Report is a function of the announced rule, the population as it may be published and the spec's public text.
It holds no exact count where the population is withheld, rounded or suppressed.
"""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from atreport.compose.fairness import print_assessments, print_not_assessed, print_value_rates
from atreport.compose.forms import print_form
from atreport.compose.generator import identify, name_generator
from atreport.compose.notes import disclosure_notes
from atreport.compose.rule import (
    published_cells,
    published_estimation,
    published_policy,
    published_privacy,
    published_process,
)
from atreport.core.certify import Announcement
from atreport.errors import Unexpected
from atreport.explain import explain_rule
from atreport.measures import measure_all
from atreport.report.model import (
    SCHEMA_ID,
    Commitment,
    PublishedStyle,
    PublisherNotes,
    Report,
    Sections,
    translated,
)
from atreport.report.rule import FORMAT
from atreport.spec.fairness import labels_of
from atreport.spec.spec import PublicSpec, ReportInfo
from atreport.write_folder import named_in

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


def compose_report(
    announcement: Announcement,
    spec: PublicSpec,
    commitment: Commitment | None = None,
    progress: Progress = lambda _stage: None,
) -> Report:
    """Everything that is printed about an announced rule, as the spec asks for it.

    Raises :class:`Unexpected` where a figure contradicts itself, whatever made it: such a report is not published.
    """
    try:
        return _composed(announcement, spec, commitment, progress)
    except ValidationError as error:
        why = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise Unexpected(
            f"internal error: {error.title}: {why}. This is a bug in atreport, not in your spec.\n"
            "  Nothing was published. Please report it, with the spec if you may show it."
        ) from error


def _composed(
    announcement: Announcement, spec: PublicSpec, commitment: Commitment | None, progress: Progress
) -> Report:
    rule = announcement.rule
    progress("measures")
    measured, not_measured = measure_all(rule, spec.fairness)
    progress("explanations")
    described = rule.without(labels_of(spec.fairness))
    explanation = explain_rule(described, spec.transparency, progress)
    progress("publication")
    further: dict[str, Any] = {}  # what is not stated is no key of the report
    if announcement.estimation is not None:
        further["estimation"] = published_estimation(announcement.estimation)
    if sections := _sections(spec):
        further["sections"] = Sections(**sections)
    if rates := print_value_rates(described):
        further["value_rates"] = rates
    if not_measured:
        further["not_assessed"] = print_not_assessed(not_measured)
    if explanation.nobody:
        further["unexplained"] = explanation.nobody
    own = {name: getattr(spec.disclosure, name) for name in ("notes", "legal", "withheld")}
    if any(own.values()):
        further["disclosure"] = PublisherNotes(**{name: texts for name, texts in own.items() if texts})
    if spec.style is not None and (style := PublishedStyle.of(spec.style, spec.style_files)):
        further["style"] = style
    if spec.translations:
        further["translations"] = spec.translations
    if spec.form is not None:
        further["form"] = print_form(rule, spec.report.template, spec.form)
    if commitment is not None:
        further["commitment"] = commitment
    report = Report(
        schema_id=SCHEMA_ID,
        format=FORMAT,
        generator=name_generator(further.get("style")),
        identifier=identify(spec.report),
        report=spec.report,
        process=published_process(spec.process),
        policy=published_policy(announcement, spec.policy),
        privacy=published_privacy(announcement),
        cells=published_cells(announcement),
        measures=spec.fairness,
        fairness=print_assessments(rule, measured),
        influence=explanation.influence,
        rules=explanation.rules,
        notes=(),
        **further,
    )
    return with_notes(report)


def _sections(spec: PublicSpec) -> dict[str, Any]:
    """What further sections of the spec ask for: with it, everything that follows from them can be made again."""
    asked = {"transparency": spec.transparency, "form": spec.form}
    return {
        name: section
        for name, section in asked.items()
        if section is not None and section.model_dump(exclude_unset=True, exclude_none=True)
    }


# One report in each of its languages, and what the files of each are called.
#
# Guarantee: two of them differ in the language that they name and in the titles and texts of their notes, and
# in nothing else.

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
