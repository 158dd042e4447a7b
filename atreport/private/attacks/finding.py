"""What every attack takes and gives: a case, and a finding that can be shown and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from atreport.core.certify import Announcement
from atreport.private.data.decision_table import DecisionTable
from atreport.private.true_rule import rounded
from atreport.spec.spec import PublicSpec, Spec
from atreport.text.tables import Shown, Space, Table, tabulate

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A draft to attack: what it announces, and what is behind it."""

    spec: Spec
    public: PublicSpec
    table: DecisionTable
    announcement: Announcement
    closely: bool  # whether attacks that take seconds are wanted
    _results: dict[Any, Any] = field(default_factory=dict, repr=False)

    def result_of(self, attack: Callable[[Case], Result]) -> Result:
        """What an attack gives. It is carried out once, whoever asks: some attacks build on others."""
        if attack not in self._results:
            self._results[attack] = attack(self)
        result: Result = self._results[attack]
        return result

    def with_announcement(self, announcement: Announcement) -> Case:
        """The same truth behind another announcement."""
        return replace(self, announcement=announcement, _results={})


@dataclass(frozen=True, kw_only=True)
class Part:
    """What is said of an attack below a heading: a paragraph, tables, and perhaps what follows from them."""

    heading: str
    text: str = ""
    tables: tuple[Table, ...] = ()
    recommendation: str = ""


@dataclass(frozen=True, kw_only=True)
class FindingTable:
    """The table of a finding: the key that annex.json has its rows under, and the columns in which they are printed."""

    key: str
    id: str
    caption: str
    columns: tuple[Shown, ...]
    without: str = ""  # a field of the rows that is printed and not written
    exactly: bool = False  # whether figures are written with all their digits

    def table(self, rows: Iterable[Any]) -> Table:
        """The rows as they are written and printed."""
        records = [{key: self._plain(value) for key, value in asdict(row).items()} for row in rows]
        written = ({key: each[key] for key in each if key != self.without} for each in records)
        return replace(tabulate(self.id, self.caption, self.columns, records), records=tuple(written))

    def _plain(self, value: Any) -> Any:
        return rounded(value) if isinstance(value, float | Fraction) and not self.exactly else value


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding:
    """What an attack gave. One of few rows declares a listing; one whose list goes on writes itself."""

    heading: ClassVar[str]  # neighbouring attacks with the same one are shown as one
    text: ClassVar[str] = ""
    listing: ClassVar[FindingTable | None] = None
    rows: tuple[Any, ...] = ()
    recommendation: str = ""
    # how often it was more confident than promised; 0 where the promise does not cover the attack
    exceeding: int = 0
    above_ceilings: int = 0  # how often a conclusion goes beyond a ceiling of the policy

    def tables(self) -> dict[str, Table]:
        """Its tables, by the keys that annex.json and ``audit --json`` have their records under."""
        return {} if self.listing is None else {self.listing.key: self.listing.table(self.rows)}

    def shown(self, space: Space) -> Part:  # noqa: ARG002
        """The finding in words and tables."""
        tables = tuple(table for table in self.tables().values() if table.rows)
        return Part(
            heading=self.heading,
            text=self.text if tables else "",
            tables=tables,
            recommendation=self.recommendation,
        )

    def as_json(self, most: int | None) -> dict[str, Any]:  # noqa: ARG002
        """The keys that it adds to annex.json and to ``audit --json``; at most so many entries of an endless list."""
        found: dict[str, Any] = {key: list(table.records) for key, table in self.tables().items()}
        return found | ({"recommendation": self.recommendation} if self.recommendation else {})


Attack = Callable[[Case], Finding]
"""An entry of the registry."""

STRONGER_OBSERVERS = "Stronger observers"
"""The heading below which everything is shown that the promise does not cover."""
