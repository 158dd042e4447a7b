"""Commit to the confidential input at publication, so that an auditor can later confirm which data it was.

What is published is HMAC-SHA-256 of the true table under 32 random bytes, the salt, which stays in the confidential
folder. Without the salt the digest tells nothing, however few tables are possible; a plain hash of a small table would
let anybody try them all. With the salt and the data, anybody the publisher shows both can recalculate it.

Every build draws a fresh salt: with one salt for several builds, a digest that stays the same would tell that the data
did, and one that changes while the report does not would tell that the truth changed behind it. Whoever wants the same
bytes again names the salt. No salt is lost: those of earlier builds into the same folder stay in its file.
"""

import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from atreport.errors import OutputError
from atreport.private.data.decision_table import DecisionTable
from atreport.report.model import Commitment

FILE = "commitment.json"
METHOD: Literal["HMAC-SHA-256"] = "HMAC-SHA-256"
SALT_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class SaltedDigest:
    """A digest, which is published, and the salt that opens it, which is not."""

    digest: str
    salt: bytes
    earlier: tuple[Mapping[str, str], ...] = ()  # digest and salt of earlier builds, newest first

    @property
    def public(self) -> Commitment:
        """What the report says."""
        return Commitment(method=METHOD, digest=self.digest)

    @property
    def confidential(self) -> bytes:
        """What is kept for an auditor."""
        kept: dict[str, Any] = {"method": METHOD, "digest": self.digest, "salt": self.salt.hex()}
        if self.earlier:
            kept["earlier"] = [dict(each) for each in self.earlier]
        return (json.dumps(kept, indent=2) + "\n").encode()


def fresh_salt() -> bytes:
    """A salt that nobody can guess."""
    return secrets.token_bytes(SALT_BYTES)


def commit(table: DecisionTable, salt: bytes) -> SaltedDigest:
    """Commit to a table under a salt."""
    return SaltedDigest(digest=digest_of(table, salt), salt=salt)


def keep_earlier(commitment: SaltedDigest, kept: Path) -> SaltedDigest:
    """The same with the salts that builds before this one have kept in a file, if it is there."""
    if not kept.exists():
        return commitment
    earlier = [each for each in _read(kept) if each["salt"] != commitment.salt.hex()]
    return replace(commitment, earlier=tuple(earlier))


def read_salt(kept: Path, digest: str | None = None) -> bytes:
    """The salt that a build has kept: of the last one, or of the one that published this digest."""
    found = _read(kept)
    chosen = next((each for each in found if each["digest"] == digest), found[0])
    return bytes.fromhex(chosen["salt"])


def _read(kept: Path) -> list[dict[str, str]]:
    """All digests and salts in a file, newest first."""
    try:
        document = json.loads(kept.read_bytes())
        found = [
            {"digest": str(each["digest"]), "salt": str(each["salt"])}
            for each in (document, *document.get("earlier", []))
        ]
        assert all(len(bytes.fromhex(each["salt"])) == SALT_BYTES for each in found)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError):
        raise OutputError(
            f"{kept}: the salt of the commitment cannot be read.\n"
            "  Restore the file: without it nobody can confirm which data earlier reports were made from."
        ) from None
    return found


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
