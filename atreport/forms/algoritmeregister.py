"""``template: algoritmeregister``: an entry of the Dutch register of algorithms (Algoritmeregister)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from atreport.errors import SpecProblem
from atreport.forms.fields import Contact, FormSection, Month, RegulatorForm, Stated, Under, WebAddress
from atreport.spec.process import Process
from atreport.spec.values import Line, Text
from atreport.spec.yaml import Document, listed_twice

Theme = Literal[
    "Organisatie en bedrijfsvoering",
    "Cultuur en recreatie",
    "Economie",
    "Overheidsfinanciën",
    "Wonen",
    "Internationaal",
    "Migratie en integratie",
    "Natuur en milieu",
    "Onderwijs en wetenschap",
    "Openbare orde en veiligheid",
    "Recht",
    "Ruimte en infrastructuur",
    "Sociale zekerheid",
    "Verkeer",
    "Werk",
    "Zorg en gezondheid",
]
"""The policy fields that the register knows."""

_Short = Annotated[Line, AfterValidator(Under(100))]
_Long = Annotated[Stated, AfterValidator(Under(2500, "nl"))]
_Address = Annotated[WebAddress, AfterValidator(Under(500))]


class LegalBasis(FormSection):
    """A law, and where to read it."""

    title: _Short
    link: _Address


class DataSource(FormSection):
    """A source of data, and where it is described."""

    title: Annotated[Line, AfterValidator(Under(500))]
    link: _Address


class ImpactAssessment(FormSection):
    """An impact assessment that was made, and where its results are published."""

    title: Line
    link: _Address | None = None


class AlgoritmeregisterForm(RegulatorForm):
    """An entry of the Algoritmeregister: its publication standard 1.0.0, under the names that the register's API has.

    What the register publishes no entry without is required, and cannot be withheld. All else may be left out.
    """

    template: ClassVar[str] = "algoritmeregister"

    name: _Short = Field(description="Naam: under 100 characters.")
    description_short: Annotated[Text, AfterValidator(Under(350))] = Field(
        description="Korte omschrijving: under 350 characters, in plain language (B1)."
    )
    organization: _Short = Field(description="Organisatie: its full name, as in the TOOI list.")
    category: tuple[Theme, ...] | None = Field(None, description="Thema: one or more policy fields.")
    status: Literal["In ontwikkeling", "In gebruik", "Buiten gebruik"]
    begin_date: Month | None = Field(None, description="Begindatum: year-month.")
    end_date: Month | None = Field(
        None, description="Einddatum: year-month; only where it is no longer used."
    )
    contact_email: Annotated[Contact, AfterValidator(Under(500))] = Field(
        description="Contactgegevens: an e-mail address or web page for everybody, of no single person."
    )
    website: _Address | None = Field(None, description="Link naar publiekspagina.")
    publication_category: Literal["Hoog-risico AI-systeem", "Impactvolle algoritmes", "Overige algoritmes"]
    url: _Address | None = Field(
        None, description="Link naar bronregistratie: the organisation's own register."
    )
    goal: _Long | None = Field(None, description="Doel en impact: under 2500 characters, in plain language.")
    proportionality: _Long | None = Field(None, description="Afwegingen: for and against, alternatives.")
    human_intervention: _Long | None = Field(None, description="Menselijke tussenkomst.")
    risks: _Long | None = Field(None, description="Risicobeheer: which risks, and how they are dealt with.")
    lawful_basis: _Long | None = Field(None, description="Wettelijke basis.")
    lawful_basis_grouping: tuple[LegalBasis, ...] | None = Field(
        None, description="Verwijzingen wettelijke basis."
    )
    process_index_url: _Address | None = Field(None, description="Link naar verwerkingsregister.")
    impacttoetsen_grouping: tuple[ImpactAssessment, ...] | None = Field(None, description="Impacttoetsen.")
    impacttoetsen: _Long | None = Field(
        None, description="Toelichting op impacttoetsen: why some were not made."
    )
    source_data: _Long | None = Field(None, description="Gegevens: which data, and from where.")
    source_data_grouping: tuple[DataSource, ...] | None = Field(
        None, description="Verwijzingen gegevensbronnen."
    )
    methods_and_models: Annotated[Stated, AfterValidator(Under(5000, "nl"))] | None = Field(
        None, description="Technische werking: input, working, output, and whether it learns."
    )
    provider: Annotated[Stated, AfterValidator(Under(200, "nl"))] | None = Field(
        None, description="Leverancier; “Intern ontwikkeld” where there is none."
    )
    publiccode: _Address | None = Field(None, description="Link naar broncode.")
    source_id: _Short | None = Field(
        None, description="Bron-ID: the entry in the organisation's own register."
    )
    tags: Annotated[Line, AfterValidator(Under(2500))] | None = Field(
        None, description="Zoektermen, parted by commas."
    )

    def find_problems(self, document: Document, _process: Process | None) -> Iterator[SpecProblem]:
        """Themes are listed once, and what ended began before and is no longer used."""
        yield from listed_twice(document, ("form", "category"), self.category or ())
        if self.end_date is None:
            return
        if self.status != "Buiten gebruik":
            yield document.problem(
                ("form", "end_date"),
                f"an algorithm that is “{self.status}” has no end date",
                "remove 'end_date', or write 'status: Buiten gebruik'",
            )
        if self.begin_date is not None and self.end_date < self.begin_date:
            yield document.problem(("form", "end_date"), f"{self.end_date} is before {self.begin_date}")
