"""The ``source`` section: where the true decision mapping comes from."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from atreport.spec.data_formats import ANY_FORMAT
from atreport.spec.models.records import Records, RecordsEntry, written_out
from atreport.spec.models.values import SCALAR_SCHEMA, Line, OneOf
from atreport.spec.yaml import Plain


def _row_text(value: object) -> str:
    if isinstance(value, Plain) and value.is_null:
        return ""
    if isinstance(value, str | int | float | Decimal) and not isinstance(value, bool):
        return str(value).strip()
    raise ValueError("expected a single value")


Row = dict[str, Annotated[str, BeforeValidator(_row_text), WithJsonSchema(SCALAR_SCHEMA)]]


class Source(OneOf):
    """Where the true decision mapping comes from: exactly one of the three."""

    table: tuple[Row, ...] | None = Field(
        None, description="Rows written out in the spec, one for each cell."
    )
    cells: Line | None = Field(None, description=f"A {ANY_FORMAT} file with one row for each cell.")
    records: RecordsEntry | None = Field(
        None, description="One row for each decided case: a file, or how to read several."
    )

    @property
    def cases(self) -> Records | None:
        """The records, written out; None where the source is another one."""
        return None if self.records is None else written_out(self.records)
