"""Check labels, the attributes that tell what really happened: they count in error rates, and are nothing to explain by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from atreport.errors import Problem
from atreport.spec.models.measures import AnyMeasure, GroupMeasure, labels_of
from atreport.spec.models.source import Source
from atreport.spec.yaml import Document


def check_labels(
    document: Document, measures: Sequence[AnyMeasure | None], source: Source | None
) -> Iterable[Problem]:
    """No other measure uses a label, decisions are recorded beside it, and people are published."""
    labels = set(labels_of(measure for measure in measures if measure is not None))
    for index, measure in enumerate(measures):
        for name in labels.intersection(() if measure is None else _explained_by(measure)):
            yield document.problem(
                ("fairness", index),
                f"'{name}' tells what really happened, so it is no attribute to compare people by",
                "only 'label' of 'measure: error_rates' may name it",
            )
    if not labels:
        return
    disclosure = document.root.get("disclosure")
    if isinstance(disclosure, dict) and disclosure.get("population") == "withheld":
        yield document.problem(
            ("disclosure", "population"),
            "error rates need the population: the rule is explained without the label, averaged over people",
            "write 'population: shares' or 'counts'",
        )
    if source is not None and source.cases is not None and source.cases.method != "frequency":
        yield document.problem(
            ("source", "records", "estimate"),
            "error rates need the recorded decisions themselves: a tree or a model does not know what really happened",
            "write 'estimate: frequency', or leave 'measure: error_rates' out",
            at_key=True,
        )


def _explained_by(measure: AnyMeasure) -> Iterable[str]:
    """The attributes by which a measure tells people apart, without its own label."""
    if not isinstance(measure, GroupMeasure):
        return measure.distance
    own = labels_of([measure])
    return [name for name in measure.attributes_used if name not in own]
