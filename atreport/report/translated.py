"""A report as readers of its language are shown it: the publisher's own words by their translations.

Guarantee: figures, identifiers, names of attributes and the words of the format are those of the report. Notes are in the
language of the report already.
"""

from __future__ import annotations

from atreport.report.model import Report
from atreport.spec.models.own_words import Change, exchange_words, translation


def translated(report: Report) -> Report:
    """The report, its publisher's words in the report's language as far as they were translated into it."""
    return in_words_of(report, report)


def in_words_of(report: Report, other: Report) -> Report:
    """The report, its publisher's words as another one says them in its language: the same words for the same thing."""
    texts = (other.translations or {}).get(other.report.language)
    return report if not texts else exchange_words(report, translation(texts))


def own_words_of(report: Report) -> Change:
    """What a text of the publisher's is called where the report is shown."""
    return translation((report.translations or {}).get(report.report.language) or {})
