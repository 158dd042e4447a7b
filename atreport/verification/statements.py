"""Check what a report states besides figures: names in what was asked for, what was done with people, where it stands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from atreport.analysis.membership import members
from atreport.announcement import decimals_of_shares
from atreport.kit.exact import axis_sums, product
from atreport.kit.language import say
from atreport.report.model import Report
from atreport.report.people import ValueRange
from atreport.spec.mapping import document_of

_NOTHING = hashlib.sha256(b"").hexdigest()
"""The root of a hash tree without leaves (RFC 6962)."""


def statement_findings(report: Report) -> Iterator[str]:
    """Where a part of the report that is no figure does not fit the others."""
    yield from _asked_findings(report)
    yield from _left_out_findings(report)
    yield from _rule_findings(report)
    yield from _small_cell_findings(report)
    if not _are_shares_as_precise(report):
        yield say("policy: shares of other decimals than the smallest of them needs")
    if report.estimation is not None:
        outcome, process = report.estimation.outcome, report.process
        known = {each.name: (*each.values, *each.known_values) for each in process.attributes}
        yield from _range_findings("estimation, ranges", report.estimation.ranges or (), known)
        if any(name not in known for name in report.estimation.edges_from_decisions or ()):
            yield say(
                "{where}: {what}", where="estimation", what=say("a name that the process does not have")
            )
        if outcome is not None:
            of_outcome = {process.outcome.name: process.outcome.values}
            yield from _range_findings("estimation, outcome", outcome.ranges or (), of_outcome)
            if (outcome.at == "edges") != bool(outcome.ranges):
                yield say("{where}: {what}", where="estimation, outcome", what=_ranges())
    if report.ledger is not None and (report.ledger.size == 0) != (report.ledger.root == _NOTHING):
        yield say("ledger: so many releases do not have this root")


def _are_shares_as_precise(report: Report) -> bool:
    """Whether shares are printed to as many decimals as the smallest needs: fewer would leave room for other figures."""
    stated, shares = report.policy.share_decimals, [cell.size for cell in report.cells]
    if report.policy.population != "shares":
        return stated is None
    if stated is None or None in shares:
        return False
    smallest, half = Fraction(min(share for share in shares if share)), Fraction(1, 2 * 10**stated)
    if abs(sum((Fraction(share) for share in shares if share), Fraction(0)) - 1) > len(shares) * half:
        return False
    ends = [
        decimals_of_shares(int(1 / share), report.policy.decimals)
        for share in (smallest + half, smallest - half)
    ]
    return ends[0] <= stated <= ends[1]


def _asked_findings(report: Report) -> Iterator[str]:
    """Where what was asked for names what is not in the process, or a form is another than its section."""
    asked = report.sections
    if asked is None:
        return
    form = None if report.form is None else report.form.fields
    if asked.form != form:
        yield say("sections, form: not what stands in the form")
    if asked.transparency is not None:
        written: dict[str, Any] = {"transparency": asked.as_json()["transparency"]}
        document = document_of(written, Path("report.json"))
        for problem in asked.transparency.find_problems(document, report.process, ("transparency",)):
            where = f"sections, {problem.location}"
            yield say("{where}: {what}", where=where, what=say("a name that the process does not have"))


def _rule_findings(report: Report) -> Iterator[str]:
    """Where a rule names what is not in the process, or the exact rules are not those of the cells; no people are needed."""
    table = report.described_rule
    known = {each.name: {*each.values} for each in report.process.attributes}
    for found in report.rules:
        rules = [*(found.rules or ()), *(rule for region in found.regions or () for rule in region.rules)]
        conditions = [rule.condition for rule in rules] + [each.condition for each in found.regions or ()]
        if not all(
            {*values} <= known.get(name, {*()}) for each in conditions for name, values in each.items()
        ):
            yield say("{where}: {what}", where="rules", what=say("a name that the process does not have"))
        elif found.scheme == "exact":
            masks = np.array([members(table.cells, rule.condition)[0] for rule in rules]).astype(np.int64)
            steps = np.array([[int(rule.probability.scaleb(table.decimals))] for rule in rules])
            once, announced = axis_sums(masks, 0), axis_sums(product(masks, steps), 0)
            if (once != 1).any() or (announced != table.announced).any():
                yield say(
                    "{where}: {what}", where="rules", what=say("not the announced probability of every cell")
                )


def _left_out_findings(report: Report) -> Iterator[str]:
    """Where what was done with groups that nothing can protect does not fit together."""
    found, attributes = report.privacy.unprotectable, {each.name: each for each in report.process.attributes}
    is_old = report.generator.get("atreport", "").startswith("0.1.")  # it did not say what a value stands for
    if (found.groups > 0) != (found.share > 0) or (found.groups and found.policy == "refuse"):
        yield say("privacy, unprotectable: so many groups do not have this share of all people")
    for each in found.merged:
        attribute = attributes.get(each.attribute)
        unknown = attribute is None or not (is_old or attribute.stands_for(each.value))
        if unknown or found.policy != "merge":
            yield say(
                "{where}: {what}", where="privacy, unprotectable", what=say("a value that was not merged")
            )


def _small_cell_findings(report: Report) -> Iterator[str]:
    """Where what was done with counts of few people is not what the cells show."""
    stated, counts = report.policy.small_cells, [cell.population for cell in report.cells]
    hidden = sum(cell.is_suppressed for cell in report.cells)
    suppresses = stated.policy == "suppress"
    fits = (stated.suppressed is not None) == suppresses and (stated.protection is not None) == suppresses
    if stated.suppressed is not None and report.policy.population != "withheld":
        fits = fits and stated.suppressed == hidden
    is_old = report.generator.get("atreport", "").startswith("0.1.")  # it hid them in other ways
    fits = fits and (stated.hidden_in is not None) == (suppresses and not is_old)
    fits = fits and (stated.suppressed or 0) <= len(counts)
    sums = [each.of for each in stated.known_sums or ()]
    fits = fits and all(of not in sums[:place] for place, of in enumerate(sums))
    ranges = [
        cell.guarded.people for cell in report.cells if cell.guarded is not None and cell.guarded.people
    ]
    fits = fits and all(most - fewest >= (stated.protection or 0) for fewest, most in ranges)
    shown = [number for number in counts if number is not None]
    if stated.policy == "refuse":
        fits = fits and all(number >= stated.under for number in shown)
    if not fits:
        yield say("policy, small_cells: not what was done with the cells")


def _range_findings(
    where: str, ranges: Sequence[ValueRange], known: Mapping[str, Iterable[str]]
) -> Iterator[str]:
    """Where ranges of numbers are of no value, overlap, or leave a gap."""
    if any(each.value not in known.get(each.attribute, ()) for each in ranges):
        yield say("{where}: {what}", where=where, what=say("a name that the process does not have"))
    for each in ranges:
        if each.low is not None and each.high is not None and each.low >= each.high:
            yield say("{where}: {what}", where=where, what=_ranges())
    for one, other in pairwise(ranges):
        if one.attribute == other.attribute and one.high != other.low:
            yield say("{where}: {what}", where=where, what=_ranges())


def _ranges() -> str:
    return say("ranges that overlap or leave a gap")
