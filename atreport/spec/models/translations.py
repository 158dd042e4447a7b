"""The languages of a report, and the ``translations`` of the publisher's own words into them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from atreport.kit.language.spoken import LANGUAGES, TAG, primary
from atreport.spec.models.values import Code, Wording


def _spoken_here(text: str) -> str:
    if primary(text) not in LANGUAGES:
        known = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        raise ValueError(f"the report's own words do not exist in '{text}'; write one of {known}")
    if not TAG.fullmatch(text):
        raise ValueError(f"'{text}' is no tag of a language; write it as fr, or with a region as fr-CA")
    return text


Language = Annotated[Code, AfterValidator(_spoken_here)]
"""A language in which the report's own words exist, perhaps with a region."""

Translations = dict[Language, Annotated[dict[Code, Wording], Field(min_length=1)]]
"""Language → text of the publisher, its white space made single blanks → what it says in that language."""
