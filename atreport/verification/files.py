"""Check the files of a published report against each other: checksums, attachments, what a page carries."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from atreport.compose import FOR_ALL, published_name
from atreport.compose.generator import is_of_version_0_1, same_program
from atreport.core.certify import decimals_of_shares
from atreport.core.exact import axis_sums, product
from atreport.errors import NotAReport
from atreport.export.files import CHECKSUMS
from atreport.export.spreadsheets import SHEET_FILES
from atreport.measures.membership import certain_and_possible_members
from atreport.pages.catalogue import FILE_TITLES
from atreport.report.model import Report
from atreport.report.people import ValueRange
from atreport.report.reader import Published, parse_json, read_files
from atreport.resources import VERIFIER, verifier_text
from atreport.spec.mapping import document_of
from atreport.text.language import gettext, message, resolve
from atreport.verification.findings import Check, NotChecked, at
from atreport.verification.signature import (
    ATTESTATION,
    SIGNATURE,
    STAMP,
    attested_findings,
    is_about,
    is_signature,
    is_signed_by,
    unsigned_payload,
)
from atreport.write_folder import ADDED_LATER, OWN_FILES, PUBLIC, language_of, named_in

ATTACHED = ("report.json", "cells.csv", "measures.csv")
MAY_BE_ATTACHED = FILE_TITLES.keys() - {"report.html", "report.pdf", *SHEET_FILES, VERIFIER}


def checksum_findings(published: Published) -> Iterator[str]:
    """Every file of the report is listed with the checksum it has, and every file that is listed is there."""
    if CHECKSUMS not in published.files:
        yield gettext("{sums}: missing, so nobody can see whether a file was altered", sums=CHECKSUMS)
        return
    listed: dict[str, str] = {}
    for line in published.files[CHECKSUMS].decode("utf-8", "replace").splitlines():
        found = re.fullmatch(r"([0-9a-f]{64})  (\S+)", line)
        if not found or found[2] in listed:
            yield gettext(
                "{sums}: “{line}” is no checksum, or a file is listed twice", sums=CHECKSUMS, line=line[:80]
            )
        else:
            listed[found[2]] = found[1]
    for name, digest in listed.items():
        if name not in published.files:
            yield gettext("{name}: listed in {sums} but missing", name=name, sums=CHECKSUMS)
        elif hashlib.sha256(published.files[name]).hexdigest() != digest:
            yield gettext("{name}: altered since {sums} was written", name=name, sums=CHECKSUMS)
    for name in published.files:
        if name not in listed and name not in ADDED_LATER:
            yield gettext("{name}: not listed in {sums}", name=name, sums=CHECKSUMS)


def folder_findings(published: Published) -> Iterator[str]:
    """Nothing is in the folder but the files of a report: what else stands there would seem to be published with it."""
    for name in files_of_no_report(published):
        yield gettext("{name}: no file of a report", name=name)
    yield from language_findings(published)
    for name, why in published.strange.items():
        yield at(name, resolve(why))
    verifier = published.files.get(VERIFIER)
    same = published.report is not None and same_program(published.report.generator)
    if verifier is not None and same and verifier != verifier_text():
        yield gettext("{name}: not the verifier of this version; do not run it", name=VERIFIER)


def signature_findings(published: Published, key: Path) -> Iterator[str]:
    """The checksums were signed by the holder of the key."""
    if CHECKSUMS not in published.files or SIGNATURE not in published.files:
        yield gettext("{name}: missing: this copy is not signed", name=SIGNATURE)
    elif not is_signed_by(key, published.files[CHECKSUMS], published.files[SIGNATURE]):
        yield gettext(
            "{name}: not made with the private key that belongs to {key}, or not for these files",
            name=SIGNATURE,
            key=key.name,
        )


def added_findings(published: Published) -> Iterator[str]:
    """What was added to a finished folder has the form it should have and is about these files, whoever made it."""
    sums = published.files.get(CHECKSUMS, b"")
    if (signature := published.files.get(SIGNATURE)) is not None and not is_signature(signature):
        yield gettext("{name}: this is no signature", name=SIGNATURE)
    if (statement := published.files.get(ATTESTATION)) is not None:
        yield from attested_findings(published, unsigned_payload(statement))
    if (stamp := published.files.get(STAMP)) is not None and not is_about(stamp, sums):
        yield gettext("{name}: this is no time stamp of {sums}", name=STAMP, sums=CHECKSUMS)


def attachment_findings(published: Published) -> Iterator[str]:
    """The PDF has the data attached, the same as beside it."""
    for name in ATTACHED if published.attachments is not None else ():
        attached = (published.attachments or {}).get(name)
        if attached is None:
            yield gettext("report.pdf: {name} is not attached to it", name=name)
        elif name in published.files and attached != published.files[name]:
            yield gettext("report.pdf: the {name} attached to it is not the {name} beside it", name=name)
    for name in sorted((published.attachments or {}).keys() - {*MAY_BE_ATTACHED}):
        yield gettext("report.pdf: {name} is attached to it, which is no file of a report", name=name[:60])
    inside = (published.attachments or {}).get("report.json")
    if inside is not None and not _same_data(inside, published.content):
        yield gettext("report.pdf: the report.json attached to it holds other figures")


def page_data_findings(published: Published) -> Iterator[str]:
    """The page carries the same figures as report.json."""
    if published.page_data is not None and not _same_data(published.page_data, published.content):
        yield gettext("report.html: the data in the page are not those of report.json")


def _same_data(one: bytes, other: bytes) -> bool:
    """Whether two documents say the same, however they are written."""
    if one == other:
        return True
    try:
        return parse_json(one, "") == parse_json(other, "")
    except NotAReport:
        return False


# Check what a report states besides figures: names in what was asked for, what was done with people, where it
# stands.

_NOTHING = hashlib.sha256(b"").hexdigest()
"""The root of a hash tree without leaves (RFC 6962)."""

_NO_SUCH_NAME = message("a name that the process does not have")
_RANGES = message("ranges that overlap or leave a gap")


def statement_findings(report: Report) -> Iterator[str]:
    """Where a part of the report that is no figure does not fit the others."""
    yield from _asked_findings(report)
    yield from _left_out_findings(report)
    yield from _rule_findings(report)
    yield from _small_cell_findings(report)
    if not _are_shares_as_precise(report):
        yield gettext("policy: shares of other decimals than the smallest of them needs")
    if report.estimation is not None:
        outcome, process = report.estimation.outcome, report.process
        known = {each.name: (*each.values, *each.known_values) for each in process.attributes}
        yield from _range_findings("estimation, ranges", report.estimation.ranges or (), known)
        if any(name not in known for name in report.estimation.edges_from_decisions or ()):
            yield at("estimation", gettext(_NO_SUCH_NAME))
        if outcome is not None:
            of_outcome = {process.outcome.name: process.outcome.values}
            yield from _range_findings("estimation, outcome", outcome.ranges or (), of_outcome)
            if (outcome.at == "edges") != bool(outcome.ranges):
                yield at("estimation, outcome", gettext(_RANGES))
    if report.ledger is not None and (report.ledger.size == 0) != (report.ledger.root == _NOTHING):
        yield gettext("ledger: so many releases do not have this root")


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
        yield gettext("sections, form: not what stands in the form")
    if asked.transparency is not None:
        written: dict[str, Any] = {"transparency": asked.as_json()["transparency"]}
        document = document_of(written, Path("report.json"))
        for problem in asked.transparency.find_problems(document, report.process, ("transparency",)):
            where = f"sections, {problem.location}"
            yield at(where, gettext(_NO_SUCH_NAME))


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
            yield at("rules", gettext(_NO_SUCH_NAME))
        elif found.scheme == "exact":
            masks = np.array(
                [certain_and_possible_members(table.cells, rule.condition)[0] for rule in rules]
            ).astype(np.int64)
            steps = np.array([[int(rule.probability.scaleb(table.decimals))] for rule in rules])
            once, announced = axis_sums(masks, 0), axis_sums(product(masks, steps), 0)
            if (once != 1).any() or (announced != table.announced).any():
                yield at("rules", gettext("not the announced probability of every cell"))


def _left_out_findings(report: Report) -> Iterator[str]:
    """Where what was done with groups that nothing can protect does not fit together."""
    found, attributes = report.privacy.unprotectable, {each.name: each for each in report.process.attributes}
    is_old = is_of_version_0_1(report.generator)  # it did not say what a value stands for
    if (found.groups > 0) != (found.share > 0) or (found.groups and found.policy == "refuse"):
        yield gettext("privacy, unprotectable: so many groups do not have this share of all people")
    for each in found.merged:
        attribute = attributes.get(each.attribute)
        unknown = attribute is None or not (is_old or attribute.stands_for(each.value))
        if unknown or found.policy != "merge":
            yield at("privacy, unprotectable", gettext("a value that was not merged"))


def _small_cell_findings(report: Report) -> Iterator[str]:
    """Where what was done with counts of few people is not what the cells show."""
    stated, counts = report.policy.small_cells, [cell.population for cell in report.cells]
    hidden = sum(cell.is_suppressed for cell in report.cells)
    suppresses = stated.policy == "suppress"
    fits = (stated.suppressed is not None) == suppresses and (stated.protection is not None) == suppresses
    if stated.suppressed is not None and report.policy.population != "withheld":
        fits = fits and stated.suppressed == hidden
    is_old = is_of_version_0_1(report.generator)  # it hid them in other ways
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
        yield gettext("policy, small_cells: not what was done with the cells")


def _range_findings(
    where: str, ranges: Sequence[ValueRange], known: Mapping[str, Iterable[str]]
) -> Iterator[str]:
    """Where ranges of numbers are of no value, overlap, or leave a gap."""
    if any(each.value not in known.get(each.attribute, ()) for each in ranges):
        yield at(where, gettext(_NO_SUCH_NAME))
    backward = (each.low is not None and each.high is not None and each.low >= each.high for each in ranges)
    apart = (one.attribute == other.attribute and one.high != other.low for one, other in pairwise(ranges))
    if any((*backward, *apart)):
        yield at(where, gettext(_RANGES))


# Check that all languages of a report are there, and that they say the same: only words differ.
#
# The files of one language are looked at under the names that they would have in the main one; what is found
# is told under their own.

_FILE_NAME = re.compile(
    r"(?<![\w.-])(" + "|".join(map(re.escape, sorted(FILE_TITLES, key=len, reverse=True))) + r")(?![\w-])"
)


def further_languages(published: Published) -> tuple[str, ...]:
    """The languages besides the main one in which a folder should hold its report; none of a single file."""
    if published.report is None or not published.path.is_dir():
        return ()
    return published.report.report.all_languages[1:]


def edition_of(published: Published, language: str) -> Published | None:
    """The files of one language, under their names in the main one; None where they hold no report."""
    files: dict[str, bytes] = {}
    for name, content in published.files.items():
        main, tag = language_of(name)
        if tag == language:
            files[main] = content
        elif tag is None and name.startswith(FOR_ALL):
            files[name] = content
    try:
        return read_files(published.path, files, {})
    except NotAReport:
        return None


def language_findings(published: Published) -> Iterator[str]:
    """The main language is the first, every file is there in every language and in no other, and all say the same."""
    if published.report is None or not published.path.is_dir():
        return
    info = published.report.report
    main, *further = info.all_languages
    if info.language != main:
        yield gettext(
            "{name}: is in “{language}” where the main language, “{main}”, should be",
            name=published.source,
            language=info.language[:20],
            main=main,
        )
    for name in published.files:
        _, tag = language_of(name)
        if tag is not None and tag not in further:
            yield gettext("{name}: the report is not published in “{language}”", name=name, language=tag[:20])
    for language in further:
        yield from _missing(published, language)
        if named_in("report.json", language) in published.files and published.source == "report.json":
            yield from _other_figures(published, language)


def _missing(published: Published, language: str) -> Iterator[str]:
    for name in published.files:
        main, tag = language_of(name)
        other = _name(published, name, language)
        if tag is None and other != name and other not in published.files:
            yield gettext(
                "{name}: missing, though the report is published in “{language}”",
                name=other,
                language=language,
            )
        if tag == language and main not in published.files:
            yield gettext("{name}: there is no {main}, of which it is the translation", name=name, main=main)


def _name(published: Published, name: str, language: str) -> str:
    """What a file of the main language is called in another; the same name where one is for all."""
    if published.report is None or name not in FILE_TITLES or name == VERIFIER:
        return name
    return published_name(name, published.report.report.model_copy(update={"language": language}))


def _other_figures(published: Published, language: str) -> Iterator[str]:
    """Where the report.json of another language says more than other words."""
    name = named_in("report.json", language)
    try:
        other = parse_json(published.files[name], name)
    except NotAReport as error:
        yield str(error)
        return
    main = parse_json(published.content, "report.json")
    stated = other.get("report")
    if not isinstance(stated, dict) or stated.get("language") != language:
        yield gettext("{name}: does not say that it is in “{language}”", name=name, language=language)
    for key in dict.fromkeys((*main, *other)):
        if _without_words(key, main.get(key)) != _without_words(key, other.get(key)):
            yield gettext(
                "{name}: its {part} is not that of report.json, and only words may differ",
                name=name,
                part=key[:40],
            )


def _without_words(key: str, part: Any) -> Any:
    """A part of a report.json without what differs between languages."""
    if key == "report" and isinstance(part, dict):
        return {name: value for name, value in part.items() if name != "language"}
    if key == "notes" and isinstance(part, list):
        return [
            {name: value for name, value in note.items() if name not in ("title", "text")}
            if isinstance(note, dict)
            else note
            for note in part
        ]
    return part


def told_in(language: str, found: Iterable[Check | NotChecked]) -> Iterator[Check | NotChecked]:
    """What was found in the files of a language, told under their own names."""

    def named(text: str) -> str:
        return _FILE_NAME.sub(lambda name: _own_name(name[0], language), text)

    for each in found:
        if isinstance(each, NotChecked):
            yield replace(each, what=named(each.what))
        else:
            what, findings = f"{each.what} ({language})", tuple(map(named, each.findings))
            yield Check(id=f"{each.id}-{language}", what=what, findings=findings)


def _own_name(name: str, language: str) -> str:
    return name if name == VERIFIER or name.startswith(FOR_ALL) else named_in(name, language)


def files_of_no_report(published: Published) -> Iterator[str]:
    """Files that no report has, in any language."""
    own = {*OWN_FILES[PUBLIC]}
    for name in sorted(published.files):
        main, tag = language_of(name)
        if name not in own and (tag is None or main not in own or main == CHECKSUMS):
            yield name
