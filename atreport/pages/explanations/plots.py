"""Turn an explanation into what its charts show. Every number drawn is one that the report also prints or publishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from atreport.analysis.explanations.figure import Condition, Explanation, Influence, RuleSet, Scheme, members
from atreport.announcement import Release
from atreport.kit.numbers import counted, percent, points
from atreport.pages.explanations.curves import MAX_BESIDE
from atreport.pages.explanations.wording import (
    attributes_text,
    condition_text,
    quantity_text,
    record_text,
)
from atreport.pages.plots import MAX_MARKS, Curve, Curves, Dots, Mark, Plot
from atreport.pages.wording import named_values
from atreport.spec.models.process import Process
from atreport.spec.models.spec import PublicSpec

POINTS = "Percentage points"


def plot_explanation(release: Release, spec: PublicSpec, explanation: Explanation) -> Iterator[Plot]:
    """Every chart on how the rule decides."""
    by_scheme = {scheme: [r for r in explanation.rules if r.scheme == scheme] for scheme in _SCHEMES}
    for rule_set in (*by_scheme["tree"], *by_scheme["regions"]):
        yield _plot_rules(release, rule_set)
    if models := [*by_scheme["linear"], *by_scheme["logistic"]]:
        yield _plot_models(spec.process, models)
    if by_scheme["anchor"]:
        yield _plot_anchors(spec.process, by_scheme["anchor"])
    if important := [f for f in explanation.influence if f.kind in {"permutation", "firm"}]:
        yield _plot_importance(spec.process, important)
    if moving := [f for f in explanation.influence if f.kind in {"qii", "shapley"}]:
        yield _plot_influence(spec.process, moving)
    if local := [f for f in explanation.influence if f.kind == "lime"]:
        yield _plot_local(spec.process, local)
    curves = [f for f in explanation.influence if f.kind in {"pdp", "ice", "ale"}]
    for attribute in dict.fromkeys(f.attributes[0] for f in curves):
        yield _plot_dependence(spec, attribute, [f for f in curves if f.attributes[0] == attribute])


_SCHEMES: tuple[Scheme, ...] = ("exact", "tree", "linear", "logistic", "regions", "anchor")


def _plot_rules(release: Release, rule_set: RuleSet) -> Plot:
    """Each rule's rate, and the announced probabilities of the cells it stands for."""
    process = release.cells.process
    if rule_set.scheme == "tree":
        title = f"A tree of depth {rule_set.depth}, and the rule it stands for"
        rows = [(condition_text(process, r.condition), r.condition, r.probability) for r in rule_set.rules]
    else:
        title = "Regions with a rule each, and the rule they stand for"
        rows = [
            (condition_text(process, inside), inside, rule.probability)
            for region in rule_set.regions
            for rule in region.rules
            for inside in [{**region.condition, **rule.condition}]
        ]
    marks = tuple(_rule_mark(release, *row) for row in rows[:MAX_MARKS])
    panel = Dots(
        marks=marks,
        axis=f"Probability of “{process.outcome.favourable}”",
        band="announced, of the cells it stands for",
        dot="by the simpler rule",
    )
    alt = (
        f"{counted(len(marks), 'rule')}, a row each: a dot for its probability, a bar from the lowest to the highest "
        f"announced probability of the cells it stands for. Dots run from {_extent([m.value for m in marks])}."
    )
    return Plot(id=f"chart-{rule_set.scheme}", title=title, alt=alt, panels=(panel,))


def _rule_mark(release: Release, label: str, condition: Condition, probability: Decimal) -> Mark:
    inside = release.announced[members(release.cells, condition)]
    return Mark(
        label, float(probability), int(inside.min()) / release.scale, int(inside.max()) / release.scale
    )


def _extent(values: Iterable[float]) -> str:
    """From the least to the largest, in percent with the digits they have."""
    numbers = [Decimal(repr(value)) for value in values]
    return f"{percent(min(numbers))} to {percent(max(numbers))}"


def _points_extent(values: Iterable[float]) -> str:
    numbers = [Decimal(repr(value)) for value in values]
    return f"{points(min(numbers))} to {points(max(numbers))}".replace("-", "minus ")


def _plot_models(process: Process, models: Sequence[RuleSet]) -> Plot:
    panels = []
    for model in models:
        marks = [
            Mark(
                f"{process.attribute(c.attribute).title}: {c.value}",
                float(c.amount),
                float(c.amount),
                float(c.amount),
            )
            for c in model.coefficients
            if c.attribute is not None
        ]
        linear = model.scheme == "linear"
        panels.append(
            Dots(
                marks=tuple(marks[:MAX_MARKS]),
                axis="Linear model: percentage points" if linear else "Logistic model: log odds",
                band="",
                dot="compared with the first value",
                signed=True,
                logarithm=not linear,
            )
        )
    kept = [panel for panel in panels if panel.marks]
    alt = "; ".join(
        f"{panel.axis.split(':')[0].lower()}, {counted(len(panel.marks), 'value')}, the highest for {max(panel.marks, key=lambda m: m.value).label}"
        for panel in kept
    )
    return Plot(
        id="chart-models",
        title="What each value adds in a simple model",
        alt=f"Dot plots of what each value adds, left of 0 against and right of 0 in favour: {alt}.",
        panels=tuple(kept),
    )


def _plot_anchors(process: Process, anchors: Sequence[RuleSet]) -> Plot:
    found = [rule_set.anchor for rule_set in anchors if rule_set.anchor is not None][:MAX_MARKS]
    marks = tuple(
        Mark(
            f"{record_text(process, a.record)}: “{a.outcome}”",
            float(a.precision.value),
            float(a.precision.low),
            float(a.precision.high),
            float(a.wanted),
        )
        for a in found
    )
    alt = (
        f"{counted(len(marks), 'record')}, a row each: a dot for how often the outcome follows from what is enough to know, "
        f"a bar where the true figure lies, a dashed line at the precision asked for. Dots run from "
        f"{_extent([m.value for m in marks])}."
    )
    panel = Dots(marks=marks, axis="How often the outcome follows")
    return Plot(id="chart-anchors", title="What is enough to know", alt=alt, panels=(panel,))


def _marks(process: Process, figures: Sequence[Influence], *, kinds: bool = False) -> tuple[Mark, ...]:
    names = {"qii": "drawn anew (QII)", "shapley": "Shapley value"}
    return tuple(
        Mark(
            attributes_text(process, f.attributes) + (f", {names[f.kind]}" if kinds else ""),
            float(f.result.value),
            float(f.result.low),
            float(f.result.high),
        )
        for f in figures[:MAX_MARKS]
    )


def _plot_importance(process: Process, figures: Sequence[Influence]) -> Plot:
    axes = {
        "permutation": "Average change when the attribute is drawn anew, in percentage points",
        "firm": "Spread of the rate over the attribute’s values (FIRM), in percentage points",
    }
    panels, texts = [], []
    for kind, axis in axes.items():
        marks = _marks(process, [f for f in figures if f.kind == kind])
        if marks:
            panels.append(Dots(marks=marks, axis=axis, signed=True))
            most = max(marks, key=lambda mark: mark.value)
            texts.append(f"{axis}: the highest is {points(Decimal(repr(most.value)))}, for {most.label}")
    alt = f"Dots with a bar where the true value lies. {'. '.join(texts)}."
    return Plot(id="chart-importance", title="How much each attribute matters", alt=alt, panels=tuple(panels))


def _plot_influence(process: Process, figures: Sequence[Influence]) -> Plot:
    """A panel for each quantity."""
    panels, texts = [], []
    for title in dict.fromkeys(quantity_text(f) for f in figures):
        chosen = [f for f in figures if quantity_text(f) == title]
        marks = _marks(process, chosen, kinds=True)
        panels.append(Dots(marks=marks, axis=f"{title}: percentage points", signed=True))
        texts.append(f"{title}, values from {_points_extent([m.value for m in marks])}")
    alt = (
        f"For each quantity, a dot for every influence and a bar where the true one lies: {'; '.join(texts)}."
    )
    return Plot(id="chart-influence", title="What moves rates and gaps", alt=alt, panels=tuple(panels))


def _plot_local(process: Process, figures: Sequence[Influence]) -> Plot:
    panels, texts = [], []
    for record in dict.fromkeys(tuple((f.at or {}).items()) for f in figures):
        chosen = [f for f in figures if tuple((f.at or {}).items()) == record and f.attributes]
        name = record_text(process, dict(record))
        panels.append(
            Dots(marks=_marks(process, chosen), axis=f"Near {name}: percentage points", signed=True)
        )
        texts.append(f"near {name}, weights from {_points_extent([float(f.result.value) for f in chosen])}")
    alt = f"Dots for what the record’s own values add, with a bar where the true figure lies: {'; '.join(texts)}."
    return Plot(id="chart-local", title="What counts near a chosen record", alt=alt, panels=tuple(panels))


def _plot_dependence(spec: PublicSpec, attribute: str, figures: Sequence[Influence]) -> Plot:
    process, title = spec.process, spec.process.attribute(attribute).title
    ordered = attribute in spec.transparency.ordered
    places = [
        value
        for value in process.attribute(attribute).values
        if any((f.at or {}).get(attribute) == value for f in figures)
    ]
    panels, texts = [], []
    rates = [f for f in figures if f.kind == "pdp"]
    lines = list(_individual(process, attribute, places, [f for f in figures if f.kind == "ice"]))
    if rates or lines:
        main = [_curve("if everybody had it (PDP)", attribute, places, rates)] if rates else []
        panels.append(
            Curves(
                places=tuple(places),
                curves=(*main, *lines),
                axis=f"“{process.outcome.favourable}”",
                ordered=ordered,
            )
        )
        if rates:
            texts.append(f"partial dependence runs from {_extent([float(f.result.value) for f in rates])}")
        if lines:
            texts.append(f"{counted(len(lines), 'individual curve')} of people alike in everything else")
    effects = [f for f in figures if f.kind == "ale"]
    if effects:
        panels.append(
            Curves(
                places=tuple(places),
                curves=(_curve("accumulated local effect (ALE)", attribute, places, effects),),
                axis=POINTS,
                ordered=ordered,
                signed=True,
            )
        )
        texts.append(
            f"accumulated effects run from {_points_extent([float(f.result.value) for f in effects])}"
        )
    how = "Lines" if ordered else "Marks"
    return Plot(
        id=f"chart-dependence-{[a.name for a in process.attributes].index(attribute) + 1}",
        title=f"How the outcome depends on “{title}”",
        alt=f"{how} over {counted(len(places), 'value')} of {title}: {'; '.join(texts)}. Bars show where true values lie.",
        panels=tuple(panels),
        beside=len(places) <= MAX_BESIDE,
    )


def _curve(label: str, attribute: str, places: Sequence[str], figures: Sequence[Influence]) -> Curve:
    found = {(f.at or {})[attribute]: f.result for f in figures}
    return Curve(
        label=label,
        values=tuple(float(found[p].value) if p in found else None for p in places),
        lows=tuple(float(found[p].low) if p in found else None for p in places),
        highs=tuple(float(found[p].high) if p in found else None for p in places),
    )


def _individual(
    process: Process, attribute: str, places: Sequence[str], figures: Sequence[Influence]
) -> Iterator[Curve]:
    """A curve for each class of people who are alike in everything else."""
    classes: dict[tuple[tuple[str, str], ...], dict[str, float]] = {}
    for figure in figures:
        at = dict(figure.at or {})
        value = at.pop(attribute)
        classes.setdefault(tuple(at.items()), {})[value] = float(figure.result.value)
    for others, values in classes.items():
        label = named_values(process, dict(others))
        yield Curve(label=label, values=tuple(values.get(place) for place in places))
