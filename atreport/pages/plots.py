"""Turn a release and its assessments into what each chart shows: panels of marks, and the words that go with them.

Every number here is one that the report also prints, so a chart tells no more than the tables. Few rows are shown one
by one; of many, the distribution and the extremes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atreport.analysis.assessment import Assessment
from atreport.announcement import Release
from atreport.kit.numbers import count, counted, outward, percent, short
from atreport.pages.wording import Unit, cell_name, comparison, group_name, measure_name, units
from atreport.population.cells import IntArray
from atreport.spec.models.spec import PublicSpec

MAX_MARKS = 24
"""The most rows that are drawn one by one."""

EXTREMES = 8
"""How many rows are drawn under a distribution."""

BINS = 25
"""Bars of a distribution."""


@dataclass(frozen=True)
class Mark:
    """One row of a dot plot: a figure, the interval around it, and perhaps a limit."""

    label: str
    value: float
    low: float
    high: float
    limit: float | None = None


@dataclass(frozen=True, kw_only=True)
class Dots:
    """A dot and an interval in each row."""

    marks: tuple[Mark, ...]
    axis: str
    logarithm: bool = False  # the axis has no upper end and is not in percent
    band: str = "where the true value lies"  # empty: there is none
    dot: str = "announced"
    signed: bool = False  # the axis is in percentage points, with 0 somewhere on it


@dataclass(frozen=True, kw_only=True)
class Arrows:
    """From one figure to another in each row."""

    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    axis: str


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """How many things have which value: counts in equal steps from 0 to `top`, up to two series."""

    series: tuple[tuple[str, tuple[int, ...]], ...]
    top: float
    axis: str
    things: str
    logarithm: bool = False


@dataclass(frozen=True, kw_only=True)
class HeatMap:
    """A value in each field of a grid, drawn and written; None where no cell occurs."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    fields: tuple[tuple[tuple[float, str] | None, ...], ...]
    column_title: str


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Figures along some places, None where there is none; the main curve has intervals."""

    label: str
    values: tuple[float | None, ...]
    lows: tuple[float | None, ...] = ()
    highs: tuple[float | None, ...] = ()

    @property
    def is_main(self) -> bool:
        """Whether it is drawn with its intervals."""
        return bool(self.lows)


@dataclass(frozen=True, kw_only=True)
class Curves:
    """Curves over the values of an attribute: lines where the values have an order, marks where not."""

    places: tuple[str, ...]
    curves: tuple[Curve, ...]
    axis: str
    ordered: bool
    signed: bool = False


Panel = Dots | Arrows | Distribution | HeatMap | Curves


@dataclass(frozen=True, kw_only=True)
class Plot:
    """One chart before it is drawn."""

    id: str
    title: str
    alt: str
    panels: tuple[Panel, ...]
    beside: bool = False  # panels stand beside one another, not below


def plot_rules(release: Release) -> Plot:
    """The announced rule: a row for each cell, a field for each cell, or the distribution."""
    cells = release.cells
    favourable = cells.process.outcome.favourable
    axis = f"Announced probability of “{favourable}”"
    lowest, highest = (
        percent(release.printed(int(end))) for end in (release.announced.min(), release.announced.max())
    )
    spread = f"Announced probabilities of “{favourable}” run from {lowest} to {highest}."
    number = counted(len(cells), "cell")
    if len(cells) <= MAX_MARKS:
        panel: Panel = Dots(marks=_cell_marks(release), axis=axis, band="where the true probability lies")
        alt = f"Dot plot of {number}, a row each; a bar shows where the true probability lies. {spread}"
    elif (grid := _heat_map(release)) is not None:
        panel, alt = (
            grid,
            f"Heat map of {number} with the announced probability written in each field. {spread}",
        )
    else:
        series = (("cells", _bins(release.announced / release.scale, 1.0)),)
        panel = Distribution(series=series, top=1.0, axis=axis, things="Cells")
        alt = f"Histogram of {number}. {spread} Half of them lie at {_median(release, release.announced)} or below."
    return Plot(id="chart-rules", title=axis, alt=alt, panels=(panel,))


def _cell_marks(release: Release) -> tuple[Mark, ...]:
    low, high = outward(release.truth, release.scale)
    return tuple(
        Mark(
            cell_name(release.cells, i),
            int(release.announced[i]) / release.scale,
            int(low[i]) / release.scale,
            int(high[i]) / release.scale,
        )
        for i in range(len(release.cells))
    )


def _heat_map(release: Release) -> HeatMap | None:
    """Public attributes down, the others across; None where that is too large or has a name too many."""
    cells = release.cells
    starts = cells.group_starts
    across = (*cells.process.of_role("sensitive"), *cells.process.of_role("private"))
    codes = np.column_stack([cells.column(a.name) for a in across])
    columns, position = np.unique(codes, axis=0, return_inverse=True)
    if len(starts) > MAX_MARKS or len(columns) > EXTREMES or len(starts) * len(columns) < len(cells):
        return None
    steps = np.full((len(starts), len(columns)), -1, dtype=np.int64)
    steps[cells.group, position.ravel()] = release.announced
    return HeatMap(
        rows=tuple(group_name(cells, int(start)) for start in starts),
        columns=tuple(
            " · ".join(a.values[int(c)] for a, c in zip(across, row, strict=True)) for row in columns
        ),
        fields=tuple(
            tuple(
                (step / release.scale, percent(release.printed(step))) if step >= 0 else None for step in row
            )
            for row in steps.tolist()
        ),
        column_title=", ".join(a.title for a in across),
    )


def plot_confidence(release: Release) -> Plot:
    """Confidence before and after the report: a row for each group, or the distribution and the highest groups."""
    cells, beta, prior = release.cells, release.group_beta, release.group_prior
    starts = cells.group_starts
    many = len(starts) > MAX_MARKS
    chosen = np.argsort(-beta, kind="stable")[:EXTREMES] if many else np.arange(len(starts))
    most = int(np.argmax(beta - prior))
    before, after = (percent(release.printed(int(steps[most]))) for steps in (prior, beta))
    rise = f"The largest rise is from {before} to {after}, for {group_name(cells, int(starts[most]))}."
    arrows = Arrows(
        labels=tuple(group_name(cells, int(starts[g])) for g in chosen),
        before=tuple(float(steps) / release.scale for steps in prior[chosen]),
        after=tuple(float(steps) / release.scale for steps in beta[chosen]),
        axis=f"The {len(chosen)} groups with the highest confidence"
        if many
        else "Highest confidence in a sensitive value",
    )
    number = counted(len(starts), "group")
    title = "Confidence before and after this report"
    if not many:
        alt = f"For each of {number}, an open circle for the confidence before the report and a diamond for after. {rise}"
        return Plot(id="chart-confidence", title=title, alt=alt, panels=(arrows,))
    series = (
        ("after the report", _bins(beta / release.scale, 1.0)),
        ("before any report", _bins(prior / release.scale, 1.0)),
    )
    axis = f"Highest confidence in a sensitive value, all {count(len(starts))} groups"
    alt = (
        f"Above, histograms of the confidence in {number} before and after the report: half of them lie at "
        f"{_median(release, prior)} or below before, at {_median(release, beta)} or below after. Below, the "
        f"{len(chosen)} groups with the highest confidence. {rise}"
    )
    distribution = Distribution(series=series, top=1.0, axis=axis, things="Groups")
    return Plot(id="chart-confidence", title=title, alt=alt, panels=(distribution, arrows))


_FAIRNESS: dict[Unit, tuple[str, str]] = {
    "points": ("Differences in treatment", "Difference in percentage points"),
    "percent": ("Ratios of favourable rates", "Lower rate as a share of the higher"),
    "logarithm": ("Relative differences in treatment", "Bias (natural logarithm)"),
}


def plot_fairness(spec: PublicSpec, assessments: Sequence[Assessment]) -> list[Plot]:
    """One chart for each unit of measure: every comparison in a row, or the distribution and the extremes."""
    in_unit = list(zip(units(spec, assessments), assessments, strict=True))
    return [
        _plot_measures(spec, chosen, unit)
        for unit in _FAIRNESS
        if (chosen := [a for its_unit, a in in_unit if its_unit == unit and a.result is not None])
    ]


def _plot_measures(spec: PublicSpec, assessments: Sequence[Assessment], unit: Unit) -> Plot:
    title, axis = _FAIRNESS[unit]
    results = [a.result for a in assessments if a.result is not None]
    values, lows, highs = (
        np.array([float(getattr(r, end)) for r in results]) for end in ("value", "low", "high")
    )
    many = len(results) > MAX_MARKS
    # The most telling first: the smallest ratio that is possible, the largest difference that is possible.
    urgency = lows if unit == "percent" else -highs
    order = np.argsort(urgency, kind="stable")[:EXTREMES] if many else np.arange(len(results))
    several = len({measure_name(a) for a in assessments}) > 1
    marks = tuple(
        Mark(
            (f"{measure_name(a)}: " if several else "") + comparison(a, spec.process),
            float(values[i]),
            float(lows[i]),
            float(highs[i]),
            None if a.threshold is None else float(a.threshold),
        )
        for i, a in ((int(i), assessments[int(i)]) for i in order)
    )
    logarithm = unit == "logarithm"
    dots = Dots(
        marks=marks, axis=f"{axis}, the {len(marks)} most extreme" if many else axis, logarithm=logarithm
    )
    number = counted(len(results), "comparison")
    low, high = min(r.value for r in results), max(r.value for r in results)
    extent = (
        f"run from {short(low)} to {short(high)}"
        if logarithm
        else f"run from {percent(low)} to {percent(high)}"
    )
    limits = ", a dashed line at the threshold" if any(m.limit is not None for m in marks) else ""
    shown = f"a dot for the announced value, a bar where the true value lies{limits}"
    id = f"chart-fairness-{unit}"
    if not many:
        return Plot(id=id, title=title, alt=f"{number}: {shown}. Announced values {extent}.", panels=(dots,))
    top = max(1.0, float(values.max()))
    series = (("comparisons", _bins(values, top)),)
    whole = Distribution(
        series=series, top=top, axis=f"{axis}, all {number}", things="Comparisons", logarithm=logarithm
    )
    alt = f"Above, a histogram of {number}; announced values {extent}. Below, the {len(marks)} most extreme: {shown}."
    return Plot(id=id, title=title, alt=alt, panels=(whole, dots))


def _bins(values: NDArray[np.float64], top: float) -> tuple[int, ...]:
    return tuple(int(n) for n in np.histogram(values, bins=BINS, range=(0.0, top))[0])


def _median(release: Release, steps: IntArray) -> str:
    """The lower median, which is itself a printed figure."""
    return percent(release.printed(int(np.sort(steps)[(len(steps) - 1) // 2])))
