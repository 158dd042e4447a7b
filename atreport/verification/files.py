"""Check the files of a published report against each other: checksums, attachments, what a page carries."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from atreport.errors import NotAReport
from atreport.kit.language import say
from atreport.kit.language.later import say_now
from atreport.kit.resources import VERIFIER, verifier_text
from atreport.pages.catalogue.published_file import FILE_TITLES
from atreport.pages.sheets import SHEET_FILES
from atreport.publication.generator import same_program
from atreport.publish import ADDED_LATER
from atreport.report.published import Published
from atreport.report.reader import parse_json
from atreport.verification.languages import files_of_no_report, language_findings
from atreport.verification.releases.attestation import ATTESTATION, statement_findings, unsigned_payload
from atreport.verification.releases.signature import CHECKSUMS, SIGNATURE, is_signature, is_signed_by
from atreport.verification.releases.time_stamp import STAMP, is_about

ATTACHED = ("report.json", "cells.csv", "measures.csv")
MAY_BE_ATTACHED = FILE_TITLES.keys() - {"report.html", "report.pdf", *SHEET_FILES, VERIFIER}


def checksum_findings(published: Published) -> Iterator[str]:
    """Every file of the report is listed with the checksum it has, and every file that is listed is there."""
    if CHECKSUMS not in published.files:
        yield say("{sums}: missing, so nobody can see whether a file was altered", sums=CHECKSUMS)
        return
    listed: dict[str, str] = {}
    for line in published.files[CHECKSUMS].decode("utf-8", "replace").splitlines():
        found = re.fullmatch(r"([0-9a-f]{64})  (\S+)", line)
        if not found or found[2] in listed:
            yield say(
                "{sums}: “{line}” is no checksum, or a file is listed twice", sums=CHECKSUMS, line=line[:80]
            )
        else:
            listed[found[2]] = found[1]
    for name, digest in listed.items():
        if name not in published.files:
            yield say("{name}: listed in {sums} but missing", name=name, sums=CHECKSUMS)
        elif hashlib.sha256(published.files[name]).hexdigest() != digest:
            yield say("{name}: altered since {sums} was written", name=name, sums=CHECKSUMS)
    for name in published.files:
        if name not in listed and name not in ADDED_LATER:
            yield say("{name}: not listed in {sums}", name=name, sums=CHECKSUMS)


def folder_findings(published: Published) -> Iterator[str]:
    """Nothing is in the folder but the files of a report: what else stands there would seem to be published with it."""
    for name in files_of_no_report(published):
        yield say("{name}: no file of a report", name=name)
    yield from language_findings(published)
    for name, why in published.strange.items():
        yield say("{where}: {what}", where=name, what=say_now(why))
    verifier = published.files.get(VERIFIER)
    same = published.report is not None and same_program(published.report.generator)
    if verifier is not None and same and verifier != verifier_text():
        yield say("{name}: not the verifier of this version; do not run it", name=VERIFIER)


def signature_findings(published: Published, key: Path) -> Iterator[str]:
    """The checksums were signed by the holder of the key."""
    if CHECKSUMS not in published.files or SIGNATURE not in published.files:
        yield say("{name}: missing: this copy is not signed", name=SIGNATURE)
    elif not is_signed_by(key, published.files[CHECKSUMS], published.files[SIGNATURE]):
        yield say(
            "{name}: not made with the private key that belongs to {key}, or not for these files",
            name=SIGNATURE,
            key=key.name,
        )


def added_findings(published: Published) -> Iterator[str]:
    """What was added to a finished folder has the form it should have and is about these files, whoever made it."""
    sums = published.files.get(CHECKSUMS, b"")
    if (signature := published.files.get(SIGNATURE)) is not None and not is_signature(signature):
        yield say("{name}: this is no signature", name=SIGNATURE)
    if (statement := published.files.get(ATTESTATION)) is not None:
        yield from statement_findings(published, unsigned_payload(statement))
    if (stamp := published.files.get(STAMP)) is not None and not is_about(stamp, sums):
        yield say("{name}: this is no time stamp of {sums}", name=STAMP, sums=CHECKSUMS)


def attachment_findings(published: Published) -> Iterator[str]:
    """The PDF has the data attached, the same as beside it."""
    for name in ATTACHED if published.attachments is not None else ():
        attached = (published.attachments or {}).get(name)
        if attached is None:
            yield say("report.pdf: {name} is not attached to it", name=name)
        elif name in published.files and attached != published.files[name]:
            yield say("report.pdf: the {name} attached to it is not the {name} beside it", name=name)
    for name in sorted((published.attachments or {}).keys() - {*MAY_BE_ATTACHED}):
        yield say("report.pdf: {name} is attached to it, which is no file of a report", name=name[:60])


def page_data_findings(published: Published) -> Iterator[str]:
    """The page carries the same figures as report.json."""
    if published.page_data is not None and not _same_data(published.page_data, published.content):
        yield say("report.html: the data in the page are not those of report.json")


def attached_report_findings(published: Published) -> Iterator[str]:
    """The report.json attached to the PDF holds the same figures as the one that was read."""
    attached = (published.attachments or {}).get("report.json")
    if attached is not None and not _same_data(attached, published.content):
        yield say("report.pdf: the report.json attached to it holds other figures")


def _same_data(one: bytes, other: bytes) -> bool:
    """Whether two documents say the same, however they are written."""
    if one == other:
        return True
    try:
        return parse_json(one, "") == parse_json(other, "")
    except NotAReport:
        return False
