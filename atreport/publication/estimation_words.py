"""How the rule was estimated, in words."""

from __future__ import annotations

from atreport.kit.numbers import counted, percent
from atreport.report.model import Estimation
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
