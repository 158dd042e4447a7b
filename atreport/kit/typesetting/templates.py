"""Fill templates: how their words are said, long words broken and charts coloured.

Guarantee: what a template gives is a function of what it is given, in the language that is spoken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from atreport.kit.language import say, say_many
from atreport.kit.numbers import count
from atreport.kit.resources import templates_folder
from atreport.kit.style.look import PLAIN

_LONG_WORD = re.compile(r"\S{25,}")
_EACH_PIECE = re.compile(r".{8}(?=.)")
_VARIABLE = re.compile(r"var\(--chart-(\w+), (#[0-9a-f]{6})\)")


def fill_template(name: str, content: object, **further: object) -> str:
    """A template, filled: it knows its content as `doc`. The parts of pages that somebody else makes need no more."""
    return _templates().get_template(name).render(doc=content, **further)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates_folder(), encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals["say"] = _say_markup
    environment.globals["say_many"] = _say_many_markup
    environment.filters["numbered"] = _numbered
    environment.filters["breakable"] = _breakable
    environment.filters["zip"] = zip
    environment.filters["fixed_colours"] = _fixed_colours
    environment.globals["look"] = PLAIN  # of a part of a page that somebody else made
    return environment


def _say_markup(message: str, /, **values: object) -> Markup:
    """A message of a template, which may hold tags; what fills its places is escaped."""
    return Markup(say(message)).format(**values)


def _say_many_markup(number: int, one: str, many: str, /, **values: object) -> Markup:
    """The same for a message that counts."""
    return Markup(
        say_many(number, one, many, number="{number}", **{key: "{" + key + "}" for key in values})
    ).format(number=count(number), **values)


def _fixed_colours(svg: str, accent: str = "") -> str:
    """A chart for paper, which knows no variables: each colour as it is, the accent as the house style has it."""
    return _VARIABLE.sub(lambda found: accent if accent and found[1] == "accent" else found[2], svg)


def _breakable(text: str) -> str | Markup:
    """A text of a table whose very long words may break anywhere: without a blank they would run off the page.

    No line begins with the dot that parts the values of a name.
    """
    text = text.replace(" · ", "\N{NO-BREAK SPACE}· ")
    if not _LONG_WORD.search(text):
        return text
    pieces = _LONG_WORD.sub(lambda word: _EACH_PIECE.sub("\\g<0>\0", word[0]), text).split("\0")
    return Markup("<wbr>").join(pieces)


def _numbered(sections: Iterable[tuple[str, str, object]]) -> dict[str, str]:
    """The titles of sections by their ids, each with its number."""
    return {id: f"{number}. {title}" for number, (id, title, _) in enumerate(sections, start=1)}
