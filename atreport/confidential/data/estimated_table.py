"""Turn records into the decision table that stage 2 hands on: count, estimate the rule, say how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.binning import Binned, find_bins
from atreport.confidential.data.census import read_census
from atreport.confidential.data.counting import Counting
from atreport.confidential.data.decision_table import DecisionTable, FloatArray, Leaf
from atreport.confidential.data.estimate.frequency import frequencies
from atreport.confidential.data.estimate.model import ask_model
from atreport.confidential.data.estimate.model_answer import agreement
from atreport.confidential.data.estimate.tree import FittedTree, fit_tree
from atreport.confidential.data.record_source import open_source
from atreport.confidential.data.records import RecordCounts, count_records
from atreport.confidential.data.run_options import RunOptions
from atreport.errors import InvalidInput
from atreport.population.cells import IntArray, LeftOut, arrange, distinct_rows
from atreport.population.estimation import Estimation, OutcomeCut
from atreport.spec.checks.records import HERE
from atreport.spec.models.measures.groups import GroupMeasure
from atreport.spec.models.process import Outcome, Process
from atreport.spec.models.records import Model, Records
from atreport.spec.models.spec import Spec


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule:
    """An estimated rule on some cells."""

    probability: FloatArray  # (cells, outcomes)
    faithfulness: Decimal | None = None
    depth: int | None = None
    leaves: tuple[Leaf, ...] = ()


def estimate_table(
    spec: Spec, records: Records, engine: Counting | None, options: RunOptions
) -> DecisionTable:
    """Read the records of a spec and estimate the rule behind them; without an engine, on this machine."""
    engine = engine or Counting()
    source = open_source(spec.document.path.parent, records, options.memory_limit, options.time_limit)
    engine.talk(f"records: {len(source.files)} {'file' if len(source.files) == 1 else 'files'}")
    binned = find_bins(spec, records, source, engine)
    model = records.model
    inputs = model.inputs if model is not None and model.of == "records" else ()
    counts = count_records(spec.process, records, source, binned, engine, inputs=inputs)
    engine.talk("estimate")
    codes, cases = _cells_with_cases(counts)
    if records.population is None:
        people_codes, people = codes, cases.sum(axis=1)
    else:
        path = spec.document.path.parent / records.population
        people_codes, people = read_census(path, spec.process)
        _agree(spec, path, codes, people_codes, every_cell_needs_records=_needs_records(records))
    rule = _rule(spec, records, counts, codes, cases, people_codes, options)
    outcome = spec.process.outcome
    # a cut at the median depends on all records, so that no case stands by itself: there is no interval for chance
    counted = records.method == "frequency" and records.population is None and outcome.bins != "median"
    process = spec.process.model_copy(update={"estimated_from": "records"}) if counted else spec.process
    left_out = _left_out(spec, counts) if records.population is None else ()
    cells, order = arrange(process, people_codes, people, left_out=left_out)
    excluded = int(counts.left_out_records.sum())
    missing = records.when_missing
    may_exclude = missing.rule == "exclude" or "exclude" in missing.attributes.values()
    return DecisionTable(
        cells=cells,
        probability=rule.probability[order],
        cases=cases[_places(people_codes[order], codes)] if counted else None,
        estimation=Estimation(
            method=records.method,
            population="records" if records.population is None else "census",
            excluded=(excluded, excluded) if may_exclude else None,
            faithfulness=rule.faithfulness,
            ranges=tuple(each for name in records.bins for each in binned[name].ranges()),
            outcome_cut=_outcome_cut(outcome, binned),
            edges_from_decisions=tuple(name for name, how in records.bins.items() if how == "tree"),
        ),
        leaves=rule.leaves,
    )


def _left_out(spec: Spec, counts: RecordCounts) -> tuple[LeftOut, ...]:
    """The records that were left out, by what is known of them in the public attributes that groups are made by.

    Nothing is known of them in any other: that keeps intervals certain, and tells no more of them than figures need.
    """
    asked = {
        name for each in spec.fairness if isinstance(each, GroupMeasure) for name in each.attributes_used
    }
    asked |= {name for names in (spec.form.tables_of_groups if spec.form else ()) for name in names}
    shown = [
        (i, attribute)
        for i, attribute in enumerate(spec.process.attributes)
        if attribute.role == "public" and attribute.name in asked
    ]
    found: Counter[tuple[tuple[str, str], ...]] = Counter()
    for codes, people in zip(counts.left_out.tolist(), counts.left_out_records.tolist(), strict=True):
        found[tuple((a.name, a.values[codes[i]]) for i, a in shown if codes[i] >= 0)] += people
    return tuple(LeftOut(values=dict(known), people=(people,)) for known, people in sorted(found.items()))


def _outcome_cut(outcome: Outcome, binned: Mapping[str, Binned]) -> OutcomeCut | None:
    """How a number became the outcome; of a median the number is not told."""
    if outcome.bins is None:
        return None
    return OutcomeCut(ranges=() if outcome.bins == "median" else binned[outcome.name].ranges())


def _needs_records(records: Records) -> bool:
    model = records.model
    return records.method == "frequency" or (model is not None and model.of == "records")


def _cells_with_cases(counts: RecordCounts) -> tuple[NDArray[np.int32], IntArray]:
    """Each cell once, with its records by outcome."""
    if not counts.inputs:
        return counts.codes, counts.cases
    first, row = distinct_rows(counts.codes)
    cases = np.zeros((len(first), counts.cases.shape[1]), dtype=np.int64)
    np.add.at(cases, row, counts.cases)
    return counts.codes[first], cases


def _places(wanted: NDArray[np.int32], codes: NDArray[np.int32]) -> IntArray:
    """The position of each wanted row of codes among `codes`, which are all different; -1 where it is not there."""
    _, row = distinct_rows(np.concatenate([codes, wanted]))
    place = np.full(row.max() + 1, -1, dtype=np.int64)
    place[row[: len(codes)]] = np.arange(len(codes))
    return place[row[len(codes) :]]


def _rule(
    spec: Spec,
    records: Records,
    counts: RecordCounts,
    codes: NDArray[np.int32],
    cases: IntArray,
    asked: NDArray[np.int32],
    options: RunOptions,
) -> Rule:
    """The estimated rule on the cells asked about."""
    if records.tree is not None:
        fitted: FittedTree = fit_tree(
            spec.process, records.tree, codes, cases, asked, ordered=tuple(records.bins)
        )
        return Rule(
            probability=fitted.probability,
            faithfulness=fitted.faithfulness,
            depth=fitted.depth,
            leaves=fitted.leaves,
        )
    if records.model is not None:
        probability = _by_model(spec, records.model, counts, asked, options)
        _refuse_worse_than_chance(spec, counts, asked, probability)
        return Rule(probability=probability)
    return Rule(probability=frequencies(cases[_places(asked, codes)]))


def _by_model(
    spec: Spec, model: Model, counts: RecordCounts, asked: NDArray[np.int32], options: RunOptions
) -> FloatArray:
    """Ask about each cell, or about each distinct record and take the average of each cell."""
    allow = options.allow_python_model
    if model.of == "cells":
        labels = _labels(spec.process, asked)
        return ask_model(spec, model, {name: labels[name] for name in model.inputs}, allow_python=allow)
    answers = ask_model(spec, model, counts.inputs, allow_python=allow)
    row = _places(counts.codes, asked)
    weights = counts.cases.sum(axis=1)
    people = np.bincount(row, weights=weights, minlength=len(asked))
    sums = [np.bincount(row, weights=answer * weights, minlength=len(asked)) for answer in answers.T]
    return np.asarray(np.round(np.clip(np.column_stack(sums) / people[:, None], 0, 1), 15), dtype=np.float64)


def _refuse_worse_than_chance(
    spec: Spec, counts: RecordCounts, asked: NDArray[np.int32], probability: FloatArray
) -> None:
    """Where decisions are recorded, a model that gives them less often than chance is most likely read the wrong way."""
    if counts.decided is None or not counts.decided.any():
        return
    found, chance = agreement(probability[_places(counts.codes, asked)], counts.decided)
    if found < chance - 1e-9:
        raise InvalidInput(
            [
                spec.document.problem(
                    (*HERE, "estimate", "model"),
                    "the model agrees with the recorded decisions less often than chance would, as if its outcomes were "
                    "exchanged",
                    "see that 'classes', 'groups' and 'favourable' are right, or leave the column of decisions out",
                    at_key=True,
                )
            ]
        )


def _labels(process: Process, codes: NDArray[np.int32]) -> dict[str, NDArray[np.object_]]:
    return {
        attribute.name: np.array(attribute.values, dtype=object)[codes[:, i]]
        for i, attribute in enumerate(process.attributes)
    }


def _agree(
    spec: Spec,
    path: Path,
    codes: NDArray[np.int32],
    people: NDArray[np.int32],
    *,
    every_cell_needs_records: bool,
) -> None:
    """Refuse records about people the census does not have and, where it matters, people without any record."""
    problems = []
    outside = codes[_places(codes, people) < 0]
    here = (*HERE, "population")
    if len(outside):
        problems.append(
            spec.document.problem(
                here,
                f"records describe {_words(spec.process, outside)}, and {path.name} has nobody like that",
                "add them to the file, or leave 'population' out to count the records",
            )
        )
    unknown = people[_places(people, codes) < 0]
    if len(unknown) and every_cell_needs_records:
        problems.append(
            spec.document.problem(
                here,
                f"{path.name} has people for whom there is no record: {_words(spec.process, unknown)}",
                "use 'estimate: tree' or a model of cells, which have an answer for everybody",
            )
        )
    if problems:
        raise InvalidInput(problems)


def _words(process: Process, codes: NDArray[np.int32]) -> str:
    first = ", ".join(
        f"{a.name}={a.values[code]}" for a, code in zip(process.attributes, codes[0], strict=True)
    )
    return first + (f" and {len(codes) - 1:,} more combinations" if len(codes) > 1 else "")
