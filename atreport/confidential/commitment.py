"""Commit to the confidential input at publication, so that an auditor can later confirm which data it was.

What is published is HMAC-SHA-256 of the true table under 32 random bytes, the salt, which stays in the confidential
folder. Without the salt the digest tells nothing, however few tables are possible; a plain hash of a small table would
let anybody try them all. With the salt and the data, anybody the publisher shows both can recalculate it.

The salt is drawn once and kept: the same data then give the same digest, so that a rebuild gives the same bytes.
"""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from atreport.confidential.data.table import DecisionTable
from atreport.errors import OutputError
from atreport.report.model import Commitment as PublishedCommitment

FILE = "commitment.json"
METHOD: Literal["HMAC-SHA-256"] = "HMAC-SHA-256"
SALT_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Commitment:
    """A digest, which is published, and the salt that opens it, which is not."""

    digest: str
    salt: bytes

    @property
    def public(self) -> PublishedCommitment:
        """What the report says."""
        return PublishedCommitment(method=METHOD, digest=self.digest)

    @property
    def confidential(self) -> bytes:
        """What is kept for an auditor."""
        kept = {"method": METHOD, "digest": self.digest, "salt": self.salt.hex()}
        return (json.dumps(kept, indent=2) + "\n").encode()


def commit(table: DecisionTable, kept: Path) -> Commitment:
    """Commit to a table, with the salt of an earlier build where there is one."""
    salt = read_salt(kept) if kept.exists() else secrets.token_bytes(SALT_BYTES)
    return Commitment(digest=digest_of(table, salt), salt=salt)


def read_salt(kept: Path) -> bytes:
    """The salt that a build has kept."""
    try:
        salt = bytes.fromhex(json.loads(kept.read_bytes())["salt"])
        assert len(salt) == SALT_BYTES
    except (OSError, ValueError, LookupError, TypeError, AssertionError):
        raise OutputError(
            f"{kept}: the salt of the commitment cannot be read.\n"
            "  Restore the file: without it nobody can confirm which data earlier reports were made from."
        ) from None
    return salt


def digest_of(table: DecisionTable, salt: bytes) -> str:
    """The digest of a table under a salt; it depends neither on the order of rows nor on how the data are stored."""
    return hmac.new(salt, _canonical(table), "sha256").hexdigest()


def _canonical(table: DecisionTable) -> bytes:
    """Everything a report depends on, one line a cell: values, people, true probabilities, bounds."""
    process, cells = table.cells.process, table.cells
    names = [attribute.name for attribute in process.attributes]
    lines: list[Any] = [{"attributes": names, "outcomes": list(process.outcome.values)}]
    for cell in range(len(cells)):
        values = [a.values[code] for a, code in zip(process.attributes, cells.codes[cell], strict=True)]
        numbers = [*table.probability[cell].tolist()]
        if table.lower is not None and table.upper is not None:
            numbers += [float(table.lower[cell]), float(table.upper[cell])]
        lines.append([values, int(cells.population[cell]), [repr(number) for number in numbers]])
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
