"""Which disclosure notes a report has: the standard ones, the publisher's own, and what catalogues are told.

Title and text are in the report's language; a note's key says which of its texts it has, and its arguments are the figures
and names that fill it: both are the same in every language.
"""

from __future__ import annotations

from collections.abc import Iterator

from atreport.kit.language import say
from atreport.kit.language.spoken import speaking
from atreport.publication.notes import rule_notes
from atreport.publication.words.estimation import estimation_words
from atreport.publication.words.fairness import chance_words, fairness_words, not_assessed_words
from atreport.publication.words.people import (
    population_kind,
    population_words,
    small_cells_words,
    unknown_words,
)
from atreport.publication.words.told import told_note
from atreport.publication.words.unprotectable import joined_words, left_out_words, unprotectable_words
from atreport.report.model import Note, Report
from atreport.spec.models.spec import ReportInfo


def disclosure_notes(report: Report) -> tuple[Note, ...]:
    """The notes that belong to a report: the standard ones first, then the publisher's own.

    A function of everything else in the report, so that anybody can make them again.
    """
    with speaking(report.report.language):
        return (*_standard_notes(report), *_publisher_notes(report), *_catalogue_notes(report.report))


def _standard_notes(report: Report) -> Iterator[Note]:
    yield from rule_notes(report)
    kind = population_kind(report)
    yield told_note(
        f"population.{kind}", say("How numbers of people are published"), population_words(report)
    )
    if report.fairness:
        yield told_note("fairness", say("What the fairness figures are for"), fairness_words(report.fairness))
    if report.estimation is not None:
        words = estimation_words(report.estimation, report.process)
        yield told_note(f"estimation.{report.estimation.method}", say("How the rule was estimated"), words)
    if report.process.estimated_from == "records":
        title = (
            say("Chance in the records") if report.estimation else say("The rule was estimated from records")
        )
        yield told_note("sampling", title, chance_words(report))
    if any(attribute.unknown for attribute in report.process.attributes):
        yield told_note("unknown", say("People whose group is unknown"), unknown_words(report))
    if not report.policy.small_cells.is_exact:
        key = f"small-cells.{report.policy.small_cells.policy}"
        yield told_note(key, say("How small numbers of people are protected"), small_cells_words(report))
    if report.privacy.unprotectable.groups:
        key = f"unprotectable.{report.privacy.unprotectable.policy or 'published'}"
        yield told_note(key, say("Groups that cannot be protected"), unprotectable_words(report))
    if report.privacy.unprotectable.left_out:
        yield told_note("left-out", say("People who are left out"), left_out_words(report))
    if report.process.has_joined(attribute.name for attribute in report.process.attributes):
        yield told_note("joined", say("Values that stand for several others"), joined_words(report))
    if report.not_assessed:
        words = not_assessed_words(report.not_assessed, report.process)
        yield told_note("not-assessed", say("Comparisons that could not be made"), words)


def _publisher_notes(report: Report) -> Iterator[Note]:
    own = report.disclosure
    if own is None:
        return
    for index, note in enumerate(own.notes, start=1):
        yield Note(id=f"publisher-{index}", title=note.title, text=note.text, key="publisher")
    for index, reference in enumerate(own.legal, start=1):
        yield Note(id=f"legal-{index}", title=say("Legal reference"), text=reference, key="legal")
    for index, item in enumerate(own.withheld, start=1):
        title = say("Withheld: {what}", what=item.what)
        yield Note(id=f"withheld-{index}", title=title, text=item.because, key="withheld")


def _catalogue_notes(info: ReportInfo) -> Iterator[Note]:
    """What catalogues are told besides, for readers of the page and the PDF."""
    for index, law in enumerate(info.legislation or (), start=1):
        place = law.link if law.kind in ("eli", "url") else f"{law.identifier}, {law.link}"
        text = place if law.title is None else say("{law}: {place}", law=law.title, place=place)
        yield Note(id=f"law-{index}", title=say("Published under"), text=text, key="law")
    if info.licence is not None:
        text = say("The terms on which others may use this report: {licence}", licence=info.licence)
        yield Note(id="licence", title=say("Licence"), text=text, key="licence")
