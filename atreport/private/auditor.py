"""Check a published report against the data it was made from: for an auditor who may see them. Confidential.

Four questions that nobody outside can answer: is every announced probability as close to the true one as stated, was no
better protected rule possible, do the fairness figures of the data themselves lie where the report says, and does the spec
with its data give exactly the published files, so that nothing else went into them? Findings name cells and groups, and
never a true probability: they may be read out in a meeting.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from atreport.core.band import consistent
from atreport.core.certify import RatePromise
from atreport.core.rule_table import CellBounds, RuleTable
from atreport.errors import AtreportError
from atreport.export.files import KNOWN_FORMATS, public_files
from atreport.measures import measure_one
from atreport.measures.measured import Measured, NotMeasured
from atreport.private.audited import make_publishable
from atreport.private.commitment import FILE as COMMITMENT
from atreport.private.commitment import digest_of, read_salt
from atreport.private.prepare import Prepared, prepare
from atreport.private.solver.certificate import MOST_CELLS, certify_optimum, records_by_group
from atreport.private.solver.certificate_check import is_optimal
from atreport.private.true_rule import TRUE_DECIMALS, TrueRule
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.report.reader import Published, read_published
from atreport.resources import VERIFIER
from atreport.spec.fairness import MEASURES
from atreport.text.numbers import shortest_decimal
from atreport.verification import verify
from atreport.verification.findings import Check, Verification, check
from atreport.verification.signature import SIGNATURE
from atreport.write_folder import CONFIDENTIAL, PUBLIC

_FORMATS = {f"report.{kind}": kind for kind in KNOWN_FORMATS}


@dataclass(frozen=True, eq=False)
class _Case:
    """A published report beside the data it should have been made from."""

    published: Published
    report: Report  # as published
    rule: RuleTable  # as announced in it
    prepared: Prepared  # what the spec and the data give
    kept: Path  # where the salt of a commitment is kept


def verify_with_data(
    path: str | Path,
    spec_path: str | Path,
    key: str | Path | None = None,
    *,
    ledger: str | Path | None = None,
    stamp_root: str | Path | None = None,
    salt: str | Path | None = None,
    outside: Verification | None = None,
) -> Verification:
    """Everything that :func:`atreport.verify` checks, and what takes the data.

    `salt` is the commitment.json that the publisher shows; when left out, the one beside the public folder. `outside` is
    what the check without data has found, where it was done already.
    """
    if outside is None:
        outside = verify(path, key, ledger=ledger, stamp_root=stamp_root)
    if any(each.id == "limits" for each in outside.checks):  # it takes too long, and would again
        return outside
    published = read_published(path)
    prepared = prepare(spec_path, allow_small_cells=True)
    limits = tuple(limit for limit in outside.limits if "--with-data" not in limit)
    if published.report is None:
        return outside
    try:
        rule = published.report.rule_table
    except ValueError as error:  # its cells do not fit together
        return replace(outside, checks=(*outside.checks, check("fidelity", "fidelity", [str(error)])))
    case = _Case(
        published=published,
        report=published.report,
        rule=rule,
        prepared=prepared,
        kept=_confidential_folder(Path(path)) / COMMITMENT if salt is None else Path(salt),
    )
    checks = tuple(_checks(case))
    # made again of the data, byte for byte: no figure is left that was not calculated
    is_made_again = any(each.id == "rebuild" and each.holds for each in checks)
    left = tuple(each for each in outside.not_checked if not (is_made_again and each.part == "figures"))
    return replace(outside, checks=(*outside.checks, *checks), limits=limits, not_checked=left)


def _confidential_folder(path: Path) -> Path:
    folder = path if path.is_dir() else path.parent
    return (folder if (folder / PUBLIC).is_dir() else folder.parent) / CONFIDENTIAL


def _checks(case: _Case) -> Iterator[Check]:
    what = "the report is about the same people as the data: the same cells, of the same size"
    yield check("population", what, same := list(_population_findings(case)))
    if not same:
        what = "every announced probability is as close to the true one as stated, exactly"
        yield check("fidelity", what, _fidelity_findings(case))
        if case.rule.rates is not None:
            what = "the announced rates of every group are as close to the true ones as stated, exactly"
            yield check("rates", what, _rate_findings(case, case.rule.rates))
        what = "no rule within the stated fidelity protects people better, apart from rounding"
        if case.report.policy.mechanism != "optimal":
            what = "the announced rule is the one that the stated mechanism gives"
        elif case.prepared.spec.policy.objective == "fidelity":
            what = "no group is protected less than the policy's ceiling needs"
        yield check("optimality", what, _optimality_findings(case))
        what = "every fairness figure of the data themselves lies in the interval stated for it"
        yield check("truth", what, _truth_findings(case))
    if case.report.commitment is not None:
        what = "the publisher had committed to these data, and to no others"
        yield check("commitment", what, _commitment_findings(case))
    what = "the spec and the data give exactly the published files, so nothing else went into them"
    yield check("rebuild", what, _rebuild_findings(case))


def _population_findings(case: _Case) -> Iterator[str]:
    stated, true = case.rule, case.prepared.announcement
    if stated.cells.codes.shape != true.cells.codes.shape or (stated.cells.codes != true.cells.codes).any():
        yield "the cells of the report are not those of the data"
    elif stated.population == "counts" and (stated.cells.population != true.cells.population).any():
        yield "the numbers of people in the report are not those of the data"
    elif stated.population == "shares" and (stated.cells.population != true.shares).any():
        yield "the shares of people in the report are not those of the data"


def _fidelity_findings(case: _Case) -> Iterator[str]:
    """In fractions, around the true probabilities; independent of the bounds that the solver was given."""
    rule, table = case.rule, case.prepared.table
    if isinstance(rule.fidelity, CellBounds):
        steps, whole = rule.announced, 10**rule.fidelity.decimals
        low, high = rule.fidelity.lower, rule.fidelity.upper
        outside = (steps * whole < low * rule.scale) | (steps * whole > high * rule.scale)
        wrong = np.flatnonzero(outside).tolist()
    else:
        closeness = rule.fidelity
        bands = {d: closeness.alone(shortest_decimal(d)) for d in np.unique(table.probability).tolist()}
        wrong = []
        for cell, row in enumerate(table.probability.tolist()):
            lower, upper = (np.array([[bands[d][end] for d in row]], dtype=object) for end in (0, 1))
            lower, upper = consistent(lower, upper, Fraction(1))
            announced = [Fraction(int(step), rule.scale) for step in rule.mapping[cell]]
            if not all(a <= x <= b for a, x, b in zip(lower[0], announced, upper[0], strict=True)):
                wrong.append(cell)
    for cell in wrong[:20]:
        labels = rule.cells.labels(cell, rule.cells.process.attributes)
        yield f"cell {', '.join(labels.values())}: announced further from the true probability than stated"
    if len(wrong) > 20:
        yield f"and {len(wrong) - 20} more cells"


def _rate_findings(case: _Case, rates: Decimal) -> Iterator[str]:
    """The rates of every outcome and group, weighed by the people of the data and as they are published."""
    rule, true = case.rule, case.prepared.table
    people = (
        (true.cells.population, *rule.weights) if rule.population != "withheld" else (true.cells.population,)
    )
    promise = RatePromise(rates=rates, truth=true.probability)
    broken = promise.broken(rule.cells, rule.mapping, people, rule.decimals)
    for group in np.flatnonzero(broken).tolist()[:20]:
        cell = int(rule.cells.group_starts[group])
        labels = rule.cells.labels(cell, rule.cells.process.of_role("public"))
        yield f"group {', '.join(labels.values()) or 'everybody'}: a rate is further from the true one than stated"


def _optimality_findings(case: _Case) -> Iterator[str]:
    """The confidence of each group is the least possible, checked without the solver where a closed form exists."""
    solution, rule = case.prepared.draft.solution, case.rule
    if case.report.policy.mechanism != "optimal":
        if (rule.mapping != case.prepared.announcement.mapping).any():
            yield "the mechanism gives another rule"
        return
    exceeding = case.prepared.announcement.group_beta < case.report.group_beta
    for group in np.flatnonzero(exceeding).tolist()[:20]:
        cell = int(rule.cells.group_starts[group])
        labels = rule.cells.labels(cell, rule.cells.process.of_role("public"))
        yield f"group {', '.join(labels.values()) or 'everybody'}: a rule with less confidence was possible"
    if (
        solution.terms is None
        or len(case.prepared.table.cells) > MOST_CELLS
        or isinstance(rule.fidelity, CellBounds)
    ):
        return
    for group, records in enumerate(records_by_group(case.prepared.table, rule.fidelity)):
        certificate = certify_optimum(solution.terms, group, records)
        if not is_optimal(certificate.value, [(r.people, r.lower, r.upper) for r in records]):
            yield f"group {group + 1}: the least possible confidence could not be confirmed"


def _truth_findings(case: _Case) -> Iterator[str]:
    """The measures of the data by their own values and exact counts, whatever was joined, rounded, left out or changed."""
    stated: dict[tuple[Any, ...], list[Assessment]] = {}
    for said in case.report.fairness:
        stated.setdefault(_comparison(said), []).append(said)
    data = TrueRule(case.prepared.raw_table).as_it_is(TRUE_DECIMALS)
    for asked in case.prepared.spec.fairness:
        for found in measure_one(data, asked, unknown=False):
            # of whom the true rule favours nobody, there is no predictive rate, though the announced one may favour some
            if isinstance(found, NotMeasured) and found.rate != "predictive_parity":
                continue
            if said_of := stated.get(_comparison(found)):
                said = said_of.pop(0)
                if isinstance(found, Measured) and said.interval is not None and not _holds(said, found):
                    low, high = said.interval
                    yield f"{_named(said)}: the figure of the data lies outside the interval {low} to {high}"
    for said in (said for left in stated.values() for said in left):
        yield f"{_named(said)}: compares groups that the data do not have"


def _comparison(found: Assessment | Measured | NotMeasured) -> tuple[Any, ...]:
    """What a figure is about, as far as that follows from the spec."""
    asked = MEASURES[found.measure] if isinstance(found, Assessment) else found.asked
    measure, title, limit = (
        (found.measure, found.title, found.threshold)
        if isinstance(found, Assessment)
        else (found.asked.measure, found.asked.title, found.asked.limit)
    )
    given = None if found.given is None else tuple(found.given.items())
    return measure, found.rate, title, limit, (found.groups or ())[: asked.groups_asked], given


def _holds(said: Assessment, found: Measured) -> bool:
    if said.interval is None or found.ranges is None:  # nothing is promised, or nothing can be compared
        return True
    true = found.ranges[0]
    return true.low <= Fraction(said.interval[1]) and true.high >= Fraction(said.interval[0])


def _named(said: Assessment) -> str:
    among = "".join(f", {name} {value}" for name, value in (said.given or {}).items())
    return f"{said.measure} of {' and '.join(said.groups or ('everybody',))}{among}"


def _commitment_findings(case: _Case) -> Iterator[str]:
    if not case.kept.exists():
        yield f"{case.kept}: the salt is not there; ask the publisher for it"
    elif (
        case.report.commitment is not None
        and digest_of(case.prepared.table, _salt(case)) != case.report.commitment.digest
    ):
        yield "these are not the data that the publisher committed to"


def _salt(case: _Case) -> bytes:
    """The salt behind the digest of the report, or what is kept in its place."""
    assert case.report.commitment is not None
    return read_salt(case.kept, case.report.commitment.digest)


def _rebuild_findings(case: _Case) -> Iterator[str]:
    files = case.published.files
    formats = [fmt for name, fmt in _FORMATS.items() if name in files]
    if case.prepared.refusal is not None:
        yield f"the report cannot be built again: {case.prepared.refusal}"
        return
    try:
        salted = case.report.commitment is not None and case.kept.exists()
        made = make_publishable(case.prepared, _salt(case) if salted else None)
        report, head = made.report, case.report.ledger
        if head is not None:
            if lost := made.ledger.lost(head):
                yield f"{made.ledger.path.name}: this report {lost}"
                return
            report = report.model_copy(update={"ledger": head})
        files_again = public_files(
            report,
            formats or ["json"],
            with_verifier=VERIFIER in files,
            style_files=case.prepared.public.style_files,
        )
    except AtreportError as error:
        yield f"the report cannot be built again: {error}"
        return
    single = not case.published.path.is_dir()
    for name in sorted(files_again.keys() | files.keys() - {SIGNATURE} if not single else files.keys()):
        if files_again.get(name) != files.get(name) and (name in files_again or name in _FORMATS):
            yield f"{name}: not the file that the spec and the data give"
