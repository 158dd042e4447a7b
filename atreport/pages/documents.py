"""Turn a report or a letter into pages: its template, its context, what its files carry.

Guarantee: a page is a function of the Report and of the files that its house style names, and the same bytes on every run.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import MappingProxyType

from atreport.kit.language.spoken import LANGUAGES, primary, speaking
from atreport.kit.style.look import PLAIN, Look
from atreport.kit.typesetting.manuscript import Edition, Manuscript
from atreport.kit.typesetting.press import Attachment, press
from atreport.kit.typesetting.tags import Identity
from atreport.pages.catalogue.published_file import file_title
from atreport.pages.catalogue.schema_org import page_catalogue
from atreport.pages.context import ReportContext, make_context
from atreport.pages.forms import form_context
from atreport.pages.forms.form_context import FormContext
from atreport.pages.sections.house_style import make_look
from atreport.publication.languages import published_name
from atreport.report.model import Report
from atreport.report.translated import translated
from atreport.spec.models.style import NO_FILES

MAX_PAGE_DATA = 1_000_000
"""The most bytes of report.json that a page carries for its own check; beyond it, the folder is the place."""

_NO_DATA: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class LaidOut:
    """A report laid out: as a report, or in a regulator's form. Made once, since charts take long to draw."""

    context: ReportContext | FormContext
    report: Report  # its publisher's words in its language
    look: Look = PLAIN

    @property
    def day(self) -> dt.date:
        """The date of the report."""
        return self.report.report.date

    @property
    def identity(self) -> Identity:
        """What the PDF says about itself, for archives."""
        return Identity(identifier=self.report.identifier, licence=self.report.report.licence)

    @property
    def template(self) -> str:
        """The template that its context fills."""
        return "form.html.j2" if isinstance(self.context, FormContext) else "report.html.j2"

    def html(self, data: Mapping[str, bytes] = _NO_DATA) -> str:
        """The report as one self-contained file; `data` are the data files beside it.

        It carries report.json where that is not too large, so that the page can check itself, and tells search engines
        what it is and which data belong to it.
        """
        carried = _page_data(data.get("report.json", b""))
        beside = {published_name(name, self.report.report): content for name, content in data.items()}
        with self._speaking():
            catalogue = page_catalogue(self.report, beside) if data else ""
            return self._manuscript("report.html").for_screen(carried, catalogue)

    def pdf(self, attachments: Mapping[str, bytes]) -> bytes:
        """The report for print and archive, with the data attached."""
        with self._speaking():
            attached = [
                Attachment(name=name, content=content, description=self.attachment_title(name))
                for name, content in attachments.items()
            ]
            return press(self._manuscript("report.pdf"), attached, day=self.day, identity=self.identity)

    def attachment_title(self, name: str) -> str:
        """What the PDF says an attached file is."""
        return file_title(name)

    @property
    def uses_other_fonts(self) -> bool:
        """Whether some of its characters are in none of the embedded fonts, so that the PDF depends on the machine."""
        with self._speaking():
            return not self._manuscript("report.pdf").for_print().has_every_glyph

    def printed_page(self) -> str:
        """The page from which the PDF is set, without its fonts, which hold no words."""
        with self._speaking():
            return self._manuscript("report.pdf").words_for_print()

    def _manuscript(self, name: str) -> Manuscript:
        """The document that becomes the file of this name."""
        return Manuscript(self.template, self.context, editions=self._editions(name), look=self.look)

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
        return speaking(self.report.report.language)


def lay_out(report: Report, style_files: Mapping[str, bytes] = NO_FILES) -> LaidOut:
    """The report, or the form in its place, as text and charts; `style_files` are those that its house style names."""
    shown = translated(report)
    with speaking(report.report.language):
        form = form_context(shown)
        return LaidOut(
            context=make_context(shown) if form is None else form,
            report=shown,
            look=make_look(shown, style_files),
        )


def _page_data(data: bytes) -> str:
    """report.json as the page carries it: no text in it can end the element. Empty where it is too large."""
    return "" if len(data) > MAX_PAGE_DATA else data.decode().strip().replace("<", "\\u003c")


def letter_html(context: FormContext) -> str:
    """The letter to one person as one self-contained file."""
    with speaking(context.cover.language):
        return Manuscript("letter.html.j2", context).for_screen()


def letter_pdf(context: FormContext) -> bytes:
    """The letter to one person for print."""
    with speaking(context.cover.language):
        return press(Manuscript("letter.html.j2", context))
