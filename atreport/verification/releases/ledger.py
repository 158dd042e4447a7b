"""The release ledger: a small append-only file beside the spec, with the public facts of every recorded release.

One line of JSON each: what the report published about rule and population, and the checksum of the line before, so that
a line that was changed or taken out shows. So that its end cannot be cut off unseen, every report carries the *head* of the
ledger before its own line: how many releases it held, and the root of their hash tree. It holds nothing that the reports
themselves did not, and belongs into git with the spec. A build reads it; only ``build --record`` adds to it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atreport.errors import InvalidInput, Location, NotAReport, OutputError, Problem, Refused
from atreport.kit.language import say, say_many
from atreport.kit.numbers import count, counted
from atreport.population.cells import IntArray
from atreport.report.figures import Part
from atreport.report.model import LedgerHead, Report
from atreport.report.reader import parse_json, validate
from atreport.report.rule import PublishedRule, process_json
from atreport.spec.models.spec import Spec
from atreport.verification.composition import choices_changed, compose_odds, composed_in_words
from atreport.verification.releases.merkle import leaf_hash, root_hash
from atreport.verification.union_attack import attack_union, not_comparable, told_in_words


class RecordedReport(Part):
    """Which report it was."""

    title: str
    version: str
    date: dt.date

    def as_json(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"title": self.title, "version": self.version, "date": self.date.isoformat()}


class RecordedRelease(PublishedRule):
    """One line of a ledger: what a report published about rule and population, and the checksum of the line before."""

    report: RecordedReport
    previous: str | None

    def facts(self) -> dict[str, Any]:
        """What was published, as JSON has it."""
        return {
            "format": self.format,
            "report": self.report.as_json(),
            "process": process_json(self.process),
            "policy": self.policy.as_json(),
            "privacy": self.privacy.as_json(),
            "cells": [cell.as_json() for cell in self.cells],
        }

    def as_json(self) -> dict[str, Any]:
        """The line as JSON has it."""
        return {**self.facts(), "previous": self.previous}


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
            what = say("this ledger is missing or empty")
        elif len(self.lines) < head.size:
            what = say("this ledger has only {number}: its end was cut off", number=count(len(self.lines)))
        elif self.head(head.size) != head:
            what = say_many(
                head.size, "this ledger does not begin with it", "this ledger does not begin with those"
            )
        else:
            return None
        return say_many(
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
    not_ours = _broken(path, number, say("this line is not one that atreport wrote"))
    try:
        document = parse_json(lines[number - 1], str(path))
    except NotAReport as error:
        raise not_ours from error
    if "previous" in document and document["previous"] != previous:
        raise _broken(path, number, say("a line before this one was changed or taken out"))
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
    found = _head_in(earlier)
    if found is None:
        return
    name, head = found
    if lost := ledger.lost(head):
        raise _broken(ledger.path, None, f"the report “{name}” in {earlier.parent} {lost}")


def _head_in(earlier: Path) -> tuple[str, LedgerHead] | None:
    """The name of a report and the head it carries; None where it carries none, or is no report of ours."""
    try:
        document = parse_json(earlier.read_bytes(), str(earlier))
        head, _ = validate(document["ledger"], LedgerHead)
        name = f"{document['report']['title']} {document['report']['version']}"
    except (OSError, NotAReport, LookupError, TypeError):
        return None
    return None if head is None else (name, head)


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
    others = not_comparable(ledger.releases, new)
    if others:
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
    return InvalidInput([Problem(location=Location(str(path), line), message=message, hint=hint)])
