"""What a spec may say for catalogues: a licence, a DOI, an address, and the law that the report is published under.

Nothing is assumed: what is not given is not stated anywhere.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from atreport.spec.models.values import Code, Line, Section

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


def _doi(text: str) -> str:
    if not re.fullmatch(_DOI, text):
        raise ValueError(
            f"'{text}' is no DOI; write it as 10.5281/zenodo.1234567, with no address or 'doi:' before it"
        )
    return text


def _eli(text: str) -> str:
    if not _ELI.search(urlsplit(_address(text)).path):
        raise ValueError(
            f"'{text}' is no European Legislation Identifier, which is an address with /eli/ in it, such as "
            "http://data.europa.eu/eli/reg/2016/679/oj; other addresses go under url"
        )
    return text


def _ecli(text: str) -> str:
    if not re.fullmatch(_ECLI, text):
        raise ValueError(
            f"'{text}' is no European Case Law Identifier; write it as ECLI:EU:C:2025:117 "
            "(country, court, year, number)"
        )
    return text


def _cfr(text: str) -> str:
    if not re.fullmatch(_CFR, text):
        raise ValueError(
            f"'{text}' is no citation of the Code of Federal Regulations; write a part as 29 CFR 1607, or a section as "
            "12 CFR 1002.9(a)(2)"
        )
    return text


def _schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^{pattern}$"})


WebAddress = Annotated[
    Code,
    AfterValidator(_address),
    WithJsonSchema({"type": "string", "format": "uri", "pattern": "^https?://"}),
]
Doi = Annotated[Code, AfterValidator(_doi), _schema(_DOI)]


class Law(Section):
    """A law, rule or judgment, by an identifier that others can follow."""

    title: Line | None = Field(None, description="What it is called, for readers.")
    eli: (
        Annotated[
            Code, AfterValidator(_eli), WithJsonSchema({"type": "string", "pattern": "^https?://.*/eli/."})
        ]
        | None
    ) = Field(None, description="Its European Legislation Identifier, an address with /eli/ in it.")
    ecli: Annotated[Code, AfterValidator(_ecli), _schema(_ECLI)] | None = Field(
        None, description="Of a judgment: its European Case Law Identifier."
    )
    cfr: Annotated[Code, AfterValidator(_cfr), _schema(_CFR)] | None = Field(
        None, description="Its place in the US Code of Federal Regulations: 29 CFR 1607, or 12 CFR 1002.9."
    )
    url: WebAddress | None = Field(None, description="Its address, where it has none of these identifiers.")

    @model_validator(mode="after")
    def _one_identifier(self) -> Self:
        given = [kind for kind in LAW_KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(
                f"give exactly one of {', '.join(LAW_KINDS)} (found {' and '.join(given) or 'none'})"
            )
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
