"""Turn what a model answers into the probability of each outcome. Its classes are matched by name, never by hope.

A model that lists its classes in another order than the spec its outcomes would otherwise be inverted without a word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.decision_table import FloatArray
from atreport.kit.numbers import counted
from atreport.population.cells import IntArray
from atreport.spec.models.records import Model
from atreport.spec.models.spec import Spec


class NoProbabilities(Exception):
    """The answer cannot be read as probabilities of the outcomes; the message says why."""


def read_answer(
    spec: Spec, model: Model, answer: NDArray[Any], named: list[str] | None, rows: int
) -> FloatArray:
    """The answer as probabilities in the order of the spec's outcomes; nonsense is refused."""
    if answer.ndim == 2 and answer.shape[1] == 1:
        answer = answer[:, 0]
    if answer.ndim not in (1, 2) or len(answer) != rows:
        raise NoProbabilities(
            f"the model gave {len(answer) if answer.ndim else 1} answers to {rows} questions"
        )
    if answer.ndim == 1 and answer.dtype.kind in "USiu":  # the decision itself
        return _decisions(spec, model, answer)
    if answer.dtype.kind not in "fiub":
        raise NoProbabilities("the model answers texts where probabilities were expected")
    # as many decimals as single precision carries, so that 0.7 is 0.7 again
    numbers = np.round(answer.astype(np.float64), 7 if answer.dtype.itemsize <= 4 else 15)
    if not np.isfinite(numbers).all() or (numbers < 0).any() or (numbers > 1).any():
        raise NoProbabilities("the model answers numbers that are no probabilities (0 to 1)")
    if numbers.ndim == 1:
        return _favourable(spec, numbers)
    return _by_class(spec, numbers, _outcomes(spec, model, numbers.shape[1], named))


def _decisions(spec: Spec, model: Model, answer: NDArray[Any]) -> FloatArray:
    """Outcomes themselves: by name, by what `groups` says, or, with `classes`, by number."""
    outcome = spec.process.outcome
    names = [str(label).strip() for label in answer.tolist()]
    if answer.dtype.kind in "iu" and model.classes is not None:
        if not np.isin(answer, range(len(model.classes))).all():
            raise NoProbabilities("the model answers class numbers that 'classes' does not have")
        names = [model.classes[number] for number in answer.tolist()]
    meaning = _meaning(spec)
    unknown = sorted({name for name in names if name not in meaning})
    if unknown:
        raise NoProbabilities(
            f"the model answers '{unknown[0]}', which is not an outcome; say under 'groups' which outcome it stands for"
        )
    decided = np.array([meaning[name] for name in names], dtype=object)
    return np.column_stack([(decided == value).astype(np.float64) for value in outcome.values])


def _favourable(spec: Spec, numbers: FloatArray) -> FloatArray:
    """One number: the favourable probability."""
    outcome = spec.process.outcome
    if len(outcome.values) != 2:
        raise NoProbabilities(f"the model answers one number, but there are {len(outcome.values)} outcomes")
    other = np.round(1 - numbers, 15)
    return np.column_stack([numbers if v == outcome.favourable else other for v in outcome.values])


def _by_class(spec: Spec, numbers: FloatArray, outcomes: list[str]) -> FloatArray:
    """A column a class; classes that stand for the same outcome are added."""
    outcome = spec.process.outcome
    if (np.abs(numbers.sum(axis=1) - 1) > 1e-5).any():
        raise NoProbabilities("the probabilities that the model answers do not sum to 1")
    table: FloatArray = np.column_stack(
        [
            numbers[:, [place for place, name in enumerate(outcomes) if name == value]].sum(axis=1)
            for value in outcome.values
        ]
    )
    # what rounding left goes to the first outcome that is not the favourable one
    spare = next(i for i, value in enumerate(outcome.values) if value != outcome.favourable)
    table = np.round(np.clip(table, 0, 1), 15).astype(np.float64)
    table[:, spare] = np.round(np.clip(1 - np.delete(table, spare, axis=1).sum(axis=1), 0, 1), 15)
    return table


def _outcomes(spec: Spec, model: Model, columns: int, named: list[str] | None) -> list[str]:
    """The outcome that each column of the answer stands for."""
    outcome, meaning = spec.process.outcome, _meaning(spec)
    names = [name.strip() for name in named or ()]
    if model.classes is not None:
        if len(model.classes) != columns:
            raise NoProbabilities(
                f"the model answers {counted(columns, 'number')} for {len(model.classes)} outcomes"
            )
        if all(name in meaning for name in names) and names:
            found = [meaning[name] for name in names]
            if found != list(model.classes):
                raise NoProbabilities(
                    f"'classes' says {', '.join(model.classes)}, but the model's own classes are {', '.join(names)}"
                )
        return list(model.classes)
    if len(names) == columns and all(name in meaning for name in names):
        found = [meaning[name] for name in names]
        if {*found} == {*outcome.values}:
            return found
    own = f"calls its classes {', '.join(names[:10])}" if names else "does not name its classes"
    raise NoProbabilities(
        f"the model {own}, so which outcome a number belongs to is not known; list the outcomes in the order of its "
        f"{columns} numbers under 'classes', or say under 'groups' what each class stands for"
    )


def _meaning(spec: Spec) -> dict[str, str]:
    """What each name of a class stands for: an outcome's own name, or what `groups` says."""
    outcome, records = spec.process.outcome, spec.source.cases
    groups = records.groups.get(outcome.name, {}) if records is not None else {}
    return {value: value for value in outcome.values} | {
        text: value for value, texts in groups.items() for text in texts
    }


def agreement(probability: FloatArray, decided: IntArray) -> tuple[float, float]:
    """How often the model's answer is the recorded decision, and how often by chance: with the same shares, unrelated.

    Rows are cells; `decided` are records by outcome.
    """
    total = decided.sum()
    of_row = decided.sum(axis=1) / total
    chance = (decided.sum(axis=0) / total) @ (of_row @ probability)
    return float((decided * probability).sum() / total), float(chance)
