"""A report as readers of its language are shown it: the publisher's own words by their translations.

Guarantee: figures, identifiers, names of attributes and the words of the format are those of the report. Notes are in the
language of the report already.
"""

from __future__ import annotations

from atreport.report.model import Report
from atreport.spec.models.own_words import exchange_words, translation


def translated(report: Report) -> Report:
    """The report, its publisher's words in the report's language as far as they were translated into it."""
    texts = (report.translations or {}).get(report.report.language)
    return report if not texts else exchange_words(report, translation(texts))
