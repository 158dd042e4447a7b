"""The ``disclosure`` section: the publisher's own notes, and how the population is published."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema, model_validator

from atreport.spec.process import Titled
from atreport.spec.values import Code, Line, Section, Text, Wording, Words, not_one_of
from atreport.text.language import LANGUAGES, TAG, primary


class TitledText(Section):
    """A note with a heading of its own."""

    title: Line
    text: Text


class Withheld(Section):
    """Something the publisher leaves out, and why."""

    what: Line
    because: Text


class Disclosure(Section):
    """What the publisher adds to the standard notes, and how the population is published."""

    population: Literal["shares", "counts", "withheld"] = "shares"
    commitment: Literal["salted_hash"] | None = Field(
        None,
        description="salted_hash: publish a salted hash of the confidential data, so that an auditor can later confirm "
        "which data the report was made from. The salt stays in the confidential folder.",
    )
    notes: tuple[TitledText, ...] = ()
    legal: tuple[Line, ...] = ()
    withheld: tuple[Withheld, ...] = ()


# What a spec may say for catalogues: a licence, a DOI, an address, and the law that the report is published
# under.
#
# Nothing is assumed: what is not given is not stated anywhere.

_NOT_IN_AN_ADDRESS = re.compile(r'[\s<>"{}|\\^`]')
_DOI = r"10\.[0-9]{4,9}/[-._;()/:A-Za-z0-9]+"
_ELI = re.compile(r"/eli/.")
_ECLI = r"ECLI:[A-Z]{2}:[A-Za-z][A-Za-z0-9]{0,6}:[0-9]{4}:[A-Za-z0-9.]{1,25}"
_CFR = r"([1-9]|[1-4][0-9]|50) CFR ([1-9][0-9]{0,4}[a-z]?)(\.[0-9]{1,5}[a-z]?(-[0-9]{1,3})?(\([0-9A-Za-z]{1,5}\))*)?"

LawKind = Literal["eli", "ecli", "cfr", "url"]
LAW_KINDS: tuple[LawKind, ...] = ("eli", "ecli", "cfr", "url")


def _address(text: str) -> str:
    """An address on the web, which others can follow and no program misreads."""
    problem = f"'{text}' is no address on the web; write it whole, such as https://example.org/report"
    if _NOT_IN_AN_ADDRESS.search(text):
        raise ValueError(problem)
    try:
        parts = urlsplit(text)
        host, user = parts.hostname, parts.username
    except ValueError:
        raise ValueError(problem) from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(problem)
    if user is not None:
        raise ValueError("an address that is published has no user name or password in it")
    return text


def _written_as(pattern: str, explained: str) -> tuple[AfterValidator, WithJsonSchema]:
    """What checks an identifier of a kind that is explained in words."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"'{text}' is no {explained}")
        return text

    return AfterValidator(check), WithJsonSchema({"type": "string", "pattern": f"^{pattern}$"})


def _eli(text: str) -> str:
    if not _ELI.search(urlsplit(_address(text)).path):
        raise ValueError(
            f"'{text}' is no European Legislation Identifier, which is an address with /eli/ in it, such as "
            "http://data.europa.eu/eli/reg/2016/679/oj; other addresses go under url"
        )
    return text


WebAddress = Annotated[
    Code,
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "format": "uri", "pattern": "^https?://"}),
]
Doi = Annotated[
    Code,
    *_written_as(_DOI, "DOI; write it as 10.5281/zenodo.1234567, with no address or 'doi:' before it"),
]
_Ecli = Annotated[
    Code,
    *_written_as(
        _ECLI,
        "European Case Law Identifier; write it as ECLI:EU:C:2025:117 (country, court, year, number)",
    ),
]
_Cfr = Annotated[
    Code,
    *_written_as(
        _CFR,
        "citation of the Code of Federal Regulations; write a part as 29 CFR 1607, or a section as 12 CFR 1002.9(a)(2)",
    ),
]


class Law(Section):
    """A law, rule or judgment, by an identifier that others can follow."""

    title: Line | None = Field(None, description="What it is called, for readers.")
    eli: (
        Annotated[
            Code, AfterValidator(_eli), WithJsonSchema({"type": "string", "pattern": "^https?://.*/eli/."})
        ]
        | None
    ) = Field(None, description="Its European Legislation Identifier, an address with /eli/ in it.")
    ecli: _Ecli | None = Field(None, description="Of a judgment: its European Case Law Identifier.")
    cfr: _Cfr | None = Field(
        None, description="Its place in the US Code of Federal Regulations: 29 CFR 1607, or 12 CFR 1002.9."
    )
    url: WebAddress | None = Field(None, description="Its address, where it has none of these identifiers.")

    @model_validator(mode="after")
    def _one_identifier(self) -> Self:
        if problem := not_one_of(self, LAW_KINDS):
            raise ValueError(problem)
        return self

    @property
    def kind(self) -> LawKind:
        """Which identifier it has."""
        return next(kind for kind in LAW_KINDS if getattr(self, kind) is not None)

    @property
    def identifier(self) -> str:
        """Its identifier, as given."""
        return str(getattr(self, self.kind))

    @property
    def name(self) -> str:
        """What to call it."""
        return self.title or self.identifier

    @property
    def link(self) -> str:
        """Where it can be read: judgments at the European e-Justice portal, federal regulations at ecfr.gov."""
        if self.ecli is not None:
            return f"https://e-justice.europa.eu/ecli/{self.ecli}"
        if self.cfr is not None:
            title, _, place = self.cfr.partition(" CFR ")
            section = place.partition("(")[0]
            return f"https://www.ecfr.gov/current/title-{title}/{'section' if '.' in place else 'part'}-{section}"
        return self.identifier


# The languages of a report, and the ``translations`` of the publisher's own words into them.


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


# Find the publisher's own words in a section of a spec or a part of a report, and exchange them for others.
#
# Types say which texts are the publisher's (:class:`~atreport.spec.values.Words`): titles, labels,
# values, notes. Names by which parts are found, identifiers, addresses and the words of the format itself are
# none, and stay.

Change = Callable[[str], str]
Model = TypeVar("Model", bound=BaseModel)

BETWEEN_VALUES = " · "
"""What stands between the values in the name of a group of several attributes."""


@dataclass(frozen=True)
class _Spot:
    """Where own words can stand in a value of some type."""

    words: bool = False  # a text of it is the publisher's
    fixed: frozenset[str] = frozenset()  # unless it is one of these words of the format
    keys: _Spot | None = None
    entries: _Spot | None = None


_NOWHERE = _Spot()


def exchange_words(section: Model, change: Change) -> Model:
    """The same section, each text in the publisher's own words exchanged for what `change` makes of it.

    What has a name and no label gets a label where its name, which readers are told, is exchanged.
    """
    fields = type(section).model_fields
    values = {name: getattr(section, name) for name in fields} | (section.__pydantic_extra__ or {})
    spots = _spots(type(section))
    changed = {
        name: new
        for name, value in values.items()
        if (new := _exchanged(value, spots.get(name, _FURTHER), change)) != value
    }
    if (
        isinstance(section, Titled)
        and section.label is None
        and (title := change(section.name)) != section.name
    ):
        changed["label"] = title
    if not changed:
        return section
    found = section.model_copy(update=changed)
    for name in found.__dict__.keys() - fields.keys():  # what was calculated from the words that are gone
        del found.__dict__[name]
    return found


def words_of(section: BaseModel) -> list[str]:
    """Every text in the publisher's own words that readers are shown, each once, in the order of the section."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found[text] = None
        return text

    exchange_words(section, note)
    return list(found)


def translation(texts: Mapping[str, str]) -> Change:
    """What each text says in another language, by the texts' translations; itself where it has none.

    The name of a group of several attributes is made of its values, each of which is translated.
    """

    def change(text: str) -> str:
        if (found := texts.get(one_line(text))) is not None:
            return found
        if BETWEEN_VALUES in text:
            return BETWEEN_VALUES.join(texts.get(part, part) for part in text.split(BETWEEN_VALUES))
        return text

    return change


def one_line(text: str) -> str:
    """A text as translations know it: white space made single blanks."""
    return " ".join(text.split())


def _exchanged(value: Any, spot: _Spot, change: Change) -> Any:
    """A value with its own words exchanged."""
    if isinstance(value, BaseModel):
        return exchange_words(value, change)
    if isinstance(value, str):
        return change(value) if spot.words and value not in spot.fixed else value
    keys, entries = spot.keys or _NOWHERE, spot.entries or _NOWHERE
    if isinstance(value, tuple | list):
        return type(value)(_exchanged(entry, entries, change) for entry in value)
    if isinstance(value, dict):
        return {
            _exchanged(key, keys, change): _exchanged(entry, entries, change) for key, entry in value.items()
        }
    return value


_FURTHER = _Spot(words=True)
"""Keys that a part has beside those of its model: a cell's values."""


@cache
def _spots(model: type[BaseModel]) -> dict[str, _Spot]:
    """Where own words can stand in the fields of a model."""
    return {name: _spot(field.annotation, field.metadata) for name, field in model.model_fields.items()}


def _spot(annotation: Any, metadata: Iterable[object] = ()) -> _Spot:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is str:
        return _Spot(words=any(isinstance(each, Words) for each in metadata))
    if origin is Annotated:
        return _spot(arguments[0], (*arguments[1:], *metadata))
    if origin in (Union, types.UnionType):
        return _either(_spot(each) for each in arguments)
    if origin is Literal:
        return _Spot(fixed=frozenset(each for each in arguments if isinstance(each, str)))
    if origin in (tuple, list):
        return _Spot(entries=_either(_spot(each) for each in arguments if each is not ...))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _Spot(keys=_spot(arguments[0]), entries=_spot(arguments[1]))
    return _NOWHERE


def _either(spots: Iterable[_Spot]) -> _Spot:
    """Where own words can stand in a value that is of one of several types."""
    found = list(spots)
    keys = [spot.keys for spot in found if spot.keys is not None]
    entries = [spot.entries for spot in found if spot.entries is not None]
    return _Spot(
        words=any(spot.words for spot in found),
        fixed=frozenset[str]().union(*(spot.fixed for spot in found)),
        keys=_either(keys) if keys else None,
        entries=_either(entries) if entries else None,
    )
