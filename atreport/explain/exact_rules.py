"""The announced rule as a list of if–then rules: nothing left out, nothing rounded, every cell met by exactly one rule.

Rules come from asking for one attribute after the other. Values that lead to the same answers are asked for together, and
an attribute that makes no difference is not asked for. Small tables try every order of questions and keep the shortest
list; larger ones take the question that leaves the fewest different answers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from atreport.core.cells import Cells, IntArray
from atreport.core.rule_table import RuleTable
from atreport.explain.explanation import MethodQuestion
from atreport.explain.tree import share_of
from atreport.report.explanation import Rule, RuleSet
from atreport.report.figures import Condition

MAX_RULES = 40
"""A longer list would be no easier to read than the table of cells."""

MAX_CELLS = 5000
"""The largest table for which a list is looked for."""

MAX_TRIED = 3000
"""The most cells × attributes for which every order of questions is tried."""

Path = tuple[tuple[int, tuple[int, ...]], ...]
"""Questions asked so far: an attribute's column, and the values it may have."""


def explain(question: MethodQuestion) -> Iterator[RuleSet]:
    """The shortest list that was found, if it helps."""
    if (found := exact_rules(question.table)) is not None:
        yield found


def exact_rules(table: RuleTable) -> RuleSet | None:
    """The shortest list found; None where it is no shorter than the table of cells, or too long to read."""
    cells = table.cells
    if len(cells) > MAX_CELLS or len(np.unique(table.announced)) > MAX_RULES:
        return None
    columns = tuple(range(cells.codes.shape[1]))
    exhaustive = len(cells) * len(columns) <= MAX_TRIED and len(columns) <= 5
    search = _Search(codes=cells.codes, answers=table.announced, exhaustive=exhaustive)
    found = search.shortest(np.arange(len(cells)), columns)
    if len(found) > MAX_RULES or len(found) >= len(cells):
        return None
    return RuleSet(
        scheme="exact",
        rules=tuple(
            Rule(
                condition=_condition(cells, path),
                probability=table.printed(int(table.announced[members[0]])),
                share=share_of(table, members),
            )
            for path, members in sorted(found, key=lambda rule: -int(table.announced[rule[1][0]]))
        ),
    )


def _condition(cells: Cells, path: Path) -> Condition:
    attributes = cells.process.attributes
    return {
        attributes[column].name: tuple(attributes[column].values[code] for code in codes)
        for column, codes in sorted(path)
    }


@dataclass(frozen=True, kw_only=True, eq=False)
class _Search:
    codes: np.ndarray[tuple[int, int], np.dtype[np.int32]]
    answers: IntArray
    exhaustive: bool

    def shortest(self, members: IntArray, columns: tuple[int, ...]) -> list[tuple[Path, IntArray]]:
        """Rules for some cells, by questions about some attributes."""
        if (self.answers[members] == self.answers[members[0]]).all():
            return [((), members)]
        questions = [(column, self._branches(members, column, columns)) for column in columns]
        for column, branches in questions:
            if len(branches) == 1:  # it makes no difference; only one at a time, since two together may
                return self.shortest(members, tuple(c for c in columns if c != column))
        if not self.exhaustive:
            questions = [min(questions, key=lambda question: self._answers_left(question[1]))]
        return min((self._asked(column, branches, columns) for column, branches in questions), key=len)

    def _asked(
        self, column: int, branches: list[tuple[tuple[int, ...], IntArray]], columns: tuple[int, ...]
    ) -> list[tuple[Path, IntArray]]:
        others = tuple(c for c in columns if c != column)
        return [
            (((column, codes), *path), inside)
            for codes, members in branches
            for path, inside in self.shortest(members, others)
        ]

    def _answers_left(self, branches: list[tuple[tuple[int, ...], IntArray]]) -> int:
        return sum(len(np.unique(self.answers[members])) for _, members in branches)

    def _branches(
        self, members: IntArray, column: int, columns: tuple[int, ...]
    ) -> list[tuple[tuple[int, ...], IntArray]]:
        """The cells by value of an attribute; values that nowhere lead to different answers go together."""
        others = [c for c in columns if c != column]
        joined: list[tuple[list[int], dict[bytes, int], list[IntArray]]] = []
        for code in np.unique(self.codes[members, column]).tolist():
            inside = members[self.codes[members, column] == code]
            answers = dict(self._known(inside, others))
            for codes, known, parts in joined:
                if _agree(known, answers):
                    codes.append(code)
                    known.update(answers)
                    parts.append(inside)
                    break
            else:
                joined.append(([code], answers, [inside]))
        return [(tuple(codes), np.sort(np.concatenate(parts))) for codes, _, parts in joined]

    def _known(self, members: IntArray, others: list[int]) -> Iterator[tuple[bytes, int]]:
        for cell in members.tolist():
            yield self.codes[cell, others].tobytes(), int(self.answers[cell])


def _agree(one: Mapping[bytes, int], other: Mapping[bytes, int]) -> bool:
    """Whether two values nowhere lead to different answers."""
    return all(one.get(key, answer) == answer for key, answer in other.items())
