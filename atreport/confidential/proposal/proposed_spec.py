"""Turn a proposal into the text of a spec: commented, with every guess marked for its author to check."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*[A-Za-z0-9_]|[A-Za-z]|[0-9]+")
_NOT_PLAIN = {"yes", "no", "true", "false", "null", "on", "off", "y", "n"}


@dataclass(frozen=True, kw_only=True)
class ProposedColumn:
    """A column that the spec uses: as an attribute, or as the outcome."""

    name: str
    column: str
    role: str  # of an attribute; "outcome" for the outcome
    values: tuple[str, ...]
    edges: tuple[Decimal, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()  # (value, text): where a text cannot be the name of a value


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is proposed for a data file, and what its author should look at."""

    data: str  # how the spec names the file
    looked_at: int  # records
    outcome: ProposedColumn
    favourable: str
    attributes: tuple[ProposedColumn, ...]
    not_used: tuple[str, ...]
    marks: tuple[str, ...]  # texts that mark a missing entry
    missing: int  # entries, in the columns used
    exclude: bool  # records in which something is missing
    warnings: tuple[str, ...]

    def spec(self) -> str:
        """The spec as text."""
        return "\n".join([*self._head(), *self._process(), *self._source(), *self._rest(), ""])

    def _head(self) -> Iterator[str]:
        title = _text("Decisions in " + " ".join(Path(self.data).stem.split())[:60])
        yield "# yaml-language-server: $schema=atreport.schema.json"
        yield "#"
        yield f"# Proposed by 'atreport init --from' after a look at {self.looked_at:,} records. It builds as it is;"
        yield "# whether it is right only you can say. Go through every line marked CHECK, then:"
        yield "#   atreport check report.yaml"
        yield "#   atreport build report.yaml"
        yield from (f"# WARNING: {' '.join(warning.split())}" for warning in self.warnings)
        yield from ("", "atreport: 1", "", "report:")
        yield f"  title: {title}"
        yield "  publisher: Example Authority    # CHECK"
        yield "  version: 0.1.0"
        yield "  date: 2026-01-15                # CHECK: the date on the report"
        yield from ("", "process:")
        yield f"  name: {title}"
        yield "  # description: what the process is for; published, so do not give the exact rule away here"

    def _process(self) -> Iterator[str]:
        outcome = self.outcome
        yield "  # CHECK: is this the decision, and which outcome is the favourable one?"
        yield (
            f"  outcome: {{name: {_text(outcome.name)}, values: {_list(outcome.values)}, "
            f"favourable: {_text(self.favourable)}}}"
        )
        yield "  attributes:"
        yield "    # CHECK the roles: public     others may know it of a person"
        yield "    #                  sensitive  must not be inferred from the report and a person's outcome"
        yield "    #                  private    neither"
        for one in self.attributes:
            yield f"    - {{name: {_text(one.name)}, role: {one.role}, values: {_list(one.values)}}}"
        if self.not_used:
            yield f"    # not used: {', '.join(' '.join(name.split()) for name in self.not_used[:30])}"
        yield ""

    def _source(self) -> Iterator[str]:
        used = (*self.attributes, self.outcome)
        yield from ("source:", "  records:", f"    files: {_text(self.data)}")
        renamed = [f"{_text(one.name)}: {_text(one.column)}" for one in used if one.name != one.column]
        if renamed:
            yield f"    columns: {{{', '.join(renamed)}}}"
        binned = [one for one in used if one.edges]
        if binned:
            yield "    bins:                         # CHECK: where one value ends and the next begins"
        for one in binned:
            yield f"      {_text(one.name)}: [{', '.join(f'{edge:f}' for edge in one.edges)}]"
        grouped = [one for one in used if one.texts]
        if grouped:
            yield "    groups:                       # texts in the file that stand for a value"
        for one in grouped:
            of_value = {value: tuple(t for v, t in one.texts if v == value) for value, _ in one.texts}
            inner = ", ".join(f"{_text(value)}: {_list(texts)}" for value, texts in of_value.items())
            yield f"      {_text(one.name)}: {{{inner}}}"
        note = (
            f"# CHECK: {self.missing:,} entries are missing"
            if self.missing
            else "# or exclude, or {value: unknown}"
        )
        yield f"    missing: {{marks: {_list(self.marks)}, rule: {'exclude' if self.exclude else 'error'}}}  {note}"
        yield "    estimate: frequency           # or tree: decision regions found by a surrogate tree"
        yield ""

    def _rest(self) -> Iterator[str]:
        yield "policy:"
        yield "  fidelity: {delta: 0.9}          # announced probabilities are at most 0.1 from the true ones"
        yield "  # privacy: {beta: 0.7}          # the most confident anybody may become; above it the build is refused"
        yield "  # unprotectable: suppress       # leave out groups whose sensitive value everybody knows already"
        yield ""
        first = self.attributes[0]
        if len(first.values) > 1:
            yield "fairness:"
            yield f"  - {{measure: statistical_parity, groups: {_text(first.name)}, threshold: 0.1}}  # CHECK"
            yield f"  - {{measure: group_disparity, groups: {_text(first.name)}}}"
            yield ""
        yield "disclosure:"
        yield "  population: shares              # or counts, or withheld"


def _text(text: str) -> str:
    """A text as YAML: plain where no reader could take it for anything else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _NOT_PLAIN
    return text if plain else json.dumps(text, ensure_ascii=False)


def _list(texts: tuple[str, ...]) -> str:
    return "[" + ", ".join(_text(text) for text in texts) + "]"
