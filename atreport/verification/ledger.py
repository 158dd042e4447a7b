"""The release ledger: a small append-only file beside the spec, with the public facts of every recorded release.

One line of JSON each: what the report published about rule and population, and the checksum of the line before, so that
a line that was changed or taken out shows. So that its end cannot be cut off unseen, every report carries the *head* of the
ledger before its own line: how many releases it held, and the root of their hash tree. It holds nothing that the reports
themselves did not, and belongs into git with the spec. A build reads it; only ``build --record`` adds to it.
"""

import datetime as dt
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from atreport.core.cells import IntArray
from atreport.errors import InvalidInput, Location, NotAReport, OutputError, Refused, SpecProblem
from atreport.report.figures import ReportModel
from atreport.report.model import LedgerHead, Report
from atreport.report.reader import parse_json, validate
from atreport.report.rule import PublishedRule
from atreport.spec.spec import Spec
from atreport.text.language import count, gettext, ngettext
from atreport.text.numbers import counted
from atreport.verification.union_attack import (
    attack_union,
    choices_changed,
    compose_odds,
    composed_in_words,
    not_comparable,
    told_in_words,
)


class RecordedReport(ReportModel):
    """Which report it was."""

    title: str
    version: str
    date: dt.date


class RecordedRelease(PublishedRule):
    """One line of a ledger: what a report published about rule and population, and the checksum of the line before."""

    leading = ("format", "report")

    report: RecordedReport
    previous: str | None

    def facts(self) -> dict[str, Any]:
        """What was published, as JSON has it."""
        return {key: value for key, value in self.as_json().items() if key != "previous"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """The recorded releases of one spec, oldest first."""

    path: Path
    lines: tuple[bytes, ...]
    releases: tuple[RecordedRelease, ...]

    def place_of(self, report: Report) -> int | None:
        """At which line, counted from 0, the same facts were recorded; None: they were not."""
        facts = facts_of(report)
        places = (place for place, release in enumerate(self.releases) if release.facts() == facts)
        return next(places, None)

    def head(self, size: int | None = None) -> LedgerHead:
        """The head after the first so many lines, or after all of them."""
        lines = self.lines[:size]
        return LedgerHead(size=len(lines), root=root_hash([leaf_hash(line) for line in lines]).hex())

    def head_before(self, report: Report) -> LedgerHead:
        """The head that a report carries: before its own line, where it was recorded, and otherwise as it is now.

        So a recorded release that is built again gives the same bytes, however many were recorded since.
        """
        return self.head(self.place_of(report))

    def lost(self, head: LedgerHead) -> str | None:
        """Why this ledger is not the one that had such a head, in words; None: it begins with all that was there then."""
        if not self.lines and head.size:
            what = gettext("this ledger is missing or empty")
        elif len(self.lines) < head.size:
            what = gettext(
                "this ledger has only {number}: its end was cut off", number=count(len(self.lines))
            )
        elif self.head(head.size) != head:
            what = ngettext(
                head.size, "this ledger does not begin with it", "this ledger does not begin with those"
            )
        else:
            return None
        return ngettext(
            head.size,
            "was made after {number} release had been recorded, and {what}",
            "was made after {number} releases had been recorded, and {what}",
            what=what,
        )


def ledger_path(spec: Spec) -> Path:
    """Where the ledger of a spec is."""
    path = spec.document.path
    return path.with_name(f"{path.stem}.releases.jsonl")


def read_ledger(spec: Spec) -> Ledger:
    """The ledger of a spec; empty where there is none."""
    return read_ledger_file(ledger_path(spec))


def read_ledger_file(path: Path) -> Ledger:
    """A ledger; empty where there is none. Raises :class:`InvalidInput` where a line was altered."""
    if not path.is_file():
        return Ledger(path=path, lines=(), releases=())
    lines = tuple(path.read_bytes().splitlines())
    return Ledger(
        path=path,
        lines=lines,
        releases=tuple(_read_line(path, lines, number) for number in range(1, len(lines) + 1)),
    )


def _read_line(path: Path, lines: tuple[bytes, ...], number: int) -> RecordedRelease:
    """A line of a ledger, counted from 1. Raises :class:`InvalidInput` where it or one before it was altered."""
    previous = _link(lines[number - 2]) if number > 1 else None
    not_ours = _broken(path, number, gettext("this line is not one that atreport wrote"))
    try:
        document = parse_json(lines[number - 1], str(path))
    except NotAReport as error:
        raise not_ours from error
    if "previous" in document and document["previous"] != previous:
        raise _broken(path, number, gettext("a line before this one was changed or taken out"))
    release, _ = validate(document, RecordedRelease)
    if release is None:
        raise not_ours
    try:
        _ = release.rule_table  # its cells are complete and in order
    except (ValueError, ArithmeticError, LookupError) as error:
        raise not_ours from error
    return release


def record(ledger: Ledger, report: Report) -> bool:
    """Add a release; nothing where the same facts are there already. Returns whether a line was added."""
    if ledger.place_of(report) is not None:
        return False
    release = _release_of(report, _link(ledger.lines[-1]) if ledger.lines else None)
    line = json.dumps(release.as_json(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    try:
        with ledger.path.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise OutputError(f"{ledger.path}: the release could not be recorded: {error.strerror}.") from None
    return True


def refuse_lost_releases(ledger: Ledger, earlier: Path) -> None:
    """Raise :class:`InvalidInput` where an earlier report.json, if it is there, knew releases that the ledger has lost."""
    try:
        document = parse_json(earlier.read_bytes(), str(earlier))
        head, _ = validate(document["ledger"], LedgerHead)
        name = f"{document['report']['title']} {document['report']['version']}"
    except (OSError, NotAReport, LookupError, TypeError):
        return  # it carries none, or is no report of ours
    if head is not None and (lost := ledger.lost(head)):
        raise _broken(ledger.path, None, f"the report “{name}” in {earlier.parent} {lost}")


def facts_of(report: Report) -> dict[str, Any]:
    """What a ledger records of a report."""
    return _release_of(report, None).facts()


def _release_of(report: Report, previous: str | None) -> RecordedRelease:
    """The facts of a report that a ledger keeps."""
    info = report.report
    return RecordedRelease(
        format=report.format,
        report=RecordedReport(title=info.title, version=info.version, date=info.date),
        process=report.process,
        policy=report.policy,
        privacy=report.privacy,
        cells=report.cells,
        previous=previous,
    )


def attack_earlier_releases(
    spec: Spec, ledger: Ledger, new: PublishedRule, population: IntArray | None = None
) -> list[str]:
    """What recorded releases and a new one tell together, in plain words; refused where the policy says so.

    `population` are the people in each cell as the publisher knows them; when left out, as the new release publishes them.
    """
    if not ledger.releases:
        return []
    words, too_much = _union_warnings(ledger, new, population)
    others = [
        release for release in ledger.releases if release.cells != new.cells
    ]  # the same again adds nothing
    composed = compose_odds(others, new)
    if composed is not None:
        words.append(composed_in_words(composed, new))
    words += choices_changed([(release.report.version, release) for release in others], new)
    if too_much and spec.policy.releases == "refuse":
        raise Refused(
            f"{spec.document.title}: refused: together with releases recorded in {ledger.path.name}, this one would tell "
            "more than it promises.\n  "
            + "\n  ".join(words)
            + "\n  Nothing was published. Keep the announced rule of the earlier release, or publish less of the population."
        )
    return words


def _union_warnings(
    ledger: Ledger, new: PublishedRule, population: IntArray | None
) -> tuple[list[str], bool]:
    """What the recorded releases and the new one tell together, in plain words; and whether that is too much."""
    told = attack_union(ledger.releases, new, population)
    words = [told_in_words(each, new) for each in told[:10]]
    if len(told) > 10:
        words.append(f"… and {counted(len(told) - 10, 'more group')}")
    if others := not_comparable(ledger.releases, new):
        words.append(
            f"{others} earlier {'release asks' if others == 1 else 'releases ask'} about other attributes or outcomes, "
            "so what they tell together was not measured"
        )
    return words, bool(told)


def _link(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _broken(path: Path, line: int | None, message: str) -> InvalidInput:
    hint = "restore the file from git: earlier releases cannot be unpublished, and their facts must stay"
    if line is None:
        hint += " (a report of another process belongs into another folder: choose one with -o)"
    return InvalidInput([SpecProblem(location=Location(str(path), line), message=message, hint=hint)])


# Check that a report is recorded in its publisher's ledger: from the ledger itself, or from a short proof.
#
# A proof holds one line of the ledger and a few hashes. It shows that the report stands in the ledger behind
# a head, and that this ledger begins with the releases that the report itself says came before it. A reader
# compares that head with the one the publisher shows elsewhere; whoever keeps heads can see that no release
# was ever taken back.

FORMAT: Literal["atreport/ledger-proof/1"] = "atreport/ledger-proof/1"

_MOST_BYTES = 256 * 2**20
"""A ledger is a few megabytes; a file beyond this is not read."""


class LedgerProof(ReportModel):
    """That a report stands in a ledger, and after which releases. Hashes are in hexadecimal."""

    format: Literal["atreport/ledger-proof/1"]
    line: str = Field(description="The report's line, exactly.")
    place: int = Field(ge=0, description="Where it stands, counted from 0.")
    inclusion: tuple[str, ...] = Field(max_length=64)
    consistency: tuple[str, ...] = Field(max_length=128)
    head: LedgerHead = Field(description="The whole ledger when the proof was made.")


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
        yield gettext(
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
            yield gettext("{name}: line {line}: {what}", name=path.name, line=line, what=problem.message)
        return
    if lost := ledger.lost(report.ledger):
        yield gettext("{name}: this report {lost}", name=path.name, lost=lost)
    elif ledger.place_of(report) is None:
        yield gettext("{name}: this report is not recorded there", name=path.name)
    elif ledger.place_of(report) != report.ledger.size:
        yield gettext("{name}: this report does not follow the releases that it names", name=path.name)


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
            yield gettext(
                "The newest release in {name} is version {version} of {date}.",
                name=path.name,
                version=newest.version,
                date=newest.date.isoformat(),
            )
        place = ledger.place_of(report)
        later = 0 if place is None else len(ledger.releases) - place - 1
    if later > 0:
        yield ngettext(
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
        yield gettext("{name}: its hashes or its line are none", name=name)
        return
    if recorded is None or recorded.facts() != facts_of(report):
        yield gettext("{name}: its line records another report", name=name)
    if not is_included(leaf_hash(proof.line.encode()), proof.place, proof.head.size, inclusion, root):
        yield gettext(
            "{name}: it does not show that the line stands in the ledger behind its head", name=name
        )
    if proof.place != before.size:
        yield gettext("{name}: the line does not follow the releases that the report names", name=name)
    if not is_consistent(before.size, earlier, proof.head.size, root, consistency):
        yield gettext(
            "{name}: the ledger behind its head does not begin with the releases that the report names",
            name=name,
        )


# The hash tree of RFC 6962 over the lines of a ledger: one hash for all of them, and short proofs about it.
#
# Guarantee, as long as SHA-256 has no collisions: two lists of lines with the same root are the same; an
# inclusion proof that checks shows that a line stands at its place in the list behind a root; a consistency
# proof that checks shows that the list behind the older root is the beginning of the list behind the newer
# one, so that nothing was changed, taken out or put in. Leaves and nodes are told apart by their first byte,
# so that none can be passed off as the other.

Hash = bytes


def leaf_hash(line: bytes) -> Hash:
    """The hash of one line."""
    return hashlib.sha256(b"\x00" + line).digest()


def root_hash(leaves: Sequence[Hash]) -> Hash:
    """The hash of a whole list, given the hashes of its lines; of none, the hash of nothing."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = _split(len(leaves))
    return _node(root_hash(leaves[:half]), root_hash(leaves[half:]))


def inclusion_proof(leaves: Sequence[Hash], place: int) -> list[Hash]:
    """The hashes that lead from the line at `place` (counted from 0) to the root."""
    if len(leaves) <= 1:
        return []
    half = _split(len(leaves))
    if place < half:
        return [*inclusion_proof(leaves[:half], place), root_hash(leaves[half:])]
    return [*inclusion_proof(leaves[half:], place - half), root_hash(leaves[:half])]


def is_included(leaf: Hash, place: int, size: int, proof: Sequence[Hash], root: Hash) -> bool:
    """Whether a proof shows that a line stands at `place` in the list of `size` lines behind a root."""
    if not 0 <= place < size:
        return False
    found, at, last = leaf, place, size - 1
    for step in proof:
        if last == 0:
            return False
        if at % 2 or at == last:
            found = _node(step, found)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = _node(found, step)
        at, last = at // 2, last // 2
    return last == 0 and found == root


def consistency_proof(leaves: Sequence[Hash], earlier: int) -> list[Hash]:
    """The hashes that show that the first `earlier` lines are the beginning of them all."""
    return [] if earlier in (0, len(leaves)) else _subproof(leaves, earlier, is_whole=True)


def is_consistent(
    earlier: int, earlier_root: Hash, later: int, later_root: Hash, proof: Sequence[Hash]
) -> bool:
    """Whether a proof shows that the list behind the earlier root is the beginning of the one behind the later root."""
    if not 0 <= earlier <= later:
        return False
    if earlier in (0, later):
        same = earlier_root == (later_root if earlier else root_hash([]))
        return same and not proof
    path = [earlier_root, *proof] if earlier & (earlier - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = earlier - 1, later - 1
    while at % 2:
        at, last = at // 2, last // 2
    older = newer = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at % 2 or at == last:
            older, newer = _node(step, older), _node(step, newer)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            newer = _node(newer, step)
        at, last = at // 2, last // 2
    return last == 0 and older == earlier_root and newer == later_root


def _subproof(leaves: Sequence[Hash], earlier: int, *, is_whole: bool) -> list[Hash]:
    if earlier == len(leaves):
        return [] if is_whole else [root_hash(leaves)]
    half = _split(len(leaves))
    if earlier <= half:
        return [*_subproof(leaves[:half], earlier, is_whole=is_whole), root_hash(leaves[half:])]
    return [*_subproof(leaves[half:], earlier - half, is_whole=False), root_hash(leaves[:half])]


def _node(left: Hash, right: Hash) -> Hash:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)
