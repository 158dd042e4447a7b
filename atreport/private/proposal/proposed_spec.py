"""Turn a proposal into the text of a spec: commented, with every guess marked for its author to check or to answer."""

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

import numpy as np

from atreport.core.cells import unprotectable_groups
from atreport.errors import Refused
from atreport.private.attacks.inversion import cells_read_back
from atreport.private.data.decision_table import DecisionTable
from atreport.private.data.table import read_table
from atreport.private.draft import evaluate, with_policy
from atreport.private.proposal.vocabulary import protected_as
from atreport.private.protect import protect_groups
from atreport.private.tradeoff.policy_sweep import PolicyResult, choices, propose
from atreport.spec.checks import MARK
from atreport.spec.policy import Mechanism
from atreport.spec.spec import Spec

# Propose a first policy: a fidelity, rates to keep, and a mechanism, each with a reason and its price.
# Confidential.
#
# What decides most fairness verdicts at a bearable price is looked for among a few choices. The figures
# behind it depend on the true rule: they go to the terminal of whoever holds the data, and the spec says only
# what was chosen.

MOST_CELLS = 2_000
"""Larger tables are not tried at every fidelity: it would take minutes."""

MOST_FOR_CALIBRATED = 0.1
"""So much more confidence, at most, is taken for a mechanism that cannot be read back."""

MOST_LEFT_OUT = 0.2
"""Groups that cannot be protected are left out where they are no more than this part of all people."""


@dataclass(frozen=True, kw_only=True)
class ProposedPolicy:
    """A policy to start from. Its lines are for the spec, its price for the terminal alone."""

    delta: Decimal = Decimal("0.9")
    rates: Decimal | None = None
    mechanism: Mechanism = "optimal"
    why_mechanism: str = (
        "the least confidence; or calibrated: cannot be read back by those who know the method"
    )
    suppress: bool = False
    price: tuple[str, ...] = ()  # depends on the true rule

    def lines(self) -> Iterator[str]:
        """The section of the spec."""
        rates = "" if self.rates is None else f", rates: {self.rates}"
        yield "policy:"
        yield f"  # announced probabilities are at most {1 - self.delta} from the true ones"
        if self.rates is not None:
            kept = "as they are" if self.rates == 1 else f"to within {1 - self.rates}"
            yield f"  # the rates of groups are kept {kept}, so that more can be said about fairness"
        yield "  # 'atreport tradeoff report.yaml' shows what others would cost, and which verdicts they decide"
        yield f"  fidelity: {{delta: {self.delta}{rates}}}  # CHECK"
        yield f"  mechanism: {self.mechanism}  # {self.why_mechanism}"
        if self.suppress:
            yield "  unprotectable: suppress         # CHECK: leaves out groups whose sensitive value is known already"
        else:
            yield "  # unprotectable: suppress       # leave out groups whose sensitive value is known already"
        yield "  # privacy: {beta: 0.7}          # the most confident anybody may become; above it the build is refused"


FIRST_POLICY = ProposedPolicy()


def propose_policy(spec: Spec) -> ProposedPolicy:
    """Try a few policies on the data of a spec, and choose one. The spec has no ceilings, so none of them is refused."""
    exact = read_table(spec)
    suppress = _can_be_left_out(exact)
    if suppress:
        spec = with_policy(spec, unprotectable="suppress")
    try:
        table, _ = protect_groups(spec, exact)
    except Refused:
        table, suppress = exact, False
    if len(table.cells) > MOST_CELLS or table.probability.shape[1] > 2:
        many = "more than two outcomes" if table.probability.shape[1] > 2 else f"{len(table.cells):,} cells"
        return ProposedPolicy(
            suppress=suppress,
            price=(f"with {many}, other fidelities were not tried: see 'atreport tradeoff'",),
        )
    found = choices(spec, spec.public_with(table.cells.process), table)
    chosen = propose(found)
    if chosen is None:
        return ProposedPolicy(suppress=suppress)
    mechanism, why, beta = _mechanism(spec, table, chosen)
    return ProposedPolicy(
        delta=chosen.number,
        rates=chosen.rates,
        mechanism=mechanism,
        why_mechanism=why,
        suppress=suppress,
        price=_price(chosen, found, mechanism, beta),
    )


def _can_be_left_out(table: DecisionTable) -> bool:
    """Whether there are groups in which everybody has the same sensitive value, and leaving them out leaves most people."""
    hopeless = unprotectable_groups(table.cells, None)
    people = np.bincount(table.cells.group, weights=table.cells.population)
    return bool(hopeless.any()) and float(people[hopeless].sum()) <= MOST_LEFT_OUT * float(people.sum())


def _mechanism(spec: Spec, table: DecisionTable, chosen: PolicyResult) -> tuple[Mechanism, str, float]:
    """A mechanism, why, and the confidence with it: optimal, unless it can be read back and calibrated costs little more."""
    optimal: tuple[Mechanism, str, float] = "optimal", FIRST_POLICY.why_mechanism, chosen.beta
    if chosen.rates is not None:
        return "optimal", "keeps rates; calibrated cannot be read back, but keeps none", chosen.beta
    announcement, calibrated = evaluate(spec, table, chosen.fidelity, rates=None), chosen.others["calibrated"]
    assert announcement is not None, "it was tried"
    if calibrated is None or calibrated > chosen.beta + MOST_FOR_CALIBRATED:
        return optimal
    if not cells_read_back(spec, table, announcement, "optimal")[1].any():
        return optimal
    why = "cannot be read back by those who know the method; or optimal: the least confidence"
    return "calibrated", why, calibrated


def _price(
    chosen: PolicyResult, found: Sequence[PolicyResult], mechanism: Mechanism, beta: float
) -> tuple[str, ...]:
    """What the choice decides and costs, in words. Verdicts were counted with the optimal mechanism."""
    least = min(choice.beta for choice in found)
    rates = "" if chosen.rates is None else f" and rates {chosen.rates}"
    by = ", calibrated" if mechanism == "calibrated" else ""
    told = f"delta {chosen.number}{rates}{by}: nobody becomes more confident than {beta:.3f}"
    if beta > least + 5e-4:
        told += f" ({least:.3f} is the least of all that were tried)"
    if chosen.compared:
        with_optimal = " with the optimal mechanism" if by else ""
        told += f"; fairness verdicts that can be told{with_optimal}: {chosen.decided} of {chosen.compared}"
    return (told,)


_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_ ]*[A-Za-z0-9_]|[A-Za-z]|[0-9]+")
_NOT_PLAIN = {"yes", "no", "true", "false", "null", "on", "off", "y", "n"}
_MOST_LISTED = 40

NOT_NEEDED = "not needed for a first report"
"""Why a column is not used that could be."""


@dataclass(frozen=True, kw_only=True)
class ProposedColumn:
    """A column that the spec uses: as an attribute, or as the outcome."""

    name: str
    column: str
    role: str  # of an attribute; "open" where its author must say it; "outcome" for the outcome
    values: tuple[str, ...]
    edges: tuple[Decimal, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()  # (value, text): where a text cannot be the name of a value


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is proposed for a data file, and what its author should look at or answer."""

    looked_at: int  # records
    outcome: ProposedColumn
    outcome_open: tuple[str, ...]  # the candidates, where nobody has said which column is the outcome
    outcome_cut: bool  # whether it is a number, which is cut at its median
    favourable: str | None  # None: nobody has said it
    attributes: tuple[ProposedColumn, ...]
    marks: tuple[str, ...]  # texts that mark a missing entry
    missing: int  # entries, in the columns used
    exclude: bool  # records in which something is missing
    decimal: Literal["point", "comma"]
    not_used: tuple[tuple[str, str], ...]  # columns, and why
    warnings: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the spec uses."""
        return tuple(dict.fromkeys(each.column for each in (*self.attributes, self.outcome)))

    @property
    def fairness_groups(self) -> tuple[ProposedColumn, ...]:
        """The attributes by which people are compared: all that are protected, or else the first there is."""
        several = [attribute for attribute in self.attributes if len(attribute.values) > 1]
        return tuple(each for each in several if protected_as(each.column)) or tuple(several[:1])

    @property
    def questions(self) -> int:
        """How many questions the spec leaves open."""
        roles = sum(attribute.role == "open" for attribute in self.attributes)
        return roles + (self.favourable is None) + bool(self.outcome_open)


@dataclass(frozen=True, kw_only=True)
class SpecText:
    """A proposal with the file it is for and the policy it gets, as the lines of a spec."""

    proposal: Proposal
    data: str  # how the spec names the file
    delimiter: Literal["comma", "semicolon", "tab", "bar"]
    policy: ProposedPolicy = FIRST_POLICY
    answered: bool = False  # whether to answer open questions somehow, to try the rest

    def __str__(self) -> str:
        return "\n".join([*self._head(), *self._process(), *self._source(), *self._rest(), ""])

    def _ask(self, answer: str, question: str) -> str:
        """A question in the place of its answer."""
        return _text(answer) if self.answered else json.dumps(MARK + question, ensure_ascii=False)

    def _head(self) -> Iterator[str]:
        title = _text("Decisions in " + " ".join(Path(self.data).stem.split())[:60])
        number = self.proposal.questions
        yield "# yaml-language-server: $schema=atreport.schema.json"
        yield "#"
        looked_at = f"{self.proposal.looked_at:,}"
        yield f"# Proposed by 'atreport init --from' after a look at {looked_at} records. Whether it is right only"
        if number:
            count = "one question" if number == 1 else f"{number} questions"
            yield f'# you can say. It leaves you {count}: write your answer in the place of each text that begins with "??".'
            yield "# Then go through the lines marked CHECK, and:"
        else:
            yield "# you can say: go through the lines marked CHECK, then:"
        yield "#   atreport check report.yaml"
        yield "#   atreport build report.yaml"
        yield from (f"# NOTE: {' '.join(warning.split())}" for warning in self.proposal.warnings)
        yield from ("", "atreport: 1", "", "report:")
        yield f"  title: {title}"
        yield "  publisher: Example Authority    # CHECK"
        yield "  version: 0.1.0"
        yield "  date: 2026-01-15                # CHECK: the date on the report"
        yield from ("", "process:")
        yield f"  name: {title}"
        yield "  # description: what the process is for; published, so do not give the exact rule away here"

    def _process(self) -> Iterator[str]:
        proposal, outcome = self.proposal, self.proposal.outcome
        yield "  outcome:                        # CHECK: is this the decision?"
        if proposal.outcome_open:
            others = [name for name in proposal.outcome_open if name != outcome.column]
            instead = f"; if it is {' or '.join(others)}, run init again with --outcome" if others else ""
            question = f"is {outcome.name} the decision? then write {outcome.name}{instead}"
            yield f"    name: {self._ask(outcome.name, question)}"
        else:
            yield f"    name: {_text(outcome.name)}"
        yield f"    values: {_list(outcome.values)}"
        if proposal.outcome_cut:
            yield "    bins: median                  # CHECK: a number; or the edges between the values, such as [10]"
        if proposal.favourable is None:
            question = f"which one do people hope for: {' or '.join(outcome.values)}"
            yield f"    favourable: {self._ask(outcome.values[-1], question)}"
        else:
            yield f"    favourable: {_text(proposal.favourable)}  # CHECK: what people hope for"
        yield "  attributes:"
        yield "    # CHECK the roles: public     others may know it of a person"
        yield "    #                  sensitive  must not be inferred from the report and a person's outcome"
        yield "    #                  private    neither"
        for place, one in enumerate(proposal.attributes):
            role = one.role
            if role == "open":
                guess = "sensitive" if place == len(proposal.attributes) - 1 else "public"
                role = self._ask(guess, "public, sensitive or private")
            yield f"    - {{name: {_text(one.name)}, role: {role}, values: {_list(one.values)}}}"
        yield from _left_out(proposal)
        yield ""

    def _source(self) -> Iterator[str]:
        proposal = self.proposal
        used = (*proposal.attributes, proposal.outcome)
        yield from ("source:", "  records:", f"    files: {_text(self.data)}")
        layout = [
            *([f"delimiter: {self.delimiter}"] if self.delimiter != "comma" else []),
            *([f"decimal: {proposal.decimal}"] if proposal.decimal != "point" else []),
        ]
        if layout:
            yield f"    csv: {{{', '.join(layout)}}}"
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
            inner = ", ".join(f"{_text(value)}: {_list((text,))}" for value, text in one.texts)
            yield f"      {_text(one.name)}: {{{inner}}}"
        note = "# or exclude, or {value: unknown}"
        if proposal.missing:
            note = "# CHECK: " + _entries_missing(proposal.missing)
        rule = "exclude" if proposal.exclude else "error"
        yield f"    missing: {{marks: {_list(proposal.marks)}, rule: {rule}}}  {note}"
        yield "    estimate: frequency           # or tree: decision regions found by a surrogate tree"
        yield ""

    def _rest(self) -> Iterator[str]:
        yield from self.policy.lines()
        yield ""
        groups = [_text(group.name) for group in self.proposal.fairness_groups]
        if groups:
            yield "fairness:                         # CHECK the thresholds"
            yield from (
                f"  - {{measure: statistical_parity, groups: {name}, threshold: 0.1}}" for name in groups
            )
            yield f"  - {{measure: group_disparity, groups: {groups[0]}}}"
            yield ""
        yield "disclosure:"
        yield "  population: shares              # or counts, or withheld"


def _left_out(proposal: Proposal) -> Iterator[str]:
    """Comments that say which columns are not used, and why."""
    named = [f"{' '.join(name.split())}: {why}" for name, why in proposal.not_used if why != NOT_NEEDED]
    spare = ", ".join(" ".join(name.split()) for name, why in proposal.not_used if why == NOT_NEEDED)
    more = len(named) - _MOST_LISTED
    lines = [*named[:_MOST_LISTED], *([f"and {more} more"] if more > 0 else [])]
    if spare:
        lines += textwrap.wrap(f"{NOT_NEEDED}: {spare}", 100)
    if lines:
        yield "    # left out:"
        yield from (f"    #   {line}" for line in lines)


def _entries_missing(number: int) -> str:
    return "1 entry is missing" if number == 1 else f"{number:,} entries are missing"


def _text(text: str) -> str:
    """A text as YAML: plain where no reader could take it for anything else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _NOT_PLAIN
    return text if plain else json.dumps(text, ensure_ascii=False)


def _list(texts: Sequence[str]) -> str:
    return "[" + ", ".join(_text(text) for text in texts) + "]"
