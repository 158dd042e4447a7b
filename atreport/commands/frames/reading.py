"""Turn a data frame of any library into one of pandas: by the Arrow PyCapsule interface, or the interchange protocol."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from atreport.errors import InvalidInput, Location, Problem
from atreport.kit.optional_library import load_library


def read_frame(frame: object) -> pd.DataFrame:
    """The frame as pandas has it. Raises :class:`InvalidInput` where this is none, or has a column twice."""
    read = _converted(frame)
    names = [str(name) for name in read.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(
            [
                _problem(f"column '{name}' appears twice", "give each column a name of its own")
                for name in twice
            ]
        )
    if not len(read):
        raise InvalidInput([_problem("has no rows", "each decided case is a row, or each cell")])
    return read.set_axis(names, axis="columns")


def _converted(frame: object) -> pd.DataFrame:
    if isinstance(frame, pd.DataFrame):
        return frame
    if isinstance(frame, Mapping):
        return pd.DataFrame(dict(frame))
    try:
        if hasattr(frame, "__arrow_c_stream__"):
            arrow = load_library("pyarrow", "arrow", "data frames of other libraries than pandas")
            # integers stay integers beside missing ones: as floating point, large ones would be others
            read: pd.DataFrame = arrow.table(frame).to_pandas(integer_object_nulls=True)
            return read
        if hasattr(frame, "__dataframe__"):
            return pd.api.interchange.from_dataframe(frame)
    except (TypeError, ValueError) as error:  # one column by itself can be handed over too, and is no table
        raise InvalidInput([_problem(f"cannot be read as a table ({error})", _HINT)]) from None
    raise InvalidInput([_problem(f"a {type(frame).__name__} is no data frame", _HINT)])


_HINT = "give a data frame of pandas or Polars, or an Arrow table; of a LazyFrame, what collect() returns"


def _problem(message: str, hint: str) -> Problem:
    return Problem(location=Location("frame"), message=message, hint=hint)
