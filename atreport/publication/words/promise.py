"""What a report promises about people, in words: how sure somebody can be, and where there is no protection.

Every sentence is a function of the Report, and holds for every group and every sensitive value that it does not exclude.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from atreport.kit.language import say
from atreport.kit.language.words import list_or
from atreport.population.cells import run_starts
from atreport.publication.words.told import (
    Told,
    Value,
    a_share,
    as_text,
    attributes_listed,
    tell,
    tell_many,
    together,
)
from atreport.report.model import Report
from atreport.spec.models.process import Attribute


def certain_groups(report: Report) -> NDArray[np.bool_]:
    """The groups in which some outcome leaves a single value of a sensitive attribute: there somebody can be certain.

    Exact, and the same for every population: a value is left where the announced rule gives one of its cells the outcome.
    """
    table = report.rule_table
    found = np.zeros(len(table.cells.group_starts), dtype=bool)
    for protected in table.cells.protected:
        runs = run_starts(protected.group)
        for steps in table.mapping.T:
            possible = protected.sums((steps > 0).astype(np.int64)) > 0
            found |= np.add.reduceat(possible.astype(np.int64), runs) == 1
    return found


def single_valued_groups(report: Report) -> NDArray[np.bool_]:
    """The groups in which everybody has the same value of a sensitive attribute. Exact, as :func:`certain_groups`."""
    cells = report.rule_table.cells
    found = np.zeros(len(cells.group_starts), dtype=bool)
    for protected in cells.protected:
        found |= np.bincount(protected.group, minlength=len(found)) == 1
    return found


def confidence_told(report: Report) -> Told:
    """The promise in one sentence, to the reader."""
    public, values = _promised_about(report)
    if public is None:
        sure = tell(
            "Someone who knows the decision about you, and believes this report, can be at most {beta} sure of your "
            "{sensitive}.",
            **values,
        )
    else:
        sure = tell(
            "Someone who knows your {public} and the decision about you, and believes this report, can be at most {beta} "
            "sure of your {sensitive}.",
            public=public,
            **values,
        )
    return together(sure, _whom_it_is_about(report))


def confidence_in_a_person(report: Report) -> Told:
    """The same about anybody."""
    public, values = _promised_about(report)
    if public is None:
        sure = tell(
            "Someone who knows the decision about a person, and believes this report, can be at most {beta} sure of the "
            "person’s {sensitive}.",
            **values,
        )
    else:
        sure = tell(
            "Someone who knows a person’s {public} and the decision about them, and believes this report, can be at most "
            "{beta} sure of the person’s {sensitive}.",
            public=public,
            **values,
        )
    return together(sure, _whom_it_is_about(report))


def _promised_about(report: Report) -> tuple[Value | None, dict[str, Value]]:
    """What an observer knows of a person, if anything; and what of, and how sure, they can be."""
    public, sensitive = (report.process.of_role(role) for role in ("public", "sensitive"))
    values = {
        "beta": a_share(report.privacy.beta),
        "sensitive": attributes_listed(sensitive, list_or),
    }
    return (as_published(report, public) if public else None), values


def as_published(report: Report, attributes: Sequence[Attribute]) -> Value:
    """What an observer knows of a person; where values are joined, no more than is published: the finer ones say more."""
    listed = attributes_listed(attributes)
    if not report.process.has_joined(each.name for each in attributes):
        return listed
    return Value(
        written=say("{attributes} (as published here)", attributes=listed.written), argument=listed.argument
    )


def _whom_it_is_about(report: Report) -> Told:
    """That the promise is not about people who were left out, where some were; empty elsewhere."""
    account = report.privacy.unprotectable
    if not (account.groups and account.policy == "suppress"):
        return Told("")
    return tell("That holds for the people in this report, not for those who were left out of it.")


def no_protection_told(report: Report) -> Told:
    """Where somebody can be certain of a sensitive value: in how many groups, of how many people; empty where nowhere."""
    exact = certain_groups(report)
    certain = exact | (report.group_beta == report.rule_table.scale)
    if not certain.any():
        return Told("")
    return together(
        _without_protection(int(certain.sum()), certain=bool(exact[certain].all())),
        _people_affected(report, certain),
        _known_before(certain, single_valued_groups(report)),
        _other_groups(report, certain),
    )


def _without_protection(number: int, *, certain: bool) -> Told:
    if certain:
        return tell_many(
            "unprotected",
            number,
            "No protection in {number} group: there someone can be certain of a sensitive value.",
            "No protection in {number} groups: there someone can be certain of a sensitive value.",
        )
    return tell_many(
        "unprotected",
        number,
        "No protection in {number} group: there someone can be certain, or almost certain, of a sensitive value.",
        "No protection in {number} groups: there someone can be certain, or almost certain, of a sensitive value.",
    )


def _people_affected(report: Report, certain: NDArray[np.bool_]) -> Told:
    table = report.rule_table
    if table.population != "counts" or not table.small_cells.is_exact:
        return Told("")
    affected = int(table.cells.population[certain[table.cells.group]].sum())
    return tell_many("affected", affected, "This affects {number} person.", "This affects {number} people.")


def _known_before(certain: NDArray[np.bool_], single: NDArray[np.bool_]) -> Told:
    known, number = int((certain & single).sum()), int(certain.sum())
    if not known:
        return Told("")
    if number == 1:
        return tell(
            "Everybody in it has the same value. That is known before any report, and no report can hide it."
        )
    return tell_many(
        "known",
        known,
        "In {number} of them everybody has the same value. That is known before any report, and no report can hide it.",
        "In {number} of them everybody in the group has the same value. That is known before any report, and no report can "
        "hide it.",
    )


def _other_groups(report: Report, certain: NDArray[np.bool_]) -> Told:
    rest = [report.privacy.groups[g].beta for g in np.flatnonzero(~certain)]
    if not rest:
        return Told("")
    return tell_many(
        "protected",
        len(rest),
        "In the other group someone can be at most {elsewhere} sure.",
        "In the other {number} groups someone can be at most {elsewhere} sure.",
        elsewhere=a_share(max(rest)),
    )


confidence_words = as_text(confidence_told)
no_protection_words = as_text(no_protection_told)
"""The same as plain texts, for pages: what fills them stays here."""
