"""Turn a report into the one object the templates see: text, ready to print.

Guarantee: everything here is a function of the Report. A document stays short however many groups there
are: long tables show their extremes and say where the rest is.
"""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.language import say, say_many
from atreport.kit.tables import Table
from atreport.pages.charts import Charts, draw
from atreport.pages.cover import Cover, make_cover, paragraphs
from atreport.pages.explanations import Block, explanation_blocks
from atreport.pages.forms.gdpr15 import rights_texts
from atreport.pages.measures.error_rates import what_was_right
from atreport.pages.notices import standing_texts
from atreport.pages.own_words import own_words
from atreport.pages.sections.decision import (
    DecisionText,
    SectionTitles,
    attribute_table,
    decision_text,
    range_table,
    section_titles,
    tabulate_rules,
    value_rate_table,
)
from atreport.pages.sections.fairness import (
    error_table,
    measure_definitions,
    measure_table,
    rate_table,
    verdict_summary,
)
from atreport.pages.sections.glossary import Term, glossary
from atreport.pages.sections.headline import Headline
from atreport.pages.sections.look_up import CaseLookup, case_lookup
from atreport.pages.sections.method import MethodText, method_text
from atreport.pages.sections.privacy import (
    PrivacyText,
    group_table,
    privacy_text,
    spread_table,
    value_table,
)
from atreport.pages.sections.summary import headlines
from atreport.pages.sections.worked_example import WorkedExample, worked_example
from atreport.publication.words.estimation import DESCRIBES, is_described
from atreport.publication.words.unprotectable import left_out_in_short
from atreport.report.model import Report


@dataclass(frozen=True)
class NoteText:
    """A disclosure note, as text."""

    id: str
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ReportContext:
    """A whole report, as text."""

    cover: Cover
    lead: tuple[str, ...]  # the publisher's own summary
    headlines: tuple[Headline, ...]
    titles: SectionTitles
    describes: str  # what a rule that was estimated says, and what not; empty where it was given
    decision: DecisionText
    attributes: Table
    ranges: Table | None  # the numbers that values stand for
    rules: Table
    value_rates: Table | None  # favourable rates by value, where the rules are too many to print
    lookup: CaseLookup | None
    explanation: tuple[Block, ...]  # rules, influence and dependence; empty where nothing was asked for
    unexplained: str  # what could not be explained because nobody is there; empty where nothing
    left_out: str  # how many people no cell counts; empty where every one is counted
    verdicts: str
    measures: Table | None
    definitions: tuple[tuple[str, str], ...]  # of the measures: name and meaning
    rates: Table | None
    chance: bool  # intervals for what chance may have done are shown
    not_assessed: str  # how many comparisons could not be made; empty where all could
    labels: tuple[str, ...]  # for whom the favourable outcome was right, where error rates are compared
    errors: Table | None
    privacy: PrivacyText
    values: (
        Table | None
    )  # sensitive values, before and after; None where a report of an earlier version does not say
    groups: Table
    spread: Table | None
    notes: tuple[NoteText, ...]
    rights: tuple[tuple[str, str], ...]  # what people who are decided on should know, where the spec says it
    method: MethodText
    own_words: str  # what is the publisher's own word, in words
    commitment: bool  # report.json holds a salted hash of the data
    identifier: str  # what catalogues know this version by; empty where an earlier one does not say
    example: WorkedExample | None
    glossary: tuple[Term, ...]
    charts: Charts


def make_context(report: Report) -> ReportContext:
    """The report as text and charts."""
    return ReportContext(
        cover=make_cover(report),
        lead=paragraphs(report.report.summary),
        headlines=headlines(report),
        titles=section_titles(report),
        describes=say(DESCRIBES) if is_described(report) else "",
        decision=decision_text(report),
        attributes=attribute_table(report.process, report.labels),
        ranges=range_table(report),
        rules=tabulate_rules(report),
        value_rates=value_rate_table(report),
        lookup=case_lookup(report),
        explanation=explanation_blocks(report),
        unexplained="; ".join(report.unexplained or ()),
        left_out=str(left_out_in_short(report)),
        verdicts=verdict_summary(report.fairness),
        measures=measure_table(report),
        definitions=measure_definitions(report),
        rates=rate_table(report),
        chance=any(a.sampling for a in report.fairness),
        not_assessed=_not_assessed(len(report.not_assessed or ())),
        labels=what_was_right(report.process, report.measures),
        errors=error_table(report),
        privacy=privacy_text(report),
        values=value_table(report),
        groups=group_table(report),
        spread=spread_table(report),
        notes=tuple(NoteText(note.id, note.title, paragraphs(note.text)) for note in report.notes),
        rights=rights_texts(report) or standing_texts(report),
        method=method_text(report),
        own_words=own_words(report),
        commitment=report.commitment is not None,
        identifier=report.identifier or "",
        example=worked_example(report),
        glossary=glossary(report),
        charts=draw(report),
    )


def _not_assessed(number: int) -> str:
    """How many comparisons could not be made; empty where all could."""
    if not number:
        return ""
    return say_many(
        number,
        "{number} comparison could not be made: nobody is in one of the groups, or the report does not say who is.",
        "{number} comparisons could not be made: nobody is in one of the groups, or the report does not say who is.",
    )
