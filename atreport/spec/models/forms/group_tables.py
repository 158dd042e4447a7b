"""What forms ask that print numbers of people by group: published numbers, and groups to compare."""

from __future__ import annotations

from collections.abc import Iterator

from atreport.errors import Problem
from atreport.spec.models.naming import unknown_attribute
from atreport.spec.models.process import Process
from atreport.spec.yaml import Document, KeyPath


def check_numbers_published(document: Document) -> Iterator[Problem]:
    """Forms that print numbers of people need them published; small ones can be guarded."""
    disclosure = document.root.get("disclosure")
    population = disclosure.get("population") if isinstance(disclosure, dict) else None
    if population != "counts":
        path: KeyPath = ("report", "template") if population is None else ("disclosure", "population")
        yield document.problem(
            path,
            "this form prints numbers of people, so they must be published",
            "write 'population: counts' under disclosure; 'small_cells: suppress' under policy guards the small ones",
        )


def check_compared(document: Document, process: Process, name: str, place: KeyPath) -> Iterator[Problem]:
    """An attribute whose groups are compared exists, and has something to compare."""
    absent = list(unknown_attribute(document, process, name, place))
    yield from absent
    if not absent and len(process.attribute(name).known_values) < 2:
        yield document.problem(place, f"'{name}' has a single known value: there is nothing to compare")


def check_groups_compared(document: Document) -> Iterator[Problem]:
    """Forms that show how a system treats groups need some to be compared."""
    if not document.root.get("fairness"):
        yield document.problem(
            ("report", "template"),
            "this form shows figures of groups, so some must be compared",
            "add a measure, such as 'fairness: [{measure: statistical_parity, groups: …}]'",
        )
