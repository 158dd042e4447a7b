"""The release ledger: a small append-only file beside the spec, with the public facts of every recorded release.

One line of JSON each: what the report published about rule and population, and the checksum of the line before, so that
a line that was changed or taken out shows. It holds nothing that the report itself did not, and belongs into git with
the spec. A build reads it; only ``build --record`` adds to it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atreport.announcement import Release
from atreport.errors import InvalidInput, Location, OutputError, Problem, Refused
from atreport.spec.models.spec import Spec

_FACTS = ("format", "report", "process", "policy", "privacy", "cells")
_REPORT = ("title", "version", "date")


@dataclass(frozen=True, kw_only=True, eq=False)
class Ledger:
    """The recorded releases of one spec, oldest first."""

    path: Path
    lines: tuple[bytes, ...]
    releases: tuple[Release, ...]

    def holds(self, document: Mapping[str, Any]) -> bool:
        """Whether the same facts were recorded before."""
        facts = _facts(document)
        return any(_without_link(line) == facts for line in self.lines)


def ledger_path(spec: Spec) -> Path:
    """Where the ledger of a spec is."""
    path = spec.document.path
    return path.with_name(f"{path.stem}.releases.jsonl")


def read_ledger(spec: Spec) -> Ledger:
    """The ledger of a spec; empty where there is none."""
    path = ledger_path(spec)
    if not path.is_file():
        return Ledger(path=path, lines=(), releases=())
    from atreport.report.published import parse_document  # most builds need none of it
    from atreport.verification.restore import restore_release

    lines = tuple(path.read_bytes().splitlines())
    releases = []
    for number, line in enumerate(lines, start=1):
        previous = _link(lines[number - 2]) if number > 1 else None
        try:
            document = parse_document(line, str(path))
            if document["previous"] != previous:
                raise _broken(path, number, "a line before this one was changed or taken out")
            releases.append(restore_release(document))
        except InvalidInput:
            raise
        except Exception as error:  # whatever is wrong with it, it is not a line that this program wrote
            raise _broken(path, number, "this line is not one that atreport wrote") from error
    return Ledger(path=path, lines=lines, releases=tuple(releases))


def record(ledger: Ledger, document: Mapping[str, Any]) -> bool:
    """Add a release; nothing where the same facts are there already. Returns whether a line was added."""
    if ledger.holds(document):
        return False
    linked = {**_facts(document), "previous": _link(ledger.lines[-1]) if ledger.lines else None}
    line = json.dumps(linked, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    try:
        with ledger.path.open("ab") as stream:
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise OutputError(f"{ledger.path}: the release could not be recorded: {error.strerror}.") from None
    return True


def attack_earlier_releases(spec: Spec, ledger: Ledger, new: Release) -> list[str]:
    """What recorded releases and the new one tell together, in plain words; refused where the policy says so."""
    if not ledger.releases:
        return []
    words, too_much = _union_warnings(ledger, new)
    if too_much and spec.policy.releases == "refuse":
        raise Refused(
            f"{spec.document.path}: refused: together with releases recorded in {ledger.path.name}, this one would tell "
            "more than it promises.\n  "
            + "\n  ".join(words)
            + "\n  Nothing was published. Keep the announced rule of the earlier release, or publish less of the population."
        )
    return words


def _union_warnings(ledger: Ledger, new: Release) -> tuple[list[str], bool]:
    """What the recorded releases and the new one tell together, in plain words; and whether that is too much."""
    from atreport.verification.union_attack import attack_union, not_comparable, told_in_words

    told = attack_union(ledger.releases, new)
    words = [told_in_words(each, new) for each in told[:10]]
    if len(told) > 10:
        words.append(f"… and {len(told) - 10} more groups")
    others = not_comparable(ledger.releases, new)
    if others:
        words.append(
            f"{others} earlier {'release asks' if others == 1 else 'releases ask'} about other attributes or outcomes, "
            "so what they tell together was not measured"
        )
    return words, bool(told)


def _facts(document: Mapping[str, Any]) -> dict[str, Any]:
    facts = {key: document[key] for key in _FACTS}
    facts["report"] = {key: document["report"][key] for key in _REPORT}
    return dict(json.loads(json.dumps(facts)))


def _without_link(line: bytes) -> dict[str, Any]:
    facts = dict(json.loads(line))
    facts.pop("previous", None)
    return facts


def _link(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _broken(path: Path, line: int, message: str) -> InvalidInput:
    hint = "restore the file from git: earlier releases cannot be unpublished, and their facts must stay"
    return InvalidInput([Problem(location=Location(str(path), line), message=message, hint=hint)])
