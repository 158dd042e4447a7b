"""A report as a notebook shows it: who publishes what, and the answers of the summary. Public, as every page is."""

from __future__ import annotations

from dataclasses import dataclass

from atreport.kit.language.spoken import speaking
from atreport.kit.typesetting.templates import fill_template
from atreport.pages.cover import Cover, make_cover
from atreport.pages.sections.headline import Headline
from atreport.pages.sections.summary import headlines
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True)
class NotebookView:
    """What the template is given."""

    cover: Cover
    headlines: tuple[Headline, ...]


def notebook_view(report: Report) -> str:
    """A part of a page, without styles or scripts: the notebook has its own."""
    with speaking(report.report.language):
        return fill_template(
            "notebook.html.j2", NotebookView(cover=make_cover(report), headlines=headlines(report))
        )
