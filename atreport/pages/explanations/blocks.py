"""Turn an explanation into the section that readers see: a block of words, a chart and a table for each scheme."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from atreport.analysis.explanations.figure import Explanation, Faithfulness, Influence, RuleSet, Scheme
from atreport.announcement import Release
from atreport.kit.numbers import count, counted, percent, points
from atreport.kit.tables import Table
from atreport.pages.explanations.tables import (
    anchor_table,
    dependence_table,
    importance_table,
    influence_table,
    local_table,
    model_table,
    region_table,
    rules_table,
)
from atreport.pages.explanations.wording import record_text
from atreport.spec.models.process import Process


@dataclass(frozen=True, kw_only=True)
class Block:
    """One scheme: what it is, what it shows, and what to mind."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[str, ...] = ()  # ids of its charts
    fine: str = ""


def explanation_blocks(release: Release, explanation: Explanation) -> tuple[Block, ...]:
    """Every scheme of a report, in its order."""
    return (*_rule_blocks(release, explanation), *_influence_blocks(release, explanation))


def _rule_blocks(release: Release, explanation: Explanation) -> Iterator[Block]:
    process = release.cells.process
    found: dict[Scheme, list[RuleSet]] = {}
    for rule_set in explanation.rules:
        found.setdefault(rule_set.scheme, []).append(rule_set)
    for rule_set in found.get("exact", ()):
        yield Block(
            id="rules-in-words",
            title="The announced rule in a few sentences",
            paragraphs=(
                f"The {count(len(release.cells))} cells of the announced rule follow from "
                f"{count(len(rule_set.rules))} sentences. Nothing is left out: for everybody, exactly one of them holds.",
            ),
            tables=(rules_table(process, rule_set),),
        )
    for rule_set in found.get("tree", ()):
        yield Block(
            id="tree",
            title="A simpler rule that comes close",
            paragraphs=(
                f"A decision tree that asks at most {counted(rule_set.depth or 0, 'question')} of a person. "
                + _close(process, rule_set, "It"),
            ),
            charts=("chart-tree",),
            tables=(rules_table(process, rule_set),),
        )
    for rule_set in found.get("regions", ()):
        yield Block(
            id="regions",
            title="Regions in which one attribute decides",
            paragraphs=(
                f"The people fall into {count(len(rule_set.regions))} regions; in each, one attribute says most about the "
                "outcome. " + _close(process, rule_set, "This"),
            ),
            charts=("chart-regions",),
            tables=(region_table(process, rule_set),),
        )
    models = [*found.get("linear", ()), *found.get("logistic", ())]
    if models:
        close = " ".join(_close(process, model, f"The {model.scheme} model") for model in models)
        yield Block(
            id="models",
            title="What each value adds",
            paragraphs=(
                "A simple model gives every value a fixed amount: start from the base and add the amounts of a person’s "
                f"values. Above 0 speaks for “{process.outcome.favourable}”, below 0 against it. {close}",
            ),
            charts=("chart-models",),
            tables=(model_table(process, models),),
        )
    if anchors := found.get("anchor", []):
        yield Block(
            id="anchors",
            title="What is enough to know",
            paragraphs=(
                "An anchor is the smallest part of a record that already leads to its likeliest announced outcome, "
                "whatever the rest of the record is.",
            ),
            charts=("chart-anchors",),
            tables=(anchor_table(process, anchors),),
        )


def _close(process: Process, rule_set: RuleSet, subject: str) -> str:
    """How faithful a simpler rule is, in words."""
    faithful = rule_set.faithfulness
    assert isinstance(faithful, Faithfulness), "every simpler rule says how faithful it is"
    if faithful.worst_error == 0:
        return f"{subject} gives everybody the announced probability."
    return (
        f"{subject} is off by at most {points(faithful.average_error)} on average over all people, and by "
        f"{points(faithful.worst_error)} at worst, for {record_text(process, faithful.worst)}."
    )


def _influence_blocks(release: Release, explanation: Explanation) -> Iterator[Block]:
    process = release.cells.process
    by_kind: dict[str, list[Influence]] = {}
    for influence in explanation.influence:
        by_kind.setdefault(influence.kind, []).append(influence)
    if important := [*by_kind.get("permutation", ()), *by_kind.get("firm", ())]:
        words = {
            "permutation": "Draw one attribute of a person anew, the way its values occur in the population, and leave the "
            "rest: the average change is how far the announced probability then moves, up or down.",
            "firm": "The spread of rates (FIRM) is the standard deviation of the rates at the attribute’s values.",
        }
        yield Block(
            id="importance",
            title="Which attributes matter",
            paragraphs=(" ".join(text for kind, text in words.items() if kind in by_kind),),
            charts=("chart-importance",),
            tables=(importance_table(process, important),),
            fine=_reach(important),
        )
    if moving := [f for f in explanation.influence if f.kind in {"qii", "shapley"}]:
        words = {
            "qii": "The influence (QII) of an attribute is the figure as announced, less what it would be if the attribute "
            "were drawn anew for each person of the group: above 0, the group’s own values raise it.",
            "shapley": "Shapley values share a figure out among all attributes: together they make the difference between "
            "the group and everybody, or the whole gap between two groups.",
        }
        yield Block(
            id="influence",
            title="What moves rates and gaps",
            paragraphs=(" ".join(text for kind, text in words.items() if kind in by_kind),),
            charts=("chart-influence",),
            tables=(influence_table(process, moving),),
            fine=_reach(moving),
        )
    if local := by_kind.get("lime"):
        yield Block(
            id="local-weights",
            title="What counts near a chosen record",
            paragraphs=(
                "People count for half as much for every attribute in which they differ from the record. Among them, a "
                "linear model says what it adds to have the record’s value of an attribute rather than another.",
            ),
            charts=("chart-local",),
            tables=(local_table(process, local),),
        )
    if curves := [f for f in explanation.influence if f.kind in {"pdp", "ice", "ale"}]:
        yield _dependence_block(process, curves, by_kind)


def _dependence_block(
    process: Process, curves: list[Influence], by_kind: Mapping[str, list[Influence]]
) -> Block:
    words = {
        "pdp": f"Partial dependence (PDP) is the rate of “{process.outcome.favourable}” if everybody had the value and kept "
        "the rest.",
        "ice": "Individual curves (ICE) follow people who are alike in everything else.",
        "ale": "Accumulated local effects (ALE) compare each value with the one before it among the people who are at "
        "either, add the steps up, and are centred on 0.",
    }
    names = [attribute.name for attribute in process.attributes]
    attributes = dict.fromkeys(figure.attributes[0] for figure in curves)
    drawn = {(figure.kind, figure.attributes[0]) for figure in curves}
    broken = [
        process.attribute(name).title
        for name in attributes
        if "ale" in by_kind and ("ale", name) not in drawn
    ]
    fine = _reach(curves)
    if broken:
        fine += f" For {', '.join(broken)} there is no accumulated effect: between two of its values nobody could step."
    tabled = [figure for figure in curves if figure.kind != "ice"]
    return Block(
        id="dependence",
        title="Along the values of an attribute",
        paragraphs=(" ".join(text for kind, text in words.items() if kind in by_kind),),
        charts=tuple(f"chart-dependence-{names.index(name) + 1}" for name in attributes),
        tables=(dependence_table(process, tabled),) if tabled else (),
        fine=fine.strip(),
    )


def _reach(figures: list[Influence]) -> str:
    """What was done about combinations that nobody has; nothing to say where all occur."""
    reached = [figure.reach for figure in figures if figure.reach is not None]
    if not reached or min(reached) == 1:
        return ""
    return (
        "A draw that leads to a combination which nobody has is not made, and the person stays as they are. Here "
        f"{percent(min(reached))} to {percent(max(reached))} of the draws could be made; report.json has the share for "
        "each figure."
    )
