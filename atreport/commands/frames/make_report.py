"""From a data frame to a report that may be published, without a spec."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from atreport.commands.frames.arguments import Arguments, Labels, Names, Number
from atreport.commands.frames.frame_spec import DATA, FrameSpec, frame_spec
from atreport.commands.frames.made_report import MadeReport
from atreport.commands.frames.reading import read_frame
from atreport.confidential.commitment import fresh_salt
from atreport.confidential.prepare import prepare_spec
from atreport.confidential.publishable import Publishable, make_publishable
from atreport.errors import InvalidInput, Location, Problem
from atreport.spec.load import UNNAMED, check_document
from atreport.spec.mapping import document_of
from atreport.spec.models.spec import Spec


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
    return _made(frame, Arguments(**given))


def _made(frame: object, arguments: Arguments) -> MadeReport:
    problems = arguments.misshapen()
    if problems:
        raise InvalidInput(problems)
    wanted = frame_spec(read_frame(frame), arguments, problems)
    with TemporaryDirectory(prefix="atreport-") as folder:  # its owner's alone, and gone at the end
        (Path(folder) / DATA).write_bytes(wanted.data)
        try:
            publishable = _published(_checked(wanted, arguments, Path(folder), problems))
        except InvalidInput as error:
            raise InvalidInput([_at_frame(problem, folder) for problem in error.problems]) from None
    return MadeReport(report=publishable.report, _publishable=publishable, _wanted=wanted)


def _checked(wanted: FrameSpec, arguments: Arguments, folder: Path, problems: list[Problem]) -> Spec:
    """The spec, if neither the columns nor the rest have a problem."""
    try:
        spec = check_document(document_of(wanted.sections, folder / UNNAMED, arguments.words))
    except InvalidInput as error:
        raise InvalidInput([*problems, *error.problems]) from None
    if problems:
        raise InvalidInput(problems)
    return spec


def _published(spec: Spec) -> Publishable:
    return make_publishable(prepare_spec(spec), fresh_salt())


def _at_frame(problem: Problem, folder: str) -> Problem:
    """A problem of the data: the file that it was found in is the frame, and no other file was ever there."""
    if not problem.location.file.startswith(folder):
        return problem
    return Problem(location=Location("frame"), message=problem.message, hint=problem.hint)
