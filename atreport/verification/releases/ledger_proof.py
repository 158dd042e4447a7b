"""Check that a report is recorded in its publisher's ledger: from the ledger itself, or from a short proof.

A proof holds one line of the ledger and a few hashes. It shows that the report stands in the ledger behind a head, and that
this ledger begins with the releases that the report itself says came before it. A reader compares that head with the one
the publisher shows elsewhere; whoever keeps heads can see that no release was ever taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from atreport.errors import InvalidInput, NotAReport
from atreport.kit.language import say, say_many
from atreport.report.figures import Part
from atreport.report.model import LedgerHead, Report
from atreport.report.reader import parse_json, validate
from atreport.verification.releases.ledger import Ledger, RecordedRelease, facts_of, read_ledger_file
from atreport.verification.releases.merkle import (
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
)

FORMAT: Literal["atreport/ledger-proof/1"] = "atreport/ledger-proof/1"

_MOST_BYTES = 256 * 2**20
"""A ledger is a few megabytes; a file beyond this is not read."""

_HASH = "^[0-9a-f]{64}$"


class LedgerProof(Part):
    """That a report stands in a ledger, and after which releases. Hashes are in hexadecimal."""

    format: Literal["atreport/ledger-proof/1"]
    head: LedgerHead = Field(description="The whole ledger when the proof was made.")
    line: str = Field(description="The report's line, exactly.")
    place: int = Field(ge=0, description="Where it stands, counted from 0.")
    inclusion: tuple[str, ...] = Field(max_length=64)
    consistency: tuple[str, ...] = Field(max_length=128)

    def as_json(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**self.model_dump(exclude={"head"}), "head": self.head.as_json()}


def prove(ledger: Ledger, report: Report) -> LedgerProof:
    """The proof of one recorded release."""
    place = ledger.place_of(report)
    if place is None:
        raise NotAReport(
            f"{ledger.path}: this report is not recorded there.\n  Record it when you publish it: atreport build --record"
        )
    leaves = [leaf_hash(line) for line in ledger.lines]
    before = place if report.ledger is None else min(report.ledger.size, len(leaves))
    return LedgerProof(
        format=FORMAT,
        head=ledger.head(),
        line=ledger.lines[place].decode(),
        place=place,
        inclusion=tuple(step.hex() for step in inclusion_proof(leaves, place)),
        consistency=tuple(step.hex() for step in consistency_proof(leaves, before)),
    )


def ledger_findings(report: Report, path: Path) -> Iterator[str]:
    """What does not fit between a report and a ledger, or a proof from it."""
    if report.ledger is None:
        yield say(
            "report.json: it does not say which releases were recorded before it, so a ledger could have been cut"
        )
        return
    proof = _read_proof(path)
    if proof is not None:
        yield from _proof_findings(report, report.ledger, proof, path.name)
        return
    try:
        ledger = read_ledger_file(path)
    except InvalidInput as error:
        for problem in error.problems:
            line = problem.location.line
            yield say("{name}: line {line}: {what}", name=path.name, line=line, what=problem.message)
        return
    if lost := ledger.lost(report.ledger):
        yield say("{name}: this report {lost}", name=path.name, lost=lost)
    elif ledger.place_of(report) is None:
        yield say("{name}: this report is not recorded there", name=path.name)
    elif ledger.place_of(report) != report.ledger.size:
        yield say("{name}: this report does not follow the releases that it names", name=path.name)


def release_words(report: Report, path: Path) -> Iterator[str]:
    """Which release is the newest in a ledger, and how many follow this one; nothing where the ledger cannot be read."""
    proof = _read_proof(path)
    if proof is not None:
        later = proof.head.size - proof.place - 1
    else:
        try:
            ledger = read_ledger_file(path)
        except InvalidInput:
            return
        if ledger.releases:
            newest = ledger.releases[-1].report
            yield say(
                "The newest release in {name} is version {version} of {date}.",
                name=path.name,
                version=newest.version,
                date=newest.date.isoformat(),
            )
        place = ledger.place_of(report)
        later = 0 if place is None else len(ledger.releases) - place - 1
    if later > 0:
        yield say_many(
            later,
            "This is not the newest: {number} release was recorded after it.",
            "This is not the newest: {number} releases were recorded after it.",
        )


def _read_proof(path: Path) -> LedgerProof | None:
    """A proof, or None where the file is something else. Raises :class:`NotAReport` where nothing can be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NotAReport(f"{path}: this file is too large for a ledger.")
        content = path.read_bytes()
    except OSError as error:
        raise NotAReport(
            f"{path}: cannot be read: {error.strerror}.\n  Give the ledger, or a proof."
        ) from None
    if f'"{FORMAT}"'.encode() not in content[:4096]:
        return None
    proof, wrong = validate(parse_json(content, str(path), FORMAT), LedgerProof)
    if proof is None:
        raise NotAReport(f"{path}: this is no proof that atreport made: {'; '.join(wrong[:3])}")
    return proof


def _proof_findings(report: Report, before: LedgerHead, proof: LedgerProof, name: str) -> Iterator[str]:
    try:
        root, earlier = bytes.fromhex(proof.head.root), bytes.fromhex(before.root)
        inclusion, consistency = (
            [bytes.fromhex(step) for step in steps] for steps in (proof.inclusion, proof.consistency)
        )
        recorded, _ = validate(parse_json(proof.line.encode(), name), RecordedRelease)
    except (ValueError, NotAReport):
        yield say("{name}: its hashes or its line are none", name=name)
        return
    if recorded is None or recorded.facts() != facts_of(report):
        yield say("{name}: its line records another report", name=name)
    if not is_included(leaf_hash(proof.line.encode()), proof.place, proof.head.size, inclusion, root):
        yield say("{name}: it does not show that the line stands in the ledger behind its head", name=name)
    if proof.place != before.size:
        yield say("{name}: the line does not follow the releases that the report names", name=name)
    if not is_consistent(before.size, earlier, proof.head.size, root, consistency):
        yield say(
            "{name}: the ledger behind its head does not begin with the releases that the report names",
            name=name,
        )
