"""``transparency.dependence``: how the announced probability changes along an attribute's values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from atreport.errors import Problem
from atreport.spec.models.naming import check_names
from atreport.spec.models.process import Process
from atreport.spec.models.values import Key, Section
from atreport.spec.yaml import Document, KeyPath


class Dependence(Section):
    """How the announced probability changes along an attribute's values."""

    attributes: tuple[Key, ...] | None = Field(None, description="Which attributes; all when left out.")
    curves: tuple[Literal["pdp", "ice", "ale"], ...] = ("pdp", "ice", "ale")

    def find_problems(self, document: Document, process: Process, path: KeyPath) -> Iterator[Problem]:
        """Every attribute that is named exists."""
        yield from check_names(document, process, self.attributes or (), (*path, "attributes"))
