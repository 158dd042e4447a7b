"""What a method is asked: by whom, about what, on which rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atreport.rule_table import RuleTable
from atreport.spec.models.transparency import Transparency

Progress = Callable[[str], None]
"""Called with the name of the stage, and how much of it is done where it takes long."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """One subject that a method is to explain on a rule table, as the spec asks for it."""

    table: RuleTable
    asked: Transparency
    subject: Any  # what the method's family of the registry is about: a record, a quantity, an attribute; or the rule
    progress: Progress


@dataclass(frozen=True)
class Nobody:
    """A subject that cannot be explained, because nobody is there."""

    name: str
