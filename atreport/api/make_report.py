"""From a data frame to a report that may be published, without a spec."""

import datetime as dt
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pandas as pd
import yaml

from atreport.api.build import BuildResult, warnings_of, write_report
from atreport.api.columns import Arguments, FrameColumns, Labels, Names, Number, read_frame
from atreport.errors import InvalidInput, Location, OutputError, SpecProblem
from atreport.pages.layout import Cover, fill_template, make_cover
from atreport.pages.sections.summary import Headline, headlines
from atreport.private.audited import AuditedReport, make_publishable
from atreport.private.commitment import fresh_salt
from atreport.private.prepare import prepare_spec
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report
from atreport.spec.load import UNNAMED, check_document
from atreport.spec.mapping import document_of
from atreport.spec.spec import Spec
from atreport.text.language import use_locale
from atreport.write_folder import write_private

# A report as a notebook shows it: who publishes what, and the answers of the summary. Public, as every page
# is.


@dataclass(frozen=True, kw_only=True)
class NotebookView:
    """What the template is given."""

    cover: Cover
    headlines: tuple[Headline, ...]


def notebook_view(report: Report) -> str:
    """A part of a page, without styles or scripts: the notebook has its own."""
    with use_locale(report.report.language):
        return fill_template(
            "notebook.html.j2", NotebookView(cover=make_cover(report), headlines=headlines(report))
        )


# Turn a data frame and the arguments of ``make_report`` into the spec they stand for and its data file.

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


def frame_spec(frame: pd.DataFrame, arguments: Arguments, problems: list[SpecProblem]) -> FrameSpec:
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
    if (population := arguments.others["population"]) is not None:
        sections["disclosure"] = {"population": population}
    return FrameSpec(sections=_with_more(_given(sections), arguments.more, problems), data=columns.data())


def _report(arguments: Arguments) -> dict[str, Any]:
    """Who publishes what, and when. What was left out says so: a draft, by nobody, of today.

    The day is that of UTC, or of SOURCE_DATE_EPOCH, as in other tools whose output is to be the same again. It stands in
    the report and in a saved spec, so whatever is made from those has the same bytes on any day.
    """
    return {
        "title": arguments.title or f"Transparency report: {arguments.outcome}",
        "publisher": arguments.others["publisher"] or "Publisher not named",
        "version": arguments.others["version"] or "draft",
        "date": arguments.others["date"] or today(),
    }


def today() -> dt.date:
    """The day of a report that was given none."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    if seconds.isdigit() and len(seconds) <= len("253402300799"):  # the last second of the year 9999
        return dt.datetime.fromtimestamp(int(seconds), dt.UTC).date()
    return dt.datetime.now(dt.UTC).date()


def _policy(arguments: Arguments) -> dict[str, Any]:
    bounds = None if arguments.bounds is None else {"lower": "lower", "upper": "upper"}
    given = {**arguments.others, "bounds": bounds}
    ceilings = {name: given[name] for name in ("beta", "gamma", "lift", "odds")}
    others = ("minimise", "mechanism", "small_cells", "unprotectable", "decimals")
    return {
        "fidelity": {name: given[name] for name in ("delta", "alpha", "bounds", "rates")},
        "privacy": ceilings if any(value is not None for value in ceilings.values()) else None,
        **{name: given[name] for name in others},
    }


def _given(value: Any) -> Any:
    """Without the keys that were left out."""
    if isinstance(value, dict):
        return {key: _given(entry) for key, entry in value.items() if entry is not None}
    return [_given(entry) for entry in value] if isinstance(value, list) else value


def _with_more(
    sections: dict[str, Any], more: Mapping[str, Any], problems: list[SpecProblem], place: str = "more"
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
            problems.append(
                SpecProblem(location=Location(f"{place}.{key}"), message=message, hint="say it once")
            )
    return merged


# What ``make_report`` returns: the report, and what is needed to write it with its annex, or to save its
# spec.


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MadeReport:
    """A report that may be published. What it shows of itself is public; what it was made from stays inside it.

    Do not pickle it for others: it holds the recorded decisions.
    """

    report: Report
    _publishable: AuditedReport = field(repr=False)
    _wanted: FrameSpec = field(repr=False)

    def __repr__(self) -> str:
        about, privacy = self.report.report, self.report.privacy
        return f"MadeReport({about.title!r}, version {about.version!r}, β = {privacy.beta})"

    def _repr_html_(self) -> str:
        """The public view, for a notebook: the answers of the report's summary."""
        return notebook_view(self.report)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the publisher should know before publishing. Not for others."""
        return (*warnings_of(self._publishable), *self._publishable.cautions)

    def figures(self) -> pd.DataFrame:
        """Every fairness measure, one row each, with its certified interval and verdict."""
        return measures_frame(self.report.fairness)

    def rates(self) -> pd.DataFrame:
        """The favourable rate of every group that is compared, and every error rate."""
        return rates_frame(self.report.fairness)

    def cells(self) -> pd.DataFrame:
        """The announced rule: every cell with its share, and the announced probability of each outcome."""
        return cells_frame(self.report)

    def write(
        self, folder: str | Path, formats: Sequence[str] | None = None, *, with_verifier: bool = False
    ) -> BuildResult:
        """Write the report into a folder (``public/``), and its annex beside it (``confidential/``).

        Args:
            folder: Gets the two. A report that is there already is replaced in one step.
            formats: Any of html, pdf, json, ods, xlsx. When left out, those of the first three that this machine can make.
            with_verifier: Put ``verify.py`` beside the report: a verifier that needs nothing but Python.
        """
        return write_report(self._publishable, Path(folder), formats, with_verifier=with_verifier)

    def save_spec(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the spec that this report stands for, and its rows beside it as CSV, readable by their owner only.

        ``atreport build`` of it gives the public files that :meth:`write` gives, byte for byte. The rows are confidential:
        they hold the columns that the report needs, and no others.
        """
        path = Path(path)
        if path.suffix.lower() not in {".yaml", ".yml"}:
            message, hint = f"'{path.name}' is not the name of a spec", "choose one that ends in .yaml"
            raise InvalidInput([SpecProblem(location=Location("path"), message=message, hint=hint)])
        data = path.with_suffix(".csv")
        standing = [file for file in (path, data) if os.path.lexists(file)]
        if standing and not overwrite:
            raise OutputError(
                f"{standing[0]}: there is such a file already, and it may have been edited since.\n"
                "  Choose another name, or say overwrite=True."
            )
        write_private(
            path.parent, {data.name: self._wanted.data, path.name: self._wanted.text(data.name).encode()}
        )
        return path


def make_report(
    frame: object,
    *,
    outcome: str,
    favourable: str | bool | float,
    public: Names,
    sensitive: Names,
    private: Names = (),
    count: str | None = None,
    probability: str | Mapping[str, str] | None = None,
    bounds: tuple[str, str] | None = None,
    values: Mapping[str, Labels] | None = None,
    bins: Mapping[str, str | Sequence[Number]] | None = None,
    missing: str | Mapping[str, Any] = "error",
    estimate: str | Mapping[str, Any] = "frequency",
    attributes: Mapping[str, Mapping[str, Any]] | None = None,
    delta: Number | None = None,
    alpha: Number | None = None,
    rates: Number | str | None = None,
    beta: Number | None = None,
    gamma: Number | None = None,
    lift: Number | None = None,
    odds: Number | None = None,
    minimise: Sequence[str] | None = None,
    mechanism: str | None = None,
    small_cells: str | Mapping[str, Any] | None = None,
    unprotectable: str | None = None,
    decimals: int | None = None,
    population: str | None = None,
    fairness: Sequence[Mapping[str, Any]] = (),
    title: str | None = None,
    publisher: str | None = None,
    version: str | None = None,
    date: dt.date | str | None = None,
    more: Mapping[str, Any] | None = None,
) -> MadeReport:
    """Make a report of a data frame (pandas, Polars, Arrow), in memory; ``write`` and ``save_spec`` put it on disk.

    Each row is a decided case; with `count`, so many cases; with `probability` too, a cell and what is decided there.
    docs/python.md explains every argument:

    - columns: `outcome` with its `favourable` value, and attributes as `public`, `sensitive` or `private`;
    - what they hold: the order of `values`, `bins` of numbers, what is done where entries are `missing`, how the rule is
      found (`estimate`), and whatever else a spec says of `attributes`;
    - closeness to the truth: `delta`, `alpha` or `bounds`, and `rates`;
    - privacy: the ceilings `beta` (or `gamma`), `lift` and `odds`, `minimise`, `mechanism`, `small_cells`, `unprotectable`;
    - what is printed: `fairness` measures, `decimals`, `population`, and who publishes it when. Without a `date` it is
      today (UTC), without a `version` a draft;
    - `more`: any other section or key of a spec.

    Raises:
        InvalidInput: with every problem, each at the name of its argument.
        Refused: publishing would break the policy.
    """
    given = dict(locals(), values=values or {}, bins=bins or {}, attributes=attributes or {}, more=more or {})
    del given["frame"]
    own = {each.name: given.pop(each.name) for each in fields(Arguments) if each.name in given}
    return _made(frame, Arguments(**own, others=given))


def _made(frame: object, arguments: Arguments) -> MadeReport:
    problems = arguments.misshapen()
    if problems:
        raise InvalidInput(problems)
    wanted = frame_spec(read_frame(frame), arguments, problems)
    with TemporaryDirectory(prefix="atreport-") as folder:  # its owner's alone, and gone at the end
        (Path(folder) / DATA).write_bytes(wanted.data)
        try:
            spec = _checked(wanted, arguments, Path(folder), problems)
            publishable = make_publishable(prepare_spec(spec), fresh_salt())
        except InvalidInput as error:
            raise InvalidInput([_at_frame(problem, folder) for problem in error.problems]) from None
    return MadeReport(report=publishable.report, _publishable=publishable, _wanted=wanted)


def _checked(wanted: FrameSpec, arguments: Arguments, folder: Path, problems: list[SpecProblem]) -> Spec:
    """The spec, if neither the columns nor the rest have a problem."""
    try:
        spec = check_document(document_of(wanted.sections, folder / UNNAMED, arguments.argument_at))
    except InvalidInput as error:
        raise InvalidInput([*problems, *error.problems]) from None
    if problems:
        raise InvalidInput(problems)
    return spec


def _at_frame(problem: SpecProblem, folder: str) -> SpecProblem:
    """A problem of the data: the file that it was found in is the frame, and no other file was ever there."""
    if not problem.location.file.startswith(folder):
        return problem
    return SpecProblem(location=Location("frame"), message=problem.message, hint=problem.hint)


# Turn a report into tidy pandas frames: one row a measure, one row a group's rate, one row a cell.

Item = TypeVar("Item")


def measures_frame(assessments: Sequence[Assessment]) -> pd.DataFrame:
    """Every measure with its certified interval and verdict, in the order of the spec.

    Numbers are the printed ones. Missing: None for texts, NaN for numbers (a measure that nothing bounds has
    no value).
    """
    return _frame(
        assessments,
        {
            "measure": lambda a: a.measure,
            "title": lambda a: a.title,
            "group_a": lambda a: a.groups and a.groups[0],
            "group_b": lambda a: a.groups and a.groups[1],
            "given": _given_text,
            "outcome": lambda a: a.outcome,
            "value": lambda a: _number(a.value),
            "interval_low": lambda a: _end(0, a.interval),
            "interval_high": lambda a: _end(1, a.interval),
            "a_priori": lambda a: _number(a.a_priori),
            "threshold": lambda a: _number(a.threshold),
            "verdict": lambda a: a.verdict,
            "sampling_low": lambda a: _end(0, _chance(a)),
            "sampling_high": lambda a: _end(1, _chance(a)),
            "rate": lambda a: a.rate,
        },
    )


def rates_frame(assessments: Sequence[Assessment]) -> pd.DataFrame:
    """The favourable rate of every group that is compared, and every error rate (`kind`), each once."""
    rates: dict[tuple[str, str | None, str | None], GroupRate] = {}
    for a in assessments:
        for rate in a.rates or ():
            rates.setdefault((rate.group, rate.kind, _given_text(a)), rate)
    return _frame(
        list(rates.items()),
        {
            "group": lambda each: each[0][0],
            "kind": lambda each: each[0][1],
            "given": lambda each: each[0][2],
            "value": lambda each: _number(each[1].value),
            "interval_low": lambda each: _end(0, each[1].interval),
            "interval_high": lambda each: _end(1, each[1].interval),
            "sampling_low": lambda each: _end(0, _chance(each[1])),
            "sampling_high": lambda each: _end(1, _chance(each[1])),
        },
    )


def _frame(items: Sequence[Item], columns: Mapping[str, Callable[[Item], object]]) -> pd.DataFrame:
    """One row an item; each column with what stands in it."""
    rows = [tuple(of(item) for of in columns.values()) for item in items]
    return pd.DataFrame(rows, columns=list(columns))


def _chance(figure: Assessment | GroupRate) -> tuple[Decimal, Decimal] | None:
    return figure.sampling.interval if figure.sampling else None


def _end(place: int, interval: tuple[Decimal, Decimal] | None) -> float:
    return float("nan") if interval is None else _number(interval[place])


def cells_frame(report: Report) -> pd.DataFrame:
    """The announced rule as cells.csv has it: values, share or number of people, the probability of each outcome.

    Values are ordered categories, as the report lists them. The outcomes' columns are named `announced: …`, since an
    attribute may have the name of an outcome.
    """
    process, size = report.process, {"shares": "share", "counts": "population"}.get(report.policy.population)
    columns: dict[str, Any] = {
        attribute.name: pd.Categorical(
            [cell.values[attribute.name] for cell in report.cells], attribute.values
        )
        for attribute in process.attributes
    }
    if size is not None:
        columns[size] = [_number(getattr(cell, size)) for cell in report.cells]
    for outcome in process.outcome.values:
        columns[f"announced: {outcome}"] = [_number(cell.announced[outcome]) for cell in report.cells]
    if report.policy.fidelity.bounds:
        for end, name in enumerate(("lower", "upper")):
            columns[name] = [_number(cell.bounds[end] if cell.bounds else None) for cell in report.cells]
    return pd.DataFrame(columns)


def _given_text(assessment: Assessment) -> str | None:
    return "; ".join(f"{name}={value}" for name, value in (assessment.given or {}).items()) or None


def _number(number: Decimal | int | None) -> float:
    return float("nan") if number is None else float(number)
