"""Turn the public facts on how the rule was estimated into words, a table and an entry of report.json."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from atreport.kit.numbers import count, counted, percent, short
from atreport.kit.tables import Column, Table, table
from atreport.population.estimation import Estimation, ValueRange
from atreport.spec.models.process import Process

_METHODS = {
    "frequency": (
        "The rule was found in records of decided cases: what this report calls the true probability of an outcome is "
        "the share of a cell’s recorded cases that ended in it."
    ),
    "tree": (
        "The rule was found in records of decided cases by fitting a decision tree to them. What this report calls the "
        "true probability is the tree’s: cases that the tree does not tell apart have the same."
    ),
    "model": (
        "The rule is a trained model’s. What this report calls the true probability of an outcome is the model’s answer "
        "for the people of a cell."
    ),
}


def estimation_words(estimation: Estimation, process: Process) -> str:
    """How the rule was estimated, and what was left out on the way."""
    sentences = [_METHODS[estimation.method]]
    if estimation.faithfulness is not None:
        sentences.append(
            f"The tree agrees with at least {percent(estimation.faithfulness)} of the recorded decisions (the more likely "
            "outcome of a case counts as the tree’s). The stated fidelity is to the tree, not to single decisions."
        )
    if estimation.excluded is not None:
        left_out = counted(estimation.excluded, "record")
        was = "was" if estimation.excluded == 1 else "were"
        sentences.append(
            f"{left_out} {was} left out because something was missing in {_them(estimation.excluded)}."
        )
    if estimation.population == "census":
        sentences.append("The number of people in each cell is from other statistics, not from the records.")
    if estimation.edges_from_decisions:
        titles = " and ".join(f"“{process.attribute(n).title}”" for n in estimation.edges_from_decisions)
        sentences.append(
            f"Where the values of {titles} begin and end was chosen by looking at the decisions. So the ranges themselves "
            "tell something about the rule, which the privacy promise does not cover."
        )
    return " ".join(sentences)


def _them(number: int) -> str:
    return "it" if number == 1 else "them"


def range_table(estimation: Estimation | None, process: Process) -> Table | None:
    """The numbers that each value of a binned attribute stands for; None where there are none."""
    if estimation is None or not estimation.ranges:
        return None
    return table(
        "ranges",
        "The numbers that a value stands for",
        [Column("Attribute", names_row=True), Column("Value", names_row=True), Column("Numbers")],
        [
            [process.attribute(each.attribute).title, each.value, range_words(each)]
            for each in estimation.ranges
        ],
    )


def range_words(each: ValueRange) -> str:
    """A range in words; its lower end belongs to it, its upper end does not."""
    if each.low is None:
        return "any" if each.high is None else f"below {_number(each.high)}"
    if each.high is None:
        return f"{_number(each.low)} and more"
    return f"{_number(each.low)} to below {_number(each.high)}"


def _number(number: Decimal) -> str:
    return count(int(number)) if number == int(number) else short(number)


def estimation_entry(estimation: Estimation | None) -> dict[str, Any]:
    """The same for report.json; nothing where the rule was given."""
    if estimation is None:
        return {}
    entry: dict[str, Any] = {"method": estimation.method, "population": estimation.population}
    if estimation.excluded is not None:
        entry["excluded"] = estimation.excluded
    if estimation.faithfulness is not None:
        entry["faithfulness"] = float(estimation.faithfulness)
    if estimation.ranges:
        entry["ranges"] = [
            {
                "attribute": each.attribute,
                "value": each.value,
                "from": None if each.low is None else float(each.low),
                "below": None if each.high is None else float(each.high),
            }
            for each in estimation.ranges
        ]
    if estimation.edges_from_decisions:
        entry["edges_from_decisions"] = list(estimation.edges_from_decisions)
    return {"estimation": entry}
