"""Turn a data frame and the arguments of ``make_report`` into the spec they stand for and its data file."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pandas as pd
import yaml

from atreport.commands.frames.arguments import Arguments
from atreport.commands.frames.columns import FrameColumns
from atreport.errors import Location, Problem

DATA = "data.csv"
"""What the data file is called before it is saved under the name of a spec."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FrameSpec:
    """A spec as a dictionary, and the rows that it needs, as CSV. Confidential: it holds the recorded decisions."""

    sections: Mapping[str, Any]
    data: bytes

    def text(self, data: str) -> str:
        """The spec as YAML, with the name that its data file has in the end."""
        plain: dict[str, Any] = _plain(self.sections)
        source = plain["source"]
        if "cells" in source:
            source["cells"] = data
        else:
            source["records"]["files"] = data
        return (
            f"# Made from a data frame. Its rows are in {data}: keep that file confidential.\n"
            + yaml.dump(
                plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None
            )
        )


class _Dumper(yaml.SafeDumper):
    """Writes plain values, without aliases, which a spec does not have; and a Decimal with all its digits."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 of no value
        return True


_Dumper.add_representer(
    Decimal,
    lambda dumper, number: dumper.represent_scalar(
        f"tag:yaml.org,2002:{'float' if '.' in f'{number:f}' else 'int'}", f"{number:f}"
    ),
)


def _plain(value: Any) -> Any:
    """A value as YAML has it: Python's and NumPy's further kinds of lists, numbers and days as plain ones."""
    value = value.item() if hasattr(value, "dtype") else value
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(entry) for entry in value]
    if isinstance(value, dt.datetime):
        return value.date()
    return value if isinstance(value, str | bool | int | float | Decimal | dt.date) else str(value)


def frame_spec(frame: pd.DataFrame, arguments: Arguments, problems: list[Problem]) -> FrameSpec:
    """The spec that the arguments stand for. Appends what is wrong with columns; the rest is found when it is checked."""
    columns = FrameColumns(frame, arguments, problems)
    outcome_values = columns.outcome_values()
    sections: dict[str, Any] = {
        "atreport": 1,
        "report": _report(arguments),
        "process": {
            "name": arguments.title or arguments.outcome,
            "outcome": {
                "name": arguments.outcome,
                "values": outcome_values,
                "favourable": columns.favourable(outcome_values),
                "bins": arguments.bins.get(arguments.outcome),
            },
            "attributes": [columns.attribute(name) for name in arguments.roles],
        },
        "source": columns.source(DATA),
        "policy": _policy(arguments),
        "fairness": [arguments.fairness]
        if isinstance(arguments.fairness, Mapping)
        else list(arguments.fairness),
    }
    if arguments.population is not None:
        sections["disclosure"] = {"population": arguments.population}
    return FrameSpec(sections=_with_more(_given(sections), arguments.more, problems), data=columns.data())


def _report(arguments: Arguments) -> dict[str, Any]:
    """Who publishes what, and when. What was left out says so: a draft, by nobody, of today.

    The day is that of UTC, or of SOURCE_DATE_EPOCH, as in other tools whose output is to be the same again. It stands in
    the report and in a saved spec, so whatever is made from those has the same bytes on any day.
    """
    return {
        "title": arguments.title or f"Transparency report: {arguments.outcome}",
        "publisher": arguments.publisher or "Publisher not named",
        "version": arguments.version or "draft",
        "date": arguments.date or today(),
    }


def today() -> dt.date:
    """The day of a report that was given none."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    if seconds.isdigit() and len(seconds) <= len("253402300799"):  # the last second of the year 9999
        return dt.datetime.fromtimestamp(int(seconds), dt.UTC).date()
    return dt.datetime.now(dt.UTC).date()


def _policy(arguments: Arguments) -> dict[str, Any]:
    bounds = None if arguments.bounds is None else {"lower": "lower", "upper": "upper"}
    fidelity = {
        "delta": arguments.delta,
        "alpha": arguments.alpha,
        "bounds": bounds,
        "rates": arguments.rates,
    }
    ceilings = {name: getattr(arguments, name) for name in ("beta", "gamma", "lift", "odds")}
    others = ("minimise", "mechanism", "small_cells", "unprotectable", "decimals")
    return {
        "fidelity": fidelity,
        "privacy": ceilings if any(value is not None for value in ceilings.values()) else None,
        **{name: getattr(arguments, name) for name in others},
    }


def _given(value: Any) -> Any:
    """Without the keys that were left out."""
    if isinstance(value, dict):
        return {key: _given(entry) for key, entry in value.items() if entry is not None}
    return [_given(entry) for entry in value] if isinstance(value, list) else value


def _with_more(
    sections: dict[str, Any], more: Mapping[str, Any], problems: list[Problem], place: str = "more"
) -> dict[str, Any]:
    """The spec with whatever else its author says; what an argument says already is not said again."""
    merged = dict(sections)
    for key, value in more.items():
        before = merged.get(key)
        if isinstance(before, dict) and isinstance(value, Mapping):
            merged[key] = _with_more(before, value, problems, f"{place}.{key}")
        elif before is None or before == []:
            merged[key] = value
        else:
            message = "is said by another argument already"
            problems.append(Problem(location=Location(f"{place}.{key}"), message=message, hint="say it once"))
    return merged
