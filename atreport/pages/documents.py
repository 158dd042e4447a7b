"""Turn a report or a letter into pages: its template, its context, what its files carry.

Guarantee: a page is a function of the Report and of the files that its house style names, and the same bytes on every run.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from atreport.compose import published_name
from atreport.compose.estimation import DESCRIBES, is_described
from atreport.compose.notes import left_out_in_short
from atreport.pages.catalogue import file_title, page_catalogue
from atreport.pages.charts import Charts
from atreport.pages.explanations import explanation_blocks
from atreport.pages.forms import form_context
from atreport.pages.forms.form_context import FormContext
from atreport.pages.house_style import make_look
from atreport.pages.layout import PLAIN, Edition, Layout, Look, make_cover, paragraphs
from atreport.pages.measures import what_was_right
from atreport.pages.notices import standing_texts
from atreport.pages.own_words import own_words
from atreport.pages.pdf import Attachment, render
from atreport.pages.sections.decision import (
    DecisionText,
    attribute_table,
    case_lookup,
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
from atreport.pages.sections.glossary import glossary
from atreport.pages.sections.method import MethodText, worked_example
from atreport.pages.sections.privacy import PrivacyText, group_table, spread_table, value_table
from atreport.pages.sections.summary import headlines
from atreport.report.model import Report, translated
from atreport.spec.style import NO_FILES
from atreport.text.language import LANGUAGES, gettext, ngettext, primary, use_locale


class ReportContext:
    """A whole report, as text: short however many groups there are, since long tables show their extremes."""

    def __init__(self, report: Report) -> None:
        self.cover = make_cover(report)
        self.lead = paragraphs(report.report.summary)  # the publisher's own summary
        self.headlines = headlines(report)
        self.titles = section_titles(report)
        # what a rule that was estimated says, and what not; empty where it was given
        self.describes = gettext(DESCRIBES) if is_described(report) else ""
        self.decision = DecisionText(report)
        self.attributes = attribute_table(report)
        self.ranges = range_table(report)  # the numbers that values stand for
        self.rules = tabulate_rules(report)
        # favourable rates by value, where the rules are too many to print
        self.value_rates = value_rate_table(report)
        self.lookup = case_lookup(report)
        # rules, influence and dependence; empty where nothing was asked for
        self.explanation = explanation_blocks(report)
        # what could not be explained because nobody is there; empty where nothing
        self.unexplained = "; ".join(report.unexplained or ())
        # how many people no cell counts; empty where every one is counted
        self.left_out = str(left_out_in_short(report))
        self.verdicts = verdict_summary(report.fairness)
        self.measures = measure_table(report)
        self.definitions = measure_definitions(report)  # of the measures: name and meaning
        self.rates = rate_table(report)
        # intervals for what chance may have done are shown
        self.chance = any(a.sampling for a in report.fairness)
        self.not_assessed = _not_assessed(len(report.not_assessed or ()))
        # for whom the favourable outcome was right, where error rates are compared
        self.labels = what_was_right(report.process, report.measures)
        self.errors = error_table(report)
        self.privacy = PrivacyText(report)
        # sensitive values, before and after; None where a report of an earlier version does not say
        self.values = value_table(report)
        self.groups = group_table(report)
        self.spread = spread_table(report)
        self.notes = [(note.id, note.title, paragraphs(note.text)) for note in report.notes]
        # what people who are decided on should know, where the spec says it
        self.rights = standing_texts(report)
        self.method = MethodText(report)
        self.own_words = own_words(report)  # what is the publisher's own word, in words
        self.commitment = report.commitment is not None  # report.json holds a salted hash of the data
        # what catalogues know this version by; empty where an earlier one does not say
        self.identifier = report.identifier or ""
        self.example = worked_example(report)
        self.glossary = glossary(report)
        self.charts = Charts(report)


def _not_assessed(number: int) -> str:
    """How many comparisons could not be made; empty where all could."""
    if not number:
        return ""
    return ngettext(
        number,
        "{number} comparison could not be made: nobody is in one of the groups, or the report does not say who is.",
        "{number} comparisons could not be made: nobody is in one of the groups, or the report does not say who is.",
    )


MAX_PAGE_DATA = 1_000_000
"""The most bytes of report.json that a page carries for its own check; beyond it, the folder is the place."""


@dataclass(frozen=True, kw_only=True)
class LaidOut:
    """A report laid out: as a report, or in a regulator's form. Made once, since charts take long to draw."""

    context: ReportContext | FormContext
    report: Report  # its publisher's words in its language
    look: Look = PLAIN

    def html(self, data: Mapping[str, bytes] = NO_FILES) -> str:
        """The report as one self-contained file; `data` are the data files beside it.

        It carries report.json where that is not too large, so that the page can check itself, and tells search engines
        what it is and which data belong to it.
        """
        content = data.get("report.json", b"")
        # no text in it can end the element
        carried = "" if len(content) > MAX_PAGE_DATA else content.decode().strip().replace("<", "\\u003c")
        beside = {published_name(name, self.report.report): content for name, content in data.items()}
        with self._speaking():
            catalogue = page_catalogue(self.report, beside) if data else ""
            return self._manuscript("report.html").for_screen(carried, catalogue)

    def pdf(self, attachments: Mapping[str, bytes]) -> bytes:
        """The report for print and archive, with the data attached."""
        info = self.report.report
        # what archives know it by, in the properties that PDF/A allows without a declaration
        known_by = {"dc:identifier": self.report.identifier, "xmpRights:WebStatement": info.licence}
        with self._speaking():
            attached = [Attachment(name, content, file_title(name)) for name, content in attachments.items()]
            return render(self._manuscript("report.pdf"), attached, day=info.date, known_by=known_by)

    @property
    def uses_other_fonts(self) -> bool:
        """Whether some of its characters are in none of the embedded fonts, so that the PDF depends on the machine."""
        with self._speaking():
            return not self._manuscript("report.pdf").for_print().has_every_glyph

    def printed_page(self) -> str:
        """The page from which the PDF is set, without its fonts, which hold no words."""
        with self._speaking():
            return self._manuscript("report.pdf").words_for_print()

    def _manuscript(self, name: str) -> Layout:
        """The document that becomes the file of this name."""
        template = "form.html.j2" if isinstance(self.context, FormContext) else "report.html.j2"
        return Layout(template, self.context, editions=self._editions(name), look=self.look)

    def _editions(self, name: str) -> tuple[Edition, ...]:
        """The same document in every language of the report; none where there is only one."""
        info = self.report.report
        each = (info.model_copy(update={"language": language}) for language in info.languages or ())
        return tuple(
            Edition(
                language=edition.language,
                name=LANGUAGES[primary(edition.language)],
                file=published_name(name, edition),
                is_this=edition.language == info.language,
            )
            for edition in each
        )

    def _speaking(self) -> AbstractContextManager[None]:
        return use_locale(self.report.report.language)


def lay_out(report: Report, style_files: Mapping[str, bytes] = NO_FILES) -> LaidOut:
    """The report, or the form in its place, as text and charts; `style_files` are those that its house style names."""
    shown = translated(report)
    with use_locale(report.report.language):
        form = form_context(shown)
        return LaidOut(
            context=ReportContext(shown) if form is None else form,
            report=shown,
            look=make_look(shown, style_files),
        )


def letter_html(context: FormContext) -> str:
    """The letter to one person as one self-contained file."""
    with use_locale(context.cover.language):
        return Layout("letter.html.j2", context).for_screen()


def letter_pdf(context: FormContext) -> bytes:
    """The letter to one person for print."""
    with use_locale(context.cover.language):
        return render(Layout("letter.html.j2", context))
