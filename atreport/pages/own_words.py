"""What is the publisher's own word in a report: said on the page, where readers are told how to check the rest."""

from __future__ import annotations

from collections.abc import Mapping

from atreport.kit.language import message, say
from atreport.kit.language.words import list_and
from atreport.report.keys import KEYS, covering, stated_keys
from atreport.report.model import Report

IN_WORDS: Mapping[str, str] = {
    "who publishes what": message("title, publisher, version, dates and contact"),
    "what the process is": message(
        "the name of the process, and what it, its outcome and its attributes are called"
    ),
    "what was promised, and what counts as few people": message(
        "the ceilings, and what counts as few people"
    ),
    "how records became the rule": message("whom the population counts, and how numbers became ranges"),
    "which comparisons and explanations were asked for": message(
        "which comparisons and explanations were asked for"
    ),
    "what stands in the form": message("what stands in the fields of the form"),
    "notes and references to the law": message("the publisher's notes and references to the law"),
    "the house style": message("the words of the house style"),
    "translations": message("the translations of all these"),
}
"""What each kind of own words is called; to be said with `say`."""


def own_words(report: Report) -> str:
    """What the publisher alone vouches for in a report, in a sentence."""
    without_cells = report.model_copy(
        update={"cells": ()}
    )  # there may be a million, and none is a word of the publisher
    lines = {covering(key) for key in stated_keys(without_cells.as_json())}
    stated = {KEYS[line][1] for line in lines if line is not None and KEYS[line][0] == "own word"}
    return say(
        "What the publisher says besides follows from nothing, and is the publisher's own word: {things}.",
        things=list_and([say(words) for kind, words in IN_WORDS.items() if kind in stated]),
    )
