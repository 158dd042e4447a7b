"""What Babel knows of a language: its catalogue of messages, its number signs, its dates.

English needs none of it, so this module is imported when another language is first spoken: Babel takes a tenth of a second.
"""

import datetime as dt
import io
from gettext import GNUTranslations
from pathlib import Path

from babel import Locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def read_catalogue(path: Path) -> GNUTranslations:
    """The messages of a PO file, named after its language; those marked as unsure (fuzzy) are left out."""
    with path.open("rb") as file:
        messages = read_po(file, locale=path.stem)
    compiled = io.BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)


def decimal_group_percent(language: str) -> tuple[str, str, str]:
    """The decimal sign, the sign between thousands, and the percent sign with {number} in the place of the number."""
    locale = Locale.parse(language)
    symbols = locale.number_symbols["latn"]
    percent = locale.percent_formats[None].pattern.replace("#,##0", "{number}")
    return symbols["decimal"], symbols["group"], percent


def date_in_words(day: dt.date, language: str) -> str:
    """A day in words."""
    return format_date(day, "long", locale=language)
